"""A run as a sequence chart: who does what to whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from otsrw.traces.lts import Lts
from otsrw.traces.trace import Trace


@dataclass(frozen=True, slots=True)
class Arrow:
    """Step number `step`: from one to another, or at one alone; nobody's if its label names none."""

    step: int
    source: str | None
    target: str | None
    text: str


def people_of(lts: Lts, entities: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The entities between whom most events happen: those of the sort that labels name two of."""

    def meetings(names: Sequence[str]) -> int:
        return sum(len(set(event.arguments) & set(names)) > 1 for event in lts.events)

    best = max(entities.values(), key=meetings, default=())
    return tuple(best) if meetings(best) else ()


def sequence_of(trace: Trace, people: tuple[str, ...]) -> list[Arrow]:
    """An arrow for each step, from the first of the people in its label to the second."""
    arrows = []
    for state in trace.states:
        if state.label is None:
            continue
        named = list(dict.fromkeys(a for a in state.label.arguments if a in people))
        others = [a for a in state.label.arguments if a not in people]
        text = f"{state.label.transition}({', '.join(others)})" if others else state.label.transition
        source = named[0] if named else None
        arrows.append(Arrow(state.index, source, named[1] if len(named) > 1 else source, text))
    return arrows
