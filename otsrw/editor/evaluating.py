"""The value of a reduction where it stands, found while somebody looks at it: so with a small budget."""

from __future__ import annotations

from otsrw.editor.project import TextFile, TextProject
from otsrw.proofs import CommandResult, Session, Settings
from otsrw.proofs.families import Quit
from otsrw.proofs.reducing import TERM_COMMANDS
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic

MOST_REWRITES = 20_000
MOST_SECONDS = 0.5
"""A guard for what does not count as rewriting."""


def value_of(
    project: TextProject, file: TextFile, index: int, command: tree.TermCommand
) -> CommandResult | Diagnostic | None:
    """The answer to a command of a chunk, or what is wrong with it; None if the command gives none."""
    placed = file.placed[index]
    before = placed.surroundings
    session = Session(
        Settings(max_rewrites=MOST_REWRITES, timeout=MOST_SECONDS), library=project.checker.library(before)
    )
    session.selected = before.selected
    inside = _passage_around(placed.chunk.statements, command)
    if any(isinstance(statement, tree.ModuleDeclaration) for statement in inside):
        after = project.checked_at(file, index).after
        session.library.modules.update(after.modules)
        session.library.views.update(after.views)
    outcome = session.outcome
    try:
        for statement in inside:
            if statement is command:
                outcome.commands.clear()
                outcome.problems.clear()
                session.execute(statement)
                break
            if _declares(statement):
                session.execute(statement)
    except Quit:
        return None
    if outcome.errors:
        return outcome.errors[0]
    return outcome.commands[-1] if outcome.commands else None


def _passage_around(statements: list[tree.Statement], command: tree.TermCommand) -> list[tree.Statement]:
    """The statements of the passage with a command, up to the command."""
    end = next(index for index, statement in enumerate(statements) if statement is command)
    opened = [index for index in range(end) if isinstance(statements[index], (tree.Open, tree.Close))]
    return statements[opened[-1] if opened else 0 : end + 1]


def _declares(statement: tree.Statement) -> bool:
    commands = (tree.TermCommand, tree.LineCommand, tree.Echo, tree.ModuleDeclaration, tree.ViewDeclaration)
    return not isinstance(statement, commands)


def is_reduction(statement: tree.Statement) -> bool:
    """Is this a command that has a value?"""
    return isinstance(statement, tree.TermCommand) and statement.keyword in TERM_COMMANDS
