"""Binding plans miss nothing: on small states they find what trying every part of the state as an argument finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import pytest
from specifications import instance_of, ots_of_file

from otsrw.ots import Instance, State, Stepper, Transition
from otsrw.ots.stepping import Values
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term

_SPECS = (
    "nspk.cafe",
    "nspk-literal.cafe",
    "iff.cafe",
    "otway-rees.cafe",
    "needham-schroeder-symmetric.cafe",
    "abp.cafe",
    "two-phase-commit.cafe",
    "hotel.cafe",
    "ticket.cafe",
)


def parts(value: Term) -> Iterator[Term]:
    """Subterms, and what is left of a collection without some of its elements."""
    yield value
    if value.op.assoc:
        for size in range(2, len(value.args)):
            for chosen in combinations(value.args, size):
                yield value.op.make(chosen)
    for arg in value.args:
        yield from parts(arg)


def candidates(instance: Instance, state: State, sort: Sort) -> list[Term]:
    order = instance.module.signature.order
    found: dict[Term, None] = dict.fromkeys(instance.domain(sort) or ())
    for value in state.values:
        found.update(dict.fromkeys(parts(value)))
    for symbol in instance.module.signature.symbols():
        if symbol.identity is not None:
            found[symbol.identity] = None
    return [term for term in found if order.leq(term.sort, sort)]


def targets_by_brute_force(stepper: Stepper, transition: Transition, state: State) -> set[Values]:
    instance = stepper.instance
    found = set()
    domains = [candidates(instance, state, p.sort) for p in transition.parameters]
    for arguments in product(*domains):
        given = {stepper.ots.state: state.history, **dict(zip(transition.parameters, arguments, strict=True))}
        holds = instance.connectives.true
        if transition.condition is not None:
            holds = instance.normal_form(substitute(transition.condition, given))
        assert holds in (instance.connectives.true, instance.connectives.false)
        if holds is instance.connectives.true:
            found.add(stepper.observe(transition.operator.apply(state.history, arguments)).values)
    return found


@pytest.mark.parametrize("name", _SPECS)
def test_plans_find_every_successor(name: str) -> None:
    stepper = Stepper(instance_of(ots_of_file(name)))
    states = stepper.initial_states()[:1]
    for _ in range(3):
        level = {after.values: after for _, after in stepper.successors(states[-1])}
        states += [after for number, after in enumerate(level.values()) if number % 3 == 0][:4]
    for state in states:
        for transition in stepper.ots.transitions:
            found = {stepper.apply(action, state).values for action in stepper.actions(transition, state)}
            assert found == targets_by_brute_force(stepper, transition, state), transition.name
