"""Inev(l1..ln): on every maximal trace l1 occurs, later l2, and so on; prefixes and suffixes of it in every state.

*Counterexample Simplification for Liveness Property Violation*, Definitions 3 to 11. As n labels have n + 1 prefixes, a
prefix or suffix is its length. Everything is O(n (states + transitions)): common prefixes by buckets, greatest prefixes
and suffixes by strong components, common suffixes by n backward closures.

A frontier state may be followed by anything: its common suffix is empty and its greatest suffix is everything.
"""

from __future__ import annotations

from collections.abc import Sequence

from otsrw.records import dataclass
from otsrw.traces.colours import Colour
from otsrw.traces.lts import Lts
from otsrw.traces.matching import ActionSequence

UNREACHED = -1


@dataclass(frozen=True, slots=True)
class EnrichedLts:
    """Definition 9: for each state how much of the sequence lies before it and after it.

    `cp` and `mp` are the least and the greatest prefix on traces that lead to a state (`UNREACHED` if none does), `cs`
    and `ms` the least and the greatest suffix on maximal traces that leave it.
    """

    lts: Lts
    sequence: ActionSequence
    cp: list[int]
    mp: list[int]
    cs: list[int]
    ms: list[int]

    @property
    def holds(self) -> bool:
        return all(self.cs[state] == len(self.sequence) for state in self.lts.initial)


def enrich(lts: Lts, sequence: ActionSequence) -> EnrichedLts:
    component, count = lts.components
    inside = _steps_inside(lts, sequence, component, count)
    return EnrichedLts(
        lts,
        sequence,
        common_prefixes(lts, sequence),
        _greatest_prefixes(lts, sequence, component, inside),
        common_suffixes(lts, sequence),
        _greatest_suffixes(lts, sequence, component, inside),
    )


def colours_of(enriched: EnrichedLts) -> bytes:
    """A colour for each transition (Definitions 10 and 11)."""
    lts, steps, n = enriched.lts, enriched.sequence.steps, len(enriched.sequence)
    cp, mp, cs, ms = enriched.cp, enriched.mp, enriched.cs, enriched.ms
    colours = bytearray(len(lts.sources))
    for number, (source, action, target) in enumerate(zip(lts.sources, lts.actions, lts.targets, strict=True)):
        least, greatest = cp[source], mp[source]
        if least < 0:
            colours[number] = Colour.UNREACHED
            continue
        bits = steps[action]
        if least + (bits >> least & 1) + cs[target] >= n:
            colours[number] = Colour.CORRECT
        elif greatest + (bits >> greatest & 1) + ms[target] < n:
            colours[number] = Colour.INCORRECT
    return bytes(colours)


def common_prefixes(lts: Lts, sequence: ActionSequence) -> list[int]:
    """Least prefixes by Dijkstra's algorithm, with a bucket for each length."""
    n, steps = len(sequence), sequence.steps
    offsets, order = lts.outgoing.offsets, lts.outgoing.transitions
    actions, targets = lts.actions, lts.targets
    cp = [UNREACHED] * lts.states
    buckets: list[list[int]] = [[] for _ in range(n + 1)]
    buckets[0] = list(lts.initial)
    for length in range(n + 1):
        bucket = buckets[length]
        while bucket:
            state = bucket.pop()
            if cp[state] >= 0:
                continue
            cp[state] = length
            for position in range(offsets[state], offsets[state + 1]):
                transition = order[position]
                target = targets[transition]
                if cp[target] < 0:
                    buckets[length + (steps[actions[transition]] >> length & 1)].append(target)
    return cp


def common_suffixes(lts: Lts, sequence: ActionSequence) -> list[int]:
    """Least suffixes over maximal traces: n minus the least j such that l(j+1)..ln is inevitable."""
    n = len(sequence)
    cs = [0] * lts.states
    missed = bytearray(lts.states)
    for number in reversed(range(n)):
        missed = _can_miss(lts, sequence.actions(number), missed)
        for state in range(lts.states):
            if not missed[state]:
                cs[state] = n - number
    return cs


