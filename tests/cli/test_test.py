"""`otsrw test`: every expectation of a project is compared, and only what has changed is run again if one likes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import checked, document, interruptible, run, spec
from support import ROOT

from otsrw.cli.watching import run_on_change

TAS = (ROOT / "specs" / "tas.cafe").read_text("utf-8").replace("-- @ expect", "-- expect")
FLAWED = (ROOT / "specs" / "tas-flawed.cafe").read_text("utf-8")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two files with what they load."""
    (tmp_path / "data").mkdir()
    for name in ("pid", "pnat"):
        shutil.copy(ROOT / "specs" / "data" / f"{name}.cafe", tmp_path / "data")
    (tmp_path / "tas.cafe").write_text(TAS + "\n-- @ expect mutex verified\n-- @ expect all holds 5\n")
    (tmp_path / "flawed.cafe").write_text(FLAWED)
    (tmp_path / "otsrw.toml").write_text(
        '[[test]]\nfile = "flawed.cafe"\nwith = {Pid = 2}\nfalsified = {mutex = 4}\nstates = [1, 3, 6]\n'
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verdicts(found: Any) -> list[tuple[str, str | None, str, str, bool]]:
    keys = ("file", "invariant", "expected", "verdict", "passed")
    return [tuple(result[key] for key in keys) for result in found["results"]]


def test_files_and_the_project_file_are_compared(project: Path) -> None:
    assert verdicts(document("test")) == [
        ("flawed.cafe", "mutex", "falsified 4", "falsified 4", True),
        ("flawed.cafe", None, "states 1 3 6", "states 1 3 6", True),
        ("tas.cafe", "mutex", "verified", "verified", True),
        ("tas.cafe", "mutex", "holds 5", "holds 5", True),
        ("tas.cafe", "lock-lemma", "holds 5", "holds 5", True),
    ]


def test_a_difference_is_named_and_is_the_exit_code(project: Path) -> None:
    text = (project / "otsrw.toml").read_text()
    (project / "otsrw.toml").write_text(text.replace("mutex = 4", "mutex = 3").replace("[1, 3, 6]", "[1, 3, 5]"))
    code, out, _ = run("test", "-q")
    assert code == 12
    assert out.splitlines()[:-1] == [
        "flawed.cafe: mutex with Pid=2: expected falsified 3, but holds 3",
        "flawed.cafe with Pid=2: expected states 1 3 5, but states 1 3 6",
    ]
    assert out.splitlines()[-1].startswith("2 of 5 expectations failed; 2 files, ")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("expect = 'falsified'\ninvariants = ['mutex']", "falsified 4"),
        ("expect = 'verified'\ninvariants = ['mutex']", "falsified 4"),
        ("holds = ['mutex']\ndepth = 6", "falsified 4"),
        ("expect = 'falsified 6'\ninvariants = ['mutex']", "falsified 4"),
        ("verified = ['mutx']", "error E519"),
        ("verified = ['mutex']\nwith = {Pidd = 2}", "error E502"),
        ("exhausted = true\ndepth = 2", "not exhausted"),
    ],
)
def test_what_comes_out_is_told(project: Path, text: str, verdict: str) -> None:
    (project / "otsrw.toml").write_text(f"[[test]]\nfile = 'flawed.cafe'\n{text}\n")
    found = document("test", "otsrw.toml")
    assert [result["verdict"] for result in found["results"]] == [verdict]
    assert found["failed"] == (0 if "'falsified'" in text else 1)


def test_a_broken_file_is_a_failure_and_the_others_are_run(project: Path) -> None:
    (project / "flawed.cafe").write_text("mod! X {")
    code, out, _ = run("test", "--json")
    found = checked("test", out)
    assert (code, found["passed"], found["failed"]) == (12, 3, 1)
    assert found["results"][0]["verdict"] == "error E104"
    assert found["results"][0]["reason"].startswith("flawed.cafe:1:")


def test_a_file_is_tested_with_what_the_project_says_of_it(project: Path) -> None:
    assert [row[0] for row in verdicts(document("test", "flawed.cafe"))] == ["flawed.cafe"] * 2
    assert len(document("test", "tas.cafe")["results"]) == 3


