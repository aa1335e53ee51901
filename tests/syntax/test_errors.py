"""What otsrw says about a wrong file: the exact text, at the right place, once for each mistake."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from otsrw.proofs import Session, Settings
from otsrw.proofs.results import Outcome
from otsrw.syntax.source import Source

A = "mod! A { [ S ] ops a b c : -> S . op f : S S -> S .\n"
"""A module that is still open; line 1 of most cases."""


def run(text: str, folder: Path | None = None) -> Outcome:
    session = Session(Settings(max_rewrites=1000))
    session.run_source(Source("t", text, folder or Path.cwd()))
    return session.outcome


def results(outcome: Outcome) -> list[str | None]:
    return [command.result for command in outcome.commands]


@dataclass(frozen=True)
class Golden:
    """A text, all it makes otsrw say, and the results of its reductions."""

    id: str
    text: str
    said: str
    results: tuple[str | None, ...] = ()


GOLDEN = [
    Golden(
        "undefined sort, near miss",
        "mod! A { [ Elem ]\n  op a : -> Elme .\n}\n",
        """\
t:2:13: error E201: no such sort: 'Elme'
 2 |   op a : -> Elme .
   |             ^^^^
   = hint: did you mean 'Elem'?""",
    ),
    Golden(
        "undefined sort, nothing near",
        "mod! A { [ S ]\n  op a : Q -> S .\n}\n",
        """\
t:2:10: error E201: no such sort: 'Q'
 2 |   op a : Q -> S .
   |          ^
   = hint: declare it before it is used, as in [ Q ]""",
    ),
    Golden(
        "undefined sort of a variable",
        "mod! A { [ Elem ]\n  var X : Elm .\n}\n",
        """\
t:2:11: error E201: no such sort: 'Elm'
 2 |   var X : Elm .
   |           ^^^
   = hint: did you mean 'Elem'?""",
    ),
    Golden(
        "undefined sort of an on-the-fly variable",
        A + "  eq f(X:Q, a) = a .\n}\n",
        """\
t:2:8: error E201: no such sort: 'Q'
 2 |   eq f(X:Q, a) = a .
   |        ^^^""",
    ),
    Golden(
        "undefined module",
        "mod! A {\n  pr(NATT)\n}\n",
        """\
t:2:6: error E301: no such module: 'NATT'
 2 |   pr(NATT)
   |      ^^^^
   = hint: did you mean 'NAT'?""",
    ),
    Golden(
        "undefined module opened: the passage is skipped",
        "open NOWHERE .\nop a : -> S .\neq a = b .\nred a .\nclose\nred in BOOL : true .\n",
        """\
t:1:6: error E301: no such module: 'NOWHERE'
 1 | open NOWHERE .
   |      ^^^^^^^""",
        ("true",),
    ),
    Golden(
        "unknown operator, near miss",
        A + "  op counter : -> S .\n}\nred in A : f(a, conter) .\n",
        """\
t:4:17: error E111: unknown operator or variable: 'conter'
 4 | red in A : f(a, conter) .
   |                 ^^^^^^
   = hint: did you mean 'counter'?""",
    ),
    Golden(
        "ambiguous term",
        "mod! A { [ S ] ops a b : -> S . op _+_ : S S -> S . }\nred in A : a + b + a .\n",
        """\
t:2:12: error E112: ambiguous term: 2 readings
 2 | red in A : a + b + a .
   |            ^^^^^^^^^
   = reading 1: (a + (b + a)) of sort S
   = reading 2: ((a + b) + a) of sort S
   = hint: add parentheses, declare the operator l-assoc or r-assoc, or qualify a part as in (t):Sort""",
    ),
    Golden(
        "ambiguous term whose readings are written alike",
        "mod! A { [ X Y ] op a : -> X . op a : -> Y . op f : X -> Bool . op f : Y -> Bool . }\nred in A : f(a) .\n",
        """\
t:2:12: error E112: ambiguous term: 2 readings
 2 | red in A : f(a) .
   |            ^^^^
   = reading 1: f((a):X) of sort Bool
   = reading 2: f((a):Y) of sort Bool
   = hint: add parentheses, declare the operator l-assoc or r-assoc, or qualify a part as in (t):Sort""",
    ),
    Golden(
        "missing period before an equation",
        A + "  eq a = b\n  eq b = c .\n}\nred in A : b .\n",
        """\
t:2:10: error E102: missing period after this 'eq'
 2 |   eq a = b
   |          ^
   = hint: end the 'eq' with a period that stands alone: ' .'""",
        ("c",),
    ),
    Golden(
        "period glued to a word",
        A + "  eq a = b.\n  eq b = c .\n}\nred in A : b .\n",
        """\
