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
from collections.abc import Callable
from typing import Any, NoReturn

from otsrw import __version__
from otsrw.cli import exits
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

COMMON = "common options"

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
    _ARGUMENTS[name](command)


def add_common_options(command: argparse.ArgumentParser) -> None:
    common = command.add_argument_group(COMMON)
    common.add_argument("--json", action="store_true", help="print one JSON document on standard output")
    common.add_argument("--timeout", type=_positive_float, metavar="SECONDS", help="stop after this time (exit 3)")
    common.add_argument("--max-rewrites", type=_positive_int, metavar="N", help="rewrites one reduction may take")
    common.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of random runs (simulate); all else is not random"
    )
    common.add_argument("--portable", action="store_true", help="what CafeOBJ does not accept is an error")
    common.add_argument("-q", "--quiet", action="store_true", help="print only problems and the verdict")
    common.add_argument("-v", "--verbose", action="store_true", help="print notes about ignored switches, too")
    common.add_argument("--debug", action="store_true", help="show a traceback for an internal error")


def _positive_float(text: str) -> float:
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError("must be greater than 0")
    return value


def _positive_int(text: str) -> int:
    value = int(text.replace("_", ""))
    if value <= 0:
        raise argparse.ArgumentTypeError("must be greater than 0")
    return value


def _natural(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return value


def _run_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "files", nargs="+", metavar="FILE", help="files to load in order into one session; - is standard input"
    )
    command.add_argument(
        "--expect", metavar="RESULT", help="exit 12 and list every red that gives something else, and open goals"
    )
    _add_dialect(command)
    command.add_argument("--html", metavar="F", help="write the trees of the proofs (:goal ...) as a page")
    command.add_argument("--trace", action="store_true", help="show each rewrite step: rule, substitution, place")


def _add_dialect(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--dialect",
        choices=("citp", "cimpa"),
        help="whose proof scripts (:goal ...) these are; without it the commands of each file tell",
    )


def _convert_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "files", nargs="+", metavar="FILE", help="the specification, then proof scores or scripts; - is standard input"
    )
    command.add_argument(
        "--as",
        dest="form",
        choices=("cimpa", "score"),
        required=True,
        help="cimpa: the passages of proof scores become a script; score: a script becomes passages",
    )
    command.add_argument("--id", metavar="NAME", help="only the passages that are marked with :id(NAME)")
    command.add_argument("-o", "--output", metavar="F", help="write to a file")
    _add_dialect(command)


def _repl_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", nargs="*", metavar="FILE", help="files to load first")


def _add_specification(
    command: argparse.ArgumentParser,
    invariant: bool = True,
    entities: bool = True,
    several: bool = False,
    takes_all: bool = False,
) -> None:
    if several:
        command.add_argument("files", nargs="+", metavar="FILE", help="specifications; - is standard input")
    else:
        command.add_argument("file", metavar="FILE", help="the specification; - is standard input")
    command.add_argument("--module", metavar="M", help="the module of the OTS (default: the last one that has one)")
    if entities:
        command.add_argument(
            "--with",
            dest="entities",
            action="append",
            default=[],
            metavar="SORT=a,b",
            help="the entities of a sort: names, or a number of them (search: also a range, 2..4; search and igf: "
            "'enough', as many as the depth needs); may be repeated",
        )
    if invariant:
        which = ", or all" if takes_all else ""
        command.add_argument("--inv", metavar="NAME", help=f"the invariant{which} (default: the one the file names)")


def _ots_arguments(command: argparse.ArgumentParser) -> None:
    _add_specification(command, invariant=False)


def _check_arguments(command: argparse.ArgumentParser) -> None:
    _add_specification(command)
    command.add_argument(
        "--depth",
        type=_natural,
        metavar="N",
        help="look for what never happens within N steps; with --with alone: in all states, or as deep as they are few",
    )
    command.add_argument("--all", action="store_true", help="show what is proved, too, and how")
    command.add_argument("--proof", metavar="F", help="write the joined critical pairs as proof passages for CafeOBJ")
    command.add_argument(
        "--score", action="store_true", help="FILE is a proof score: check that its passages leave no case out, too"
    )


def _translate_arguments(command: argparse.ArgumentParser) -> None:
    _add_specification(command)
    command.add_argument("-o", "--output", metavar="F", help="write the module to a file")


def _add_count(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--count",
        type=_natural,
        default=300,
        metavar="N",
        help="count in so many states how often transitions are enabled and taken; 0: do not (300)",
    )


