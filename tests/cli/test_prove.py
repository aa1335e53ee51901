"""The contract of `otsrw prove`: goals with given lemmas, no search, no entities; input for IPSG as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import document, run, spec
from support import ROOT

from otsrw.proofs import Session

TAS, QLOCK = spec("tas.cafe"), spec("qlock.cafe")

INPUT = """
ipsgopen TAS .
  inv mutex(S:Sys, I:Pid, J:Pid) .
  inv lock-lemma(S:Sys, I:Pid) .
  generate mutex(S:Sys, I:Pid, J:Pid) induction on S:Sys .
close
set-output TAS/scores.cafe .
:save-proof .
eof
load nothing .
"""

COUNTING = """
mod! LAB { [Lab] ops idle busy : -> Lab {constr} eq (idle = busy) = false . }
mod* COUNTING { pr(LAB + NAT) [ Pid ] *[Sys]*
  op init : Nat -> Sys   bop limit : Sys -> Nat   bop lab : Sys Pid -> Lab   bop seen : Sys -> Bool
  bop go : Sys Pid -> Sys
  op known : Sys Pid -> Bool   op never : Sys Pid -> Bool   op helped : Sys Pid -> Bool   op odd : Lab -> Bool
  var S : Sys  vars I J : Pid  var N : Nat  var L : Lab
  eq limit(init(N)) = N .   eq lab(init(N), I) = idle .   eq seen(init(N)) = false .
  eq seen(go(S, I)) = (seen(S) or (lab(S, I) = busy)) .
  eq limit(go(S, I)) = limit(S) .  eq lab(go(S, J), I) = (if I = J then busy else lab(S, I) fi) .
  eq known(S, I) = ((lab(S, I) = idle) or (lab(S, I) = busy)) .
  eq never(S, I) = not (lab(S, I) = busy) .
  eq helped(S, I) = not seen(S) .
  eq odd(L) = true .
}
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("input.cafe").write_text(INPUT, encoding="utf-8")
    Path("counting.cafe").write_text(COUNTING, encoding="utf-8")
    Path("broken.cafe").write_text("mod! M { [S] op a : -> S eq a = b . }", encoding="utf-8")


def verdicts(found: dict[str, Any]) -> dict[str, str]:
    return {goal["name"]: goal["verdict"] for goal in found["goals"]}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((TAS,), 3),
        ((TAS, "--lemma", "lock-lemma"), 0),
        ((TAS, "--lemma", "*"), 0),
        ((TAS, "--inv", "all"), 0),
        ((TAS, "--inv", "mutex", "--inv", "lock-lemma"), 0),
        ((TAS, "input.cafe"), 0),
        ((TAS, "--inv", "mutexx"), 2),
        ((TAS, "--lemma", "nothing"), 2),
        ((TAS, "--check-with", "cafeobj", "--lemma", "*"), 2),
        (("broken.cafe", "--as", "citp"), 2),
        ((TAS, "--timeout", "0.000001"), 3),
        (("counting.cafe", "--inv", "known"), 0),
        (("counting.cafe", "--inv", "known", "--lemma", "odd"), 0),
        (("counting.cafe",), 2),
        (("input.cafe",), 150),
        (("broken.cafe",), 150),
        (("no-such-file.cafe",), 150),
    ],
    ids=lambda value: " ".join(Path(word).name for word in value) if isinstance(value, tuple) else str(value),
)
def test_exit_codes_and_documents(words: tuple[str, ...], code: int) -> None:
    found, out, err = run("prove", *words, "--json")
    assert (found, "internal error" in err) == (code, False), err
    if out:
        document("prove", *words)


def test_goals_and_lemmas_are_proved_together() -> None:
    found = document("prove", TAS, "--lemma", "lock-lemma")
    assert [(goal["name"], goal["kind"], goal["verdict"]) for goal in found["goals"]] == [
        ("mutex", "goal", "verified"),
        ("lock-lemma", "lemma", "verified"),
    ]
    assert "lock-lemma" in found["goals"][0]["uses"]
    assert {claim["status"] for claim in found["rests_on"]} == {"proved"}