t:2:10: error E102: missing period after this 'eq'
 2 |   eq a = b.
   |          ^^
   = hint: write 'b' and '.' as two words""",
        ("c",),
    ),
    Golden(
        "missing period before the closing brace",
        A + "  eq a = b }\nred in A : b .\n",
        """\
t:2:10: error E102: missing period after this 'eq'
 2 |   eq a = b }
   |          ^
   = hint: end the 'eq' with a period that stands alone: ' .'""",
        ("b",),
    ),
    Golden(
        "missing period after a reduction",
        A + "}\nred in A : a\nred in A : b .\n",
        """\
t:3:12: error E102: missing period after this 'red'
 3 | red in A : a
   |            ^
   = hint: end the 'red' with a period that stands alone: ' .'""",
        ("b",),
    ),
    Golden(
        "missing period at the end of the file",
        A + "}\nred in A : a",
        """\
t:3:12: error E102: missing period after this 'red'
 3 | red in A : a
   |            ^
   = hint: end the 'red' with a period that stands alone: ' .'""",
    ),
    Golden(
        "missing period in the middle of a line",
        A + "  eq a = b eq b = c .\n}\nred in A : c .\n",
        """\
t:2:12: error E102: missing period before this 'eq'
 2 |   eq a = b eq b = c .
   |            ^^
   = hint: end the statement before with ' .'""",
        ("c",),
    ),
    Golden(
        "too few arguments",
        A + "}\nred in A : f(a) .\n",
        """\
t:3:12: error E113: 'f' takes 2 arguments, not 1
 3 | red in A : f(a) .
   |            ^
   = hint: declared as f : S S -> S""",
    ),
    Golden(
        "too many arguments",
        A + "}\nred in A : f(a, b, c) .\n",
        """\
t:3:12: error E113: 'f' takes 2 arguments, not 3
 3 | red in A : f(a, b, c) .
   |            ^
   = hint: declared as f : S S -> S""",
    ),
    Golden(
        "argument of another kind",
        A + "}\nred in A : f(a, true) .\n",
        """\
t:3:17: error E203: argument 2 of 'f' is of sort Bool
 3 | red in A : f(a, true) .
   |                 ^^^^
   = hint: declared as f : S S -> S""",
    ),
    Golden(
        "sides of unrelated sorts",
        A + "  eq a = true .\n}\n",
        """\
t:2:10: error E207: the sides are of unrelated sorts: S and Bool
 2 |   eq a = true .
   |          ^^^^
   = left: a
   = right: true""",
    ),
    Golden(
        "parenthesis never closed",
        A + "  eq f(a, (b) = b .\n  eq b = c .\n}\nred in A : b .\n",
        """\
t:2:7: error E103: this parenthesis is not closed before the next statement (1 open)
 2 |   eq f(a, (b) = b .
   |       ^
   = hint: close it, and end the 'eq' with a period that stands alone""",
        ("c",),
    ),
    Golden(
        "parenthesis that closes nothing",
        A + "  eq f(a, b) = b) .\n  eq b = c .\n}\nred in A : b .\n",
        """\
t:2:17: error E103: this parenthesis closes nothing
 2 |   eq f(a, b) = b) .
   |                 ^
   = hint: remove it, or open one before""",
        ("c",),
    ),
    Golden(
        "module not closed before the next statement",
        A + "red in A : a .\nmod! B { pr(A) }\nred in B : b .\n",
        """\
