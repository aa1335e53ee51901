"""From a formula to an automaton that reads positions of a run.

A state is the set of formulas that hold from the next position on. A step takes a formula apart into what must be true
now and what is left for later; `a U b` may be put off, and a run is accepted if nothing is put off for ever: for each
`until` infinitely many steps carry its mark. (J.-M. Couvreur, *On-the-fly verification of linear temporal logic*.)
"""

from __future__ import annotations

from functools import cached_property

from otsrw.records import dataclass
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.traces.ltl import Atom, Formula

Obligations = frozenset[Formula]
MAX_STATES = 2_000
MAX_BRANCHES = 20_000


@dataclass(frozen=True, slots=True)
class Branch:
    """One way to meet obligations at a position.

    `true` and `false` are the atoms that have to be true or false there, `put_off` the untils that are not fulfilled
    there (all three as bits), and `after` are the obligations for the next position.
    """

    true: int
    false: int
    after: Obligations
    put_off: int

    def is_weaker(self, other: Branch) -> bool:
        """Whether the other branch asks for everything that this one asks for."""
        return (
            not self.true & ~other.true
            and not self.false & ~other.false
            and not self.put_off & ~other.put_off
            and self.after <= other.after
        )


class FormulaAutomaton:
    """The automaton of a formula in normal form. States have numbers in the order they are found; 0 is the start."""

    def __init__(self, formula: Formula, atoms: tuple[Atom, ...]) -> None:
        self._bit = {atom: 1 << number for number, atom in enumerate(atoms)}
        self._untils = {until: 1 << number for number, until in enumerate(dict.fromkeys(_untils(formula)))}
        self.all_marks = (1 << len(self._untils)) - 1
        self._numbers: dict[Obligations, int] = {}
        self._states: list[Obligations] = []
        self._branches: list[list[tuple[int, int, int, int]] | None] = []
        self._steps: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
        self._number(frozenset([formula]))

    @cached_property
    def nothing_left(self) -> int:
        """The state without obligations: every run is accepted from there."""
        return self._number(frozenset())

    def steps(self, state: int, letter: int) -> tuple[tuple[int, int], ...]:
        """States after a position at which exactly the atoms of the letter are true, with the marks of the step."""
        key = (state, letter)
        found = self._steps.get(key)
        if found is None:
            branches = self._branches[state]
            if branches is None:
                branches = self._branches[state] = [
                    (b.true, b.false, self._number(b.after), self.all_marks & ~b.put_off)
                    for b in self._expanded(self._states[state])
                ]
            fitting = {(to, marks) for true, false, to, marks in branches if not true & ~letter and not false & letter}
            found = self._steps[key] = tuple(sorted(fitting))
        return found

    def obligations(self, state: int) -> Obligations:
        """The formulas that hold from the next position on."""
        return self._states[state]

    def least(self, states: frozenset[int]) -> frozenset[int]:
        """Some of these states that accept what all of them accept: those that owe no more than another one does."""
        kept: list[int] = []
        for state in sorted(states) if len(states) > 1 else states:
            owed = self._states[state]
            if not any(_all_implied(owed, self._states[other]) for other in kept):
                kept = [other for other in kept if not _all_implied(self._states[other], owed)]
                kept.append(state)
        return frozenset(kept)

    def _number(self, obligations: Obligations) -> int:
        number = self._numbers.get(obligations)
        if number is None:
            number = self._numbers[obligations] = len(self._states)
            self._states.append(obligations)
            self._branches.append(None)
            if number > MAX_STATES:
                raise BudgetExceeded("E401", f"the automaton of the formula has more than {MAX_STATES} states")
        return number

    def _expanded(self, obligations: Obligations) -> list[Branch]:
        """All ways to meet the obligations at a position, without those that ask for more than another way."""
        done: list[Branch] = []
        todo: list[tuple[tuple[Formula, ...], Branch]] = [(tuple(obligations), Branch(0, 0, frozenset(), 0))]
        for _ in range(MAX_BRANCHES):
            if not todo:
                return _weakest(done)
            formulas, branch = todo.pop()
            if formulas:
                todo += self._taken_apart(formulas[0], formulas[1:], branch)
            else:
                done.append(branch)
        raise BudgetExceeded("E401", "the formula has too many cases")

    def _taken_apart(
        self, formula: Formula, rest: tuple[Formula, ...], so_far: Branch
    ) -> list[tuple[tuple[Formula, ...], Branch]]:
        true, false, after, put_off = so_far.true, so_far.false, so_far.after, so_far.put_off
        parts = formula.parts
        match formula.op:
            case "true":
                return [(rest, so_far)]
            case "false":
                return []
            case "atom":
                assert formula.atom is not None
                bit = self._bit[formula.atom]
                return [] if false & bit else [(rest, Branch(true | bit, false, after, put_off))]
            case "not":
                assert parts[0].atom is not None
                bit = self._bit[parts[0].atom]
                return [] if true & bit else [(rest, Branch(true, false | bit, after, put_off))]
            case "and":
                return [((*parts, *rest), so_far)]
            case "or":
                return [((part, *rest), so_far) for part in parts]
            case "next":
                return [(rest, Branch(true, false, after | {parts[0]}, put_off))]
        later = Branch(true, false, after | {formula}, put_off | self._untils.get(formula, 0))
        left, right = parts
        if formula.op == "until":
            return [((right, *rest), so_far), ((left, *rest), later)]
        return [((left, right, *rest), so_far), ((right, *rest), later)]


def _all_implied(owed: Obligations, wanted: Obligations) -> bool:
    return all(_implied(owed, formula) for formula in wanted)


def _implied(owed: Obligations, formula: Formula) -> bool:
    """Whether obligations imply a formula, as far as its outermost operators show."""
    if formula in owed:
        return True
    match formula.op:
        case "until":
            return _implied(owed, formula.parts[1])
        case "or":
            return any(_implied(owed, part) for part in formula.parts)
        case "and":
            return all(_implied(owed, part) for part in formula.parts)
        case "release":
            return _implied(owed, formula.parts[0] & formula.parts[1])
    return False


def _untils(formula: Formula) -> list[Formula]:
    found = [formula] if formula.op == "until" else []
    for part in formula.parts:
        found += _untils(part)
    return found


def _weakest(branches: list[Branch]) -> list[Branch]:
    kept: list[Branch] = []
    for branch in dict.fromkeys(branches):
        if not any(other.is_weaker(branch) for other in kept):
            kept = [other for other in kept if not branch.is_weaker(other)]
            kept.append(branch)
    return kept
