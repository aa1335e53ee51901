"""What otsrw accepts and CafeOBJ 1.6.0 refuses is warned of, and CafeOBJ does refuse it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import run
from support import ROOT

M = "mod! M { [S] ops a b : -> S op f : S -> S eq f(a) = b . }\n"
REFUSED = {
    "open without a period": (M + "open M\nred f(a) .\nclose\n", "CafeOBJ wants a period after 'open'"),
    "op in a passage without a period": (
        M + "open M .\nop c : -> S\nred f(c) .\nclose\n",
        "CafeOBJ wants a period after 'op' here",
    ),
    "a variable before its sort": (
        "mod! A { [S] op g : S S -> S eq g(X, X:S) = X . }\n",
        "CafeOBJ does not know the sort of this variable yet",
    ),
    "commas between attributes": (
        "mod! A { [S] op f : S S -> S {assoc, comm} }\n",
        "CafeOBJ wants blanks between attributes, no commas",
    ),
    "metadata": ('mod! A { [S] op a : -> S {metadata "x"} }\n', "CafeOBJ has no attribute 'metadata'"),
    "ops without parentheses": (
        "mod! A { [S] ops _+_ _*_ : S S -> S }\n",
        "CafeOBJ wants parentheses around such a name",
    ),
    "owise": ("mod! A { [S] op f : S -> S var X : S eq f(X) = X [owise] . }\n", "CafeOBJ has no 'owise'"),
    "a bop with two states": (
        "mod* A { *[H]* [S] bop x : H H -> S }\n",
        "CafeOBJ wants one hidden sort in the arity of a 'bop'",
    ),
    "var with two names": (
        "mod! A { [S] op f : S -> S var X Y : S eq f(X) = X . }\n",
        "CafeOBJ takes one name after 'var'",
    ),
}
ACCEPTED = {
    "with a period": M + "open M .\nop c : -> S .\nops d e : -> S .\nred f(c) .\nclose\n",
    "the sort first": "mod! A { [S] op g : S S -> S eq g(X:S, X) = X . }\n",
    "a declared variable": "mod! A { [S] op g : S S -> S var X : S eq g(X, X:S) = X . }\n",
    "names in parentheses": "mod! A { [S] ops (_+_) (_*_) : S S -> S {assoc comm} }\n",
    "vars": "mod! A { [S] vars X Y : S op f : S S -> S eq f(X, Y) = X . }\n",
    "one state": "mod* A { *[H]* [S] bop x : H S -> S }\n",
}


@pytest.mark.parametrize("case", REFUSED)
def test_it_is_a_warning_and_an_error_on_demand(case: str, tmp_path: Path) -> None:
    text, message = REFUSED[case]
    path = tmp_path / "t.cafe"
    path.write_text(text)
    code, _, told = run("run", str(path))
    assert code == 0 and f"warning W118: {message}" in told
    code, _, told = run("run", "--portable", str(path))
    assert code == 150 and f"error E116: {message}" in told


@pytest.mark.parametrize("case", ACCEPTED)
def test_what_cafeobj_accepts_is_not_warned_of(case: str, tmp_path: Path) -> None:
    path = tmp_path / "t.cafe"
    path.write_text(ACCEPTED[case])
    assert "W118" not in run("run", str(path))[2]


def said(text: str, folder: Path) -> str:
    path = folder / "t.cafe"
    path.write_text(text)
    command = ["timeout", "20", "cafeobj", "-q", "-batch", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    return done.stdout + done.stderr


@pytest.mark.oracle
@pytest.mark.skipif(shutil.which("cafeobj") is None, reason="cafeobj is not installed")
@pytest.mark.parametrize("case", [*REFUSED, *ACCEPTED])
def test_cafeobj_says_the_same(case: str, tmp_path: Path) -> None:
    text = REFUSED[case][0] if case in REFUSED else ACCEPTED[case]
    complains = re.search(r"\[Error\]|pattern is just _|READER-ERROR", said(text, tmp_path)) is not None
    assert complains == (case in REFUSED)


@pytest.mark.parametrize("path", sorted((ROOT / "specs").rglob("*.cafe")), ids=lambda path: path.stem)
def test_our_specifications_are_portable(path: Path) -> None:
    assert "E116" not in run("run", "--portable", str(path))[2]
