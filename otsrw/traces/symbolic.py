"""The symbolic engine: the same questions as formulas for z3, one unrolling for each length (extra `z3`).

A trace of length n is n Booleans a transition, exactly one of each step true. A constraint to be satisfied places each
of its position variables; a constraint to be avoided is denied for each way to place them. It does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import pairwise, product
from typing import Any

from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.bounded import BoundedTraces
from otsrw.traces.constraints import Before, Equals, Fact, TraceConstraint
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
        """Choice by choice the smallest number that still has a model."""
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

    def _at_moment(self, position: int, moment: int) -> Any:
        traces = self.traces
        if position == 0:
            return self.z3.Or([b for b, m in zip(self.begins, traces.initially, strict=True) if m == moment])
        taken = self.takes[position - 1]
        return self.z3.Or([taken[t] for t, m in enumerate(traces.after) if m == moment])

    def _fact(self, fact: Fact, positions: tuple[int, ...]) -> Any:
        """A fact at some positions of the trace."""
        z3, moments = self.z3, self.traces.moments
        if any(later <= earlier for earlier, later in pairwise(positions)):
            return z3.BoolVal(False)
        if isinstance(fact, Before):
            return z3.BoolVal(True)
        return z3.Or(
            [
                z3.And([self._at_moment(p, m) for p, m in zip(positions, numbers, strict=True)])
                for numbers in product(range(len(moments)), repeat=len(positions))
                if (
                    fact.holds(moments[numbers[0]])
                    if isinstance(fact, Equals)
                    else fact.predicate.holds(*(moments[n] for n in numbers))
                )
            ]
        )

    def _satisfy(self, constraint: TraceConstraint, number: int) -> None:
        """Every variable has exactly one place, and the facts hold at these places."""
        z3 = self.z3
        everywhere = range(self.length + 1)
        places = {
            variable: [z3.Bool(f"place{number}_{variable}_{p}") for p in everywhere]
            for variable in constraint.positions
        }
        for choices in places.values():
            self._exactly_one(choices)
        for fact in constraint.facts:
            for positions in product(everywhere, repeat=len(fact.positions)):
                chosen = [places[v][p] for v, p in zip(fact.positions, positions, strict=True)]
                self.solver.add(z3.Implies(z3.And(chosen), self._fact(fact, positions)))

    def _avoid(self, constraint: TraceConstraint) -> None:
        z3 = self.z3
        for where in self._placements(constraint):
            facts = [self._fact(fact, tuple(where[v] for v in fact.positions)) for fact in constraint.facts]
            self.solver.add(z3.Not(z3.And(facts)))

    def _placements(self, constraint: TraceConstraint) -> Iterator[dict[int, int]]:
        for positions in product(range(self.length + 1), repeat=len(constraint.positions)):
            yield dict(zip(constraint.positions, positions, strict=True))
