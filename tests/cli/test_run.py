"""The contract of `otsrw run`: documents, verdicts, streams and exit codes, as a script sees them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from commands import interruptible
from jsonschema import Draft202012Validator

from otsrw import __version__
from otsrw.cli.main import main

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "schemas" / "run.schema.json").read_text("utf-8"))

SPEC = """\
mod! A { pr(NAT) [ S ] ops a b c : -> S .
  eq a = b .
  eq b = c .
  op f : Nat -> Nat .
  eq f(N:Nat) = f(N + 1) .
}
"""
PROVED = SPEC + "red in A : true .\nopen A .\nred a = c .\nclose\n"
STUCK = SPEC + "red in A : true .\nred in A : a .\nparse in A : b .\n"
BROKEN = SPEC + "red in A : zz .\nred in A : a .\n"
ILL_SORTED = "mod! A { [ S ] op a : -> T . }\n"
ENDLESS = SPEC + "red in A : a .\nred in A : f(0) .\n"
CIRCULAR = "mod! A { [ S ] ops a b : -> S . eq a = b . eq b = a . }\nred in A : a .\n"
WARNED = SPEC + "mod! A { [ S ] ops a b : -> S . }\nred in A : a .\n"
EMPTY = ""


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def verdict(self) -> str:
        return self.out.splitlines()[-1]

    def document(self) -> Any:
        found = json.loads(self.out)
        Draft202012Validator(SCHEMA).validate(found)
        return found


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)


def write(name: str, text: str) -> str:
    Path(name).write_text(text, "utf-8")
    return name


def otsrw(*arguments: str, stdin: str = "") -> Ran:
    command = [sys.executable, "-m", "otsrw", *arguments]
    done = subprocess.run(command, input=stdin.encode(), capture_output=True, timeout=60, check=False)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def run(text: str, *options: str) -> Ran:
    """`otsrw run t.cafe`, in this process: starting Python for every case would take longer than the case."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["run", *options, write("t.cafe", text)])
    return Ran(code, out.getvalue(), err.getvalue())


def without_seconds(text: str) -> str:
    text = re.sub(r'"seconds": [0-9.e-]+', '"seconds": _', text)
    text = re.sub(r"\([0-9.]+ sec for", "(_ sec for", text)
    return re.sub(r", [0-9.]+ s$", ", _ s", text, flags=re.MULTILINE)


# --- the document


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(PROVED, id="proved"),
        pytest.param(STUCK, id="stuck"),
        pytest.param(BROKEN, id="broken"),
        pytest.param(ILL_SORTED, id="ill-sorted"),
        pytest.param(CIRCULAR, id="circular"),
        pytest.param(WARNED, id="warned"),
        pytest.param(EMPTY, id="empty"),
    ],
)
@pytest.mark.parametrize("options", [(), ("--expect", "true")], ids=["plain", "expect"])
def test_json_is_one_document_of_the_schema(text: str, options: tuple[str, ...]) -> None:
    run(text, "--json", *options).document()


def test_the_document_has_the_fields_of_the_contract_in_order() -> None:
    document = run(STUCK, "--json").document()
    assert list(document) == ["schema", "version", "commands", "goals", "errors", "warnings", "seconds"]
    assert document["schema"] == "otsrw/run/1"
    assert document["version"] == __version__
    for command in document["commands"]:
        assert list(command) == ["file", "line", "kind", "module", "term", "result", "sort", "rewrites", "seconds"]


def test_commands_tell_what_was_asked_and_answered() -> None:
    commands = run(STUCK, "--json").document()["commands"]
    for command in commands:
        del command["seconds"]
    here = {"file": "t.cafe", "module": "A"}
    assert commands == [
        here | {"line": 7, "kind": "red", "term": "true", "result": "true", "sort": "Bool", "rewrites": 0},
        here | {"line": 8, "kind": "red", "term": "a", "result": "c", "sort": "S", "rewrites": 2},
        here | {"line": 9, "kind": "parse", "term": "b", "result": "b", "sort": "S", "rewrites": 0},
    ]


def test_an_opened_module_is_named_with_a_percent_sign() -> None:
    assert [c["module"] for c in run(PROVED, "--json").document()["commands"]] == ["A", "%A"]


