"""`otsrw format` changes the layout and nothing else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support import ROOT

from otsrw.application.formatting import formatted
from otsrw.syntax import tree
from otsrw.syntax.reader import read
from otsrw.syntax.source import Source

FILES = sorted([*(ROOT / "specs").rglob("*.cafe"), *(ROOT / "proofs").rglob("*.cafe")])

UGLY = """\
mod! A {
[S]
      ops a b : -> S   {constr}
   op f : S ->
        S
    -- about f
-- at the left
 eq f(a)
    = b .   \t
  signature {
  op g : S -> S
  }
    }



  open A .
op c : -> S .
      eq f(c) = a .
 red f(c) .
    close
#| a block
     stays |#
select A .
"""
TIDY = """\
mod! A {
  [S]
  ops a b : -> S   {constr}
  op f : S ->
       S
  -- about f
-- at the left
  eq f(a)
     = b .
  signature {
    op g : S -> S
  }
}

open A .
  op c : -> S .
  eq f(c) = a .
  red f(c) .
close
#| a block
     stays |#
select A .
"""


def words(text: str) -> list[str]:
    return text.split()


def kinds(text: str) -> list[type[tree.Statement]]:
    statements, problems = read(Source("f", text))
    assert problems == []
    return [type(statement) for statement in statements]


def test_statements_are_indented_and_lines_move_with_them() -> None:
    assert formatted(UGLY) == TIDY


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_words_stay_and_formatting_again_changes_nothing(path: Path) -> None:
    text = path.read_text("utf-8")
    once = formatted(text)
    assert words(once) == words(text)
    assert formatted(once) == once
    assert kinds(once) == kinds(text)


FIRST = ("op", "ops", "eq", "ceq", "bop", "var", "vars", "mod!", "mod*", "}")


def statement_lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.lstrip().split(" ")[0] in FIRST]


@pytest.mark.parametrize("seed", range(20))
def test_a_text_that_was_shaken_becomes_tidy_again(seed: int) -> None:
    choose = random.Random(seed)
    tidy = formatted((ROOT / "specs" / "tas.cafe").read_text("utf-8"))
    moved = set(statement_lines(tidy))
    shaken = [" " * choose.randrange(9) + line.lstrip() if line in moved else line for line in tidy.split("\n")]
    again = formatted("\n".join(shaken))
    assert statement_lines(again) == statement_lines(tidy)
    assert words(again) == words(tidy)


def test_a_text_with_errors_is_left_alone_but_for_the_ends_of_lines() -> None:
    assert formatted("mod! A {\n      [S]   \n op") == "mod! A {\n      [S]\n op\n"
