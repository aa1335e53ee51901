"""Why a counterexample happens, as text and as a part of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from otsrw.report.words import counted
from otsrw.traces.simplification import Simplification

if TYPE_CHECKING:
    from otsrw.traces.causes import CausalSlice

MAX_PREVENTED = 12


def causes_document(result: Simplification, found: CausalSlice | None) -> dict[str, Any] | None:
    if found is None or result.counterexample is None:
        return None
    transitions = result.counterexample.transitions
    return {
        "steps": [
            {
                "step": caused.step + 1,
                "label": result.lts.label(transitions[caused.step]),
                "needed": caused.needed,
                "needs": [other + 1 for other in caused.needs],
                "through": list(caused.through),
            }
            for caused in found.steps
        ],
        "violation_needs": [step + 1 for step in found.violation_needs],
        "droppable": found.droppable,
        "uncertain": found.uncertain,
        "prevented": [
            {"before_step": position + 1, "label": result.coloured.label(transition)}
            for position, transition in found.prevented
        ],
    }


def causes_lines(result: Simplification, found: CausalSlice) -> list[str]:
    """The slice as sentences: a line for each step of the counterexample, then the violation, then what prevents it."""
    path = result.counterexample
    assert path is not None, "there is a slice only of a counterexample"
    lines = ["why:"]
    for caused in found.steps:
        words = [f"{caused.step + 1}. {result.lts.label(path.transitions[caused.step])}"]
        if caused.needs:
            means = f" ({', '.join(caused.through)})" if caused.through else ""
            words.append(f"needs {_steps(caused.needs)}{means}")
        if not caused.needed:
            words.append("can be left out")
        lines.append("  " + "; ".join(words))
    lines.append(f"  the violation needs {_steps(found.violation_needs)}" if found.violation_needs else "")
    unneeded = path.length - len(found.kept)
    if unneeded and found.droppable:
        lines.append(f"  without {counted(unneeded, 'step')} that can be left out the run still violates the property")
    elif unneeded:
        lines.append("  each such step can be left out alone, not all at once")
    if found.uncertain:
        lines.append("  some runs without a step leave the known part of the graph: a need may lie behind the bound")
    lines += _prevented(result, found)
    return [line for line in lines if line]


def _prevented(result: Simplification, found: CausalSlice) -> list[str]:
    if not found.prevented and result.lts.frontier:
        return ["  within the bound nothing is known to prevent every violation"]
    if not found.prevented:
        return ["  nothing that could happen instead of a step prevents every violation"]
    places: dict[str, list[int]] = {}
    for position, transition in reversed(found.prevented):
        places.setdefault(result.coloured.label(transition), []).insert(0, position)
    lines = ["what would have prevented it:"]
    lines += [f"  {label} instead of step {_steps(tuple(steps))}" for label, steps in [*places.items()][:MAX_PREVENTED]]
    if len(places) > MAX_PREVENTED:
        lines.append(f"  and {counted(len(places) - MAX_PREVENTED, 'other event')}, the last of them earlier")
    return lines


def _steps(steps: tuple[int, ...]) -> str:
    """`1, 3 to 5`: numbers counted from 1, those that follow each other as a range."""
    ranges: list[list[int]] = []
    for step in dict.fromkeys(steps):
        if ranges and step == ranges[-1][-1] + 1:
            ranges[-1].append(step)
        else:
            ranges.append([step])
    return ", ".join(
        " to ".join(str(end + 1) for end in (run[0], run[-1])) if len(run) > 2 else ", ".join(str(s + 1) for s in run)
        for run in ranges
    )
