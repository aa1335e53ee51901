"""Runs the commands of a page and puts their real output into it: `python docs/run_page.py PAGE...`.

A block ```` ```LANGUAGE title="NAME" ```` is written to the file NAME. In a block ```` ```console ```` each line that
begins with `$ ` is a command; what follows, up to the next one, is its output. Commands run in a folder that has the
checkout's `specs` and `proofs`. Times and sizes differ from run to run: a page is rewritten only if more differs.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_BLOCK = re.compile(
    r'^```(?:\w+ title="(?P<file>[^"]+)"|(?P<console>console))\n(?P<body>.*?)^```$', re.DOTALL | re.MULTILINE
)
_MEASURED = re.compile(r"\d+\.\d+ (?:seconds|sec|s)\b|\b\d+ MB\b|load average \S+")


def masked(text: str) -> str:
    """A text without what differs from run to run."""
    return _MEASURED.sub("...", text)


def played(page: str) -> str:
    """The page with the output that its commands give now."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = _prepare(folder)

        def replaced(block: re.Match[str]) -> str:
            if block["file"]:
                (folder / block["file"]).write_text(block["body"], encoding="utf-8")
                return block[0]
            commands = [line for line in block["body"].splitlines() if line.startswith("$ ")]
            outputs = [f"{command}\n{_output(command[2:], folder, environment)}" for command in commands]
            return f"```console\n{''.join(outputs)}```"

        return _BLOCK.sub(replaced, page)


def _prepare(folder: Path) -> dict[str, str]:
    for part in ("specs", "proofs"):
        (folder / part).symlink_to(ROOT / part)
    tools = folder / ".bin"
    tools.mkdir()
    (tools / "otsrw").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m otsrw "$@"\n')
    (tools / "otsrw").chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return os.environ | {"PATH": path, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}


def _output(command: str, folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    lines = [line.replace(f"{folder}/", "") for line in done.stdout.splitlines()]
    return "".join(f"{line}\n" for line in lines)


def main(pages: list[str]) -> None:
    for name in pages:
        path = Path(name)
        before = path.read_text("utf-8")
        after = played(before)
        if masked(before) != masked(after):
            path.write_text(after, "utf-8")
            print(f"{name}: new output")


if __name__ == "__main__":
    main(sys.argv[1:])
