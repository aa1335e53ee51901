"""Proof trees for pages: goals of CITP and CiMPA, or predicates with their induction cases, in one form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from otsrw.induction.results import Closed, IgfResult, Node, NodeStatus
from otsrw.proofs.citp.goals import ROOT, Goal, GoalNode
from otsrw.proofs.citp.sentences import NONEXEC
from otsrw.proofs.events import ProofReached
from otsrw.proofs.results import Outcome
from otsrw.report.html import render_page
from otsrw.report.igf import status_text
from otsrw.report.words import counted
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import sentence_line, show, show_plainly

_SHORT_CASE = 100
"""Letters of a case that stands on the line of its name."""

TreeNode = dict[str, Any]
"""What the template `prooftree.html` shows of a goal or case, with those below it."""


def proofs_page(outcome: Outcome, file: str) -> str:
    """The page of a run: a tree for each proof by tactics."""
    left = len(outcome.open_proofs)
    state = "all complete" if not left else f"{left} with open goals"
    return render_page(
        "proofs.html",
        file=file,
        sentence=f"{counted(len(outcome.proofs), 'proof')}, {state}" if outcome.proofs else "no proofs",
        proof_trees=[_proof(proof) for proof in outcome.proofs],
        assumed=[each for proof in outcome.proofs for each in proof.assumed],
    )


def _proof(proof: ProofReached) -> TreeNode:
    assert isinstance(proof.tree, GoalNode)
    tree = goal_tree(proof.tree)
    tree["name"] = f"{proof.module}, line {proof.span.line}"
    return tree


def goal_tree(node: GoalNode, above: Goal | None = None) -> TreeNode:
    """A goal with what is new in it, compared with the goal above it, and the goals below it."""
    goal = node.goal
    known = set() if above is None else set(above.assumptions)
    fresh = [axiom for axiom in goal.assumptions if axiom not in known]
    case = _equation(fresh[0]) if len(fresh) == 1 and not _is_hypothesis(fresh[0]) else ""
    is_changed = above is None or goal.targets != above.targets
    parts = [
        _part("assumed", () if case else fresh),
        _part("to be proved", goal.targets if is_changed or not node.is_proved else ()),
        _discharged(goal),
    ]
    if node.gap is not None:
        parts.append({"title": "the goals below do not prove it", "lines": [node.gap]})
    return {
        "name": goal.name,
        "by": "" if goal.name == ROOT else goal.tactic,
        "case": case,
        "is_open": not node.is_proved,
        "state": _state(node),
        "parts": [part for part in parts if part["lines"]],
        "children": [goal_tree(child, goal) for child in node.children],
    }


def _is_hypothesis(axiom: Axiom) -> bool:
    return NONEXEC in axiom.labels or "SI" in axiom.labels


def _discharged(goal: Goal) -> dict[str, Any]:
    """What was discharged: of CiMPA's implications what was written, not what it was reduced to."""
    if goal.claim is None or not goal.proved:
        return _part("discharged", goal.proved)
    texts = [show(premise) for premise in goal.premises]
    return {"title": "discharged", "lines": [" implies ".join([*texts, _equation(goal.claim)])]}


def _equation(axiom: Axiom) -> str:
    condition = "" if axiom.condition is None else f" if {show(axiom.condition)}"
    return f"{show(axiom.lhs)} = {show(axiom.rhs)}{condition}"


def _state(node: GoalNode) -> str:
    if not node.is_proved:
        return "open"
    if not node.goal.is_discharged:
        return "closed by the goals below"
    labels = {axiom.labels[0] for axiom in node.goal.proved if axiom.labels}
    contradiction = any(label.startswith("CT") or label == "LE" for label in labels)
    return "closed by a contradiction" if contradiction else "closed by reduction"


def _part(title: str, axioms: Iterable[Axiom]) -> dict[str, Any]:
    return {"title": title, "lines": [sentence_line(axiom) for axiom in axioms]}


# --- induction


def induction_trees(result: IgfResult) -> list[TreeNode]:
    """A tree for each predicate: its initial states and transitions, and the cases of each."""
    return [_predicate(node) for node in result.nodes.values()]


def _predicate(node: Node) -> TreeNode:
    steps: dict[str, list[Closed]] = {}
    for closed in node.cases:
        where = "initially" if closed.case.transition is None else closed.case.transition.name
        steps.setdefault(where, []).append(closed)
    children = [_tree(where, "", [], [_case(k, c) for k, c in enumerate(cases, 1)]) for where, cases in steps.items()]
    if node.undecided:
        children.append(_tree("open", counted(len(node.undecided), "case"), [], [], is_open=True))
    formula = [{"title": "predicate", "lines": [show_plainly(node.predicate.formula)]}]
    is_open = node.status not in (NodeStatus.CLOSED, NodeStatus.PROVED)
    tree = _tree(node.name, node.kind.value, formula, children, is_open)
    return tree | {"state": f"{status_text(node)}, {counted(len(node.cases), 'case')} closed"}


def _case(number: int, closed: Closed) -> TreeNode:
    equations = [f"{show_plainly(e.left)} = {show_plainly(e.right)}" for e in closed.leaf.assumptions.equations]
    lemmas = [f"{lemma.name}({', '.join(map(show_plainly, lemma.values))})" for lemma in closed.lemmas]
    if closed.leaf.assumptions.contradiction is not None:
        state = "closed by a contradiction"
    else:
        state = f"excluded by {', '.join(lemmas)}" if lemmas else "closed by reduction"
    case = ", ".join(equations)
    is_short = len(case) <= _SHORT_CASE
    parts = [] if is_short else [{"title": "assumed", "lines": equations}]
    return _tree(f"case {number}", "", parts, []) | {"case": case if is_short else "", "state": state}


def _tree(name: str, by: str, parts: list[dict[str, Any]], children: list[TreeNode], is_open: bool = False) -> TreeNode:
    state = "open" if is_open else f"closed, {counted(len(children), 'case')}" if children else "closed"
    return {
        "name": name,
        "by": by,
        "case": "",
        "is_open": is_open,
        "state": state,
        "parts": parts,
        "children": children,
    }
