"""The contract of `otsrw ots`, `translate` and `search`, as a script sees it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import checked, document, interrupted_search, run, spec
from support import ROOT

SCHEMAS = ROOT / "docs" / "schemas"
TICKET = str(ROOT / "specs" / "ticket.cafe")
NSPK = str(ROOT / "specs" / "nspk.cafe")

ENDLESS = """
mod* M { pr(NAT) *[Sys]* op init : -> Sys bop n : Sys -> Nat bop t : Sys -> Sys op f : Nat -> Nat op i : Sys -> Bool
  var S : Sys var N : Nat eq f(N) = f(N + 1) . eq n(init) = 0 . eq n(t(S)) = f(n(S)) . eq i(S) = n(S) < 5 . }
"""


def test_rewrites_are_limited(tmp_path: Path) -> None:
    text = "mod* M { pr(NAT) *[Sys]* op init : -> Sys bop n : Sys -> Nat bop t : Sys -> Sys op f : Nat -> Nat"
    text += " op i : Sys -> Bool var S : Sys var N : Nat eq f(0) = 0 . ceq f(N) = f(p N) if N > 0 ."
    text += " eq n(init) = 0 . eq n(t(S)) = f(900) . eq i(S) = n(S) < 5 . }"
    path = tmp_path / "t.cafe"
    path.write_text(text)
    assert run("search", str(path), "--inv", "i")[0] == 0
    code, _, told = run("search", str(path), "--inv", "i", "--max-rewrites", "500")
    assert code == 3 and "E401" in told and "500 rewrites" in told


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("ots", TICKET), 0),
        (("translate", TICKET), 0),
        (("search", TICKET, "--depth", "5"), 0),
        (("search", TICKET, "--depth", "6"), 12),
        (("search", TICKET, "--depth", "0"), 0),
        (("search", TICKET, "--depth", "-1"), 2),
        (("search", TICKET, "--inv", "mutexx"), 2),
        (("search", TICKET, "--with", "Pid"), 2),
        (("search", TICKET, "--with", "Pid=0"), 2),
        (("search", TICKET, "--with", "Pidd=2"), 150),
        (("search", TICKET, "--module", "NONE"), 150),
        (("search", "no-such-file.cafe"), 150),
        (("search", str(ROOT / "specs" / "data" / "pid.cafe")), 150),
        (("search", NSPK, "--inv", "send2-lemma", "--depth", "9", "--timeout", "2"), 3),
        (("search", NSPK, "--inv", "send2-lemma", "--depth", "9", "--memory", "60"), 3),
    ],
    ids=lambda value: " ".join(map(os.path.basename, value)) if isinstance(value, tuple) else str(value),
)
def test_exit_codes_and_documents(words: tuple[str, ...], code: int) -> None:
    began = time.monotonic()
    found, out, err = run(*words, "--json")
    assert (found, "internal error" in err) == (code, False), err
    assert time.monotonic() - began < 8
    if code != 2 or out:
        checked(words[0], out)


def test_a_violation_is_told_with_its_trace_and_the_command_to_see_it_again() -> None:
    code, out, _ = run("search", TICKET, "--json", "--with", "Pid=a,b", "--depth", "9")
    found = checked("search", out)
    assert (code, found["verdict"], found["depth"], len(found["trace"]["states"])) == (12, "violated", 6, 7)
    assert found["levels"] == [1, 3, 6, 12, 20, 28]
    assert found["replay"] == f"otsrw search {TICKET} --inv mutex --depth 6 --with Pid=a,b"


def test_growing_instances_end_with_the_first_that_is_violated() -> None:
    code, out, _ = run("search", TICKET, "--json", "--with", "Pid=1..3", "--depth", "8")
    found = checked("search", out)
    assert code == 12
    assert [(len(i["entities"]["Pid"]), i["verdict"]) for i in found["instances"]] == [(1, "holds"), (2, "violated")]


LOCK = """mod* WHO { [Who] }
mod* LOCK { pr(WHO)
  *[Sys]*
  op init : -> Sys
  bop owner : Sys Who -> Bool
  bop free : Sys -> Bool
  bop take : Sys Who -> Sys
  op one : Sys Who Who -> Bool
  var S : Sys  vars I J : Who
  eq owner(init, I) = false .
  eq free(init) = true .
  eq owner(take(S, J), I) = (if I = J and free(S) then true else owner(S, I) fi) .
  eq free(take(S, J)) = false .
  eq one(S, I, J) = (owner(S, I) and owner(S, J)) implies I = J .
}
"""


def test_enough_entities_make_a_verdict_for_any_number() -> None:
    found = document("search", TICKET, "--depth", "4", "--with", "Pid=enough")
    assert found["entities"] == {"Pid": ["p1", "p2", "p3", "p4", "p5", "p6"]}
    expected = {"holds": True, "depth": 4, "enough": {"Pid": 6}, "obstacles": [], "doubt": None}
    assert found["any_number"] == expected
    assert (
        "within 4 steps, for any number of Pid (the bound"
        in run("search", TICKET, "--depth", "4", "--with", "Pid=6")[1]
    )


def test_fewer_entities_make_a_verdict_for_their_instance_alone() -> None:
    out = run("search", TICKET, "--depth", "4", "--with", "Pid=5")[1].splitlines()
    assert out[-2] == "enough entities for depth 4: Pid 6"
    assert "any number" not in out[-1]


def test_where_all_states_were_searched_the_depth_that_was_asked_for_counts(tmp_path: Path) -> None:
    """One step is all that can happen; for larger numbers of entities, that is known within the depth only."""
    file = tmp_path / "lock.cafe"
    file.write_text(LOCK)
    few = run("search", str(file), "--depth", "3", "--with", "Who=3")[1].splitlines()
    assert few[-2] == "enough entities for depth 3: Who 5"
    assert "any number" not in few[-1]
    said = "reachable state of this instance (exhausted), and within 3 steps for any number of Who; 6 states"
    assert said in run("search", str(file), "--depth", "3", "--with", "Who=enough")[1]


def test_ots_says_how_many_are_enough_where_none_are_given(tmp_path: Path) -> None:
    file = tmp_path / "lock.cafe"
    file.write_text(LOCK)
    assert "enough entities for k steps: Who 2 + k" in run("ots", str(file))[1]
    file.write_text(LOCK.replace("[Who]", "[Who] op boss : Who -> Who"))
    said = "known to be enough: boss makes other elements of Who (line 1)"
    assert said in run("ots", str(file))[1]
    assert (
        "behave differently: boss makes other elements of Who (line 1)"
        in run("search", str(file), "--with", "Who=2")[1]
    )


def test_a_violation_says_nothing_of_other_numbers() -> None:
    assert document("search", TICKET, "--depth", "6")["any_number"] is None


def test_ots_says_how_many_entities_are_enough() -> None:
    assert "enough entities for k steps: Prin 1 + 2k" in run("ots", NSPK)[1]
    assert document("ots", NSPK)["enough"] == {"sorts": {"Prin": {"constant": 1, "per_step": 2}}, "obstacles": []}


def test_enough_is_refused_where_no_number_is() -> None:
    fixed = str(ROOT / "specs" / "two-phase-commit.cafe")
    code, _, err = run("search", fixed, "--with", "Pid=enough")
    assert (code, "Pid has the elements of the specification" in err) == (2, True)
    code, _, err = run("simulate", TICKET, "--with", "Pid=enough")
    assert (code, "known to search and igf alone" in err) == (2, True)


def test_the_verdict_is_the_last_line() -> None:
    _, out, _ = run("search", TICKET, "--depth", "5")
    assert out.splitlines()[-1].startswith("holds: no violation of mutex within 5 steps (the bound was reached)")
    _, out, _ = run("search", str(ROOT / "specs" / "tas.cafe"), "--depth", "5")
    assert out.splitlines()[-1].startswith("holds: mutex is true in every reachable state of this instance (exhausted)")
    _, out, _ = run("search", TICKET, "--depth", "7")
    assert out.splitlines()[-1].startswith("violated: mutex is false after 6 steps for I = p1, J = p2")


def test_standard_input_is_read() -> None:
    code, out, _ = run("ots", "-", "--json", stdin=ENDLESS)
    assert (code, checked("ots", out)["module"]) == (0, "M")


def test_a_translation_is_loaded_by_maude_without_a_word(tmp_path: Path) -> None:
    file = tmp_path / "ticket.maude"
    assert run("translate", TICKET, "-o", str(file))[0] == 0
    script = f"import maude; maude.init(advise=False); print(maude.load({str(file)!r}))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (loaded.stdout, loaded.stderr) == ("True\n", "")


def test_an_equation_that_does_not_terminate_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otsrw.ots.instance.MAX_REWRITES", 100_000)
    code, out, err = run("search", "-", "--json", "--timeout", "5", stdin=ENDLESS)
    assert code in (3, 75), err
    checked("search", out)


def test_without_maude_the_message_says_what_to_install() -> None:
    without = "import sys; sys.modules['maude'] = None; from otsrw.cli.main import run; run()"
    found = subprocess.run(
        [sys.executable, "-c", without, "search", TICKET], capture_output=True, text=True, check=False
    )
    assert found.returncode == 2
    assert "E530" in found.stderr and "pip install maude" in found.stderr


def test_ctrl_c_ends_with_what_is_known() -> None:
    code, out, err = interrupted_search(NSPK, "--inv", "send2-lemma", "--depth", "9")
    assert code == 130, err
    assert out.splitlines()[-1].startswith("unknown: interrupted; seen so far: depth ")


@pytest.mark.parametrize("means", [(), ("--jobs", "2"), ("--compact", "--jobs", "2")], ids=" ".join)
def test_ctrl_c_ends_the_document_with_what_is_known(means: tuple[str, ...]) -> None:
    code, out, err = interrupted_search(NSPK, "--inv", "send2-lemma", "--depth", "6", "--json", *means)
    assert code == 130, err
    found = checked("search", out)
    assert (found["verdict"], found["reason"]) == ("unknown", "interrupted")
    assert found["states"] > 0


def test_a_trace_shows_what_came_into_a_collection_and_what_went() -> None:
    _, out, _ = run("search", NSPK, "--depth", "4")
    assert "nw + enc3(intr,n(p2,p1,next(seed)))" in out
    assert "send2(p2, p1, n(p1,intr,seed)) " in out, "the rest of the network is no news"
    _, out, _ = run("search", NSPK, "--depth", "4", "--full")
    assert "nw + " not in out


def test_all_invariants_of_several_files_have_a_verdict_each() -> None:
    code, out, _ = run("search", spec("ticket.cafe"), spec("tas.cafe"), "--inv", "all", "--depth", "5", "-q")
    assert code == 12
    assert [line.split(";")[0].split(" for I")[0] for line in out.splitlines() if not line.startswith("again: ")] == [
        "holds: no violation of mutex within 5 steps (the bound was reached)",
        "violated: enter-lemma is false after 5 steps",
        "violated: inc-lemma is false after 4 steps",
        "violated: wait-lemma is false after 4 steps",
        "holds: mutex is true in every reachable state of this instance (exhausted)",
        "holds: lock-lemma is true in every reachable state of this instance (exhausted)",
    ]


def test_the_document_of_several_searches() -> None:
    found = document("search", spec("qlock.cafe"), spec("tas.cafe"))
    assert [(Path(one["file"]).name, one["invariant"], one["verdict"]) for one in found["results"]] == [
        ("qlock.cafe", "mutex", "holds"),
        ("tas.cafe", "mutex", "holds"),
    ]


def test_a_page_is_for_one_question(tmp_path: Path) -> None:
    code, _, err = run("search", spec("tas.cafe"), "--inv", "all", "--html", str(tmp_path / "x.html"))
    assert code == 2
    assert "--html is for one file and one invariant" in err
