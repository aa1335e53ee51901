"""Stronger lemmas: the smallest part of a case that no reachable state of a sample satisfies.

A necessary lemma excludes one case and is often not inductive. A subset of the case's literals that never holds
together in the sample is a stronger claim, which excludes the case as well, and usually many others. It is a guess:
if it turns out to be false, the next one is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from otsrw.induction.clauses import Clause, renamed
from otsrw.induction.kept import KeptStates, TruthTable
from otsrw.induction.order import size_and_text
from otsrw.induction.steps import Predicate
from otsrw.ots.formulas import Connectives, Literal
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Term, variables_of

MAX_LITERALS = 12
MAX_SIZE = 5


def stronger_clauses(clause: Clause, table: TruthTable, kept: KeptStates, connectives: Connectives) -> Iterator[Clause]:
    """Clauses made of fewer literals that hold in every state of the sample, the most promising first."""
    literals = clause.literals[:MAX_LITERALS]
    found: list[frozenset[Literal]] = []
    for size in range(1, min(len(literals), MAX_SIZE) + 1):
        fitting = []
        for subset in combinations(literals, size):
            chosen = frozenset(subset)
            if any(smaller <= chosen for smaller in found) or not _says_something(subset, clause.state):
                continue
            candidate = _clause(clause, subset)
            if _holds(candidate, table, kept, connectives):
                found.append(chosen)
                fitting.append(candidate)
        yield from sorted(fitting, key=_cost)


def _says_something(literals: tuple[Literal, ...], state: Term) -> bool:
    return any(state in variables_of(literal.atom) for literal in literals)


def _clause(clause: Clause, literals: tuple[Literal, ...]) -> Clause:
    """The clause of some of the literals, its variables named as if the others had never been there."""
    used = dict.fromkeys(v for literal in literals for v in variables_of(literal.atom) if v is not clause.state)
    taken = {clause.state.op.name}
    renaming = {variable: renamed(variable, taken) for variable in used}
    kept = tuple(Literal(substitute(literal.atom, renaming), literal.positive) for literal in literals)
    return Clause(clause.state, kept, tuple(renaming.values()))


def _holds(clause: Clause, table: TruthTable, kept: KeptStates, connectives: Connectives) -> bool:
    if all(table.can_tell(literal) for literal in clause.literals):
        return table.clause_holds(clause.literals)
    predicate = Predicate("candidate", clause.parameters, clause.formula(connectives), (clause,))
    plans = kept.plans(predicate)
    if plans is None:
        return False
    for values in table.states:
        for plan in plans:
            if next(kept.lookup.solutions_in(plan, values), None) is not None:
                return False
    return True


def _cost(clause: Clause) -> tuple[int, int, int, str]:
    """Fewer observers, fewer variables, smaller terms first."""
    observers: set[object] = set()
    size = 0
    for literal in clause.literals:
        todo = [literal.atom]
        while todo:
            term = todo.pop()
            size += 1
            if clause.state in term.args:
                observers.add(term.op)
            todo += term.args
    return (
        len(clause.parameters),
        len(observers),
        size,
        "".join(size_and_text(each.atom)[1] for each in clause.literals),
    )
