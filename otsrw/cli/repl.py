"""`otsrw repl [FILE]`: an interactive session with history, completion and multi-line input."""

from __future__ import annotations

import argparse
import atexit
import contextlib
import os
import sys
from pathlib import Path

from otsrw import __version__
from otsrw.cli import exits
from otsrw.cli.framing import expanded
from otsrw.cli.threads import on_main_thread
from otsrw.proofs import Session, Settings
from otsrw.report.console import Console
from otsrw.report.events import telling
from otsrw.syntax.commands import EXTENTS
from otsrw.syntax.lexer import KEYWORDS
from otsrw.syntax.reader import is_incomplete
from otsrw.syntax.source import Source

_HELP = """Type CafeOBJ declarations and commands; a statement may take several lines and ends with ' .'
  in FILE             load a file                 mod! M { ... }      declare a module
  select M .          work in a module            open M .  close     ... with declarations and equations of your own
  red t .             reduce a term               parse t .           show how it is read
  show M .            show a module               show op f           show an operator
  set trace on        show each rewrite step      show term tree      show the last term as a tree
  :goal { eq .. . }   begin a proof               :apply (si tc rd)   apply tactics; the prompt shows the goal
  :help  this text    :reset  forget everything   :quit  leave (also Ctrl-D); within a proof, :reset forgets the proof
  Tab completes keywords and declared names; Ctrl-C drops the present input or stops a reduction.
An error changes nothing: what was declared before it stays."""
_COMMANDS = (":help", ":reset", ":quit")
_CALLS_FOR_HELP = ("help", "?", "??", "usage")
"""What people type who look for `:help`; a file has no such commands."""


def execute(options: argparse.Namespace) -> int:
    console = Console(quiet=options.quiet, verbose=options.verbose)
    settings = Settings(max_rewrites=options.max_rewrites, timeout=options.timeout)
    settings.expand = expanded
    settings.portable = options.portable
    shell = Shell(console, settings)
    for name in options.files:
        shell.session.run_file(name)
        console.flush()
        if shell.session.has_quit:
            return exits.HOLDS
    return shell.run()


class Shell:
    """Reads statements until they are complete and runs them in one session."""

    def __init__(self, console: Console, settings: Settings) -> None:
        self.console = console
        self.settings = settings
        self.session = Session(settings, telling(console))

    def run(self) -> int:
        interactive = sys.stdin.isatty()
        if interactive:
            _start_readline(self)
            self.console.line(f"otsrw {__version__}; :help for help, Ctrl-D to leave")
        while True:
            try:
                text = self._read()
            except EOFError:
                if interactive:
                    self.console.line("")
                return exits.HOLDS
            except KeyboardInterrupt:
                self.console.line("")
                continue
            if not self._run(text):
                return exits.HOLDS

    def _prompt(self) -> str:
        passage = self.session.passage
        selected = self.session.selected
        name = passage.module.name if passage else selected.name if selected else "otsrw"
        goal = self.session.current_goal
        return f"{name}> " if goal is None else f"{name}[{goal}]> "

    def _read(self) -> str:
        """One or more lines that form complete statements."""
        text = _line(self._prompt())
        while is_incomplete(text):
            text += "\n" + _line("...> ")
        return text

    def _run(self, text: str) -> bool:
        command = text.strip()
        if command in (":quit", ":q"):
            return False
        if command in (":help", ":h", ":?"):
            self.console.line(_HELP)
        elif command == ":reset" and self.session.current_goal is None:
            self.session = Session(self.settings, telling(self.console))
        elif command.removesuffix(".").rstrip().lower() in _CALLS_FOR_HELP:
            self.console.line("type :help to see what can be typed here, :quit to leave")
        elif command.startswith(":") and command[1:].isalpha() and command not in EXTENTS:
            self.console.complain(f"no such command: {command}; :help lists them")
        else:
            try:
                self.session.run_source(Source("<input>", text))
            except KeyboardInterrupt:
                self.console.line("interrupted")
            except Exception as error:
                self.console.complain(f"internal error: {type(error).__name__}: {error}; the session goes on")
        self.console.flush()
        return not self.session.has_quit

    def names(self) -> list[str]:
        """Words that may be completed: keywords, modules, and what the present module declares."""
        found = set(KEYWORDS) | set(self.session.library.modules)
        module = self.session.passage.module if self.session.passage else self.session.selected
        if module is not None:
            found |= set(module.variables) | set(module.signature.sort_names)
            for symbol in module.signature.symbols():
                found |= set(symbol.name.replace("_", " ").split())
        return sorted(found.union(_COMMANDS))


def _line(prompt: str) -> str:
    """A line of input; read in the main thread, where alone Ctrl-C ends the reading."""
    lines: list[str] = []
    on_main_thread(lambda: lines.append(input(prompt if sys.stdin.isatty() else "")))
    return lines[0]


def _start_readline(shell: Shell) -> None:
    try:
        import readline
    except ImportError:
        return
    history = Path(os.environ.get("XDG_STATE_HOME", Path.home() / ".local" / "state")) / "otsrw" / "history"
    try:
        history.parent.mkdir(parents=True, exist_ok=True)
        readline.read_history_file(history)
    except OSError:
        pass

    def complete(prefix: str, index: int) -> str | None:
        matching = [name for name in shell.names() if name.startswith(prefix)]
        return matching[index] if index < len(matching) else None

    def save() -> None:
        with contextlib.suppress(OSError):
            readline.write_history_file(history)

    atexit.register(save)
    readline.set_completer_delims(" \t\n()[]{},;")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
