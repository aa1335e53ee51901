"""From a system and a property to a counterexample that shows only its choices (section 3.4 of the paper).

The abstracted counterexample keeps the actions that enter or leave a neighbourhood. Besides it there are the shortest
path to a neighbourhood, both with a pattern of actions if one is given, and the distance to the bug in neighbourhoods.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from otsrw.display import Displayed
from otsrw.traces.colours import Colour, Tags
from otsrw.traces.counterexamples import NO_PATTERN, shortest_counterexample, shortest_path
from otsrw.traces.inevitability import EnrichedLts, colours_of, enrich
from otsrw.traces.lts import Lts, Path
from otsrw.traces.matching import ActionSequence
from otsrw.traces.neighbourhoods import Incoming, Neighbourhood, neighbourhoods_of
from otsrw.traces.product import Inevitability, Product, Safety
from otsrw.traces.temporal import TemporalArena, TemporalProperty, counterexample_of


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
            return Simplification(lts, False, colours, (), None, (), None, (), enriched, not enriched.holds)
    return _simplified(lts, monitor, enriched.holds, colours or colours_of(enriched), incoming, pattern, enriched)


def simplify_safety(
    lts: Lts, safety: Safety, incoming: Incoming = Incoming.ALL, pattern: ActionSequence = NO_PATTERN
) -> Simplification:
    """For an invariant: the bad states, or the bad transitions, are never met."""
    product = Product(lts, safety)
    return _simplified(lts, safety, product.holds, product.colours(), incoming, pattern, None)


def simplify_temporal(
    lts: Lts, claim: TemporalProperty, incoming: Incoming = Incoming.ALL, pattern: ActionSequence = NO_PATTERN
) -> Simplification:
    """For a formula of temporal logic; the counterexample is as short as the way to where it goes round."""
    arena = TemporalArena(lts, claim)
    if arena.holds:
        unknown = any(arena.unknown[node] for node in arena.initial)
        return Simplification(lts, not unknown, arena.colours(), (), None, (), None, (), None, unknown)
    shown = TemporalArena(lts, claim.unless_shown(pattern.names)) if pattern.names else arena
    return _explained(lts, arena.colours(), counterexample_of(shown), incoming, pattern, None)


def _simplified(
    lts: Lts,
    monitor: Safety | Inevitability,
    holds: bool,
    colours: bytes,
    incoming: Incoming,
    pattern: ActionSequence,
    enriched: EnrichedLts | None,
) -> Simplification:
    if holds:
        return Simplification(lts, True, colours, (), None, (), None, (), enriched)
    return _explained(lts, colours, shortest_counterexample(lts, monitor, pattern), incoming, pattern, enriched)


def _explained(
    lts: Lts,
    colours: bytes,
    counterexample: Path | None,
    incoming: Incoming,
    pattern: ActionSequence,
    enriched: EnrichedLts | None,
) -> Simplification:
    """For a property that is violated, by this run if there is one with the pattern."""
    found = neighbourhoods_of(lts, colours, incoming)
    states = frozenset(neighbourhood.state for neighbourhood in found)
    return Simplification(
        lts,
        False,
        colours,
        found,
        counterexample,
        abstracted(counterexample, states) if counterexample is not None else (),
        shortest_path(lts, states, pattern) if states else None,
        distances_to_bug(counterexample, states) if counterexample is not None else (),
        enriched,
    )


def abstracted(counterexample: Path, states: frozenset[int]) -> tuple[Stretch, ...]:
    """The steps of a counterexample that enter or leave one of the states, and the stretches between them."""
    marks = [state in states for state in counterexample.states]
    stretches: list[Stretch] = []
    for step in range(counterexample.length):
        kept = marks[step] or marks[step + 1]
        if stretches and stretches[-1].kept == kept:
            stretches[-1] = Stretch(stretches[-1].first, step, kept)
        else:
            stretches.append(Stretch(step, step, kept))
    return tuple(stretches)


def distances_to_bug(counterexample: Path, states: Iterable[int]) -> tuple[int, ...]:
    """For each state of a counterexample, how many neighbourhoods lie between it and the end, itself included."""
    wanted = frozenset(states)
    distances: list[int] = []
    ahead = 0
    closing = counterexample.loop is not None
    for position in reversed(range(len(counterexample.states))):
        repeated = closing and position == counterexample.length
        ahead += not repeated and counterexample.states[position] in wanted
        distances.append(ahead)
    return tuple(reversed(distances))
