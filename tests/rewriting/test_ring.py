"""Booleans: the engine's normal form against truth tables, and equations given on connectives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import answers, check, module_of, term_of

from otsrw.rewriting.rewriter import Rewriter
from otsrw.theory.terms import Term

ATOMS = ("p0", "p1", "p2", "p3", "p4")
MODULE = module_of(f"mod* B {{ [S] op a : -> S . ops {' '.join(ATOMS)} : -> Bool . }}", "B")
REWRITER = Rewriter(MODULE)

Assignment = dict[str, bool]
CONNECTIVES: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "xor": lambda a, b: a != b,
    "implies": lambda a, b: not a or b,
    "iff": lambda a, b: a == b,
}


@dataclass(frozen=True)
class Expression:
    """A constant or atom (no parts), a negation (one part) or a connective (two)."""

    name: str
    parts: tuple[Expression, ...] = ()

    def text(self) -> str:
        texts = [part.text() for part in self.parts]
        return [self.name, f"(not {texts[:1][0]})" if texts else "", f"({f' {self.name} '.join(texts)})"][len(texts)]

    def value(self, under: Assignment) -> bool:
        values = [part.value(under) for part in self.parts]
        if not values:
            return self.name == "true" if self.name in ("true", "false") else under[self.name]
        return CONNECTIVES[self.name](*values) if len(values) == 2 else not values[0]


def expressions(atoms: tuple[str, ...]) -> st.SearchStrategy[Expression]:
    leaves = st.sampled_from([Expression(name) for name in (*atoms, *atoms, "true", "false")])
    return st.recursive(
        leaves,
        lambda parts: (
            st.builds(lambda part: Expression("not", (part,)), parts)
            | st.builds(lambda name, a, b: Expression(name, (a, b)), st.sampled_from(sorted(CONNECTIVES)), parts, parts)
        ),
        max_leaves=14,
    )


def assignments(atoms: tuple[str, ...] = ATOMS) -> Iterator[Assignment]:
    return (dict(zip(atoms, values, strict=True)) for values in product((False, True), repeat=len(atoms)))


def table(expression: Expression) -> list[bool]:
    return [expression.value(under) for under in assignments()]


def value_of(term: Term, under: Assignment) -> bool:
    """A normal form evaluated: constants, atoms, sums and products only."""
    name = term.op.name
    if name in ("true", "false") or not term.args:
        return name == "true" if name in ("true", "false") else under[name]
    values = [value_of(arg, under) for arg in term.args]
    assert name in ("_xor_", "_and_"), name
    return all(values) if name == "_and_" else sum(values) % 2 == 1


def normal_form(expression: Expression) -> Term:
    return REWRITER.reduce(term_of(expression.text(), MODULE)).term


@given(expressions(ATOMS))
def test_a_normal_form_has_the_truth_table_of_the_expression(expression: Expression) -> None:
    result = normal_form(expression)
    assert [value_of(result, under) for under in assignments()] == table(expression)


@given(expressions(ATOMS[:3]))
def test_an_expression_becomes_true_exactly_if_it_is_a_tautology(expression: Expression) -> None:
    result = normal_form(expression)
    assert (result.op.name == "true") == all(table(expression))
    assert (result.op.name == "false") == (not any(table(expression)))


@given(expressions(ATOMS[:2]), expressions(ATOMS[:2]))
def test_expressions_are_equivalent_exactly_if_their_normal_forms_are_one_object(a: Expression, b: Expression) -> None:
    assert (normal_form(a) is normal_form(b)) == (table(a) == table(b))


@given(expressions(ATOMS[:3]), expressions(ATOMS[:3]))
def test_logical_and_decided_equality_of_equivalent_expressions_are_true(a: Expression, b: Expression) -> None:
    logical = REWRITER.reduce(term_of(f"{a.text()} = {b.text()}", MODULE)).term
    decided = REWRITER.reduce(term_of(f"{a.text()} == {b.text()}", MODULE)).term
    assert (decided.op.name == "true") == (table(a) == table(b))
    assert (logical.op.name == "true") == (table(a) == table(b))


@given(expressions(ATOMS))
def test_a_normal_form_is_its_own_normal_form(expression: Expression) -> None:
    result = normal_form(expression)
    assert REWRITER.reduce(result).term is result


# --- large ones

MANY = [f"x{i}" for i in range(1, 21)]
LARGE = f"mod* L {{ [S] ops {' '.join(MANY)} y : -> Bool . }}\n"


def test_a_disjunction_of_twenty_atoms_has_all_monomials_but_one() -> None:
    module = module_of(LARGE, "L")
    rewriter = Rewriter(module)
    result = rewriter.reduce(term_of(" or ".join(MANY), module)).term
    booleans = rewriter.machine.booleans
    assert booleans is not None
    ring = booleans.ring
    assert ring is not None
    assert ring.count(ring.polynomial(result)) == 2**20 - 1


DISJUNCTION = f"({' or '.join(MANY)})"
LARGE_RESULTS = {
    "excluded middle": (f"{DISJUNCTION} or not {DISJUNCTION}", "true"),
    "contradiction": (f"{DISJUNCTION} and not {DISJUNCTION}", "false"),
    "De Morgan": (f"not {DISJUNCTION} iff ({' and '.join(f'not {x}' for x in MANY)})", "true"),
    "order does not matter": (f"{DISJUNCTION} = ({' or '.join(reversed(MANY))})", "true"),
    "absorption": (f"{DISJUNCTION} and x7", "x7"),
    "an atom implies the disjunction": (f"x3 implies {DISJUNCTION}", "true"),
    "one more atom is another disjunction": (f"{DISJUNCTION} == ({DISJUNCTION} or y)", "false"),
    "parity of everything twice": (f"({' xor '.join(MANY)}) xor ({' xor '.join(MANY)})", "false"),
    "a conjunction implies each atom": (f"({' and '.join(MANY)}) implies x11", "true"),
    "a conjunction of equivalences is transitive": (
        f"({' and '.join(f'({a} iff {b})' for a, b in pairwise(MANY))}) implies (x1 iff x20)",
        "true",
    ),
}


@pytest.mark.parametrize(("term", "expected"), LARGE_RESULTS.values(), ids=LARGE_RESULTS.keys())
def test_large_expressions_are_decided(term: str, expected: str) -> None:
    (answer,) = answers(f"{LARGE} open L . red {term} . close")
    assert answer.result == expected


def test_a_large_normal_form_prints_shortly_and_reads_back_as_itself() -> None:
    (first,) = answers(f"{LARGE} open L . red {DISJUNCTION} . close")
    assert first.result is not None
    assert len(first.result) < 10_000
    (again,) = answers(f"{LARGE} open L . red ({first.result}) = {DISJUNCTION} . close")
    assert again.result == "true"


# --- equations on connectives

PROPOSITIONS = "mod* P { [E] ops a b : -> E . ops p q r s : -> Bool . pred m : E . }\n"
EQUATIONS = {
    "a product that is false": """eq (p and q) = false .
