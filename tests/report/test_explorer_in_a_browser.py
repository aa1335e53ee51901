"""The page of the explorer in a real browser: every verb by click and by key, permalinks, the chart, all widths.

`OTSRW_SCREENSHOTS=DIR` keeps pictures.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from specifications import SPECS

from otsrw.report.exhibit import KEYS, Exhibit
from otsrw.syntax.source import Source
from otsrw.traces import ExplorationTables, Lts, Safety
from otsrw.traces.formats import read_itf
from otsrw.traces.verbs import VERBS

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from browser import Page

from otsrw.report.pictures import StatePicture
from otsrw.report.svg import read_svg
from otsrw.traces.claims import Claim
from report.exhibits import choices, hotel, protocol
from report.serving import serving

_SEEN = """(() => {
  const text = id => document.getElementById(id).innerText.trim();
  return {place: text("place"), notice: text("notice"), run: text("run"), types: text("types"), states: text("states"),
    chart: document.getElementById("sequence").hidden ? "" : document.getElementById("chart").textContent,
    focus: [...document.querySelectorAll("#run button")].findIndex(b => b.hasAttribute("aria-current"))};
})()"""


class Visit:
    """The page of one server, and what a user does there."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.at("")

    def at(self, verbs: str) -> Any:
        """The page at a permalink, opened anew."""
        self.page.open("about:blank")
        self.page.open(f"{self.address}/#{verbs}")
        return self.seen()

    def seen(self) -> Any:
        """What is shown once the page shows what its address says."""
        self.page.wait_for("document.documentElement.dataset.shown === location.hash")
        return self.page.run(_SEEN)

    def press(self, *keys: str) -> Any:
        for key in keys:
            self.page.press(key)
        return self.seen()

    def click(self, *selectors: str) -> Any:
        for selector in selectors:
            self.seen()
            self.page.click(selector)
        return self.seen()

    @property
    def verbs(self) -> str:
        found: str = self.page.run("location.hash")
        return found


@pytest.fixture
def visit(page: Page) -> Iterator[Visit]:
    page.resize(1200, 900)
    with serving(choices()) as address:
        yield Visit(page, address)
        assert page.complaints == []


BY_KEY = {
    "forward": (("ArrowRight",), ("f",)),
    "back": (("f", "ArrowLeft"), ("f", "b")),
    "outcome": (("f", "o"),),
    "parameters": (("p",),),
    "pick": (("1",), ("t", "Enter")),
    "next": (("n",),),
    "previous": (("n", "N"),),
    "undo": (("p", "u"),),
    "mark": (("m", "h", "Enter"),),
    "return": (("m", "h", "Enter", "f", "r", "h", "Enter"),),
    "go": (("g", "2", "Enter"),),
    "look": (("l",),),
    "most": (("d",),),
    "least": (("D",),),
    "grow": (("w",),),
    "fill": (("W",),),
}
BY_CLICK = {
    "forward": ("[data-verb=forward]",),
    "back": ("[data-verb=forward]", "[data-verb=back]"),
    "outcome": ("[data-verb=forward]", "[data-verb=outcome]"),
    "parameters": ("[data-verb=parameters]",),
    "pick": ("#type-1",),
    "next": ("[data-verb=next]",),
    "previous": ("[data-verb=next]", "[data-verb=previous]"),
    "most": ("[data-verb=most]",),
    "least": ("[data-verb=least]",),
    "grow": ("[data-verb=grow]",),
    "fill": ("[data-verb=fill]",),
    "undo": ("[data-verb=parameters]", "[data-verb=undo]"),
    "go": ("#step-2",),
}
LEADS_TO = {
    "forward": "forward",
    "back": "forward;back",
    "outcome": "forward;outcome",
    "parameters": "parameters",
    "pick": "pick%20send",
    "next": "next",
    "previous": "next;previous",
    "undo": "parameters;undo",
    "mark": "mark%20h",
    "return": "mark%20h;forward;return%20h",
    "go": "go%202",
    "look": "",
    "most": "most",
    "least": "least",
    "grow": "grow",
    "fill": "fill",
}