def test_a_reduction_without_an_answer_has_no_result() -> None:
    (command,) = run(CIRCULAR, "--json").document()["commands"]
    assert (command["result"], command["sort"]) == (None, None)


def test_errors_tell_their_place_and_code() -> None:
    document = run(BROKEN, "--json").document()
    assert document["errors"] == [
        {"file": "t.cafe", "line": 7, "column": 12, "code": "E111", "message": "unknown operator or variable: 'zz'"}
    ]
    assert [c["result"] for c in document["commands"]] == ["c"]


def test_a_missing_file_is_an_error_of_that_file() -> None:
    ran = otsrw("run", "--json", "nowhere.cafe")
    assert ran.code == 150
    assert [(e["file"], e["code"]) for e in ran.document()["errors"]] == [("nowhere.cafe", "E303")]


def test_expect_lists_what_differs() -> None:
    document = run(STUCK, "--json", "--expect", "true").document()
    assert document["expected"] == "true"
    assert document["unexpected"] == [document["commands"][1]]


def test_a_reduction_that_failed_is_not_as_expected() -> None:
    document = run(CIRCULAR, "--json", "--expect", "true").document()
    assert document["unexpected"] == document["commands"]


def test_json_keeps_people_on_standard_error() -> None:
    ran = run(BROKEN, "--json")
    ran.document()
    assert ran.err.startswith("t.cafe:7:12: error E111: ")


# --- exit codes


@dataclass(frozen=True)
class Exit:
    id: str
    code: int
    text: str
    options: tuple[str, ...] = ()


EXITS = [
    Exit("clean", 0, STUCK),
    Exit("empty-file", 0, EMPTY),
    Exit("only-warnings", 0, WARNED),
    Exit("as-expected", 0, PROVED, ("--expect", "true")),
    Exit("another-result-expected", 0, SPEC + "red in A : a .", ("--expect", "c")),
    Exit("time-out", 3, ENDLESS, ("--timeout", "0.5")),
    Exit("rewrites-spent", 3, ENDLESS, ("--max-rewrites", "1000")),
    Exit("differs", 12, STUCK, ("--expect", "true")),
    Exit("does-not-terminate", 75, CIRCULAR),
    Exit("unknown-word", 150, BROKEN),
    Exit("unknown-sort", 150, ILL_SORTED),
    Exit("no-period", 150, SPEC + "red in A : a"),
    Exit("no-such-module", 150, "open NOWHERE .\nclose\n"),
    Exit("an-error-outweighs-a-difference", 150, STUCK + "red in A : zz .", ("--expect", "true")),
    Exit("an-error-outweighs-a-time-out", 150, "red in A : a .\n" + ENDLESS, ("--timeout", "0.5")),
]


@pytest.mark.parametrize("json_option", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("case", [pytest.param(e, id=e.id) for e in EXITS])
def test_exit_code(case: Exit, json_option: tuple[str, ...]) -> None:
    assert run(case.text, *case.options, *json_option).code == case.code


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((), id="no-command"),
        pytest.param(("frobnicate",), id="unknown-command"),
        pytest.param(("run",), id="no-file"),
        pytest.param(("run", "--frobnicate", "t.cafe"), id="unknown-option"),
        pytest.param(("run", "--timeout", "0", "t.cafe"), id="no-time"),
        pytest.param(("run", "--timeout", "nan", "t.cafe"), id="time-is-no-number"),
        pytest.param(("run", "--max-rewrites", "-1", "t.cafe"), id="negative-budget"),
        pytest.param(("run", "--expect"), id="expect-nothing"),
    ],
)
def test_wrong_usage_exits_2_and_explains_on_standard_error(arguments: tuple[str, ...]) -> None:
    ran = otsrw(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("usage: otsrw")


def test_a_mistyped_command_is_guessed_and_no_command_shows_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serch", "x.cafe"]) == 2
    assert capsys.readouterr().err.endswith("otsrw: no such command: 'serch'; did you mean 'search'?\n")
    assert main([]) == 2
    assert "induction-guided falsification" in capsys.readouterr().err


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["text", "json"])
def test_an_interrupt_exits_130(options: tuple[str, ...]) -> None:
    with interruptible("-m", "otsrw", "run", *options, write("t.cafe", ENDLESS)) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    if options:
        Draft202012Validator(SCHEMA).validate(json.loads(out))


