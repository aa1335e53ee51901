"""Lemmas about data: what structural induction proves holds for all small values, and common lemmas are found."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import module_of, term_of

from otsrw.reasoning.building import Builders
from otsrw.reasoning.data_induction import DataInduction, DataProof
from otsrw.reasoning.data_lemmas import stated_lemma
from otsrw.reasoning.lemma_book import LemmaBook
from otsrw.reasoning.workbench import Why, Workbench
from otsrw.theory.modules import Module, equations_by_symbol
from otsrw.theory.printing import show
from otsrw.theory.sorts import COSMOS
from otsrw.theory.terms import Term, subterms

# --- random functions on naturals, evaluated by a program of its own

Env = dict[str, int]
Expr = tuple[str, Callable[[Env, "Functions"], int]]


class TooLong(Exception):
    pass


class Functions:
    """`f` and `p` as Python functions, from the right sides of their equations."""

    calls = 0

    def __init__(self, zero: Expr, step: Expr, test_zero: Expr, test_step: Expr) -> None:
        self.zero, self.step, self.test_zero, self.test_step = zero, step, test_zero, test_step

    def f(self, x: int, y: int) -> int:
        self.calls += 1
        if self.calls > 3000:
            raise TooLong
        env = {"X": x - 1, "Y": y}
        return self.zero[1](env, self) if x == 0 else self.step[1](env, self)

    def p(self, x: int) -> int:
        return self.test_zero[1]({"Y": 0}, self) if x == 0 else self.test_step[1]({"X": x - 1}, self)


ZERO: Expr = ("z", lambda e, fs: 0)


def named(name: str) -> Expr:
    return name, lambda e, fs: e[name]


def numbers(names: str, recursive: bool, free: bool = False) -> st.SearchStrategy[Expr]:
    """Terms over the variables; calls of `f` go to X when the equation of f is written, to anything in a lemma."""
    leaf = st.one_of(st.just(ZERO), st.sampled_from(names).map(named))

    def grown(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        ways = [inner.map(lambda t: (f"s ( {t[0]} )", lambda e, fs: t[1](e, fs) + 1))]
        if recursive:
            ways.append(inner.map(lambda t: (f"f ( X , {t[0]} )", lambda e, fs: fs.f(e["X"], t[1](e, fs)))))
        if free:
            pair = st.tuples(inner, inner)
            ways.append(
                pair.map(lambda t: (f"f ( {t[0][0]} , {t[1][0]} )", lambda e, fs: fs.f(t[0][1](e, fs), t[1][1](e, fs))))
            )
        return st.one_of(ways)

    return st.recursive(leaf, grown, max_leaves=3)


def truths(names: str, recursive: bool) -> st.SearchStrategy[Expr]:
    ways: list[Expr] = [("true", lambda e, fs: 1), ("false", lambda e, fs: 0)]
    if recursive:
        ways += [("p ( X )", lambda e, fs: fs.p(e["X"])), ("not p ( X )", lambda e, fs: 1 - fs.p(e["X"]))]
    return st.sampled_from(ways)


FUNCTIONS = st.builds(Functions, numbers("Y", False), numbers("XY", True), truths("Y", False), truths("X", True))


def claims() -> st.SearchStrategy[Expr]:
    term = numbers("AB", False, free=True)
    same = st.tuples(term, term).map(
        lambda t: (f"( {t[0][0]} = {t[1][0]} )", lambda e, fs: int(t[0][1](e, fs) == t[1][1](e, fs)))
    )
    test = term.map(lambda t: (f"p ( {t[0]} )", lambda e, fs: fs.p(t[1](e, fs))))
    atom = st.one_of(same, test)
    implied = st.tuples(atom, atom).map(
        lambda t: (f"( {t[0][0]} implies {t[1][0]} )", lambda e, fs: int(not t[0][1](e, fs) or t[1][1](e, fs)))
    )
    return st.one_of(same, test, test.map(lambda t: (f"not {t[0]}", lambda e, fs: 1 - t[1](e, fs))), implied)


def spec(functions: Functions, claim: str) -> str:
    return f"""
