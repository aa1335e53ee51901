"""The contract of `otsrw igf` and `otsrw lemmas`: documents, verdicts, files and exit codes."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from html.parser import HTMLParser
from pathlib import Path

import pytest
from commands import document, interruptible, run, spec
from jsonschema import Draft202012Validator
from support import ROOT

from otsrw.syntax.source import Source
from otsrw.traces.formats import read_itf

SCHEMAS = ROOT / "docs" / "schemas"
TAS, TICKET, NSPK, NSLPK, MCS, QLOCK = (
    str(ROOT / "specs" / f"{name}.cafe") for name in ("tas", "ticket", "nspk", "nslpk", "mcs", "qlock")
)

ESCAPED = """
mod! LAB { [Lab] ops a b : -> Lab {constr} eq (a = b) = false . }
mod* M { pr(LAB) *[Sys]* op init : -> Sys bop <script> : Sys -> Lab bop go : Sys -> Sys op a<b : Sys -> Bool
  var S : Sys eq <script>(init) = a . eq <script>(go(S)) = b . eq a<b(S) = (<script>(S) = a) . }
"""
BROKEN = (
    "mod* M { *[Sys]* op init : -> Sys bop o : Sys -> Bool bop t : Sys -> Sys op i : Sys -> Bool eq o(init) = tru . }"
)
EMPTY = "mod! M { [A] }"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.cafe").write_text(BROKEN)
    Path("empty.cafe").write_text(EMPTY)
    Path("escaped.cafe").write_text(ESCAPED)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("igf", TAS), 0),
        (("igf", TICKET, "--depth", "6"), 12),
        (("igf", TICKET, "--depth", "3", "--no-strengthen"), 12),
        (("igf", NSLPK, "--depth", "9", "--timeout", "1"), 3),
        (("igf", MCS, "--depth", "1", "--timeout", "1"), 3),
        (("igf", TAS, "--depth", "-1"), 2),
        (("igf", TAS, "--depth", "two"), 2),
        (("igf", TAS, "--policy", "random"), 2),
        (("igf", TAS, "--jobs", "0"), 2),
        (("igf", TAS, "--inv", "mutexx"), 2),
        (("igf", TAS, "--lemma", "nothing"), 2),
        (("igf", TAS, "--with", "Pid"), 2),
        (("igf", TAS, "--with", "Pidd=2"), 150),
        (("igf", TAS, "--check-with", "cafeobj"), 2),
        (("igf", "broken.cafe", "--check-with", "cafeobj"), 2),
        (("igf", "broken.cafe", "--as", "citp", "--inv", "all"), 2),
        (("igf", "no-such-file.cafe"), 150),
        (("igf", "broken.cafe"), 150),
        (("igf", "empty.cafe"), 150),
        (("lemmas", TAS), 0),
        (("lemmas", TAS, "--inv", "lock-lemma", "--policy", "goal-first"), 0),
        (("lemmas", "escaped.cafe"), 0),
        (("lemmas", TAS, "--inv", "mutexx"), 2),
        (("lemmas", "no-such-file.cafe"), 150),
        (("lemmas", "broken.cafe"), 150),
    ],
    ids=lambda value: " ".join(map(os.path.basename, value)) if isinstance(value, tuple) else str(value),
)
def test_exit_codes_and_documents(words: tuple[str, ...], code: int) -> None:
    found, out, err = run(*words, "--json")
    assert (found, "internal error" in err) == (code, False), err
    if code != 2 or out:
        schema = json.loads((SCHEMAS / f"{words[0]}.schema.json").read_text("utf-8"))
        Draft202012Validator(schema).validate(json.loads(out))
    if code == 150:
        assert re.search(r"^\S+:\d+:\d+: error E\d+: ", err, re.MULTILINE)


# --- what documents say


def test_a_falsified_document_has_the_whole_trace() -> None:
    found = document("igf", TICKET, "--depth", "4", "--no-strengthen")
    assert (found["verdict"], found["states"], found["depth"]) == ("falsified", 20, 4)
    assert found["chain"][0] == "mutex"
    assert len(found["chain"]) == 3
    labels = [state["label"] and state["label"]["transition"] for state in found["trace"]["states"]]
    assert sorted(labels[1:]) == ["enter", "enter", "get", "get", "inc", "inc"]
    last = found["trace"]["states"][-1]["observers"]
    inside = {found["violation"]["I"], found["violation"]["J"]}
    assert inside == {"p1", "p2"}
    assert {pid for pid in inside if last[f"pc({pid})"] == "cs"} == inside
    lemma = next(each for each in found["lemmas"] if each["name"] == found["chain"][-1])
    assert (lemma["parent"], lemma["status"], lemma["kind"]) == (found["chain"][-2], "violated", "necessary")


def test_the_command_of_a_falsified_verdict_finds_the_same() -> None:
    found = document("igf", TICKET, "--depth", "5", "--with", "Pid=2")
    words = found["replay"].split()
    assert words[:2] == ["otsrw", "igf"]
    assert document(*words[1:])["trace"] == found["trace"]


def test_the_replay_command_keeps_how_the_procedure_was_told_to_go_on() -> None:
    choices = ["--no-strengthen", "--policy", "goal-first", "--lemma", "enter-lemma"]
    _, out, _ = run("igf", str(ROOT / "specs" / "ticket.cafe"), "--depth", "6", "--json", *choices)
    assert json.loads(out)["replay"].split()[-5:] == choices


def test_a_verified_document_names_lemmas_and_proof() -> None:
    found = document("igf", TAS, "--proof", "proof.cafe")
    assert (found["verdict"], found["proof"], found["trace"]) == ("verified", "proof.cafe", None)
    assert [lemma["transition"] for lemma in found["lemmas"]] == ["enter"]
    code, out, _ = run("run", "--expect", "true", "--json", "proof.cafe")
    assert code == 0
    assert len(json.loads(out)["commands"]) == found["cases"] + 4  # two labels, two effective conditions


def test_an_unknown_document_says_what_is_open() -> None:
    found = document("igf", MCS, "--depth", "1", "--timeout", "1")
    assert (found["verdict"], found["proof"], found["trace"]) == ("unknown", None, None)
    assert "time" in found["reason"]


def test_two_runs_give_the_same_document() -> None:
    one, other = (document("igf", QLOCK, "--depth", "2") for _ in range(2))
    assert one | {"seconds": 0} == other | {"seconds": 0}


def test_the_verdict_is_the_last_line() -> None:
    assert run("igf", TAS)[1].splitlines()[-1].startswith("verified: mutex ")
    assert run("igf", TICKET, "--depth", "6")[1].splitlines()[-1].startswith("falsified: mutex ")
    assert run("lemmas", TAS)[1].splitlines()[-1].startswith("mutex: 1 necessary lemma")


# --- options


def test_without_strengthening_every_lemma_is_necessary() -> None:
    found = document("igf", QLOCK, "--no-strengthen", "--depth", "2", "--timeout", "5")
    assert {lemma["kind"] for lemma in found["lemmas"]} == {"necessary"}
    assert found["dropped"] == []


def test_a_given_lemma_is_proved_and_used() -> None:
    found = document("igf", TAS, "--lemma", "lock-lemma")
    assert found["verdict"] == "verified"
    assert [(lemma["name"], lemma["kind"], lemma["status"]) for lemma in found["lemmas"]] == [
        ("lock-lemma", "given", "proved")
    ]


@pytest.mark.parametrize("lemma", ["enter-lemma", "inc-lemma"])
def test_a_given_lemma_that_is_false_never_leads_to_verified(lemma: str) -> None:
    found = document("igf", TICKET, "--lemma", lemma, "--depth", "1", "--timeout", "2")
    assert found["verdict"] != "verified"


@pytest.mark.parametrize("policy", ["conditions-first", "goal-first"])
def test_either_policy_gives_the_verdict(policy: str) -> None:
    assert document("igf", TAS, "--policy", policy)["verdict"] == "verified"
    assert document("igf", TICKET, "--policy", policy, "--depth", "4", "--no-strengthen")["verdict"] == "falsified"


# --- files


class _Links(HTMLParser):
    """Tags that are open, and whatever a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br", "hr", "img", "link", "input", "col", "wbr"):
            self.open.append(tag)
        self.fetched += [
            f"{tag} {v}" for k, v in attrs if k in ("src", "href", "action") and not (v or "#").startswith("#")
        ]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize(
    "words",
    [(TAS,), (TICKET, "--depth", "6"), (MCS, "--depth", "1", "--timeout", "1"), ("escaped.cafe", "--depth", "1")],
    ids=["verified", "falsified", "unknown", "names with <"],
)
def test_a_page_is_well_formed_and_self_contained(words: tuple[str, ...]) -> None:
    run("igf", *words, "--html", "page.html")
    text = Path("page.html").read_text("utf-8")
    page = _Links()
    page.feed(text)
    page.close()
    assert page.open == []
    assert page.fetched == []
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org)", text)