def _search_arguments(command: argparse.ArgumentParser) -> None:
    _add_specification(command, several=True, takes_all=True)
    _add_count(command)
    command.add_argument("--depth", type=_natural, default=5, metavar="N", help="steps from an initial state (5)")
    command.add_argument("--memory", type=_positive_int, metavar="MB", help="stop when Maude takes more (exit 3)")
    command.add_argument(
        "--symmetry",
        action="store_true",
        help="one state for all that differ by a renaming of interchangeable entities",
    )
    command.add_argument("--jobs", type=_positive_int, metavar="N", help="divide the work among N Maude processes")
    command.add_argument(
        "--cluster", metavar="ADDRESS", help="divide it among the workers of a cluster, such as tcp://127.0.0.1:8786"
    )
    command.add_argument(
        "--compact", action="store_true", help="keep 16 bytes of each state: much less memory, more time"
    )
    command.add_argument(
        "--uncounted", action="store_true", help="with --jobs or --cluster: leave states uncounted, which is faster"
    )
    command.add_argument("--chart", action="store_true", help="show the counterexample as a sequence chart, too")
    command.add_argument("--full", action="store_true", help="show all observers at every step, not what changed")
    command.add_argument("--html", metavar="F", help="write a page with the verdict and the counterexample")
    _add_picture(command)
    command.add_argument("--itf", metavar="F", help="write the counterexample as an ITF trace")


def _test_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "paths", nargs="*", metavar="FILE", help="specifications, or folders with them and otsrw.toml (this folder)"
    )
    command.add_argument("--jobs", type=_positive_int, default=1, metavar="N", help="cases at a time (1)")
    command.add_argument("--changed", action="store_true", help="run only what has changed since it passed, by content")
    command.add_argument("--slow", action="store_true", help="run the cases that are marked as slow, too")
    command.add_argument("--watch", action="store_true", help="run again whenever a file is saved, until Ctrl-C")
    command.add_argument("--junit", metavar="F", help="write the results as JUnit XML")


def _simulate_arguments(command: argparse.ArgumentParser) -> None:
    _add_specification(command, invariant=False)
    command.add_argument(
        "--inv", metavar="NAME", help="the invariant, or all (default: those the file names, else every candidate)"
    )
    command.add_argument("--runs", type=_positive_int, default=100, metavar="K", help="number of runs (100)")
    command.add_argument("--steps", type=_natural, default=100, metavar="N", help="steps of a run at most (100)")
    command.add_argument("--chart", action="store_true", help="show the counterexample as a sequence chart, too")
    command.add_argument("--full", action="store_true", help="show all observers at every step, not what changed")
    command.add_argument("--html", metavar="F", help="write a page with the counts and the counterexample")
    _add_picture(command)
    command.add_argument("--itf", metavar="F", help="write the counterexample as an ITF trace")


def _add_graph(command: argparse.ArgumentParser) -> None:
    command.add_argument("--depth", type=_natural, metavar="N", help="steps from an initial state (no limit)")
    command.add_argument(
        "--max-states", type=_positive_int, default=50_000, metavar="N", help="expand no more when there are so many"
    )


def _add_temporal(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--ltl", metavar="FORMULA", help="a formula over observers and events, as in '[] (try(p1) -> <> pc(p1) = cs)'"
    )
    command.add_argument(
        "--fair", metavar="A,B", help="with --ltl: only runs on which these events happen if they stay possible"
    )


def _simplify_arguments(command: argparse.ArgumentParser) -> None:
    _add_specification(command)
    _add_graph(command)
    command.add_argument("--inev", metavar="A,B", help="labels that have to occur in this order on every maximal trace")
    _add_temporal(command)
    command.add_argument(
        "--match",
        choices=("exact", "prefix", "regex"),
        default="exact",
        help="how names are compared with labels; a regular expression has to match a whole label",
    )
    command.add_argument(
        "--incoming",
        choices=("all", "some"),
        default="all",
        help="how many transitions into a neighbourhood are neutral: all (the paper) or some (its tool)",
    )
    command.add_argument("--pattern", metavar="A,B", help="show runs on which these labels occur in this order")
    _add_given(command)
    command.add_argument(
        "--why",
        action="store_true",
        help="which events of the counterexample need which, and what would have prevented it",
    )
    command.add_argument(
        "--runs", action="store_true", help="count the shortest counterexamples, and show those that really differ"
    )
    _add_lasts(command)
    command.add_argument("--show-prefixes", action="store_true", help="show prefixes and suffixes of every state")
    command.add_argument("--html", metavar="F", help="draw the counterexample and what lies around it on a page")
    _add_picture(command)
    command.add_argument("--dot", metavar="F", help="write the coloured system for Graphviz")
    command.add_argument("--autx", metavar="F", help="write the coloured system in the format of CLEAR")
    command.add_argument("--itf", metavar="F", help="write the counterexample as an ITF trace")


