"""Proofs as scripts: CITP's are accepted by CafeOBJ, CiMPA's by our own runner; what has no such form is said."""

from __future__ import annotations

import subprocess
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest
from commands import run, spec

from otsrw.induction.script_bags import BagOfScript
from otsrw.induction.script_module import with_constructors
from otsrw.ots.recognise import recognise
from otsrw.proofs import Session
from otsrw.proofs.citp.script_connectives import ScriptConnective

CLOSED = "** All goals are successfully discharged."


def written(name: str, form: str, path: Path, *words: str) -> tuple[int, str]:
    """The exit code and the script of a specification."""
    code, _, err = run("igf", spec(name), "--proof", str(path), "--as", form, *words)
    return code, path.read_text("utf-8") if path.exists() else err


@pytest.mark.parametrize("form", ["citp", "cimpa"])
@pytest.mark.parametrize("name", ["qlock.cafe", "iff.cafe"])
def test_scripts_close_all_goals(name: str, form: str, tmp_path: Path) -> None:
    code, text = written(name, form, tmp_path / "script.cafe")
    assert code == 0
    code, out, _ = run("run", "--expect", "true", str(tmp_path / "script.cafe"))
    assert code == 0
    assert out.count(CLOSED if form == "citp" else "PROOF FINISHED!") == text.count("\n:goal")


@pytest.mark.oracle
def test_cafeobj_accepts_a_script_for_citp(tmp_path: Path) -> None:
    path = tmp_path / "script.cafe"
    _, text = written("qlock.cafe", "citp", path)
    done = subprocess.run(["cafeobj", "-q", "-batch", path], capture_output=True, text=True, check=False)
    assert done.stdout.count(CLOSED) == text.count(":goal {") == 10


@pytest.mark.oracle
def test_long_conditions_are_split_in_the_induction(tmp_path: Path) -> None:
    """CafeOBJ would make a sum of hundreds of products of the condition of a commit, and not come to an end."""
    path = tmp_path / "script.cafe"
    _, text = written("literature/transaction-commit.cafe", "citp", path)
    induction = text[text.index(":use (") :]
    assert ":ctf { eq c-commit(S#Sys,S#Manager) = true . }" in induction
    done = subprocess.run(["cafeobj", "-q", "-batch", path], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.count(CLOSED) == text.count(":goal {") == 4


@pytest.mark.oracle
def test_the_rest_of_a_bag_is_a_function_and_facts_about_it_are_taken_for_granted(tmp_path: Path) -> None:
    path = tmp_path / "script.cafe"
    code, text = written("suzuki-kasami.cafe", "citp", path)
    assert code == 0
    assert "-- Taken for granted: facts about bags" in text
    assert "[bag-fact-Network1 :nonexec]" in text
    assert "Array1" not in text  # no element is taken out of an array
    done = subprocess.run(["cafeobj", "-q", "-batch", path], capture_output=True, text=True, check=False)
    assert done.stdout.count(CLOSED) == text.count(":goal {") == 43


def test_the_facts_hold_for_all_small_bags() -> None:
    """With `==`, which compares bags as they are."""
    session = Session()
    session.run_text(SMALL_BAGS)
    bag = BagOfScript("_,_", "Bag", "Elt", "empty")
    connectives = [line for each in ScriptConnective for line in each.lines()]
    lines = ["mod FACTS { pr(SMALL)", *connectives, *bag.definitions(), "}"]
    bags = [words for size in range(4) for words in combinations_with_replacement("abc", size)]
    for count in (1, 2):
        for elements in combinations_with_replacement("abc", count):
            for others, left in product(bags, bags):
                if len(others) + count == len(left) + 1:
                    for taken in "ab":
                        values = (bag.sum(each) if each else "empty" for each in (others, left))
                        formula = bag.cancellation(elements, next(values), taken, next(values))
                        lines.append(f"red in FACTS : {formula.replace(' = ', ' == ')} .")
    session.run_text("\n".join(lines))
    assert len(session.outcome.reductions()) > 500
    assert not session.outcome.errors
    assert not session.outcome.unexpected("true")


SMALL_BAGS = """mod! SMALL { [Elt < Bag]  ops a b c : -> Elt {constr}  op empty : -> Bag {constr}
  op _,_ : Bag Bag -> Bag {constr assoc comm id: empty} }"""


def test_a_proof_with_a_law_about_data_that_is_no_equation_has_no_script(tmp_path: Path) -> None:
    source, path = Path(__file__).parents[2] / "bench/everyday/semaphore.cafe", tmp_path / "script.cafe"
    code, _, err = run("igf", str(source), "--inv", "inv1", "--proof", str(path), "--as", "citp")
    assert code == 2
    assert "error E524" in err
    assert "a case uses the lemma about data data1, which is no equation" in err


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "literature/quorum-leader-election.cafe",
        "literature/toy-consensus.cafe",
        "literature/simple-election.cafe",
        "literature/naive-consensus.cafe",
        "literature/distributed-lock.cafe",
        "literature/two-phase-commit.cafe",
        "two-phase-commit.cafe",
    ],
)
def test_cafeobj_closes_the_goals_of_large_scripts(name: str, tmp_path: Path) -> None:
    """Nodes are listed by constructors, lemmas are long, facts about numbers are used, or goals are hundreds."""
    path = tmp_path / "script.cafe"
    _, text = written(name, "citp", path)
    done = subprocess.run(["cafeobj", "-q", "-batch", path], capture_output=True, text=True, check=False)
    assert done.stdout.count(CLOSED) == text.count(":goal {") > 10


