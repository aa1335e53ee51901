"""What may follow a run of a small system: written from the meaning of temporal logic alone, by brute force.

A *guess* says for each temporal part of a formula whether it is true at a position. The guess at a position follows
from its letter and the guess at the next one, so guesses are propagated backwards along the edges of the system. A
guess is *sound* if a run follows on which each `until` that is promised comes, and each `release` that is denied ends.
A run so far has a violating continuation iff some sound guess, traced back to the first position, makes the formula
false there.

What follows a state of the frontier may be anything: letters of all kinds, each after each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product
from typing import NamedTuple

from random_lts.drawing import EVENTS, Formula, RandomSystem, atoms_of, parts_of, temporal_parts

Position = tuple[int, str]
"""A state and the event that led to it; behind the frontier the number of a letter, negative, and no event."""
Guess = tuple[bool, ...]
Node = tuple[Position, Guess]
Graph = dict[Node, set[Node]]
Traced = frozenset[tuple[Guess, bool]]
"""Guesses at the last position of a run, with the truth of the formula at its first position."""
NO_EVENT = ""


class Place(NamedTuple):
    """Where a run is, and what the formula remembers of it."""

    position: Position
    traced: Traced

    @property
    def state(self) -> int:
        return self.position[0]


class Future(NamedTuple):
    """What may follow: `may_*` if everything is possible behind the frontier, `surely_*` by what is known."""

    may_violate: bool
    may_satisfy: bool
    surely_violates: bool
    surely_satisfies: bool

    @property
    def colour(self) -> str:
        return colour_of([self])


def colour_of(futures: Iterable[Future]) -> str:
    """The colour of a transition that leads to these futures, with different pasts."""
    found = list(futures)
    if not found:
        return "unreached"
    if not any(future.may_violate for future in found):
        return "correct"
    if not any(future.may_satisfy for future in found):
        return "incorrect"
    both = any(future.surely_violates for future in found) and any(future.surely_satisfies for future in found)
    return "neutral" if both else "unknown"


class FutureOracle:
    """All futures of one system and one formula."""

    def __init__(self, system: RandomSystem, formula: Formula) -> None:
        self.system = system
        self.formula = formula
        self._parts = parts_of(formula)
        self._temporal = temporal_parts(formula)
        self._atoms = atoms_of(formula)
        self._anything = sorted({self._letter(p, n, e) for p in (False, True) for n in range(3) for e in (*EVENTS, "")})
        self._guesses: list[Guess] = list(product((False, True), repeat=len(self._temporal)))
        self._futures: dict[Place, Future] = {}
        self._before: dict[tuple[tuple[bool, ...], tuple[bool, ...], Guess], Guess] = {}

    # Letters and guesses

    def _letter(self, p: bool, n: int, event: str) -> tuple[bool, ...]:
        values = {"p": p, "n = 1": n == 1, "n < 2": n < 2, '"a"': event == "a", '"b"': event == "b"}
        return tuple(values[atom] for atom in self._atoms)

    def letter(self, position: Position) -> tuple[bool, ...]:
        state, event = position
        return self._anything[-state - 1] if state < 0 else self._letter(*self.system.values[state], event)

    def _truth(self, letter: tuple[bool, ...], guess: Guess) -> dict[Formula, bool]:
        """The truth of every part at a position."""
        atoms = dict(zip(self._atoms, letter, strict=True))
        temporal = dict(zip(self._temporal, guess, strict=True))
        found: dict[Formula, bool] = {}
        for part in self._parts:
            inner = [found[inside] for inside in part[1:] if isinstance(inside, tuple)]
            match part[0]:
                case "atom":
                    found[part] = atoms[str(part[1])]
                case "true" | "false":
                    found[part] = part[0] == "true"
                case "not":
                    found[part] = not inner[0]
                case "and":
                    found[part] = all(inner)
                case "or":
                    found[part] = any(inner)
                case _:
                    found[part] = temporal[part]
        return found

    def before(self, position: Position, after: Position, guess: Guess) -> Guess:
        """The guess at a position if `guess` is that of the next one, `after`."""
        key = self.letter(position), self.letter(after), guess
        if key not in self._before:
            self._before[key] = self._guess_before(*key)
        return self._before[key]

    def _guess_before(self, here: tuple[bool, ...], there: tuple[bool, ...], guess: Guess) -> Guess:
        following = self._truth(there, guess)
        found: list[bool] = []
        for part in self._temporal:
            known = self._truth(here, (*found, *[False] * (len(self._temporal) - len(found))))
            if part[0] == "next":
                found.append(following[self._inner(part, 1)])
                continue
            left, right = known[self._inner(part, 1)], known[self._inner(part, 2)]
            later = following[part]
            found.append(right or (left and later) if part[0] == "until" else right and (left or later))
        return tuple(found)

    @staticmethod
    def _inner(part: Formula, number: int) -> Formula:
        inner = part[number]
        assert isinstance(inner, tuple)
        return inner

    # The system

    def steps(self, position: Position) -> list[Position]:
        """The positions that may follow in the system; a deadlock stays without an event, a frontier state ends."""
        state, _ = position
        if state in self.system.frontier:
            return []
        found = [(target, event) for source, event, target in self.system.edges if source == state]
        return found or [(state, NO_EVENT)]

    def _beyond(self) -> list[Position]:
        return [(-number - 1, NO_EVENT) for number in range(len(self._anything))]

    @cached_property
    def _positions(self) -> list[Position]:
        found: dict[Position, None] = dict.fromkeys((state, NO_EVENT) for state in range(self.system.states))
        found |= dict.fromkeys((target, event) for _, event, target in self.system.edges)
        return list(found)

    # Sound guesses

    @cached_property
    def _sound_inside(self) -> set[Node]:
        return self._sound({position: self.steps(position) for position in self._positions})

    @cached_property
    def _sound_beyond(self) -> set[Node]:
        beyond = self._beyond()
        steps = {position: self.steps(position) or beyond for position in self._positions}
        return self._sound(steps | dict.fromkeys(beyond, beyond))

    @cached_property
    def _sound_anywhere(self) -> set[Node]:
        """As if anything could follow every position."""
        beyond = self._beyond()
        return self._sound(dict.fromkeys([*self._positions, *beyond], beyond))

    def _sound(self, steps: dict[Position, list[Position]]) -> set[Node]:
        """Positions with guesses from which a run with these steps keeps what they promise."""
        backwards: Graph = {}
        for position, following in steps.items():
            for after, guess in product(following, self._guesses):
                backwards.setdefault((after, guess), set()).add((position, self.before(position, after, guess)))
        recurring = (part for part in _components(backwards) if self._keeps(part))
        return _closure({node for part in recurring for node in part}, backwards)

    def _keeps(self, component: set[Node]) -> bool:
        """Whether a run around a component puts nothing off for ever."""
        truths = [self._truth(self.letter(position), guess) for position, guess in component]
        for part in self._temporal:
            if part[0] == "next":
                continue
            right = self._inner(part, 2)
            if part[0] == "until" and not any(truth[right] or not truth[part] for truth in truths):
                return False
            if part[0] == "release" and not any(truth[part] or not truth[right] for truth in truths):
                return False
        return True

    # Runs

    def start(self, state: int) -> Place:
        position = (state, NO_EVENT)
        letter = self.letter(position)
        return Place(position, frozenset((g, self._truth(letter, g)[self.formula]) for g in self._guesses))

    def after(self, place: Place, event: str, target: int) -> Place:
        """The place after an edge of the system."""
        position = (target, event)
        known: dict[Guess, list[bool]] = {}
        for guess, truth in place.traced:
            known.setdefault(guess, []).append(truth)
        traced = {
            (guess, truth)
            for guess in self._guesses
            for truth in known.get(self.before(place.position, position, guess), ())
        }
        return Place(position, frozenset(traced))

    def future(self, place: Place) -> Future:
        if place not in self._futures:
            self._futures[place] = self._future(place)
        return self._futures[place]

    def _future(self, place: Place) -> Future:
        surely = {truth: self._has(place, self._sound_inside, truth) for truth in (True, False)}
        for later in self.reached(place):
            decided = {truth: self._has(later, self._sound_anywhere, truth) for truth in (True, False)}
            for truth in (True, False):
                surely[truth] = surely[truth] or not decided[not truth]
        return Future(
            self._has(place, self._sound_beyond, False),
            self._has(place, self._sound_beyond, True),
            surely[False],
            surely[True],
        )

    def is_violated(self, place: Place) -> bool:
        """Whether the formula is false whatever follows, in this system or in any other."""
        return not self._has(place, self._sound_anywhere, True)

    @staticmethod
    def _has(place: Place, sound: set[Node], wanted: bool) -> bool:
        return any(truth == wanted and (place.position, guess) in sound for guess, truth in place.traced)

    def reached(self, place: Place) -> Iterator[Place]:
        """All places that a run may come to, this one first."""
        seen, todo = {place}, [place]
        while todo:
            here = todo.pop()
            yield here
            for _, later in self.leaving(here):
                if later not in seen:
                    seen.add(later)
                    todo.append(later)

    def leaving(self, place: Place) -> list[tuple[int, Place]]:
        """The numbers of the edges of the system that leave a place, and where they lead."""
        return [
            (number, self.after(place, event, target))
            for number, (source, event, target) in enumerate(self.system.edges)
            if source == place.state
        ]


def holds_on(word: list[tuple[bool, ...]], loop: int, formula: Formula, atoms: list[str]) -> bool:
    """Whether a formula is true of the run with these letters that goes on at `loop` after the last one."""
    return _Lasso(word, loop, atoms).truth(formula, 0)


class _Lasso:
    """A run that comes back; an `until` is looked for along twice its length, as far as anything new can come."""

    def __init__(self, word: list[tuple[bool, ...]], loop: int, atoms: list[str]) -> None:
        self._word = word
        self._atoms = atoms
        self._following = [*range(1, len(word)), loop]

    def truth(self, part: Formula, at: int) -> bool:
        inner = [inside for inside in part[1:] if isinstance(inside, tuple)]
        match part[0]:
            case "atom":
                return self._word[at][self._atoms.index(str(part[1]))]
            case "true" | "false":
                return part[0] == "true"
            case "not":
                return not self.truth(inner[0], at)
            case "and":
                return all(self.truth(inside, at) for inside in inner)
            case "or":
                return any(self.truth(inside, at) for inside in inner)
            case "next":
                return self.truth(inner[0], self._following[at])
            case "release":
                return not self._until(("not", inner[0]), ("not", inner[1]), at)
        return self._until(inner[0], inner[1], at)

    def _until(self, left: Formula, right: Formula, at: int) -> bool:
        for _ in range(2 * len(self._word)):
            if self.truth(right, at):
                return True
            if not self.truth(left, at):
                return False
            at = self._following[at]
        return False


def _closure(seeds: set[Node], backwards: Graph) -> set[Node]:
    found, todo = set(seeds), list(seeds)
    while todo:
        for earlier in backwards.get(todo.pop(), ()):
            if earlier not in found:
                found.add(earlier)
                todo.append(earlier)
    return found


def _components(backwards: Graph) -> Iterator[set[Node]]:
    """Sets of nodes that all reach each other, and themselves."""
    forwards: Graph = {}
    for node, earlier in backwards.items():
        for other in earlier:
            forwards.setdefault(other, set()).add(node)
    done: set[Node] = set()
    for node in backwards:
        if node in done or node not in forwards:
            continue
        behind = _closure(forwards[node], forwards)
        if node in behind:
            component = {other for other in _closure({node}, backwards) if other in behind}
            done |= component
            yield component
