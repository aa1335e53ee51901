"""Which predicates are true exactly of the elements of a list, and in which states a list has an element."""

from __future__ import annotations

import pytest
from specifications import instance_of, ots_of

from otsrw.induction.columns import Columns
from otsrw.ots.binding import Theory
from otsrw.reasoning.list_membership import list_shape
from otsrw.theory.terms import Symbol, Term

SYSTEM = """
mod* ELT {{ [Elt] }}
mod! LIST {{ pr(ELT) [List]
  op nil : -> List {{constr}}  op end : -> List {{constr}}  op _|_ : Elt List -> List {{constr}}
  op put : List Elt -> List  op _in_ : Elt List -> Bool  vars E F G : Elt  vars K L : List
  eq put(nil, E) = E | nil .  eq put(end, E) = E | nil .  eq put(F | L, E) = F | put(L, E) .
  {equations} }}
mod* M {{ pr(LIST) *[Sys]* op init : -> Sys bop n : Sys -> List bop go : Sys Elt -> Sys var S : Sys var E : Elt
  eq n(init) = nil . eq n(go(S, E)) = E | n(S) . }}
"""
ENDS = "eq E in nil = false . eq E in end = false ."


def theory_and_predicate(equations: str) -> tuple[Theory, Symbol]:
    instance = instance_of(ots_of(SYSTEM.format(equations=equations)), {"Elt": ["e1", "e2"]})
    symbol = next(symbol for symbol in instance.module.signature.symbols() if symbol.name == "_in_")
    return Theory(instance), symbol


@pytest.mark.parametrize(
    ("equations", "is_told"),
    [
        (f"{ENDS} eq E in (F | L) = (E = F) or (E in L) .", True),
        (f"{ENDS} eq E in (F | L) = if E = F then true else E in L fi .", True),
        (f"{ENDS} eq E in (F | L) = (E = F) or (E in L) . eq E in put(L, F) = (E = F) or (E in L) .", True),
        (f"{ENDS} eq E in (F | L) = (E = F) .", False),
        ("eq E in L = false . eq E in (F | L) = (E = F) or (E in L) .", False),
        ("ceq E in nil = false if not (E = E) . eq E in (F | L) = (E = F) or (E in L) .", False),
        (f"{ENDS} eq E in (F | L) = E in L .", False),
        (f"{ENDS} eq E in (F | L) = (E = F) and (E in L) .", False),
        (f"{ENDS} ceq E in (F | L) = (E = F) or (E in L) if not (L = nil) .", False),
        (f"{ENDS} eq E in (F | nil) = (E = F) . eq E in (F | (G | L)) = (E = F) or (E in (G | L)) .", False),
        (f"{ENDS} eq E in (E | L) = true . ceq E in (F | L) = E in L if not (E = F) .", False),
    ],
)
def test_a_predicate_is_true_of_the_elements_of_lists_and_of_nothing_else(equations: str, is_told: bool) -> None:
    theory, symbol = theory_and_predicate(equations)
    assert theory.is_membership(symbol, 0, 1)
    assert (list_shape(theory, symbol, 0, 1) is not None) is is_told


def test_the_elements_of_a_list_are_told_if_its_end_is_known() -> None:
    theory, symbol = theory_and_predicate("eq E in nil = false . eq E in (F | L) = (E = F) or (E in L) .")
    shape = list_shape(theory, symbol, 0, 1)
    assert shape is not None

    def made(name: str, *args: Term) -> Term:
        return next(s for s in theory.symbols if s.name == name and s.nargs == len(args)).make(args)

    one, two = made("e1"), made("e2")
    assert shape.elements(made("_|_", one, made("_|_", two, made("_|_", one, made("nil"))))) == [one, two]
    assert shape.elements(made("nil")) == []
    assert shape.elements(made("_|_", one, made("end"))) is None  # no equation says what is in `end`


def test_membership_is_evaluated_in_many_states_without_rewriting() -> None:
    equations = f"{ENDS} eq E in (F | L) = (E = F) or (E in L) ."
    ots = ots_of(SYSTEM.format(equations=equations))
    instance = instance_of(ots, {"Elt": ["e1", "e2"]})
    symbols = {symbol.name: symbol for symbol in instance.module.signature.symbols()}
    nil, joined = symbols["nil"].make(()), symbols["_|_"]
    elements = [symbols[name].make(()) for name in ("e1", "e2")]
    lists = [nil, *(joined.make((each, nil)) for each in elements)]
    lists += [joined.make((each, rest)) for each in elements for rest in lists[1:]]
    columns = Columns(instance, [(each,) for each in lists])
    observed = symbols["n"].make((instance.ots.state,))
    for element in elements:
        atom = symbols["_in_"].make((element, observed))
        expected = [instance.normal_form(symbols["_in_"].make((element, each))) for each in lists]
        found = columns.truth(atom).holds
        assert [bool(found >> place & 1) for place in range(len(lists))] == [
            value is instance.connectives.true for value in expected
        ]
    assert columns.computed <= len(elements)