def test_every_verb_has_a_key_and_a_place_to_click() -> None:
    assert set(BY_KEY) == set(LEADS_TO) == set(KEYS) == set(VERBS)
    assert set(VERBS) - set(BY_CLICK) == {"mark", "return", "look"}, "these need a name, or do nothing"


@pytest.mark.parametrize("verb", BY_KEY)
def test_a_verb_by_key(visit: Visit, verb: str) -> None:
    found = [(visit.at(""), visit.press(*keys), visit.verbs) for keys in BY_KEY[verb]]
    expected = visit.at(LEADS_TO[verb])
    assert [(seen, verbs.removeprefix("#")) for _, seen, verbs in found] == [(expected, LEADS_TO[verb])] * len(found)


@pytest.mark.parametrize("verb", BY_CLICK)
def test_a_verb_by_click(visit: Visit, verb: str) -> None:
    seen = visit.click(*BY_CLICK[verb])
    assert visit.verbs == f"#{LEADS_TO[verb]}"
    assert seen == visit.at(LEADS_TO[verb])


def test_bookmarks_by_click(visit: Visit) -> None:
    start = visit.seen()
    visit.click("[data-verb=mark]")
    visit.press("h", "Enter")
    moved = visit.click("[data-verb=forward]")
    visit.click("[data-verb=return]")
    assert visit.page.run("document.getElementById('known').textContent") == "bookmarks: h"
    back = visit.press("h", "Enter")
    assert (moved["focus"], back["focus"], back["run"]) == (1, 0, start["run"])


def test_what_is_shown(visit: Visit) -> None:
    seen = visit.seen()
    assert seen["place"] == "state 0 of 2; neighbourhood; next: send(a)"
    assert [line for line in seen["run"].split("\n") if "violated" in line] != []
    types = "1 + send possible 2 ? tick unknown 3 - lose impossible 4 - stop impossible"
    assert " ".join(seen["types"].split()) == types
    assert visit.press("p")["run"] != seen["run"]
    assert visit.press("u")["run"] == seen["run"]
    assert visit.press("2")["notice"] == "unknown: not known within the bound"
    assert visit.press("9") == visit.at("parameters;undo;pick%20tick"), "there is no ninth type"


def test_a_difference_is_not_told_by_colour_alone(visit: Visit) -> None:
    rows = visit.page.run("[...document.querySelectorAll('#observers tr')].map(r => r.cells[0].textContent)")
    assert rows == ["*", ""]


def test_the_way_back_in_the_browser_is_an_undo(visit: Visit) -> None:
    start = visit.seen()
    visit.press("p", "f")
    visit.page.run("history.go(-2)")
    visit.page.wait_for("location.hash === ''")
    assert visit.seen() == start


def test_help_and_commands(visit: Visit) -> None:
    visit.press("?")
    text = visit.page.run("document.getElementById('help').innerText")
    assert [verb.name for verb in VERBS.values() if verb.meaning not in text] == []
    visit.press("f")
    assert visit.verbs == "", "keys do nothing below the help"
    visit.press("Escape")
    assert visit.page.run("document.getElementById('help').open") is False
    visit.click("#ask")
    visit.click("#help button")
    visit.press(":", *"go 1", "Enter")
    assert visit.seen()["focus"] == 1
    visit.press(":", "Escape", "f")
    assert visit.seen()["focus"] == 2
    assert visit.press("c")["notice"].startswith("there is no chart")


def test_types_are_reached_by_arrows_and_keep_the_focus(visit: Visit) -> None:
    visit.press("t", "ArrowDown", "Enter")
    assert visit.verbs == "#pick%20tick"
    assert visit.page.run("document.activeElement.id") == "type-2"


def test_the_run_is_exported(visit: Visit, tmp_path: Path) -> None:
    visit.press("p")
    visit.page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    visit.press("e")
    visit.page.wait_until((tmp_path / "trace.itf.json").is_file)
    trace = read_itf(Source("t", (tmp_path / "trace.itf.json").read_text("utf-8")))
    assert str(trace.states[1].label) == "send(b)"


