"""What declarations and equations show without evaluating anything."""

from __future__ import annotations

import pytest

from otsrw.soundness import ObligationKind, SoundnessReport
from soundness.claims import report_on, report_on_ots

LAB = "mod! LAB { [Lab] ops a b : -> Lab {constr} eq (a = b) = false . } "
LEVELS = "mod! L { [Hi < Lev] op lo : -> Lev {constr} op hi : -> Hi {constr} %s }"
OTS = """mod* M { pr(%s) *[Sys]* op init : -> Sys bop n : Sys -> Lab bop t : Sys -> Sys op ok : Sys -> Bool
  var S : Sys eq n(init) = a . eq n(t(S)) = n(S) . eq ok(S) = (n(S) = a) . } """


def _problems(report: SoundnessReport) -> list[tuple[str, str, str]]:
    return [(o.kind.value, o.subject, o.status.value) for o in report.obligations if o.status != "proved"]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (LEVELS % "op up : Lev -> Hi eq up(X:Lev) = hi .", []),
        (LEVELS % "op up : Lev -> Hi eq up(X:Lev) = X .", [("sorts", "up(X)", "refuted")]),
        (
            LEVELS % "op id : Lev -> Lev op top : Lev -> Hi eq id(X:Hi) = X . eq id(lo) = hi . eq top(X:Lev) = id(X) .",
            [("sorts", "top(X)", "open")],
        ),
        (f"mod! P {{ [{' '.join(f'S{n}' for n in range(20))} < D] op f : D D -> Bool op f : S1 S1 -> Bool"
         " vars X Y : D eq f(X, Y) = (X = Y) . }", []),
        ("mod! E { [E] op e : -> E {constr} op f : E -> Bool }", [("protected", "Bool", "open")]),
        ("mod! L { [L] ops a b : -> L {constr} eq X:L = a . }", [("ignored", "X = a", "refuted")]),
        ("mod! L { [L] op a : -> L {constr} eq X:L = a . }", []),
        ("mod! L { [L] ops a b : -> L {constr} vars X Y : L ceq X = Y if X = Y . }", []),
        ("mod* L { [L] vars X Y : L eq X = Y . }", []),
        ("mod! L { [L] op a : -> L {constr} op f : L -> L vars X Y : L eq f(X) = a . eq f(a) = Y . }",
         [("ignored", "f(a) = Y", "open")]),
        ("mod! B { eq true = false . }", [("constants", "true", "refuted")]),
        ("mod! B { pr(NAT) eq 2 = 0 . }", [("constants", "2", "refuted")]),
        ("mod! B { pr(NAT) op n : -> Nat eq n = 3 . ceq 2 = 0 if n = 3 . }", [("constants", "2", "open")]),
        (LAB + "mod! F { pr(LAB) op f : Lab -> Bool eq f(X:Lab) = (X == a) . }", [("spelling", "f(X)", "open")]),
    ],
)  # fmt: skip
def test_modules_of_data(text: str, problems: list[tuple[str, str, str]]) -> None:
    assert _problems(report_on(text)) == problems


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (LAB + OTS % "LAB", []),
        (LAB + OTS % "LAB" + "mod* N { pr(M) bop j : Sys -> Sys eq j(S:Sys) = t(t(S)) . }", []),
        (
            LAB + OTS % "LAB" + "mod* N { pr(M) op far : -> Sys bop j : Sys -> Sys eq j(S:Sys) = far . }",
            [("generated", "Sys", "refuted")],
        ),
        (LAB + "mod* X { pr(LAB) op z : -> Lab } " + OTS % "X", []),
        (LAB + "mod* X { inc(LAB) op z : -> Lab } " + OTS % "X", [("protected", "Lab", "open")]),
        (
            LAB + "mod* X { pr(LAB) op z : -> Lab eq (z = a) = false . eq (z = b) = false . } " + OTS % "X",
            [("protected", "Lab", "refuted")],
        ),
        (LAB + "mod! X { pr(LAB) op z : -> Lab } " + OTS % "X", [("protected", "Lab", "refuted")]),
        (LAB + "mod! X { pr(LAB) op z : -> Lab {constr} } " + OTS % "X", [("protected", "Lab", "refuted")]),
        (LAB + "mod! X { ex(LAB) op z : -> Lab {constr} } " + OTS % "X", []),
        (LAB + "mod* X { us(LAB) op z : -> Lab {constr} } " + OTS % "X", [("protected", "Lab", "open")]),
        (LAB + "mod! X { pr(LAB) op z : -> Lab eq z = a . } " + OTS % "X", []),
        (LAB + "mod* X { us(LAB) op f : Lab -> Lab eq f(a) = a . } " + OTS % "X", [("protected", "Lab", "open")]),
        (LAB + "mod* X { pr(LAB) [New < Lab] } " + OTS % "X", [("protected", "Lab", "refuted")]),
        (
            LAB + "mod* X { pr(LAB) eq a = b . } " + OTS % "X",
            [("equality", "(a = b)", "refuted"), ("protected", "Lab", "refuted")],
        ),
        (
            LAB + "mod* P { [P] } mod! K { pr(P) op king : -> P {constr} } mod! B { pr(K + LAB) [B]"
            " op bx : P -> B {constr} op f : P -> Lab eq f(king) = a . eq f(X:P) = a . }" + OTS % "B",
            [],
        ),
    ],
)  # fmt: skip
def test_systems(text: str, problems: list[tuple[str, str, str]]) -> None:
    assert _problems(report_on_ots(text)) == problems


