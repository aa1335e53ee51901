"""What each command takes on the command line, besides the options that all have."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from otsrw.cli.options import (
    add_count,
    add_dialect,
    add_given,
    add_graph,
    add_lasts,
    add_match,
    add_picture,
    add_policy,
    add_proof,
    add_proving_policy,
    add_shown_run,
    add_specification,
    add_temporal,
    natural,
    positive_int,
)

USUAL_WORK = 2_500_000
"""Reductions of a run of igf that is given neither `--max-work` nor `--timeout`: about a minute."""


def _run_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "files", nargs="+", metavar="FILE", help="files to load in order into one session; - is standard input"
    )
    command.add_argument(
        "--expect", metavar="RESULT", help="exit 12 and list every red that gives something else, and open goals"
    )
    add_dialect(command)
    command.add_argument("--html", metavar="F", help="write the trees of the proofs (:goal ...) as a page")
    command.add_argument("--trace", action="store_true", help="show each rewrite step: rule, substitution, place")


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
    add_dialect(command)


def _repl_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", nargs="*", metavar="FILE", help="files to load first")


def _ots_arguments(command: argparse.ArgumentParser) -> None:
    add_specification(command, invariant=False)


def _check_arguments(command: argparse.ArgumentParser) -> None:
    add_specification(command)
    command.add_argument(
        "--depth",
        type=natural,
        metavar="N",
        help="look for what never happens within N steps; with --with alone: in all states, or as deep as they are few",
    )
    command.add_argument("--all", action="store_true", help="show what is proved, too, and how")
    command.add_argument("--proof", metavar="F", help="write the joined critical pairs as proof passages for CafeOBJ")
    command.add_argument(
        "--score", action="store_true", help="FILE is a proof score: check that its passages leave no case out, too"
    )


def _translate_arguments(command: argparse.ArgumentParser) -> None:
    add_specification(command)
    command.add_argument("-o", "--output", metavar="F", help="write the module to a file")


def _search_arguments(command: argparse.ArgumentParser) -> None:
    add_specification(command, several=True, takes_all=True)
    add_count(command)
    command.add_argument("--depth", type=natural, default=5, metavar="N", help="steps from an initial state (5)")
    command.add_argument("--memory", type=positive_int, metavar="MB", help="stop when Maude takes more (exit 3)")
    command.add_argument(
        "--symmetry",
        action="store_true",
        help="one state for all that differ by a renaming of interchangeable entities",
    )
    command.add_argument("--jobs", type=positive_int, metavar="N", help="divide the work among N Maude processes")
    command.add_argument(
        "--cluster", metavar="ADDRESS", help="divide it among the workers of a cluster, such as tcp://127.0.0.1:8786"
    )
    command.add_argument(
        "--compact", action="store_true", help="keep 16 bytes of each state: much less memory, more time"
    )
    command.add_argument(
        "--uncounted", action="store_true", help="with --jobs or --cluster: leave states uncounted, which is faster"
    )
    add_shown_run(command, "the verdict and the counterexample")


def _test_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "paths", nargs="*", metavar="FILE", help="specifications, or folders with them and otsrw.toml (this folder)"
    )
    command.add_argument("--jobs", type=positive_int, default=1, metavar="N", help="cases at a time (1)")
    command.add_argument("--changed", action="store_true", help="run only what has changed since it passed, by content")
    command.add_argument("--slow", action="store_true", help="run the cases that are marked as slow, too")
    command.add_argument("--watch", action="store_true", help="run again whenever a file is saved, until Ctrl-C")
    command.add_argument("--junit", metavar="F", help="write the results as JUnit XML")


def _simulate_arguments(command: argparse.ArgumentParser) -> None:
    add_specification(command, invariant=False)
    command.add_argument(
        "--inv", metavar="NAME", help="the invariant, or all (default: those the file names, else every candidate)"
    )
    command.add_argument("--runs", type=positive_int, default=100, metavar="K", help="number of runs (100)")
    command.add_argument("--steps", type=natural, default=100, metavar="N", help="steps of a run at most (100)")
    add_shown_run(command, "the counts and the counterexample")


def _simplify_arguments(command: argparse.ArgumentParser) -> None:
    add_specification(command)
    add_graph(command)
    command.add_argument("--inev", metavar="A,B", help="labels that have to occur in this order on every maximal trace")
    add_temporal(command)
    add_match(command)
    command.add_argument(
        "--incoming",
        choices=("all", "some"),
        default="all",
        help="how many transitions into a neighbourhood are neutral: all (the paper) or some (its tool)",
    )
    command.add_argument("--pattern", metavar="A,B", help="show runs on which these labels occur in this order")
    add_given(command)
    command.add_argument(
        "--why",
        action="store_true",
        help="which events of the counterexample need which, and what would have prevented it",
    )
    command.add_argument(
        "--runs", action="store_true", help="count the shortest counterexamples, and show those that really differ"
    )
    add_lasts(command)
    command.add_argument("--show-prefixes", action="store_true", help="show prefixes and suffixes of every state")
    command.add_argument("--html", metavar="F", help="draw the counterexample and what lies around it on a page")
    add_picture(command)
    command.add_argument("--dot", metavar="F", help="write the coloured system for Graphviz")
    command.add_argument("--autx", metavar="F", help="write the coloured system in the format of CLEAR")
    command.add_argument("--itf", metavar="F", help="write the counterexample as an ITF trace")


def _explore_arguments(command: argparse.ArgumentParser) -> None:
    add_specification(command)
    add_graph(command)
    command.add_argument("--inev", metavar="A,B", help="explore runs on which these labels do not occur in this order")
    add_temporal(command)
    add_match(command)
    add_given(command)
    add_picture(command)
    command.add_argument("--web", action="store_true", help="serve a page on this machine, for its own users only")
    command.add_argument("--port", type=natural, default=8765, metavar="N", help="of --web; 0: one that is free (8765)")
    command.add_argument("--script", metavar="CMDS", help="run verbs without a terminal: 'forward; pick In; look'")
    command.add_argument("--itf", metavar="F", help="write the run on display at the end as an ITF trace")


def _classify_arguments(command: argparse.ArgumentParser) -> None:
    add_specification(command)
    command.add_argument("--depth", type=natural, default=5, metavar="K", help="steps of a counterexample at most (5)")
    command.add_argument(
        "--max-states", type=positive_int, default=50_000, metavar="N", help="expand no more when there are so many"
    )
    command.add_argument("--inev", metavar="A,B", help="classify runs on which these labels do not occur in this order")
    add_temporal(command)
    add_match(command)
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
    add_lasts(command)
    command.add_argument(
        "--engine", choices=("explicit", "z3"), default="explicit", help="enumeration with counts, or z3 (explicit)"
    )
    command.add_argument("--html", metavar="F", help="write the classes with their traces as a self-contained page")
    add_picture(command)


def _lemmas_arguments(command: argparse.ArgumentParser) -> None:
    add_specification(command)
    add_policy(command)


def _igf_arguments(command: argparse.ArgumentParser) -> None:
    add_specification(command, takes_all=True)
    add_count(command)
    add_policy(command)
    command.add_argument(
        "--depth", type=natural, metavar="N", help="depth of the bounded search (3, less if there are many states)"
    )
    command.add_argument(
        "--max-cases", type=positive_int, default=8000, metavar="N", help="induction cases to look at (8000)"
    )
    command.add_argument(
        "--max-work",
        type=positive_int,
        metavar="N",
        help=f"reductions that induction may take ({USUAL_WORK}; with --timeout as many as there is time for)",
    )
    command.add_argument(
        "--state", metavar="F", help="keep the lemmas in a file as they are found, and go on with those that are there"
    )
    command.add_argument("--no-strengthen", action="store_true", help="necessary lemmas only, as in the paper")
    add_proof(command)
    command.add_argument("--html", metavar="F", help="write a report as a self-contained page")
    add_picture(command)
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
    add_proving_policy(command)
    add_proof(command)
    command.add_argument("--html", metavar="F", help="write the goals and their open cases as a self-contained page")


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
    command.add_argument("--workers", type=positive_int, default=2, metavar="N", help="worker processes (2)")
    command.add_argument(
        "--memory", type=positive_int, default=1000, metavar="MB", help="of each worker, without its Maude (1000)"
    )
    command.add_argument("--port", type=natural, default=0, metavar="P", help="where it listens (0: a free port)")


def _completion_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")


def _no_arguments(_: argparse.ArgumentParser) -> None:
    """Only the common options."""


def _demo_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("story", nargs="?", choices=["nspk", "ikp"], default="nspk", help="the protocol (%(default)s)")
    command.add_argument("--html", metavar="F", default="otsrw-demo.html", help="where the report goes (%(default)s)")


ARGUMENTS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
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
