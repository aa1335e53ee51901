"""A run of any system as a sequence chart, from its labels alone: who does what to whom.

The convention is that of `charts`, which draws runs of an OTS and knows what they change: the first person in a label
acts on the second, and what is called `fake...` is done by the intruder, in the name of the first of two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from otsrw.report.charts import FORGED, INTRUDERS
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
    """An arrow for each step."""
    arrows = []
    intruder = next((name for name in people if name.lower() in INTRUDERS), None)
    for state in trace.states:
        if state.label is None:
            continue
        named = list(dict.fromkeys(a for a in state.label.arguments if a in people))
        others = [a for a in state.label.arguments if a not in people]
        text = f"{state.label.transition}({', '.join(others)})" if others else state.label.transition
        if intruder is not None and state.label.transition.startswith(FORGED) and named:
            text += f", as {named[0]}" if len(named) > 1 else ""
            named = [intruder, named[-1]]
        source = named[0] if named else None
        arrows.append(Arrow(state.index, source, named[1] if len(named) > 1 else source, text))
    return arrows
