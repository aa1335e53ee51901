"""What `otsrw prove` says: a table of goals, a verdict, a JSON document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from otsrw.application.proving import GoalStanding, Proved
from otsrw.induction.results import IgfVerdict
from otsrw.report.case_work import case_work_document
from otsrw.report.check import grounds_document
from otsrw.report.data_lemmas import data_documents
from otsrw.report.documents import header
from otsrw.report.openings import opening_documents, question_page
from otsrw.report.plain_table import PlainTable
from otsrw.report.words import counted
from otsrw.theory.printing import show_plainly

if TYPE_CHECKING:
    from rich.table import Table

_STYLES = {IgfVerdict.VERIFIED: "green", IgfVerdict.VERIFIED_ASSUMING: "yellow", IgfVerdict.UNKNOWN: "yellow"}


def prove_document(proved: Proved, proof: str | None, wanted: str | None, seconds: float) -> dict[str, Any]:
    """The JSON document (docs/schemas/prove.schema.json)."""
    return header("prove") | {
        "verdict": proved.verdict,
        "module": proved.recognised.ots.name,
        "goals": [_goal_document(proved, goal) for goal in proved.goals],
        "rests_on": grounds_document(proved.grounds.obligations),
        "assumptions": grounds_document(proved.grounds.assumed),
        **data_documents(proved.result),
        "proof": proof,
        "wanted_in": wanted,
        "cases": sum(_cases(goal) for goal in proved.goals),
        "work": case_work_document(proved.result.work),
        "seconds": round(seconds, 6),
    }


def _goal_document(proved: Proved, goal: GoalStanding) -> dict[str, Any]:
    return {
        "name": goal.name,
        "kind": "data" if goal.node is None else "goal" if goal.is_root else "lemma",
        "verdict": goal.verdict,
        "reason": goal.reason or None,
        "cases": _cases(goal),
        "uses": [] if goal.node is None else sorted(goal.node.uses),
        "open": [] if goal.node is None else opening_documents(proved.result, goal.name),
    }


def prove_page(proved: Proved, file: str, seconds: float) -> str:
    """The goals and their open cases as one page."""
    from otsrw.report.html import render_page
    from otsrw.report.prooftree import induction_trees

    goals = [_goal_document(proved, goal) | _shown(goal) for goal in proved.goals]
    return render_page(
        "prove.html",
        file=file,
        verdict=proved.verdict,
        sentence=prove_verdict(proved, seconds)[0],
        invariant=", ".join(goal.name for goal in proved.goals if goal.is_root),
        formula="",
        goals=goals,
        proof_trees=induction_trees(proved.result),
        passages="" if proved.score is None else proved.score.text,
        **question_page(proved.result),
    )


def _shown(goal: GoalStanding) -> dict[str, Any]:
    if goal.node is None:
        return {"formula": "", "open": 0, "uses": ""}
    uses = ", ".join(sorted(goal.node.uses - {goal.name}))
    return {"formula": show_plainly(goal.node.predicate.formula), "open": len(goal.node.undecided), "uses": uses}


def _cases(goal: GoalStanding) -> int:
    return 0 if goal.node is None else len(goal.node.cases) + len(goal.node.undecided)


def goal_table(proved: Proved) -> Table:
    from rich.text import Text

    from otsrw.report.tables import titled

    table = titled(_title(proved))
    table.add_column("goal")
    table.add_column("verdict")
    table.add_column("cases", justify="right")
    table.add_column("open", justify="right")
    table.add_column("uses", overflow="fold")
    for goal, (name, verdict, *others) in zip(proved.goals, _rows(proved), strict=True):
        table.add_row(name, Text(verdict, style=_STYLES[goal.verdict]), *others)
    return table


def plain_goal_table(proved: Proved) -> PlainTable:
    """The same table without colours."""
    columns = ("goal", "verdict", "cases", "open", "uses")
    return PlainTable(_title(proved), columns, tuple(_rows(proved)), frozenset(("cases", "open")))


def _title(proved: Proved) -> str:
    return f"goals of {proved.recognised.ots.name}"


def _rows(proved: Proved) -> Iterator[tuple[str, str, str, str, str]]:
    for goal in proved.goals:
        undecided = 0 if goal.node is None else len(goal.node.undecided)
        uses = () if goal.node is None else sorted(goal.node.uses - {goal.name})
        name = goal.name if goal.is_root else f"{goal.name} (lemma)"
        yield name, goal.verdict.value, str(_cases(goal)), str(undecided), ", ".join(uses)


def prove_verdict(proved: Proved, seconds: float) -> tuple[str, str]:
    """What was found out, in one line, and its colour."""
    roots = [goal for goal in proved.goals if goal.is_root]
    cost = f"{counted(sum(map(_cases, proved.goals)), 'case')}, {seconds:.2f} s"
    what = roots[0].name if len(roots) == 1 else f"{len(roots)} goals"
    are = "is an invariant" if len(roots) == 1 else "are invariants"
    style = _STYLES[proved.verdict]
    if proved.verdict is IgfVerdict.VERIFIED:
        return f"verified: {what} {are}, whatever the entities are; {cost}", style
    if proved.verdict is IgfVerdict.VERIFIED_ASSUMING:
        kinds = ", ".join(dict.fromkeys(each.kind.value for each in proved.grounds.assumed))
        return f"verified, assuming {kinds}: {what} {are}, whatever the entities are; {cost}", style
    failed = [goal for goal in roots if goal.verdict is IgfVerdict.UNKNOWN]
    count = f"{len(roots) - len(failed)} of {len(roots)} goals verified; " if len(roots) > 1 else ""
    return f"unknown: {count}{failed[0].name}: {failed[0].reason}; {cost}", style
