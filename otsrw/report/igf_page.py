"""The report of an IGF run as one page."""

from __future__ import annotations

from typing import Any

from otsrw.induction.results import IgfResult
from otsrw.induction.score import ProofScore
from otsrw.report.activity import activity_rows, with_doubts
from otsrw.report.chart_drawing import drawn_chart
from otsrw.report.html import render_page, run_rows
from otsrw.report.igf import igf_verdict, status_text, waiting_lines
from otsrw.report.openings import question_page
from otsrw.report.pictures import StatePicture, played_run
from otsrw.report.prooftree import induction_trees
from otsrw.search.results import Activity
from otsrw.theory.printing import show_plainly


def igf_page(
    result: IgfResult,
    score: ProofScore | None,
    file: str,
    activity: Activity | None = None,
    picture: StatePicture | None = None,
) -> str:
    text, _ = igf_verdict(result)
    return render_page(
        "igf.html",
        file=file,
        verdict=result.verdict,
        sentence=with_doubts(text, activity),
        activity=activity_rows(activity),
        invariant=result.invariant.name,
        formula=show_plainly(result.invariant.formula),
        tree=_tree(result),
        dropped=[f"{dropped.formula} ({dropped.reason})" for dropped in result.dropped],
        trace=None if result.run is None else run_rows(result.run),
        chart=None if result.run is None else drawn_chart(result.run),
        picture=played_run(picture, result.run),
        chain=list(result.chain),
        advice=waiting_lines(result) if result.verdict == "unknown" else [],
        **question_page(result),
        proof_trees=induction_trees(result),
        passages=_passages(score),
        statistics=_statistics(result, score),
    )


def _tree(result: IgfResult) -> list[dict[str, Any]]:
    """Predicates in the order of a walk through the tree, with their level."""
    children: dict[str | None, list[str]] = {}
    for name, node in result.nodes.items():
        parent = node.parent or result.invariant.name
        children.setdefault(None if node.kind == "property" else parent, []).append(name)
    rows: list[dict[str, Any]] = []
    todo = [(name, 0) for name in reversed(children.get(None, []))]
    while todo:
        name, level = todo.pop()
        node = result.nodes[name]
        rows.append(
            {
                "name": name,
                "level": level,
                "formula": show_plainly(node.predicate.formula),
                "status": node.status,
                "standing": status_text(node),
                "kind": node.kind,
                "transition": node.transition or "",
                "cases": len(node.cases) + len(node.undecided),
            }
        )
        todo += [(child, level + 1) for child in reversed(children.get(name, []))]
    return rows


def _passages(score: ProofScore | None) -> str:
    return "" if score is None else score.text


def _statistics(result: IgfResult, score: ProofScore | None) -> list[tuple[str, str]]:
    cases = sum(len(node.cases) + len(node.undecided) for node in result.nodes.values())
    return [
        ("entities", "; ".join(f"{n} = {' '.join(w)}" for n, w in result.entities.items()) or "none"),
        ("states searched", f"{result.states} (depth {result.depth})"),
        ("lemmas", str(max(0, len(result.nodes) - 1))),
        ("lemmas dropped", str(len(result.dropped))),
        ("induction cases", str(cases)),
        ("proof passages", "" if score is None else str(score.passages)),
        ("seconds", f"{result.seconds:.2f}"),
    ]