mod! N {{ [N]
  op z : -> N {{constr}}   op s : N -> N {{constr}}
  op f : N N -> N   op p : N -> Bool   op claim : N N -> Bool
  vars X Y A B : N
  eq f(z, Y) = {functions.zero[0]} .
  eq f(s(X), Y) = {functions.step[0]} .
  eq p(z) = {functions.test_zero[0]} .
  eq p(s(X)) = {functions.test_step[0]} .
  eq claim(A, B) = {claim} .
}}"""


def attempt(module: Module, name: str) -> DataProof | None:
    rules = equations_by_symbol(module)
    bench = Workbench(module)
    lemma = stated_lemma(next(s for s in rules if s.name == name), rules, bench.connectives)
    assert lemma is not None
    return DataInduction(bench, Builders(module, rules), rules, COSMOS).prove(lemma)


@given(FUNCTIONS, claims())
@settings(max_examples=60, deadline=None)
def test_what_is_proved_holds_for_all_small_numbers(functions: Functions, claim: Expr) -> None:
    if attempt(module_of(spec(functions, claim[0]), "N"), "claim") is None:
        return
    for a, b in product(range(5), repeat=2):
        functions.calls = 0
        with suppress(TooLong):
            assert claim[1]({"A": a, "B": b}, functions)


BOXES = """
mod* E {{ [E] }}
mod! BOXES {{ pr(E) [Box Boxes]
  ops {makers} : E -> Box {{constr}}   op nil : -> Boxes {{constr}}   op _;_ : Box Boxes -> Boxes {{constr}}
  op fine : Box -> Bool   op all-fine : Boxes -> Bool   op claim : Boxes -> Bool
  var X : E  var B : Box  var L : Boxes
  eq fine(open(X)) = true .   {other}
  eq all-fine(nil) = true .   eq all-fine(B ; L) = fine(B) and all-fine(L) .
  eq claim(L) = all-fine(L) .
}}"""


@pytest.mark.parametrize(
    ("makers", "other", "is_true"),
    [
        ("open", "", True),
        ("open shut", "eq fine(shut(X)) = true .", True),
        ("open shut", "eq fine(shut(X)) = false .", False),
        ("shut open", "eq fine(shut(X)) = false .", False),
    ],
    ids=["one shape", "two shapes", "the second is not fine", "the first is not fine"],
)
def test_an_element_is_taken_apart_in_all_its_shapes(makers: str, other: str, is_true: bool) -> None:
    proof = attempt(module_of(BOXES.format(makers=makers, other=other), "BOXES"), "claim")
    assert (proof is not None) == is_true


# --- lemmas that are stated

STATED = """
mod* E { [E] }
mod! LIST { pr(E) [List N]
  op nil : -> List {constr}
  op __ : E List -> List {constr}
  op _++_ : List List -> List
  op rev : List -> List
  op _in_ : E List -> Bool
  vars X Y : E  vars K L M : List
  eq nil ++ L = L .
  eq (X K) ++ L = X (K ++ L) .
  eq rev(nil) = nil .
  eq rev(X L) = rev(L) ++ (X nil) .
  eq X in nil = false .
  eq X in (Y L) = (X = Y) or X in L .
  op put : List E -> List
  eq put(nil, X) = X nil .
  eq put(Y L, X) = Y put(L, X) .
  op top : List -> E
  eq top(X L) = X .
  op z : -> N {constr}  op s : N -> N {constr}
  op len : List -> N
  eq len(nil) = z .
  eq len(X L) = s(len(L)) .
  ops unit assoc wrong commutes : List List List -> Bool
  eq unit(K, L, M) = (K ++ nil = K) .
  eq assoc(K, L, M) = ((K ++ L) ++ M = K ++ (L ++ M)) .
  eq wrong(K, L, M) = (rev(K) = K) .
  eq commutes(K, L, M) = (K ++ L = L ++ K) .
  op inboth : E List List -> Bool
  eq inboth(X, K, L) = (X in (K ++ L)) implies (X in K or X in L) .
  op undone : E List -> Bool
  eq undone(X, K) = (X in rev(K)) implies X in K .
}
mod! BAG { pr(E) [E < Bag]
  op void : -> Bag
  op _,_ : Bag Bag -> Bag {assoc comm id: void}
  op _in_ : E Bag -> Bool
  vars X Y : E  vars A B : Bag
  eq X in void = false .
  eq X in (Y , A) = (X = Y) or X in A .
  op del : E Bag -> Bag
  eq del(X, void) = void .
  eq del(X, (Y , A)) = if X = Y then del(X, A) else (Y , del(X, A)) fi .
  op either : E Bag Bag -> Bool
  eq either(X, A, B) = (X in (A , B)) iff (X in A or X in B) .
  op fine : Bag -> Bool
  eq fine(void) = true .
  eq fine(X) = false .
  eq fine((X , Y , A)) = fine(X) and fine((Y , A)) .
  op alone : Bag -> Bool
  eq alone(A) = fine(A) .
  op always : E Bag -> Bool
  eq always(X, A) = X in A .
  op notempty : E Bag -> Bool
  eq notempty(X, A) = X in A implies not (A = void) .
}
mod! MAP { pr(E) [Pair Map]
  op <_,_> : E E -> Pair {constr}
  op nil : -> Map {constr}
  op _;_ : Pair Map -> Map {constr}
  op at : E Map -> E
  op put : E E Map -> Map
  op none : -> E
  vars K J X Y : E  var M : Map
  eq at(K, nil) = none .
  eq at(K, (< J , X > ; M)) = (if K = J then X else at(K, M) fi) .
  eq put(K, X, nil) = < K , X > ; nil .
  eq put(K, X, (< J , Y > ; M)) = (if K = J then < K , X > ; M else < J , Y > ; put(K, X, M) fi) .
}
mod! WORD { pr(E) [E < Word]
  op _;_ : Word Word -> Word {assoc constr}
  op _in_ : E Word -> Bool
  vars X Y : E  vars V W : Word
  eq X in Y = (X = Y) .
  eq X in (Y ; W) = (X = Y) or X in W .
  op either : E Word Word -> Bool
  eq either(X, V, W) = (X in (V ; W)) iff (X in V or X in W) .
}
"""


@pytest.mark.parametrize(
    ("module", "name", "variable"),
    [
        ("LIST", "unit", "K"),
        ("LIST", "assoc", "K"),
        ("LIST", "inboth", "K"),
        ("LIST", "wrong", None),
        ("LIST", "commutes", None),
        ("BAG", "either", "A"),
        ("BAG", "always", None),
        ("BAG", "alone", None),
        ("WORD", "either", "V"),
    ],
)
def test_stated(module: str, name: str, variable: str | None) -> None:
    proof = attempt(module_of(STATED, module), name)
    found = None if proof is None or proof.variable is None else proof.variable.op.name
    assert found == variable


def test_the_element_of_a_collection_that_may_be_alone_is_no_smaller_value() -> None:
    proof = attempt(module_of(STATED, "BAG"), "either")
    assert proof is not None
    used = [fact for case in proof.cases for fact in case.bench.facts if fact.why is Why.HYPOTHESIS]
    constants = {part for fact in used for part in subterms(fact.left) if proof.cases[1].bench.is_constant(part)}
    assert {constant.sort.name for constant in constants} == {"Bag"}


# --- lemmas that are found


def found(module: Module, stuck: str) -> list[Term]:
    book = LemmaBook(module, equations_by_symbol(module), COSMOS)
    return [proof.lemma.formula for proof in book.for_stuck([term_of(stuck, module)])]


@pytest.mark.parametrize(
    ("module", "stuck", "expected"),
    [
        (
            "LIST",
            "X:E in ( K:List ++ L:List )",
            "(E:E in (L:List ++ L1:List)) iff ((E:E in L:List) or (E:E in L1:List))",
        ),
        ("LIST", "put ( put ( K:List , X:E ) , Y:E )", None),
        ("LIST", "len ( put ( K:List , X:E ) )", "len(put(L:List,E:E)) = s(len(L:List))"),
        (
            "LIST",
            "top ( put ( K:List , X:E ) )",
            "top(put(L:List,E:E)) = (if (nil = L:List) then E:E else top(L:List) fi)",
        ),
        ("BAG", "X:E in del ( Y:E , A:Bag )", "(E:E in del(E1:E,B:Bag)) iff ((E:E in B:Bag) and (not (E:E = E1:E)))"),
        ("BAG", "X:E in ( A:Bag , B:Bag )", "(E:E in (B:Bag , B1:Bag)) iff ((E:E in B:Bag) or (E:E in B1:Bag))"),
        (
            "MAP",
            "at ( K:E , put ( J:E , X:E , M:Map ) )",
            "at(E:E,put(E1:E,E2:E,M:Map)) = (if (E:E = E1:E) then E2:E else at(E:E,M:Map) fi)",
        ),
        ("WORD", "X:E in ( V:Word ; W:Word )", "(E:E in (W:Word ; W1:Word)) iff ((E:E in W:Word) or (E:E in W1:Word))"),
    ],
)
def test_found(module: str, stuck: str, expected: str | None) -> None:
    read = module_of(STATED, module)
    assert found(read, stuck) == ([] if expected is None else [term_of(expected, read)])


def test_lemmas_that_a_proof_needs_are_found_first() -> None:
    module = module_of(STATED, "LIST")
    associative = "((L:List ++ L1:List) ++ L2:List) = (L:List ++ (L1:List ++ L2:List))"
    reversed_ = "rev(L:List ++ L1:List) = (rev(L1:List) ++ rev(L:List))"
    assert found(module, "rev ( K:List ++ L:List )") == [term_of(each, module) for each in (associative, reversed_)]
    member = term_of("(E:E in rev(L:List)) iff (E:E in L:List)", module)
    assert found(module, "X:E in rev ( K:List )")[-1] is member


PARITY = """
mod! N { [N] op z : -> N {constr}  op s : N -> N {constr}
  op _+_ : N N -> N   op even : N -> Bool   vars M N : N
  eq z + N = N .   eq s(M) + N = s(M + N) .
  eq even(z) = true .   eq even(s(z)) = false .   eq even(s(s(N))) = even(N) .
}"""


def test_what_nobody_can_prove_is_named_with_a_suggestion() -> None:
    module = module_of(PARITY, "N")
    book = LemmaBook(module, equations_by_symbol(module), COSMOS)
    assert book.for_stuck([term_of("even ( M:N + N:N )", module)]) == []
    assert [(show(m.left), m.suggestion and show(m.suggestion)) for m in book.missing] == [
        ("even((N:N + N1:N))", "(even(N:N) iff even(N1:N))")
    ]


NATURALS_ONLY = """
from otsrw.proofs.session import Session
from otsrw.reasoning.building import Builders
from otsrw.reasoning.samples import Samples
from otsrw.reasoning.workbench import Workbench
from otsrw.theory.modules import equations_by_symbol
from otsrw.theory.printing import show
session = Session()
session.run_text("mod! COUNT { pr(NAT) [Cup] op cup : Nat -> Cup {constr} }")
module = session.library.modules["COUNT"]
samples = Samples(Workbench(module), Builders(module, equations_by_symbol(module)))
print(*sorted(show(term) for term in samples.of(module.visible_sorts()["Nat"][-1])))
"""


def test_samples_need_no_negative_numbers_where_only_naturals_are_loaded() -> None:
    """In a process of its own: once a session has loaded INT, negative numbers are known."""
    done = subprocess.run([sys.executable, "-c", NATURALS_ONLY], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("0 1 2", "")


def test_a_lemma_is_not_taken_for_another_one_of_the_same_name() -> None:
    text = "mod* E { [E] } mod! M { pr(E) [N] op z : -> N {constr} op f : N -> Bool eq f(z) = true ."
    text += " op lm : N -> Bool  op lm : E E -> Bool  vars X Y : E  eq lm(N:N) = f(N) .  eq lm(X, Y) = (X = Y) . }"
    module = module_of(text, "M")
    rules = equations_by_symbol(module)
    right, wrong = sorted((symbol for symbol in rules if symbol.name == "lm"), key=lambda symbol: symbol.nargs)
    book = LemmaBook(module, rules, COSMOS)
    assert book.prove_stated(right) is not None
    assert book.prove_stated(wrong) is None
    assert book.prove_stated(right) is not None