def test_a_page_escapes_what_the_specification_says() -> None:
    run("igf", "escaped.cafe", "--depth", "1", "--html", "page.html")
    text = Path("page.html").read_text("utf-8")
    assert "<script>" not in text.lower().replace("<script>\n", "")
    page = _Links()
    page.feed(text)
    assert "<script>" in "".join(page.text)
    assert "a<b" in "".join(page.text)


def test_a_page_of_a_proof_has_its_passages() -> None:
    run("igf", TAS, "--html", "page.html", "--proof", "proof.cafe")
    page = _Links()
    page.feed(Path("page.html").read_text("utf-8"))
    assert "red mutex(init,i,j)" in "".join(page.text).replace(", ", ",")


def test_a_trace_is_written_as_itf() -> None:
    assert run("igf", TICKET, "--depth", "4", "--no-strengthen", "--itf", "trace.itf.json")[0] == 12
    trace = read_itf(Source("trace.itf.json", Path("trace.itf.json").read_text("utf-8")))
    assert len(trace.states) == 7


def test_a_verified_run_writes_no_trace_and_a_falsified_one_no_proof() -> None:
    run("igf", TAS, "--itf", "trace.itf.json")
    run("igf", TICKET, "--depth", "6", "--proof", "proof.cafe")
    assert not Path("trace.itf.json").exists()
    assert not Path("proof.cafe").exists()


