"""Lemmas for many labels at once.

`not (glock(S) = nop and pc(S,P) = l4)` is usually true for most other labels, too, and its proof asks for one after the
other. The wider lemma names the labels that are possible instead: `glock(S) = nop implies (pc(S,P) = rs or ...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from otsrw.induction.clauses import Clause
from otsrw.reasoning.connectives import Connectives, Literal
from otsrw.records import replace
from otsrw.theory.builtins import Builtin
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term

MIN_LABELS = 3
"""Elements of a sort that has labels."""
MAX_NAMED = 8
"""Labels that a lemma names for one observation."""


def widened(
    clause: Clause,
    connectives: Connectives,
    labels_of: Callable[[Sort], Sequence[Term]],
    holds: Callable[[Clause], bool],
) -> Clause:
    """The clause for as many labels as it holds for; itself if these are few."""
    for literal in clause.literals:
        said = _label(literal, labels_of)
        if said is None:
            continue
        observed, labels = said

        def instead(others: Iterable[Literal], literal: Literal = literal, clause: Clause = clause) -> Clause:
            kept = [each for each in clause.literals if each is not literal]
            return replace(clause, literals=tuple(dict.fromkeys((*kept, *others))))

        equal = connectives.equal
        possible = [label for label in labels if not holds(instead([Literal(equal(observed, label), True)]))]
        if len(labels) - len(possible) > 1 and len(possible) <= min(MAX_NAMED, 3 * (len(labels) - len(possible))):
            clause = instead(Literal(equal(observed, label), False) for label in possible)
    return clause


def _label(literal: Literal, labels_of: Callable[[Sort], Sequence[Term]]) -> tuple[Term, Sequence[Term]] | None:
    """What is observed, and all labels, if a literal says which label it is."""
    if not literal.positive or literal.atom.op.native is not Builtin.EQUALS:
        return None
    for observed, value in (literal.atom.args, literal.atom.args[::-1]):
        labels = labels_of(value.sort)
        if value in labels and observed not in labels and len(labels) >= MIN_LABELS:
            return observed, labels
    return None
