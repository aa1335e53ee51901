"""Lemmas and verdicts of induction for eyes and for programs."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from otsrw.induction.cases import InductionCase
from otsrw.induction.effort import OUT_OF_WORK
from otsrw.induction.lemmas import LemmaReport, assumption_texts
from otsrw.induction.prover import OUT_OF_TIME
from otsrw.induction.results import ClearSteps, IgfResult, IgfVerdict, Node, NodeKind, NodeStatus, UnclearSteps
from otsrw.ots.population import is_closed
from otsrw.reasoning.splitting import Leaf
from otsrw.report.activity import activity_document
from otsrw.report.case_work import case_work_document
from otsrw.report.check import grounds_document
from otsrw.report.data_lemmas import data_documents
from otsrw.report.documents import header
from otsrw.report.openings import opening_documents, question_lines
from otsrw.report.tables import titled
from otsrw.report.words import counted
from otsrw.search.results import Activity
from otsrw.theory.printing import show, show_briefly, show_plainly
from otsrw.traces.observed import trace_of

_STYLES = {"proved": "green", "violated": "red", "closed": "yellow", "undecided": "yellow", "open": "dim"}
_MARKS = {"proved": "+", "violated": "x", "closed": "-", "undecided": "?", "open": "o"}

_MORE = {
    OUT_OF_TIME: ", more --timeout",
    OUT_OF_WORK: ", more work (--max-work), or --state F, with which the same command goes on",
    "cases is spent": ", more cases (--max-cases), or --state F, with which the same command goes on",
}
"""By what the reason of a verdict says: what to give more of."""


# --- necessary lemmas


def lemmas_document(report: LemmaReport, seconds: float) -> dict[str, Any]:
    return header("lemmas") | {
        "invariant": report.predicate.name,
        "base": report.base,
        "cases": report.cases,
        "undecided": [undecided_document(step, leaf) for step, leaf in report.undecided],
        "lemmas": [
            {
                "name": lemma.name,
                "formula": lemma.formula,
                "transition": lemma.transition,
                "assumptions": list(lemma.assumptions),
            }
            for lemma in report.lemmas
        ],
        "doubt": report.doubt,
        "seconds": round(seconds, 6),
    }


def undecided_document(step: InductionCase, leaf: Leaf) -> dict[str, Any]:
    return {
        "transition": None if step.transition is None else step.transition.name,
        "assumptions": list(assumption_texts(step, leaf)),
        "term": show_briefly(leaf.value),
        "reason": leaf.note or "the goal is false",
    }


def lemma_table(report: LemmaReport) -> Table:
    table = titled(f"necessary lemmas of {report.predicate.name}", show_lines=True)
    table.add_column("transition")
    table.add_column("cases", justify="right")
    table.add_column("lemma", overflow="fold")
    for transition, cases in report.cases.items():
        found = [lemma.formula for lemma in report.lemmas if lemma.transition == transition]
        table.add_row(transition, str(cases), Text("\n".join(found) if found else "none"))
    return table


def lemma_verdict(report: LemmaReport) -> tuple[str, str]:
    """What was found out, in one line, and its colour."""
    name, count = report.predicate.name, len(report.lemmas)
    cases, lemmas = counted(sum(report.cases.values()), "case"), counted(count, "lemma")
    if report.base == "false":
        return f"violated: {name} is false in an initial state", "red"
    if report.doubt is not None:
        return f"unknown: {report.doubt}; {lemmas}, {cases}", "yellow"
    if report.undecided:
        return f"unknown: {len(report.undecided)} undecided of {cases}, {lemmas}", "yellow"
    if count:
        return f"{name}: {counted(count, 'necessary lemma')}, {cases}", "green"
    return f"{name}: inductive, no lemmas needed, {cases}", "green"


MOST_LEVELS = 8
"""Levels of a tree of lemmas: with more of them nothing would fit into 80 columns."""
CONTINUED = ", continued below"

# --- induction-guided falsification


def igf_document(
    result: IgfResult,
    proof: str | None,
    replay: str | None,
    activity: Activity | None = None,
    left_out: str = "",
) -> dict[str, Any]:
    return header("igf") | {
        "verdict": result.verdict,
        "reason": result.reason,
        "invariant": result.invariant.name,
        "lemmas": [_node_document(name, node) for name, node in result.nodes.items() if node.kind != "property"],
        "chain": list(result.chain),
        "dropped": [dropped.formula for dropped in result.dropped],
        "refuted": [dropped.formula for dropped in result.dropped if dropped.is_false],
        "undecided": [
            {"predicate": name} | undecided_document(step, leaf)
            for name, node in result.nodes.items()
            for step, leaf in node.undecided
        ],
        "open": opening_documents(result),
        "trace": None if result.run is None else trace_of(result.run).to_document(),
        "violation": None if result.run is None else {v.op.name: show(t) for v, t in result.run.violation},
        "entities": {name: list(words) for name, words in result.entities.items()},
        "left_out": left_out or None,
        "exhausted": result.is_exhausted,
        "clear": None if result.clear is None else _clear_document(result.clear),
        "unclear": result.steps.obstacle if isinstance(result.steps, UnclearSteps) else None,
        "states": result.states,
        "depth": result.depth,
        "rounds": result.rounds,
        "reductions": result.effort,
        "cases": sum(len(node.cases) + len(node.undecided) for node in result.nodes.values()),
        "rests_on": grounds_document(result.grounds.obligations),
        "assumptions": grounds_document(result.grounds.assumed),
        **data_documents(result),
        **activity_document(activity),
        "proof": proof,
        "replay": replay,
        "work": case_work_document(result.work),
        "seconds": round(result.seconds, 6),
    }


def _node_document(name: str, node: Node) -> dict[str, Any]:
    return {
        "name": name,
        "formula": show_plainly(node.predicate.formula),
        "kind": node.kind,
        "parent": node.parent,
        "transition": node.transition,
        "status": node.status,
        "pending": list(node.pending),
        "depth": node.depth,
        "cases": len(node.cases) + len(node.undecided),
    }


def lemma_trees(result: IgfResult) -> list[Tree]:
    """Every predicate under the one it was found for, with its status; what lies deep is a tree of its own."""
    root = result.invariant.name
    levels, branches = {root: 0}, {root: Tree(_label(root, result.nodes.get(root)))}
    trees = [branches[root]]
    for name, node in result.nodes.items():
        if name == root:
            continue
        parent = node.parent if node.parent in branches else root
        if levels[parent] == MOST_LEVELS:
            branches[parent].label = _label(parent, result.nodes[parent], CONTINUED)
            branches[parent] = Tree(Text(f"below {parent}", style="bold"))
            trees.append(branches[parent])
            levels[parent] = 0
        levels[name] = levels[parent] + 1
        branches[name] = branches[parent].add(_label(name, node))
    return trees


def _label(name: str, node: Node | None, more: str = "") -> Text:
    if node is None:
        return Text(name)
    text = Text(f"{_MARKS[node.status]} {name}", style=_STYLES[node.status])
    how = f", {node.kind}" if node.kind in (NodeKind.STRENGTHENED, NodeKind.GIVEN) else ""
    if node.transition is not None:
        text.append(f"  for {node.transition}{how}", style="dim")
    text.append(f"  {status_text(node)}{more}", style=_STYLES[node.status])
    text.append(f"\n{show_plainly(node.predicate.formula)}", style="")
    return text


def status_text(node: Node) -> str:
    """The status in words: what is closed is not proved as long as something it needs is not."""
    if node.status is not NodeStatus.CLOSED:
        return str(node.status)
    if node.pending:
        return f"closed if {', '.join(node.pending)} {'holds' if len(node.pending) == 1 else 'hold'}"
    return "closed, not proved"


def igf_verdict(result: IgfResult) -> tuple[str, str]:
    name = result.invariant.name
    cases = sum(len(node.cases) + len(node.undecided) for node in result.nodes.values())
    lemmas = max(0, len(result.nodes) - 1)
    parts = (counted(lemmas, "lemma"), counted(cases, "case"), counted(result.states, "state"))
    cost = f"{', '.join(parts)}, {result.seconds:.2f} s"
    if result.verdict is IgfVerdict.FALSIFIED:
        assert result.run is not None
        where = ", ".join(f"{v.op.name} = {show(t)}" for v, t in result.run.violation)
        steps = counted(len(result.run.actions), "step")
        return f"falsified: {name} is false after {steps}{f' for {where}' if where else ''}; {cost}", "red"
    if result.is_exhausted and result.is_proved:
        assuming = ", ".join(dict.fromkeys(each.kind.value for each in result.grounds.assumed))
        how = f"verified, assuming {assuming}" if assuming else "verified"
        states = counted(result.states, "reachable state")
        text = f"{how}: {name} is an invariant: all of {states} searched; {result.seconds:.2f} s"
        return text, "yellow" if assuming else "green"
    if result.verdict is IgfVerdict.VERIFIED_ASSUMING:
        kinds = ", ".join(dict.fromkeys(each.kind.value for each in result.grounds.assumed))
        return f"verified, assuming {kinds}: {name} is an invariant, whatever the entities are; {cost}", "yellow"
    if result.verdict is IgfVerdict.VERIFIED:
        return f"verified: {name} is an invariant, whatever the entities are; {cost}", "green"
    return f"unknown: {result.reason}; {cost}", "yellow"


def _clear_document(clear: ClearSteps) -> dict[str, Any]:
    return {
        "depth": clear.depth,
        "searched": clear.searched,
        "links": clear.links,
        "any_number": clear.is_for_any_number,
        "enough": dict(clear.enough),
        "obstacle": clear.obstacle or None,
    }


def clear_lines(result: IgfResult) -> list[str]:
    """Within how many steps there is no violation, and for which entities, or why that is not known."""
    name, clear = result.invariant.name, result.steps
    if isinstance(clear, UnclearSteps):
        return [f"not known within how many steps there is no violation of {name}: {clear.obstacle}"]
    if clear is None or result.instance is None:
        return []
    said = f"no violation of {name} within {clear.depth} steps"
    how = f"depth {clear.searched}, and lemmas {clear.links} deep with all cases closed"
    if clear.is_for_any_number:
        return [f"{said}, for any number of {', '.join(clear.enough)}: {how}"]
    entities = ", ".join(f"{sort} = {' '.join(words)}" for sort, words in result.entities.items())
    line = f"{said}{f', for {entities}' if entities else ''}: {how}"
    if clear.enough:
        line += f"; for any number: with {', '.join(f'{sort} {count}' for sort, count in clear.enough.items())}"
    elif result.entities:
        line += f"; not known for any number: {clear.obstacle}"
    return [line]


def advice(result: IgfResult) -> list[str]:
    """What to try after an unknown verdict."""
    return question_lines(result) + waiting_lines(result)


def waiting_lines(result: IgfResult) -> list[str]:
    """Predicates that nobody came to, and what may help."""
    lines = clear_lines(result)
    nodes = result.nodes.items()
    waiting = [name for name, node in nodes if node.status is NodeStatus.OPEN and not node.cases + node.undecided]
    if waiting:
        lines.append(f"not looked at yet: {', '.join(waiting[:3])}{' ...' * (len(waiting) > 3)}")
    if is_closed(result.ots):
        lines.append(
            "try: otsrw search with a great --depth: the specification leaves no entities open, so its states decide, "
            "if they have an end"
        )
    more = next((option for said, option in _MORE.items() if said in result.reason), "")
    lines.append(f"try: a lemma of your own (--lemma), a greater --depth, one entity more (--with){more}")
    return lines
