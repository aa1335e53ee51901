"""CITP: goals, tactics and what they print; where CafeOBJ closes a goal without a proof, the goal stays open."""

from __future__ import annotations

import os
import re
import subprocess
from difflib import unified_diff
from enum import Enum
from pathlib import Path
from subprocess import PIPE, STDOUT

import pytest
from commands import document, run
from support import ROOT, error_codes, told
from support import run as outcome_of

from otsrw.proofs import Session
from otsrw.proofs.events import SessionEvent
from otsrw.report.events import lines_of
from proofs.citp_output import comparable
from proofs.citp_texts import ALIKE, NUMBERS, PREDICATES, UNSOUND

SHARED = ROOT.parent / "shared" / "cases" / "citp"
EXPERIMENTS = [path for path in sorted(SHARED.glob("[beu][0-9]*.cafe")) if path.stem != "e13-binspect"]
"""e13 is compared in test_inspecting.py, up to the order of predicates."""
_QLOCK = "corpus/ariesco+CafeInMaude/examples/CCiMPG/Qlock/qlock.cafe"
QLOCK = next((folder / _QLOCK for folder in ROOT.parents if (folder / _QLOCK).exists()), None)
_BROKEN = re.compile(r"\n\[?\n?\[Error\]|CORRUPTION")
DISCHARGED = "** All goals are successfully discharged."

DIFFERENCES = Path(__file__).parent / "citp_differences"
"""For each shared experiment that prints something else here: why (`Reason`), and the lines that differ."""


class Reason(Enum):
    """Why a shared experiment may print something else than CafeOBJ."""

    UNSOUND = "CafeOBJ closes a goal that is not proved"
    CRASH = "CafeOBJ crashes"
    LOST = "after an error CafeOBJ loses the rest of its input"


def cafeobj(text: str, path: Path) -> str:
    """What CafeOBJ prints if the text is typed: then its prompt stands between the answers to two commands."""
    path.write_text(text, "utf-8")
    with path.open() as typed:
        command = subprocess.Popen(["cafeobj", "-q"], stdin=typed, stdout=PIPE, stderr=STDOUT, text=True)
        return command.communicate()[0]


@pytest.mark.oracle
@pytest.mark.parametrize("name", ALIKE)
def test_prints_what_cafeobj_prints(name: str, tmp_path: Path) -> None:
    theirs = cafeobj(ALIKE[name], tmp_path / "script.cafe")
    assert "[Error]" not in theirs
    assert comparable("\n".join(told(ALIKE[name]))) == comparable(theirs)


@pytest.mark.oracle
@pytest.mark.parametrize("name", UNSOUND)
def test_cafeobj_closes_what_stays_open_here(name: str, tmp_path: Path) -> None:
    text, reason = UNSOUND[name]
    assert DISCHARGED in cafeobj(text, tmp_path / "script.cafe")
    outcome = outcome_of(text)
    assert outcome.errors == []
    assert outcome.open_proofs
    warnings = [problem.message for problem in outcome.warnings if problem.code == "W701"]
    assert (reason is None and not warnings) or any(reason in message for message in warnings if reason)


@pytest.mark.parametrize("name", UNSOUND)
def test_what_is_not_proved_stays_open(name: str) -> None:
    assert DISCHARGED not in told(UNSOUND[name][0])


def _theirs(path: Path) -> tuple[list[str], bool]:
    """What CafeOBJ printed, and whether it stopped: in batch mode it does at the first error."""
    typed, batch = path.with_suffix(".iout"), path.with_suffix(".out")
    if typed.exists():
        return comparable(typed.read_text("utf-8")), False
    text = batch.read_text("utf-8")
    return comparable(_BROKEN.split(text)[0]), _BROKEN.search(text) is not None


def _ours(path: Path) -> list[str]:
    heard: list[SessionEvent] = []
    Session(listener=heard.append).run_file(path)
    return comparable("\n".join(block.text for event in heard for block in lines_of(event)))


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared experiments are not here")
@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_shared_experiments_print_what_cafeobj_printed(path: Path) -> None:
    theirs, stops = _theirs(path)
    ours = _ours(path)
    found = list(unified_diff(theirs, ours[: len(theirs)] if stops else ours, n=0, lineterm=""))[2:]
    recorded = DIFFERENCES / f"{path.stem}.diff"
    if os.environ.get("OTSRW_NEW_DIFFERENCES") and found:
        reason = recorded.read_text("utf-8").splitlines()[0] if recorded.exists() else "REASON"
        recorded.write_text("\n".join([reason, *found]) + "\n", "utf-8")
    expected = recorded.read_text("utf-8").splitlines() if recorded.exists() else [""]
    assert [line.rstrip() for line in found] == [line.rstrip() for line in expected[1:]]


