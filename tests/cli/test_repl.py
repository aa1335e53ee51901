"""The interactive session: help, completion of declared names, and errors that do not lose what was declared."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run
from terminals import on_terminal

from otsrw.cli.repl import Shell
from otsrw.proofs import Session, Settings
from otsrw.report.console import Console

MODULE = (
    "mod! SWITCH { [State] ops on off : -> State op flip : State -> State op _before_ : State State -> Bool"
    " eq flip(on) = off . }"
)


def test_help_lists_the_commands() -> None:
    _, out, _ = run("repl", stdin=":help\n")
    assert [word for word in (":reset", ":quit", "red t .", "open M .", "Tab") if word not in out] == []


@pytest.mark.parametrize("call", ["help", "help .", "?", "HELP"])
def test_whoever_calls_for_help_is_told_where_it_is(call: str) -> None:
    code, out, err = run("repl", stdin=f"{call}\n")
    assert (code, err) == (0, "")
    assert ":help" in out


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


def test_quit_in_a_file_ends_the_session(tmp_path: Path) -> None:
    file = tmp_path / "quits.cafe"
    file.write_text(f"{MODULE}\nred in SWITCH : flip(on) .\nquit\nred in SWITCH : on .\n")
    code, out, err = run("repl", str(file), stdin="red in SWITCH : off .\n")
    assert (code, err) == (0, "")
    assert [line for line in out.splitlines() if line.startswith("--")] == ["-- reduce in SWITCH : (flip(on)):State"]


@pytest.mark.parametrize("word", ["quit", "q", ":quit"])
def test_quit_ends_the_session(word: str) -> None:
    code, out, err = run("repl", stdin=f"{MODULE}\n{word}\nred in SWITCH : on .\n")
    assert (code, out, err) == (0, "", "")


def test_declared_names_are_completed() -> None:
    shell = Shell(Console(quiet=True), Settings())
    shell.session.run_text(f"{MODULE}\nopen SWITCH .\nop now : -> State .\n")
    names = shell.names()
    assert [
        name for name in ("SWITCH", "State", "flip", "off", "before", "now", "red", ":help") if name not in names
    ] == []


def test_ctrl_c_drops_the_line_and_nothing_else(tmp_path: Path) -> None:
    with on_terminal("repl", XDG_STATE_HOME=str(tmp_path), TERM="dumb") as terminal:

        def interrupt() -> None:
            """Ctrl-C; one pressed between Python's look for signals and its wait for keys is seen with the next key."""
            terminal.press(b"\x03")
            terminal.wait_for(b"otsrw> ", again=b"\x03")

        terminal.wait_for(b"otsrw> ")
        terminal.press(b"red nonsense")
        terminal.wait_for(b"nonsense")
        interrupt()
        terminal.press(b"red in NAT : 1 + 2 .\n")
        terminal.wait_for(b"(3):")
        terminal.wait_for(b"otsrw> ")
        terminal.press(b"mod! M {\n")
        terminal.wait_for(b"...> ")
        interrupt()
        assert terminal.leave(b":quit\n") == 0
    assert (tmp_path / "otsrw" / "history").exists()
