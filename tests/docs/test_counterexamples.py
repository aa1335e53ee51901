"""The examples of docs/counterexamples.md, and those of docs/cli.md, give what the pages show but for times."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys

import pytest
from support import ROOT

from otsrw.cli.main import main

sys.path.insert(0, str(ROOT / "docs"))

from run_page import masked

_BLOCK = re.compile(r"```(?:console)?\n\$ otsrw (.*?)\n(.*?)```", re.DOTALL)
_SLOW = "specs/nspk.cafe"


def examples(page: str) -> list[tuple[str, str]]:
    found = _BLOCK.findall((ROOT / "docs" / page).read_text("utf-8"))
    commands = ("simplify specs/", "explore", "classify", "search")
    plain = [(command, output) for command, output in found if "|" not in command]
    return [(command, output) for command, output in plain if command.startswith(commands) or " -q " in command]


EXAMPLES = examples("counterexamples.md") + examples("cli.md")


def without_measures(text: str) -> list[str]:
    return masked(text).rstrip("\n").splitlines()


@pytest.mark.parametrize(
    ("command", "output"),
    [pytest.param(*e, marks=pytest.mark.slow if _SLOW in e[0] else (), id=e[0]) for e in EXAMPLES],
)
def test_an_example_gives_what_the_page_shows(command: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main(shlex.split(command))
    assert without_measures(out.getvalue()) == without_measures(output)


def test_the_pages_have_examples() -> None:
    assert len(EXAMPLES) >= 9
