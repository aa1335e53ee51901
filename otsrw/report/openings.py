"""Open cases for eyes and for programs: a state, a step, a question, and a lemma to paste."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from otsrw.induction.cases import InductionCase
from otsrw.induction.lemmas import assumption_texts
from otsrw.induction.openings import NearLemma, Opening, excluding_clause, nearest, openings_of
from otsrw.induction.results import IgfResult
from otsrw.ots.model import Ots
from otsrw.reasoning.connectives import Connectives, Literal
from otsrw.theory.printing import show, show_briefly, show_plainly

MAX_LINE = 160
MAX_COMPARED = 20
"""Open cases for which the nearest lemmas are looked for."""
MAX_ON_PAGE = 60


def opening_documents(result: IgfResult, only: str | None = None) -> list[dict[str, Any]]:
    """The open cases, or those of one predicate, in JSON documents; near lemmas are looked for in the first ones."""
    ots = result.ots
    predicates = [node.predicate for node in result.nodes.values()]
    found = openings_of(ots, result.nodes if only is None else {only: result.nodes[only]})
    first = [_document(ots, opening, nearest(opening, predicates)) for opening in found[:MAX_COMPARED]]
    return first + [_document(ots, opening, ()) for opening in found[MAX_COMPARED:]]


def _document(ots: Ots, opening: Opening, near: Iterable[NearLemma]) -> dict[str, Any]:
    case = opening.case
    return {
        "predicate": opening.predicate.name,
        "transition": None if case.transition is None else case.transition.name,
        "step": _step(case),
        "state": {show(each.left): show_briefly(each.right) for each in opening.observed},
        "assumptions": list(assumption_texts(case, opening.leaf)),
        "term": show_briefly(opening.leaf.value),
        "reason": opening.leaf.note or "the goal is false",
        "nearest": [
            {"name": each.name, "missing": None if each.missing is None else _literal(each.missing)} for each in near
        ],
        "lemma": lemma_skeleton(ots, opening),
    }


def question_lines(result: IgfResult) -> list[str]:
    """The first open case as a question, and how many there are besides; nothing if no case is open."""
    found = openings_of(result.ots, result.nodes)
    if not found:
        return []
    more = len(found) - 1
    lines = opening_lines(result, found[0])
    if more:
        lines.append(f"  {more} more open case{'s' * (more > 1)}: --html F shows all, --json has them as data")
    return lines


def question_page(result: IgfResult) -> dict[str, Any]:
    """The open cases for a page: a question each, the first lines their summaries."""
    found = openings_of(result.ots, result.nodes)
    shown = [opening_lines(result, opening) for opening in found[:MAX_ON_PAGE]]
    return {"openings": shown, "left_out": len(found) - len(shown)}


def opening_lines(result: IgfResult, opening: Opening) -> list[str]:
    """An open case as a question."""
    ots = result.ots
    predicates = [node.predicate for node in result.nodes.values()]
    case, name = opening.case, opening.predicate.name
    goal = f"{name}({','.join(show(term) for term in (case.after, *case.values))})"
    lines = [f"open case: {goal} is {'undecided' if opening.is_stuck else 'false'}", *_assumed(opening)]
    if opening.is_stuck:
        note = opening.leaf.note or "no equation applies"
        lines.append(f"  stuck: {note}: {show_briefly(opening.leaf.value, MAX_LINE)}")
    if case.transition is not None:
        then = "it is open whether the step keeps " + name if opening.is_stuck else f"{name} is no invariant"
        lines.append(f"  Can this state be reached? If yes, {then}. If no, say why as a lemma, at least:")
        lines += [f"    {line}" for line in lemma_skeleton(ots, opening)]
    return lines + [f"  nearest: {_near(near)}" for near in nearest(opening, predicates)]


def _step(case: InductionCase) -> str:
    return show(case.state if case.transition is None else case.after)


def _assumed(opening: Opening) -> list[str]:
    """The state before the step, and what else is assumed, each on a line."""
    state = [f"{show(each.left)} = {show_briefly(each.right)}" for each in opening.observed]
    known = set(state)
    others = [text for text in assumption_texts(opening.case, opening.leaf) if text.strip("()") not in known]
    said = [text for text in others if text.removeprefix("not ") not in {show(e.left) for e in opening.observed}]
    lines = [f"  state: {_cut('; '.join(state))}"] if state else []
    return [*lines, f"  where: {_cut('; '.join(said))}"] if said else lines


def _cut(text: str) -> str:
    return text if len(text) <= 3 * MAX_LINE else text[: 3 * MAX_LINE] + " ..."


def _near(near: NearLemma) -> str:
    if near.missing is None:
        return f"{near.name} speaks of the same observers"
    return f"{near.name} would exclude it, if {_literal(near.missing)} were known"


def _literal(literal: Literal) -> str:
    return show_plainly(literal.atom) if literal.positive else f"not {show_plainly(literal.atom)}"


def lemma_skeleton(ots: Ots, opening: Opening) -> list[str]:
    """An operator and its equation that exclude the case, ready to be put into the module of the OTS."""
    if opening.case.transition is None:
        return []
    clause = excluding_clause(ots, opening)
    taken = {symbol.name for symbol in ots.module.signature.symbols()}
    name = next(each for number in range(1, 10_000) if (each := f"lemma-{number}") not in taken)
    sorts = " ".join(variable.sort.name for variable in (ots.state, *clause.parameters))
    head = ",".join(f"{variable.op.name}:{variable.sort.name}" for variable in (ots.state, *clause.parameters))
    formula = clause.text(Connectives(ots.module.signature))
    return [f"op {name} : {sorts} -> Bool", f"eq {name}({head}) = {formula} ."]
