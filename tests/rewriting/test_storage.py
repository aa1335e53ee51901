"""Sweeping drops terms nobody holds, keeps the others, and changes no result."""

from __future__ import annotations

import pytest
from support import answers, module_of, term_of

from otsrw.rewriting.storage import Sweeper
from otsrw.theory.terms import Term

PEANO = (
    "mod! P { [N] op 0 : -> N op s : N -> N op _+_ : N N -> N vars X Y : N eq 0 + Y = Y . eq s(X) + Y = s(X + Y) . }"
)


def table_size(term: Term) -> int:
    return len(term.op.table)


def test_a_term_that_is_held_stays_with_its_arguments_and_others_go() -> None:
    module = module_of(PEANO, "P")
    held = term_of("s ( s ( 0 ) )", module)
    term_of("s ( s ( s ( s ( s ( 0 ) ) ) ) )", module)
    before = table_size(held)
    assert Sweeper().sweep(module.signature) > 0
    assert table_size(held) < before
    assert term_of("s ( s ( 0 ) )", module) is held


def test_sweeping_at_every_look_changes_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    number = "s(" * 60 + "0" + ")" * 60
    double = "s(" * 120 + "0" + ")" * 120
    text = f"{PEANO} red in P : {number} + {number} == {double} . red in P : {number} + {number} == {number} ."
    monkeypatch.setattr("otsrw.rewriting.storage.GROWTH", -(10**12))
    monkeypatch.setattr("otsrw.rewriting.runtime.SWEEP_EVERY", 1)
    monkeypatch.setattr("otsrw.rewriting.runtime.TICK", 1)
    assert [command.result for command in answers(text)] == ["true", "false"]