red p and r and q .          --> (false):Bool
red not (q and p) .          --> (true):Bool
red p or q .                 --> (p xor q):Bool
red p implies q .            --> (p xor true):Bool
red (p and r) or (q and s) . --> ((p and r) xor (q and s)):Bool
red (p or r) and q .         --> (q and r):Bool""",
    "a product that is true": """eq (p and q) = true .
red p and r and q .          --> (r):Bool
red p .                      --> (p):Bool""",
    "a product that is another atom": """eq (p and q) = r .
red p and q and s .          --> (r and s):Bool
red (p or s) and q .         --> (r xor ((q and s) xor (r and s))):Bool""",
    "a disjunction that is true": """eq (p or q) = true .
red p or q .                 --> (true):Bool
red q or r or p .            --> (true):Bool
red r implies (q or p) .     --> (true):Bool""",
    "a disjunction that is false": """eq (p or q) = false .
red q or r or p .            --> (r):Bool""",
    "a sum": """eq (p xor q) = true .
red q xor p .                --> (true):Bool
red q xor r xor p .          --> (true xor r):Bool""",
    "a negation": """eq (not p) = q .
red not p .                  --> (q):Bool
red p .                      --> (p):Bool""",
    "an implication": """eq (p implies q) = true .
red p implies q .            --> (true):Bool
red (p implies q) and r .    --> (r):Bool""",
    "an equivalence": """eq (p iff q) = r .
red p iff q .                --> (r):Bool""",
    "an equality of Booleans": """eq (p = q) = false .
red q = p .                  --> (false):Bool
red not (p = q) .            --> (true):Bool""",
    "a product of predicates": """eq (m(a) and m(b)) = false .
red m(b) and p and m(a) .    --> (false):Bool
red m(b) implies not m(a) .  --> (true):Bool""",
    "a product with a variable": """eq (m(X:E) and p) = false .
red p and m(b) .             --> (false):Bool
red p and q and m(a) .       --> (false):Bool
red q and m(a) .             --> (q and m(a)):Bool""",
    "several products": """eq (p and q) = false . eq (q and r) = false . eq (p and r) = false .
red p or q or r .            --> (p xor (q xor r)):Bool
red (p and q and r) xor true .  --> (true):Bool""",
}


@pytest.mark.parametrize("text", EQUATIONS.values(), ids=EQUATIONS.keys())
def test_equations_on_connectives_are_used(text: str) -> None:
    check(f"{PROPOSITIONS}open P .\n{text}\nclose")


@st.composite
def assumptions(draw: st.DrawFn) -> tuple[Expression, bool]:
    """An atom, a product, a disjunction or a sum, assumed true or false."""
    chosen = draw(st.lists(st.sampled_from(ATOMS), min_size=1, max_size=3, unique=True))
    name = draw(st.sampled_from(["and", "and", "or", "xor"]))
    side = Expression(chosen[0])
    for atom in chosen[1:]:
        side = Expression(name, (side, Expression(atom)))
    return side, draw(st.booleans())


@settings(deadline=None)
@given(st.lists(assumptions(), min_size=1, max_size=3), expressions(ATOMS))
def test_a_result_under_assumptions_is_equivalent_where_they_hold(
    assumed: list[tuple[Expression, bool]], expression: Expression
) -> None:
    equations = " ".join(f"eq ({side.text()}) = {str(value).lower()} ." for side, value in assumed)
    atoms = f"mod* B {{ [S] ops {' '.join(ATOMS)} : -> Bool . }}"
    (answer,) = answers(f"{atoms} open B . {equations} red {expression.text()} . close")
    assert answer.normal_form is not None
    for under in assignments():
        if all(side.value(under) == value for side, value in assumed):
            assert value_of(answer.normal_form, under) == expression.value(under)


def test_a_large_ring_is_left_behind_between_reductions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otsrw.rewriting.booleans.LARGE_RING", 8)
    text = "mod B { ops p q r s : -> Bool } open B . eq s = p or q . red p or q or r . red (s and r) xor (s and r) . "
    found = answers(text + "red s implies (p or q) . red (p or q) implies s . close")
    assert [command.result for command in found][1:] == ["false", "true", "true"]
