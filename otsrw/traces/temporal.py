"""Temporal properties: which continuations of a run violate a formula, which satisfy it.

Runs are read by two automata, of the formula and of its negation. A pair of a state and an automaton state is alive if
an accepted run starts there: it reaches a strong component with all marks, or owes nothing any more. A node of the
arena knows all automaton states that the run so far may have led to, so that it depends on the run alone; it has a
violating continuation iff one of its pairs with the negation is alive. Only fair runs count: an event in `fair` that
stays possible happens.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import cached_property

from otsrw.records import dataclass
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.arena import Arena
from otsrw.traces.components import strong_components
from otsrw.traces.continuations import ArenaRun, Continuations
from otsrw.traces.digraph import Digraph
from otsrw.traces.lasso_truth import holds_on_lasso, is_decided_by
from otsrw.traces.ltl import Atom, Formula, eventually, following, normal, parse
from otsrw.traces.lts import Lts, Path
from otsrw.traces.matching import Match
from otsrw.traces.numbering import PairNumbers
from otsrw.traces.propositions import Letters, letters_of, looks_ahead
from otsrw.traces.tableau import FormulaAutomaton

NO_EVENT = -1
VIOLATED = "violated whatever follows"
SATISFIED = "satisfied whatever follows"

FairEvent = tuple[list[bool], list[bool]]
"""An event that is treated fairly: for each state whether it is possible there, for each action whether it is one."""


def fair_marks(fair: list[FairEvent], state: int, action: int) -> int:
    """A bit for each event that is not treated unfairly if the action happens in the state."""
    marks = 0
    for number, (possible, is_it) in enumerate(fair):
        if not possible[state] or (action >= 0 and is_it[action]):
            marks |= 1 << number
    return marks


@dataclass(frozen=True, slots=True)
class TemporalProperty:
    """A formula of which all fair runs are claimed to be models."""

    formula: Formula
    fair: tuple[str, ...] = ()
    match: Match = Match.EXACT

    @classmethod
    def of(cls, text: str, fair: Iterable[str] = (), match: Match = Match.EXACT) -> TemporalProperty:
        return cls(parse(text), tuple(fair), match)

    @property
    def formulas(self) -> list[Formula]:
        """The formula, and that its fair events can happen."""
        return [self.formula, *(Formula("atom", atom=Atom("enabled", name)) for name in self.fair)]

    def unless_shown(self, pattern: Iterable[str]) -> TemporalProperty:
        """The property of which exactly the counterexamples with a pattern of events are counterexamples."""
        shown: Formula | None = None
        for label in reversed(tuple(pattern)):
            event = Formula("atom", atom=Atom("event", label))
            shown = eventually(event if shown is None else event & following(shown))
        return self if shown is None else TemporalProperty(self.formula | ~shown, self.fair, self.match)


class Pairs(Digraph):
    """The reachable pairs of a state of the system and a state of the automaton."""

    def __init__(self, lts: Lts, automaton: FormulaAutomaton, letters: Letters, fair: list[FairEvent]):
        """`fair` says for each event that is treated fairly at which states it is possible, and which actions it is."""
        super().__init__()
        self.lts = lts
        self.automaton = automaton
        self._letters = letters
        self._fair = fair
        self._first_fair = automaton.all_marks.bit_length()
        self.all_marks = (1 << self._first_fair + len(fair)) - 1
        self.numbers = PairNumbers(lts.states)
        self._known: dict[int, dict[int, tuple[tuple[int, int], ...]]] = {}
        self.states: array[int] = array("i")
        self.owing: array[int] = array("i")
        self.marks: list[int] = []
        self.transitions: array[int] = array("i")
        for state in dict.fromkeys(lts.initial):
            for after, _ in automaton.steps(0, letters.at(NO_EVENT, state)):
                self._number(state, after)
        self._explore()

    def _number(self, state: int, owing: int) -> int:
        column = self.numbers.of(owing)
        number = column.get(state)
        if number is None:
            number = column[state] = len(self.states)
            self.states.append(state)
            self.owing.append(owing)
        return number

    def _explore(self) -> None:
        lts, settled, states = self.lts, self.automaton.nothing_left, self.states
        offsets, order = lts.outgoing.offsets, lts.outgoing.transitions
        pair = 0
        while pair < len(states):
            state, owing = states[pair], self.owing[pair]
            if owing != settled:
                first, last = offsets[state], offsets[state + 1]
                if first == last and state not in lts.frontier:
                    self._step(owing, state, (NO_EVENT,))
                elif first != last:
                    self._step(owing, state, order[first:last])
            self.offsets.append(len(self.heads))
            pair += 1

    def _step(self, owing: int, source: int, transitions: Iterable[int]) -> None:
        """Add the edges of a pair; without a transition the run stays where it is."""
        actions, targets = self.lts.actions, self.lts.targets
        of_state, of_action = self._letters.of_state, self._letters.of_action
        known = self._known.setdefault(owing, {})
        add_head, add_marks, add_transition = self.heads.append, self.marks.append, self.transitions.append
        fair = 0
        for transition in transitions:
            action, target = (actions[transition], targets[transition]) if transition >= 0 else (NO_EVENT, source)
            if self._fair:
                fair = fair_marks(self._fair, source, action) << self._first_fair
            letter = of_state[target] | of_action[action] if action >= 0 else of_state[target]
            following = known.get(letter)
            if following is None:
                following = known[letter] = self.automaton.steps(owing, letter)
            for after, marks in following:
                add_head(self._number(target, after))
                add_marks(marks | fair)
                add_transition(transition)

    @cached_property
    def _component(self) -> array[int]:
        return strong_components(self.offsets, self.heads)[0]

    @cached_property
    def recurring(self) -> bytearray:
        """Pairs in a component around which an accepted run may go for ever."""
        component = self._component
        seen: dict[int, int] = {}
        for pair in range(len(self.states)):
            for edge in self.edges(pair):
                if component[self.heads[edge]] == component[pair]:
                    seen[component[pair]] = seen.get(component[pair], 0) | self.marks[edge]
        good = {number for number, marks in seen.items() if marks == self.all_marks}
        return bytearray(number in good for number in component)

    @cached_property
    def alive(self) -> bytearray:
        """Pairs from which an accepted run starts."""
        settled = self.automaton.nothing_left
        return self.backwards(p for p, owing in enumerate(self.owing) if owing == settled or self.recurring[p])

    @cached_property
    def doubtful(self) -> bytearray:
        """Pairs from which the frontier is reached while something is still owed."""
        frontier, settled = self.lts.frontier, self.automaton.nothing_left
        return self.backwards(
            p for p, state in enumerate(self.states) if state in frontier and self.owing[p] != settled
        )

    def round_from(self, pair: int) -> list[int]:
        """The edges of a loop through a recurring pair that carries all marks."""
        missing, at = self.all_marks, pair
        taken: list[int] = []
        while missing:
            way = self._way(at, missing)
            for edge in way:
                missing &= ~self.marks[edge]
            taken += way
            at = self.heads[way[-1]]
        if not taken or at != pair:
            taken += self._way(at, goal=pair)
        return taken

    def _way(self, start: int, marks: int = 0, goal: int = -1) -> list[int]:
        """A shortest path inside a component that ends with one of the marks, or at the goal."""
        component = self._component
        found_by: dict[int, tuple[int, int]] = {}
        layer = [start]
        while layer:
            following_layer = []
            for pair in layer:
                for edge in self.edges(pair):
                    head = self.heads[edge]
                    if component[head] != component[start]:
                        continue
                    if self.marks[edge] & marks or head == goal:
                        way, back = [edge], pair
                        while back != start:
                            back, taken = found_by[back]
                            way.append(taken)
                        return way[::-1]
                    if head not in found_by and head != start:
                        found_by[head] = (pair, edge)
                        following_layer.append(head)
            layer = following_layer
        raise AssertionError("a component in which something cannot be reached")


class WholeGraphNeeded(OtsrwError):
    """A part of a graph does not tell whether a run is fair, or what is enabled in a state."""

    def __init__(self) -> None:
        super().__init__(
            "E523",
            "fairness, `enabled` and `deadlock` need the whole graph, and this one was cut",
            hint="leave out --depth, give more with --max-states, or a smaller instance with --with",
        )


class TemporalArena(Arena):
    """The mode of a run is the set of automaton states it may have led to, for the negation and for the formula."""

    def __init__(self, lts: Lts, claim: TemporalProperty) -> None:
        self.claim = claim
        if lts.frontier and (claim.fair or any(map(looks_ahead, claim.formula.atoms()))):
            raise WholeGraphNeeded
        self.letters = letters_of(lts, claim.formulas, claim.match)
        happening = letters_of(lts, [Formula("atom", atom=Atom("name", name)) for name in claim.fair], claim.match)
        self.fair: list[FairEvent] = [
            (
                [bool(bits >> self.letters.atoms.index(Atom("enabled", name)) & 1) for bits in self.letters.of_state],
                [bool(bits >> happening.atoms.index(Atom("name", name)) & 1) for bits in happening.of_action],
            )
            for name in claim.fair
        ]
        against = FormulaAutomaton(normal(claim.formula, False), self.letters.atoms)
        for_it = FormulaAutomaton(normal(claim.formula), self.letters.atoms)
        self.against = Pairs(lts, against, self.letters, self.fair)
        self.for_it = Pairs(lts, for_it, self.letters, self.fair)
        self._sets: list[tuple[frozenset[int], frozenset[int]]] = []
        self._numbers: dict[tuple[frozenset[int], frozenset[int]], int] = {}
        self._known: dict[tuple[int, int], int] = {}
        super().__init__(lts, self.start_mode, self._step)

    def _mode(self, sets: tuple[frozenset[int], frozenset[int]]) -> int:
        number = self._numbers.get(sets)
        if number is None:
            number = self._numbers[sets] = len(self._sets)
            self._sets.append(sets)
        return number

    def start_mode(self, state: int) -> int:
        """The mode in an initial state."""
        return self._read((frozenset([0]), frozenset([0])), self.letters.at(NO_EVENT, state))

    def _step(self, mode: int, transition: int, action: int, target: int) -> int:
        del transition
        letter = self.letters.at(action, target)
        after = self._known.get((mode, letter))
        return self.mode_after(mode, action, target) if after is None else after

    def mode_after(self, mode: int, action: int, target: int) -> int:
        """The mode after an action that leads to a state."""
        letter = self.letters.at(action, target)
        key = (mode, letter)
        after = self._known.get(key)
        if after is None:
            after = self._known[key] = self._read(self._sets[mode], letter)
        return after

    def _read(self, sets: tuple[frozenset[int], frozenset[int]], letter: int) -> int:
        against, for_it = (
            frozenset(after for state in states for after, _ in pairs.automaton.steps(state, letter))
            for states, pairs in zip(sets, (self.against, self.for_it), strict=True)
        )
        return self._mode((against, for_it))

    @cached_property
    def same_modes(self) -> list[int]:
        """For each mode a number that it shares with the modes after which the rest of a run has to do the same."""
        numbers: dict[frozenset[int], int] = {}
        least = self.against.automaton.least
        return [numbers.setdefault(least(against), len(numbers)) for against, _ in self._sets]

    def remembered(self, mode: int) -> str:
        """What the rest of a run has to do after the runs that lead to a mode."""
        against, for_it = self._sets[mode]
        if self.against.automaton.nothing_left in against:
            return VIOLATED
        if self.for_it.automaton.nothing_left in for_it or not against:
            return SATISFIED
        automaton = self.for_it.automaton
        ways = [sorted(map(str, automaton.obligations(state))) for state in automaton.least(for_it)]
        texts = sorted(" and ".join(f"({part})" if len(way) > 1 else part for part in way) for way in ways)
        return " or ".join(f"({text})" if len(texts) > 1 else text for text in texts) or VIOLATED

    def _some(self, side: int, pairs: Pairs, good: bytearray) -> bytearray:
        """Nodes that have a pair with the automaton of one side (0: the negation, 1: the formula) that is `good`."""
        numbers, sets, settled = pairs.numbers, self._sets, pairs.automaton.nothing_left
        found = bytearray(len(self.states))
        for node, (state, mode) in enumerate(zip(self.states, self.modes, strict=True)):
            for owing in sets[mode][side]:
                number = numbers.get(state, owing)
                if owing == settled if number is None else good[number]:
                    found[node] = 1
                    break
        return found

    @cached_property
    def violating(self) -> bytearray:
        return self._some(0, self.against, self.against.alive)

    @cached_property
    def satisfying(self) -> bytearray:
        return self._some(1, self.for_it, self.for_it.alive)

    @cached_property
    def unknown(self) -> bytearray:
        return self._doubt(0, self.against)

    def _doubt(self, side: int, pairs: Pairs) -> bytearray:
        if not self.lts.frontier:
            return bytearray(len(self.states))
        found = self._some(side, pairs, pairs.doubtful)
        for node, mode in enumerate(self.modes):
            if pairs.automaton.nothing_left in self._sets[mode][side]:
                found[node] = 0
        return found

    @cached_property
    def may_violate(self) -> bytearray:
        return bytearray(a | b for a, b in zip(self.violating, self.unknown, strict=True))

    @cached_property
    def may_satisfy(self) -> bytearray:
        doubt = self._doubt(1, self.for_it)
        return bytearray(a | b for a, b in zip(self.satisfying, doubt, strict=True))

    @cached_property
    def violated_modes(self) -> bytearray:
        """For each mode whether the formula is violated whatever follows."""
        return bytearray(map(self.is_violated_mode, range(len(self._sets))))

    def is_violated_mode(self, mode: int) -> bool:
        """Whether the formula is violated whatever follows the runs that lead to a mode."""
        return self.against.automaton.nothing_left in self._sets[mode][0]

    def is_violated(self, node: int) -> bool:
        return bool(self.violated_modes[self.modes[node]])

    def recurring_pair(self, node: int) -> int | None:
        """A pair of a node around which a violating run may go for ever."""
        state = self.states[node]
        for owing in sorted(self._sets[self.modes[node]][0]):
            number = self.against.numbers.get(state, owing)
            if number is not None and self.against.recurring[number]:
                return number
        return None

    def edge_by(self, node: int, transition: int) -> int:
        return next(edge for edge in self.edges(node) if self.transitions[edge] == transition)

    def check(self, path: Path) -> None:
        """Check a counterexample against the meaning of the formula, before anybody sees it."""
        if not self.refutes(path):
            raise AssertionError("a run that was found as a counterexample satisfies the formula")

    def refutes(self, path: Path) -> bool:
        """Whether the formula is false of a path, straight from its meaning; fairness is not looked at."""
        lts, letters = self.lts, self.letters
        actions = [NO_EVENT, *(lts.actions[transition] for transition in path.transitions)]
        word = [letters.at(action, state) for action, state in zip(actions, path.states, strict=True)]
        formula, atoms = self.claim.formula, letters.atoms
        if path.loop is not None:
            return not holds_on_lasso(formula, word, path.loop + 1, atoms)
        if lts.outgoing.degree(path.states[-1]) or path.states[-1] in lts.frontier:
            return is_decided_by(~formula, word, atoms)
        ended = [*word, letters.at(NO_EVENT, path.states[-1])]
        return not holds_on_lasso(formula, ended, len(ended) - 1, atoms)


class TemporalContinuations(Continuations):
    """Completes a run until the formula is violated whatever follows, the run ends, or it can go round a loop."""

    def __init__(self, arena: TemporalArena) -> None:
        super().__init__(arena)
        self.temporal = arena

    def is_end(self, node: int) -> bool:
        arena = self.temporal
        if arena.is_violated(node) or arena.recurring_pair(node) is not None:
            return True
        return not arena.edges(node) and arena.states[node] not in arena.lts.frontier

    def ended(self, visited: list[int], taken: list[int]) -> ArenaRun:
        if self.temporal.is_violated(visited[-1]) or not self.temporal.edges(visited[-1]):
            return ArenaRun(tuple(visited), tuple(taken))
        return self._round(visited, taken)

    def _round(self, visited: list[int], taken: list[int]) -> ArenaRun:
        """Go round until a node is met again; the loop of pairs is then a loop of nodes."""
        pair = self.temporal.recurring_pair(visited[-1])
        assert pair is not None
        transitions = [self.temporal.against.transitions[edge] for edge in self.temporal.against.round_from(pair)]
        begun: dict[int, int] = {}
        while visited[-1] not in begun:
            begun[visited[-1]] = len(taken)
            for edge in self._edges(visited[-1], transitions):
                taken.append(edge)
                visited.append(self.temporal.heads[edge])
        return ArenaRun(tuple(visited), tuple(taken), begun[visited[-1]])

    def _edges(self, node: int, transitions: list[int]) -> Iterator[int]:
        for transition in transitions:
            edge = self.temporal.edge_by(node, transition)
            yield edge
            node = self.temporal.heads[edge]


def counterexample_of(arena: TemporalArena) -> Path | None:
    """A run that violates the property, nearest first; checked."""
    continuations = TemporalContinuations(arena)
    starts = [node for node in arena.initial if arena.violating[node]]
    if not starts:
        return None
    run = continuations.completed((min(starts, key=lambda node: continuations.distance[node]),), ())
    states = tuple(arena.states[node] for node in run.nodes)
    path = Path(states, tuple(arena.transitions[edge] for edge in run.edges), run.loop)
    arena.check(path)
    return path
