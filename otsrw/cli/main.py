"""`otsrw COMMAND ...`: parse arguments, run the command, turn what happens into an exit code.

Commands are imported only when they run, so that `otsrw --help` answers at once.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import re
import sys
import threading
from typing import Any, NoReturn

from otsrw import __version__
from otsrw.cli import exits
from otsrw.cli.arguments import ARGUMENTS
from otsrw.cli.options import add_common_options
from otsrw.cli.threads import requests

_COMMANDS = {
    "run": "run specifications and proof scores, as CafeOBJ's batch mode does",
    "repl": "an interactive session",
    "ots": "what otsrw understood of a specification: observers, transitions, invariants, entities",
    "check": "does a specification mean one thing: order, termination, completeness, protection, equality",
    "translate": "the Maude module of an OTS for given entities",
    "search": "bounded search for a violation of an invariant, in Maude",
    "test": "does the whole project still hold: every expectation of its files",
    "simulate": "random runs, deep and cheap, with invariants checked along the way",
    "lemmas": "split the induction cases of an invariant and show its necessary lemmas",
    "prove": "invariants by induction with given lemmas: no search, no entities; reads input for IPSG, too",
    "igf": "induction-guided falsification: a counterexample, a proof score, or what is open",
    "convert": "a proof score as a script for CiMPA, a script for CITP or CiMPA as a proof score",
    "simplify": "show where a counterexample is decided, in a specification or an .aut file",
    "explore": "step through the runs of a specification, or through its counterexamples",
    "classify": "a few constraints that together describe all counterexamples of a specification or .aut file",
    "format": "tidy a specification, and write the frame equations that it leaves out into it",
    "new": "write a commented specification to start from",
    "examples": "the specifications that come with otsrw: list them, explain one, copy them",
    "lsp": "the language server for editors, on standard input and output",
    "cluster": "start workers on this machine, for --cluster of search, igf and prove",
    "completion": "print a completion script for a shell",
    "demo": "find the attack on a bundled specification, NSPK or iKP, by induction-guided falsification",
}


_EPILOG = (
    "Exit codes: 0 holds or ran clean, 2 usage, 3 unknown (budget, bound, time),"
    " 4 verified under --assume, 12 violated or unexpected result,"
    " 13 liveness violated, 75 does not evaluate, 130 interrupted, 150 error in a file, 255 internal error."
)


class _Formatter(argparse.HelpFormatter):
    """Argparse makes one for every option it is given, and imports `shutil` to learn the width of the terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """The width of the terminal, 80 if there is none; the variable COLUMNS outweighs it."""
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80


class _Parser(argparse.ArgumentParser):
    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=_Formatter, **settings)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and end with 2; an option with a slip in it is corrected."""
        found = re.match(r"unrecognized arguments: .*?(-[^\s=]+)", message)
        if found is None:
            super().error(message)
        from otsrw.syntax.diagnostics import did_you_mean

        hint = did_you_mean(found[1], self._option_string_actions) or f"'{self.prog} --help' lists the options"
        self.print_usage(sys.stderr)
        self.exit(exits.USAGE, f"{self.prog}: there is no option '{found[1]}'; {hint}\n")


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    top = _Parser(
        prog="otsrw",
        description="CafeOBJ specifications of observational transition systems: run them fast, with evidence.",
        epilog=_EPILOG,
    )
    top.add_argument("--version", action="version", version=f"otsrw {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, prog="otsrw")
    for name, summary in _COMMANDS.items():
        _add_arguments(name, commands.add_parser(name, help=summary, description=_description(name)))
    return top


def command_parser(name: str) -> argparse.ArgumentParser:
    """The parser of the words behind the name of a command: it is made sooner than the parser of all commands."""
    command = _Parser(prog=f"otsrw {name}", description=_description(name))
    command.set_defaults(command=name)
    _add_arguments(name, command)
    return command


def _description(name: str) -> str:
    summary = _COMMANDS[name]
    return summary[0].upper() + summary[1:] + "."


def _add_arguments(name: str, command: argparse.ArgumentParser) -> None:
    add_common_options(command)
    ARGUMENTS[name](command)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if not words or not (words[0] in _COMMANDS or words[0].startswith("-")):
        return _no_command(words)
    try:
        options = _parsed(words)
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        command = importlib.import_module(f"otsrw.cli.{options.command}")
        return int(command.execute(options))
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return exits.INTERRUPTED
    except BrokenPipeError:
        _quiet_stdout()
        return exits.HOLDS
    except Exception as error:
        if options.debug:
            import traceback

            traceback.print_exc()
        print(f"otsrw: internal error: {type(error).__name__}: {error}", file=sys.stderr)
        print("This is a defect of otsrw; run again with --debug and report what it prints.", file=sys.stderr)
        return exits.INTERNAL


def _parsed(words: list[str]) -> argparse.Namespace:
    if words[0] in _COMMANDS:
        return command_parser(words[0]).parse_args(words[1:])
    return parser().parse_args(words)


def _no_command(words: list[str]) -> int:
    """Somebody who does not know the commands yet, or mistyped one."""
    if not words:
        parser().print_help(sys.stderr)
        return exits.USAGE
    from otsrw.syntax.diagnostics import did_you_mean

    parser().print_usage(sys.stderr)
    hint = did_you_mean(words[0], _COMMANDS) or "otsrw --help lists the commands"
    print(f"otsrw: no such command: {words[0]!r}; {hint}", file=sys.stderr)
    return exits.USAGE


def _quiet_stdout() -> None:
    """The reader of our output went away: do not complain when Python flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_STACK_SIZES = (1 << 29, 1 << 28, 1 << 26)


def run() -> None:
    """The console script: the command runs in a thread with a deep stack, and Ctrl-C reaches it there."""
    gc.set_threshold(1_000_000, 20, 20)  # terms hold no cycles: looking for them rarely saves a tenth of the time
    codes: list[int] = []

    def work() -> None:
        try:
            codes.append(main())
        finally:
            requests.put(None)

    thread = threading.Thread(target=work, daemon=True)
    for size in _STACK_SIZES:
        try:
            threading.stack_size(size)
            thread.start()
            break
        except (ValueError, RuntimeError):
            thread = threading.Thread(target=work, daemon=True)
    else:
        sys.exit(main())
    waiting = True
    while waiting:
        try:
            task = requests.get()
            if task is not None:
                task()
            waiting = task is not None
        except KeyboardInterrupt:
            if thread.ident is not None:
                import ctypes

                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(thread.ident), ctypes.py_object(KeyboardInterrupt)
                )
    sys.stdout.flush()
    gc.freeze()  # Python looks for cycles when it ends; there is nothing worth finding any more
    sys.exit(codes[0] if codes else exits.INTERNAL)
