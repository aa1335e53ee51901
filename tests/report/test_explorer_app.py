"""The terminal application, driven by its keys."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from otsrw.report.simplify import Claim
from otsrw.traces import Explorer, Lts, Safety
from otsrw.traces.verbs import VERBS

pytest.importorskip("textual")

from textual.widgets import Input, OptionList, Static

from otsrw.report.explorer_app import KEYS, ExplorerApp, HelpScreen

SYSTEM = Lts.of(
    7,
    [0],
    [
        (0, "send(a)", 1),
        (0, "send(b)", 2),
        (0, "tick", 3),
        (1, "lose", 4),
        (1, "lose", 5),
        (2, "lose", 5),
        (3, "tick", 6),
        (0, "stop", 4),
    ],
    ["x", "[bold]"],
    [(n, "same") for n in range(7)],
    frontier=[6],
)


def drive(
    test: Callable[[ExplorerApp, Any], Awaitable[None]], export: str = "t.json", size: tuple[int, int] = (120, 30)
) -> None:
    async def run() -> None:
        app = ExplorerApp(Explorer(SYSTEM, Safety(frozenset([5]))), Claim(invariant="safe"), "spec.cafe", export)
        async with app.run_test(size=size) as pilot:
            await test(app, pilot)

    asyncio.run(run())


def message(app: ExplorerApp) -> str:
    return str(app.query_one("#message", Static).render())


def options(app: ExplorerApp, name: str) -> list[str]:
    listed = app.query_one(f"#{name}", OptionList)
    return [str(listed.get_option_at_index(number).prompt) for number in range(listed.option_count)]


def screen(app: ExplorerApp) -> str:
    """What is on the screen, as text."""
    return " ".join(re.findall(r">([^<]+)<", app.export_screenshot())).replace("&#160;", " ")


def test_the_first_screen() -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        assert app.title == "safe in spec.cafe"
        assert options(app, "run") == [">#  0 initially".replace("  0", " 0"), " # 1 send(a)", "   2 lose"]
        shown = screen(app)
        assert "state 0" in shown
        assert "after send(a)" in shown
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
        assert app.explorer.view().focus == 1
        await pilot.press("f")
        assert "violated" in message(app)
        assert options(app, "run")[2] == ">!2 lose".replace(">!", "> !")
        await pilot.press("left", "b")
        assert app.explorer.view().focus == 0
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
        assert app.explorer.view().focus == 1
        await pilot.press("N")
        assert app.explorer.view().focus == 0
        await pilot.press("9")
        assert app.explorer.view().focus == 0

    drive(test)


def test_verbs_are_typed() -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press("m")
        assert app.query_one("#command", Input).value == "mark "
        await pilot.press("h", "enter")
        assert "h" in app.explorer.bookmarks
        await pilot.press("right")
        await pilot.press("r", "h", "enter")
        assert app.explorer.view().focus == 0
        await pilot.press("colon", *"fly", "enter")
        assert message(app).startswith("no such verb: 'fly'")
        await pilot.press("colon", "escape")
        assert not app.query_one("#command").has_class("open")

    drive(test)


def test_a_state_of_the_run_is_chosen() -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        app.query_one("#run").focus()
        await pilot.press("end", "enter")
        assert app.explorer.view().focus == 2

    drive(test)


def test_help_tells_every_verb() -> None:
    assert set(KEYS) == set(VERBS)

    async def test(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpScreen)
        text = str(app.screen.query_one("#help", Static).render())
        assert all(verb.meaning in text for verb in VERBS.values())
        await pilot.press("escape")
        assert not isinstance(app.screen, HelpScreen)

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


@pytest.mark.parametrize("size", [(60, 20), (200, 60)])
def test_any_size_of_terminal_shows_the_state(size: tuple[int, int]) -> None:
    async def test(app: ExplorerApp, pilot: Any) -> None:
        await pilot.press("right")
        shown = screen(app)
        assert "lose" in shown
        assert "possible" in shown

    drive(test, size=size)
