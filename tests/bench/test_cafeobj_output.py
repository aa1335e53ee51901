"""The comparison tool reads CafeOBJ's output as printed by 1.6.0 and equates terms modulo AC, no more."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from cafeobj_output import (
    JUXTAPOSITION,
    Agreement,
    Axioms,
    compare,
    read_error,
    read_output,
    read_signature,
    scan_signature,
    split_sort,
)

STATS = "(0.0000 sec for parse, 0.0010 sec for 77 rewrites + 424 matches, 1 memo hits)"
SEARCH = """** Found [state 0-1] (< b , a >):S
-- target: (< X:S , Y:S >)
    { X:S |-> b, Y:S |-> a }

** No more possible transitions.
"""
OUTPUTS = {
    "plain": (f"-- reduce in %E : (p or q):Bool\n(q xor p):Bool\n{STATS}\n", ("red", "E", "p or q", "q xor p", "Bool")),
    "no statistics": ("-- reduce in E : (c):E\n(d):E\n(e):E\n", ("red", "E", "c", "d", "E")),
    "exec": (f"-- execute in E : (a):E\n(d):E\n{STATS}\n", ("exec", "E", "a", "d", "E")),
    "bred": (f"-- bhavioral reduce in E : (a):E\n(a):E\n{STATS}\n", ("bred", "E", "a", "a", "E")),
    "lone variable": (f"-- reduce in E : X:E\nX:E\n{STATS}\n", ("red", "E", "X:E", "X:E", "E")),
    "search": (
        f"-- reduce in E : (a ==> b):Bool\n{SEARCH}(true):Bool\n{STATS}",
        ("red", "E", "a ==> b", "true", "Bool"),
    ),
    "search, no statistics": (f"-- reduce in E : (a):Bool\n{SEARCH}(true):Bool\n", ("red", "E", "a", "true", "Bool")),
    "trace": (
        f"-- reduce in E : (c):E\n1>[1] rule: eq c = d\n    {{}}\n1<[1] (c):E --> (d):E\n\n(d):E\n{STATS}\n",
        ("red", "E", "c", "d", "E"),
    ),
    "trace whole": (f"-- reduce in E : (c):E\n[1]: (c):E\n---> (d):E\n(d):E\n{STATS}\n", ("red", "E", "c", "d", "E")),
    "string": (
        f'-- reduce in S : ("a (b"):String\n("a (b"):String\n{STATS}\n',
        ("red", "S", '"a (b"', '"a (b"', "String"),
    ),
    "end of the run": ("-- reduce in E : (c):E\n(d):E[Leaving CafeOBJ]\n", ("red", "E", "c", "d", "E")),
    "wrapped": (f"-- reduce in E : (c):E\n(f(a,\n    b)):E\n{STATS}\n", ("red", "E", "c", "f(a, b)", "E")),
    "error sort": (f"-- reduce in E : (f(e)):?Sup\n(f(e)):?Sup\n{STATS}\n", ("red", "E", "f(e)", "f(e)", "?Sup")),
}


@pytest.mark.parametrize(("printed", "expected"), OUTPUTS.values(), ids=OUTPUTS.keys())
def test_a_reduction_is_read_from_the_output(printed: str, expected: tuple[str, ...]) -> None:
    (reduction,) = read_output(printed)
    assert (reduction.kind, reduction.module, reduction.target, reduction.result, reduction.sort) == expected


def test_statistics_give_rewrites_and_seconds() -> None:
    block = "-- reduce in E : (c):E\n(d):E\n"
    first, second, last = read_output(f"{block}{STATS}\n{block}{block}{STATS}[Leaving CafeOBJ]\n")
    assert (first.rewrites, first.seconds) == (last.rewrites, last.seconds) == (77, 0.001)
    assert (second.rewrites, second.seconds) == (None, None)


def test_a_reduction_without_a_result_is_left_out() -> None:
    assert read_output("") == ()
    assert read_output("-- reduce in E : (c):E\n") == ()
    assert read_output("-- reduce in E : (c):E\n** Found [state 0-1] (a):E\n") == ()


@pytest.mark.parametrize(
    ("stdout", "stderr", "expected"),
    [
        ("(true):Bool\n", "[Warning]: no module is open.\n", None),
        (
            "** Exiting CafeOBJ due to NO-DECL\n",
            "\n[Error]: No such declaration 'x'\n",
            "No such declaration 'x'; NO-DECL",
        ),
        ("[Error]: no successful parse\n** Exiting CafeOBJ due to T\n", "", "no successful parse; T"),
        ("** Caught an exception: Control stack exhausted\n", "", "Control stack exhausted"),
    ],
)
def test_the_error_that_ended_the_run(stdout: str, stderr: str, expected: str | None) -> None:
    assert read_error(stdout, stderr) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("(a + (b + c)):E", ("a + (b + c)", "E")), ("X:E", ("X:E", "E")), ("(a) (b)", ("(a) (b)", "")), ("a", ("a", ""))],
)
def test_the_sort_is_split_off(text: str, expected: tuple[str, str]) -> None:
    assert split_sort(text) == expected


SIGNATURE = scan_signature(
    [
        """mod! M { [E]
  op _+_ : E E -> E {assoc comm prec: 30} -- comment { comm }
  op _*_ : E E -> E {comm} op _;_ : E E -> E {assoc}
  op _-_ : E E -> E . op -_ : E -> E
  op __ : E E -> E {constr assoc comm id: e} .
  op _,_ : B B -> B {assoc comm}
  op max : E E -> E {assoc comm}  op f : E E -> E
  ops (up_) (dn_) : E -> E  op <_;_> : E E -> E
  pr(N *{op _+_ -> _#_}) }"""
    ]
)
EQUAL = Agreement.MODULO_AC
COMPARISONS = {
    "spaces": ("f(a,b)", "f( a , b )", Agreement.EXACT),
    "xor and": ("q xor (p xor (p and q))", "(q and p) xor (q xor p)", EQUAL),
    "redundant parentheses": ("a + (f(a,(b)))", "(a) + f(a,b)", EQUAL),
    "flat AC": ("a + (b + c)", "c + b + a", EQUAL),
    "multiset, not set": ("a + (a + b)", "a + (b + b)", Agreement.DIFFERENT),
    "equality is commutative": ("(a + b) = c", "c = (b + a)", EQUAL),
    "comm is not assoc": ("a * (b * c)", "(a * b) * c", Agreement.PROBABLE),
    "comm": ("a * (b * c)", "(c * b) * a", EQUAL),
    "assoc": ("a ; (b ; c)", "(a ; b) ; c", EQUAL),
    "assoc is not comm": ("a ; b", "b ; a", Agreement.PROBABLE),
    "free operator": ("a - b", "b - a", Agreement.PROBABLE),
    "juxtaposition": ("a (b (- c))", "(- c) (b a)", EQUAL),
    "AC comma": ("f((a , (b , c)),d)", "f((c , (b , a)),d)", EQUAL),
    "arguments are ordered": ("f(a,b)", "f(b,a)", Agreement.PROBABLE),
    "AC prefix": ("max(a,max(b,c))", "max(max(c,a),b)", EQUAL),
    "renamed AC": ("a # b", "b # a", EQUAL),
    "precedence": ("(a and b) xor c", "c xor a and b", EQUAL),
    "sort of a variable": ("f(X:E,X)", "f(X,X:E)", EQUAL),
    "mixfix arguments are ordered": ("up (dn a)", "dn (up a)", Agreement.PROBABLE),
    "if": ("if (p and q) then a else b fi", "if (q and p) then a else b fi", EQUAL),
    "branches of if are ordered": ("if p then a else b fi", "if p then b else a fi", Agreement.PROBABLE),
    "different": ("true", "false", Agreement.DIFFERENT),
    "deep": ("s(" * 5000 + "a + b" + ")" * 5000, "s(" * 5000 + "b + a" + ")" * 5000, EQUAL),
    "string literal": ('f("a  b")', 'f("a b")', Agreement.DIFFERENT),
}


@pytest.mark.parametrize(("left", "right", "expected"), COMPARISONS.values(), ids=COMPARISONS.keys())
def test_terms_are_compared_modulo_axioms(left: str, right: str, expected: Agreement) -> None:
    assert compare(left, right, SIGNATURE) is expected
    assert compare(right, left, SIGNATURE) is expected


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("+", Axioms(True, True, 30)),
        ("*", Axioms(comm=True)),
        (";", Axioms(assoc=True)),
        (JUXTAPOSITION, Axioms(True, True)),
        (",", Axioms(True, True)),
        ("max", Axioms(True, True)),
        ("#", Axioms(True, True, 30)),
        ("f", None),
    ],
)
def test_axioms_are_scanned_from_declarations(token: str, expected: Axioms | None) -> None:
    assert SIGNATURE.axioms.get(token) == expected


def test_axioms_come_from_loaded_files_too(tmp_path: Path) -> None:
    (tmp_path / "base.cafe").write_text("mod! B { [E] op _%_ : E E -> E { assoc comm } }\nin main\n")
    (tmp_path / "main.cafe").write_text("in base\nopen B .\n")
    assert read_signature(tmp_path / "main.cafe").axioms["%"] == Axioms(True, True)
