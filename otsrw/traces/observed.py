"""Runs of an OTS as traces."""

from __future__ import annotations

from otsrw.ots.run import Run
from otsrw.ots.stepping import Action
from otsrw.theory.printing import show
from otsrw.theory.terms import Literal, Term
from otsrw.traces.trace import Label, Trace, Value


def trace_of(run: Run) -> Trace:
    """What people and programs see of a run: labels and observers."""
    names = [slot.name for slot in run.instance.slots]
    labels: list[Label | None] = [None, *map(label_of, run.actions)]
    observers = [dict(zip(names, map(value_of, state.values), strict=True)) for state in run.states]
    return Trace.of(zip(labels, observers, strict=True), None, names)


def label_of(action: Action) -> Label:
    return Label(action.transition.name, tuple("_" if a is None else show(a) for a in action.arguments))


def value_of(term: Term) -> Value:
    """Numbers and truth values as themselves, other terms as text."""
    if isinstance(term, Literal) and isinstance(term.value, int):
        return term.value
    if term.sort.name == "Bool" and term.op.name in ("true", "false") and not term.args:
        return term.op.name == "true"
    return show(term)
