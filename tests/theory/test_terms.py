"""Walks through terms."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from specifications import ots_of

from otsrw.theory.terms import Term, distinct_subterms, subterms

_MODULE = ots_of(
    "mod! D { [D] op a : -> D {constr} op s : D -> D {constr} op f : D D -> D {constr} }"
    " mod* M { pr(D) *[Sys]* op init : -> Sys bop d : Sys -> D bop t : Sys -> Sys var S : Sys"
    " eq d(init) = a . eq d(t(S)) = s(d(S)) . op p : Sys -> Bool eq p(S) = (d(S) = d(S)) . }"
).module
_A, _S, _F = (next(symbol for symbol in _MODULE.signature.symbols() if symbol.name == name) for name in "asf")

_terms: st.SearchStrategy[Term] = st.recursive(
    st.just(_A.make(())),
    lambda inner: st.one_of(inner.map(lambda part: _S.make((part,))), st.tuples(inner, inner).map(_F.make)),
    max_leaves=12,
)


@given(_terms)
def test_each_part_of_a_term_comes_once_and_after_its_own_parts(term: Term) -> None:
    found = distinct_subterms(term)
    assert found[-1] is term
    assert len(found) == len(set(found))
    assert set(found) == set(subterms(term))
    for place, part in enumerate(found):
        assert set(part.args) <= set(found[:place])


def test_a_term_that_shares_its_parts_is_walked_through_once() -> None:
    term = _A.make(())
    for _ in range(200):
        term = _F.make((term, term))
    assert len(distinct_subterms(term)) == 201
