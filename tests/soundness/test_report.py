"""The report as a whole: verdicts, order, cache, text and JSON."""

from __future__ import annotations

import json

import jsonschema
import pytest
from specifications import ots_of, ots_of_file
from support import ROOT

from otsrw.report.check import check_document, check_lines, diagnostics, summary
from otsrw.soundness import ObligationKind, SoundnessVerdict, Status, check
from soundness.claims import no_order_check, report_on, report_on_ots

LAB = "mod! LAB { [Lab] ops a b : -> Lab {constr} eq (a = b) = false . op f : Lab -> Lab %s }"
VERIFIED = (
    "flag-turn", "iff", "nslpk", "otway-rees-tagged", "peterson", "qlock", "tas", "ticket-atomic", "two-phase-commit",
)  # fmt: skip


MENDED = ("abp", "abp-flawed", "anderson", "bakery", "suzuki-kasami")


@pytest.mark.parametrize("name", VERIFIED + MENDED)
def test_specifications_are_sound(name: str) -> None:
    report = check(ots_of_file(f"{name}.cafe"), order=no_order_check)
    assert [each for each in report.obligations if each.status is not Status.PROVED] == []


@pytest.mark.parametrize(
    ("equations", "verdict"),
    [
        ("eq f(a) = b . eq f(b) = a .", SoundnessVerdict.SOUND),
        ("eq f(X:Lab) = (if X = a then b else f(f(a)) fi) .", SoundnessVerdict.DOUBTFUL),
        ("eq f(a) = b .", SoundnessVerdict.BROKEN),
    ],
)
def test_verdicts(equations: str, verdict: SoundnessVerdict) -> None:
    assert report_on(LAB % equations).verdict is verdict


def test_the_order_of_equations_is_looked_at() -> None:
    report = check(ots_of_file("tas.cafe"))
    assert report.verdict is SoundnessVerdict.SOUND
    assert report.counts(ObligationKind.ORDER)[Status.PROVED] == 9


def test_what_the_system_does_not_depend_on_decides_nothing() -> None:
    report = report_on_ots(
        LAB % "eq f(X:Lab) = f(X) ."
        + """ mod* M { pr(LAB) *[Sys]* op init : -> Sys bop n : Sys -> Lab bop t : Sys -> Sys op ok : Sys -> Bool
        var S : Sys eq n(init) = a . eq n(t(S)) = n(S) . eq ok(S) = (n(S) = a) . }"""
    )
    assert report.verdict is SoundnessVerdict.SOUND
    assert [(found.code, found.is_error) for found in diagnostics(report)] == [("W602", False)]


def test_a_module_is_checked_once() -> None:
    ots = ots_of((ROOT / "specs" / "tas.cafe").read_text("utf-8"))
    assert check(ots, order=no_order_check) is check(ots, order=no_order_check)
    assert check(ots, ["mutex"], order=no_order_check) is not check(ots, order=no_order_check)


def test_kinds_come_in_a_fixed_order() -> None:
    kinds = [each.kind for each in check(ots_of_file("abp.cafe"), order=no_order_check).obligations]
    assert list(dict.fromkeys(kinds)) == [
        "sorts", "ignored", "constants", "terminating", "equality", "complete", "protected", "generated", "spelling",
    ]  # fmt: skip


def test_a_gap_is_shown_with_its_place() -> None:
    lines = check_lines(report_on(LAB % "\n eq f(a) = b ."))
    assert lines[0].splitlines() == [
        "<test>:1:65: error E603: f(b) has no value",
        " 1 | mod! LAB { [Lab] ops a b : -> Lab {constr} eq (a = b) = false . op f : Lab -> Lab",
        "   |                                                                 ^^",
        "   = hint: add 'eq f(b) = ... .'",
    ]
    assert lines[1] == (
        "check: LAB is broken: 2 equations; terminating 2 of 2; complete 0 of 1 (1 refuted); equality 1 of 1;"
        " protected 2 of 2; signature in order"
    )


def test_the_whole_equation_is_underlined() -> None:
    (found,) = diagnostics(report_on(LAB % "eq f(a) = b . eq f(b) = a . eq X:Lab = a ."))
    assert (found.code, found.span.text) == ("E607", "eq X:Lab = a .")


def test_proved_claims_are_told_if_asked_for() -> None:
    report = report_on(LAB % "eq f(a) = b . eq f(b) = a .")
    assert check_lines(report) == [summary(report)]
    assert "complete: f: all shapes are covered" in check_lines(report, with_proved=True)


@pytest.mark.parametrize("equations", ["eq f(a) = b . eq f(b) = a .", "eq f(a) = b .", "eq f(X:Lab) = f(X) ."])
def test_the_document_follows_its_schema(equations: str) -> None:
    schema = json.loads((ROOT / "docs" / "schemas" / "check.schema.json").read_text("utf-8"))
    document = check_document(report_on(LAB % equations))
    jsonschema.validate(document, schema)
    assert {each["status"] for each in document["obligations"]} <= {"proved", "refuted", "unknown"}
