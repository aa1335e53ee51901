"""Which lemmas of a long run are shown: those that lead to what is open or violated, and a few others."""

from __future__ import annotations

from otsrw.induction.openings import openings_of
from otsrw.induction.results import IgfResult, Node
from otsrw.records import NamedTuple, replace
from otsrw.report.words import counted

MOST_LEMMAS = 12
"""Lemmas that are shown of a run that did not end in a proof."""
_ENDS = 4
"""Of a longer way to an open case, so many lemmas at each end."""
MOST_DROPPED = 4
"""Dropped guesses that are shown."""


class ShortResult(NamedTuple):
    """A result with few lemmas and few dropped guesses, and how many were left out."""

    result: IgfResult
    lemmas: int
    dropped: int


def shortened(result: IgfResult) -> ShortResult:
    """What is to be shown of a result: all lemmas of a proof, some of a run that did not end in one."""
    is_long = len(result.nodes) > MOST_LEMMAS + 1 and not result.is_proved
    nodes = _chosen(result) if is_long else result.nodes
    dropped = result.dropped[:MOST_DROPPED]
    short = replace(result, nodes=nodes, dropped=dropped)
    return ShortResult(short, len(result.nodes) - len(nodes), len(result.dropped) - len(dropped))


def left_out_line(short: ShortResult) -> str:
    """How much is not shown; nothing if all is."""
    parts = [counted(short.lemmas, "lemma")] if short.lemmas else []
    parts += [counted(short.dropped, "dropped lemma")] if short.dropped else []
    return f"not shown: {' and '.join(parts)}; --full shows all" if parts else ""


def _chosen(result: IgfResult) -> dict[str, Node]:
    """The property, the way to the first open case or to the violation, and the lemmas closest to the property."""
    openings = openings_of(result.ots, result.nodes)
    way = list(result.chain) or (_way(result, openings[0].predicate.name) if openings else [])
    if len(way) > 2 * _ENDS:
        way = [*way[:_ENDS], *way[-_ENDS:]]
    closest = sorted(result.nodes, key=lambda name: result.nodes[name].depth)
    kept = set(list(dict.fromkeys((result.invariant.name, *way, *closest)))[: MOST_LEMMAS + 1])
    return {
        name: replace(node, parent=next((each for each in _way(result, name)[-2::-1] if each in kept), None))
        for name, node in result.nodes.items()
        if name in kept
    }


def _way(result: IgfResult, name: str) -> list[str]:
    """The lemmas from the property to one of them, that one included."""
    found: list[str] = []
    step: str | None = name
    while step is not None and step in result.nodes and step not in found:
        found.append(step)
        step = result.nodes[step].parent
    return found[::-1]
