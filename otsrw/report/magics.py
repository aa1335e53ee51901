"""Magics for IPython: `%%cafeobj` runs a cell in a session that all cells share, `%otsrw igf ...` runs a command.

Both show what they find as results look in a notebook.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import Any

from otsrw.application.frames import framed
from otsrw.proofs import Outcome, Session, Settings
from otsrw.report.notebook import text_as_html
from otsrw.syntax.source import Source

FINISH_SECONDS = 5


class CommandOutput:
    """What a command printed, with its colours: a notebook shows it as it shows results, a terminal prints it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _repr_html_(self) -> str:
        return text_as_html(self.text)

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(self.text.rstrip("\n"))


class CafeMagics:
    """The session of a notebook, and the texts of the cells that declared something."""

    def __init__(self) -> None:
        self.cells: list[str] = []
        self._start()

    def _start(self) -> None:
        settings = Settings()
        settings.expand = framed
        self.session = Session(settings)

    def cafeobj(self, line: str, cell: str) -> Outcome:
        """Run the statements of a cell; `%%cafeobj --new` forgets what earlier cells declared."""
        if line.split() == ["--new"]:
            self.cells.clear()
            self._start()
        outcome = self.session.outcome
        commands, problems = len(outcome.commands), len(outcome.problems)
        known = len(self.session.declarations)
        self.session.run_source(Source("<cell>", cell))
        if len(self.session.declarations) > known:
            self.cells.append(cell)
        return Outcome(outcome.commands[commands:], outcome.problems[problems:])

    def otsrw(self, line: str) -> CommandOutput:
        """Run a command of otsrw and show what it says; `-` for a file stands for what the cells declared."""
        words = shlex.split(line)
        text = "\n".join(self.cells) if "-" in words else ""
        colours = {} if "NO_COLOR" in os.environ else {"FORCE_COLOR": "1"}
        process = subprocess.Popen(
            [sys.executable, "-m", "otsrw", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **colours},
        )
        try:
            output, _ = process.communicate(text)
        except KeyboardInterrupt:
            process.terminate()
            output, _ = process.communicate(timeout=FINISH_SECONDS)
        return CommandOutput(output)


def load_ipython_extension(shell: Any) -> None:
    """Called by `%load_ext otsrw`."""
    magics = CafeMagics()
    shell.register_magic_function(magics.cafeobj, "cell", "cafeobj")
    shell.register_magic_function(magics.otsrw, "line", "otsrw")
