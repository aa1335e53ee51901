"""The families of commands that a file may use.

A family is added in three steps: its keywords with their extents in `otsrw/syntax/commands.py`, a module that runs
them, and an entry in `FAMILIES`. If it has events of its own, `otsrw/report/events.py` says how they look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from otsrw.proofs.loading import FileCommands
from otsrw.proofs.reducing import TERM_COMMANDS, TermCommands
from otsrw.proofs.workspace import Workspace
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.commands import SHAPES

CommandHandler = Callable[[Any], None]
"""Runs a command: a `TermCommand` or a `LineCommand`, as the extent of its keyword says."""


class Quit(Exception):
    """`quit` was reached. A session catches it; it never leaves one."""


class CommandFamily(NamedTuple):
    """Commands that belong together. `start` is called at the first of them in a session; its result runs them all.

    What only some files need is imported by `start`.
    """

    keywords: tuple[str, ...]
    start: Callable[[Workspace], CommandHandler]


def _by_hand(workspace: Workspace) -> CommandHandler:
    from otsrw.proofs.byhand import HandCommands

    return HandCommands(workspace).run


def _showing(workspace: Workspace) -> CommandHandler:
    from otsrw.proofs.showing import show_command

    return lambda command: show_command(command, workspace)


def _switches(workspace: Workspace) -> CommandHandler:
    from otsrw.proofs.switches import set_switch

    return lambda command: set_switch(command, workspace)


def _requests(workspace: Workspace) -> CommandHandler:
    from otsrw.proofs.requests import RequestCommands

    return RequestCommands(workspace).run


def _quitting(workspace: Workspace) -> CommandHandler:
    def stop(command: tree.LineCommand) -> None:
        raise Quit

    return stop


def _citp(workspace: Workspace) -> CommandHandler:
    from otsrw.proofs.citp.commands import CitpCommands

    return CitpCommands(workspace).run


def _silent(workspace: Workspace) -> CommandHandler:
    return lambda command: None


CIMPG = (":infer-proof", ":generate-proof", ":proof")
"""Commands of CiMPG: `otsrw convert` does what they ask for."""

FAMILIES = (
    CommandFamily(tuple(TERM_COMMANDS), lambda workspace: TermCommands(workspace).run),
    CommandFamily(("start", "apply", "choose", "match"), _by_hand),
    CommandFamily(("in", "input", "load", "require", "provide"), lambda workspace: FileCommands(workspace).run),
    CommandFamily(("show", "sh", "describe", "desc"), _showing),
    CommandFamily(("set",), _switches),
    CommandFamily(("ipsgopen", "inv", "generate", "set-output", ":save-proof", ":enableCsFirst", *CIMPG), _requests),
    CommandFamily(("quit", "q"), _quitting),
    CommandFamily(tuple(SHAPES), _citp),
    CommandFamily(("protect", "unprotect", "pwd", "ls"), _silent),
)


class Commands:
    """The commands of one session: runs each by the family of its keyword."""

    def __init__(self, workspace: Workspace, families: Iterable[CommandFamily] = FAMILIES) -> None:
        self.workspace = workspace
        self._families = {keyword: family for family in families for keyword in family.keywords}
        self._handlers: dict[str, CommandHandler] = {}

    def run(self, command: tree.TermCommand | tree.LineCommand) -> None:
        """Run a command; one that no family has is noted and does nothing."""
        handler = self._handlers.get(command.keyword)
        if handler is None:
            family = self._families.get(command.keyword)
            if family is None:
                message = f"the command {command.keyword!r} has no effect in otsrw"
                self.workspace.library.warn("W106", message, command.span)
                return
            handler = family.start(self.workspace)
            self._handlers.update(dict.fromkeys(family.keywords, handler))
        handler(command)
