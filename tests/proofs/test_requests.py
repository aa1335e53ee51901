"""The commands of IPSG: a session reads what is to be proved, and writes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import error_codes, events_of, run, told

from otsrw.proofs import Session
from otsrw.proofs.requests import ProofWanted, ScoreWanted

LIGHT = """mod! LIGHT {
  [State]  ops on off : -> State {constr}
  pred lit : State
  pred like : State State
  vars X Y : State
  eq lit(on) = true .  eq lit(off) = false .
  eq like(X, Y) = (lit(X) = lit(Y)) .
}
"""

INPUT = """ipsgopen LIGHT .
  inv lit(X:State) .
  generate like(X:State,
    Y:State) induction on X:State .
  :enableCsFirst(20) .
close
set-output LIGHT/scores.cafe .
:save-proof .
eof
what stands here is no CafeOBJ
"""


def wanted(text: str) -> list[tuple[str, str, bool]]:
    events = [event for event in events_of(text) if isinstance(event, ProofWanted)]
    return [(event.module.name, event.predicate.op.name, event.is_goal) for event in events]


def test_what_is_to_be_proved_is_told() -> None:
    assert wanted(LIGHT + INPUT) == [("LIGHT", "lit", False), ("LIGHT", "like", True)]


def test_where_the_score_is_wanted_is_told_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (saved,) = [event for event in events_of(LIGHT + INPUT) if isinstance(event, ScoreWanted)]
    assert saved.path == "LIGHT/scores.cafe"
    assert list(tmp_path.iterdir()) == []


def test_a_run_says_which_command_proves() -> None:
    lines = told(LIGHT + INPUT)
    assert lines == [
        "-- like is to be proved: 'otsrw prove' does it",
        "-- the proof score is wanted in LIGHT/scores.cafe: 'otsrw prove --proof F' writes it",
    ]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("ipsgopen LIGHT .\n inv lit(on) .\nclose", ["E117"]),
        ("ipsgopen LIGHT .\n inv like(X:State, X:State) .\nclose", ["E117"]),
        ("ipsgopen LIGHT .\n generate dark(X:State) induction on X:State .\nclose", ["E111"]),
        ("ipsgopen DARK .\n inv lit(X:State) .\nclose", ["E301"]),
        ("ipsgopen\n", ["E101"]),
        ("set-output .", ["E101"]),
        ("inv lit(X:State) .", ["E306"]),
        ("ipsgopen LIGHT .\n inv lit(X:State)\nclose", ["E102"]),
        ("ipsgopen LIGHT .\n inv lit(X:State)\n generate lit(X:State) induction on X:State .\nclose", ["E102"]),
        ("ipsgopen LIGHT .\n generate lit(X:State) induction on Y:State .\nclose", ["E117"]),
        ("ipsgopen LIGHT .\n generate lit(X:State) induction on .\nclose", ["E117"]),
        ("ipsgopen LIGHT .\n generate lit(X:State) induction on X .\nclose", []),
        ("ipsgopen LIGHT .\n generate lit(X:State) .\nclose", []),
    ],
)
def test_what_is_wrong_is_said(text: str, codes: list[str]) -> None:
    assert error_codes(LIGHT + text) == codes


def test_inv_and_generate_are_names_elsewhere() -> None:
    text = "mod! M { [S] op inv : -> S op generate : S -> S {constr} var X : S eq generate(X) = X . }"
    outcome = run(text + "red in M : generate(inv) .")
    assert [answer.result for answer in outcome.commands] == ["inv"]


def test_a_file_names_others_from_the_root_of_its_repository(tmp_path: Path) -> None:
    folder = tmp_path / "LIGHT" / "deep"
    folder.mkdir(parents=True)
    folder.joinpath("light.cafe").write_text(LIGHT, encoding="utf-8")
    folder.joinpath("input.cafe").write_text("load LIGHT/deep/light.cafe .\n" + INPUT, encoding="utf-8")
    session = Session()
    session.run_file(folder / "input.cafe")
    assert session.outcome.errors == []
    assert "LIGHT" in session.library.modules