t:1:8: error E104: this module is not closed before the next 'red'
 1 | mod! A { [ S ] ops a b c : -> S . op f : S S -> S .
   |        ^
   = hint: add the missing '}' before line 2""",
        ("a", "b"),
    ),
    Golden(
        "module not closed at the end of the file",
        A + "  eq a = b .\n",
        """\
t:1:8: error E104: the file ends inside a module
 1 | mod! A { [ S ] ops a b c : -> S . op f : S S -> S .
   |        ^
   = hint: add the missing '}'""",
    ),
    Golden(
        "brace that closes nothing",
        A + "}\n}\nred in A : a .\n",
        """\
t:3:1: error E105: no such command or declaration: '}'
 3 | }
   | ^
   = hint: there is no module to close here""",
        ("a",),
    ),
    Golden(
        "redefinition",
        "mod! A { [ S ] }\nmod! A { [ T ] op t : -> T . }\nred in A : t .\n",
        """\
t:2:6: warning W301: redefining module A
 2 | mod! A { [ T ] op t : -> T . }
   |      ^""",
        ("t",),
    ),
    Golden(
        "redefinition of a built-in module",
        "mod! BOOL { [ S ] }\nred in BOOL : true .\n",
        """\
t:1:6: error E305: module BOOL is built in and cannot be redefined
 1 | mod! BOOL { [ S ] }
   |      ^^^^""",
        ("true",),
    ),
    Golden(
        "variable declared twice",
        "mod! A { [ S T ]\n  var X : S .\n  var X : T .\n}\n",
        """\
t:3:7: warning W208: variable X is already declared as sort S, ignored
 3 |   var X : T .
   |       ^""",
    ),
    Golden(
        "extra variable on the right",
        A + "  eq a = f(X:S, b) .\n}\nred in A : a .\n",
        """\
t:2:6: warning W402: extra variable on the right side: X; not used as a rewrite rule
 2 |   eq a = f(X:S, b) .
   |      ^^^^^^^^^^^^^""",
        ("a",),
    ),
    Golden(
        "left side just a variable",
        A + "  eq X:S = a .\n}\nred in A : b .\n",
        """\
t:2:6: warning W401: the left side is just the variable X: not used as a rewrite rule
 2 |   eq X:S = a .
   |      ^^^^^^^""",
        ("b",),
    ),
    Golden(
        "module that imports itself",
        "mod! A {\n  pr(A)\n}\n",
        """\
t:2:6: error E302: cyclic import: module 'A' imports itself
 2 |   pr(A)
   |      ^""",
    ),
    Golden(
        "missing file",
        "in nowhere\nred in BOOL : true .\n",
        """\
t:1:4: error E303: no such file: 'nowhere'
 1 | in nowhere
   |    ^^^^^^^
   = hint: looked in {folder}, the folders above it, the working directory and the data library""",
        ("true",),
    ),
    Golden(
        "missing file, near miss",
        "in lists.cafe\n",
        """\
t:1:4: error E303: no such file: 'lists.cafe'
 1 | in lists.cafe
   |    ^^^^^^^^^^
   = hint: did you mean 'list.cafe'?""",
    ),
    Golden(
        "equation without sides",
        A + "  eq a b .\n}\n",
        """\
t:2:6: error E101: this 'eq' has no '=' between its sides
 2 |   eq a b .
   |      ^^^""",
    ),
    Golden(
        "conditional equation without a condition",
        A + "  ceq a = b .\n}\n",
        """\
t:2:11: error E101: this 'ceq' has no 'if'
 2 |   ceq a = b .
   |           ^
   = hint: use 'eq' for an unconditional equation""",
    ),
    Golden(
        "underscores and arguments differ",
        A + "  op _+_ : -> S .\n}\n",
        """\
t:2:6: error E205: operator '_+_' has 2 underscores but 0 argument sorts
 2 |   op _+_ : -> S .
   |      ^^^
   = hint: one underscore stands for one argument""",
    ),
    Golden(
        "declaration outside a module",
        "op a : -> S .\n",
        """\
t:1:1: warning W108: this declaration stands outside any module: it is ignored
 1 | op a : -> S .
   | ^^
   = hint: open a module first, or put it into one""",
    ),
    Golden(
        "reduction outside a module",
        "red true .\n",
        """\
t:1:1: error E306: no module is open or selected
 1 | red true .
   | ^^^
   = hint: write 'open M .', 'select M .' or 'red in M : t .'""",
    ),
    Golden(
        "close without open",
        "close\n",
        """\
t:1:1: warning W304: no module is open
 1 | close
   | ^^^^^""",
    ),
    Golden(
        "misspelt command",
        "opne A .\nred in BOOL : true .\n",
        """\
t:1:1: error E105: no such command or declaration: 'opne'
 1 | opne A .
   | ^^^^
   = hint: did you mean 'open'?""",
        ("true",),
    ),
    Golden(
        "a tactic that does not exist",
        A + "}\nopen A .\n:goal {\n  eq a = b .\n}\n:apply\n  (tc rdd)\nred a .\nclose\n",
        """\
t:7:1: error E309: there is no tactic 'rdd'
 7 | :apply
   | ^^^^^^
   = hint: did you mean 'rd'?""",
        ("a",),
    ),
    Golden(
        "Lisp",
        "lisp (quit)\nred in BOOL : true .\n",
        """\
t:1:1: error E106: the command 'lisp' is not supported
 1 | lisp (quit)
   | ^^^^
   = hint: Lisp is never run: a specification is untrusted text""",
        ("true",),
    ),
    Golden(
        "binary junk",
        "\x7fELF\0\1\2",
        """\
t:1:1: error E107: this is not a text file
 1 | \N{REPLACEMENT CHARACTER}ELF\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}
   | ^
   = hint: otsrw reads CafeOBJ source in UTF-8""",
    ),
    Golden("an empty file", "", ""),
    Golden("a file of comments", "-- nothing\n** here\n#| and here |#\n", ""),
    Golden(
        "a tab before the place",
        "mod! A { [ S ]\n\top a : -> Q .\n}\n",
        """\
