"""The cases that an induction case begins with: the transition is not effective, or it is."""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.induction.cases import InductionCase
from otsrw.induction.memberships import Memberships
from otsrw.ots.effects import mentioned
from otsrw.ots.formulas import unfold
from otsrw.ots.model import Ots, Transition
from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.workbench import Equation
from otsrw.theory.builtins import Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Term, subterms


class EffectiveConditions:
    """Assumes effective conditions, or that they do not hold."""

    def __init__(self, ots: Ots, connectives: Connectives, memberships: Memberships) -> None:
        self.ots = ots
        self.connectives = connectives
        self.memberships = memberships

    def starts(self, case: InductionCase, transition: Transition) -> Iterator[Assumptions]:
        """The assumptions to begin with; nothing is assumed of a transition that is always effective."""
        nothing = Assumptions(case.bench)
        if transition.condition is None:
            yield nothing
            return
        bindings = {self.ots.state: case.state, **dict(zip(transition.parameters, case.arguments, strict=True))}
        condition = substitute(transition.condition, bindings)
        idle = self._idle(case, transition, condition)
        yield idle if idle is not None else nothing.assuming([Assumed(unfold(condition, self.ots), False)])
        yield nothing.assuming(self._effective(case, transition, unfold(condition, self.ots)))

    def _idle(self, case: InductionCase, transition: Transition, condition: Term) -> Assumptions | None:
        """One case for all ways of not being effective, if the condition is an operator of its own."""
        assert transition.condition is not None
        if transition.condition.op not in self.ots.definitions:
            return None
        idle = Assumptions(case.bench, (Equation(condition, self.connectives.false),))
        return idle if idle.reduce(case.goal) is self.connectives.true else None

    def _effective(self, case: InductionCase, transition: Transition, condition: Term) -> list[Assumed]:
        conjuncts = list(conjuncts_of(condition))
        used = self._used(transition, case, conjuncts)
        assumed: list[Assumed] = []
        for conjunct in conjuncts:
            members = self.memberships.said_by(conjunct, case, used)
            if members is None:
                assumed.append(Assumed(conjunct, True))
            else:
                assumed.append(Assumed(conjunct, True, is_condition=True))
                assumed += [Assumed(member, True) for member in members]
        return assumed

    def _used(self, transition: Transition, case: InductionCase, conjuncts: list[Term]) -> dict[Term, int]:
        """How often each argument matters: in conjuncts, and in what the transition does."""
        assert transition.condition is not None
        clauses = self.connectives.clauses(unfold(transition.condition, self.ots))
        image = dict(zip(transition.parameters, case.arguments, strict=True))
        found: dict[Term, int] = {}
        for clause in clauses:
            for var in mentioned(self.ots, self.connectives, transition, clause):
                if var in image:
                    found[image[var]] = 2
        for conjunct in conjuncts:
            for argument in case.arguments:
                if argument in subterms(conjunct):
                    found[argument] = found.get(argument, 0) + 1
        return found


def conjuncts_of(term: Term) -> Iterator[Term]:
    """The parts of a conjunction; the formula itself if it is none."""
    if term.op.native in (Builtin.AND, Builtin.AND_ALSO, Builtin.CONJUNCTION):
        for arg in term.args:
            yield from conjuncts_of(arg)
    else:
        yield term