def test_a_tight_module_owns_no_elements_of_a_loose_sort() -> None:
    report = report_on("mod* P { [P] } mod! K { pr(P) ops king queen : -> P {constr} }")
    assert _problems(report) == [("protected", "king", "open"), ("protected", "queen", "open")]


def test_kinds_of_problems_have_places() -> None:
    report = report_on("mod! L { [L] ops a b : -> L {constr} eq X:L = a . }")
    assert [str(each.span) for each in report.of_kind(ObligationKind.IGNORED)] == ["<test>:1:38"]


def test_a_state_that_equations_define_may_be_one_that_steps_make() -> None:
    text = """mod* M { pr(LAB) *[Sys]* op init : -> Sys bop n : Sys -> Lab bops t u : Sys -> Sys op ok : Sys -> Bool
      op other : Lab -> Sys var S : Sys eq other(a) = init . eq other(b) = t(init) . eq n(init) = a .
      eq n(t(S)) = n(S) . eq u(S) = other(n(S)) . eq n(u(S)) = a . eq ok(S) = (n(S) = a) . }"""
    found = [each.status.value for each in report_on_ots(LAB + text).of_kind(ObligationKind.GENERATED)]
    assert found == ["open"]


@pytest.mark.parametrize(("mode", "status"), [("pr", "refuted"), ("ex", "proved")])
def test_an_extended_sort_may_get_a_subsort_with_values(mode: str, status: str) -> None:
    report = report_on(
        LAB + f"mod! MORE {{ {mode}(LAB) [New < Lab] op c : -> New {{constr}} eq (X:New = a) = false . }}"
    )
    assert [o.status.value for o in report.of_kind(ObligationKind.PROTECTED) if o.subject == "Lab"] == [status]


@pytest.mark.parametrize(
    ("added", "decisive"),
    [
        ("mod! X { pr(LAB) op z : -> Lab {constr} }", False),
        ("mod* X { us(LAB) op z : -> Lab {constr} }", False),
        ("mod! X { pr(LAB) op z : -> Lab }", False),
        ("mod* X { inc(LAB) op z : -> Lab }", True),
        ("mod* X { pr(LAB) op z : -> Lab eq (z = a) = false . eq (z = b) = false . }", True),
        ("mod! X { pr(LAB) op y : -> Lab {constr} } mod* Y { us(X) op z : -> Lab }", True),
    ],
)
def test_a_new_value_that_case_splits_count_decides_nothing(added: str, decisive: bool) -> None:
    text = LAB + added + OTS % ("Y" if "mod* Y" in added else "X")
    (found,) = [each for each in report_on_ots(text).of_kind(ObligationKind.PROTECTED) if each.subject == "Lab"]
    assert found.decisive is decisive
