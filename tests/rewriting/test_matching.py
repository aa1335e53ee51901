"""Matching modulo theories against brute force: all substitutions over the parts of the subject are tried."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support import module_of, term_of

from otsrw.rewriting.matching import Matcher
from otsrw.theory.modules import Module
from otsrw.theory.morphisms import Substitution, substitute
from otsrw.theory.printing import show
from otsrw.theory.terms import Symbol, Term, variables_of

THEORIES = {
    "free": "",
    "commutative": "{comm}",
    "associative": "{assoc}",
    "associative and commutative": "{assoc comm}",
    "associative and commutative with identity": "{assoc comm id: e}",
    "associative with identity": "{assoc id: e}",
    "commutative with identity": "{comm id: e}",
    "with identity": "{id: e}",
    "commutative and idempotent": "{comm idem}",
    "associative, commutative and idempotent": "{assoc comm idem}",
    "associative, commutative and idempotent with identity": "{assoc comm idem id: e}",
}
RANKS = {
    "one rank": "op _o_ : L L -> L {theory} .",
    "overloaded": "op _o_ : L L -> L {theory} . op _o_ : E E -> E {theory} .",
}
SPEC = "mod* M {{ [E < L] ops a b c : -> E . ops e d : -> L . op u : L -> L . op g : L L -> L . {operator} }}"
MODULES = {
    f"{theory}, {rank}": module_of(SPEC.format(operator=RANKS[rank].format(theory=THEORIES[theory])), "M")
    for theory in THEORIES
    for rank in RANKS
    if "with identity" not in theory or rank == "one rank"
}
IDEMPOTENT = [name for name in MODULES if "idempotent" in name]
WITHOUT_IDEMPOTENCE = {
    name: name.replace("commutative and idempotent", "commutative").replace("ive, commut", "ive and commut")
    for name in IDEMPOTENT
}
COMPLETE = [name for name in MODULES if "idempotent" not in name]
COLLECTIONS = [name for name in COMPLETE if name.startswith("associative")]
GROUND = ("a", "b", "c", "d", "e")
OPEN = (*GROUND, "X:E", "Y:E", "V:L", "W:L", "V:L")
TOO_MANY = 4_000


def texts(leaves: tuple[str, ...], size: int, top: str = "") -> st.SearchStrategy[str]:
    """Terms; with `top` they are applications of the operator under test."""
    inner = st.recursive(
        st.sampled_from(leaves),
        lambda parts: (
            st.builds("({} o {})".format, parts, parts)
            | st.builds("({} o ({} o {}))".format, parts, parts, parts)
            | st.builds("u({})".format, parts)
            | st.builds("g({},{})".format, parts, parts)
        ),
        max_leaves=size,
    )
    return st.builds("({} o {})".format, inner, inner) if top else inner


@st.composite
def problems(draw: st.DrawFn, module: Module, top: str = "") -> tuple[Term, Term]:
    """A pattern and a ground subject, often an instance of it."""
    pattern = term_of(draw(texts(OPEN, 4, top)), module)
    if draw(st.integers(0, 3)) == 0:
        return pattern, term_of(draw(texts(GROUND, 5, top)), module)
    elements = st.sampled_from(GROUND[:3])
    values = {v: draw(elements if v.sort.name == "E" else texts(GROUND, 3)) for v in variables_of(pattern)}
    return pattern, substitute(pattern, {v: term_of(text, module) for v, text in values.items()})


def parts_of(op: Symbol, term: Term) -> Iterator[Term]:
    """The term, its subterms, and of each collection every sublist or subcollection."""
    yield term
    for arg in term.args:
        yield from parts_of(op, arg)
    if term.op is op and op.assoc:
        places = range(len(term.args))
        for size in range(2, len(term.args)):
            sublists = (tuple(range(i, i + size)) for i in places[: len(places) - size + 1])
            for indexes in combinations(places, size) if op.comm else sublists:
                yield op.make(tuple(term.args[i] for i in indexes))


def operator(module: Module) -> Symbol:
    (symbol,) = module.signature.named(("_", "o", "_"), 2)
    return symbol


def candidates(op: Symbol, subject: Term) -> list[Term]:
    identity = [op.identity] if op.identity is not None else []
    return list(dict.fromkeys([*parts_of(op, subject), *identity]))


def assignments(module: Module, pattern: Term, values: list[Term]) -> Iterator[Substitution]:
    order = module.signature.order
    variables = variables_of(pattern)
    choices = [[value for value in values if order.leq(value.sort, v.sort)] for v in variables]
    ways = 1
    for choice in choices:
        ways *= len(choice)
    assume(ways <= TOO_MANY)
    return (dict(zip(variables, chosen, strict=True)) for chosen in product(*choices))


Solutions = set[frozenset[tuple[Term, Term]]]


def brute_force(module: Module, pattern: Term, subject: Term) -> Solutions:
    values = candidates(operator(module), subject)
    return {
        frozenset(found.items())
        for found in assignments(module, pattern, values)
        if substitute(pattern, found) is subject
    }


def matched(module: Module, pattern: Term, subject: Term) -> Solutions:
    return {frozenset(found.items()) for found in Matcher(module.signature.order).match(pattern, subject, {})}


@pytest.mark.parametrize("name", COMPLETE)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_the_matcher_finds_exactly_the_solutions(name: str, data: st.DataObject) -> None:
    module = MODULES[name]
    pattern, subject = data.draw(problems(module))
    assert matched(module, pattern, subject) == brute_force(module, pattern, subject)


@pytest.mark.parametrize("name", IDEMPOTENT)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_an_idempotent_collection_is_shared_out_without_overlap(name: str, data: st.DataObject) -> None:
    """As in CafeOBJ: `a X` does not match `a` with X = a, or `size(X S) = s(size(S))` would never end."""
    module, twin = MODULES[name], MODULES[WITHOUT_IDEMPOTENCE[name]]
    pattern, subject = data.draw(problems(module))
    found = matched(module, pattern, subject)
    assert all(substitute(pattern, dict(solution)) is subject for solution in found)
    apart = brute_force(twin, term_of(show(pattern), twin), term_of(show(subject), twin))
    assert found == {
        frozenset((term_of(show(v), module), term_of(show(value), module)) for v, value in solution)
        for solution in apart
    }


@pytest.mark.parametrize("name", COLLECTIONS)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_what_is_left_over_around_a_match_completes_it(name: str, data: st.DataObject) -> None:
    module = MODULES[name]
    op = operator(module)
    pattern, subject = data.draw(problems(module, "top"))
    assume(pattern.op is op and subject.op is op)
    matcher = Matcher(module.signature.order)
    found: set[tuple[frozenset[tuple[Term, Term]], tuple[Term, ...], tuple[Term, ...]]]
    if op.comm:
        shares = list(matcher.match_multiset(op, pattern.args, subject.args, {}, True))
        found = {(frozenset(s.items()), (), tuple(sorted(rest, key=id))) for s, rest in shares}
    else:
        lists = matcher.match_list(op, pattern.args, subject.args, {}, True)
        found = {(frozenset(s.items()), before, after) for s, before, after in lists}
    assert {s for s, _, _ in found} == around(module, pattern, subject)
    for solution, before, after in found:
        whole = (*before, substitute(pattern, dict(solution)), *after)
        assert (op.make(whole) if len(whole) > 1 else whole[0]) is subject


def around(module: Module, pattern: Term, subject: Term) -> Solutions:
    """Substitutions under which the pattern is a sublist or subcollection of the subject."""
    op = operator(module)
    inner = {part for arg in subject.args for sub in arg.args for part in parts_of(op, sub)} - set(subject.args)
    outer = set(parts_of(op, subject)) - inner | {op.identity}
    return {
        frozenset(found.items())
        for found in assignments(module, pattern, candidates(op, subject))
        if substitute(pattern, found) in outer
    }


def test_a_bound_variable_is_not_bound_again() -> None:
    module = MODULES["associative and commutative, one rank"]
    pattern, subject = term_of("X:E o V:L", module), term_of("a o b o c", module)
    bound = {term_of("X:E", module): term_of("b", module)}
    (found,) = Matcher(module.signature.order).match(pattern, subject, bound)
    assert found[term_of("V:L", module)] is term_of("a o c", module)


def test_a_variable_in_two_places_means_one_term() -> None:
    module = MODULES["associative and commutative, one rank"]
    pattern, subject = term_of("g(V:L, V:L o W:L)", module), term_of("g(a o b, c o b o a)", module)
    (found,) = Matcher(module.signature.order).match(pattern, subject, {})
    assert found[term_of("W:L", module)] is term_of("c", module)
