"""Sessions: passages, the selected module, searches and what CafeOBJ's users type besides `red`."""

from __future__ import annotations

import pytest
from support import answers, error_codes, run, told

WALK = """mod! WALK { [S] ops a b c d : -> S op f : S -> S
  trans [ab] : a => b . trans [bc] : b => c . ctrans [ad] : a => d if a = b . }
"""


@pytest.mark.parametrize(
    ("search", "result"),
    [
        ("a =(*,1)=>+ c", "false"),
        ("a =(*,2)=>+ c", "true"),
        ("a =(1,*)=>! X:S", "true"),
        ("c =(*,*)=>! c", "false"),
        ("a =(*,*)=>* d", "false"),
        ("a =(*,1)=>+ X:S if CC:Bool suchThat not (CC == true) { CC }", "true"),
        ("b =(*,1)=>+ X:S if CC:Bool suchThat not (CC == true) { CC }", "false"),
        ("f(a) ==> f(c)", "true"),
    ],
)
def test_search_predicates(search: str, result: str) -> None:
    assert answers(f"{WALK} red in WALK : {search} .")[0].result == result


def test_a_program_written_in_a_passage_is_lazy_where_cafeobj_is() -> None:
    text = """open NAT . op cond : Bool Nat Nat -> Nat . op down : Nat -> Nat . vars X Y : Nat .
      eq cond(true, X, Y) = X . eq cond(false, X, Y) = Y . eq down(X) = cond(X > 0, down(sd(X, 1)), X) .
      red down(5) . close"""
    assert answers(text)[0].result == "0"


def test_equations_added_after_a_reduction_come_first() -> None:
    text = """mod! M { [S] ops a b c : -> S op f : S -> S }
      open M . eq f(a) = b . red f(a) . eq f(a) = c . red f(a) . close
      open M . [T] eq f(a) = b . red f(a) . eq f(a) = c . red f(a) . close"""
    assert [command.result for command in answers(text)] == ["b", "c", "b", "c"]


def test_strings_between_statements_are_comments_even_over_lines() -> None:
    text = '"a note"\n"\nTheorem 1: (X + Y) = Z\n"\nred in NAT : 1 + 1 .'
    assert answers(text)[0].result == "2"


def test_let_and_the_last_term() -> None:
    text = "select NAT . let two = 1 + 1 . red two . parse 2 + 3 . red $$term ."
    assert [command.result for command in answers(text)] == ["2", "(2 + 3)", "5"]


def test_what_stands_in_a_passage_that_could_not_be_opened_is_skipped() -> None:
    assert error_codes("select BOOL . open NOWHERE . eq a = b . red a . close red true .") == ["E301"]


def test_a_reduction_in_another_module_ignores_the_open_passage() -> None:
    text = "mod! M { [S] ops a b : -> S } open M . eq a = b . red a . red in M : a . close"
    assert [command.result for command in answers(text)] == ["b", "a"]


def test_warnings_and_errors_come_in_the_order_of_the_text() -> None:
    outcome = run("close\nred in NOPE : a .\nclose")
    assert [problem.code for problem in outcome.problems] == ["W304", "E301", "W304"]


def test_an_assumption_applies_inside_a_tail_recursive_function_of_the_module() -> None:
    text = """mod! L { [E L] op nil : -> L op _|_ : E L -> L op rev : L L -> L
        vars X Y : E vars M N : L eq rev(nil, N) = N . eq rev(X | M, N) = rev(M, X | N) . }
      open L . ops e d : -> E . ops l k : -> L . eq rev(l, Y | N) = k . red rev(e | (d | l), nil) . close"""
    assert answers(text)[0].result == "k"


BASE = "mod! BASE { [S] ops a b : -> S op f : S -> S eq f(a) = b . }\n"


@pytest.mark.parametrize("declared", ["pr(QID)", "[ T ]", "[ T < S ]", "op f : S S -> S .", "op g : S S -> S {comm} ."])
def test_equations_outlive_what_is_declared_after_a_reduction(declared: str) -> None:
    given = "op g : S -> S . eq g(X:S) = b . eq f(b) = b ."
    text = f"open BASE . {given} red f(a) . {declared} red f(f(a)) . red g(a) . close"
    assert [answer.result for answer in answers(BASE + text)] == ["b", "b", "b"]


