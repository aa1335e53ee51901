"""Indexes that are computed from observations, as variables.

`array(S, s(next(S)))` is false whatever comes next, because `array(S, I)` is false for all I greater than `next(S)`. Of
the index all that matters is in which relations to observed values it is. A lemma about `s(next(S))` itself would
need one about `s(s(next(S)))`, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.induction.clauses import Clause, renamed, replace
from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.order import size_and_text
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term, subterms, variable, variables_of


def computed_indexes(terms: Iterable[Term], state: Term) -> dict[Term, Sort]:
    """The indexes in some terms that are computed from observations, smaller ones first, each with its declared sort.

    An index that is an observation itself is none of them.
    """
    found: dict[Term, Sort] = {}
    for term in terms:
        for part in subterms(term):
            if state in part.args:
                places = zip(part.args, part.op.decl_of(part.args).arity, strict=True)
                found.update((index, sort) for index, sort in places if _is_computed(index, state))
    return {index: found[index] for index in sorted(found, key=size_and_text)}


def index_patterns(terms: Iterable[Term], state: Term) -> list[Term]:
    """How indexes in some terms are computed from one observation, with a variable X for it: `s(X)`."""
    found: dict[Term, None] = {}
    for index in computed_indexes(terms, state):
        observed = dict.fromkeys(part for part in subterms(index) if state in part.args)
        if len(observed) == 1:
            (term,) = observed
            found[replace(index, {term: variable("X", term.op.decl_of(term.args).coarity)})] = None
    return list(found)


def _is_computed(term: Term, state: Term) -> bool:
    return term is not state and state not in term.args and any(part is state for part in subterms(term))


def with_free_indexes(clause: Clause) -> Clause:
    """The clause with a variable for each index that is computed from observations, wherever that stands."""
    indexes = computed_indexes((literal.atom for literal in clause.literals), clause.state)
    taken = {clause.state.op.name, *(parameter.op.name for parameter in clause.parameters)}
    names = {index: renamed(variable("I", sort), taken) for index, sort in indexes.items()}
    literals = dict.fromkeys(Literal(replace(each.atom, names), each.positive) for each in clause.literals)
    used = dict.fromkeys(v for each in literals for v in variables_of(each.atom) if v is not clause.state)
    return Clause(clause.state, tuple(literals), tuple(used))