def test_a_proof_needs_no_entities(project: Path) -> None:
    text = (
        (project / "tas.cafe")
        .read_text()
        .replace("-- @ with Pid", "-- with Pid")
        .replace("-- @ expect all holds 5", "")
    )
    (project / "tas.cafe").write_text(text)
    assert verdicts(document("test", "tas.cafe")) == [("tas.cafe", "mutex", "verified", "verified", True)]


def test_the_time_of_a_question_is_limited(project: Path) -> None:
    endless = (ROOT / "specs" / "ticket-atomic.cafe").read_text()
    (project / "endless.cafe").write_text(endless + "\n-- @ expect mutex holds 100000\n")
    found = document("test", "endless.cafe", "--timeout", "0.5")
    assert found["failed"] == 1
    assert {result["verdict"] for result in found["results"]} <= {"unknown", "error E402"}


def test_several_jobs_give_the_same(project: Path) -> None:
    assert verdicts(document("test", "--jobs", "2")) == verdicts(document("test"))


@pytest.mark.parametrize("touched", ["tas.cafe", "data/pid.cafe", "otsrw.toml"])
def test_only_what_has_changed_is_run_again(project: Path, touched: str) -> None:
    assert document("test", "--changed")["unchanged"] == 0
    assert document("test", "--changed")["unchanged"] == 5
    (project / "flawed.cafe").touch()
    assert document("test", "--changed")["unchanged"] == 5, "the content counts"
    with (project / touched).open("a") as file:
        file.write("\n-- more\n" if touched.endswith(".cafe") else "exhausted = false\n")
    again = document("test", "--changed")
    left = {"tas.cafe": {"flawed.cafe"}, "data/pid.cafe": set(), "otsrw.toml": {"tas.cafe"}}[touched]
    assert {result["file"] for result in again["results"] if result["unchanged"]} == left
    assert again["failed"] == 0


def test_a_plain_run_is_remembered_too(project: Path) -> None:
    assert document("test")["unchanged"] == 0
    assert document("test")["unchanged"] == 0, "without --changed everything is run"
    assert document("test", "--changed")["unchanged"] == 5


def test_a_system_that_says_little_is_told_although_it_is_as_expected(project: Path) -> None:
    stuck = TAS.replace(
        "eq c-leave(S, J) = (pc(S, J) = cs) .", "eq c-leave(S, J) = (pc(S, J) = cs) and not locked(S) ."
    )
    assert stuck != TAS
    (project / "otsrw.toml").unlink()
    (project / "flawed.cafe").unlink()
    (project / "tas.cafe").write_text(stuck + "\n-- @ expect mutex verified\n")
    told = "tas.cafe: mutex: a deadlock can be reached; leave can never happen"
    for options in ((), ("--changed",)):
        code, out, _ = run("test", *options, "--junit", "out.xml")
        assert code == 0 and told in out.splitlines()
        said = ElementTree.parse("out.xml").getroot().find("testsuite/testcase/system-out")
        assert said is not None and said.text == told
        (result,) = document("test", *options)["results"]
        assert result["doubts"] == ["a deadlock can be reached", "leave can never happen"]
    assert told not in run("test", "-q")[1]


def test_a_file_that_hides_a_loaded_one_is_a_change(project: Path) -> None:
    (project / "sub").mkdir()
    shutil.move(project / "tas.cafe", project / "sub" / "tas.cafe")
    run("test", "--changed", "sub")
    assert document("test", "--changed", "sub")["unchanged"] == 3
    (project / "sub" / "data").mkdir()
    shutil.copy(project / "data" / "pid.cafe", project / "sub" / "data" / "pid.cafe")
    assert document("test", "--changed", "sub")["unchanged"] == 0


def test_what_failed_is_run_again(project: Path) -> None:
    (project / "otsrw.toml").write_text("[[test]]\nfile = 'flawed.cafe'\nholds = ['mutex']\ndepth = 6\n")
    run("test", "--changed")
    found = document("test", "--changed")
    assert (found["unchanged"], found["failed"]) == (3, 1)


def test_a_broken_memory_is_forgotten(project: Path) -> None:
    run("test", "--changed")
    (project / ".otsrw_cache" / "tests.json").write_text('{"x": 1, "y": [')
    assert document("test", "--changed")["unchanged"] == 0


