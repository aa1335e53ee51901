"""Random systems of processes that are all alike, with the exchanges of two of them; and permutations by force."""

from __future__ import annotations

from itertools import permutations, product

from hypothesis import strategies as st

from otsrw.traces import Label, Lts, Safety
from otsrw.traces.orbits import Exchange

PROCESSES = ("p", "q", "r")
LOCAL, SHARED = range(3), range(2)

GlobalState = tuple[tuple[int, ...], int]
Rule = tuple[str, int, int, int, int]
"""A name; the local and the shared state before; both after."""


def instance(rules: list[Rule], together: int) -> tuple[Lts, Safety, list[Exchange]]:
    """All reachable states of three processes that obey the rules; it is bad if two are in a local state at once."""
    start: GlobalState = ((0, 0, 0), 0)
    numbers, order = {start: 0}, [start]
    edges = []
    for local, shared in order:
        for name, before, shared_before, after, shared_after in rules:
            for number, process in enumerate(PROCESSES):
                if local[number] == before and shared == shared_before:
                    moved = ((*local[:number], after, *local[number + 1 :]), shared_after)
                    if moved not in numbers:
                        numbers[moved] = len(order)
                        order.append(moved)
                    edges.append((numbers[local, shared], Label(name, (process,)), numbers[moved]))
    observers = [*(f"pc({process})" for process in PROCESSES), "shared"]
    lts = Lts.of(len(order), [0], dict.fromkeys(edges), observers, [(*local, shared) for local, shared in order])
    bad = frozenset(number for number, (local, _) in enumerate(order) if local.count(together) > 1)
    exchanges = []
    for other in (1, 2):
        renaming = {PROCESSES[0]: PROCESSES[other], PROCESSES[other]: PROCESSES[0]}
        exchanges.append(_exchange(order, numbers, renaming))
    return lts, Safety(bad), exchanges


def _exchange(order: list[GlobalState], numbers: dict[GlobalState, int], renaming: dict[str, str]) -> Exchange:
    one, other = renaming

    def state(number: int) -> int | None:
        return numbers.get(moved_state(order[number], renaming))

    return Exchange((one, other), state, lambda label: moved_label(label, renaming))


def moved_state(state: GlobalState, renaming: dict[str, str]) -> GlobalState:
    local, shared = state
    where = {renaming.get(process, process): value for process, value in zip(PROCESSES, local, strict=True)}
    return tuple(where[process] for process in PROCESSES), shared


def moved_label(label: Label, renaming: dict[str, str]) -> Label:
    return Label(label.transition, tuple(renaming.get(argument, argument) for argument in label.arguments))


def renamings() -> list[dict[str, str]]:
    return [dict(zip(PROCESSES, images, strict=True)) for images in permutations(PROCESSES)]


def global_state(lts: Lts, state: int) -> GlobalState:
    *local, shared = lts.valuations[state]
    return tuple(map(int, local)), int(shared)


rules = st.lists(
    st.sampled_from(
        [
            (name, *values)
            for name, values in product("ab", product(LOCAL, SHARED, LOCAL, SHARED))
            if values[0] != values[2] or values[1] != values[3]
        ]
    ),
    min_size=1,
    max_size=5,
    unique=True,
)
symmetric_systems = st.builds(instance, rules, st.sampled_from([1, 2]))