def test_scripts_have_no_needless_splits(tmp_path: Path) -> None:
    """A script for Qlock that finds its splits without the cases of the proof, and keeps them all, has 66."""
    _, text = written("qlock.cafe", "citp", tmp_path / "script.cafe")
    assert text.count(":ctf") <= 40


def test_known_conditions_are_unfolded(tmp_path: Path) -> None:
    """That an effective condition holds says nothing as long as it stands for what it is defined to be."""
    code, text = written("literature/client-server.cafe", "citp", tmp_path / "script.cafe")
    assert code == 0
    assert ":ctf { eq answer(S@Sys,N@Node,P@Response) = to(R@Request) . }" in text


COUNTED = """mod* COUNTED { pr(NAT) *[Sys]*
  op init : -> Sys  bop low : Sys -> Nat  bop high : Sys -> Nat  bop up : Sys -> Sys  bop raise : Sys Nat -> Sys
  var S : Sys  var N : Nat
  eq low(init) = 0 .  eq high(init) = 1 .
  op c-up : Sys -> Bool  eq c-up(S) = low(S) + 1 < high(S) .
  ceq low(up(S)) = low(S) + 1 if c-up(S) .  eq high(up(S)) = high(S) .  ceq up(S) = S if not c-up(S) .
  op c-raise : Sys Nat -> Bool  eq c-raise(S,N) = high(S) < N .
  eq low(raise(S,N)) = low(S) .  ceq high(raise(S,N)) = N if c-raise(S,N) .  ceq raise(S,N) = S if not c-raise(S,N) .
  op ordered : Sys -> Bool  eq ordered(S) = low(S) < high(S) .
}"""
"""That the order is kept rests on the transitivity of `<`."""


@pytest.mark.oracle
@pytest.mark.parametrize("form", ["citp", "cimpa"])
def test_facts_about_numbers_are_sentences_taken_for_granted(form: str, tmp_path: Path) -> None:
    source, path = tmp_path / "counted.cafe", tmp_path / "script.cafe"
    source.write_text(COUNTED, "utf-8")
    code, _, err = run("igf", str(source), "--proof", str(path), "--as", form)
    assert (code, err) == (0, "")
    text = path.read_text("utf-8")
    assert "-- Taken for granted: facts about numbers" in text
    assert "[number-fact1 :nonexec]" in text
    assert run("run", "--expect", "true", str(path))[0] == 0
    if form == "citp":
        done = subprocess.run(["cafeobj", "-q", "-batch", path], capture_output=True, text=True, check=False)
        assert done.stdout.count(CLOSED) == text.count(":goal {")


@pytest.mark.parametrize("form", ["citp", "cimpa"])
def test_scripts_become_scores_that_leave_nothing_out(form: str, tmp_path: Path) -> None:
    """A goal that a fact about numbers closes keeps it as a premise; of many premises one is kept."""
    source, path, back = (tmp_path / name for name in ("counted.cafe", "script.cafe", "score.cafe"))
    source.write_text(COUNTED, "utf-8")
    assert run("igf", str(source), "--proof", str(path), "--as", form)[0] == 0
    assert run("convert", str(path), "--as", "score", "-o", str(back))[0] == 0
    code, out, _ = run("check", "--score", str(back))
    assert code == 0
    assert "is sound" in out


@pytest.mark.oracle
def test_cafeobj_needs_the_lemmas(tmp_path: Path) -> None:
    path = tmp_path / "script.cafe"
    _, text = written("qlock.cafe", "citp", path)
    weaker = text.replace("lemma1(S:Sys,I:Pid,J:Pid) ==>> ", "")
    assert weaker != text
    path.write_text(weaker, "utf-8")
    done = subprocess.run(["cafeobj", "-q", "-batch", path], capture_output=True, text=True, check=False)
    assert done.stdout.count(CLOSED) < 10
    assert run("run", "--expect", "true", str(path))[0] != 0


@pytest.mark.oracle
def test_transitions_of_a_hidden_sort_become_constructors(tmp_path: Path) -> None:
    path = tmp_path / "script.cafe"
    code, text = written("tas.cafe", "citp", path)
    assert code == 0
    assert "bop enter : Sys Pid -> Sys {constr}\n" in text
    assert "bop pc : Sys Pid -> Label\n" in text
    done = subprocess.run(["cafeobj", "-q", "-batch", path], capture_output=True, text=True, check=False)
    assert done.stdout.count(CLOSED) == text.count(":goal {") == 5


def test_constructors_keep_their_other_attributes() -> None:
    text = """mod* M { *[ Sys ]*  op init : -> Sys  bops go come : Sys -> Sys { memo }  bop at : Sys -> Bool
      eq at(init) = true . eq at(go(S:Sys)) = at(S) . eq at(come(S:Sys)) = true . }"""
    session = Session()
    session.run_text(text)
    ots = recognise(session.library.modules["M"])
    marked = with_constructors(session.declarations[0], [*ots.initials, *(t.operator.symbol for t in ots.transitions)])
    assert "op init : -> Sys {constr}  bops go come : Sys -> Sys { memo constr }  bop at : Sys -> Bool\n" in marked
