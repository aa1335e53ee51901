"""Cases whose passages stop at a conditional, split on what it depends on.

Which element of a bag an equation takes first depends on the order in which it is written. Our engine may have found an
element at once, and whoever reads the passage meets another one first, and `if (i = i1) then true else ... fi`, of
which no branch is evaluated. Nothing is missing but a split on `i = i1`. The score is written anew and checked as any
other, so a split can make no score accepted that does not prove its claims.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations

from otsrw.induction.results import Closed, IgfResult
from otsrw.induction.score import ProofScore, score_problems
from otsrw.induction.score_checking import ScoreReport, score_report
from otsrw.proofs.declared import Declared
from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.splitting import Leaf, LeafOutcome
from otsrw.records import NamedTuple, replace
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.syntax.source import Source
from otsrw.theory.printing import show
from otsrw.theory.terms import Term, subterms

_MOST_ATOMS = 3
"""Equations that one case is split on at once."""


_MOST_WRITTEN = 3
"""How often a score is written."""


class CheckedScore(NamedTuple):
    """A proof score, the result whose cases it shows, and what our own engine says against it."""

    score: ProofScore
    result: IgfResult
    problems: list[str]


def checked_score(
    result: IgfResult, write: Callable[[IgfResult], ProofScore], known: Iterable[Declared] = ()
) -> CheckedScore:
    """The proof score of a result; cases whose passages are stuck are split, if that can be done."""
    declared = tuple(known)
    checked = _checked(result, write, declared)
    for _ in range(_MOST_WRITTEN - 1):
        wider = with_splits(result, checked.stuck) if checked.problems else None
        if wider is None:
            break
        result = wider
        checked = _checked(result, write, declared)
    return CheckedScore(checked.score, result, checked.problems)


class _Checked(NamedTuple):
    score: ProofScore
    problems: list[str]
    stuck: Mapping[Closed, str]
    """Cases whose passages are neither true nor false, and what they reduce to."""


def _checked(result: IgfResult, write: Callable[[IgfResult], ProofScore], known: tuple[Declared, ...]) -> _Checked:
    score = write(result)
    report = score_report(Source("<proof score>", score.text), known=known)
    return _Checked(score, score_problems(score, report), dict(_stuck(score, report)))


def _stuck(score: ProofScore, report: ScoreReport) -> Iterator[tuple[Closed, str]]:
    lines = [line for line, _ in score.cases]
    for line, text in report.stuck:
        place = bisect_right(lines, line) - 1
        if place >= 0:
            yield score.cases[place][1], text


def with_splits(result: IgfResult, stuck: Mapping[Closed, str]) -> IgfResult | None:
    """The result with these cases split, for which it is known what their passages reduce to; None if none can be."""
    parts = {closed: found for closed, text in stuck.items() if (found := _parts(closed, text)) is not None}
    if not parts:
        return None
    nodes = {
        name: replace(node, cases=tuple(part for each in node.cases for part in parts.get(each, (each,))))
        for name, node in result.nodes.items()
    }
    return replace(result, nodes=nodes)


def _parts(closed: Closed, text: str) -> tuple[Closed, ...] | None:
    """The parts of a case; None if it cannot be split."""
    atoms = list(_conditions(closed, text))[:_MOST_ATOMS]
    try:
        parts = [closed] if atoms else []
        for atom in atoms:
            parts = [half for part in parts for half in _halves(part, atom)]
    except (BudgetExceeded, _NotWritten):
        return None
    return tuple(parts) or None


class _NotWritten(Exception):
    """A part cannot be written as equations."""


def _halves(closed: Closed, atom: Term) -> Iterator[Closed]:
    """The case with the atom, and without it; what contradicts its assumptions contradicts those of both."""
    assumptions = closed.leaf.assumptions
    refuted = assumptions.contradiction
    if assumptions.reduce(atom) is not atom:
        yield closed
        return
    also = () if refuted is None else (Assumed(refuted.atom, refuted.positive),)
    for positive in (True, False):
        more = assumptions.assuming((Assumed(atom, positive), *also))
        if more.contradiction is not None:
            yield Closed(closed.case, Leaf(more, closed.case.bench.connectives.false, LeafOutcome.CONTRADICTION))
        elif refuted is not None or more.open or more.reduce(atom) is atom:
            raise _NotWritten
        else:
            yield replace(closed, leaf=replace(closed.leaf, assumptions=more))


def _conditions(closed: Closed, text: str) -> Iterator[Term]:
    """The undecided equations between constants that the text speaks of, as `if (i = i1) then`."""
    assumptions = closed.leaf.assumptions
    equal = closed.case.bench.connectives.equal
    constants = sorted(dict.fromkeys(_constants(closed, assumptions)), key=size_and_text)
    for first, second in combinations(constants, 2):
        if first.sort is second.sort and any(f"{show(a)} = {show(b)})" in text for a, b in _orders(first, second)):
            atom = equal(first, second)
            if assumptions.reduce(atom) is atom:
                yield atom


def _orders(first: Term, second: Term) -> Iterable[tuple[Term, Term]]:
    return (first, second), (second, first)


def _constants(closed: Closed, assumptions: Assumptions) -> Iterator[Term]:
    """The fresh constants that a case speaks of."""
    said = [side for equation in assumptions.equations for side in (equation.left, equation.right)]
    said += [value for lemma in closed.lemmas for value in lemma.values]
    said += [*closed.case.values, *closed.case.arguments]
    if assumptions.contradiction is not None:
        said.append(assumptions.contradiction.atom)
    for term in said:
        yield from (part for part in subterms(term) if closed.case.bench.is_constant(part))
