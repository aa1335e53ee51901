"""What a transition does under one case of its effective condition: each observer's next value as one term."""

from __future__ import annotations

from collections.abc import Callable

from otsrw.ots.formulas import unfold
from otsrw.ots.model import Effect, Ots, Transition
from otsrw.reasoning.connectives import Connectives, DnfClause
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Term, variables_of

Known = Callable[[Term], Term | None]


def knowing(connectives: Connectives, clause: DnfClause) -> Known:
    """The truth of the atoms that a clause decides."""
    truth = {literal.atom: connectives.true if literal.positive else connectives.false for literal in clause}
    return truth.get


def next_value(ots: Ots, connectives: Connectives, transition: Transition, effect: Effect, known: Known) -> Term:
    """The observer's value after the transition; a case left open is the unevaluated observation itself."""
    after = transition.operator.apply(ots.state, transition.parameters)
    undefined = effect.observer.apply(after, effect.indexes)
    decided: dict[Term, Term] = {}

    def known_so_far(term: Term) -> Term | None:
        return decided.get(term) or known(term)

    chain: list[tuple[Term, Term]] = []
    last = undefined
    for case in effect.cases:
        guard = connectives.true if case.guard is None else unfold(case.guard, ots)
        guard = connectives.simplified(guard, known_so_far)
        if guard is connectives.false:
            continue
        value = connectives.simplified(unfold(case.value, ots), known)
        if guard is connectives.true:
            last = value
            break
        chain.append((guard, value))
        inner = guard.args[0] if guard.op.native is Builtin.NOT else guard
        decided[inner] = connectives.true if inner is not guard else connectives.false
    for guard, value in reversed(chain):
        last = connectives.choose(guard, value, last)
    return last


def mentioned(ots: Ots, connectives: Connectives, transition: Transition, clause: DnfClause) -> set[Term]:
    """The variables that the next values depend on."""
    known = knowing(connectives, clause)
    found: set[Term] = set()
    for effect in transition.effects:
        value = next_value(ots, connectives, transition, effect, known)
        if not _is_undefined(value, effect):
            found.update(variables_of(value))
    return found


def _is_undefined(value: Term, effect: Effect) -> bool:
    return value.op is effect.observer.symbol and not effect.observer.state_of(value).op.variable
