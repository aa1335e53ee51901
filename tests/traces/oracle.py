"""Prefixes, suffixes, colours and neighbourhoods by enumeration of runs: slow, and written from the definitions alone.

Cutting a loop out of a run never makes it match more, so the least values are taken over elementary paths and lassos;
the greatest ones ask for a label, then for the next one in what can be reached after it.
"""

from __future__ import annotations

from collections.abc import Iterator

Edge = tuple[int, str, int]


def prefix_length(k: tuple[str, ...], word: list[str]) -> int:
    """The length of the longest prefix of k that is a subsequence of the word."""
    length = 0
    for label in word:
        if length < len(k) and k[length] == label:
            length += 1
    return length


def suffix_length(k: tuple[str, ...], word: list[str]) -> int:
    return prefix_length(k[::-1], word[::-1])


def elementary_paths(edges: list[Edge], start: int) -> Iterator[tuple[list[int], list[str]]]:
    """All paths from a state without repeated states."""
    stack: list[tuple[list[int], list[str]]] = [([start], [])]
    while stack:
        states, word = stack.pop()
        yield states, word
        for source, label, target in edges:
            if source == states[-1] and target not in states:
                stack.append(([*states, target], [*word, label]))


def maximal_words(edges: list[Edge], start: int, rounds: int) -> Iterator[list[str]]:
    """Words of elementary runs into a deadlock, and of lassos with the loop unrolled."""
    for states, word in elementary_paths(edges, start):
        leaving = [edge for edge in edges if edge[0] == states[-1]]
        if not leaving:
            yield word
        for _, label, target in leaving:
            if target in states:
                entry = states.index(target)
                yield word[:entry] + [*word[entry:], label] * rounds


def closure(edges: list[Edge], start: int) -> set[int]:
    return {states[-1] for states, _ in elementary_paths(edges, start)}


def longest_from(edges: list[Edge], start: int, k: tuple[str, ...]) -> int:
    """The length of the longest prefix of k on some path from a state."""
    if not k:
        return 0
    after = closure(edges, start)
    nexts = [target for source, label, target in edges if source in after and label == k[0]]
    return max((1 + longest_from(edges, target, k[1:]) for target in nexts), default=0)


def ends_of(edges: list[Edge], starts: set[int], k: tuple[str, ...]) -> set[int]:
    """States where a path from a start that has shown all of k may be."""
    if not k:
        return set().union(*(closure(edges, start) for start in starts)) if starts else set()
    after = set().union(*(closure(edges, start) for start in starts)) if starts else set()
    return ends_of(edges, {t for s, label, t in edges if s in after and label == k[0]}, k[1:])


class Oracle:
    def __init__(self, states: int, initial: list[int], edges: list[Edge], k: tuple[str, ...]) -> None:
        n = len(k)
        reached = set().union(*(closure(edges, state) for state in initial))
        everywhere = range(states)
        self.cp = [
            min(
                (
                    prefix_length(k, word)
                    for start in initial
                    for path, word in elementary_paths(edges, start)
                    if path[-1] == state
                ),
                default=-1,
            )
            for state in everywhere
        ]
        showing = [ends_of(edges, set(initial), k[:length]) for length in range(n + 1)]
        self.mp = [max((j for j in range(n + 1) if state in showing[j]), default=-1) for state in everywhere]
        self.cs = [min(suffix_length(k, word) for word in maximal_words(edges, state, n + 1)) for state in everywhere]
        self.ms = [max(j for j in range(n + 1) if longest_from(edges, state, k[n - j :]) == j) for state in everywhere]
        self.holds = all(self.cs[state] == n for state in initial)
        self.colours = []
        for source, label, target in edges:
            if source not in reached:
                self.colours.append("unreached")
                continue
            least = prefix_length(k[self.cp[source] :], [label]) + self.cp[source]
            greatest = prefix_length(k[self.mp[source] :], [label]) + self.mp[source]
            if least + self.cs[target] >= n:
                self.colours.append("correct")
            elif greatest + self.ms[target] < n:
                self.colours.append("incorrect")
            else:
                self.colours.append("neutral")
        self.edges = edges

    def neighbourhoods(self, some: bool = False) -> dict[int, str]:
        found: dict[int, str] = {}
        if self.holds:
            return found
        for state in range(len(self.cp)):
            into = [c for (_, _, t), c in zip(self.edges, self.colours, strict=True) if t == state and c != "unreached"]
            out = {c for (s, _, _), c in zip(self.edges, self.colours, strict=True) if s == state and c != "unreached"}
            past = (some and "neutral" in into) or set(into) <= {"neutral"}
            if past and out & {"correct", "incorrect"}:
                kinds = [("correct", "G"), ("incorrect", "R")]
                kind = "".join(letter for word, letter in kinds if word in out)
                found[state] = kind + "B" if kind == "GR" and "neutral" in out else kind
        return found
