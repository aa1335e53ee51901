"""Transition rules: `exec`, and the search predicates `t =(n,m)=>* p`.

Breadth-first over normal forms: a state is rewritten by every transition rule at every position, each result is
normalised with the equations, and states seen before are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from otsrw.records import NamedTuple
from otsrw.rewriting.rules import Rule
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import LiteralTerm, Term, variables_of

if TYPE_CHECKING:
    from otsrw.rewriting.machine import Machine


class SearchNote(NamedTuple):
    """A solution found by a search predicate, or why the search ended (`state` is None)."""

    state: Term | None
    number: int
    bindings: tuple[tuple[Term, Term], ...]
    text: str = ""
    pattern: Term | None = None
    """What was looked for; None if `state` is None."""


class _Question(NamedTuple):
    start: Term
    pattern: Term
    condition: Term | None
    same_state: Term | None
    solutions: int | None
    depth: int | None
    ending: str  # '*', '+' or '!'
    assumed: Term | None = None
    """`... if CC suchThat ...`: transitions are taken whatever their condition, and CC stands for it."""


class _Found:
    """Counts solutions; `wanted` is how many are enough, None if all are to be found."""

    def __init__(self, wanted: int | None) -> None:
        self.wanted = wanted
        self.number = 0

    def add(self, is_solution: bool) -> bool:
        """Count a state if it is a solution; True if there are enough now."""
        self.number += is_solution
        return is_solution and self.number == self.wanted

    @property
    def text(self) -> str:
        return f"-- found required number of solutions {self.number}."


class Searcher:
    """Evaluates search predicates with the equations and transitions of a machine."""

    def __init__(self, machine: Machine, transitions: list[Rule], notes: list[SearchNote]) -> None:
        self.rulebase = machine.rulebase
        self.runtime = machine.runtime
        self.interpreter = machine.interpreter
        self.transitions = transitions
        self.notes = notes
        self._condition: Term | None = None
        """The condition of the transition taken last."""

    def evaluate(self, term: Term) -> Term:
        question = _read(term)
        found = self._search(question)
        result = self.rulebase.true if found else self.rulebase.false
        assert result is not None
        return result

    def _search(self, question: _Question) -> bool:
        """Look for solutions breadth first; with `assumed` a state is visited as often as it is reached."""
        start = self.runtime.normalise(question.start)
        seen: dict[Term, int] = {start: 0}
        found = _Found(question.solutions)
        if question.ending == "*" and found.add(self._solution(question, start, 0)):
            return self._ended(found.text, True)
        frontier = [start]
        depth = 0
        while frontier:
            if question.depth is not None and depth >= question.depth:
                if question.ending == "!" and depth and self._stuck(question, frontier, seen, found):
                    return self._ended(found.text, True)
                return self._ended(f"-- reached to the specified search depth {depth}.", found.number > 0)
            depth += 1
            following = self._expand(question, frontier, seen, found)
            if following is None:
                return self._ended(found.text, True)
            frontier = following
        return self._ended("** No more possible transitions.", found.number > 0)

    def _expand(
        self, question: _Question, frontier: list[Term], seen: dict[Term, int], found: _Found
    ) -> list[Term] | None:
        """The states one transition further; None if there are enough solutions."""
        following: list[Term] = []
        assume = question.assumed is not None
        for state in frontier:
            self.runtime.budget.check_time()
            moved = False
            for successor, condition in self._steps(state, assume):
                moved = True
                if not assume and (successor in seen or self._equivalent(question, successor, seen)):
                    continue
                seen.setdefault(successor, len(seen))
                following.append(successor)
                if question.ending != "!" and found.add(
                    self._solution(question, successor, seen[successor], condition)
                ):
                    return None
            is_start = seen[state] == 0
            if question.ending == "!" and not moved and not is_start:
                if found.add(self._solution(question, state, seen[state])):
                    return None
        return following

    def _stuck(self, question: _Question, states: list[Term], seen: dict[Term, int], found: _Found) -> bool:
        """Look for solutions among the states that have no transition; True if there are enough."""
        assume = question.assumed is not None
        for state in states:
            if next(self._steps(state, assume), None) is None:
                if found.add(self._solution(question, state, seen[state])):
                    return True
        return False

    def _ended(self, text: str, result: bool) -> bool:
        self.notes.append(SearchNote(None, 0, (), text))
        return result

    def _solution(self, question: _Question, state: Term, number: int, condition: Term | None = None) -> bool:
        known: dict[Term, Term] = {}
        if question.assumed is not None and condition is not None:
            known = {question.assumed: condition}
        for found in self.runtime.matcher.match(question.pattern, state, known):
            if question.condition is not None:
                holds = self.runtime.normalise(substitute(question.condition, found))
                if holds is not self.rulebase.true:
                    continue
            self.notes.append(SearchNote(state, number, tuple(found.items()), pattern=question.pattern))
            return True
        return False

    def _equivalent(self, question: _Question, state: Term, seen: dict[Term, int]) -> bool:
        if question.same_state is None:
            return False
        first, second = variables_of(question.same_state)[:2]
        return any(
            self.runtime.normalise(substitute(question.same_state, {first: state, second: old})) is self.rulebase.true
            for old in seen
        )

    def _steps(self, state: Term, assume: bool) -> Iterator[tuple[Term, Term | None]]:
        """Normal forms reachable by one transition, at the top first, then inside from left to right.

        With `assume` conditions are not checked but given along.
        """
        for moved in self._moves(state, assume):
            yield self.runtime.normalise(moved), self._condition

    def _moves(self, term: Term, assume: bool) -> Iterator[Term]:
        op = term.op
        for rule in self.transitions:
            if op.assoc and rule.lhs.op is op:
                yield from self._moves_inside(rule, term, assume)
            else:
                for found in self.runtime.rule_matcher.match(rule.lhs, term, {}):
                    result = self._fire(rule, found, assume)
                    if result is not None:
                        yield result
        for index, arg in enumerate(term.args):
            for moved in self._moves(arg, assume):
                yield op.make((*term.args[:index], moved, *term.args[index + 1 :]))

    def _moves_inside(self, rule: Rule, term: Term, assume: bool) -> Iterator[Term]:
        """A rule on an associative operator, applied within a larger collection."""
        op = term.op
        matcher = self.runtime.rule_matcher
        if op.comm:
            for found, rest in matcher.match_multiset(op, rule.lhs.args, term.args, {}, True):
                result = self._fire(rule, found, assume)
                if result is not None:
                    yield op.make((result, *rest)) if rest else result
        else:
            for found, before, after in matcher.match_list(op, rule.lhs.args, term.args, {}, True):
                result = self._fire(rule, found, assume)
                if result is not None:
                    yield op.make((*before, result, *after)) if before or after else result

    def _fire(self, rule: Rule, found: dict[Term, Term], assume: bool) -> Term | None:
        self._condition = self.rulebase.true
        if rule.condition is not None and assume:
            self._condition = self.runtime.normalise(substitute(rule.condition, found))
        elif rule.condition is not None:
            extended = self.interpreter.satisfies(rule.condition, found)
            if extended is None:
                return None
            found = extended
        self.runtime.count()
        return substitute(rule.rhs, found)


def _read(term: Term) -> _Question:
    """Which of the many spellings of a search this is."""
    words = term.op.words
    arrow = next(word for word in words if word.endswith(("=>", "=>*", "=>+", "=>!", "=>1")))
    args = list(term.args)
    start = args.pop(0)
    bounds: list[int | None] = [None, None]
    if arrow in ("=>", "==>", "==>1"):
        bounds[0] = 1
    elif "(" in words[: words.index(arrow)]:
        before = words[: words.index(arrow)]
        slots = [0, 1] if before.count("_") == 3 else [1] if before[before.index("(") + 1] == "," else [0]
        for slot in slots:
            limit = args.pop(0)
            bounds[slot] = int(limit.value) if isinstance(limit, LiteralTerm) else None  # type: ignore[call-overload]
    pattern = args.pop(0)
    assumed = args.pop(0) if "if" in words else None
    condition = args.pop(0) if "suchThat" in words else None
    same_state = args.pop(0) if "withStateEq" in words else None
    ending = "+" if arrow.endswith(("1", "+")) else "!" if arrow.endswith("!") else "*"
    return _Question(start, pattern, condition, same_state, bounds[0], bounds[1], ending, assumed)
