"""Frame equations: what a transition does not change. Most equations of an OTS are of this kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from otsrw.ots.model import Effect, Ots, Transition
from otsrw.theory.printing import show_plainly
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term, variable

DeclaredVariables = Mapping[str, Sequence[str]]
"""Names of the variables that a module declares, by the name of their sort."""


def missing_frames(ots: Ots) -> Iterator[tuple[Transition, Effect]]:
    """Every transition with an observer that no equation defines after it."""
    for transition in ots.transitions:
        for effect in transition.effects:
            if not effect.cases:
                yield transition, effect


def frame_equation(ots: Ots, transition: Transition, effect: Effect, declared: DeclaredVariables | None = None) -> str:
    """The equation that says that a transition does not change an observer.

    Variables that the module declares are used if they are told; others are declared where they stand, `I:Pid`. If
    nothing is told, all are written as if they were declared.
    """
    naming = _Naming(declared)
    state = naming.fresh(ots.sort, "S")
    indexes = tuple(naming.fresh(sort, "I") for sort in effect.observer.indexes)
    parameters = tuple(naming.fresh(p.sort, p.op.name) for p in transition.parameters)
    after = effect.observer.apply(transition.operator.apply(state, parameters), indexes)
    return f"eq {show_plainly(after)} = {show_plainly(effect.observer.apply(state, indexes))} ."


class _Naming:
    """Gives each variable of an equation a name of its own."""

    def __init__(self, declared: DeclaredVariables | None) -> None:
        self._declared = declared
        self._taken: set[str] = set()

    def fresh(self, sort: Sort, wanted: str) -> Term:
        known = () if self._declared is None else self._declared.get(sort.name, ())
        free = [name for name in known if name not in self._taken]
        if free:
            name = wanted if wanted in free else free[0]
            self._taken.add(name)
            return variable(name, sort)
        everywhere = {name for names in (self._declared or {}).values() for name in names}
        spelled = [wanted, *(f"{wanted}{number}" for number in range(1, 100))]
        name = next(word for word in spelled if word not in self._taken and word not in everywhere)
        self._taken.add(name)
        return variable(name if self._declared is None else f"{name}:{sort.name}", sort)
