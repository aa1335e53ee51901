"""A run of an OTS: states and actions from an initial state on, computed or replayed with the rewriting engine."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from otsrw.display import Displayed
from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant
from otsrw.ots.stepping import Action, Bindings, State, Stepper, Values
from otsrw.records import dataclass
from otsrw.theory.terms import Term


class ReplayMismatch(Exception):
    """Another engine claims a step that the equations do not allow: a defect of otsrw."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Run(Displayed):
    """`actions[i]` leads from `states[i]` to `states[i + 1]`; `violation` instantiates the invariant at the end."""

    instance: Instance
    states: tuple[State, ...]
    actions: tuple[Action, ...]
    violation: tuple[tuple[Term, Term], ...] = ()


def replay(
    stepper: Stepper,
    steps: Sequence[tuple[str | None, Values]],
    invariant: Invariant | None = None,
    by_first: bool = False,
) -> Run:
    """The run through the given values, every step checked; with an invariant, that it is violated at the end.

    Several transitions may lead from a state to the next one, and Maude names any of them: of its rules the one that
    comes first in memory. With `by_first` a step is told by the first of them in the order of the specification.
    """
    start = next((s for s in stepper.initial_states() if s.values == steps[0][1]), None)
    if start is None:
        raise ReplayMismatch("the trace does not begin in an initial state")
    states, actions = [start], []
    for name, values in steps[1:]:
        assert name is not None
        action, after = _step(stepper, states[-1], name, values, by_first)
        actions.append(action)
        states.append(after)
    violation: Bindings = {}
    if invariant is not None:
        found = next(stepper.violations(invariant, states[-1]), None)
        if found is None:
            raise ReplayMismatch(f"{invariant.name} is not violated where the trace ends")
        violation = found
    shown = tuple((v, violation[v]) for v in (invariant.parameters if invariant else ()) if v in violation)
    return Run(stepper.instance, tuple(states), tuple(actions), shown)


def _step(stepper: Stepper, state: State, name: str, values: Values, by_first: bool) -> tuple[Action, State]:
    named = stepper.ots.transitions_named(name)
    earlier = takewhile(lambda transition: transition not in named, stepper.ots.transitions) if by_first else ()
    for transition in (*earlier, *named):
        for action in stepper.actions(transition, state):
            after = stepper.apply(action, state)
            if after.values == values:
                return action, after
    raise ReplayMismatch(f"no instance of {name} leads to the next state of the trace")
