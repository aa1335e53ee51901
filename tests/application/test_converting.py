"""Proof scores become scripts of CiMPA, and scripts become proof scores: nothing is lost, and what misses is told."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from commands import document, run
from proofs.test_cimpa import LOCK, SCRIPT
from support import ROOT

from otsrw.application.converting import score_of_script, script_of_score
from otsrw.proofs import Settings
from otsrw.syntax.diagnostics import OtsrwError

PASSAGES = {
    "one init": "ops i j : -> Pid . red one(init,i,j) .",
    "taken init": "op i : -> Pid . red taken(init,i) .",
    "one enter open i j": "eq free(s) = true . eq i = k . eq j = k . red one(s,i,j) implies one(enter(s,k),i,j) .",
    "one enter open i": "eq free(s) = true . eq i = k . eq (j = k) = false . "
    "red taken(s,j) implies one(s,i,j) implies one(enter(s,k),i,j) .",
    "one enter open": "eq free(s) = true . eq (i = k) = false . "
    "red taken(s,i) implies one(s,i,j) implies one(enter(s,k),i,j) .",
    "one enter closed": "eq free(s) = false . red one(s,i,j) implies one(enter(s,k),i,j) .",
    "one leave": "eq pc(s,k) = cs . eq i = k . red one(s,i,j) implies one(leave(s,k),i,j) .",
    "one leave j": "eq pc(s,k) = cs . eq (i = k) = false . eq j = k . red one(s,i,j) implies one(leave(s,k),i,j) .",
    "one leave none": "eq pc(s,k) = cs . eq (i = k) = false . eq (j = k) = false . "
    "red one(s,i,j) implies one(leave(s,k),i,j) .",
    "one leave not": "eq (pc(s,k) = cs) = false . red one(s,i,j) implies one(leave(s,k),i,j) .",
    "taken enter": "eq free(s) = true . red taken(s,i) implies taken(enter(s,k),i) .",
    "taken enter closed": "eq free(s) = false . red taken(s,i) implies taken(enter(s,k),i) .",
    "taken leave": "eq pc(s,k) = cs . eq i = k . red taken(s,i) implies taken(leave(s,k),i) .",
    "taken leave other": "eq pc(s,k) = cs . eq (i = k) = false . "
    "red one(s,i,k) implies taken(s,i) implies taken(leave(s,k),i) .",
    "taken leave not": "eq (pc(s,k) = cs) = false . red taken(s,i) implies taken(leave(s,k),i) .",
}
CONSTANTS = "op s : -> Sys . ops i j k : -> Pid . "


def score(*left_out: str, mark: str = ":id(lock)") -> str:
    """The score of the lock, without some passages."""
    kept = [text for name, text in PASSAGES.items() if name not in left_out]
    lines = (f"open LOCK . {mark} {'' if 'init' in text else CONSTANTS}{text} close" for text in kept)
    return LOCK + "\n".join(lines)


def written(folder: Path, text: str) -> list[str]:
    path = folder / "given.cafe"
    path.write_text(text, "utf-8")
    return [str(path)]


def test_passages_with_many_equations_become_a_script(tmp_path: Path) -> None:
    """Splits go as deep as a passage has equations; they stopped after forty."""
    depth = 45
    rules = "".join(
        f"op b{k} : Sys -> Bool .  op f{k} : Sys -> Bool .  ceq f{k}(S) = f{k + 1}(S) if b{k}(S) .  "
        f"ceq f{k}(S) = true if not b{k}(S) .\n"
        for k in range(depth)
    )
    system = (
        "mod* DEEP { [ Sys ]  op init : -> Sys {constr} .  op t : Sys -> Sys {constr} .  var S : Sys .\n"
        f"pred safe : Sys .  op f{depth} : Sys -> Bool .  eq f{depth}(S) = true .\n{rules}"
        "eq safe(init) = true .  eq safe(t(S)) = f0(S) . }\n"
    )
    steps = "".join(
        "open DEEP .  op s : -> Sys .  "
        + "".join(f"eq b{k}(s) = true .  " for k in range(count))
        + (f"eq b{count}(s) = false .  " if count < depth else "")
        + "red safe(s) implies safe(t(s)) .  close\n"
        for count in range(depth + 1)
    )
    made = script_of_score(written(tmp_path, system + "open DEEP .  red safe(init) .  close\n" + steps), Settings())
    assert made.text.count(":ctf") == depth


def test_the_old_word_for_infer_proof_is_read(tmp_path: Path) -> None:
    made = script_of_score(written(tmp_path, score() + "\nopen LOCK .\n  :proof(lock)\nclose\n"), Settings())
    assert made.proofs == ("lock",)


def test_a_score_becomes_a_script(tmp_path: Path) -> None:
    made = script_of_score(written(tmp_path, score()), Settings())
    assert made.proofs == ("lock",)
    assert made.warnings == ()
    assert made.text.count(":apply (rd)") == made.parts <= len(PASSAGES)
    assert ":imp [taken] by {I:Pid <- J@Pid ;}" in made.text


def test_marks_are_not_needed(tmp_path: Path) -> None:
    assert script_of_score(written(tmp_path, score(mark="")), Settings()).proofs == ("",)


@pytest.mark.parametrize("name", ["taken leave other", "one enter open i"])
def test_a_passage_that_is_missing_is_told(name: str, tmp_path: Path) -> None:
    """What it used is known to no other passage, so the case cannot be closed, or it is closed and told."""
    try:
        made = script_of_score(written(tmp_path, score(name)), Settings())
    except OtsrwError as error:
        assert "no passage shows" in str(error)
    else:
        assert any(problem.code == "W611" for problem in made.warnings)


def test_a_transition_without_passages_is_told(tmp_path: Path) -> None:
    names = [name for name in PASSAGES if name.startswith("taken leave")]
    with pytest.raises(OtsrwError, match=r"no passage shows taken\(leave\(S#Sys,P#Pid\),I@Pid\)"):
        script_of_score(written(tmp_path, score(*names)), Settings())


def test_a_false_case_is_never_closed(tmp_path: Path) -> None:
    text = score().replace("ceq free(enter(S,P)) = false if free(S) .", "ceq free(enter(S,P)) = true if free(S) .")
    with pytest.raises(OtsrwError, match="no passage shows"):
        script_of_score(written(tmp_path, text), Settings())


def test_lemmas_of_other_proofs_are_taken_for_granted(tmp_path: Path) -> None:
    text = score(*(name for name in PASSAGES if name.startswith("taken")))
    made = script_of_score(written(tmp_path, text), Settings())
    assert ":proven(taken(S:Sys,P:Pid))" in made.text


def test_a_script_becomes_a_score(tmp_path: Path) -> None:
    whole = SCRIPT + ":apply(tc)\n:def d1 = :ctf {eq pc(S#Sys,P#Pid) = cs .}\n:apply(d1)\n"
    made = script_of_score(written(tmp_path, score()), Settings())
    back = score_of_script(written(tmp_path, made.text), Settings())
    assert back.parts == made.parts
    assert "red taken(s,j) implies one(s,i,j) implies one(enter(s,p),i,j) ." in back.text
    (tmp_path / "score.cafe").write_text(back.text, "utf-8")
    assert run("check", "--score", str(tmp_path / "score.cafe"))[0] == 0
    with pytest.raises(OtsrwError, match="is open"):
        score_of_script(written(tmp_path, LOCK + whole), Settings())


@pytest.mark.oracle
def test_cafeobj_accepts_the_score_of_a_script(tmp_path: Path) -> None:
    for name in ("addition-citp.cafe", "tas-cimpa.cafe"):
        path = tmp_path / name
        made = score_of_script([str(ROOT / "proofs" / name)], Settings())
        path.write_text(made.text, "utf-8")
        done = subprocess.run(["cafeobj", "-q", "-batch", path], capture_output=True, text=True, check=False)
        results = [line for line in done.stdout.splitlines() if line.startswith("(") and line.endswith(":Bool")]
        assert len(results) >= made.parts > 0
        assert all(line.startswith("(true)") for line in results)


def test_the_document_has_the_text(tmp_path: Path) -> None:
    found = document("convert", *written(tmp_path, score()), "--as", "cimpa")
    assert found["form"] == "cimpa"
    assert found["proofs"] == ["lock"]
    assert "PROOF FINISHED" in found["text"]


@pytest.mark.parametrize(
    ("text", "form", "words"),
    [
        (LOCK, "cimpa", "no passage is about a step"),
        (LOCK, "score", "have no proof"),
        (LOCK + "open LOCK . red nosuch . close", "cimpa", "E1"),
    ],
)
def test_what_cannot_be_converted_is_told(text: str, form: str, words: str, tmp_path: Path) -> None:
    code, _, err = run("convert", *written(tmp_path, text), "--as", form)
    assert code in (2, 150)
    assert words in err


def test_an_unknown_mark_is_told(tmp_path: Path) -> None:
    code, _, err = run("convert", *written(tmp_path, score()), "--as", "cimpa", "--id", "lok")
    assert code == 2
    assert "there are: lock" in err


def test_the_commands_of_cimpg_are_understood(tmp_path: Path) -> None:
    given = written(tmp_path, score() + "\nset-cores 4 .\n:infer-proof lock .\n")
    assert script_of_score(given, Settings()).proofs == ("lock",)
    code, _, err = run("run", *given)
    assert code == 0
    assert "otsrw convert FILE... --as cimpa" in err
