"""`otsrw completion bash|zsh|fish`: a script that completes commands, options, choices and file names."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from otsrw.cli import exits
from otsrw.cli.described import CommandArgument, CommandDescription, commands_of
from otsrw.report.console import Console
from otsrw.report.documents import header


def execute(options: argparse.Namespace) -> int:
    from otsrw.cli.main import parser
    from otsrw.cli.options import COMMON

    text = script(options.shell, commands_of(parser(), COMMON))
    if options.json:
        console = Console(json=True)
        console.document(header("completion") | {"shell": options.shell, "text": text})
    else:
        print(text, end="")
    return exits.HOLDS


def script(shell: str, commands: list[CommandDescription]) -> str:
    writers = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    return "".join(f"{line}\n" for line in writers[shell](commands))


def _everything(command: CommandDescription) -> tuple[CommandArgument, ...]:
    return command.options + command.common


def _choices(command: CommandDescription) -> list[str]:
    return [choice for place in command.places for choice in place.choices]


def _bash(commands: list[CommandDescription]) -> Iterator[str]:
    yield "# bash completion of otsrw; put it into ~/.local/share/bash-completion/completions/otsrw"
    yield "_otsrw() {"
    yield '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words= values='
    yield '  if [ "$COMP_CWORD" -eq 1 ]; then'
    names = " ".join(command.name for command in commands)
    yield f'    COMPREPLY=($(compgen -W "{names} --help --version" -- "$word"))'
    yield "    return"
    yield "  fi"
    yield '  case "${COMP_WORDS[1]}:$before" in'
    for command in commands:
        for option in _everything(command):
            if option.value is not None:
                keys = "|".join(f"{command.name}:{spelling}" for spelling in option.spellings)
                action = "values=files" if option.takes_file else f"values='{' '.join(option.choices)} '"
                yield f"    {keys}) {action} ;;"
    yield "  esac"
    yield '  case "$values" in'
    yield '    files) COMPREPLY=($(compgen -f -- "$word")); return ;;'
    yield '    ?*) COMPREPLY=($(compgen -W "$values" -- "$word")); return ;;'
    yield "  esac"
    yield '  case "${COMP_WORDS[1]}" in'
    for command in commands:
        spellings = [s for option in _everything(command) for s in option.spellings if s.startswith("--")]
        words = " ".join([*_choices(command), *spellings, "--help"])
        yield f'    {command.name}) words="{words}" ;;'
    yield "  esac"
    yield '  COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield '  case "$word" in -*) ;; *) COMPREPLY+=($(compgen -f -- "$word")) ;; esac'
    yield "}"
    yield "complete -o filenames -F _otsrw otsrw"


def _zsh(commands: list[CommandDescription]) -> Iterator[str]:
    yield "#compdef otsrw"
    yield "# zsh completion of otsrw; put it as _otsrw into a folder of $fpath"
    yield "_otsrw() {"
    yield "  local -a commands=("
    for command in commands:
        yield f"    {_quoted(f'{command.name}:{command.summary}')}"
    yield "  )"
    yield "  if (( CURRENT == 2 )); then _describe command commands; return; fi"
    yield '  local command="${words[2]}"'
    yield "  shift words; (( CURRENT-- ))"
    yield '  case "$command" in'
    for command in commands:
        yield f"    {command.name}) _arguments \\"
        for option in _everything(command):
            for spelling in option.spellings:
                yield f"      {_quoted(f'*{spelling}[{_plain(option.help)}]{_zsh_value(option)}')} \\"
        choices = _choices(command)
        rest = f"*:value:({' '.join(choices)})" if choices else "*:file:_files"
        yield f"      {_quoted(rest)} ;;"
    yield "  esac"
    yield "}"
    yield '_otsrw "$@"'


def _zsh_value(option: CommandArgument) -> str:
    if option.value is None:
        return ""
    if option.choices:
        return f":value:({' '.join(option.choices)})"
    return ":file:_files" if option.takes_file else f":{_plain(option.value)}:"


def _fish(commands: list[CommandDescription]) -> Iterator[str]:
    yield "# fish completion of otsrw; put it into ~/.config/fish/completions/otsrw.fish"
    for command in commands:
        yield f"complete -c otsrw -f -n __fish_use_subcommand -a {command.name} -d {_quoted(command.summary)}"
    for command in commands:
        start = f"complete -c otsrw -n {_quoted(f'__fish_seen_subcommand_from {command.name}')}"
        if _choices(command):
            yield f"{start} -f -a {_quoted(' '.join(_choices(command)))}"
        for option in _everything(command):
            names = "".join(f" -l {s[2:]}" if s.startswith("--") else f" -s {s[1:]}" for s in option.spellings)
            value = "" if option.value is None else " -r" if option.takes_file else " -x"
            choices = f" -a {_quoted(' '.join(option.choices))}" if option.choices else ""
            yield f"{start}{names}{value}{choices} -d {_quoted(option.help)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "") + "'"


def _plain(text: str) -> str:
    """Without the characters that mean something inside a specification of zsh."""
    return text.replace("[", "(").replace("]", ")").replace(":", ";")