@pytest.mark.parametrize("path", sorted(DIFFERENCES.glob("*.diff")), ids=lambda path: path.stem)
def test_every_difference_has_a_reason(path: Path) -> None:
    reasons = path.read_text("utf-8").splitlines()[0].split(", ")
    assert {Reason[name] for name in reasons}


@pytest.mark.skipif(not (SHARED.is_dir() and QLOCK), reason="the Qlock of CafeInMaude is not here")
@pytest.mark.parametrize("path", sorted(SHARED.glob("q*.cafe")), ids=lambda path: path.stem)
def test_scripts_for_qlock_print_what_cafeobj_printed(path: Path, tmp_path: Path) -> None:
    assert QLOCK is not None
    (tmp_path / "qlock.cafe").write_text(QLOCK.read_text("utf-8"), "utf-8")
    script = tmp_path / path.name
    script.write_text(path.read_text("utf-8"), "utf-8")
    theirs, stops = _theirs(path)
    ours = _ours(script)
    assert (ours[: len(theirs)] if stops else ours) == theirs


# --- results


def test_open_goals_are_exit_12_with_expect(tmp_path: Path) -> None:
    path = tmp_path / "open.cafe"
    path.write_text(NUMBERS + "select NUM .\n:goal { eq X:N + z = X . }\n:apply (tc rd)\n", "utf-8")
    assert run("run", str(path))[0] == 0
    code, out, _ = run("run", "--expect", "true", str(path))
    assert code == 12
    assert "open.cafe:10: open goal 1-1\n" in out
    assert out.splitlines()[-1].startswith("goals are open; 1 of 1 proof open")


def test_proofs_are_in_the_document(tmp_path: Path) -> None:
    path = tmp_path / "two.cafe"
    proofs = ":goal { eq [zx]: z + X:N = X . }\n:apply (tc rd)\n:goal { eq X:N + z = X . }\n:csp { eq X:N = z . }"
    path.write_text(NUMBERS + "select NUM .\n" + proofs, "utf-8")
    first, second = document("run", str(path))["goals"]
    assert first["sentences"] == ["eq [zx]: (z + X:N) = X ."]
    assert (first["state"], first["open"], first["assumed"]) == ("discharged", [], [])
    assert (second["state"], second["open"]) == ("open", ["1"])
    assert second["assumed"] == ["in goal root one of the cases of :csp holds: X:N = z"]


def test_cases_that_cover_everything_take_nothing_for_granted() -> None:
    text = NUMBERS + PREDICATES + "select PRED .\n:goal { eq q(a) = p(f(a)) . }\n"
    outcome = outcome_of(text + ":csp { eq q(a) = true . eq q(a) = false . }\n:apply (rd)\n:apply (rd)")
    assert [proof.assumed for proof in outcome.proofs] == [()]
    assert outcome.open_proofs == []


def test_what_compares_spelling_is_taken_for_granted() -> None:
    outcome = outcome_of(NUMBERS + "select NUM .\n:goal { eq (x:N == y:N) = false . }\n:apply (tc rd)")
    assert "==" in outcome.proofs[0].assumed[0]


LOOKING = """mod! LOOK { [ Nz < N ]  op z : -> N {constr} .  op s : N -> Nz {constr} .  preds f g : N .
  eq f(z) = true .  eq f(X:N) = false {owise} .  eq g(X:N) = (X :is Nz) .
  [ St ]  ops a b : -> St .  trans a => b . }
select LOOK .
"""


