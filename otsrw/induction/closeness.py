"""How far a lemma is from being violated: which steps make its literals true that are false in the best kept state.

Which steps make a literal true is guessed as if values once seen were never lost (see relaxation.py); those whose
effect is there already are not counted. That a fresh value, such as the next random number, is part of another
observed value may never become true; it counts as far away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from otsrw.induction.bulk import TooManyGroups
from otsrw.induction.clauses import Clause
from otsrw.induction.conjunctions import CannotTell, Conjunctions
from otsrw.induction.relaxation import RelaxedFact, RelaxedSteps, fresh_observers
from otsrw.ots.binding import Enumerate, Plan, Test
from otsrw.ots.stepping import Bindings, Values
from otsrw.reasoning.connectives import Literal
from otsrw.records import NamedTuple
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Symbol, subterms, variables_of

MAX_TRIED = 600
"""Values of variables that are tried for one lemma."""
IMPOSSIBLE = 1000
"""The distance of a lemma that no values of this instance violate."""
LONGEST = 60
"""Steps that are counted at most."""
MAX_WAYS = 300
"""Sets of steps that are told apart."""

UNSEEN = 4
"""What a literal costs that no step leads to, and one about a fresh value."""

_ANY = 1
"""A step that may be any: another one that is needed may do."""

_Needed = dict[int, int]
"""Sets of steps, one bit for each, and the states from which they are needed."""


def length(steps: int) -> int:
    """How many steps a set has; the lowest bit stands for any step, which others of the set may be."""
    return max((steps >> 1).bit_count(), steps & _ANY)


class NearStates(NamedTuple):
    """How many steps a violation is away, and the states from which it is."""

    distance: int
    states: int


class Closeness:
    """Measures lemmas in the states of an instance."""

    def __init__(self, conjunctions: Conjunctions, relaxed: RelaxedSteps, fresh: frozenset[Symbol]) -> None:
        self.conjunctions = conjunctions
        self.relaxed = relaxed
        self._instance = conjunctions.instance
        self._fresh = fresh
        self._where: dict[RelaxedFact, int] = {}

    @classmethod
    def from_initial(cls, conjunctions: Conjunctions, initial: Iterable[Values]) -> Closeness:
        """Measures as if the steps of the instance were taken from its initial states on."""
        instance = conjunctions.instance
        return cls(conjunctions, RelaxedSteps(instance, initial), fresh_observers(instance, conjunctions.states))

    def among(self, states: Sequence[Values]) -> Closeness:
        """The same for other states of the instance."""
        return Closeness(self.conjunctions.among(states), self.relaxed, self._fresh)

    def distance(self, clause: Clause) -> int:
        """How many steps a violation is away, as far as that can be guessed; 0 if there is one in the states."""
        return self.nearest(clause).distance

    def nearest(self, clause: Clause) -> NearStates:
        """The states that are closest to a violation, or some of them."""
        literals = [self.conjunctions.translated(literal) for literal in clause.literals]
        fresh = [literal for literal in literals if self._is_about_fresh(literal) or _shares_out(literal)]
        rest = [literal for literal in literals if literal not in fresh]
        found = _Nearest(self, rest).found()
        return NearStates(UNSEEN * len(fresh) + found.distance, found.states)

    def where(self, fact: RelaxedFact) -> int:
        """The states in which a fact holds."""
        found = self._where.get(fact)
        if found is None:
            found = 0
            for slot in self._instance.slots:
                at = self.relaxed.shaped(slot.observer.symbol, slot.indexes, self._instance.connectives.true)
                if slot.observer.symbol is fact.observer and at.indexes_fit(fact):
                    observed = slot.observer.apply(self._instance.ots.state, slot.indexes)
                    for part, states in self.conjunctions.solver.columns.members(observed, None).all():
                        if part.op is fact.constructor:
                            shaped = self.relaxed.shaped(slot.observer.symbol, slot.indexes, part)
                            found |= states if shaped.fits(fact) else 0
            self._where[fact] = found
        return found

    def _is_about_fresh(self, literal: Literal) -> bool:
        """Does the literal say that a fresh value is part of something observed?"""
        if not literal.positive or len(literal.atom.args) != 2 or not self._fresh:
            return False
        observed = [arg for arg in literal.atom.args if self._instance.ots.observer(arg.op) is not None]
        others = [arg for arg in literal.atom.args if arg not in observed]
        return bool(observed) and any(part.op in self._fresh for other in others for part in subterms(other))


class _Nearest:
    """Looks for the state, and for values, from which fewest steps make some literals true."""

    def __init__(self, closeness: Closeness, literals: list[Literal]) -> None:
        self._closeness = closeness
        self._conjunctions = closeness.conjunctions
        self._columns = closeness.conjunctions.solver.columns
        self._literals = literals
        self._tried = 0
        self._states = 0
        """Those from which fewest steps are needed."""
        self._best = UNSEEN * len(literals) + LONGEST

    def found(self) -> NearStates:
        """What cannot be true of the entities there are is as far away as can be."""
        self._look(tuple(self._literals), {}, {0: self._columns.all})
        is_known = self._states or self._tried > MAX_TRIED
        return NearStates(self._best if is_known else IMPOSSIBLE, self._states)

    def _look(self, literals: tuple[Literal, ...], bound: Bindings, needed: _Needed) -> None:
        """Literals whose variables have values are tested; the others give values to theirs, or are to become true."""
        self._tried += 1
        left: list[Literal] = []
        for literal in literals:
            if all(v in bound or v is self._conjunctions.instance.ots.state for v in variables_of(literal.atom)):
                needed = self._tested(literal, bound, needed)
            else:
                left.append(literal)
        needed = {steps: states for steps, states in needed.items() if length(steps) < self._best}
        if not needed or self._tried > MAX_TRIED:
            return
        if not left:
            self._best = min(length(steps) for steps in needed)
            self._states = 0
            for steps, states in needed.items():
                self._states |= states if length(steps) == self._best else 0
            return
        plans = [(self._conjunctions.plan(literal, frozenset(bound)), literal) for literal in left]
        ready = [(plan, literal) for plan, literal in plans if not plan.unbound]
        if ready:
            self._choose(min(ready, key=lambda each: (_lists(each[0]), not each[1].positive)), left, bound, needed)
        else:
            self._give_up(left, bound, needed)

    def _choose(self, chosen: tuple[Plan, Literal], literals: list[Literal], bound: Bindings, needed: _Needed) -> None:
        plan, literal = chosen
        rest = tuple(other for other in literals if other is not literal)
        if _lists(plan):
            rest = (*rest, literal)
        steps = tuple(step for step in plan.steps if isinstance(step, Enumerate)) if _lists(plan) else plan.steps
        reachable = 0
        for states in needed.values():
            reachable |= states
        try:
            for found, where in self._conjunctions.solver.solutions(steps, bound, reachable):
                if self._tried > MAX_TRIED:
                    return
                self._look(rest, found, _within(needed, where))
        except BudgetExceeded:
            raise
        except (OtsrwError, TooManyGroups, CannotTell):
            pass
        if not _lists(plan):
            self._give_up([literal], bound, needed, rest)

    def _give_up(
        self, literals: list[Literal], bound: Bindings, needed: _Needed, rest: tuple[Literal, ...] = ()
    ) -> None:
        """Go on as if these literals were to become true; nothing is needed for a negative one about any value."""
        for literal in literals:
            needed = self._made_true(literal, bound, needed) if literal.positive else needed
        self._look(rest, bound, needed)

    def _tested(self, literal: Literal, bound: Bindings, needed: _Needed) -> _Needed:
        try:
            truth = self._columns.truth(substitute(literal.atom, bound))
            holds = truth.holds if literal.positive else self._columns.all & ~(truth.holds | truth.undefined)
        except BudgetExceeded:
            raise
        except OtsrwError:
            holds = 0
        if self._conjunctions.instance.ots.state not in variables_of(literal.atom):
            return _within(needed, holds)  # no step changes what values are
        return _merged(_within(needed, holds), self._made_true(literal, bound, _within(needed, ~holds)))

    # --- what makes a literal true

    def _made_true(self, literal: Literal, bound: Bindings, needed: _Needed) -> _Needed:
        """What is needed if a literal is false in these states."""
        if not needed:
            return needed
        said = Literal(substitute(literal.atom, bound), literal.positive)
        ways = self._closeness.relaxed.ways(self._closeness.relaxed.facts(said))
        if ways:
            return self._taken(ways, needed)
        if literal.positive or self._closeness.relaxed.is_lost(said):
            return self._far(needed, self._literals.index(literal))
        return _merged({steps | _ANY: states for steps, states in needed.items()}, {})

    def _far(self, needed: _Needed, place: int) -> _Needed:
        """What is needed if steps have to be taken that nobody knows; those of each place are different ones."""
        unknown = ((1 << UNSEEN) - 1) << (1 + len(self._closeness.relaxed.steps) + UNSEEN * place)
        return _merged({}, {steps | unknown: states for steps, states in needed.items()})

    def _taken(self, ways: list[int], needed: _Needed) -> _Needed:
        """What is needed if one of these steps has to be taken."""
        found: _Needed = {}
        for number in ways:
            bit = 2 << number
            known = {steps: states for steps, states in needed.items() if steps & bit}
            after = {steps | bit: states for steps, states in needed.items() if not steps & bit}
            for need in self._closeness.relaxed.steps[number].needs:
                holds = self._closeness.where(need)
                missing = _within(after, ~holds)
                if missing:
                    further = self._closeness.relaxed.ways([need])[:2]
                    led = self._taken(further, missing) if further else self._far(missing, len(self._literals))
                    after = _merged(_within(after, holds), led)
            found = _merged(found, _merged(known, after))
        return {steps: states for steps, states in found.items() if length(steps) < self._best}


def _merged(some: _Needed, others: _Needed) -> _Needed:
    """What is needed in either; if there are too many ways, the shorter ones."""
    found = dict(some)
    for steps, states in others.items():
        found[steps] = found.get(steps, 0) | states
    if len(found) > MAX_WAYS:
        return {each: found[each] for each in sorted(found, key=length)[:MAX_WAYS]}
    return found


def _within(needed: _Needed, where: int) -> _Needed:
    return {steps: states & where for steps, states in needed.items() if states & where}


def _lists(plan: Plan) -> bool:
    """Does the plan try all entities, and nothing else?"""
    return all(isinstance(step, Enumerate | Test) for step in plan.steps)


def _shares_out(literal: Literal) -> bool:
    """Does the literal compare two collections that are both written as several parts?"""
    return literal.positive and len(literal.atom.args) == 2 and all(arg.op.assoc for arg in literal.atom.args)