def test_a_score_claims_all_goals_that_are_verified_and_no_lemmas() -> None:
    document("prove", TAS, "--inv", "all", "--proof", "score.cafe")
    text = Path("score.cafe").read_text(encoding="utf-8")
    assert "-- mutex, lock-lemma of TAS are invariants" in text and "-- proves: mutex lock-lemma\n" in text
    document("prove", TAS, "--lemma", "*", "--proof", "score.cafe")
    assert "-- proves: mutex\n" in Path("score.cafe").read_text(encoding="utf-8")
    assert run("check", "--score", "score.cafe")[0] == 0


def test_the_input_of_ipsg_is_taken_as_it_is() -> None:
    found = document("prove", TAS, "input.cafe")
    assert found["verdict"] == "verified"
    assert [(goal["name"], goal["kind"]) for goal in found["goals"]] == [("mutex", "goal"), ("lock-lemma", "lemma")]
    assert found["wanted_in"] == "TAS/scores.cafe" and found["proof"] is None


def test_a_file_never_has_a_score_written() -> None:
    run("prove", TAS, "input.cafe")
    assert {path.name for path in Path.cwd().iterdir()} == {"input.cafe", "counting.cafe", "broken.cafe"}


def test_an_initial_state_with_an_argument_needs_no_entities() -> None:
    assert document("prove", "counting.cafe", "--inv", "known")["verdict"] == "verified"


def test_a_goal_that_uses_a_false_lemma_is_not_verified() -> None:
    found = document("prove", "counting.cafe", "--inv", "helped", "--lemma", "never", "--lemma", "known")
    assert found["verdict"] == "unknown"
    assert verdicts(found) == {"helped": "unknown", "never": "unknown", "known": "verified"}
    helped = found["goals"][0]
    assert (helped["uses"], helped["open"], helped["reason"]) == (["never"], [], "closed if never can be proved")


def test_a_false_goal_does_not_keep_another_from_being_verified() -> None:
    found = document("prove", "counting.cafe", "--inv", "never", "--inv", "known", "--proof", "score.cafe")
    assert found["verdict"] == "unknown" and found["proof"] == "score.cafe"
    assert verdicts(found) == {"never": "unknown", "known": "verified"}
    session = Session()
    session.run_file(Path("score.cafe"))
    assert session.outcome.errors == [] and session.outcome.unexpected("true") == []
    assert "never" not in session.outcome.commands[0].term


def test_a_lemma_about_data_is_not_called_proved_unless_it_is() -> None:
    found = document("prove", "counting.cafe", "--inv", "known", "--lemma", "odd")
    (data,) = [goal for goal in found["goals"] if goal["kind"] == "data"]
    assert data["name"] == "odd"
    assert (data["verdict"] == "verified") == (data["reason"] is None)


CLOCK = """mod* TIME { [Time]
  op start : -> Time
  op _<=_ : Time Time -> Bool
  op trans : Time Time Time -> Bool
  vars X Y Z : Time
  eq X <= X = true .
  eq trans(X, Y, Z) = (X <= Y and Y <= Z) implies X <= Z .
}
mod* CLOCK { pr(TIME) *[Sys]*
  op init : -> Sys
  bop now : Sys -> Time
  bop move : Sys Time -> Sys
  ops later never : Sys -> Bool
  var S : Sys  var X : Time
  eq now(init) = start .
  ceq now(move(S, X)) = X if now(S) <= X .
  ceq move(S, X) = S if not (now(S) <= X) .
  eq later(S) = start <= now(S) .
  eq never(S) = now(S) = start .
}
"""


def test_a_lemma_about_data_that_is_not_proved_would_close_cases_and_verifies_nothing() -> None:
    Path("clock.cafe").write_text(CLOCK, encoding="utf-8")
    found = document("prove", "clock.cafe", "--inv", "later", "--lemma", "trans")
    assert verdicts(found) == {"later": "unknown", "trans": "unknown"}
    reasons = [goal["reason"] for goal in found["goals"]]
    assert reasons == [
        "1 open case, the first for move; closed if trans can be proved",
        "structural induction does not prove it",
    ]
    for words in (("later",), ("never", "--lemma", "trans")):
        goal = document("prove", "clock.cafe", "--inv", *words)["goals"][0]
        assert goal["reason"] == "1 open case, the first for move"


def test_an_open_case_is_a_state_a_step_and_a_lemma_to_paste() -> None:
    (goal,) = document("prove", TAS)["goals"]
    first = goal["open"][0]
    assert (first["transition"], first["step"]) == ("enter", "enter(s,j)")
    assert first["state"]["locked(s)"] == "false" and "cs" in first["state"].values()
    assert first["lemma"][0] == "op lemma-1 : Sys Pid Pid -> Bool"