def test_a_reader_that_goes_away_is_no_error() -> None:
    many = SPEC + "red in A : a .\n" * 5000
    command = f"{sys.executable} -m otsrw run {write('t.cafe', many)} | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("-- reduce in A : (a):S\n", "")


# --- files and sessions


def test_a_dash_is_standard_input() -> None:
    ran = otsrw("run", "--json", "-", stdin=STUCK)
    assert [(c["file"], c["result"]) for c in ran.document()["commands"]] == [
        ("<stdin>", "true"),
        ("<stdin>", "c"),
        ("<stdin>", "b"),
    ]


def test_several_files_share_one_session() -> None:
    first, second = write("spec.cafe", SPEC), write("proof.cafe", "open A .\nred a .\nclose\n")
    (command,) = otsrw("run", "--json", first, second).document()["commands"]
    assert (command["file"], command["line"], command["result"]) == ("proof.cafe", 2, "c")


def test_files_run_in_the_order_given() -> None:
    first, second = write("spec.cafe", SPEC), write("proof.cafe", "red in A : a .\n")
    assert otsrw("run", second, first).code == 150


def test_a_bad_file_does_not_stop_the_next() -> None:
    bad, good = write("bad.cafe", "open\n"), write("good.cafe", STUCK)
    document = otsrw("run", "--json", bad, good).document()
    assert {e["file"] for e in document["errors"]} == {"bad.cafe"}
    assert len(document["commands"]) == 3


def test_a_file_is_found_from_the_file_that_names_it() -> None:
    Path("below").mkdir()
    write("below/spec.cafe", SPEC)
    write("below/proof.cafe", "in spec\nred in A : a .\n")
    (command,) = otsrw("run", "--json", "below/proof.cafe").document()["commands"]
    assert command["result"] == "c"


# --- what people see


@dataclass(frozen=True)
class Verdict:
    id: str
    text: str
    options: tuple[str, ...]
    line: str


TRUE = SPEC + "red in A : true .\n"
VERDICTS = [
    Verdict("clean", STUCK, (), "ran clean; 2 reductions, 2 rewrites, _ s"),
    Verdict("expected", TRUE, ("--expect", "true"), "all reductions gave true; 1 reduction, 0 rewrites, _ s"),
    Verdict(
        "differs", STUCK, ("--expect", "true"), "1 of 2 reductions did not give true; 2 reductions, 2 rewrites, _ s"
    ),
    Verdict("error", BROKEN, (), "1 error; 1 reduction, 2 rewrites, _ s"),
    Verdict("time-out", ENDLESS, ("--timeout", "0.5"), "1 error; 2 reductions, 2 rewrites, _ s"),
]


@pytest.mark.parametrize("quiet", [(), ("-q",)], ids=["loud", "quiet"])
@pytest.mark.parametrize("case", [pytest.param(v, id=v.id) for v in VERDICTS])
def test_the_verdict_is_the_last_line(case: Verdict, quiet: tuple[str, ...]) -> None:
    assert without_seconds(run(case.text, *case.options, *quiet).verdict) == case.line


def test_a_reduction_prints_three_lines() -> None:
    assert without_seconds(run(SPEC + "red in A : a .\n").out).splitlines()[:-1] == [
        "-- reduce in A : (a):S",
        "(c):S",
        "(_ sec for 2 rewrites)",
    ]


def test_expect_names_the_line_that_differs() -> None:
    assert run(STUCK, "--expect", "true").out.splitlines()[-2] == "t.cafe:8: red gave c"


def test_quiet_prints_only_problems_and_the_verdict() -> None:
    ran = run(BROKEN, "-q")
    assert len(ran.out.splitlines()) == 1
    assert ran.err.startswith("t.cafe:7:12: error E111: ")


def test_quiet_drops_warnings_but_not_from_the_document() -> None:
    ran = run(WARNED, "-q", "--json")
    assert ran.err == ""
    assert [w["code"] for w in ran.document()["warnings"]] == ["W301"]


def test_problems_go_to_standard_error() -> None:
    ran = run(BROKEN)
    assert "E111" in ran.err
    assert "E111" not in ran.out


