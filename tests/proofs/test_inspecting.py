"""`binspect` and its relatives: what CafeOBJ prints, up to the order of predicates, and truth tables."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT, error_codes

from otsrw.proofs import Session
from otsrw.proofs.citp.boolean_forms import BooleanForm, PredicateRelation, guesses, solutions
from otsrw.proofs.events import SessionEvent
from otsrw.report.events import lines_of
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import variable

EXPERIMENT = ROOT.parent / "shared" / "cases" / "citp" / "e13-binspect"
_NAMED = re.compile(r"(`P-\d+) = (.*)")
_NOISE = re.compile(r"\(consumed|\[Leaving|== ")
_NOT_COMPARED = re.compile(r":?bguess|:binspect nosuch")
"""CafeOBJ crashes where `bguess` finds something, and takes nosuch for a term."""
ATOMS = tuple(variable(name, Sort("Bool", "BOOL")) for name in ("p", "q", "r", "s"))


def _words(answer: str, names: dict[str, str]) -> list[str]:
    """The words of an answer in order, with predicates for their names: which one is called P-1 means nothing."""
    lines = [line for line in answer.splitlines() if line.strip() and not _NOISE.match(line.strip())]
    names.update((found[1], found[2]) for line in lines if (found := _NAMED.match(line.strip())))
    text = " ".join(re.sub(r"^\[\d+\]", "[n]", line) for line in lines).replace(":Bool", "")
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, names[name])
    return sorted(re.findall(r"[^\s()]+", text.replace(" done.", "")))


@pytest.mark.skipif(not EXPERIMENT.with_suffix(".cafe").exists(), reason="the shared experiments are not here")
def test_the_shared_experiment_prints_what_cafeobj_printed() -> None:
    commands = EXPERIMENT.with_suffix(".cafe").read_text("utf-8").splitlines()
    theirs = re.split(r"(?m)^(?:CafeOBJ|F)> ?", EXPERIMENT.with_suffix(".iout").read_text("utf-8"))[1:]
    heard: list[SessionEvent] = []
    session = Session(listener=heard.append)
    session.run_file(EXPERIMENT.with_name("pqinc.cafe"))
    compared, ours_names, their_names = 0, dict[str, str](), dict[str, str]()
    for command, answer in zip(commands[1:], theirs[1:], strict=False):
        heard.clear()
        session.run_text(command)
        if _NOT_COMPARED.match(command):
            continue
        ours = "\n".join(line.text for event in heard for line in lines_of(event))
        assert _words(ours, ours_names) == _words(answer, their_names), command
        compared += 1
    assert compared == 20


@st.composite
def forms(draw: st.DrawFn) -> BooleanForm:
    """Sums of different products of four predicates."""
    products = draw(st.sets(st.frozensets(st.integers(0, 3), max_size=4), min_size=2, max_size=6))
    return BooleanForm(ATOMS[0], ATOMS, tuple(tuple(sorted(each)) for each in products))


def _value(form: BooleanForm, row: tuple[bool, ...]) -> bool:
    return sum(all(row[number] for number in each) for each in form.products) % 2 == 1


@given(forms())
def test_assignments_are_those_of_the_truth_table(form: BooleanForm) -> None:
    found = {each for _, group in solutions(form, None, True) for solution in group for each in solution.assignments}
    for size in range(1, 5):
        for chosen in {tuple(sorted(set(numbers))) for numbers in product(range(4), repeat=size)}:
            for values in product((True, False), repeat=len(chosen)):
                wanted = dict(zip(chosen, values, strict=True))
                rows = [row for row in product((True, False), repeat=4) if all(row[n] == v for n, v in wanted.items())]
                assert (tuple(wanted.items()) in found) == all(_value(form, row) for row in rows)


@given(forms(), st.sampled_from(PredicateRelation))
def test_relations_are_those_of_the_truth_table(form: BooleanForm, relation: PredicateRelation) -> None:
    found = guesses(form, relation)
    for one, other in product(range(4), repeat=2):
        if one == other or (relation is not PredicateRelation.IMPLY and one > other):
            continue
        rows = [row for row in product((True, False), repeat=4) if _admits(relation, row[one], row[other])]
        assert ((one, other) in found) == all(_value(form, row) for row in rows)


def _admits(relation: PredicateRelation, one: bool, other: bool) -> bool:
    if relation is PredicateRelation.IMPLY:
        return other or not one
    return not (one and other) if relation is PredicateRelation.AND else one or other


BOOLS = "mod! B { [ E ]  op e : -> E .  preds p q r : E . }\nselect B .\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("bresolve", "E309"),
        ("binspect e .", "E309"),
        ("binspect in NOSUCH : p(e) .", "E301"),
        (":binspect p(e) .", "E309"),
        ("binspect p(e) and q(e) .\nbshow everything", "E101"),
        ("binspect p(e) and q(e) .\nbresolve none", "E101"),
        ("binspect p(e) and q(e) .\nbguess xor", "E101"),
        ("binspect nosuch .", "E111"),
    ],
)
def test_mistakes_are_told(text: str, code: str) -> None:
    assert error_codes(BOOLS + text) == [code]


def test_a_guess_is_an_equation_about_two_predicates() -> None:
    heard: list[SessionEvent] = []
    Session(listener=heard.append).run_text(BOOLS + "binspect p(e) implies q(e) .\nbguess imply")
    lines = [line.text for event in heard for line in lines_of(event)]
    assert "[1] eq [:bimply]: (`P-1 and `P-2) = `P-1 ." in lines
