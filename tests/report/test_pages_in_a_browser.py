"""Pages in a real browser, wide and narrow, light and dark: nothing is cut off, and there is something to see.

`OTSRW_SCREENSHOTS=DIR` keeps the pictures.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Page
from commands import run, spec
from support import ROOT

LTS = """des (0, 4, 4)
(0, "S", 1)
(1, "a-label-that-is-long-enough-to-be-cut-off-on-a-telephone !p1 !p2", 2)
(1, "B", 3)
(3, "C", 0)
"""


def igf(file: str) -> Callable[[Path], None]:
    return lambda page: finish(run("igf", spec(file), "--html", str(page), "-q"))


def prove(page: Path) -> None:
    finish(run("prove", spec("tas.cafe"), "--html", str(page), "-q"))


def script(page: Path) -> None:
    finish(run("run", str(ROOT / "proofs" / "tas-cimpa.cafe"), "--html", str(page), "-q"))


def search(file: str) -> Callable[[Path], None]:
    return lambda page: finish(run("search", spec(file), "--depth", "4", "--html", str(page), "-q"))


def simplify(page: Path) -> None:
    system = page.with_suffix(".aut")
    system.write_text(LTS)
    finish(run("simplify", str(system), "--inev", "B", "--html", str(page), "-q"))


def classify(page: Path) -> None:
    finish(run("classify", spec("alice-bob-eve.cafe"), "--depth", "2", "--html", str(page), "-q"))


def finish(result: tuple[int, str, str]) -> None:
    assert result[0] in (0, 3, 12, 13), result


PAGES: dict[str, Callable[[Path], None]] = {
    "igf-falsified": igf("nspk.cafe"),
    "prove-open": prove,
    "igf-verified": igf("qlock.cafe"),
    "script": script,
    "search-violated": search("nspk.cafe"),
    "search-holds": search("qlock.cafe"),
    "simplify": simplify,
    "classify": classify,
}


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_off(tmp_path: Path, name: str, page: Page) -> None:
    file = tmp_path / f"{name}.html"
    PAGES[name](file)
    page.open(file.as_uri())
    for width in (360, 1200):
        for dark in (False, True):
            page.resize(width, 1600, dark)
            assert (page.cut_off(), page.run("document.body.innerText.length") > 100) == ([], True), (name, width)
            scheme = "dark" if dark else "light"
            picture = Path(os.environ.get("OTSRW_SCREENSHOTS", tmp_path)) / f"{name}-{width}-{scheme}.png"
            page.screenshot(picture, whole=True)
            assert picture.stat().st_size > 5000
    assert page.complaints == []


@pytest.mark.parametrize("name", ["script", "igf-verified", "prove-open"])
def test_proof_trees_unfold_without_being_cut_off(tmp_path: Path, name: str, page: Page) -> None:
    file = tmp_path / f"{name}.html"
    PAGES[name](file)
    page.open(file.as_uri())
    page.resize(360, 1600)
    page.click('[data-fold="open"]')
    assert page.run("[...document.querySelectorAll('details.goal')].every(goal => goal.open)")
    assert page.cut_off() == []
    page.click('[data-fold=""]')
    assert not page.run("[...document.querySelectorAll('details.goal')].some(goal => goal.open)")
