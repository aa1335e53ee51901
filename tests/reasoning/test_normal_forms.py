"""Normal forms are found once, under the same equations of the same module."""

from __future__ import annotations

import pytest

from otsrw import Session
from otsrw.reasoning import normal_forms
from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.workbench import Equation, Workbench
from otsrw.rewriting import booleans
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Module
from otsrw.theory.terms import Term

TEXT = """
mod! M {
  [S]
  ops a b : -> S {constr}
  op f : S -> S
  op p : S -> Bool
  vars X Y : S
  eq f(a) = b .
  eq f(b) = a .
  eq (a = b) = false .
  ceq p(X) = true if f(X) = b .
  ceq p(X) = false if f(X) = a .
}
"""


@pytest.fixture
def module() -> Module:
    session = Session()
    session.run_text(TEXT)
    return session.library.modules["M"]


def term_of(module: Module, name: str, *args: Term) -> Term:
    (symbol,) = (s for s in module.signature.symbols() if s.name == name and s.nargs == len(args))
    return symbol.make(args)


def test_two_workbenches_share_what_they_found(module: Module) -> None:
    first = Workbench(module)
    constant = first.constant("s", term_of(module, "a").sort)
    second = first.anew()
    assert second.constant("s", constant.sort) is constant
    equation = Equation(constant, term_of(module, "a"))
    assert first.rewriter([equation]) is second.rewriter([Equation(equation.left, equation.right)])


def test_other_equations_other_normal_forms(module: Module) -> None:
    bench = Workbench(module)
    a, b = term_of(module, "a"), term_of(module, "b")
    s = bench.constant("s", a.sort)
    question = term_of(module, "f", s)
    answers = [bench.reduce(bench.rewriter([Equation(s, value)]), question) for value in (a, b, a)]
    assert answers == [b, a, b]
    assert bench.reduce(bench.rewriter(()), question) is question


def test_fewer_rewrites_are_another_question(module: Module) -> None:
    bench = Workbench(module)
    rewriter = bench.rewriter(())
    bench.max_rewrites = 7
    assert bench.rewriter(()) is not rewriter


def test_what_is_known_counts_as_much_as_what_is_new(module: Module) -> None:
    bench = Workbench(module)
    s = bench.constant("s", term_of(module, "a").sort)
    same = bench.connectives.equal(s, term_of(module, "a"))
    counts = []
    for _ in range(2):
        bench.reductions = 0
        assumed = Assumptions(bench).assuming([Assumed(same, True)])
        assert assumed.reduce(term_of(module, "p", s)) is bench.connectives.true
        counts.append(bench.reductions)
    assert counts[0] == counts[1] > 0


def test_all_is_forgotten_when_it_is_much(module: Module, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(normal_forms, "MAX_FORMS", 2)
    monkeypatch.setattr(normal_forms, "MAX_REWRITERS", 2)
    bench = Workbench(module)
    a, b = term_of(module, "a"), term_of(module, "b")
    constants = [bench.constant(f"s{number}", a.sort) for number in range(6)]
    for _ in range(2):
        for value, image in ((a, b), (b, a)):
            for constant in constants:
                rewriter = bench.rewriter([Equation(constant, value)])
                assert bench.reduce(rewriter, term_of(module, "f", constant)) is image


def test_terms_of_a_ring_that_was_left_are_not_answers(module: Module, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Workbench(module)
    s, t = (bench.constant(name, term_of(module, "a").sort) for name in "st")
    both = bench.connectives.symbol(Builtin.AND).make((term_of(module, "p", s), term_of(module, "p", t)))
    rewriter = bench.rewriter(())
    old = bench.reduce(rewriter, both)
    assert bench.reduce(rewriter, both) is old
    monkeypatch.setattr(booleans, "LARGE_RING", 0)
    bench.reduce(rewriter, term_of(module, "f", s))  # it begins with a new ring
    assert bench.reduce(rewriter, both) is not old
