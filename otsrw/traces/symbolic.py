"""The symbolic engine: the same questions as formulas for z3, one unrolling for each length (extra `z3`).

A trace of length n is n Booleans a transition, exactly one of each step true. A constraint to be satisfied places each
of its position variables; a constraint to be avoided is denied for each way to place them. Formulas about a position
are made once for an unrolling, since making them takes longer than solving them. It does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import combinations, pairwise, product
from typing import Any

from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.bounded import BoundedTraces
from otsrw.traces.constraints import Before, Contains, Equals, Part, Placed, Satisfies, TraceConstraint
from otsrw.traces.lts import Path


class SymbolicEngine:
    def __init__(self, traces: BoundedTraces) -> None:
        try:
            self._z3: Any = import_module("z3")
        except ImportError:
            hint = "install it with: pip install 'otsrw[z3]'"
            raise OtsrwError("E530", "the symbolic engine needs z3, which is not installed", hint=hint) from None
        self.traces = traces
        self._unrollings: dict[int, _Unrolling] = {}

    def find(
        self, violating: bool, inside: Sequence[TraceConstraint] = (), outside: Sequence[TraceConstraint] = ()
    ) -> Path | None:
        for length in range(self.traces.bound + 1):
            if length not in self._unrollings:
                self._unrollings[length] = _Unrolling(self._z3, self.traces, length)
            path = self._unrollings[length].find(violating, inside, outside)
            if path is not None:
                return path
        return None

    def count(
        self, violating: bool, inside: Sequence[TraceConstraint] = (), outside: Sequence[TraceConstraint] = ()
    ) -> None:
        del violating, inside, outside


class _Unrolling:
    """All traces of one length."""

    def __init__(self, z3: Any, traces: BoundedTraces, length: int) -> None:
        self.z3 = z3
        self.traces = traces
        self.length = length
        lts = traces.lts
        self.begins = [z3.Bool(f"begin{number}") for number in range(len(lts.initial))]
        self.takes = [[z3.Bool(f"take{step}_{t}") for t in range(len(lts.sources))] for step in range(length)]
        self.known: dict[object, Any] = {}
        self.solver = z3.Solver()
        self._exactly_one(self.begins)
        for step in range(length):
            self._exactly_one(self.takes[step])
            for transition, taken in enumerate(self.takes[step]):
                self.solver.add(z3.Implies(taken, self._in_state(step, lts.sources[transition])))
        self.violated = z3.Or(
            [begin for begin, state in zip(self.begins, lts.initial, strict=True) if traces.safety.start(state)]
            + [
                taken
                for step in range(length)
                for transition, taken in enumerate(self.takes[step])
                if traces.safety.step(0, transition, lts.actions[transition], lts.targets[transition])
            ]
        )

    def find(
        self, violating: bool, inside: Sequence[TraceConstraint], outside: Sequence[TraceConstraint]
    ) -> Path | None:
        z3, solver = self.z3, self.solver
        solver.push()
        try:
            solver.add(self.violated if violating else z3.Not(self.violated))
            for number, constraint in enumerate(inside):
                self._satisfy(constraint, number)
            for constraint in outside:
                self._avoid(constraint)
            return self._first() if solver.check() == z3.sat else None
        finally:
            solver.pop()

    def _first(self) -> Path:
        """The first model: at each choice, the smallest number with which there still is a model."""
        lts = self.traces.lts
        begin = self._least(self.begins, range(len(self.begins)))
        states, transitions = [lts.initial[begin]], []
        for step in range(self.length):
            transition = self._least(self.takes[step], lts.outgoing.of(states[-1]))
            transitions.append(transition)
            states.append(lts.targets[transition])
        return Path(tuple(states), tuple(transitions))

    def _least(self, choices: list[Any], numbers: Sequence[int]) -> int:
        for number in numbers:
            self.solver.push()
            self.solver.add(choices[number])
            possible = self.solver.check() == self.z3.sat
            self.solver.pop()
            if possible:
                self.solver.add(choices[number])
                return number
        raise AssertionError("a satisfiable formula without a model")

    def _exactly_one(self, choices: list[Any]) -> None:
        self.solver.add(self.z3.PbEq([(choice, 1) for choice in choices], 1) if choices else self.z3.BoolVal(False))

    def _in_state(self, position: int, state: int) -> Any:
        lts = self.traces.lts
        if position == 0:
            return self.z3.Or([b for b, s in zip(self.begins, lts.initial, strict=True) if s == state])
        return self.z3.Or([self.takes[position - 1][t] for t in lts.incoming.of(state)])

    def _among(self, position: int, moments: int) -> Any:
        """The moment at a position is one of a set, given by its bits."""
        key = (position, moments)
        if key not in self.known:
            traces = self.traces
            choices, numbers = (
                (self.begins, traces.initially) if position == 0 else (self.takes[position - 1], traces.after)
            )
            self.known[key] = self.z3.Or([c for c, m in zip(choices, numbers, strict=True) if moments >> m & 1])
        return self.known[key]

    def _fact(self, fact: Equals | Contains | Satisfies, positions: tuple[int, ...]) -> Any:
        """A fact at some positions of the trace, which increase."""
        tests = (fact,) if isinstance(fact, Equals | Contains) else fact.predicate.parts
        found = []
        for test in tests:
            asked = tuple(positions[place] for place in test.places) if isinstance(test, Part) else positions
            if len(asked) == 1:
                found.append(self._among(asked[0], self.traces.moments.at_which([test])))
            elif isinstance(test, Part):
                found.append(self._part(test, asked))
        return self.z3.And(found)

    def _part(self, part: Part, positions: tuple[int, ...]) -> Any:
        """A part of a predicate at some positions: one of the ways in which moments may look for it to hold."""
        key = (part, positions)
        if key not in self.known:
            sight = self.traces.moments.sight(part)
            looks = [sight.looks(place) for place in range(len(positions))]
            self.known[key] = self.z3.Or(
                [
                    self.z3.And(
                        [
                            self._among(p, looks[n][look])
                            for n, (p, look) in enumerate(zip(positions, seen, strict=True))
                        ]
                    )
                    for seen in product(*(range(len(different)) for different in looks))
                    if sight.holds(seen)
                ]
            )
        return self.known[key]

    def _satisfy(self, constraint: TraceConstraint, number: int) -> None:
        """Every variable has exactly one place, and the facts hold at these places."""
        z3, add = self.z3, self.solver.add
        everywhere = range(self.length + 1)
        places = {
            variable: [z3.Bool(f"place{number}_{variable}_{p}") for p in everywhere]
            for variable in constraint.positions
        }
        for choices in places.values():
            self._exactly_one(choices)
        for earlier, later in dict.fromkeys(pair for fact in constraint.facts for pair in pairwise(fact.positions)):
            for p in everywhere:
                add(z3.Implies(places[later][p], z3.Or(places[earlier][:p])))
        for fact in constraint.facts:
            if isinstance(fact, Placed):
                add(z3.Or([places[fact.position][p] for p in everywhere if p == fact.index]))
            elif not isinstance(fact, Before):
                for positions in combinations(everywhere, len(fact.positions)):
                    chosen = [places[v][p] for v, p in zip(fact.positions, positions, strict=True)]
                    add(z3.Implies(z3.And(chosen), self._fact(fact, positions)))

    def _avoid(self, constraint: TraceConstraint) -> None:
        z3 = self.z3
        facts = [fact for fact in constraint.facts if not isinstance(fact, Before | Placed)]
        for where in self._placements(constraint):
            self.solver.add(z3.Not(z3.And([self._fact(f, tuple(where[v] for v in f.positions)) for f in facts])))

    def _placements(self, constraint: TraceConstraint) -> Iterator[dict[int, int]]:
        """The ways to place the variables of a constraint in the order that its facts ask for."""
        ordered = {pair for fact in constraint.facts for pair in pairwise(fact.positions)}
        for positions in product(range(self.length + 1), repeat=len(constraint.positions)):
            where = dict(zip(constraint.positions, positions, strict=True))
            if all(where[earlier] < where[later] for earlier, later in ordered) and all(
                where[fact.position] == fact.index for fact in constraint.facts if isinstance(fact, Placed)
            ):
                yield where
