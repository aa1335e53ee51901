"""Traces on which a formula is violated, as traces that meet something bad: liveness as safety.

A finite trace violates a formula if one of its beginnings decides that, ends in a deadlock that does, or comes back to
a state from which going round and round does. The last is watched for by remembering, at every state, that the loop may
have begun here (A. Biere, C. Artho and V. Schuppan, *Liveness checking as safety checking*). What is remembered is part
of the states of a new system, in which the violation is a set of bad states.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from otsrw.records import dataclass
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.traces.bounded import BoundedTraces
from otsrw.traces.ltl import normal
from otsrw.traces.lts import Lts, Path
from otsrw.traces.product import Safety
from otsrw.traces.temporal import NO_EVENT, TemporalArena, fair_marks
from otsrw.traces.tight import TightAutomaton, parts_of

MAX_WATCHED = 1_000_000

LoopStart = tuple[int, int]
"""A state and a promise of the tight automaton at which a loop may have begun."""
LoopGuess = tuple[LoopStart | None, int, int]
"""Where the loop began, if it has; what is promised for the next position; the marks met on the loop."""
WatchedNode = tuple[int, int, frozenset[LoopGuess]]
"""A state, the mode of the arena and all guesses about the run; no guess is left once the formula is violated."""


@dataclass(frozen=True, eq=False, slots=True)
class ViolationTraces:
    """The traces of the new system, and where its states and transitions come from."""

    arena: TemporalArena
    traces: BoundedTraces
    states: Sequence[int]
    transitions: Sequence[int]

    def system_path(self, path: Path) -> Path:
        """The path of the system behind a path; with the place where its loop begins, if going round it violates."""
        states = tuple(self.states[state] for state in path.states)
        found = Path(states, tuple(self.transitions[transition] for transition in path.transitions))
        if self.arena.refutes(found):
            return found
        looping = (Path(found.states, found.transitions, n) for n, s in enumerate(states[:-1]) if s == states[-1])
        return next(filter(self.arena.refutes, looping), found)


def violation_traces(arena: TemporalArena, bound: int, most: int = MAX_WATCHED) -> ViolationTraces:
    """All traces of at most `bound` steps; raises `BudgetExceeded` if more than `most` has to be remembered."""
    return _Watching(arena, most).traces(bound)


class _Watching:
    def __init__(self, arena: TemporalArena, most: int) -> None:
        self._arena = arena
        self._most = most
        self._lts = arena.lts
        self._automaton = TightAutomaton(~arena.claim.formula, arena.letters.atoms)
        self._is_safety = not any(part.op == "until" for part in parts_of(normal(arena.claim.formula)))
        """Whether each run that violates the formula has a beginning that decides that: no loop has to be watched."""
        if not self._is_safety and not self._automaton.is_small:
            raise BudgetExceeded("E401", "the formula has too many temporal operators to classify its counterexamples")
        self._fair_from = self._automaton.all_marks.bit_length()
        self._moved = 1 << self._fair_from + len(arena.fair)
        """A mark of every step: a loop has one at least."""
        self._all_marks = 2 * self._moved - 1
        self._numbers: dict[tuple[WatchedNode, bool], int] = {}
        self._nodes: list[tuple[WatchedNode, bool]] = []
        self._work = 0

    def traces(self, bound: int) -> ViolationTraces:
        lts = self._lts
        sources, actions, targets, origins = array("l"), array("l"), array("l"), array("l")
        layer = initial = [self._number(*self._start(state)) for state in dict.fromkeys(lts.initial)]
        for _ in range(bound):
            known = len(self._nodes)
            for number in layer:
                for transition, after, violated in self._steps(*self._nodes[number]):
                    sources.append(number)
                    actions.append(lts.actions[transition])
                    targets.append(self._number(after, violated))
                    origins.append(transition)
            layer = list(range(known, len(self._nodes)))
            if not layer:
                break
        states = [node[0] for node, _ in self._nodes]
        observers = lts.observers or ("state",)
        values = [lts.valuations[state] if lts.observers else (state,) for state in states]
        system = Lts(
            len(states), tuple(initial), lts.labels, lts.events, sources, actions, targets, observers, values,
            declared=lts.declared, collections=lts.collections,
        )  # fmt: skip
        bad = frozenset(number for number, (_, violated) in enumerate(self._nodes) if violated)
        return ViolationTraces(self._arena, BoundedTraces(system, Safety(bad), bound), states, origins)

    def _number(self, node: WatchedNode, violated: bool) -> int:
        key = (node, violated)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._nodes)
            self._nodes.append(key)
            self._work += 1 + len(node[2])
            if self._work > self._most:
                raise BudgetExceeded(
                    "E402", f"more than {self._most} guesses about loops", hint="give a smaller --depth"
                )
        return number

    def _start(self, state: int) -> tuple[WatchedNode, bool]:
        letter = self._arena.letters.at(NO_EVENT, state)
        starts = [] if self._is_safety else self._automaton.starts(letter)
        guesses = [guess for promise in starts for guess in self._begun(state, promise)]
        return self._judged(state, self._arena.start_mode(state), guesses)

    def _begun(self, state: int, promise: int) -> Iterator[LoopGuess]:
        yield None, promise, 0
        yield (state, promise), promise, 0

    def _steps(self, node: WatchedNode, violated: bool) -> Iterator[tuple[int, WatchedNode, bool]]:
        lts, (state, mode, guesses) = self._lts, node
        for transition in lts.outgoing.of(state):
            action, target = lts.actions[transition], lts.targets[transition]
            if violated:
                yield transition, (target, mode, frozenset()), True
                continue
            fair = fair_marks(self._arena.fair, state, action) << self._fair_from
            letter = self._arena.letters.at(action, target)
            after = [new for guess in guesses for new in self._followed(guess, letter, target, fair)]
            judged = self._judged(target, self._arena.mode_after(mode, action, target), after)
            yield transition, *judged

    def _followed(self, guess: LoopGuess, letter: int, target: int, fair: int) -> Iterator[LoopGuess]:
        loop, promise, marks = guess
        for after, more in self._automaton.ways(letter, promise):
            if loop is None:
                yield from self._begun(target, after)
            else:
                yield loop, after, marks | more | fair | self._moved

    def _judged(self, state: int, mode: int, guesses: list[LoopGuess]) -> tuple[WatchedNode, bool]:
        """The node, and whether the formula is violated there."""
        lts = self._lts
        violated = self._arena.is_violated_mode(mode) or any(
            loop == (state, promise) and marks == self._all_marks for loop, promise, marks in guesses
        )
        if not violated and not lts.outgoing.degree(state) and state not in lts.frontier:
            violated = self._is_violated_by_staying(state, mode, guesses)
        return (state, mode, frozenset() if violated else frozenset(guesses)), violated

    def _is_violated_by_staying(self, state: int, mode: int, guesses: list[LoopGuess]) -> bool:
        """Whether the formula is violated if the run stays in a state, and no event happens any more."""
        seen: set[int] = set()
        while self._is_safety and mode not in seen and not self._arena.is_violated_mode(mode):
            seen.add(mode)
            mode = self._arena.mode_after(mode, NO_EVENT, state)
        letter = self._arena.letters.at(NO_EVENT, state)
        return self._arena.is_violated_mode(mode) or any(
            self._automaton.is_constant(letter, promise) for _, promise, _ in guesses
        )
