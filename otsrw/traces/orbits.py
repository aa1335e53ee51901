"""Neighbourhoods and runs that are the same but for the names of entities.

An `Exchange` lets two interchangeable entities take each other's place in a system. Permutations are made of exchanges:
what one exchange after the other makes of something is what a permutation makes of it. Nothing is taken on trust: two
neighbourhoods, or two runs, are put together only if an exchange takes each part of the one to a part of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from otsrw.records import dataclass, replace
from otsrw.traces.lts import Lts, Path
from otsrw.traces.neighbourhoods import Neighbourhood
from otsrw.traces.trace import Label
from otsrw.traces.unfolding import Unfolding

_Item = TypeVar("_Item", bound=Hashable)


@dataclass(frozen=True, eq=False, slots=True)
class Exchange:
    """Two entities that take each other's place, and what becomes of states and labels."""

    names: tuple[str, str]
    state: Callable[[int], int | None]
    """The state that a state becomes; None if the graph does not have it."""
    label: Callable[[Label], Label]


def lifted(exchange: Exchange, unfolding: Unfolding) -> Exchange:
    """The exchange in the product with a formula that names neither of the entities: what it remembers stays."""
    nodes = {key: node for node, key in enumerate(zip(unfolding.states, unfolding.memories, strict=True))}

    def image(node: int) -> int | None:
        state = exchange.state(unfolding.states[node])
        return None if state is None else nodes.get((state, unfolding.memories[node]))

    return replace(exchange, state=image)


def neighbourhood_orbits(
    lts: Lts, colours: bytes, found: Sequence[Neighbourhood], exchanges: Sequence[Exchange]
) -> list[tuple[Neighbourhood, ...]]:
    """The neighbourhoods, those that exchanges make of each other together; the first one of each comes first.

    An exchange has to take the transitions that leave the one to those that leave the other, with their colours.
    """
    by_state = {neighbourhood.state: neighbourhood for neighbourhood in found}

    def image(one: Neighbourhood, exchange: Exchange) -> Neighbourhood | None:
        state = exchange.state(one.state)
        other = None if state is None else by_state.get(state)
        if other is None or other.type != one.type:
            return None
        leaving = {(lts.event(t), lts.targets[t], colours[t]) for t in other.outgoing}
        moved = {(exchange.label(lts.event(t)), exchange.state(lts.targets[t]), colours[t]) for t in one.outgoing}
        return other if moved == leaving else None

    return connected(found, exchanges, image)


def run_orbits(lts: Lts, runs: Sequence[Path], exchanges: Sequence[Exchange]) -> list[tuple[Path, ...]]:
    """The runs, those that exchanges make of each other together; the first one of each comes first."""
    known = {_steps(lts, run): run for run in runs}

    def image(one: Path, exchange: Exchange) -> Path | None:
        states = tuple(exchange.state(state) for state in one.states)
        labels = tuple(exchange.label(lts.event(transition)) for transition in one.transitions)
        return known.get((states, labels, one.loop))

    return connected(runs, exchanges, image)


def _steps(lts: Lts, run: Path) -> tuple[tuple[int | None, ...], tuple[Label, ...], int | None]:
    return run.states, tuple(lts.event(transition) for transition in run.transitions), run.loop


def connected(
    items: Iterable[_Item], exchanges: Sequence[Exchange], image: Callable[[_Item, Exchange], _Item | None]
) -> list[tuple[_Item, ...]]:
    """The items, those that are connected by images together, in the order in which they are given."""
    order = list(items)
    following: dict[_Item, list[_Item]] = {item: [] for item in order}
    for item in order:
        for exchange in exchanges:
            other = image(item, exchange)
            if other is not None:
                following[item].append(other)
                following[other].append(item)
    position = {item: number for number, item in enumerate(order)}
    done: set[_Item] = set()
    found: list[tuple[_Item, ...]] = []
    for item in order:
        if item in done:
            continue
        members, todo = {item}, [item]
        while todo:
            new = [other for other in following[todo.pop()] if other not in members]
            members.update(new)
            todo += new
        done |= members
        found.append(tuple(sorted(members, key=position.__getitem__)))
    return found
