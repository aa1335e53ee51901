"""Whether an explanation lasts, as sentences and as a part of a document."""

from __future__ import annotations

from typing import Any

from otsrw.report.words import counted, grouped, listed
from otsrw.traces.colours import Colour
from otsrw.traces.lasting import AllStatesKnown, Lasting, LastingColours
from otsrw.traces.simplification import Simplification

MAX_CHANGED = 5
ALL_KNOWN = "it lasts: all states are known, no larger bound changes a colour or a neighbourhood"


def lasting_lines(result: Simplification, found: Lasting) -> list[str]:
    """What became of colours and neighbourhoods."""
    if isinstance(found, AllStatesKnown):
        return [ALL_KNOWN]
    lines = [f"does it last? tried with {_part(found)}:"]
    if found.verdict != result.verdict:
        lines.append(f"  the verdict is {found.verdict} there, not {result.verdict}")
    lines.append("  " + _colours(found))
    lines += _limited([f"  {_step(result, c.transition)}, {c.before.word}, is {c.after.word}" for c in found.changed])
    lines.append("  " + _neighbourhoods(found))
    lines += _limited(
        [
            f"  state {result.state_name(changed.before.state)}, {changed.before.type}, "
            + ("is no neighbourhood" if changed.after is None else f"is {changed.after}")
            for changed in found.neighbourhoods_changed
        ]
    )
    return lines


def _part(found: LastingColours) -> str:
    if not found.frontier:
        return f"all states, {grouped(found.states)}"
    steps = f"within {counted(found.depth or 0, 'step')}"
    if found.cut:
        return f"{counted(found.states, 'state')}, all {steps} and some beyond"
    return f"all states {steps}, {grouped(found.states)}"


def _colours(found: LastingColours) -> str:
    known = found.kept + len(found.changed)
    words = [f"{grouped(found.kept)} of {counted(known, 'known colour')} stay"]
    asked = found.unknown + sum(found.settled.values())
    if asked:
        settled = [f"{grouped(number)} {colour.word}" for colour, number in sorted(found.settled.items())]
        told = f", {listed(settled, 5)}" if settled else ""
        words.append(f"{grouped(sum(found.settled.values()))} of {grouped(asked)} unknown ones are known there{told}")
    return "; ".join(words)


def _neighbourhoods(found: LastingColours) -> str:
    count = found.neighbourhoods_kept + len(found.neighbourhoods_changed)
    words = [f"{grouped(found.neighbourhoods_kept)} of {counted(count, 'neighbourhood')} stay"]
    if found.neighbourhoods_added:
        words.append(f"{counted(found.neighbourhoods_added, 'other state')} of the smaller part are some there")
    return "; ".join(words)


def _step(result: Simplification, transition: int) -> str:
    coloured = result.coloured
    return f"{coloured.label(transition)} from state {result.state_name(coloured.sources[transition])}"


def _limited(lines: list[str]) -> list[str]:
    if len(lines) <= MAX_CHANGED:
        return lines
    return [*lines[:MAX_CHANGED], f"  and {len(lines) - MAX_CHANGED} more (--json has all)"]


def lasting_document(result: Simplification, found: Lasting) -> dict[str, Any]:
    if isinstance(found, AllStatesKnown):
        return {"complete": True}
    coloured = result.coloured
    return {
        "complete": False,
        "depth": found.depth,
        "states": found.states,
        "frontier": found.frontier,
        "verdict": found.verdict,
        "colours": {
            "kept": found.kept,
            "changed": [
                {
                    "source": result.state_name(coloured.sources[changed.transition]),
                    "label": coloured.label(changed.transition),
                    "before": changed.before.word,
                    "after": changed.after.word,
                }
                for changed in found.changed
            ],
            "settled": {c.word: found.settled.get(c, 0) for c in (Colour.CORRECT, Colour.INCORRECT, Colour.NEUTRAL)},
            "unknown": found.unknown,
        },
        "neighbourhoods": {
            "kept": found.neighbourhoods_kept,
            "changed": [
                {
                    "state": result.state_name(changed.before.state),
                    "before": str(changed.before.type),
                    "after": None if changed.after is None else str(changed.after),
                }
                for changed in found.neighbourhoods_changed
            ],
            "added": found.neighbourhoods_added,
        },
    }