@pytest.mark.oracle
def test_cafeobj_checks_the_proof_on_demand() -> None:
    if shutil.which("cafeobj") is None:
        pytest.skip("cafeobj is not installed (Debian: apt-get install cafeobj), so nothing is compared with it")
    code, out, err = run("igf", TAS, "--proof", "proof.cafe", "--check-with", "cafeobj")
    assert (code, "CafeOBJ reduced all" in out + err) == (0, True)


# --- Ctrl-C


@pytest.mark.parametrize("words", [(MCS, "--depth", "1"), (NSLPK, "--depth", "9")], ids=["in induction", "in a search"])
def test_an_interrupt_gives_the_report(words: tuple[str, ...]) -> None:
    with interruptible("-c", _INTERRUPTED, *words) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode in (3, 130), err
    assert "Traceback" not in err
    assert out.splitlines()[-1].startswith("unknown: interrupted")


@pytest.mark.parametrize("file", ["nslpk.cafe", "two-phase-commit.cafe"], ids=["of the first levels", "of all states"])
def test_an_interrupt_in_the_search_before_the_proof_gives_a_report(file: str) -> None:
    with interruptible("-c", _INTERRUPTED_EARLY, spec(file), "--json") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, "Traceback" in err) == (130, False), err
    found = json.loads(out)
    assert (found["verdict"], found["reason"], found["states"]) == ("unknown", "interrupted", 0)


_INTERRUPTED_EARLY = """
import sys, time
from otsrw.application import deciding
from otsrw.cli import main
def slow(*arguments):
    print("begun", flush=True)
    for _ in range(600):
        time.sleep(0.05)
deciding.deepened = slow
sys.argv = ["otsrw", "igf", *sys.argv[1:]]
main.run()
"""

_INTERRUPTED = """
import sys, threading
from otsrw.application import Instantiated
from otsrw.cli import main
begin = Instantiated.decided_in
def told(*arguments):
    threading.Timer(1.0, lambda: print("begun", flush=True)).start()
    return begin(*arguments)
Instantiated.decided_in = told
sys.argv = ["otsrw", "igf", *sys.argv[1:]]
main.run()
"""


def test_all_invariants_have_a_verdict_each() -> None:
    code, out, _ = run("igf", spec("tas.cafe"), "--inv", "all", "-q")
    assert code == 0
    assert [line.split(",")[0] for line in out.splitlines()] == [
        "verified: mutex is an invariant",
        "verified: lock-lemma is an invariant",
    ]
    found = document("igf", spec("tas.cafe"), "--inv", "all")
    assert [(one["invariant"], one["verdict"]) for one in found["results"]] == [
        ("mutex", "verified"),
        ("lock-lemma", "verified"),
    ]
    assert run("igf", spec("tas.cafe"), "--inv", "all", "--proof", "x.cafe")[0] == 2


def test_a_value_that_is_never_computed_ends_with_the_time(tmp_path: Path) -> None:
    file = tmp_path / "grow.cafe"
    file.write_text(
        "mod* PID { [Pid] op k : -> Pid } mod! BAG { pr(PID) [Pid < Bag] op nil : -> Bag {constr}"
        " op _;_ : Bag Bag -> Bag {assoc comm id: nil} eq k ; P:Pid = k ; k ; P:Pid . }"
        " mod* M { pr(BAG) *[Sys]* op init : -> Sys bop bag : Sys -> Bag bop add : Sys Pid -> Sys"
        " op few : Sys -> Bool var S : Sys var I : Pid eq bag(init) = nil . eq bag(add(S,I)) = (I ; k ; bag(S)) ."
        " eq few(S) = not (bag(S) = (k ; k)) . }",
        encoding="utf-8",
    )
    code, _, err = run("igf", str(file), "--timeout", "1")
    assert code == 3
    assert "error E402: the time budget is spent" in err
