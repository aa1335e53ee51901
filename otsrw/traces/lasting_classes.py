"""Whether classes of counterexamples last: whether their constraints are sufficient for longer traces, too.

A class that was found within a bound lasts if no longer trace satisfies its constraint and the property. Classes still
cover all counterexamples if none of the longer ones is outside of all of them. In a system all of whose states are
known both are decided for traces of any length: there are only so many states and states of the matchers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from otsrw.records import dataclass, replace
from otsrw.traces.bounded import BoundedTraces
from otsrw.traces.constraints import TraceConstraint
from otsrw.traces.explicit import ExplicitEngine, OutOfNodes
from otsrw.traces.lts import Lts, Path

ANY_LENGTH = 1 << 40
"""A bound that no search reaches: each ends when there is no new node."""
MOST_NODES = 500_000


@dataclass(frozen=True, slots=True)
class ClassLasts:
    """Whether a class lasts, with a longer trace that has its facts and satisfies the property if it does not.

    It is None if that was too much work to find out.
    """

    lasts: bool | None
    satisfying: Path | None = None


@dataclass(frozen=True, eq=False, slots=True)
class LastingClasses:
    """What was found for longer traces; paths are those of `lts`."""

    lts: Lts
    bound: int | None
    """The number of steps that was tried; None if traces of any length were."""
    answers: tuple[ClassLasts, ...]
    covers: ClassLasts
    """Whether each longer counterexample is in some class, with one that is in none if not."""

    def only(self, numbers: Sequence[int]) -> LastingClasses:
        """The answers for some of the classes; all of them cover what they cover."""
        return replace(self, answers=tuple(self.answers[number] for number in numbers))


def lasting_classes(
    traces: BoundedTraces,
    constraints: Sequence[TraceConstraint],
    system_path: Callable[[Path], Path],
    lts: Lts,
    most_nodes: int = MOST_NODES,
) -> LastingClasses:
    """Try constraints on the traces up to a larger bound."""
    engine = ExplicitEngine(traces, most_nodes)

    def tried(violating: bool, inside: Sequence[TraceConstraint], outside: Sequence[TraceConstraint]) -> ClassLasts:
        try:
            path = engine.find(violating, inside, outside)
        except OutOfNodes:
            return ClassLasts(None)
        return ClassLasts(True) if path is None else ClassLasts(False, system_path(path))

    answers = tuple(tried(False, [constraint], []) for constraint in constraints)
    bound = None if traces.bound >= ANY_LENGTH else traces.bound
    return LastingClasses(lts, bound, answers, tried(True, [], constraints))