def test_the_lemma_to_paste_is_text_of_the_module() -> None:
    (goal,) = document("prove", TAS)["goals"]
    Path("more.cafe").write_text(_extended_tas("\n".join(goal["open"][0]["lemma"])), encoding="utf-8")
    found = document("prove", "more.cafe", "--inv", "mutex", "--lemma", "lemma-1")
    assert len(found["goals"][0]["open"]) < len(goal["open"])


def test_a_near_lemma_is_named() -> None:
    near = "op odd : Pid -> Bool\n op near : Sys Pid Pid -> Bool\n"
    near += "eq near(S, I, J) = ((pc(S, I) = cs) and (pc(S, J) = rs) and odd(I)) implies locked(S) .\n"
    Path("near.cafe").write_text(_extended_tas(near), encoding="utf-8")
    goal = document("prove", "near.cafe", "--inv", "mutex", "--lemma", "near")["goals"][0]
    assert [[each["name"] for each in case["nearest"]] for case in goal["open"]] == [["near"], ["near"]]
    assert all("not odd(" in " ".join(case["assumptions"]) for case in goal["open"]), "it was used as far as it goes"


def _extended_tas(text: str) -> str:
    tas = Path(TAS).read_text(encoding="utf-8").replace("data/pid", str(ROOT / "specs" / "data" / "pid"))
    place = tas.rindex("}")
    return f"{tas[:place]}{text}\n}}\n"


def test_text_ends_with_the_verdict_and_is_no_wall() -> None:
    code, out, _ = run("prove", TAS)
    lines = out.splitlines()
    assert code == 3 and lines[-1].startswith("unknown: mutex: 2 open cases")
    assert any("Can this state be reached?" in line for line in lines)
    assert len(lines) < 25


def test_jobs_change_nothing() -> None:
    one, two = (document("prove", QLOCK, "--inv", "all", "--jobs", jobs) for jobs in ("1", "2"))
    for name in ("seconds", "work"):
        one.pop(name), two.pop(name)
    assert json.dumps(one) == json.dumps(two)


def test_the_page_folds_its_open_cases() -> None:
    run("prove", TAS, "--html", "page.html", "-q")
    page = Path("page.html").read_text(encoding="utf-8")
    assert page.count("<details") >= 2 and "Can this state be reached?" in page


SLIPS = {
    "generate c-enter(S:Sys, I:Pid) induction on S:Sys .": (12, "E519", "c-enter is no invariant of TAS"),
    "inv locked(S:Sys) .": (7, "E519", "locked is no invariant of TAS"),
    "generate mutex(S:Sys, I:Pid, J:Pid) induction on I:Pid .": (52, "E519", "on the state, and I:Pid is none"),
    "generate mutex(S:Sys, I:Pid, J:Pid) induction on K:Pid .": (52, "E117", "is no variable of mutex"),
    "generate mutexx(S:Sys) induction on S:Sys .": (12, "E111", "unknown operator"),
    "generate mutex(S:Sys, I:Pid) induction on S:Sys .": (12, "E113", "takes 3 arguments"),
    "generate same(I:Pid, J:Pid) induction on I:Pid .": (12, "E519", "same is about data, not about states"),
}


@pytest.mark.parametrize(("line", "expected"), SLIPS.items(), ids=SLIPS)
def test_a_slip_in_input_for_ipsg_is_shown_at_its_place(line: str, expected: tuple[int, str, str]) -> None:
    column, error, message = expected
    more = "mod* MORE { pr(TAS) op same : Pid Pid -> Bool vars I J : Pid eq same(I, J) = (I = J) . }"
    name = "MORE" if "same" in line else "TAS"
    Path("slip.cafe").write_text(f"{more}\nipsgopen {name} .\n  {line}\nclose\n", encoding="utf-8")
    code, _, err = run("prove", TAS, "slip.cafe", *(() if "generate" in line else ("--inv", "mutex")))
    assert code in (2, 150)
    head, shown, caret, *_ = err.splitlines()
    assert head.startswith(f"slip.cafe:3:{column}: error {error}: ") and message in head
    assert line in shown and "^" in caret
