"""The terminal application, driven by its keys; what its screens look like is in screens/.

`OTSRW_NEW_SCREENS=1` writes those files anew: look at them before they are kept.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from otsrw.report.exhibit import KEYS, Exhibit
from otsrw.traces.verbs import VERBS

pytest.importorskip("textual")

from textual.widgets import Input, OptionList, Static

from otsrw.report.explorer_app import ExplorerApp, HelpOverlay
from report.exhibits import choices, growing, hotel, protocol

SCREENS = Path(__file__).parent / "screens"
_PIECE = re.compile(r'<text[^>]* x="([\d.]+)"[^>]*clip-path="url\(#[^"]*line-(\d+)\)"[^>]*>([^<]*)</text>')
_CELL = 12.2
"""The width of a character in a screenshot."""


def drive(
    test: Callable[[ExplorerApp, Any], Awaitable[None]],
    export: str = "t.json",
    size: tuple[int, int] = (120, 30),
    exhibit: Exhibit | None = None,
) -> None:
    async def run() -> None:
        app = ExplorerApp(exhibit or choices(), export)
        async with app.run_test(size=size) as pilot:
            await test(app, pilot)

    asyncio.run(run())


async def until(pilot: Any, painted: Callable[[], bool]) -> None:
    """Wait for what is painted when the application is idle: on a busy machine that takes more than one turn."""
    for _ in range(200):
        if painted():
            return
        await pilot.pause(0.02)


def message(app: ExplorerApp) -> str:
    return str(app.query_one("#notice", Static).render())


def place(app: ExplorerApp) -> str:
    return str(app.query_one("#place", Static).render())


def options(app: ExplorerApp, name: str) -> list[str]:
    listed = app.query_one(f"#{name}", OptionList)
    return [str(listed.get_option_at_index(number).prompt) for number in range(listed.option_count)]


def screen(app: ExplorerApp) -> str:
    """What is on the screen, as text."""
    rows: dict[int, str] = {}
    for x, line, text in _PIECE.findall(app.export_screenshot()):
        before = rows.get(int(line), "").ljust(round(float(x) / _CELL))
        rows[int(line)] = before + html.unescape(text).replace("\xa0", " ")
    return "".join(f"{rows.get(line, '').rstrip()}\n" for line in range(app.size.height))


KEYS_OF_SCREENS = {
    "start": (),
    "moved": ("right", "right"),
    "refused": ("right", "right", "o"),
    "marked": ("right", *"ma", "enter", "r"),
    "help": ("question_mark",),
    "chart": ("c",),
}


@pytest.mark.parametrize("size", [(80, 24), (140, 45)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("keys", KEYS_OF_SCREENS)
@pytest.mark.parametrize("exhibit", [hotel, protocol], ids=lambda exhibit: exhibit.__name__)
def test_a_screen(size: tuple[int, int], keys: str, exhibit: Callable[[], Exhibit]) -> None:
    file = SCREENS / f"{exhibit.__name__}-{keys}-{size[0]}x{size[1]}.txt"

    async def test(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press(*KEYS_OF_SCREENS[keys])
        if os.environ.get("OTSRW_NEW_SCREENS"):
            await pilot.pause(1)
            file.write_text(screen(app), "utf-8")
        expected = file.read_text("utf-8")
        await until(pilot, lambda: screen(app) == expected)
        assert screen(app) == expected

    drive(test, size=size, exhibit=exhibit())


def test_the_first_screen() -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        assert app.title == "<spec>.cafe: runs that violate safe"
        assert options(app, "run") == ["># 0 initially", " # 1 send(a)", "  !2 lose"]
        assert place(app) == "state 0 of 2; neighbourhood; next: send(a)"
        shown = screen(app)
        assert "state 0, and after send(a)" in shown
        assert "[bold]" in shown
        assert options(app, "types") == [
            "1 + send: possible",
            "2 ? tick: unknown",
            "3 - lose: impossible",
            "4 - stop: impossible",
        ]

    drive(test)


def test_keys_move_the_focus() -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press("right")
        assert app.situation.scene.focus == 1
        await pilot.press("f")
        assert "violated" in place(app)
        assert options(app, "run")[2] == "> !2 lose"
        await pilot.press("left", "b")
        assert app.situation.scene.focus == 0
        await pilot.press("b")
        assert message(app) == "impossible: this is the initial state"

    drive(test)


def test_keys_choose() -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press("p")
        assert options(app, "run")[1].endswith("send(b)")
        await pilot.press("u")
        assert options(app, "run")[1].endswith("send(a)")
        await pilot.press("2")
        assert message(app) == "unknown: not known within the bound"
        await pilot.press("t", "enter")
        assert options(app, "run")[1].endswith("send(a)")
        await pilot.press("n")
        assert app.situation.scene.focus == 1
        await pilot.press("N")
        assert app.situation.scene.focus == 0
        await pilot.press("9")
        assert app.situation.scene.focus == 0

    drive(test)


def test_verbs_are_typed() -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press("m")
        assert app.query_one("#command", Input).value == "mark "
        await pilot.press("h", "enter")
        assert "h" in app.situation.bookmarks
        await pilot.press("right")
        await pilot.press("r", "h", "enter")
        assert app.situation.scene.focus == 0
        await pilot.press("colon", *"fly", "enter")
        assert message(app).startswith("no such verb: 'fly'")
        await pilot.press("colon", "escape")
        assert not app.query_one("#command").has_class("open")

    drive(test)


def test_a_state_of_the_run_is_chosen() -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        app.query_one("#run").focus()
        await pilot.press("end", "enter")
        assert app.situation.scene.focus == 2
        await pilot.press("u")
        assert app.situation.scene.focus == 0
        await pilot.press("g", "1", "enter")
        assert app.situation.scene.focus == 1

    drive(test)


def test_help_tells_every_verb() -> None:
    assert set(KEYS) == set(VERBS)

    async def test(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpOverlay)
        text = str(app.screen.query_one(Static).render())
        assert all(verb.meaning in text for verb in VERBS.values())
        await pilot.press("escape")
        assert not isinstance(app.screen, HelpOverlay)

    drive(test)


def test_a_chart_is_drawn_if_labels_name_who_acts() -> None:
    async def with_people(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press("c")
        assert isinstance(app.screen, HelpOverlay)
        await pilot.press("c")
        assert not isinstance(app.screen, HelpOverlay)

    async def without(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press("c")
        assert message(app) == "there is no chart: labels do not name who acts"

    drive(with_people, exhibit=protocol())
    drive(without)


def test_a_terminal_may_change_its_size() -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        def beside() -> bool:
            return app.query_one("#states").region.x > app.query_one("#run").region.x

        assert beside()
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: not beside())
        assert not beside()
        assert app.query_one("#states").region.width == 80
        await pilot.resize_terminal(120, 30)
        await until(pilot, beside)
        assert beside()

    drive(test)


def test_the_run_is_exported(tmp_path: Path) -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press("e")
        assert message(app) == f"written to {tmp_path / 't.json'}"

    drive(test, str(tmp_path / "t.json"))
    assert '"vars"' in (tmp_path / "t.json").read_text("utf-8")


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press("e")
        assert message(app).startswith("cannot write")

    drive(test, str(tmp_path / "no" / "t.json"))


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (200, 60)])
def test_any_size_of_terminal_shows_the_state(size: tuple[int, int]) -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press("right")
        shown = screen(app)
        assert "lose" in shown
        assert "1 send(a)" in shown
        assert "state 1" in shown

    drive(test, size=size)


def test_tables_are_filled_while_the_application_runs() -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press("right")
        await until(pilot, lambda: app.exhibit.tables.complete)
        await until(pilot, lambda: "unknown" not in " ".join(options(app, "types")))
        assert options(app, "types") == [
            "1 - check-in: impossible",
            "2 + check-out: possible",
            "3 + entry: possible",
            "4 - reentry: impossible",
        ]
        assert place(app).startswith("state 1 of 4")

    assert growing(10).fills
    drive(test, exhibit=growing(10))