def test_a_problem_is_told_between_the_reductions_around_it() -> None:
    text = SPEC + "red in A : a .\nred in A : zz .\nmod! A { [ S ] }\nred in A : true .\n"
    command = [sys.executable, "-m", "otsrw", "run", write("t.cafe", text)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    told = re.findall("^-- reduce|error|warning", done.stdout.decode().split("1 error;")[0], re.MULTILINE)
    assert told == ["-- reduce", "error", "warning", "-- reduce"]


def test_quit_ends_the_run_of_all_files() -> None:
    write("inner.cafe", "quit\nred in A : a .\n")
    first = write("first.cafe", SPEC + "red in A : b .\nin inner.cafe\nred in A : a .\n")
    ran = otsrw("run", "--json", first, write("second.cafe", "red in A : true .\n"))
    assert [command["term"] for command in ran.document()["commands"]] == ["b"]


def test_there_is_no_colour_in_a_pipe() -> None:
    ran = run(BROKEN + PROVED)
    assert "\x1b" not in ran.out + ran.err


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)], ids=["terminal", "NO_COLOR"])
def test_colour_on_a_terminal_unless_no_color(no_color: str, coloured: bool) -> None:
    assert ("\x1b[" in on_a_terminal(BROKEN, {"NO_COLOR": no_color})) is coloured


@pytest.mark.parametrize(
    ("no_color", "coloured"), [(None, True), ("", True), ("1", False)], ids=["unset", "empty", "NO_COLOR"]
)
def test_force_color_colours_a_pipe_unless_no_color(
    no_color: str | None, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    ran = run(BROKEN + PROVED)
    assert ("\x1b[31m" in ran.err) is coloured
    shown = otsrw("ots", str(Path(__file__).parents[2] / "specs" / "tas.cafe"))
    assert ("\x1b[32m" in shown.out) is coloured


def on_a_terminal(text: str, environment: dict[str, str]) -> str:
    """Everything the command writes to a pseudo-terminal."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "otsrw", "run", write("t.cafe", text)]
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=os.environ | environment) as process:
        os.close(slave)
        shown = b""
        while chunk := _read(master):
            shown += chunk
        process.wait(timeout=60)
    os.close(master)
    return shown.decode()


def _read(master: int) -> bytes:
    try:
        return os.read(master, 4096)
    except OSError:
        return b""


@pytest.mark.parametrize("options", [(), ("--json",), ("--trace",), ("--expect", "true")], ids=" ".join)
def test_runs_are_deterministic(options: tuple[str, ...]) -> None:
    first, second = run(BROKEN + PROVED, *options), run(BROKEN + PROVED, *options)
    assert (without_seconds(first.out), first.err) == (without_seconds(second.out), second.err)


def test_the_seed_of_hashing_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()
    for seed in ("1", "77"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        seen.add(without_seconds(otsrw("run", "--json", write("t.cafe", BROKEN + PROVED)).out))
    assert len(seen) == 1


# --- help


def test_version_names_the_version() -> None:
    assert otsrw("--version") == Ran(0, f"otsrw {__version__}\n", "")


@pytest.mark.parametrize("arguments", [("--help",), ("run", "--help"), ("--version",)], ids=" ".join)
def test_help_loads_no_engine(arguments: tuple[str, ...]) -> None:
    program = (
        "import sys; from otsrw.cli.main import main; code = main(sys.argv[1:]);"
        "heavy = ('lark', 'rich', 'otsrw.syntax', 'otsrw.theory', 'otsrw.rewriting', 'otsrw.proofs');"
        "print(code, sorted(m for m in sys.modules if m.startswith(heavy)), file=sys.stderr)"
    )
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == "0 []\n"
    assert "otsrw" in done.stdout


def test_a_plain_run_loads_nothing_that_only_starting_would_pay_for(tmp_path: Path) -> None:
    (tmp_path / "t.cafe").write_text("mod! M { [S] ops a b : -> S eq a = b . } red in M : a .", "utf-8")
    program = (
        "import sys; from otsrw.cli.main import main; code = main(['run', '-q', sys.argv[1]]);"
        "slow = {'lark', 'rich', 'dataclasses', 'inspect', 'difflib', 'fractions', 'decimal', 'ctypes', 'traceback'};"
        "print(code, sorted(slow & set(sys.modules)), file=sys.stderr)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "t.cafe")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == "0 []\n"
