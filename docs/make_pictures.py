"""Pictures of real terminal output: `python docs/make_pictures.py` runs the commands and writes docs/pictures/*.svg."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
PICTURES = Path(__file__).parent / "pictures"
WIDTH = 100
_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Fonts from the network: a picture needs nothing but itself."""


def terminal_output(words: list[str], folder: Path) -> str:
    """What a command prints on a terminal, with its colours."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": str(WIDTH), "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "otsrw", *words], cwd=folder, env=environment, stdout=theirs, stderr=subprocess.DEVNULL
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
    svg = _FONT.sub("", console.export_svg(title="otsrw", unique_id=name))
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / f"{name}.svg").write_text(re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE), encoding="utf-8")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "specs").symlink_to(ROOT / "specs")
        output = terminal_output(["igf", "specs/nspk.cafe", "--chart", "--html", "report.html"], folder)
        draw("nspk", "otsrw igf specs/nspk.cafe --chart --html report.html", output)


if __name__ == "__main__":
    main()
