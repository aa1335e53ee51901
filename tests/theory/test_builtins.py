"""The table of built-in operators: it says the same as the prelude, and its computations are those of CafeOBJ."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import product
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from otsrw.rewriting.booleans import RING_OPERATIONS
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.reader import read
from otsrw.syntax.source import Source
from otsrw.theory.builtins import (
    COMPUTE,
    LITERAL_SORT_NAMES,
    RING_CONNECTIVES,
    Builtin,
    Character,
    QuotedId,
    literal_sort_name,
)
from otsrw.theory.elaborate import elaborate
from otsrw.theory.library import Library
from otsrw.theory.modules import Module
from otsrw.theory.sorts import COSMOS
from otsrw.theory.terms import OpDecl

_VALUES: dict[str, tuple[Any, ...]] = {
    "Nat": (0, 1, 2, 7, 300),
    "NzNat": (1, 2, 7),
    "Int": (-3, 0, 2),
    "NzInt": (-3, 2),
    "Rat": (Fraction(-1, 2), 0, 3),
    "NzRat": (Fraction(-1, 2), 3),
    "Float": (-1.5, 0.0, 2.0, 1000.0, math.inf),
    "Character": (Character("a"), Character("Z"), Character("1")),
    "String": ("", "a", "Hello, world"),
    "Qid": (QuotedId("'a"),),
}
"""Some values of the sorts that operators of the prelude take."""

_SAMPLES: dict[Builtin, list[tuple[Any, ...]]] = {
    Builtin.ADD: [(2, 3, 5), (Fraction(1, 2), Fraction(1, 2), 1), (0.5, 0.25, 0.75)],
    Builtin.TIMES: [(2, 3, 6)],
    Builtin.MINUS: [(2, 3, -1)],
    Builtin.NEGATE: [(2, -2)],
    Builtin.SUCCESSOR: [(0, 1)],
    Builtin.PREDECESSOR: [(3, 2), (0, None)],
    Builtin.DISTANCE: [(2, 5, 3), (5, 2, 3), (2, 2, 0)],
    Builtin.NONZERO_DISTANCE: [(2, 5, 3), (2, 2, 1)],
    Builtin.QUOTIENT: [(7, 2, 3), (-7, 2, -3), (7, 0, None)],
    Builtin.NONZERO_QUOTIENT: [(7, 2, 3), (2, 7, 1)],
    Builtin.REMAINDER: [(7, 2, 1), (-7, 2, -1), (7, -2, 1), (7, 0, None), (7.5, 2.0, 1.5)],
    Builtin.DIVIDE: [(1, 2, Fraction(1, 2)), (1, 0, None), (1.0, 4.0, 0.25)],
    Builtin.DIVIDES: [(2, 6, True), (4, 6, False), (0, 6, None)],
    Builtin.LESS: [(1, 2, True), (2, 2, False), ("ab", "b", True)],
    Builtin.LESS_EQUAL: [(2, 2, True), (3, 2, False)],
    Builtin.GREATER: [(3, 2, True), (2, 2, False)],
    Builtin.GREATER_EQUAL: [(2, 2, True), (1, 2, False)],
    Builtin.SAME_VALUE: [("a", "a", True), ("a", "b", False)],
    Builtin.NEAR: [(1.0, 0.5, 1.25, True), (1.0, 0.5, 2.0, False)],
    Builtin.EXP: [(0.0, 1.0), (1000.0, None)],
    Builtin.LOG: [(1.0, 0.0), (0.0, None)],
    Builtin.SQRT: [(4.0, 2.0), (-1.0, None)],
    Builtin.ABS: [(-1.5, 1.5)],
    Builtin.SIN: [(0.0, 0.0), (math.inf, None)],
    Builtin.COS: [(0.0, 1.0), (math.inf, None)],
    Builtin.ATAN: [(0.0, 0.0)],
    Builtin.PI: [(math.pi,)],
    Builtin.CHAR_CODE: [(Character("a"), 97)],
    Builtin.CODE_CHAR: [(97, Character("a")), (256, None)],
    Builtin.GRAPHIC_CHAR_P: [(Character("a"), True), (Character("\n"), False)],
    Builtin.ALPHA_CHAR_P: [(Character("a"), True), (Character("1"), False)],
    Builtin.UPPER_CASE_P: [(Character("A"), True), (Character("a"), False)],
    Builtin.LOWER_CASE_P: [(Character("a"), True), (Character("A"), False)],
    Builtin.DIGIT_CHAR_P: [(Character("1"), True), (Character("a"), False)],
    Builtin.ALPHANUMERICP: [(Character("1"), True), (Character("-"), False)],
    Builtin.UPCASE: [("aB", "AB"), (Character("a"), Character("A"))],
    Builtin.DOWNCASE: [("aB", "ab"), (Character("A"), Character("a"))],
    Builtin.CONCATENATE: [("ab", "c", "abc")],
    Builtin.LENGTH: [("abc", 3)],
    Builtin.FIND: [(Character("b"), "abab", 2, 3), (Character("c"), "abab", 0, None)],
    Builtin.RFIND: [(Character("b"), "abab", 2, 1), (Character("c"), "abab", 3, None)],
    Builtin.SCHAR: [("abc", 1, Character("b")), ("abc", 3, None)],
    Builtin.STRING: [(Character("a"), "a"), (QuotedId("'a"), "'a")],
    Builtin.CAPITALIZE: [("ab cd", "Ab Cd")],
    Builtin.SUBSTRING: [("abcd", 1, 3, "bc"), ("abcd", 2, "cd"), ("abcd", 3, 1, None), ("abcd", 5, None)],
    Builtin.RSUBSTRING: [("abcd", 1, "a"), ("abcd", 5, None)],
    Builtin.QID: [("a", QuotedId("'a"))],
}
"""Arguments, and the value; None if there is none."""

_NOT_FOUND = (Builtin.FIND, Builtin.RFIND)
"""Without a number they answer `notFound`."""

_ONLY_POSITIVE = (Builtin.NONZERO_DISTANCE, Builtin.NONZERO_QUOTIENT)
"""No rank of theirs takes 0, so the rewriter does not ask for their values there."""

_PRELUDE = Path(elaborate.__code__.co_filename).with_name("prelude.cafe").read_text("utf-8")


def _modules() -> list[Module]:
    library = Library(elaborate)
    found = [library.find(name) for name in re.findall(r"^mod[!*] (\S+)", _PRELUDE, re.MULTILINE)]
    return [module for module in found if module is not None]


def _declarations() -> list[tuple[Builtin, OpDecl]]:
    decls = [decl for module in _modules() for decl in module.decls]
    return [(decl.attributes.native, decl) for decl in decls if decl.attributes.native is not None]


def _arguments(builtin: Builtin) -> list[tuple[Any, ...]]:
    """Literal arguments of an operator, for all its ranks."""
    ranks = {tuple(sort.name for sort in decl.arity) for owner, decl in _declarations() if owner is builtin}
    return [values for rank in sorted(ranks) for values in product(*(_VALUES[name] for name in rank))]


def test_the_prelude_declares_the_operators_of_the_table_with_their_arities() -> None:
    declared: dict[Builtin, set[int]] = {}
    for builtin, decl in _declarations():
        declared.setdefault(builtin, set()).add(len(decl.arity))
    assert declared == {builtin: set(builtin.arities) for builtin in Builtin}


def test_the_prelude_cannot_name_an_operator_that_is_not_in_the_table() -> None:
    text = "mod! WRONG { [S] op f : S -> S { native: concat } }"
    statements, _ = read(Source("<prelude>", text))
    (declaration,) = (s for s in statements if isinstance(s, tree.ModuleDeclaration))
    with pytest.raises(OtsrwError, match="unknown built-in operator: 'concat'"):
        elaborate(declaration, Library(elaborate))


def test_the_prelude_declares_the_sorts_of_all_literals() -> None:
    sorts = {sort.name for module in _modules() for sort in module.sorts}
    assert sorts >= LITERAL_SORT_NAMES
    values = [*(value for group in _VALUES.values() for value in group), COSMOS]
    assert {literal_sort_name(value) for value in values} == LITERAL_SORT_NAMES


def test_every_computation_has_samples() -> None:
    assert set(_SAMPLES) == set(COMPUTE)


@pytest.mark.parametrize("builtin", COMPUTE, ids=lambda builtin: builtin.value)
def test_an_operator_computes_as_in_cafeobj(builtin: Builtin) -> None:
    for *arguments, value in _SAMPLES[builtin]:
        found = COMPUTE[builtin](*arguments)
        assert found == value, arguments
        assert found is None or literal_sort_name(found) == literal_sort_name(value), arguments


@pytest.mark.parametrize("builtin", COMPUTE, ids=lambda builtin: builtin.value)
def test_an_operator_has_a_value_where_the_table_does_not_say_otherwise(builtin: Builtin) -> None:
    samples = [tuple(arguments) for *arguments, _ in _SAMPLES[builtin]]
    lacks_values = any(COMPUTE[builtin](*values) is None for values in (*_arguments(builtin), *samples))
    says_so = builtin.undefined is not None or builtin in _NOT_FOUND
    assert says_so is (lacks_values or builtin in _ONLY_POSITIVE)


def test_the_ring_computes_its_connectives() -> None:
    assert set(RING_OPERATIONS) == RING_CONNECTIVES


def test_a_template_takes_as_many_arguments_as_the_operator() -> None:
    for builtin in Builtin:
        if builtin.maude is not None:
            places = {
                int(place) if place else None for _, place, *_ in Formatter().parse(builtin.maude) if place is not None
            }
            count = builtin.maude.count("{}") if None in places else len(places)
            assert (count,) == builtin.arities, builtin
