"""Pages in a real browser, wide and narrow, light and dark: nothing is cut off, and there is something to see.

Skipped if there is no Chromium. `OTSRW_SCREENSHOTS=DIR` keeps the pictures.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.test_search import run
from support import ROOT

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed: pages were not looked at")

LTS = """des (0, 4, 4)
(0, "S", 1)
(1, "a-label-that-is-long-enough-to-be-cut-off-on-a-telephone !p1 !p2", 2)
(1, "B", 3)
(3, "C", 0)
"""
FRAME = """<!DOCTYPE html><body style="margin:0">
<iframe id="f" style="border:0;width:{width}px;height:2400px" srcdoc="{page}"></iframe><pre id="measured"></pre><script>
document.getElementById("f").onload = () => {{
  const inner = document.getElementById("f").contentDocument, width = inner.documentElement.clientWidth;
  const style = e => inner.defaultView.getComputedStyle(e).overflowX;
  const scrolls = e => e && (["auto", "scroll"].includes(style(e)) || scrolls(e.parentElement));
  const beyond = e => e.getBoundingClientRect().right > width + 1 && !scrolls(e.parentElement);
  const cut = [...inner.body.querySelectorAll("*")].filter(beyond);
  document.getElementById("measured").textContent = JSON.stringify({{
    text: inner.body.innerText.length, wide: inner.documentElement.scrollWidth > width + 1,
    cut: cut.slice(0, 5).map(e => e.tagName + " " + e.className + " " + e.textContent.slice(0, 40))}});
}};</script></body>"""


def igf(spec: str) -> Callable[[Path], None]:
    return lambda page: finish(run("igf", str(ROOT / "specs" / spec), "--html", str(page), "-q"))


def simplify(page: Path) -> None:
    system = page.with_suffix(".aut")
    system.write_text(LTS)
    finish(run("simplify", str(system), "--inev", "B", "--html", str(page), "-q"))


def finish(result: tuple[int, str, str]) -> None:
    assert result[0] in (0, 3, 12, 13), result


PAGES: dict[str, Callable[[Path], None]] = {
    "igf-falsified": igf("nspk.cafe"),
    "igf-verified": igf("qlock.cafe"),
    "simplify": simplify,
}


def browse(*words: str) -> str:
    assert BROWSER is not None
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=90, check=True).stdout


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_off(tmp_path: Path, name: str) -> None:
    page = tmp_path / f"{name}.html"
    PAGES[name](page)
    for width in (360, 1200):
        frame = tmp_path / f"frame-{width}.html"
        frame.write_text(FRAME.format(width=width, page=html.escape(page.read_text("utf-8"))), encoding="utf-8")
        found = re.search(
            r'<pre id="measured">(.+?)</pre>', browse("--virtual-time-budget=3000", "--dump-dom", frame.as_uri())
        )
        assert found is not None
        measured = json.loads(html.unescape(found[1]))
        assert (measured["cut"], measured["wide"], measured["text"] > 100) == ([], False, True), (name, width)
        for scheme, number in (("light", 1), ("dark", 0)):
            picture = Path(os.environ.get("OTSRW_SCREENSHOTS", tmp_path)) / f"{name}-{width}-{scheme}.png"
            settings = f"--blink-settings=preferredColorScheme={number}"
            browse(settings, f"--screenshot={picture}", f"--window-size={max(width, 500)},1600", frame.as_uri())
            assert picture.stat().st_size > 5000
