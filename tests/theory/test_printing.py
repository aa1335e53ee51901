"""A printed term reads back as the identical object, whatever mixfix operators it is made of."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import answers, module_of, run, term_of

from otsrw.theory.modules import Module
from otsrw.theory.printing import show
from otsrw.theory.terms import Term

SHAPES = (
    "{0}", "{0}_", "_{0}", "_{0}_", "{0}_{1}", "{0}_{1}_", "_{0}_{1}_", "_{0}_{1}", "{0}_{1}_{2}", "{0}__{1}", "__",
    "_[_]", "_,_", "{{_}}", "_;_", "{0} {1}_",
)  # fmt: skip
WORDS = ("+", "*", "if0", "then0", "<", ">", "|", "=>", "!", "@f", "of", "'", "#", "x:y")
SORTS = ("A", "B", "C")
ATTRIBUTES = ("", "", "{prec: 10}", "{prec: 70}", "{l-assoc}", "{r-assoc}")
THEORIES = ("{assoc}", "{comm}", "{assoc comm}", "{assoc comm prec: 30}", "{assoc comm idem}")


@dataclass(frozen=True)
class Operator:
    """A declared operator; prefix ones have no underscore in their name."""

    name: str
    arity: tuple[str, ...]
    coarity: str
    attributes: str

    def declaration(self) -> str:
        return f"op {self.name} : {' '.join(self.arity)} -> {self.coarity} {self.attributes} ."


@st.composite
def operators(draw: st.DrawFn, number: int) -> Operator:
    """An operator whose words no other operator has, unless it is made of punctuation only."""
    words = [f"{word}{number}" for word in draw(st.permutations(WORDS))]
    name = draw(st.sampled_from(SHAPES)).format(*words)
    holes = name.count("_") or draw(st.integers(1, 3))
    if holes == 2 and draw(st.booleans()):
        sort = draw(st.sampled_from(SORTS))
        return Operator(name, (sort, sort), sort, draw(st.sampled_from(THEORIES)))
    arity = tuple(draw(st.sampled_from(SORTS)) for _ in range(holes))
    return Operator(name, arity, draw(st.sampled_from(SORTS)), draw(st.sampled_from(ATTRIBUTES)))


@dataclass(frozen=True, repr=False)
class Problem:
    """A signature and one of its terms."""

    spec: str
    module: Module
    term: Term

    def __repr__(self) -> str:
        return f"{self.spec}\n{self.term}\n{show(self.term)}"


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    drawn = [draw(operators(number)) for number in range(draw(st.integers(2, 6)))]
    declared = list({op.name: op for op in drawn}.values())
    constants = " ".join(f"op c{sort} : -> {sort} . op d{sort} : -> {sort} ." for sort in SORTS)
    order = draw(st.sampled_from(["[A B C]", "[A < B, C]", "[A < B < C]"]))
    spec = f"mod* M {{ {order} {constants}\n" + "\n".join(op.declaration() for op in declared) + "\n}"
    module = module_of(spec, "M")
    return Problem(spec, module, _term(draw, module, draw(st.sampled_from(SORTS)), 3))


def _term(draw: st.DrawFn, module: Module, sort: str, depth: int) -> Term:
    """A random well-sorted term of a sort."""
    wanted = next(s for s in module.sorts if s.name == sort)
    order = module.signature.order
    decls = [d for d in module.decls if d.arity and order.leq(d.coarity, wanted)]
    choice = draw(st.integers(0, 5))
    if depth == 0 or not decls or choice == 0:
        names = [d.name for d in module.decls if not d.arity and order.leq(d.coarity, wanted)]
        if draw(st.booleans()):
            return term_of(f"X{draw(st.integers(0, 1))}{sort}:{sort}", module)
        return module.signature.named(draw(st.sampled_from(names)), 0)[0].make(())
    decl = draw(st.sampled_from(decls))
    symbol = module.signature.symbol_of(decl)
    assert symbol is not None
    return symbol.make(tuple(_term(draw, module, s.name, depth - 1) for s in decl.arity))


@settings(deadline=None, max_examples=150)
@given(problems())
def test_a_printed_term_reads_back_as_itself(problem: Problem) -> None:
    assert term_of(show(problem.term), problem.module) is problem.term


@settings(deadline=None, max_examples=40)
@given(problems())
def test_a_term_without_equations_reduces_to_itself(problem: Problem) -> None:
    text = show(problem.term)
    parsed, reduced = answers(f"{problem.spec} open M . parse {text} . red {text} . close")
    assert parsed.shown_result == reduced.shown_result
    assert reduced.sort == problem.term.sort.name


GOLDEN = {
    "standard operator": ("f(a,b)", "(f(a,b)):S"),
    "constant": ("a", "(a):S"),
    "variable": ("X:S", "X:S"),
    "a variable carries its sort once": ("f(X:S,X)", "(f(X:S,X)):S"),
    "infix": ("a + b + c", "(a + (b + c)):S"),
    "prefix": ("z z a", "(z (z a)):S"),
    "outfix": ("< a , b >", "(< a , b >):S"),
    "index": ("a[b]", "(a [ b ]):S"),
    "mixfix inside standard": ("f(z a,b)", "(f((z a),b)):S"),
    "standard inside mixfix": ("z f(a,b)", "(z f(a,b)):S"),
    "conditional": ("if a = b then a else z b fi", "(if (a = b) then a else (z b) fi):S"),
    "several words": ("two words", "(two words):S"),
    "numeral": ("3", "(3):NzNat"),
    "string": ('"a\\"b"', '("a\\"b"):String'),
    "quoted identifier": ("'abc", "('abc):Qid"),
    "negation": ("not p", "(not p):Bool"),
}
GOLDEN_SPEC = """mod* G { pr(STRING) pr(QID) [S] ops a b c : -> S .
op f : S S -> S . op _+_ : S S -> S {assoc} . op z_ : S -> S .
op <_,_> : S S -> S . op _[_] : S S -> S . op two words : -> S . op p : -> Bool . }
"""


@pytest.mark.parametrize(("text", "shown"), GOLDEN.values(), ids=GOLDEN.keys())
def test_a_term_prints_as_in_cafeobj(text: str, shown: str) -> None:
    (answer,) = answers(f"{GOLDEN_SPEC} open G . parse {text} . close")
    assert answer.shown_result == shown


def test_a_variable_of_the_module_prints_without_its_sort() -> None:
    spec = "mod* V { [S] op f : S S -> S . var V : S . }"
    (answer,) = answers(f"{spec} open V . red f(V,f(W:S,W)) . close")
    assert answer.shown_result == "(f(V,f(W:S,W))):S"


def test_an_ambiguous_sort_name_is_printed_with_its_module() -> None:
    outcome = run("mod S1 { [S] op a : -> S . } mod S2 { [S] op b : -> S . } open S1 + S2 . red a . close")
    assert [command.shown_result for command in outcome.commands] == ["(a):S.S1"]