def test_a_wrong_address_is_told(page: Page) -> None:
    with serving(choices()) as address:
        visit = Visit(page, address)
        assert visit.at("forward;fly")["notice"] == "no such verb: 'fly'"
        assert visit.at("%E0%A4%A")["notice"] != ""


def test_a_server_that_has_ended_is_told(page: Page) -> None:
    with serving(choices()) as address:
        visit = Visit(page, address)
    assert visit.press("f")["notice"] == "the explorer does not answer: is it still running?"


def test_types_may_have_any_name(page: Page) -> None:
    lts = Lts.of(3, [0], [(0, "a;b & <i>#%", 1), (0, "c", 1), (1, "d", 2)])
    exhibit = Exhibit(ExplorationTables.of(lts, Safety(frozenset([2]))), Claim(invariant="i"), "f")
    with serving(exhibit) as address:
        seen = Visit(page, address).press("2", "1")
    assert (seen["notice"], "a;b & <i>#%" in seen["run"]) == ("", True)
    assert page.complaints == []


def test_the_chart_shows_who_sends_what_to_whom(page: Page) -> None:
    page.resize(1200, 900)
    with serving(protocol()) as address:
        visit = Visit(page, address)
        seen = visit.press("c", "f")
        for text in (
            "p1",
            "p2",
            "intr",
            "1 send1",
            "2 fake1(p1, p2, n(p1,intr,seed))",
            "enc1(p2,n(p1,intr,seed),p1)",
            "state 1",
        ):
            assert text in seen["chart"]
        visit.click("#chart [data-step='3']")
        assert visit.verbs == "#forward;go%203"
        visit.seen()
        assert page.run("[...document.querySelectorAll('#chart .here')].map(t => t.textContent)") == ["state 3"]
        texts = "[...document.querySelectorAll('#chart text')].map(t => t.getBoundingClientRect())"
        boxes = page.run(f"{texts}.map(r => [r.left, r.top + 3, r.right, r.bottom - 3])")
        assert overlapping(boxes) == []
    assert page.complaints == []


def overlapping(boxes: list[list[float]]) -> list[tuple[int, int]]:
    return [
        (i, j)
        for i, one in enumerate(boxes)
        for j, other in enumerate(boxes[:i])
        if one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
    ]


@pytest.mark.parametrize("exhibit", [hotel, protocol, choices], ids=lambda exhibit: exhibit.__name__)
def test_nothing_is_cut_off(page: Page, tmp_path: Path, exhibit: Any) -> None:
    folder = Path(os.environ.get("OTSRW_SCREENSHOTS", tmp_path))
    with serving(exhibit()) as address:
        visit = Visit(page, address)
        for width in (320, 800, 1280):
            for dark in (False, True):
                page.resize(width, 900, dark)
                for verbs in ("", "forward;forward", "go%209"):
                    visit.at(verbs)
                    assert page.cut_off() == [], (width, verbs)
                page.press("?")
                assert page.cut_off() == [], (width, "help")
                page.press("Escape")
                page.screenshot(folder / f"explore-{exhibit.__name__}-{width}-{'dark' if dark else 'light'}.png", True)
    assert page.complaints == []


def test_a_picture_is_played_over_the_run(page: Page) -> None:
    drawing = read_svg(Source("nspk.svg", (SPECS / "nspk.svg").read_text("utf-8")))
    exhibit = replace(protocol(), picture=StatePicture.of(drawing))
    page.resize(1200, 900)
    with serving(exhibit) as address:
        visit = Visit(page, address)
        visit.press("f", "f")
        visible = "filter(e => getComputedStyle(e).visibility === 'visible')"
        texts = f"[...document.querySelectorAll('.state-picture text')].{visible}.map(e => e.textContent)"
        shown = page.run(texts)
        assert "enc1(intr,n(p1,intr,seed),p1)enc1(p2,n(p1,intr,seed),p1)" in shown
        assert "1: as p1" in shown
        assert "2: nonces of p1 and p2" not in shown
        page.click("[data-by='1']")
        assert "2: nonces of p1 and p2" in page.run(texts)
        assert visit.verbs == "#forward;forward"
        page.click("[data-play]")
        page.wait_for("document.getElementById('picture').dataset.shown === '0'")
        assert page.complaints == []
