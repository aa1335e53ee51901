"""Terms that are written as numbers and read again are the same terms."""

from __future__ import annotations

import pickle

from hypothesis import given, settings
from hypothesis import strategies as st

from otsrw.induction.sent_terms import SentTerm, TermWriter, numbers_of, read_terms
from otsrw.proofs import Session
from otsrw.theory.modules import Module
from otsrw.theory.terms import Term, literal_of, variable

TEXT = """
mod! BAG { [Elt < Bag]  ops a b c : -> Elt {constr}  op none : -> Bag {constr}
  op (_,_) : Bag Bag -> Bag {constr assoc comm id: none} }
mod* M { pr(BAG) pr(NAT) pr(FLOAT) pr(STRING)
  op f : Bag Nat -> Bag   op g : Float String -> Bag   op h : Bag Bag -> Bag {comm} }
"""


def loaded() -> Module:
    session = Session()
    session.run_text(TEXT)
    found = session.library.find("M")
    assert found is not None and not session.outcome.problems
    return found


MODULE = loaded()
SYMBOLS = {symbol.name: symbol for symbol in MODULE.signature.symbols()}
SORTS = {sort.name: sort for sort in MODULE.signature.order.sorts}

LEAVES = st.sampled_from(
    [SYMBOLS[name].make(()) for name in ("a", "b", "c", "none")]
    + [variable("X", SORTS["Bag"]), variable("X", SORTS["Elt"]), variable("Y", SORTS["Bag"])]
    + [variable("Z", MODULE.signature.order.kind[SORTS["Bag"]].error)]
)


def grown(bags: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    numbers, floats = st.integers(0, 3).map(literal_of), st.sampled_from([0.5, 1.5]).map(literal_of)
    pairs = st.tuples(bags, bags)
    return st.one_of(
        pairs.map(SYMBOLS["_,_"].make),
        pairs.map(SYMBOLS["h"].make),
        st.tuples(bags, numbers).map(SYMBOLS["f"].make),
        st.tuples(floats, st.sampled_from(["", "x"]).map(literal_of)).map(SYMBOLS["g"].make),
    )


@given(st.lists(st.recursive(LEAVES, grown, max_leaves=8), min_size=1, max_size=4), st.booleans())
@settings(max_examples=60, deadline=None)
def test_terms_come_back(terms: list[Term], in_turn: bool) -> None:
    writer = TermWriter(MODULE)
    if in_turn:
        writer.write_in_turn(terms)
    places = writer.places(terms)
    sent: list[SentTerm] = pickle.loads(pickle.dumps(writer.terms))
    read = read_terms(sent, MODULE)
    assert all(read[place] is term for place, term in zip(places, terms, strict=True))


def test_literals_that_python_takes_as_equal_are_told_apart() -> None:
    writer = TermWriter(MODULE)
    writer.places([literal_of(1), literal_of("1"), literal_of(SORTS["Bag"])])
    assert len(set(writer.terms)) == 3
    assert SentTerm(None, literal=("int", 1)) != SentTerm(None, literal=("float", 1.0))
    assert [term.op.name for term in read_terms(writer.terms, MODULE)] == ["<literal>"] * 3
    assert read_terms(writer.terms, MODULE)[2] is literal_of(SORTS["Bag"])


def test_modules_with_other_equations_have_other_digests() -> None:
    assert numbers_of(loaded()).digest == numbers_of(MODULE).digest
    session = Session()
    session.run_text(TEXT.replace("{comm} }", "{comm}  eq f(none, 1) = none . }"))
    other = session.library.find("M")
    assert other is not None
    assert numbers_of(other).digest != numbers_of(MODULE).digest
