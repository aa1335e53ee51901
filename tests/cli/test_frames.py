"""What a transition does not change need not be written: otsrw makes the equations, or writes them into the file."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import checked, document, run, spec
from support import ROOT

LOCK = """\
mod* PROCESS { [Pid] }
mod! MODE { [Mode] ops idle reading writing : -> Mode {constr}
  eq (idle = reading) = false . eq (idle = writing) = false . eq (reading = writing) = false . }
-- @ with Pid = p1 p2
-- @ invariant exclusive
mod* LOCK {
  -- @ frame
  pr(PROCESS + MODE) *[Sys]* op init : -> Sys
  bop mode : Sys Pid -> Mode   bop writer : Sys -> Bool   bop _trusts_in_ : Pid Pid Sys -> Bool
  bops startWrite stopWrite learn : Sys Pid -> Sys   bop pause : Sys -> Sys
  op exclusive : Sys Pid Pid -> Bool
  var S : Sys   vars I J : Pid
  eq mode(init, I) = idle . eq writer(init) = false . eq I trusts J in init = false .
  ceq mode(startWrite(S, J), I) = (if I = J then writing else mode(S, I) fi) if not writer(S) .
  ceq writer(startWrite(S, J)) = true if not writer(S) .
  ceq startWrite(S, J) = S if writer(S) .
  ceq mode(stopWrite(S, J), I) = (if I = J then idle else mode(S, I) fi) if mode(S, J) = writing .
  ceq writer(stopWrite(S, J)) = false if mode(S, J) = writing .
  ceq stopWrite(S, J) = S if not (mode(S, J) = writing) .
  eq exclusive(S, I, J) = (mode(S, I) = writing and mode(S, J) = writing) implies (I = J) .
}
open LOCK . ops p q : -> Pid .
red mode(learn(startWrite(init, p), q), p) .
close
"""


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "lock.cafe"
    path.write_text(LOCK)
    return path


@pytest.fixture
def unframed(tmp_path: Path) -> Path:
    path = tmp_path / "unframed.cafe"
    path.write_text(LOCK.replace("-- @ frame", "--"))
    return path


def test_without_frames_the_hint_names_the_equation_with_its_index(unframed: Path) -> None:
    code, _, err = run("search", str(unframed))
    assert code == 150
    assert err.count("E507") == 8
    assert "if it does not change, 'eq mode(learn(S,Y1),I) = mode(S,I) .'" in err
    assert "'-- @ frame' makes all such equations" in err


@pytest.mark.parametrize(
    ("command", "last"),
    [
        ("search", "holds: exclusive is true in every reachable state of this instance (exhausted)"),
        ("igf", "verified: exclusive is an invariant"),
        ("run", "ran clean; 1 reduction"),
    ],
)
def test_a_module_may_leave_frames_out(lock: Path, command: str, last: str) -> None:
    code, out, err = run(command, str(lock))
    assert (code, "E507" in err) == (0, False), err
    assert out.splitlines()[-1].startswith(last)
    assert command != "run" or "(writing):Mode" in out


def test_messages_name_the_lines_of_the_file(lock: Path) -> None:
    lock.write_text(LOCK + "red in LOCK : nobody .\n")
    assert f"lock.cafe:{len(LOCK.splitlines()) + 1}:15: error E111" in run("run", str(lock))[2]


def test_frames_are_written_into_the_file(unframed: Path) -> None:
    found = document("format", str(unframed), "--frames")
    equations = found["frames"][0]["equations"]
    assert len(equations) == 8
    assert "eq mode(learn(S,J),I) = mode(S,I) ." in equations
    assert "eq writer(pause(S)) = writer(S) ." in equations
    assert "eq (I trusts J in learn(S,Y1:Pid)) = (I trusts J in S) ." in equations
    assert all(f"\n  {equation}\n" in unframed.read_text() for equation in equations)
    assert run("search", str(unframed), "-q")[0] == 0
    assert document("format", str(unframed), "--frames")["changed"] is False


@pytest.mark.oracle
@pytest.mark.skipif(shutil.which("cafeobj") is None, reason="cafeobj is not installed")
def test_cafeobj_sees_them(unframed: Path) -> None:
    run("format", str(unframed), "--frames")
    done = subprocess.run(["cafeobj", "-q", "-batch", unframed], capture_output=True, text=True, timeout=60, check=True)
    assert "(writing):Mode" in done.stdout
    assert not re.search(r"\[Error\]|\[Warning\]", done.stdout)


def test_the_proof_score_of_a_framed_module_has_its_frames(lock: Path, tmp_path: Path) -> None:
    run("igf", str(lock), "--proof", str(tmp_path / "proof.cafe"))
    assert "eq mode(learn(S,J),I) = mode(S,I) ." in (tmp_path / "proof.cafe").read_text()
    assert run("run", "-q", "--expect", "true", str(tmp_path / "proof.cafe"))[0] == 0


@pytest.mark.parametrize("name", ["ticket", "qlock", "mcs", "two-phase-commit", "nspk"])
def test_frames_taken_out_of_a_case_study_come_back(name: str, tmp_path: Path) -> None:
    """The states are the same as with the equations that the file writes itself."""
    shutil.copytree(ROOT / "specs" / "data", tmp_path / "data")
    text = Path(spec(f"{name}.cafe")).read_text("utf-8")
    frame = re.compile(r"^ *c?eq (\S+)\((\w+)\(S[^)]*\)([^)]*)\) *= \1\(S\3\)( if [^.]*)? \.\n", re.MULTILINE)
    left, taken = frame.subn("", text)
    path = tmp_path / f"{name}.cafe"
    path.write_text(re.sub(r"^mod\* ", "-- @ frame\nmod* ", left, flags=re.MULTILINE))
    assert taken > 0 or name == "nspk"
    ours = document("search", str(path), "--depth", "4")
    theirs = document("search", spec(f"{name}.cafe"), "--depth", "4")
    assert [ours[key] for key in ("verdict", "levels")] == [theirs[key] for key in ("verdict", "levels")]


def test_a_broken_file_is_reported_as_always(lock: Path) -> None:
    lock.write_text(LOCK.replace("bop pause : Sys -> Sys", "bop pause : Sys -> Syss"))
    code, _, err = run("search", str(lock))
    assert code == 150
    assert "E201" in err


def test_a_hint_that_cannot_be_read_is_reported_as_always(lock: Path) -> None:
    lock.write_text(LOCK.replace("-- @ invariant exclusive", "-- @ invarient exclusive"))
    assert "E501" in run("search", str(lock))[2]
    assert run("run", str(lock))[0] == 0


def test_a_file_that_loads_a_framed_one(lock: Path, tmp_path: Path) -> None:
    (tmp_path / "outer.cafe").write_text("in lock\nmod* OUTER { pr(LOCK) }\n")
    assert run("search", str(tmp_path / "outer.cafe"), "-q", "--inv", "exclusive")[0] == 0


def test_tidying_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.cafe"
    path.write_text("mod! X { [S] }  \n\n\n")
    assert run("format", str(path), "--check")[0] == 12
    assert run("format", str(path))[0] == 0
    assert path.read_text() == "mod! X { [S] }\n"
    assert run("format", str(path), "--check")[1].splitlines()[-1] == f"{path}: nothing to do"


def test_a_file_with_errors_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "x.cafe"
    path.write_text("mod! X { [S]  \n")
    code, out, _ = run("format", str(path), "--json")
    assert (code, path.read_text()) == (150, "mod! X { [S]  \n")
    assert checked("format", out)["errors"]


def test_another_file_is_written(unframed: Path, tmp_path: Path) -> None:
    before = unframed.read_text()
    run("format", str(unframed), "--frames", "-o", str(tmp_path / "out.cafe"))
    assert unframed.read_text() == before
    assert "-- unchanged" in (tmp_path / "out.cafe").read_text()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("-- @ frame\nmod! DATA { [S] ops a b : -> S {constr} }\n", "DATA is no observational transition system"),
        ("mod! DATA { [S] }\n-- @ frame\n", "no module follows"),
    ],
)
def test_a_hint_that_does_nothing_is_told(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "data.cafe"
    path.write_text(text, encoding="utf-8")
    code, _, told = run("run", str(path))
    assert code == 0
    line = text.split("\n").index("-- @ frame") + 1
    assert told.splitlines()[0] == f"{path}:{line}:6: warning W508: '-- @ frame' does nothing here: {why}"
