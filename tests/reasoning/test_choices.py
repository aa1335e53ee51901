"""Conditionals between truth values as connectives."""

from __future__ import annotations

from itertools import product

import pytest
from support import session_of

from otsrw.reasoning.connectives import Connectives
from otsrw.theory.terms import Term

FORMULAS = [
    *(f"if p then {x} else {y} fi" for x, y in product(("true", "false", "q", "(not p)"), repeat=2)),
    "(r and p) implies (if q then (if p then false else r fi) else true fi)",
]


def value(term: Term, known: dict[str, bool]) -> bool:
    """The value of a formula, computed here."""
    args = [value(arg, known) for arg in term.args]
    match term.op.name:
        case "_and_":
            return all(args)
        case "_or_":
            return any(args)
        case "not_":
            return not args[0]
        case "_implies_":
            return not args[0] or args[1]
        case "if_then_else_fi":
            return args[1] if args[0] else args[2]
        case name:
            return known.get(name, name == "true")


@pytest.mark.parametrize("text", FORMULAS)
def test_the_formula_means_the_same_and_has_no_conditional(text: str) -> None:
    equation = f"mod* M {{ ops p q r s : -> Bool eq s = {text} . }}"
    module = session_of(equation).library.modules["M"]
    formula = module.axioms[0].rhs
    plain = Connectives(module.signature).without_choices(formula)
    assert "if_then" not in str({part.op.name for part in _parts(plain)})
    for chosen in product((False, True), repeat=3):
        known = dict(zip("pqr", chosen, strict=True))
        assert value(plain, known) == value(formula, known)


def _parts(term: Term) -> list[Term]:
    return [term, *(part for arg in term.args for part in _parts(arg))]
