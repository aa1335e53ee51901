"""Writes docs/commands.md from the argument parser: `python docs/make_reference.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from otsrw.cli.described import CommandArgument, CommandDescription, commands_of
from otsrw.cli.main import parser
from otsrw.cli.options import COMMON

PAGE = Path(__file__).parent / "commands.md"


def reference() -> str:
    commands = commands_of(parser(), COMMON)
    return "\n".join([*_opening(commands), *(line for command in commands for line in _section(command))])


def _opening(commands: list[CommandDescription]) -> Iterator[str]:
    yield "# Command reference"
    yield ""
    yield "Made from the program by `make reference`. What commands mean, JSON and exit codes: [cli.md](cli.md)."
    yield ""
    yield "| command | |"
    yield "|---|---|"
    for command in commands:
        yield f"| [`{command.name}`](#{command.name}) | {_cell(command.summary)} |"
    yield ""
    yield "## Options of every command"
    yield ""
    yield from _table(commands[0].common)


def _section(command: CommandDescription) -> Iterator[str]:
    yield f"## {command.name}"
    yield ""
    yield command.summary[0].upper() + command.summary[1:] + "."
    yield ""
    places = "".join(f" {place.many.format(place.value)}" for place in command.places)
    yield f"`otsrw {command.name}{places} [options]`"
    yield ""
    if command.places or command.options:
        yield from _table(command.places + command.options)


def _table(arguments: Iterable[CommandArgument]) -> Iterator[str]:
    yield "| argument | meaning |"
    yield "|---|---|"
    for argument in arguments:
        yield f"| {_spelled(argument)} | {_cell(argument.help)} |"
    yield ""


def _spelled(argument: CommandArgument) -> str:
    value = "|".join(argument.choices) or argument.value
    if not argument.spellings:
        return f"`{_cell(str(value))}`"
    last = argument.spellings[-1] + (f" {value}" if value else "")
    return ", ".join(f"`{_cell(text)}`" for text in (*argument.spellings[:-1], last))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
