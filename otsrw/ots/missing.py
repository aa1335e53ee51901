"""What to say where a function has no value: which one, for which arguments, who needs it, and in which state.

A search stops there. To go on it would have to invent a value.
"""

from __future__ import annotations

from otsrw.ots.instance import Instance, Slot
from otsrw.ots.model import Invariant, Transition
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Span
from otsrw.theory.printing import show, show_briefly
from otsrw.theory.terms import Term

_LONGEST = 160
"""Characters of a state in a message."""


class StuckTerm(Exception):
    """The truth of a formula depends on a term that has no value; `value` is the normal form it is stuck at."""

    def __init__(self, value: Term) -> None:
        super().__init__(show_briefly(value))
        self.value = value


def undecided(instance: Instance, user: Transition | Invariant, stuck: StuckTerm, history: Term) -> OtsrwError:
    """An effective condition or an invariant that is neither true nor false in the state of a history."""
    who = f"{'the invariant' if isinstance(user, Invariant) else 'the effective condition of'} {user.name}"
    culprit = instance.values.culprit(stuck.value) or stuck.value
    place = f"in a state {_distance(instance, history)}" if _steps(instance, history) else "in an initial state"
    return OtsrwError(
        "E513",
        f"{show_briefly(culprit)} has no value, and {who} needs it {place} ({_described(instance, history)})",
        _span(culprit, user.span),
        _hint(culprit),
    )


def unobserved(instance: Instance, slot: Slot, history: Term, value: Term) -> OtsrwError:
    """An observer without a value in the state of a history."""
    culprit = instance.values.culprit(value)
    after = _distance(instance, history)
    if after:
        after += f", the last one {_last(instance, history)}"
    else:
        after = "in an initial state"
    if culprit is None or culprit.op is slot.observer.symbol:
        message = f"{slot.name} has no value {after}: no equation describes this case"
        return OtsrwError("E512", message, slot.observer.symbol.decls[0].span, "add an equation for this case")
    message = f"{show_briefly(culprit)} has no value, and {slot.name} needs it {after}"
    return OtsrwError("E512", message, _span(culprit, slot.observer.symbol.decls[0].span), _hint(culprit))


def _steps(instance: Instance, history: Term) -> list[Term]:
    """The applications of transitions in a history, the last one first."""
    places = {transition.operator.symbol: transition.operator for transition in instance.ots.transitions}
    found = []
    while history.op in places:
        found.append(history)
        history = places[history.op].state_of(history)
    return found


def _distance(instance: Instance, history: Term) -> str:
    count = len(_steps(instance, history))
    return f"after {count} step{'s' * (count > 1)}" if count else ""


def _last(instance: Instance, history: Term) -> str:
    """The last step with its arguments, without the state before it."""
    operator = next(t.operator for t in instance.ots.transitions if t.operator.symbol is history.op)
    arguments = ",".join(map(show, operator.indexes_of(history)))
    return f"{operator.name}({arguments})" if arguments else operator.name


def _described(instance: Instance, history: Term) -> str:
    """The observed values of a state, as many as fit."""
    shown: list[str] = []
    for slot in instance.slots:
        value = instance.normal_form(slot.observer.apply(history, slot.indexes))
        shown.append(f"{slot.name}: {show_briefly(value)}")
        if sum(map(len, shown)) > _LONGEST:
            return ", ".join([*shown[:-1], "..."])
    return ", ".join(shown)


def _span(culprit: Term, otherwise: Span) -> Span:
    """Where the function is declared; if it is built in, where it is used."""
    return culprit.op.decls[0].span if culprit.op.native is None and culprit.op.decls else otherwise


def _hint(culprit: Term) -> str:
    native = culprit.op.native
    if native is not None and native.undefined is not None:
        return f"{culprit.op.name} has no value {native.undefined}: guard it by a condition"
    if native is not None:
        return "an equation for this case is missing"
    return f"add 'eq {show_briefly(culprit)} = ... .', or ask for it only where it has a value; see 'otsrw check'"
