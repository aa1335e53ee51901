"""Commands in tests, as a script sees them: exit code, output, and the document that follows its schema."""

from __future__ import annotations

import contextlib
import io
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from support import ROOT

from otsrw.cli.main import main


def spec(name: str) -> str:
    """The path of a file in specs/."""
    return str(ROOT / "specs" / name)


def run(*words: str, stdin: str = "") -> tuple[int, str, str]:
    """The exit code, what was printed, and what was complained."""
    out, err = io.StringIO(), io.StringIO()
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()))
    before, sys.stdin = sys.stdin, given
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(list(words))
    finally:
        sys.stdin = before
    return code, out.getvalue(), err.getvalue()


@contextlib.contextmanager
def interruptible(*command: str) -> Iterator[subprocess.Popen[str]]:
    """A Python process that obeys SIGINT even where the tests run in the background, and does not outlive its test."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        process = subprocess.Popen(
            [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate()


_TELLING = """
import sys
from otsrw.application import Instantiated
from otsrw.cli import main
begin = Instantiated.search
def told(self, invariant, depth, limits, listener, count, means):
    def listen(progress):
        listener(progress)
        if progress.states:
            print("begun", file=sys.stderr, flush=True)
    return begin(self, invariant, depth, limits, listen, count, means)
Instantiated.search = told
sys.argv = ["otsrw", "search", *sys.argv[1:]]
main.run()
"""


def interrupted_search(*words: str) -> tuple[int, str, str]:
    """Exit code and output of a search that Ctrl-C ends once it has seen states."""
    with interruptible("-c", _TELLING, *words) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@cache
def schema(command: str) -> Any:
    """The schema of a command's documents, which is one."""
    found = json.loads((ROOT / "docs" / "schemas" / f"{command}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(found)
    return found


def checked(command: str, text: str) -> Any:
    """The document a text is, which follows the schema of a command."""
    found = json.loads(text)
    Draft202012Validator(schema(command)).validate(found)
    return found


def document(command: str, *words: str) -> Any:
    """The document a command prints, which is all it prints."""
    return checked(command, run(command, "--json", *words)[1])
