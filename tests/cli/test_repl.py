"""The interactive session: help, completion of declared names, and errors that do not lose what was declared."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import sys
import time
from pathlib import Path

import pytest
from commands import run

from otsrw.cli.repl import Shell
from otsrw.proofs.session import Session, Settings
from otsrw.report.console import Console

MODULE = (
    "mod! SWITCH { [State] ops on off : -> State op flip : State -> State op _before_ : State State -> Bool"
    " eq flip(on) = off . }"
)


def test_help_lists_the_commands() -> None:
    _, out, _ = run("repl", stdin=":help\n")
    assert [word for word in (":reset", ":quit", "red t .", "open M .", "Tab") if word not in out] == []


@pytest.mark.parametrize(
    "mistake", ["red in SWITCH : onn .", "mod! BROKEN { op f : -> }", "select NOWHERE .", "close", ":nonsense", ") ] }"]
)
def test_an_error_does_not_lose_the_session(mistake: str) -> None:
    code, out, err = run("repl", stdin=f"{MODULE}\n{mistake}\nred in SWITCH : flip(on) .\n")
    assert code == 0
    assert err
    assert "(off):State" in out


def test_a_defect_does_not_lose_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Session.run_source

    def failing(self: Session, source: object) -> None:
        if "fail" in source.text:  # type: ignore[attr-defined]
            raise RuntimeError("a defect")
        real(self, source)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "run_source", failing)
    _, out, err = run("repl", stdin=f"{MODULE}\nfail .\nred in SWITCH : flip(on) .\n")
    assert "internal error: RuntimeError: a defect" in err
    assert "(off):State" in out


def test_declared_names_are_completed() -> None:
    shell = Shell(Console(quiet=True), Settings())
    shell.session.run_text(f"{MODULE}\nopen SWITCH .\nop now : -> State .\n")
    names = shell.names()
    assert [
        name for name in ("SWITCH", "State", "flip", "off", "before", "now", "red", ":help") if name not in names
    ] == []


def test_ctrl_c_drops_the_line_and_nothing_else(tmp_path: Path) -> None:
    shown = b""
    pid, terminal = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored where the tests run in the background
        os.environ.update(XDG_STATE_HOME=str(tmp_path), TERM="dumb")
        os.execv(sys.executable, [sys.executable, "-m", "otsrw", "repl"])

    def wait_for(text: bytes, again: bytes = b"") -> None:
        """Wait until a text is shown; press keys again now and then while it is not."""
        nonlocal shown
        end = time.monotonic() + 60
        while text not in shown and time.monotonic() < end:
            if select.select([terminal], [], [], 1)[0]:
                shown += os.read(terminal, 65536)
            else:
                os.write(terminal, again)
        assert text in shown
        shown = shown[shown.index(text) + len(text) :]

    def interrupt() -> None:
        """Ctrl-C; the one pressed between Python's look for signals and its wait for keys is seen with the next key."""
        os.write(terminal, b"\x03")
        wait_for(b"otsrw> ", again=b"\x03")

    wait_for(b"otsrw> ")
    os.write(terminal, b"red nonsense")
    wait_for(b"nonsense")
    interrupt()
    os.write(terminal, b"red in NAT : 1 + 2 .\n")
    wait_for(b"(3):")
    wait_for(b"otsrw> ")
    os.write(terminal, b"mod! M {\n")
    wait_for(b"...> ")
    interrupt()
    ended = status = 0
    while not ended:  # the keys may meet a Ctrl-C that was pressed once more than needed
        with contextlib.suppress(OSError):
            os.write(terminal, b":quit\n")
        time.sleep(0.5)
        ended, status = os.waitpid(pid, os.WNOHANG)
    assert status == 0
    assert (tmp_path / "otsrw" / "history").exists()