def _can_miss(lts: Lts, wanted: bytearray, missed_later: bytearray) -> bytearray:
    """States from which some maximal trace never takes a wanted action, or takes one into `missed_later`.

    These are the states from which other actions lead to an end of a trace or to such a wanted action, and of the rest
    those that can go on for ever with other actions.
    """
    choices = [0] * lts.states
    missed = bytearray(lts.states)
    for source, action, target in zip(lts.sources, lts.actions, lts.targets, strict=True):
        if not wanted[action]:
            choices[source] += 1
        elif missed_later[target]:
            missed[source] = 1
    out = lts.outgoing.offsets
    for state in range(lts.states):
        if out[state] == out[state + 1]:
            missed[state] = 1
    for state in lts.frontier:
        missed[state] = 1
    _add_origins(lts, wanted, missed)
    return bytearray(not is_stuck for is_stuck in _stuck(lts, wanted, missed, choices))


def _add_origins(lts: Lts, wanted: bytearray, marked: bytearray) -> None:
    """Mark all states from which actions that are not wanted lead to a marked state."""
    actions, sources, offsets, order = lts.actions, lts.sources, lts.incoming.offsets, lts.incoming.transitions
    stack = [state for state in range(lts.states) if marked[state]]
    while stack:
        state = stack.pop()
        for position in range(offsets[state], offsets[state + 1]):
            transition = order[position]
            source = sources[transition]
            if not marked[source] and not wanted[actions[transition]]:
                marked[source] = 1
                stack.append(source)


def _stuck(lts: Lts, wanted: bytearray, missed: bytearray, choices: list[int]) -> bytearray:
    """States outside `missed` that cannot go on for ever with actions that are not wanted.

    `choices` counts the transitions of each state with such actions; it is used up.
    """
    actions, sources, offsets, order = lts.actions, lts.sources, lts.incoming.offsets, lts.incoming.transitions
    stack = [state for state in range(lts.states) if not missed[state] and not choices[state]]
    stuck = bytearray(lts.states)
    for state in stack:
        stuck[state] = 1
    while stack:
        state = stack.pop()
        for position in range(offsets[state], offsets[state + 1]):
            transition = order[position]
            source = sources[transition]
            if not missed[source] and not wanted[actions[transition]]:
                choices[source] -= 1
                if not choices[source]:
                    stuck[source] = 1
                    stack.append(source)
    return stuck


def _steps_inside(lts: Lts, sequence: ActionSequence, component: Sequence[int], count: int) -> list[int]:
    """For each component the steps of the sequence that its own transitions can take."""
    inside = [0] * count
    for source, action, target in zip(lts.sources, lts.actions, lts.targets, strict=True):
        if sequence.steps[action] and component[source] == component[target]:
            inside[component[source]] |= sequence.steps[action]
    return inside


def _greatest_prefixes(lts: Lts, sequence: ActionSequence, component: Sequence[int], inside: list[int]) -> list[int]:
    """Sources first: the best way in, then whatever the component itself can add."""
    n, steps = len(sequence), sequence.steps
    best = [UNREACHED] * len(inside)
    for state in lts.initial:
        best[component[state]] = 0
    offsets, order = lts.outgoing.offsets, lts.outgoing.transitions
    for number, members in _members(component, len(inside), sinks_first=False):
        length = best[number]
        if length < 0:
            continue
        while length < n and inside[number] >> length & 1:
            length += 1
        best[number] = length
        for state in members:
            for position in range(offsets[state], offsets[state + 1]):
                transition = order[position]
                target = component[lts.targets[transition]]
                reached = length + (steps[lts.actions[transition]] >> length & 1)
                best[target] = max(best[target], reached)
    return [best[number] for number in component]


def _greatest_suffixes(lts: Lts, sequence: ActionSequence, component: Sequence[int], inside: list[int]) -> list[int]:
    """Sinks first: the best way out, preceded by whatever the component itself can add."""
    n, steps = len(sequence), sequence.steps
    best = [0] * len(inside)
    for state in lts.frontier:
        best[component[state]] = n
    offsets, order = lts.outgoing.offsets, lts.outgoing.transitions
    for number, members in _members(component, len(inside), sinks_first=True):
        length = best[number]
        for state in members:
            for position in range(offsets[state], offsets[state + 1]):
                transition = order[position]
                after = best[component[lts.targets[transition]]]
                if after < n and steps[lts.actions[transition]] >> (n - 1 - after) & 1:
                    after += 1
                length = max(length, after)
        while length < n and inside[number] >> (n - 1 - length) & 1:
            length += 1
        best[number] = length
    return [best[number] for number in component]


def _members(component: Sequence[int], count: int, sinks_first: bool) -> list[tuple[int, list[int]]]:
    members: list[list[int]] = [[] for _ in range(count)]
    for state, number in enumerate(component):
        members[number].append(state)
    pairs = list(enumerate(members))
    return pairs if sinks_first else pairs[::-1]
