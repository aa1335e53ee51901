"""What a session tells: typed events in the order of the text, and how the report shows them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import answers, events_of

from otsrw.proofs import Session, load
from otsrw.proofs.events import Answered, Echoed, ModuleShown, ProblemFound, TermShown, Traced
from otsrw.report.events import StyledLine, lines_of

MODULE = "mod! M { [S] ops a b : -> S op f : S -> S eq [one]: f(a) = b . }\n"


def names(text: str) -> list[str]:
    return [type(event).__name__ for event in events_of(MODULE + text)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("red in M : f(a) .", ["Reducing", "Answered"], id="a reduction"),
        pytest.param("parse in M : f(a) .", ["Answered"], id="a term that is read"),
        pytest.param("parse in M : zz .", ["ProblemFound"], id="a term that is none"),
        pytest.param("--> hello\nred in M : a .", ["Echoed", "Reducing", "Answered"], id="a comment that is printed"),
        pytest.param(
            "red in M : a .\nred in M : zz .\nred in M : b .",
            ["Reducing", "Answered", "ProblemFound", "Reducing", "Answered"],
            id="an error between reductions",
        ),
        pytest.param("set trace on\nred in M : f(a) .", ["Reducing", "Traced", "Answered"], id="a traced reduction"),
        pytest.param("show M .\nshow term", ["ModuleShown"], id="a module is shown, and no term"),
        pytest.param(
            "select M . start f(a) . apply .one at top . match f(a) to f(X:S) .", ["Stepped", "Matched"], id="by hand"
        ),
    ],
)
def test_events_come_in_the_order_of_the_text(text: str, told: list[str]) -> None:
    assert names(text) == told


def test_a_reduction_that_fails_is_told_before_its_problem() -> None:
    loops = "mod! L { [S] ops a b : -> S eq a = b . eq b = a . } red in L : a ."
    assert [type(event).__name__ for event in events_of(loops)] == ["Reducing", "Answered", "ProblemFound"]


def test_events_carry_terms_and_modules() -> None:
    text = (
        MODULE + "--> hello\nset trace on\nred in M : f(f(a)) .\nparse in M : b .\nshow M .\nshow term\nred in M : zz ."
    )
    events = events_of(text)
    (traced,) = (event for event in events if isinstance(event, Traced))
    assert (traced.number, traced.rule.axiom.label, traced.place) == (1, "one", (0,))
    reduced, parsed = (event.answer for event in events if isinstance(event, Answered))
    assert (reduced.kind, reduced.module, reduced.term, reduced.result, reduced.sort) == (
        "red",
        "M",
        "f(f(a))",
        "f(b)",
        "S",
    )
    assert (parsed.kind, parsed.result) == ("parse", "b")
    (shown,) = (event for event in events if isinstance(event, ModuleShown))
    assert (shown.module.name, shown.aspect) == ("M", "")
    (term,) = (event for event in events if isinstance(event, TermShown))
    assert (term.term.op.name, term.as_tree) == ("b", False)
    assert [event.text for event in events if isinstance(event, Echoed)] == ["--> hello"]
    assert [event.problem.code for event in events if isinstance(event, ProblemFound)] == ["E111"]


def test_the_answer_decides_the_colour_and_no_text_does() -> None:
    events = events_of(MODULE + "red in M : a == a . red in M : a == b . red in M : a . parse in M : true .")
    lines = [line for event in events for line in lines_of(event)]
    styles = [(line.text, line.style) for line in lines if line.text.startswith("(") and " sec " not in line.text]
    assert styles == [("(true):Bool", "green"), ("(false):Bool", "red"), ("(a):S", None), ("(true):Bool", None)]
    assert list(lines_of(Echoed("-- reduce in M : a"))) == [StyledLine("-- reduce in M : a")]


def test_an_answer_reads_as_it_did_when_it_was_given() -> None:
    text = MODULE + "open M . red f(Z:S) . var Z : S . red f(Z:S) . close"
    assert [(answer.term, answer.result) for answer in answers(text)] == [("f(Z:S)", "f(Z:S)"), ("f(Z)", "f(Z)")]


def test_quit_ends_a_text_and_the_session_says_so() -> None:
    session = Session()
    session.run_text(MODULE + "red in M : a .\nquit\nred in M : b .")
    assert session.has_quit
    session.run_text("red in M : f(a) .")
    assert not session.has_quit
    assert [command.result for command in session.outcome.commands] == ["a", "b"]


def test_a_file_that_quits_is_loaded_up_to_there(tmp_path: Path) -> None:
    file = tmp_path / "quits.cafe"
    file.write_text(MODULE + "quit\nmod! N { }\n")
    assert list(load(file).modules) == ["M"]


def test_an_unknown_name_in_nested_arguments_is_called_view_or_module_once() -> None:
    text = "mod* E { [Elt] } mod! L(X :: E) { [List] } mod! K { pr(L(L(NOPE))) }"
    (problem,) = (event.problem for event in events_of(text) if isinstance(event, ProblemFound))
    assert problem.message == "no such view or module: 'NOPE'"
