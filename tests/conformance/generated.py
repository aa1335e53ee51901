"""Random modules and terms on which CafeOBJ and otsrw must agree.

Every equation makes its subject smaller, so all reductions end. Without equational theories the rules may be in any
conflict: declaration order and evaluation strategy decide. With theories the rules come from a pool that is confluent,
because which of several matches CafeOBJ finds first depends on its history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import Phase, given, settings
from hypothesis import strategies as st


@dataclass(frozen=True)
class Case:
    """The body of a module and terms to reduce in it, or a whole passage of declarations before each."""

    body: str
    terms: tuple[str, ...]
    assumptions: str = ""

    def text(self, name: str) -> str:
        reductions = "\n".join(f"red {term} ." for term in self.terms)
        return f"mod* {name} {{\n{self.body}\n}}\nopen {name} .\n{self.assumptions}\n{reductions}\nclose\n"


def collect(strategy: st.SearchStrategy[Case], count: int) -> list[Case]:
    """The same cases at every run."""
    cases: list[Case] = []

    @settings(max_examples=count, derandomize=True, phases=[Phase.generate], database=None, deadline=None)
    @given(strategy)
    def remember(case: Case) -> None:
        cases.append(case)

    remember()
    return cases


# --- terms as texts, with their variables and size


@dataclass(frozen=True)
class Tree:
    text: str
    size: int
    variables: tuple[str, ...] = ()


@st.composite
def trees(draw: st.DrawFn, leaves: Sequence[str], operators: dict[str, int], depth: int) -> Tree:
    """Random terms of some depth; operators are format strings with their numbers of arguments."""
    if depth == 0 or draw(st.integers(0, 3)) == 3:
        leaf = draw(st.sampled_from(leaves))
        return Tree(leaf, 1, (leaf,) if ":" in leaf else ())
    shape = draw(st.sampled_from(list(operators)))
    return _applied(shape, tuple(draw(trees(leaves, operators, depth - 1)) for _ in range(operators[shape])))


def _applied(shape: str, args: tuple[Tree, ...]) -> Tree:
    variables = tuple(v for arg in args for v in arg.variables)
    return Tree(shape.format(*(arg.text for arg in args)), 1 + sum(arg.size for arg in args), variables)


def _shrinks(left: Tree, right: Tree) -> bool:
    """Is every instance of the right side smaller?"""
    return right.size < left.size and not Counter(right.variables) - Counter(left.variables)


def _terms(strategy: st.SearchStrategy[Tree], count: int = 4) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(strategy.map(lambda tree: tree.text), min_size=count, max_size=count).map(tuple)


# --- free operators: order and strategy decide

CONSTANTS = ("a", "b", "c")
FREE = {"f({})": 1, "g({},{})": 2, "h({},{})": 2}
FREE_BODY = "[S] ops a b c : -> S . op f : S -> S . op g : S S -> S . op h : S S -> S . pred p : S . pred q : S S ."
CONDITIONS = (
    "{0} == a",
    "not ({0} == b)",
    "p({0})",
    "not p({0})",
    "{0} = c",
    "not ({0} = c)",
    "p({0}) or {0} == b",
    "q({0},a)",
)
FACTS = (
    "eq p(a) = true .",
    "eq p(b) = false .",
    "eq p(f(X:S)) = p(X) .",
    "eq q(X:S,X) = true .",
    "eq (a = c) = false .",
)


@st.composite
def equations(draw: st.DrawFn, conditional: bool) -> str:
    leaves = ("X:S", "Y:S", "X:S", *CONSTANTS)
    shape = draw(st.sampled_from(list(FREE)))
    left = _applied(shape, tuple(draw(trees(leaves, FREE, draw(st.integers(0, 2)))) for _ in range(FREE[shape])))
    right = draw(trees([*CONSTANTS, *left.variables, *left.variables], FREE, 2))
    if not _shrinks(left, right):
        right = Tree(draw(st.sampled_from([*CONSTANTS, *left.variables])), 1)
    if conditional and left.variables and draw(st.booleans()):
        condition = draw(st.sampled_from(CONDITIONS)).format(draw(st.sampled_from(left.variables)))
        return f"ceq {left.text} = {right.text} if {condition} ."
    return f"eq {left.text} = {right.text} ."


def free_cases(conditional: bool) -> st.SearchStrategy[Case]:
    facts = st.lists(st.sampled_from(FACTS), unique=True) if conditional else st.just([])
    rules = st.lists(equations(conditional), min_size=3, max_size=7)
    body = st.builds(lambda known, own: "\n".join([FREE_BODY, *known, *own]), facts, rules)
    return st.builds(Case, body, _terms(trees(CONSTANTS, FREE, 4)))


def passage_cases() -> st.SearchStrategy[Case]:
    """Ground assumptions, as proof scores make them, over a module with conditional equations."""
    ground = trees(CONSTANTS, FREE, 2).filter(lambda tree: tree.size > 1)
    assumed = st.builds("eq {} = {} .".format, ground.map(lambda tree: tree.text), st.sampled_from(CONSTANTS))
    equality = st.builds(
        "eq ({} = {}) = {} .".format,
        ground.map(lambda tree: tree.text),
        st.sampled_from(CONSTANTS),
        st.sampled_from(["true", "false"]),
    )
    passages = st.lists(assumed | assumed | equality, min_size=2, max_size=6).map("\n".join)
    goals = st.builds("({} = {}) implies p({})".format, *[trees(CONSTANTS, FREE, 3).map(lambda tree: tree.text)] * 3)
    return st.builds(
        lambda case, goal, passage: Case(case.body, (*case.terms, goal), passage), free_cases(True), goals, passages
    )


# --- sorts

# No rule raises the sort of its subject: CafeOBJ then goes on with the sort the term had before.
SORTED = {"f({})": 1, "g({})": 1, "h({},{})": 2}
SORTED_BODY = """[N < E] ops n m : -> N . ops e d : -> E .
op f : N -> N . op g : E -> N . op h : E E -> E . op h : N N -> N ."""
SORTED_RULES = (
    "eq g(X:N) = X .", "eq f(X:N) = X .", "eq h(X:N,Y:E) = X .", "eq h(X:E,Y:N) = n .", "eq h(d,X:E) = e .",
    "eq e = n .", "eq h(X:E,X) = X .", "eq f(n) = m .", "eq f(e) = n .", "eq g(d) = m .", "ceq g(X:E) = n if X :is N .",
)  # fmt: skip


def sorted_cases() -> st.SearchStrategy[Case]:
    rules = st.lists(st.sampled_from(SORTED_RULES), min_size=2, max_size=6, unique=True)
    terms = trees(("n", "m", "e", "d"), SORTED, 4)
    tests = terms.map(lambda tree: Tree(f"{tree.text} :is N", tree.size))
    return st.builds(Case, rules.map(lambda own: "\n".join([SORTED_BODY, *own])), _terms(terms | tests))


# --- associative and commutative operators, identities

COLLECTION_BODY = """[E < S] ops a b c : -> E . op nil : -> S . op _;_ : S S -> S {{{theory}}} .
[N] op 0 : -> N . op s : N -> N . op size : S -> N . op count : E S -> N . pred _in_ : E S .
op rem : E S -> S . op hd : S -> E .
vars X Y : E . var T : S .
eq size(nil) = 0 . eq size(X ; T) = s(size(T)) .
eq X in nil = false . ceq X in (Y ; T) = true if X == Y . ceq X in (Y ; T) = X in T if not (X == Y) .
eq rem(X,nil) = nil . ceq rem(X,Y ; T) = rem(X,T) if X == Y . ceq rem(X,Y ; T) = Y ; rem(X,T) if not (X == Y) .
eq count(X,nil) = 0 . ceq count(X,Y ; T) = s(count(X,T)) if X == Y . ceq count(X,Y ; T) = count(X,T) if not (X == Y) .
{rules}"""
QUESTIONS = (
    "{0}", "size({0})", "a in ({0})", "rem(b,{0})", "count(c,{0})", "({0}) == ({1})", "({0}) = ({1})", "f({0})",
    "size(rem(a,{0}))", "rem(a,{0}) == rem(b,{1})",
)  # fmt: skip
COLLECTION_RULES = {
    "assoc comm id: nil": ("", "eq a ; b = c .", "eq a ; a = nil .", "eq X ; X = X .", "eq c ; c ; c = c ."),
    "assoc id: nil": ("", "eq a ; b = c .", "eq a ; a = nil .", "eq X ; X = X ."),
}


def collection_cases(theory: str) -> st.SearchStrategy[Case]:
    parts = trees(("a", "b", "c", "nil"), {"({} ; {})": 2}, 3).map(lambda tree: tree.text)
    questions = st.builds(lambda shape, one, other: shape.format(one, other), st.sampled_from(QUESTIONS), parts, parts)
    mapped = "op f : S -> S . eq f(nil) = nil . eq f(X ; T) = f(T) ."
    bodies = st.sampled_from(COLLECTION_RULES[theory]).map(
        lambda rule: COLLECTION_BODY.format(theory=theory, rules=f"{mapped}\n{rule}")
    )
    return st.builds(Case, bodies, st.lists(questions, min_size=5, max_size=5).map(tuple))


AC_BODY = """[E] ops 0 a b c : -> E . op _+_ : E E -> E {assoc comm} . op _*_ : E E -> E {assoc comm prec: 30} .
op -_ : E -> E {prec: 20} . op c2 : E E -> E {comm} . vars X Y Z : E ."""
AC_POOLS = (
    ("eq 0 + X = X .", "eq - 0 = 0 .", "eq - (- X) = X .", "eq - (X + Y) = - X + - Y .", "eq X + - X = 0 ."),
    ("eq 0 + X = X .", "eq X + X = 0 .", "eq X * 0 = 0 .", "eq X * X = X .", "eq X * (Y + Z) = (X * Y) + (X * Z) ."),
    ("eq X + X = X .", "eq X * X = X .", "eq X * (X + Y) = X .", "eq X + (X * Y) = X ."),
    ("eq c2(X,X) = X .", "eq c2(a,b) = c .", "eq c2(0,X) = X .", "eq 0 + X = X ."),
    ("eq a + b = c .", "eq a * b = 0 ."),
)


def commutative_cases() -> st.SearchStrategy[Case]:
    shapes = {"({} + {})": 2, "({} * {})": 2, "(- {})": 1, "c2({},{})": 2}
    terms = trees(("0", "a", "b", "c"), shapes, 3)
    compared = st.builds(lambda x, y: Tree(f"{x.text} == {y.text}", 3), terms, terms)
    bodies = st.sampled_from(AC_POOLS).map(lambda pool: "\n".join([AC_BODY, *pool]))
    return st.builds(Case, bodies, _terms(terms | terms | compared))


# --- Booleans

BOOLEAN_BODY = "[S] ops a b c : -> S . ops p q r : -> Bool . pred m : S ."
BOOLEAN_RULES = (
    "", "eq m(a) = true .", "eq m(b) = false .", "eq p = true .", "eq (a = b) = false .", "eq (p and q) = false .",
    "eq q = r .",    "eq m(X:S) = (X = c) or p .", "eq p = m(c) and q .",
)  # fmt: skip


def boolean_cases() -> st.SearchStrategy[Case]:
    atoms = ("p", "q", "r", "true", "false", "m(a)", "m(b)", "(a = b)", "(b = a)", "(a == c)", "(b = c)")
    shapes = {
        "(not {})": 1, "({} and {})": 2, "({} or {})": 2, "({} xor {})": 2, "({} implies {})": 2, "({} iff {})": 2,
        "(if {} then {} else {} fi)": 3, "({} = {})": 2,
    }  # fmt: skip
    bodies = st.sampled_from(BOOLEAN_RULES).map(lambda rule: f"{BOOLEAN_BODY}\n{rule}")
    return st.builds(Case, bodies, _terms(trees(atoms, shapes, 3)))


FAMILIES = {
    "free operators": (free_cases(False), 60),
    "conditional equations": (free_cases(True), 60),
    "assumptions of a passage": (passage_cases(), 60),
    "sorts and subsorts": (sorted_cases(), 60),
    "lists": (collection_cases("assoc id: nil"), 40),
    "multisets": (collection_cases("assoc comm id: nil"), 40),
    "commutative operators": (commutative_cases(), 50),
    "Booleans": (boolean_cases(), 80),
}
