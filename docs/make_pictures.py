"""Pictures of what commands really show: `python docs/make_pictures.py [NAME...]` runs them, writes docs/pictures/.

Output of a terminal becomes SVG, a page becomes PNG; the latter needs Chromium.
"""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import Browser, Page, find_browser
from rich.console import Console
from rich.text import Text
from story import story

ROOT = Path(__file__).resolve().parents[1]
PICTURES = Path(__file__).parent / "pictures"
WIDTH = 100
_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Fonts from the network: a picture needs nothing but itself."""


NSPK = ["specs/nspk.cafe", "--inv", "secrecy", "--depth", "4"]


def terminal_output(words: list[str], folder: Path, more: dict[str, str] | None = None) -> str:
    """What a command prints on a terminal, with its colours."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": str(WIDTH), "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)} | (more or {})
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "otsrw", *words],
        cwd=folder,
        env=environment,
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs)
    pieces = []
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(ours)
    process.wait()
    return b"".join(pieces).decode().replace("\r\n", "\n")


def draw(name: str, command: str, output: str) -> None:
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi(f"\x1b[1m$ {command}\x1b[0m\n{output.rstrip()}"))
    keep(name, console.export_svg(title="otsrw", unique_id=name))


def keep(name: str, svg: str) -> None:
    text = re.sub(r"[ \t]+$", "", _FONT.sub("", svg), flags=re.MULTILINE)
    (PICTURES / f"{name}.svg").write_text(text, encoding="utf-8")


def attack(folder: Path) -> None:
    output = terminal_output(["igf", "specs/nspk.cafe", "--chart", "--html", "report.html"], folder)
    draw("nspk", "otsrw igf specs/nspk.cafe --chart --html report.html", output)


def story_of_the_attack(_: Path) -> None:
    (PICTURES / "story.svg").write_text(story(ROOT), encoding="utf-8")


def explorer_on_a_terminal(folder: Path) -> None:
    """The application presses two keys and takes its own picture."""
    wanted = {"LINES": "26", "TEXTUAL_PRESS": "right,right", "TEXTUAL_SCREENSHOT": "2"}
    wanted |= {"TEXTUAL_SCREENSHOT_LOCATION": str(folder), "TEXTUAL_SCREENSHOT_FILENAME": "explore.svg"}
    terminal_output(["explore", "-q", *NSPK], folder, wanted)
    svg = (folder / "explore.svg").read_text("utf-8")
    keep("explore-terminal", re.sub(r"terminal-\d+", "explore-terminal", svg))


def explorer_on_a_page(folder: Path, page: Page) -> None:
    command = [sys.executable, "-m", "otsrw", "explore", "-q", *NSPK, "--web", "--port", "0"]
    server = subprocess.Popen(command, cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None
        address = next(word for word in server.stdout.readline().decode().split() if word.startswith("http:"))
        page.open(f"{address}#forward;forward")
        page.wait_for("document.documentElement.dataset.shown")
        page.wait_for("document.getAnimations().length === 0")
        photograph(page, "explore-web")
    finally:
        server.terminate()
        server.wait()


def counterexample_on_a_page(folder: Path, page: Page) -> None:
    terminal_output(["simplify", "-q", *NSPK, "--html", "simplify.html"], folder)
    page.open((folder / "simplify.html").as_uri())
    play(page)
    photograph(page, "simplify", "h2:last-of-type")


def state_picture_on_a_page(folder: Path, page: Page) -> None:
    """The picture of NSPK after the last step of the attack."""
    terminal_output(["search", "-q", *NSPK, "--html", "picture.html"], folder)
    page.resize(1000, 700)
    page.open((folder / "picture.html").as_uri())
    play(page)
    photograph(page, "state-picture", "label")


def play(page: Page) -> None:
    """Show the last step of the attack in every picture."""
    page.run(
        """document.querySelectorAll('[data-by="1"]').forEach(next => [...Array(4)].forEach(() => next.click()))"""
    )
    page.wait_for("document.querySelector('.player').dataset.shown === '4'")
    page.wait_for("document.getAnimations().length === 0")


def classes_on_a_page(folder: Path, page: Page) -> None:
    predicates = ["--predicates", "specs/predicates/nspk-man-in-the-middle.cafe"]
    words = ["classify", "-q", *NSPK, "--hide", "nw", "--hide", "rand", *predicates, "--html", "classify.html"]
    terminal_output(words, folder)
    page.open((folder / "classify.html").as_uri())
    play(page)
    photograph(page, "classify", "#class-3")


def photograph(page: Page, name: str, end: str = "footer") -> None:
    """The page down to an element."""
    page.resize(1000, 700)
    height = page.run(f"Math.ceil(document.querySelector({end!r}).getBoundingClientRect().top + scrollY)")
    page.resize(1000, height)
    page.screenshot(PICTURES / f"{name}.png")


TERMINALS = {"story": story_of_the_attack, "nspk": attack, "explore-terminal": explorer_on_a_terminal}
PAGES = {
    "explore-web": explorer_on_a_page,
    "simplify": counterexample_on_a_page,
    "classify": classes_on_a_page,
    "state-picture": state_picture_on_a_page,
}


def main(names: list[str]) -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "specs").symlink_to(ROOT / "specs")
        for wanted in names or [*TERMINALS, *PAGES]:
            if wanted in TERMINALS:
                TERMINALS[wanted](folder)
                continue
            program = find_browser()
            if program is None:
                print(f"{wanted}: no Chromium is installed, the picture stays as it is")
                continue
            with Browser(program) as browser:
                PAGES[wanted](folder, browser.page())


if __name__ == "__main__":
    main(sys.argv[1:])