t:2:12: error E201: no such sort: 'Q'
 2 | \top a : -> Q .
   | \t          ^
   = hint: declare it before it is used, as in [ Q ]""",
    ),
    Golden(
        "equations that loop",
        "mod! A { [ S ] ops a b : -> S .\n  eq a = b .\n  eq b = a .\n}\nred in A : a .\nred in A : true .\n",
        """\
t:5:1: error E404: this does not terminate: the normal form of a depends on itself
 5 | red in A : a .
   | ^^^
   = while evaluating a
   = the same term is evaluated again inside its own evaluation: its equations loop
   = one of the equations involved: t:2:3
   = one of the equations involved: t:3:3
   = hint: look at the equations of the operator shown, or use --trace""",
        (None, "true"),
    ),
    Golden(
        "an equation that grows for ever",
        A + "  eq f(X:S, Y:S) = f(f(Y, X), X) .\n}\nred in A : f(a, b) .\nred in A : true .\n",
        """\
t:4:1: error E401: the rewrite budget is spent (1000 rewrites)
 4 | red in A : f(a, b) .
   | ^^^
   = while evaluating f(a,b)
   = one of the equations involved: t:2:3
   = hint: an equation may loop; give more with --max-rewrites, or look with --trace""",
        (None, "true"),
    ),
    Golden(
        "several mistakes, in order",
        "mod! A { [ S ] op a : -> T . op b : -> S .\n  eq zz = b .\n  eq b = b\n}\n"
        "foo bar .\nred in A : b) .\nred in A : b .\n",
        """\