@pytest.mark.parametrize(
    ("goal", "why"),
    [
        ("f(Y:N) = false", "owise"),
        ("g(Y:N) = false", ":is"),
        ("(Y:N :is Nz) = false", ":is"),
        ("(Y:St =(*,*)=>* b) = false", "search"),
    ],
)
def test_what_looks_at_terms_as_they_are_written_is_taken_for_granted(goal: str, why: str) -> None:
    """Each of these is false: a constant of a proof stands for any value."""
    outcome = outcome_of(LOOKING + f":goal {{ eq {goal} . }}\n:apply (tc rd)")
    assert any(why in text for text in outcome.proofs[0].assumed)


def test_the_last_line_says_that_something_is_taken_for_granted(tmp_path: Path) -> None:
    path = tmp_path / "granted.cafe"
    path.write_text(LOOKING + ":goal { eq f(Y:N) = false . }\n:apply (tc rd)", "utf-8")
    assert "1 proof complete (1 with something taken for granted)" in run("run", "-q", str(path))[1]


def test_a_theory_is_taken_for_granted() -> None:
    text = (
        NUMBERS + "select NUM .\n:goal { eq (X:N + Y:N) + z = z + (Y + X) . }\n:theory _+_ : N N -> N { assoc comm }\n"
    )
    outcome = outcome_of(text + ":apply (tc rd)")
    assert outcome.open_proofs == []
    assert outcome.proofs[0].assumed == ("in goal root the operator _+_ is assoc comm",)


SCHEME = "select NUM .\n:goal { eq X:N + z = X . }\n:ind { on (X:N) base (z) step (s(Y:N)) }\n:apply (rd)\n:apply (rd)"


def test_a_scheme_that_covers_all_constructors_is_an_induction() -> None:
    outcome = outcome_of(NUMBERS + SCHEME)
    assert (outcome.open_proofs, outcome.proofs[0].assumed) == ([], ())


def test_a_scheme_that_leaves_a_constructor_out_proves_nothing() -> None:
    more = NUMBERS.replace("op s : N -> N {constr} .", "op s : N -> N {constr} . op u : -> N {constr} .")
    outcome = outcome_of(more + SCHEME)
    assert [proof.open_goals for proof in outcome.open_proofs] == [("root",)]
    assert "built by u are left out" in outcome.warnings[0].message


def test_a_proved_sentence_keeps_what_its_proof_takes_for_granted() -> None:
    text = (
        NUMBERS
        + "select NUM .\n:goal { eq [c]: X:N + Y:N = Y + X . }\n:theory _+_ : N N -> N { comm }\n:apply (tc rd)\n"
    )
    outcome = outcome_of(text + ":goal { eq z + s(z) = s(z) + z . }\n:use (c)\n:apply (rd)")
    assert [proof.assumed for proof in outcome.proofs] == [("in goal root the operator _+_ is comm",)] * 2


def test_a_proof_ends_when_its_module_is_declared_again() -> None:
    lines = told(NUMBERS + "select NUM .\n:goal { eq z = z . }\n" + NUMBERS + ":show flags")
    assert "** !! Discarding the current proof..." in lines


def test_associativity_can_be_embedded() -> None:
    text = NUMBERS + "select NUM .\n:goal { eq [assoc :nonexec]: (X:N + Y:N) + Z:N = X + (Y + Z) . }\n"
    text += ":ind on (X:N)\n:apply (si tc rd)\n:embed [assoc] {assoc} as NUM+\n"
    (found,) = outcome_of(
        text + "open NUM+ .\nops a b c : -> N .\nred (a + b) + c == a + (b + c) .\nclose"
    ).reductions()
    assert found.result == "true"


def test_only_what_a_sentence_says_can_be_embedded() -> None:
    text = NUMBERS + "select NUM .\n:goal { eq [k]: z + (Y:N + Z:N) = Y + Z . }\n:apply (tc rd)\n"
    assert error_codes(text + ":embed [k] {comm} as NUM+") == ["E309"]


