"""The commonest slips of people who begin: each message says what to write instead."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import run

MESSAGES = {
    "a built-in sort without its module": (
        "mod! A { op f : Nat -> Nat }",
        "t:1:17: error E201: no such sort: 'Nat'\n"
        " 1 | mod! A { op f : Nat -> Nat }\n"
        "   |                 ^^^\n"
        "   = hint: it is in the built-in module NAT: write 'pr(NAT)' first",
    ),
    "if without fi": (
        "mod! B { pr(NAT) op f : Nat Nat -> Nat vars I J : Nat eq f(I, J) = if I < J then I else J . }",
        "t:1:68: error E110: this 'if' has no 'fi'\n"
        " 1 | mod! B { pr(NAT) op f : Nat Nat -> Nat vars I J : Nat eq f(I, J) = if I < J then I else J . }\n"
        "   |                                                                    ^^\n"
        "   = hint: write 'if condition then value else value fi'",
    ),
    "eq with a condition": (
        "mod! C { pr(NAT) op f : Nat -> Nat var I : Nat eq f(I) = 0 if I < 3 . }",
        "t:1:60: error E101: an equation with a condition begins with 'ceq', not with 'eq'\n"
        " 1 | mod! C { pr(NAT) op f : Nat -> Nat var I : Nat eq f(I) = 0 if I < 3 . }\n"
        "   |                                                            ^^\n"
        "   = hint: write 'ceq ... = ... if ... .'",
    ),
    "subtraction of natural numbers": (
        "mod! D { pr(NAT) op f : Nat -> Nat var I : Nat eq f(I) = I - 1 . }",
        "t:1:60: error E111: unknown operator or variable: '-'\n"
        " 1 | mod! D { pr(NAT) op f : Nat -> Nat var I : Nat eq f(I) = I - 1 . }\n"
        "   |                                                            ^\n"
        "   = hint: natural numbers have no '-': write sd(x, y) for the difference or p x for the number before x;"
        " INT has '-'",
    ),
    "forall": (
        "mod! E { pr(NAT) op p : Nat -> Bool op q : -> Bool var I : Nat eq q = forall(I, p(I)) . }",
        "t:1:71: error E111: unknown operator or variable: 'forall'\n"
        " 1 | mod! E { pr(NAT) op p : Nat -> Bool op q : -> Bool var I : Nat eq q = forall(I, p(I)) . }\n"
        "   |                                                                       ^^^^^^\n"
        "   = hint: there are no quantifiers: an equation is about all values of its variables",
    ),
    "exists": (
        "mod! E { pr(NAT) op p : Nat -> Bool op q : -> Bool var I : Nat eq q = exists(I, p(I)) . }",
        "t:1:71: error E111: unknown operator or variable: 'exists'\n"
        " 1 | mod! E { pr(NAT) op p : Nat -> Bool op q : -> Bool var I : Nat eq q = exists(I, p(I)) . }\n"
        "   |                                                                       ^^^^^^\n"
        "   = hint: there are no quantifiers: define a function that looks for the value,"
        " as '\\in' does in a collection",
    ),
    "an effective condition that is not declared": (
        "mod* F { [P] *[Sys]* bop t : Sys P -> Sys var S : Sys var J : P ceq t(S, J) = S if not c-t(S, J) . }",
        "t:1:88: error E111: unknown operator or variable: 'c-t'\n"
        " 1 | mod* F { [P] *[Sys]* bop t : Sys P -> Sys var S : Sys var J : P ceq t(S, J) = S if not c-t(S, J) . }\n"
        "   |                                                                                        ^^^\n"
        "   = hint: declare it: 'op c-t : Sys P -> Bool'",
    ),
    "an effective condition that is called like its transition": (
        "mod* F { *[Sys]* bop give : Sys -> Sys var S : Sys ceq give(S) = S if not c-give(S) . }",
        "t:1:75: error E111: unknown operator or variable: 'c-give'\n"
        " 1 | mod* F { *[Sys]* bop give : Sys -> Sys var S : Sys ceq give(S) = S if not c-give(S) . }\n"
        "   |                                                                           ^^^^^^\n"
        "   = hint: declare it: 'op c-give : Sys -> Bool'",
    ),
    "a backslash is shown as it is": (
        "mod! G { [P S] op p : P S -> Bool var I : P var S : S eq p(I, S) = I \\in S . }",
        "t:1:70: error E111: unknown operator or variable: '\\in'\n"
        " 1 | mod! G { [P S] op p : P S -> Bool var I : P var S : S eq p(I, S) = I \\in S . }\n"
        "   |                                                                      ^^^\n"
        "   = hint: declare it, or load a collection of the data library that has it: 'in set', 'in bag', 'in list'",
    ),
    "unequal as in other languages": (
        "mod! H { [P] op p : P P -> Bool vars I J : P eq p(I, J) = I != J . }",
        "t:1:61: error E111: unknown operator or variable: '!='\n"
        " 1 | mod! H { [P] op p : P P -> Bool vars I J : P eq p(I, J) = I != J . }\n"
        "   |                                                             ^^\n"
        "   = hint: write 'not (x = y)'",
    ),
    "a condition that CafeOBJ reads in another way": (
        "mod! I { pr(NAT) op f : Nat -> Nat var I : Nat ceq f(I) = if I < 2 then 0 else I fi if I < 3 . }",
        "t:1:59: warning W113: CafeOBJ takes the first 'if' here as that of the condition\n"
        " 1 | mod! I { pr(NAT) op f : Nat -> Nat var I : Nat ceq f(I) = if I < 2 then 0 else I fi if I < 3 . }\n"
        "   |                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "   = hint: put the right side in parentheses",
    ),
}
SEVERAL = """\
mod! S { [S]
  op f : T -> S
  op g : S -> S
  var X : S
  var Y : U
  eq g(X) = f(X) .
  eq g(f(X)) = Y .
  eq g(X) = nobody .
  op h : Q -> S
}
"""


@pytest.mark.parametrize("slip", MESSAGES)
def test_a_slip_is_explained(slip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, message = MESSAGES[slip]
    monkeypatch.chdir(tmp_path)
    Path("t").write_text(text)
    assert run("run", "t")[2].rstrip("\n") == message


def test_errors_come_in_the_order_of_lines_and_a_bad_declaration_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t").write_text(SEVERAL)
    headers = [line for line in run("run", "t")[2].splitlines() if line.startswith("t:")]
    assert headers == [
        "t:2:10: error E201: no such sort: 'T'",
        "t:5:11: error E201: no such sort: 'U'",
        "t:8:13: error E111: unknown operator or variable: 'nobody'",
        "t:9:10: error E201: no such sort: 'Q'",
    ]


def test_what_is_not_portable_is_an_error_if_one_likes(tmp_path: Path) -> None:
    path = tmp_path / "t.cafe"
    path.write_text(MESSAGES["a condition that CafeOBJ reads in another way"][0])
    assert run("run", str(path))[0] == 0
    code, _, err = run("run", "--portable", str(path))
    assert code == 150
    assert "error E116: CafeOBJ takes the first 'if' here as that of the condition" in err


def test_an_import_that_fails_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "t.cafe"
    path.write_text(
        "mod! A {\n  pr(MISSING)\n  op f : Pid -> Pid\n  var P : Pid\n  eq f(P) = g(P) .\n  op h : -> Bool {asoc}\n}\n"
    )
    told = [line for line in run("run", str(path))[2].splitlines() if ": error " in line]
    assert [line.split("error ")[1] for line in told] == [
        "E301: no such module: 'MISSING'",
        "E114: unknown operator attribute: 'asoc'",
    ]


@pytest.mark.oracle
@pytest.mark.skipif(shutil.which("cafeobj") is None, reason="cafeobj is not installed")
@pytest.mark.parametrize("slip", MESSAGES)
def test_cafeobj_does_not_accept_it_either(slip: str, tmp_path: Path) -> None:
    path = tmp_path / "t.cafe"
    path.write_text(MESSAGES[slip][0] + "\n")
    done = subprocess.run(["cafeobj", "-q", "-batch", path], capture_output=True, text=True, timeout=60, check=False)
    assert re.search(r"\[Error\]|\[Warning\]", done.stdout + done.stderr), done.stdout


def test_parentheses_make_it_portable(tmp_path: Path) -> None:
    path = tmp_path / "t.cafe"
    path.write_text(
        "mod! I { pr(NAT) op f : Nat -> Nat var I : Nat ceq f(I) = (if I < 2 then 0 else I fi) if I < 3 . }"
    )
    assert run("run", "--portable", str(path))[::2] == (0, "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("igf", "x.cafe", "--lema", "y"), "otsrw igf: there is no option '--lema'; did you mean '--lemma'?"),
        (("run", "x.cafe", "--exect=true"), "otsrw run: there is no option '--exect'; did you mean '--expect'?"),
        (("run", "x.cafe", "--zzz"), "otsrw run: there is no option '--zzz'; 'otsrw run --help' lists the options"),
    ],
)
def test_a_misspelt_option_is_corrected(words: tuple[str, ...], message: str) -> None:
    code, _, err = run(*words)
    assert (code, err.splitlines()[-1]) == (2, message)
