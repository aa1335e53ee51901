"""The data library: found after the user's own files, accepted by CafeOBJ, and every lemma of it is proved."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import checked, run
from support import ROOT

LIBRARY = ROOT / "specs" / "library"
FILES = sorted(path.stem for path in LIBRARY.glob("*.cafe"))
NEEDS_CAFEOBJ = pytest.mark.skipif(shutil.which("cafeobj") is None, reason="cafeobj is not installed")


def cafeobj(file: Path, folder: Path) -> str:
    done = subprocess.run(
        ["cafeobj", "-q", "-batch", file], cwd=folder, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout + done.stderr


def test_the_library_has_what_it_should() -> None:
    modules = {
        name for file in FILES for name in re.findall(r"^mod! (\S+)", (LIBRARY / f"{file}.cafe").read_text(), re.M)
    }
    assert modules >= {"SET", "BAG", "LIST", "QUEUE", "STACK", "MAP", "PAIR", "OPTION", "PNAT", "BOUNDED"}
    assert {f"{name}-LEMMAS" for name in modules if not name.endswith("-LEMMAS")} <= modules


@pytest.mark.parametrize("file", FILES)
def test_every_lemma_is_proved_and_every_reduction_gives_true(file: str) -> None:
    text = (LIBRARY / f"{file}.cafe").read_text("utf-8")
    part = text[text.rindex("\nmod! ") :]
    lemmas = re.findall(r"^  op (\S+) : .*-> Bool$", part, re.MULTILINE)
    score = ROOT / "proofs" / "library" / f"{file}-lemmas.cafe"
    goals = re.findall(r"^  red (.*) \.$", score.read_text("utf-8"), re.MULTILINE)
    assert lemmas
    assert all(any(f"{lemma}(" in goal for goal in goals) for lemma in lemmas)
    code, out, err = run("run", "-q", "--expect", "true", str(score))
    assert (code, err) == (0, ""), out


@pytest.mark.oracle
@NEEDS_CAFEOBJ
@pytest.mark.parametrize("file", FILES)
def test_cafeobj_accepts_the_scores(file: str) -> None:
    score = ROOT / "proofs" / "library" / f"{file}-lemmas.cafe"
    out = cafeobj(score, ROOT)
    assert "rror" not in out
    assert len(re.findall(r"^\(true\):Bool", out, re.MULTILINE)) == score.read_text("utf-8").count("\n  red ")


@pytest.mark.parametrize("file", FILES)
def test_the_library_means_one_thing(file: str) -> None:
    code, out, _ = run("check", str(LIBRARY / f"{file}.cafe"))
    assert (code, "is sound" in out.splitlines()[-1]) == (0, True)


USES = {
    "set": ("in set\nin pnat\nmod! M { pr(SET(PNAT{sort Elt -> Nat})) }", "0 \\in del(s(0), (s(0) , 0))", "true"),
    "bag": ("in bag\nmod! M { pr(BAG(NAT{sort Elt -> Nat})) }", "1 \\in del(1, (1 , 1))", "true"),
    "list": ("in list\nmod! M { pr(LIST(QID{sort Elt -> Qid})) }", "rev('a | ('b | nil))", "('b | ('a | nil))"),
    "stack": ("in stack\nmod! M { pr(STACK(QID{sort Elt -> Qid})) }", "top(pop(push('a, push('b, empty))))", "'b"),
    "queue": ("in queue\nmod! M { pr(QUEUE(QID{sort Elt -> Qid})) }", "top(put(put(empty, 'a), 'b))", "'a"),
    "pair": ("in pair\nmod! M { pr(PAIR(NAT{sort Elt -> Nat}, QID{sort Elt -> Qid})) }", "2nd(< 1 ; 'a >)", "'a"),
    "option": ("in option\nmod! M { pr(OPTION(NAT{sort Elt -> Nat})) }", "none or-else 4", "4"),
    "map": (
        "in map\nview Zero from DEFAULT to NAT { sort Elt -> Nat op default -> 0 }\n"
        "mod! M { pr(MAP(QID{sort Elt -> Qid}, Zero)) }",
        "upd(upd(nowhere, 'a, 1), 'b, 2)['b]",
        "2",
    ),
    "pnat": ("in pnat\nmod! M { pr(PNAT) }", "s(0) <= (s(0) + 0)", "true"),
    "bounded": (
        "in bounded\nmod! ONE { pr(PNAT) op one : -> Nat eq one = s(0) . }\n"
        "view One from BOUND to ONE { op max -> one }\nmod! M { pr(BOUNDED(One)) }",
        "round(up(up(0)))",
        "0",
    ),
}


@pytest.mark.parametrize("file", FILES)
def test_a_file_is_found_from_anywhere(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, term, expected = USES[file]
    (tmp_path / "mine.cafe").write_text(f"{text}\nred in M : {term} .\n")
    monkeypatch.chdir(tmp_path)
    code, out, err = run("run", "--expect", expected, "mine.cafe")
    assert (code, err) == (0, ""), out


def test_a_file_of_the_user_comes_first(tmp_path: Path) -> None:
    (tmp_path / "set.cafe").write_text("mod! MINE { [S] op a : -> S }")
    (tmp_path / "mine.cafe").write_text("in set\nred in MINE : a .")
    assert run("run", str(tmp_path / "mine.cafe"))[0] == 0


def test_a_misspelt_name_says_where_it_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "mine.cafe").write_text("in frobnicated")
    code, _, err = run("run", str(tmp_path / "mine.cafe"))
    assert code == 150
    assert "the data library" in err


def test_a_misspelt_file_of_the_library_is_suggested(tmp_path: Path) -> None:
    (tmp_path / "mine.cafe").write_text("in sett\n")
    assert "did you mean 'set'?" in run("run", str(tmp_path / "mine.cafe"))[2]


@pytest.mark.parametrize("command", ["run", "search", "igf"])
def test_new_with_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.chdir(tmp_path)
    found = checked("new", run("new", "my-queue", "--with-library", "--json")[1])
    assert found["library"] == ["queue.cafe", "pnat.cafe"]
    code, _, err = run(command, "my-queue.cafe", "-q")
    assert (code, err) == (0, "")


@pytest.mark.oracle
@NEEDS_CAFEOBJ
def test_cafeobj_accepts_what_new_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", "my-queue", "--with-library")
    out = cafeobj(tmp_path / "my-queue.cafe", tmp_path)
    assert (out.count("(true):Bool"), "rror" in out) == (2, False)