t:1:26: error E201: no such sort: 'T'
 1 | mod! A { [ S ] op a : -> T . op b : -> S .
   |                          ^
   = hint: declare it before it is used, as in [ T ]
t:2:6: error E111: unknown operator or variable: 'zz'
 2 |   eq zz = b .
   |      ^^
t:3:10: error E102: missing period after this 'eq'
 3 |   eq b = b
   |          ^
   = hint: end the 'eq' with a period that stands alone: ' .'
t:5:1: error E105: no such command or declaration: 'foo'
 5 | foo bar .
   | ^^^
t:6:13: error E103: this parenthesis closes nothing
 6 | red in A : b) .
   |             ^
   = hint: remove it, or open one before""",
        ("b",),
    ),
]


@pytest.mark.parametrize("case", [pytest.param(g, id=g.id) for g in GOLDEN])
def test_message(case: Golden, tmp_path: Path) -> None:
    (tmp_path / "list.cafe").write_text("", "utf-8")
    outcome = run(case.text, tmp_path)
    said = "\n".join(problem.render() for problem in [*outcome.errors, *outcome.warnings])
    assert said == case.said.replace("{folder}", str(tmp_path))
    assert results(outcome) == list(case.results)


@dataclass(frozen=True)
class Place:
    """A text, and the code and place of each of its problems; the wording is free."""

    id: str
    text: str
    problems: tuple[str, ...]
    results: tuple[str | None, ...] = ()


PLACES = [
    Place("parenthesis closes nothing, left side", A + "  eq f(a, b)) = b .\n}\n", ("E103 2:13",)),
    Place("parenthesis closes nothing, red", A + "}\nred in A : f(a, b)) .\n", ("E103 3:19",)),
    Place("parenthesis open in a red", A + "}\nred in A : f(a, b .\nred in A : b .\n", ("E103 3:13",), ("b",)),
    Place(
        "missing period before a comment",
        A + "  eq a = b\n  -- next\n  eq b = c .\n}\nred in A : b .\n",
        ("E102 2:10",),
        ("c",),
    ),
    Place(
        "missing period before trans",
        A + "  trans a => b\n  trans b => c .\n}\nexec in A : b .\n",
        ("E102 2:14",),
        ("c",),
    ),
    Place("missing period before open", A + "}\nred in A : a\nopen A .\nred b .\nclose\n", ("E102 3:12",), ("b",)),
    Place(
        "missing period before var",
        A + "  eq a = b\n  var X : S\n  eq f(X, X) = X .\n}\nred in A : f(b, b) .\n",
        ("E102 2:10",),
        ("b",),
    ),
    Place(
        "missing period before a sort list",
        A + "  eq a = b\n  [ T ]\n  op t : -> T .\n}\nred in A : t .\n",
        ("E102 2:10",),
        ("t",),
    ),
    Place("missing period before an import", A + "  eq a = b\n  pr(NAT)\n}\nred in A : 1 .\n", ("E102 2:10",), ("1",)),
    Place("no arguments at all", A + "}\nred in A : f .\n", ("E113 3:12",)),
    Place("no term", A + "}\nred in A : .\n", ("E110 3:11",)),
    Place("condition of if is no Bool", A + "}\nred in A : if a then b else c fi .\n", ("E203 3:15",)),
    Place("undefined sort after :is", A + "}\nred in A : a :is Q .\n", ("E201 3:18",)),
    Place("cycle of subsorts", "mod! A { [ S < T, T < S ] }\n", ("E206 1:12",)),
    Place(
        "operator without a colon",
        A + "  op g S -> S .\n  op h : S -> S .\n}\nred in A : h(a) .\n",
        ("E101 2:10",),
        ("h(a)",),
    ),
    Place(
        "operator without an arrow",
        A + "  op g : S S .\n  op h : S -> S .\n}\nred in A : h(a) .\n",
        ("E101 2:14",),
        ("h(a)",),
    ),
    Place("open without a module and without a selected one", A + "}\nopen .\nred in A : a .\n", ("E306 3:1",), ("a",)),
    Place("two unknown commands", "foo .\nbar .\nred in BOOL : true .\n", ("E105 1:1", "E105 2:1"), ("true",)),
    Place("unclosed string", A + '}\nred in A : "a .\nred in A : b .\n', ("E111 3:12",), ("b",)),
    Place("strategy of no argument", A + "  op g : S -> S {strat: (2 0)} .\n}\n", ("E101 2:18",)),
    Place(
        "unclosed block of attributes",
        A + "  op g : S -> S {memo .\n  op h : S -> S .\n}\nred in A : a .\n",
        ("E104 2:17",),
        ("a",),
    ),
]


@pytest.mark.parametrize("case", [pytest.param(p, id=p.id) for p in PLACES])
def test_place(case: Place) -> None:
    outcome = run(case.text)
    found = [f"{p.code} {p.span.line}:{p.span.column}" for p in [*outcome.errors, *outcome.warnings]]
    assert found == list(case.problems)
    assert results(outcome) == list(case.results)


def test_a_cycle_of_files_is_cut(tmp_path: Path) -> None:
    (tmp_path / "a.cafe").write_text("in b\nmod! A { [ S ] op a : -> S . }\n", "utf-8")
    (tmp_path / "b.cafe").write_text("in a\nmod! B { }\n", "utf-8")
    session = Session()
    session.run_file(tmp_path / "a.cafe", "a.cafe")
    (warning,) = session.outcome.warnings
    assert session.outcome.errors == []
    assert warning.render().splitlines()[1:] == [" 1 | in a", "   |    ^"]
    assert warning.header().endswith("b.cafe:1:4: warning W303: 'a' is being loaded already: cyclic load skipped")


def test_a_file_may_be_loaded_twice_in_a_row(tmp_path: Path) -> None:
    (tmp_path / "a.cafe").write_text("red in BOOL : true .\n", "utf-8")
    outcome = run("in a\nin a\n", tmp_path)
    assert results(outcome) == ["true", "true"]
    assert outcome.warnings == []


def test_a_problem_in_a_loaded_file_is_reported_there(tmp_path: Path) -> None:
    (tmp_path / "a.cafe").write_text("\nred in NOWHERE : true .\n", "utf-8")
    (error,) = run("-- one\n-- two\nin a\n", tmp_path).errors
    assert (error.span.source.name, error.span.line, error.span.column) == (str(tmp_path / "a.cafe"), 2, 8)


def test_problems_are_kept_in_the_order_of_the_file() -> None:
    text = "close\nred in NOWHERE : true .\nclose\nfoo\nclose\n"
    outcome = run(text)
    assert [p.span.line for p in outcome.errors] == [2, 4]
    assert [p.span.line for p in outcome.warnings] == [1, 3, 5]


def test_a_long_line_is_shown_around_the_place() -> None:
    (error,) = run("red in BOOL : true" + " and true" * 100 + " and tru .\n").errors
    header, line, caret = error.render().splitlines()[:3]
    assert header == "t:1:924: error E111: unknown operator or variable: 'tru'"
    assert len(line) < 200
    assert line[caret.index("^") :].startswith("tru .")


def test_after_fifty_errors_the_reader_says_that_it_stops() -> None:
    outcome = run("mod! A { [ S ]\n" + "  op ( : -> S .\n  foo\n" * 100 + "}\n")
    assert 50 <= len(outcome.errors) <= 52
