"""Damaged specifications are refused or understood; otsrw itself never fails on them."""

from __future__ import annotations

import contextlib
import io
import random
import sys

import pytest
from support import ROOT

from otsrw.cli.main import main

_SPECS = ("ticket", "nspk", "qlock", "abp", "peterson")
_ALLOWED = {0, 2, 3, 75, 150}


def damaged(text: str, seed: int) -> str:
    """The text with a few lines lost, doubled or exchanged, and a word replaced by another one of the text."""
    chance = random.Random(seed)
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("mod"))
    for _ in range(chance.randint(1, 3)):
        one, other = chance.randrange(start, len(lines)), chance.randrange(start, len(lines))
        match chance.randrange(4):
            case 0:
                del lines[one]
            case 1:
                lines.insert(one, lines[other])
            case 2:
                lines[one], lines[other] = lines[other], lines[one]
            case _:
                words, donors = lines[one].split(" "), lines[other].split() or ["."]
                words[chance.randrange(len(words))] = chance.choice(donors)
                lines[one] = " ".join(words)
    return "\n".join(lines)


@pytest.mark.parametrize("name", _SPECS)
def test_damaged_specifications_are_no_internal_errors(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / "specs" / f"{name}.cafe").read_text(encoding="utf-8")
    for seed in range(12):
        for command in ("ots", "translate"):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(damaged(text, seed).encode())))
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main([command, "-", "--json", "--timeout", "10", "--max-rewrites", "100000"])
            assert code in _ALLOWED, (seed, command, err.getvalue()[-400:])
