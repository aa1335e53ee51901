"""CITP: goals, tactics and what they print; where CafeOBJ closes a goal without a proof, the goal stays open."""

from __future__ import annotations

import re
import subprocess
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
_BROKEN = re.compile(r"\n\[?\n?\[Error\]|CORRUPTION")
DISCHARGED = "** All goals are successfully discharged."

DIFFERENT = {
    "e05-ctf": "sorts named like those of INT are read, and a condition that is true is none",
    "e06-csp-def": "a sequence can be applied to any goal",
    "e07-init": "s(0) has one reading",
    "e07b-init": "the sort of a variable need not be given",
    "e10-flags": "`?` shows a flag",
    "e11-contra": "unsound steps",
    "e12-use": "`:theory` is not supported",
    "e13-binspect": "not supported",
    "e14-rules": "what a search found is not shown",
    "e15-ca": "an assumption that says nothing is left out",
    "e18-misc": "unsound steps, and errors",
    "e19-prio2": "`:init` without a substitution works",
    "e20-checks": "the last `;` of a substitution may be missing",
    "e22-open": "what was proved in another passage is forgotten",
    "e04-tc-rd": "x and X stay different; the tree shows nf",
    "e09-select": "behavioural is spelt like that",
    "u4-sortless-si": "`:ind {..}` is not supported",
}
"""Shared experiments that print something else here, and why."""


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


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared experiments are not here")
@pytest.mark.parametrize("path", sorted(SHARED.glob("[be]*.cafe")), ids=lambda path: path.stem)
def test_shared_experiments_print_what_cafeobj_printed(path: Path) -> None:
    if path.stem in DIFFERENT:
        pytest.skip(DIFFERENT[path.stem])
    typed, batch = path.with_suffix(".iout"), path.with_suffix(".out")
    # in batch mode CafeOBJ stops at the first error
    text = typed.read_text("utf-8") if typed.exists() else _BROKEN.split(batch.read_text("utf-8"))[0]
    theirs = comparable(text)
    heard: list[SessionEvent] = []
    Session(listener=heard.append).run_file(path)
    ours = comparable("\n".join(block.text for event in heard for block in lines_of(event)))
    stops = not typed.exists() and _BROKEN.search(batch.read_text("utf-8"))
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