def test_junit(project: Path) -> None:
    (project / "otsrw.toml").write_text("[[test]]\nfile = 'flawed.cafe'\nholds = ['mutex']\ndepth = 6\n")
    assert run("test", "--junit", "out.xml")[0] == 12
    root = ElementTree.parse("out.xml").getroot()
    assert (root.attrib["tests"], root.attrib["failures"]) == ("4", "1")
    assert [suite.attrib["name"] for suite in root] == ["flawed.cafe", "tas.cafe"]
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None and "expected holds 6, but falsified 4" in failure.attrib["message"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[test]\n", "otsrw.toml:1:7: error E540: this is no TOML"),
        ("[tests]\n", "otsrw.toml:1:2: error E540: 'tests' means nothing here"),
        ("[[test]]\nfile = 'tas.cafe'\nexpcet = 'verified'\n", "otsrw.toml:3:1: error E540: 'expcet' means nothing"),
        ("[[test]]\nexpect = 'verified'\n", "otsrw.toml:1:3: error E540: a case needs 'file' or 'files'"),
        ("[[test]]\nfile = 'nowhere.cafe'\n", "otsrw.toml:2:1: error E540: there is no file 'nowhere.cafe'"),
        ("[[test]]\nfile = 'tas.cafe'\nexpect = 'proved'\n", "otsrw.toml:3:1: error E540: 'proved' is no verdict"),
        ("[[test]]\nfile = 'tas.cafe'\nholds = ['mutex']\n", "otsrw.toml:3:1: error E540: 'holds' needs a depth"),
        ("[[test]]\nfile = 'tas.cafe'\nwith = {Pid = -1}\n", "otsrw.toml:3:1: error E540: the entities of Pid are"),
        ("[[test]]\nfile = 3\n", "otsrw.toml:2:1: error E540: 'file' is a text"),
        ("[[test]]\nfile = 'tas.cafe'\nbudget = {second = 3}\n", "otsrw.toml:3:1: error E540: a budget is a table"),
    ],
)
def test_a_bad_project_file(project: Path, text: str, message: str) -> None:
    (project / "otsrw.toml").write_text(text)
    code, _, err = run("test")
    assert code == 150
    assert err.startswith(message)


def test_nothing_expected(tmp_path: Path) -> None:
    (tmp_path / "tas.cafe").write_text(TAS)
    code, _, err = run("test", str(tmp_path))
    assert code == 2
    assert "nothing is expected in " in err and "-- @ expect NAME verified" in err


def test_a_hint_that_cannot_be_read_is_shown(project: Path) -> None:
    (project / "tas.cafe").write_text(TAS + "\n-- @ expect mutex proved\n")
    code, _, err = run("test", "tas.cafe")
    assert code == 150
    assert "error E501: this hint is not understood: 'expect mutex proved'" in err


def test_no_such_file() -> None:
    code, _, err = run("test", "nowhere.cafe")
    assert (code, "no such file or folder" in err) == (150, True)


def test_the_case_studies_are_a_project() -> None:
    found = document("test", spec("tas.cafe"), spec("ticket.cafe"), spec("sanitary-agency.cafe"))
    assert found["failed"] == 0
    assert len(found["results"]) > 10


def test_watching_runs_again_when_a_file_changes(tmp_path: Path) -> None:
    file, loaded = tmp_path / "a.cafe", tmp_path / "b.txt"
    file.write_text("1")
    loaded.write_text("1")
    runs: list[int] = []
    changes = [file, loaded, tmp_path / "c.cafe"]

    def wait() -> None:
        if len(runs) > len(changes):
            raise KeyboardInterrupt
        changes[len(runs) - 1].write_text("more")

    def once() -> set[str]:
        runs.append(1)
        return {str(loaded)}

    run_on_change([str(tmp_path)], (".cafe",), once, wait)
    assert len(runs) == 4


def test_watch_from_the_command_line(project: Path) -> None:
    with interruptible("-u", "-m", "otsrw", "test", "tas.cafe", "--watch", "-q") as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith("all as expected: 3 expectations")
        assert process.stderr.readline().startswith("watching")
        (project / "tas.cafe").write_text(TAS + "\n-- @ expect mutex holds 3\n")
        assert process.stdout.readline().startswith("all as expected: 1 expectation;")
        process.send_signal(2)
        assert process.wait(20) == 0
