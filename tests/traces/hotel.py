"""The hotel of *Unifying interactive simulation and counter-example exploration*."""

from __future__ import annotations

from itertools import product
from typing import TypeVar

from otsrw.traces import Label, Lts
from otsrw.traces.product import Safety

State = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[frozenset[tuple[int, int]], ...]]
NOBODY = -1
T = TypeVar("T")


def hotel(guests: int, rooms: list[int]) -> tuple[Lts, Safety]:
    """All states reachable with some guests and keys per room, and what may not happen.

    A state is the keys in the locks, the last keys issued, the occupants, and the keys of each guest.
    """
    starts: list[State] = [
        (keys, keys, (NOBODY,) * len(rooms), (frozenset(),) * guests) for keys in product(*(range(n) for n in rooms))
    ]
    numbers = {state: number for number, state in enumerate(starts)}
    queue = list(starts)
    edges: list[tuple[int, Label, int]] = []
    bad = set()
    for state in queue:
        for label, after, violates in events(state, guests, rooms):
            if after not in numbers:
                numbers[after] = len(numbers)
                queue.append(after)
            if violates:
                bad.add(len(edges))
            edges.append((numbers[state], label, numbers[after]))
    lts = Lts.of(len(numbers), range(len(starts)), edges)
    return lts, Safety(bad_transitions=frozenset(bad))


def events(state: State, guests: int, rooms: list[int]) -> list[tuple[Label, State, bool]]:
    current, last, occupant, keys = state
    found: list[tuple[Label, State, bool]] = []
    for g in range(guests):
        for r, count in enumerate(rooms):
            if occupant[r] == NOBODY and last[r] + 1 < count:
                k = last[r] + 1
                given = put(keys, g, keys[g] | {(r, k)})
                found.append(
                    (Label("In", (f"g{g}", f"r{r}")), (current, put(last, r, k), put(occupant, r, g), given), False)
                )
            strange = occupant[r] not in (NOBODY, g)
            for room, k in sorted(keys[g]):
                if room == r and k == current[r] + 1:
                    after = (put(current, r, k), last, occupant, keys)
                    found.append((Label("Entry", (f"g{g}", f"r{r}", f"k{k}")), after, strange))
                if room == r and k == current[r]:
                    found.append((Label("Reentry", (f"g{g}", f"r{r}", f"k{k}")), state, strange))
        if g in occupant:
            left = tuple(NOBODY if guest == g else guest for guest in occupant)
            found.append((Label("Out", (f"g{g}",)), (current, last, left, keys), False))
    return found


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])
