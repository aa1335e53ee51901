"""From a system and a property to a counterexample that shows only its choices (section 3.4 of the paper).

The abstracted counterexample keeps the actions that enter or leave a neighbourhood. Besides it there are the shortest
path to a neighbourhood, both with a pattern of actions if one is given, and the distance to the bug in neighbourhoods.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from otsrw.display import Displayed
from otsrw.records import dataclass, replace
from otsrw.traces.colours import Colour, Tags
from otsrw.traces.counterexamples import NO_PATTERN, Counterexample, found_counterexample, shortest_path
from otsrw.traces.inevitability import EnrichedLts, colours_of, enrich
from otsrw.traces.lts import Lts, Path
from otsrw.traces.matching import ActionSequence
from otsrw.traces.neighbourhoods import Incoming, Neighbourhood, neighbourhoods_of
from otsrw.traces.product import Inevitability, Product, Safety
from otsrw.traces.temporal import TemporalArena, TemporalProperty
from otsrw.traces.unfolding import Unfolding, unfolded


@dataclass(frozen=True, slots=True)
class Stretch:
    """Steps `first` to `last` of a counterexample, counted from 0, all kept or all dropped."""

    first: int
    last: int
    kept: bool

    def __len__(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True, repr=False, slots=True)
class Simplification(Displayed):
    """Everything that was found; `counterexample` is empty if the property holds (or none shows the pattern).

    It is `unknown` whether the property holds if a violation can only lie behind the frontier of a bounded graph.
    Colours and neighbourhoods are those of `coloured`: for a formula that is the product of the system with it.
    """

    lts: Lts
    holds: bool
    colours: bytes
    neighbourhoods: tuple[Neighbourhood, ...]
    counterexample: Path | None
    abstracted: tuple[Stretch, ...]
    path_to_neighbourhood: Path | None
    distances: tuple[int, ...]
    enriched: EnrichedLts | None = None
    unknown: bool = False
    unfolding: Unfolding | None = None
    """The product of the system with a formula; None for the other properties."""
    shortest: bool = True
    """Whether it is known that no counterexample is shorter."""

    @property
    def coloured(self) -> Lts:
        """The graph whose transitions have colours."""
        return self.lts if self.unfolding is None else self.unfolding.lts

    @property
    def visited(self) -> tuple[int, ...]:
        """The states of the coloured graph on the counterexample, once around its loop."""
        if self.counterexample is None:
            return ()
        return self.counterexample.states if self.unfolding is None else self.unfolding.nodes_of(self.counterexample)

    @property
    def taken(self) -> tuple[int, ...]:
        """The transitions of the coloured graph on the counterexample."""
        if self.counterexample is None:
            return ()
        path, unfolding = self.counterexample, self.unfolding
        return path.transitions if unfolding is None else unfolding.taken_on(path)

    def state_name(self, state: int) -> str:
        """A state of the coloured graph: the number of a state of the system, with a memory if there is one."""
        return str(state) if self.unfolding is None else self.unfolding.name(state)

    @property
    def unreached(self) -> int:
        """How many transitions of the system no run takes."""
        if self.unfolding is None:
            return self.count(Colour.UNREACHED)
        return len(self.lts.sources) - len(set(self.unfolding.transitions))

    def count(self, colour: Colour) -> int:
        return self.colours.count(colour)

    @property
    def verdict(self) -> str:
        return "unknown" if self.unknown else "holds" if self.holds else "violated"

    @property
    def tags(self) -> Tags:
        return Tags(self.colours, {found.state: found.type for found in self.neighbourhoods})

    @property
    def kept(self) -> int:
        """How many actions the abstracted counterexample has."""
        return sum(len(stretch) for stretch in self.abstracted if stretch.kept)


def simplify_inevitability(
    lts: Lts, sequence: ActionSequence, incoming: Incoming = Incoming.ALL, pattern: ActionSequence = NO_PATTERN
) -> Simplification:
    """For Inev(l1..ln), with prefixes and suffixes."""
    enriched, colours = enrich(lts, sequence), b""
    monitor = Inevitability(sequence)
    if lts.frontier:
        product = Product(lts, monitor)
        colours = product.colours()
        if product.holds:
            return Simplification(lts, enriched.holds, colours, (), None, (), None, (), enriched, not enriched.holds)
    colours = colours or colours_of(enriched)
    if enriched.holds:
        return Simplification(lts, True, colours, (), None, (), None, (), enriched)
    found = neighbourhoods_of(lts, colours, incoming)
    return _explained(lts, colours, found, found_counterexample(lts, monitor, pattern), pattern, enriched)


def simplify_safety(
    lts: Lts, safety: Safety, incoming: Incoming = Incoming.ALL, pattern: ActionSequence = NO_PATTERN
) -> Simplification:
    """For an invariant: the bad states, or the bad transitions, are never met."""
    product = Product(lts, safety)
    colours = product.colours()
    if product.holds:
        return Simplification(lts, True, colours, (), None, (), None, ())
    found = neighbourhoods_of(lts, colours, incoming, product.after_violation)
    return _explained(lts, colours, found, found_counterexample(lts, safety, pattern), pattern)


def simplify_temporal(
    lts: Lts, claim: TemporalProperty, incoming: Incoming = Incoming.ALL, pattern: ActionSequence = NO_PATTERN
) -> Simplification:
    """For a formula of temporal logic, on its product with the system."""
    from otsrw.traces.shortest import shortest_violation

    arena = TemporalArena(lts, claim)
    unfolding, colours = unfolded(arena)
    if arena.holds:
        unknown = any(arena.unknown[node] for node in arena.initial)
        return Simplification(lts, not unknown, colours, (), None, (), None, (), None, unknown, unfolding)
    shown = TemporalArena(lts, claim.unless_shown(pattern.names)) if pattern.names else arena
    found = _showing(lts, shortest_violation(shown), pattern)
    explained = _explained(unfolding.lts, colours, neighbourhoods_of(unfolding.lts, colours, incoming), None, pattern)
    explained = replace(explained, lts=lts, unfolding=unfolding)
    return explained if found is None else with_counterexample(explained, found.path, found.shortest)


def with_counterexample(result: Simplification, path: Path, shortest: bool = False) -> Simplification:
    """The same for another counterexample; `shortest` says that none is known to be shorter."""
    states = frozenset(neighbourhood.state for neighbourhood in result.neighbourhoods)
    rounds = [path.states] if result.unfolding is None else result.unfolding.rounds_of(path)
    marks = [any(passed[position] in states for passed in rounds) for position in range(len(rounds[0]))]
    return replace(
        result,
        counterexample=path,
        abstracted=_stretches(marks),
        distances=_distances(rounds[0], path.loop, states),
        shortest=shortest,
    )


def _showing(lts: Lts, found: Counterexample | None, pattern: ActionSequence) -> Counterexample | None:
    """A counterexample that shows the pattern for ever, as one that shows it before it comes back to its loop."""
    while found is not None and found.path.loop is not None and not pattern.is_shown(lts, found.path.transitions):
        path, loop = found.path, found.path.loop
        transitions = path.transitions + path.transitions[loop:]
        again = Path(path.states + path.states[loop + 1 :], transitions, path.length)
        found = Counterexample(again, shortest=False)
    return found


def _explained(
    lts: Lts,
    colours: bytes,
    found: tuple[Neighbourhood, ...],
    counterexample: Counterexample | None,
    pattern: ActionSequence,
    enriched: EnrichedLts | None = None,
) -> Simplification:
    """For a property that is violated, by this run if there is one with the pattern."""
    states = frozenset(neighbourhood.state for neighbourhood in found)
    path = None if counterexample is None else counterexample.path
    return Simplification(
        lts,
        False,
        colours,
        found,
        path,
        abstracted(path, states) if path is not None else (),
        shortest_path(lts, states, pattern) if states else None,
        distances_to_bug(path, states) if path is not None else (),
        enriched,
        shortest=counterexample is None or counterexample.shortest,
    )


def abstracted(counterexample: Path, states: frozenset[int]) -> tuple[Stretch, ...]:
    """The steps of a counterexample that enter or leave one of the states, and the stretches between them."""
    return _stretches([state in states for state in counterexample.states])


def _stretches(marks: Sequence[bool]) -> tuple[Stretch, ...]:
    """Steps next to a marked state are kept, the others are dropped."""
    stretches: list[Stretch] = []
    for step in range(len(marks) - 1):
        kept = marks[step] or marks[step + 1]
        if stretches and stretches[-1].kept == kept:
            stretches[-1] = Stretch(stretches[-1].first, step, kept)
        else:
            stretches.append(Stretch(step, step, kept))
    return tuple(stretches)


def distances_to_bug(counterexample: Path, states: Iterable[int]) -> tuple[int, ...]:
    """For each state of a counterexample, how many neighbourhoods lie between it and the end, itself included."""
    return _distances(counterexample.states, counterexample.loop, frozenset(states))


def _distances(states: Sequence[int], loop: int | None, wanted: frozenset[int]) -> tuple[int, ...]:
    distances: list[int] = []
    ahead = 0
    for position in reversed(range(len(states))):
        repeated = loop is not None and position == len(states) - 1
        ahead += not repeated and states[position] in wanted
        distances.append(ahead)
    return tuple(reversed(distances))