# --- mistakes


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (":apply (rd)", "E309"),
        (":goal { eq foo = z . }", "E111"),
        (":goal { eq z = z . }\n:apply (cs)", "E309"),
        (":goal { eq z = z . }\n:apply to 7 (rd)", "E309"),
        (":goal { eq z = z . }\n:select 9", "E309"),
        (":goal { eq X:N = z . }\n:ind on (Y:N)", "E309"),
        (":goal { eq X:N = z . }\n:ind on (X)", "E101"),
        (":goal { eq z = z . }\n:ctf [ nosuch . ]", "E111"),
        (":goal { eq z = z . }\n:ctf { ceq z = s(z) if z = s(z) . }", "E101"),
        (":goal { eq z = z . }\n:init [nosuch] by { X:N <- z ; }", "E309"),
        (":goal { eq z = z . }\n:init (eq X:N = z .) by { Y:N <- z ; }", "E309"),
        (":goal { eq z = z . }\n:init (eq X:N = z .) by { X <- z ; }", "E101"),
        (":goal { eq z = z . }\n:init (eq X:N = z .) by { X:N <- z }", "E101"),
        (":goal { eq z = z . }\n:init (eq X:N = z .)", "E101"),
        (":goal { eq z = z . }\n:ctf { ceq z = s(z) if true . }", "E101"),
        (":goal { eq z = z . }\n:theory f : N N -> N { comm }", "E309"),
        (":goal { eq z = z . }\n:theory _+_ : N N -> N { idem }", "E106"),
        (":goal { eq X:N = z . }\n:ind { on (X:N) base (z) }", "E101"),
        (":goal { eq X:N = z . }\n:ind { on (X:N) base (z) step (z) }", "E309"),
        (":goal { eq z = z . }\n:use (k)", "E309"),
        (":goal { eq z = z . }\n:def rd = :ctf [ z . ]", "E309"),
        (":goal { eq z = z . }\n:imply [k] .", "E106"),
        (":goal { eq z = z . }\n:init (eq X:N = X .) by { X:N <- z ; }\n:imp [k] .", "E106"),
        (":goal { eq z = z . }\n:lred z .", "E106"),
        (":goal { eq z = z . }\n:cp [k] >< [l]", "E106"),
        (":goal { op c : -> N }", "E101"),
        (":goal { eq z = z . ", "E104"),
        (":set(nosuch,on)", "E101"),
        (":goal { eq z = z . }\n:show nosuch", "E101"),
        (":goal { eq z = z . }\n:order (nosuch)", "E309"),
    ],
)
def test_mistakes_are_told(script: str, code: str) -> None:
    assert error_codes(NUMBERS + "select NUM .\n" + script) == [code]


def test_trees_are_not_handled() -> None:
    text = "mod! T { [ T ] op l : -> T {constr} . op n : T T -> T {constr} . pred p : T . }\nselect T .\n"
    assert error_codes(text + ":goal { eq p(t:T) = true . }\n:ind on (t:T)\n:apply (si)") == ["E309"]


def test_a_goal_needs_a_module() -> None:
    assert error_codes(":goal { eq true = true . }") == ["E306"]


# --- pages


def test_the_page_shows_each_goal_and_what_closed_it(tmp_path: Path) -> None:
    path, page = tmp_path / "proof.cafe", tmp_path / "proof.html"
    script = ":goal { eq [z]: M:N + z = M . }\n:ind on (M:N)\n:apply (si)\n:apply (rd)"
    path.write_text(NUMBERS + "select NUM .\n" + script, "utf-8")
    assert run("run", "--html", str(page), str(path))[0] == 0
    text = page.read_text("utf-8")
    assert text.count("<details") == 3
    assert "closed by reduction" in text
    assert "eq [SI z]: (M#N + z) = M#N ." in text
    assert "1 proof, 1 with open goals" in text


def test_the_page_shows_what_is_new_in_a_goal(tmp_path: Path) -> None:
    """What a goal assumes is not shown again in the goals below it: pages of large proofs stay small."""
    path, page = tmp_path / "proof.cafe", tmp_path / "proof.html"
    script = ":goal { eq [z]: M:N + z = M . }\n:ind on (M:N)\n:apply (si)\n:apply (rd)\n:ctf { eq M#N = z . }"
    path.write_text(NUMBERS + "select NUM .\n" + script, "utf-8")
    assert run("run", "--html", str(page), str(path))[0] == 0
    text = page.read_text("utf-8")
    assert text.count("eq [SI z]: (M#N + z) = M#N .") == 1
    assert "<code>M#N = z</code>" in text


def test_a_page_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    path = tmp_path / "proof.cafe"
    path.write_text(NUMBERS, "utf-8")
    code, _, err = run("run", "--html", str(tmp_path / "no" / "page.html"), str(path))
    assert code == 2
    assert "E307" in err
