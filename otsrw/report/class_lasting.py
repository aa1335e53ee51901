"""Whether classes of counterexamples last, as sentences and as a part of a document."""

from __future__ import annotations

from typing import Any

from otsrw.records import dataclass
from otsrw.report.decisions import run_text
from otsrw.report.words import counted
from otsrw.traces.lasting_classes import ClassLasts, LastingClasses


@dataclass(frozen=True, slots=True)
class ClassLasting:
    """What was found, and how many states were allowed; `found` is None if no larger bound could be tried."""

    found: LastingClasses | None
    max_states: int


def class_lasting_lines(lasts: ClassLasting) -> list[str]:
    """What became of each class, with runs that show what does not last."""
    found = lasts.found
    if found is None:
        return [
            f"does it last? no larger bound could be tried with {counted(lasts.max_states, 'state')} (--max-states)"
        ]
    within = "runs of any length" if found.bound is None else f"runs of up to {counted(found.bound, 'step')}"
    lines = [f"does it last? tried with {within}, {counted(found.lts.states, 'state')}:"]
    for number, answer in enumerate(found.answers, 1):
        if answer.satisfying is not None:
            lines.append(f"  class {number} does not: this run has its facts and violates nothing:")
            lines.append(f"    {run_text(found.lts, answer.satisfying)}")
        elif answer.lasts is None:
            lines.append(f"  class {number}: too much work to find out")
        else:
            lines.append(f"  class {number} lasts: each of these runs that has its facts is a counterexample")
    if found.covers.satisfying is not None:
        lines.append("  the classes do not cover all counterexamples any more: this one is in none of them:")
        lines.append(f"    {run_text(found.lts, found.covers.satisfying)}")
    elif found.covers.lasts is None:
        lines.append("  whether the classes cover all counterexamples is too much work to find out")
    else:
        lines.append("  the classes cover all counterexamples")
    return lines


def class_lasting_document(lasts: ClassLasting) -> dict[str, Any]:
    found = lasts.found
    if found is None:
        return {"tried": False}

    def answer(given: ClassLasts) -> dict[str, Any]:
        run = None if given.satisfying is None else given.satisfying.trace(found.lts).to_document()
        return {"lasts": given.lasts, "run": run}

    return {
        "tried": True,
        "bound": found.bound,
        "states": found.lts.states,
        "classes": [answer(given) for given in found.answers],
        "covers": answer(found.covers),
    }