def _add_lasts(command: argparse.ArgumentParser) -> None:
    """A larger bound to try."""
    command.add_argument(
        "--lasts",
        type=_natural,
        nargs="?",
        const=0,
        metavar="BOUND",
        help="try the result with so many steps, or with as many as --max-states allows, and say what stays true",
    )


def _add_picture(command: argparse.ArgumentParser) -> None:
    """The state picture on a page."""
    command.add_argument("--picture", metavar="F", help="an SVG bound to observers for the page (FILE.svg if there)")


def _add_given(command: argparse.ArgumentParser) -> None:
    """A run that the user brings."""
    command.add_argument(
        "--trace", metavar="F", help="a counterexample to look at: an ITF trace, one event a line, or a path in .aut"
    )
    command.add_argument("--prefix", metavar="EVENTS", help="how the run begins: 'send1(p1,intr); fake1'")


def _explore_arguments(command: argparse.ArgumentParser) -> None:
    _add_specification(command)
    _add_graph(command)
    command.add_argument("--inev", metavar="A,B", help="explore runs on which these labels do not occur in this order")
    _add_temporal(command)
    command.add_argument(
        "--match", choices=("exact", "prefix", "regex"), default="exact", help="how names are compared with labels"
    )
    _add_given(command)
    _add_picture(command)
    command.add_argument("--web", action="store_true", help="serve a page on this machine, for its own users only")
    command.add_argument(
        "--port", type=_natural, default=8765, metavar="N", help="of --web; 0: one that is free (8765)"
    )
    command.add_argument("--script", metavar="CMDS", help="run verbs without a terminal: 'forward; pick In; look'")
    command.add_argument("--itf", metavar="F", help="write the run on display at the end as an ITF trace")


def _classify_arguments(command: argparse.ArgumentParser) -> None:
    _add_specification(command)
    command.add_argument("--depth", type=_natural, default=5, metavar="K", help="steps of a counterexample at most (5)")
    command.add_argument(
        "--max-states", type=_positive_int, default=50_000, metavar="N", help="expand no more when there are so many"
    )
    command.add_argument("--inev", metavar="A,B", help="classify runs on which these labels do not occur in this order")
    _add_temporal(command)
    command.add_argument(
        "--match", choices=("exact", "prefix", "regex"), default="exact", help="how names are compared with labels"
    )
    command.add_argument(
        "--predicates", action="append", default=[], metavar="P", help="a file with predicates on states; repeatable"
    )
    command.add_argument("--only", action="store_true", help="make facts of these predicates alone, without = and <")
    command.add_argument(
        "--show", action="append", default=[], metavar="VAR", help="an observer of the invariant that facts may mention"
    )
    command.add_argument(
        "--hide", action="append", default=[], metavar="VAR", help="an observer that facts may not mention; repeatable"
    )
    command.add_argument(
        "--relations",
        action="store_true",
        help="facts may say that two values are the same, or one is made by the other",
    )
    command.add_argument(
        "--symmetry", action="store_true", help="one class for those that differ only in interchangeable entities"
    )
    _add_lasts(command)
    command.add_argument(
        "--engine", choices=("explicit", "z3"), default="explicit", help="enumeration with counts, or z3 (explicit)"
    )
    command.add_argument("--html", metavar="F", help="write the classes with their traces as a self-contained page")
    _add_picture(command)


def _add_policy(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--policy",
        choices=("conditions-first", "goal-first"),
        default="conditions-first",
        help="which atom a case is split on (conditions-first)",
    )


def _lemmas_arguments(command: argparse.ArgumentParser) -> None:
    _add_specification(command)
    _add_policy(command)


