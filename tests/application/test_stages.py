"""The stages of a specification: the same answers for the command line and for Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import checked, run
from support import ROOT

from otsrw.application import LoadFailed, load_specification
from otsrw.application.specification import Specification
from otsrw.induction import Options
from otsrw.syntax.diagnostics import OtsrwError

TAS = str(ROOT / "specs" / "tas.cafe")

TWO = """
mod* ONE {
  *[Sys]*
  op init : -> Sys .   bop up : Sys -> Bool .   bop rise : Sys -> Sys .
  op low : Sys -> Bool
  var S : Sys
  eq up(init) = false .   eq up(rise(S)) = true .   eq low(S) = not up(S) .
}
mod* OTHER {
  *[State]*
  op start : -> State .   bop on : State -> Bool .   bop press : State -> State .
  op dark : State -> Bool
  var S : State
  eq on(start) = false .   eq on(press(S)) = not on(S) .   eq dark(S) = not on(S) .
}
"""


@pytest.fixture
def two(tmp_path: Path) -> str:
    """A file with two OTSs."""
    file = tmp_path / "two.cafe"
    file.write_text(TWO)
    return str(file)


@pytest.mark.parametrize("invariant", ["low", "dark"])
def test_the_invariant_says_which_of_two_systems_is_meant(two: str, invariant: str) -> None:
    code, out, _ = run("search", two, "--inv", invariant, "--json")
    found = Specification(two).search(invariant)
    assert (code, checked("search", out)["verdict"], found.verdict) == (12, "violated", "violated")
    assert checked("search", out)["states"] == found.states


def test_without_an_invariant_the_last_system_is_meant(two: str) -> None:
    assert Specification(two).invariants == ("dark",)
    assert Specification(two, module="ONE").invariants == ("low",)


def test_every_stage_leads_to_the_next() -> None:
    recognised = load_specification(TAS).recognised()
    instantiated = recognised.instantiated(["Pid=2"])
    explored = instantiated.explored(instantiated.invariant("mutex"))
    decided = instantiated.decided("mutex", Options())
    assert recognised.ots.name == "TAS"
    assert explored.left_out is None and explored.graph.lts.states == 3
    assert decided.result.verdict == "verified" and decided.score is not None


@pytest.mark.parametrize(("depth", "advice"), [(None, "give --depth,"), (5, "give a smaller --depth")])
def test_a_graph_that_is_not_whole_says_so(depth: int | None, advice: str) -> None:
    explored = load_specification(TAS).recognised().instantiated().explored(depth=depth, max_states=2)
    assert explored.left_out is not None and explored.left_out.code == "W531"
    assert advice in (explored.left_out.hint or "")


def test_all_errors_of_a_file_are_given(tmp_path: Path) -> None:
    file = tmp_path / "bad.cafe"
    file.write_text("mod! M { [S] op a : -> T }\nmod! N { pr(NOWHERE) }\n")
    with pytest.raises(LoadFailed) as caught:
        load_specification(str(file))
    assert [problem.span.line for problem in caught.value.all_problems()] == [1, 2]
    assert isinstance(caught.value, OtsrwError) and caught.value.problem.span.line == 1


def test_quit_ends_the_loading_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "quit.cafe"
    file.write_text(f"in {TAS}\nquit\nmod! TAS {{ nonsense }}\n")
    assert Specification(str(file)).invariants == ("mutex", "lock-lemma")