@pytest.mark.parametrize("declared", ["", "[ T ]", "pr(QID)", "op g : S S -> S .", "op k : T -> T ."])
def test_newer_equations_come_first_whatever_is_declared_between(declared: str) -> None:
    module = "mod! N { [T < S] ops a b c : -> T op h : S -> S }\n"
    text = f"open N . eq h(X:S) = a . red h(c) . {declared} eq h(c) = b . red h(c) . {declared} red h(c) . close"
    assert [answer.result for answer in answers(module + text)] == ["a", "b", "b"]


@pytest.mark.parametrize("declared", ["", "[ T ]", "op g : S S -> S ."])
def test_a_name_stands_for_its_term_whatever_is_declared_after_it(declared: str) -> None:
    text = f"open BASE . op g : S -> S . eq g(Y:S) = b . let u = g(a) . {declared} red u . red f(u) . close"
    assert [answer.result for answer in answers(BASE + text)] == ["b", "f(b)"]
    text = (
        "mod! LETS { pr(BASE) let x = f(a) . op g : S -> S eq g(b) = x . let y = g(x) ."
        " [T] op t : S -> T eq t(y) = t(x) . }"
    )
    assert answers(f"{BASE}{text} red in LETS : t(g(b)) .")[0].result == "t(b)"


@pytest.mark.parametrize(
    "command",
    ["show params", "show all rules", "show all ops BASE", "show sign", "show subs", "names BASE .", "look up f ."],
)
def test_commands_that_look_at_something_do_no_harm(command: str) -> None:
    text = f"{BASE}select BASE .\n{command}\nred f(a) ."
    assert error_codes(text) == []
    assert answers(text)[-1].result == "b"


def test_a_selected_module_that_is_defined_anew_stays_selected() -> None:
    again = BASE.replace("eq f(a) = b .", "eq f(a) = a .")
    assert [answer.result for answer in answers(f"{BASE}select BASE . red f(a) .\n{again}red f(a) .")] == ["b", "a"]


def test_declarations_outside_a_module_are_ignored() -> None:
    text = f"{BASE}select BASE .\neq f(b) = a .\nop c : -> S .\nred f(b) ."
    assert error_codes(text) == []
    assert answers(text)[0].result == "f(b)"


def test_what_was_parsed_last_may_be_rewritten_by_hand() -> None:
    hand = "mod! HAND { [S] ops a b : -> S op f : S -> S eq [l]: f(a) = b . }"
    assert "result b : S" in told(f"{hand}\nselect HAND .\nparse f(a) .\napply .l at top .")


_REOPENED = {
    "a truth value": (
        "op p : -> Bool pred q : S op g : S -> Bool eq g(X:S) = (p and q(X)) .",
        "eq p = false .",
        "g(b)",
    ),
    "a state": (
        "ops s s' : -> S pred i : S op is : -> Bool eq i(f(X:S)) = true . eq is = i(s) implies i(s') .",
        "eq s' = f(s) .",
        "is",
    ),
    "a number": ("pr(NAT) op lim : -> Nat op g : Nat -> Bool eq g(N:Nat) = N < lim .", "eq lim = 3 .", "g(5)"),
    "a condition": ("op p : -> Bool op g : S -> S ceq g(X:S) = a if p .", "eq p = true .", "g(b)"),
    "a right side": ("op n : -> S op g : S -> S eq g(X:S) = n .", "eq n = b .", "g(b)"),
}


@pytest.mark.parametrize("case", _REOPENED)
def test_an_assumption_ends_with_its_passage(case: str) -> None:
    declared, assumed, term = _REOPENED[case]
    module = f"mod! OPENED {{ [S] ops a b : -> S op f : S -> S {declared} }}\n"
    before = answers(f"{module}open OPENED . red {term} . close")[0].result
    passages = f"open OPENED . {assumed} red {term} . close open OPENED . red {term} . close"
    first, second = answers(module + passages)
    assert first.result != before
    assert second.result == before


@pytest.mark.parametrize("term", ["f f", "g(a)", "f(a, b)", ")"])
def test_that_something_is_no_term_is_an_answer_to_parse(term: str) -> None:
    outcome = run(f"{BASE}select BASE . parse {term} .\nred f(a) .")
    assert [problem.code for problem in outcome.problems] == ["W115"]
    assert [command.result for command in outcome.commands] == ["b"]