def _igf_arguments(command: argparse.ArgumentParser) -> None:
    _add_specification(command, takes_all=True)
    _add_count(command)
    _add_policy(command)
    command.add_argument(
        "--depth", type=_natural, metavar="N", help="depth of the bounded search (3, less if there are many states)"
    )
    command.add_argument(
        "--max-cases", type=_positive_int, default=8000, metavar="N", help="induction cases to look at (8000)"
    )
    command.add_argument(
        "--state", metavar="F", help="keep the lemmas in a file as they are found, and go on with those that are there"
    )
    command.add_argument("--no-strengthen", action="store_true", help="necessary lemmas only, as in the paper")
    _add_proof(command)
    command.add_argument("--html", metavar="F", help="write a report as a self-contained page")
    _add_picture(command)
    command.add_argument("--itf", metavar="F", help="write the counterexample as an ITF trace")
    command.add_argument("--chart", action="store_true", help="show the counterexample as a sequence chart, too")
    command.add_argument("--full", action="store_true", help="show all lemmas, and all observers at every step")


def _prove_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "files", nargs="+", metavar="FILE", help="files to load in order into one session; - is standard input"
    )
    command.add_argument("--module", metavar="M", help="the module of the OTS (default: the last one that has one)")
    command.add_argument(
        "--inv", action="append", default=[], metavar="NAME", help="an invariant to prove, or all; may be repeated"
    )
    _add_policy(command)
    _add_proof(command)
    command.add_argument("--html", metavar="F", help="write the goals and their open cases as a self-contained page")


def _add_proof(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--lemma", action="append", default=[], metavar="NAME", help="a predicate of the file to prove and use, or '*'"
    )
    command.add_argument(
        "--assume",
        action="append",
        default=[],
        choices=("order", "terminating", "complete", "protected", "equality"),
        help="take on trust what 'otsrw check' leaves open of this kind (exit 4); may be repeated",
    )
    command.add_argument("--jobs", type=_positive_int, default=1, metavar="N", help="processes for induction cases (1)")
    command.add_argument(
        "--cluster", metavar="ADDRESS", help="the workers of a cluster for them, such as tcp://127.0.0.1:8786"
    )
    command.add_argument("--proof", metavar="F", help="write the proof score of what is verified")
    command.add_argument(
        "--as",
        dest="form",
        choices=("score", "citp", "cimpa"),
        default="score",
        help="what --proof writes: a proof score, or a script for CITP (CafeOBJ) or CiMPA (CafeInMaude)",
    )
    command.add_argument("--check-with", choices=("cafeobj",), help="have CafeOBJ check the proof score, too")


def _format_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="the specification, which is changed")
    command.add_argument("--frames", action="store_true", help="write equations for what transitions leave unchanged")
    command.add_argument("--check", action="store_true", help="change nothing; exit 12 if something would be changed")
    command.add_argument("-o", "--output", metavar="F", help="write to another file")


def _new_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", help="NAME.cafe is written, with the module NAME in capitals")
    command.add_argument(
        "--with-library", action="store_true", help="one that uses the data library, with copies of what it loads"
    )


def _examples_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", nargs="?", metavar="NAME", help="one example; without it, all")
    command.add_argument("--copy", metavar="FOLDER", help="copy the example, or all, with the files they load")


def _cluster_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--workers", type=_positive_int, default=2, metavar="N", help="worker processes (2)")
    command.add_argument(
        "--memory", type=_positive_int, default=1000, metavar="MB", help="of each worker, without its Maude (1000)"
    )
    command.add_argument("--port", type=_natural, default=0, metavar="P", help="where it listens (0: a free port)")


def _completion_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")


def _no_arguments(_: argparse.ArgumentParser) -> None:
    """Only the common options."""


def _demo_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("story", nargs="?", choices=["nspk", "ikp"], default="nspk", help="the protocol (%(default)s)")
    command.add_argument("--html", metavar="F", default="otsrw-demo.html", help="where the report goes (%(default)s)")


_ARGUMENTS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "run": _run_arguments,
    "repl": _repl_arguments,
    "ots": _ots_arguments,
    "check": _check_arguments,
    "translate": _translate_arguments,
    "search": _search_arguments,
    "test": _test_arguments,
    "simulate": _simulate_arguments,
    "lemmas": _lemmas_arguments,
    "prove": _prove_arguments,
    "igf": _igf_arguments,
    "convert": _convert_arguments,
    "simplify": _simplify_arguments,
    "explore": _explore_arguments,
    "classify": _classify_arguments,
    "format": _format_arguments,
    "new": _new_arguments,
    "examples": _examples_arguments,
    "lsp": _no_arguments,
    "cluster": _cluster_arguments,
    "completion": _completion_arguments,
    "demo": _demo_arguments,
}


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
    gc.set_threshold(200_000, 20, 20)  # terms hold no cycles: looking for them rarely saves a tenth of the time
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
