"""The commands as data, read off the argument parser: for completion scripts and for the reference page."""

from __future__ import annotations

import argparse

from otsrw.records import dataclass

_MANY = {"+": "{}...", "*": "[{}...]", "?": "[{}]"}


@dataclass(frozen=True, slots=True)
class CommandArgument:
    """An option with its spellings, or a place with none."""

    spellings: tuple[str, ...]
    value: str | None
    """What stands for its value; None for a switch."""
    help: str
    choices: tuple[str, ...]
    many: str = "{}"
    """How often it may stand: `FILE...` for at least once, `[FILE...]` for any number of times."""

    @property
    def takes_file(self) -> bool:
        return not self.choices and self.value in ("F", "FILE")


@dataclass(frozen=True, slots=True)
class CommandDescription:
    name: str
    summary: str
    places: tuple[CommandArgument, ...]
    options: tuple[CommandArgument, ...]
    common: tuple[CommandArgument, ...]
    """Options that every command has."""


def commands_of(parser: argparse.ArgumentParser, common: str) -> list[CommandDescription]:
    """All commands; `common` is the title of the group of options they share."""
    chooser = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    summaries = {choice.dest: choice.help or "" for choice in chooser._choices_actions}
    return [_command(name, summaries[name], command, common) for name, command in chooser.choices.items()]


def _command(name: str, summary: str, parser: argparse.ArgumentParser, common: str) -> CommandDescription:
    shared = next(group for group in parser._action_groups if group.title == common)._group_actions
    own = [_argument(action) for action in parser._actions if action not in shared and action.dest != "help"]
    return CommandDescription(
        name,
        summary,
        tuple(argument for argument in own if not argument.spellings),
        tuple(argument for argument in own if argument.spellings),
        tuple(map(_argument, shared)),
    )


def _argument(action: argparse.Action) -> CommandArgument:
    choices = tuple(map(str, action.choices or ()))
    value = None if action.nargs == 0 else str(action.metavar or "|".join(choices) or action.dest.upper())
    text = (action.help or "") % {"default": action.default}
    many = _MANY.get(str(action.nargs), "{}")
    return CommandArgument(tuple(action.option_strings), value, text, choices, many)
