"""All states within some steps, with the steps between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from otsrw.ots.instance import Instance
from otsrw.ots.stepping import Action, Stepper, Values
from otsrw.theory.terms import Term


@dataclass(frozen=True, eq=False)
class StateGraph:
    """States in the order of their discovery; the first `expanded` of them with all their effective steps.

    A step that changes nothing is a step, too. `cut` says that the number of states ended the search, not the depth.
    """

    instance: Instance
    states: list[Values] = field(default_factory=list)
    initial: list[int] = field(default_factory=list)
    steps: list[tuple[int, Action, int]] = field(default_factory=list)
    bad: set[int] = field(default_factory=set)
    """States in which the invariant is false for some values."""
    depth: int = 0
    expanded: int = 0
    cut: bool = False

    @cached_property
    def histories(self) -> list[Term]:
        """A term of the state sort for each state, along the steps by which it was discovered."""
        starts = {state.values: state.history for state in Stepper(self.instance).initial_states()}
        found: dict[int, Term] = {number: starts[self.states[number]] for number in self.initial}
        for source, action, target in self.steps:
            if target not in found:
                found[target] = action.after(found[source])
        return [found[number] for number in range(len(self.states))]
