"""What an exploration shows: a JSON document, and the state in focus next to the one after it."""

from __future__ import annotations

from typing import Any

from otsrw.report.documents import header, problems_document
from otsrw.report.simplify import claim_document
from otsrw.report.traces import shown
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.traces.claims import Claim
from otsrw.traces.exploration import Answer, FocusView, Possibility
from otsrw.traces.explorer import Explorer
from otsrw.traces.trace import label_document

STILL_TO_DO = "(still to do)"
"""Names the row that tells what a formula remembers; no observer has brackets around its name."""
SIGNS = {Possibility.POSSIBLE: "+", Possibility.IMPOSSIBLE: "-", Possibility.UNKNOWN: "?", Possibility.UNKNOWN_YET: "?"}


def explore_document(
    claim: Claim,
    explorer: Explorer | None,
    answers: list[tuple[str, Answer]],
    nothing: str | None,
    problems: list[Diagnostic],
) -> dict[str, Any]:
    """One object for each verb, and the run that is on display at the end; `nothing` says why there is none."""
    document = header("explore") | {"property": claim_document(claim) if claim else None}
    if explorer is not None:
        tables = explorer.tables
        document |= {"states": tables.lts.states, "frontier": len(tables.lts.frontier), "complete": tables.complete}
    document["nothing_to_explore"] = nothing
    document["answers"] = [answer_document(command, answer) for command, answer in answers]
    if explorer is not None:
        document["trace"] = explorer.export().to_document()
    return document | problems_document(problems)


def answer_document(command: str, answer: Answer) -> dict[str, Any]:
    return {
        "verb": command.strip(),
        "answer": str(answer.possibility),
        "reason": answer.reason,
        "view": view_document(answer.view),
    }


def view_document(view: FocusView) -> dict[str, Any]:
    return {
        "focus": view.focus,
        "length": view.length,
        "loop": view.loop,
        "observers": dict(view.observers),
        "event": label_document(view.event),
        "outcome": None if view.outcome is None else dict(view.outcome),
        "changed": list(view.changed),
        "types": {kind: str(how) for kind, how in view.types.items()},
        "violated": view.violated,
        "neighbourhood": view.neighbourhood,
        "still_to_do": list(view.still_to_do),
    }


def answer_line(answer: Answer) -> str:
    """Where the focus is and what comes next; or why a verb could not be done."""
    if not answer:
        return f"{answer.possibility}: {answer.reason}"
    view = answer.view
    event = ending(view) if view.event is None else f"then {view.event}"
    marks = [text for text, wanted in (("violated", view.violated), ("neighbourhood", view.neighbourhood)) if wanted]
    return "; ".join([f"state {view.focus} of {view.length}", *marks, event])


def ending(view: FocusView) -> str:
    """What comes after the last state on display."""
    return "the end of the run" if view.loop is None else f"this is state {view.loop} again, and so on for ever"


def types_line(view: FocusView) -> str:
    """Event types by what is known of them."""
    parts = []
    for possibility in Possibility:
        kinds = [kind for kind, how in view.types.items() if how is possibility]
        if kinds:
            parts.append(f"{possibility}: {', '.join(kinds)}")
    return "; ".join(parts)


def view_table(view: FocusView) -> Any:
    """Two states side by side; what differs is marked."""
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for heading in ("", "observer", f"state {view.focus}", "" if view.event is None else f"after {view.event}"):
        table.add_column(Text(heading), overflow="fold")
    after = view.outcome or {}
    for name, value in view.observers.items():
        style = "bold" if name in view.changed else ""
        then = shown(after[name]) if name in after else ""
        table.add_row("*" if style else "", Text(name, style), Text(shown(value), style), Text(then, style))
    if view.still_to_do:
        style = "bold" if is_remembered_anew(view) else ""
        table.add_row("*" if style else "", STILL_TO_DO, *(Text(text, style) for text in view.still_to_do))
    return table


def is_remembered_anew(view: FocusView) -> bool:
    """Whether the next event changes what a formula remembers."""
    return len(set(view.still_to_do)) > 1
