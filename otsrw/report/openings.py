"""Open cases for eyes and for programs: a state, a step, a question, and a lemma to paste."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from otsrw.induction.cases import InductionCase
from otsrw.induction.clauses import Clause
from otsrw.induction.lemmas import assumption_texts
from otsrw.induction.openings import (
    NearLemma,
    Opening,
    OtherValue,
    excluding_clause,
    nearest,
    openings_of,
    other_values,
)
from otsrw.induction.results import IgfResult
from otsrw.ots.model import Ots
from otsrw.reasoning.connectives import Connectives, Literal
from otsrw.reasoning.order import size_and_text
from otsrw.records import replace
from otsrw.theory.builtins import Builtin
from otsrw.theory.printing import show, show_briefly, show_plainly
from otsrw.theory.terms import Term, subterms, variables_of

MAX_LINE = 160
PAGE_WIDTH = 96
MAX_FACTS = 3 * MAX_LINE
"""Characters of the facts that one line of a terminal lists."""
MAX_LITERALS = 12
"""Literals of a lemma that a terminal shows; longer ones are on the page and in the document."""
SHORT_LEMMA = 6
"""Literals of the shorter lemma that a terminal shows instead."""
MAX_OF_A_SORT = 3
"""Variables of one sort in the shorter lemma."""
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
        "reason": _reason(opening),
        "nearest": [
            {"name": each.name, "missing": None if each.missing is None else _literal(each.missing)} for each in near
        ],
        "lemma": lemma_skeleton(ots, opening),
    }


def _reason(opening: Opening) -> str:
    if opening.rests_on is not None:
        return f"it rests on {opening.rests_on}, at which nobody has looked"
    return opening.leaf.note or "the goal is false"


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
    shown = [opening_lines(result, opening, is_whole=True) for opening in found[:MAX_ON_PAGE]]
    return {"openings": shown, "left_out": len(found) - len(shown)}


def opening_lines(result: IgfResult, opening: Opening, is_whole: bool = False) -> list[str]:
    """An open case as a question; whole, or as much of it as a terminal should show."""
    ots = result.ots
    predicates = [node.predicate for node in result.nodes.values()]
    case, name = opening.case, opening.predicate.name
    goal = f"{name}({','.join(show(term) for term in (case.after, *case.values))})"
    facts = _facts(opening)
    listed = _listed_below if is_whole else _listed
    is_what = "is undecided" if opening.is_stuck else "is false"
    lines = [f"open case: {goal} {is_what}" if opening.rests_on is None else f"open: {goal}: {_reason(opening)}"]
    lines += [line for title, texts in facts.items() if texts for line in listed(title, texts)]
    lines += [f"  {_other_value(each)}" for each in other_values(ots, opening)]
    if opening.is_stuck:
        note = opening.leaf.note or "no equation applies"
        lines.append(f"  stuck: {note}: {show_briefly(opening.leaf.value, MAX_LINE)}")
    if case.transition is not None:
        clause = excluding_clause(ots, opening)
        count = len(clause.literals)
        asked = f"  Can this state be reached? {_answers(opening)}"
        if is_whole or count <= MAX_LITERALS:
            lines.append(f"{asked}, at least:")
        else:
            lines.append(
                f"{asked}. One for this case alone has {count} literals (--html F shows it); one that says more:"
            )
            clause = _shorter(ots, clause)
        lines += [f"    {line}" for line in _skeleton(ots, clause, PAGE_WIDTH if is_whole else MAX_LINE)]
    if opening.rests_on is not None:
        return lines
    return lines + [f"  nearest: {_near(near)}" for near in nearest(opening, predicates)]


def _answers(opening: Opening) -> str:
    """What follows from each answer to the question whether the state of a case can be reached."""
    name, lemma = opening.predicate.name, opening.rests_on
    if lemma is not None:
        return f"If yes, {lemma} is false. If no, prove {lemma}, or say better why as a lemma"
    then = f"it is open whether the step keeps {name}" if opening.is_stuck else f"{name} is no invariant"
    return f"If yes, {then}. If no, say why as a lemma"


def _other_value(other: OtherValue) -> str:
    names = [symbol.name for symbol in other.constants]
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return (
        f"{other.sort.name}: this is a value other than {listed}; "
        f"declare them {{constr}} if there are no others: op {names[0]} : -> {other.sort.name} {{constr}}"
    )


def _step(case: InductionCase) -> str:
    return show(case.state if case.transition is None else case.after)


def _facts(opening: Opening) -> dict[str, list[str]]:
    """The state before the step, and what else is assumed."""
    state = [f"{show(each.left)} = {show_briefly(each.right)}" for each in opening.observed]
    known = {*state, *(f"{show_briefly(each.right)} = {show(each.left)}" for each in opening.observed)}
    texts = assumption_texts(opening.case, opening.leaf)
    others = [text for text in texts if text.removeprefix("(").removesuffix(")") not in known]
    said = [text for text in others if text.removeprefix("not ") not in {show(e.left) for e in opening.observed}]
    return {"state": state, "where": said}


def _listed(title: str, texts: list[str]) -> list[str]:
    """Facts on one line, as many as fit; how many there are besides is said."""
    shown = list(texts[:1])
    for text in texts[1:]:
        if len("; ".join((*shown, text))) > MAX_FACTS:
            break
        shown.append(text)
    more = f"; {len(texts) - len(shown)} more" if len(shown) < len(texts) else ""
    return [f"  {title}: {'; '.join(shown)}{more}"]


def _listed_below(title: str, texts: list[str]) -> list[str]:
    return [f"  {title}:", *(f"    {text}" for text in texts)]


def _near(near: NearLemma) -> str:
    if near.missing is None:
        return f"{near.name} speaks of the same observers"
    return f"{near.name} would exclude it, if {_literal(near.missing)} were known"


def _literal(literal: Literal) -> str:
    return show_plainly(literal.atom) if literal.positive else f"not {show_plainly(literal.atom)}"


def lemma_skeleton(ots: Ots, opening: Opening) -> list[str]:
    """An operator and its equation that exclude the case, ready to be put into the module of the OTS."""
    return [] if opening.case.transition is None else _skeleton(ots, excluding_clause(ots, opening), None)


def _skeleton(ots: Ots, clause: Clause, width: int | None) -> list[str]:
    """A clause as an operator and an equation, which is broken into lines if it is wider than that."""
    taken = {symbol.name for symbol in ots.module.signature.symbols()}
    name = next(each for number in range(1, 10_000) if (each := f"lemma-{number}") not in taken)
    sorts = " ".join(variable.sort.name for variable in (ots.state, *clause.parameters))
    head = ",".join(f"{variable.op.name}:{variable.sort.name}" for variable in (ots.state, *clause.parameters))
    formula = clause.text(Connectives(ots.module.signature))
    lines = [f"op {name} : {sorts} -> Bool", f"eq {name}({head}) = {formula} ."]
    if width is None or len(lines[1]) <= width:
        return lines
    return [lines[0], f"eq {name}({head}) =", *_broken(clause)]


def _broken(clause: Clause) -> list[str]:
    """The formula of a clause with a literal on each line, and the period."""
    positive = [show_plainly(each.atom) for each in clause.literals if each.positive]
    negative = [show_plainly(each.atom) for each in clause.literals if not each.positive]
    lines = _group("(" if negative else "not (", "and", positive)
    lines += _group("implies (" if positive else "(", "or", negative)
    return [*lines[:-1], f"{lines[-1]} ."]


def _group(opening: str, word: str, texts: list[str]) -> list[str]:
    if not texts:
        return []
    lines = [f"  {opening}{texts[0]}", *(f"    {word} {text}" for text in texts[1:])]
    return [*lines[:-1], f"{lines[-1]})"]


def _shorter(ots: Ots, clause: Clause) -> Clause:
    """Some literals about observers, the smallest ones, and those that tell their variables apart."""
    observers = {observer.symbol for observer in ots.observers}
    speaking = [each for each in clause.literals if any(part.op in observers for part in subterms(each.atom))]
    kept: set[Literal] = set()
    used: set[Term] = set()
    for literal in sorted(speaking or clause.literals, key=lambda each: size_and_text(each.atom)):
        wanted = used | set(variables_of(literal.atom))
        crowded = max(Counter(variable.sort for variable in wanted).values(), default=0) > MAX_OF_A_SORT
        if len(kept) < SHORT_LEMMA and not (kept and crowded):
            kept.add(literal)
            used = wanted
    equations = [each for each in clause.literals if each.atom.op.native is Builtin.EQUALS]
    telling = {each for each in equations if all(arg in used for arg in each.atom.args)}
    literals = tuple(each for each in clause.literals if each in kept | telling)
    return replace(clause, literals=literals, parameters=tuple(v for v in clause.parameters if v in used))
