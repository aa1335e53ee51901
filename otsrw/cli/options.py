"""Options that several commands take, and what their values may be."""

from __future__ import annotations

import argparse

COMMON = "common options"


def add_common_options(command: argparse.ArgumentParser) -> None:
    common = command.add_argument_group(COMMON)
    common.add_argument("--json", action="store_true", help="print one JSON document on standard output")
    common.add_argument("--timeout", type=positive_float, metavar="SECONDS", help="stop after this time (exit 3)")
    common.add_argument("--max-rewrites", type=positive_int, metavar="N", help="rewrites one reduction may take")
    common.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of random runs (simulate); all else is not random"
    )
    common.add_argument("--portable", action="store_true", help="what CafeOBJ does not accept is an error")
    common.add_argument("-q", "--quiet", action="store_true", help="print only problems and the verdict")
    common.add_argument("-v", "--verbose", action="store_true", help="print notes about ignored switches, too")
    common.add_argument("--debug", action="store_true", help="show a traceback for an internal error")


def positive_float(text: str) -> float:
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError("must be greater than 0")
    return value


def positive_int(text: str) -> int:
    value = int(text.replace("_", ""))
    if value <= 0:
        raise argparse.ArgumentTypeError("must be greater than 0")
    return value


def natural(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return value


def add_specification(
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


def add_dialect(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--dialect",
        choices=("citp", "cimpa"),
        help="whose proof scripts (:goal ...) these are; without it the commands of each file tell",
    )


def add_count(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--count",
        type=natural,
        default=300,
        metavar="N",
        help="count in so many states how often transitions are enabled and taken; 0: do not (300)",
    )


def add_graph(command: argparse.ArgumentParser) -> None:
    command.add_argument("--depth", type=natural, metavar="N", help="steps from an initial state (no limit)")
    command.add_argument(
        "--max-states", type=positive_int, default=50_000, metavar="N", help="expand no more when there are so many"
    )


def add_temporal(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--ltl", metavar="FORMULA", help="a formula over observers and events, as in '[] (try(p1) -> <> pc(p1) = cs)'"
    )
    command.add_argument(
        "--fair", metavar="A,B", help="with --ltl: only runs on which these events happen if they stay possible"
    )


def add_lasts(command: argparse.ArgumentParser) -> None:
    """A larger bound to try."""
    command.add_argument(
        "--lasts",
        type=natural,
        nargs="?",
        const=0,
        metavar="BOUND",
        help="try the result with so many steps, or with as many as --max-states allows, and say what stays true",
    )


def add_picture(command: argparse.ArgumentParser) -> None:
    """The state picture on a page."""
    command.add_argument("--picture", metavar="F", help="an SVG bound to observers for the page (FILE.svg if there)")


def add_shown_run(command: argparse.ArgumentParser, page: str) -> None:
    """How a counterexample is shown; `page` is what the page has."""
    command.add_argument("--chart", action="store_true", help="show the counterexample as a sequence chart, too")
    command.add_argument("--full", action="store_true", help="show all observers at every step, not what changed")
    command.add_argument("--html", metavar="F", help=f"write a page with {page}")
    add_picture(command)
    command.add_argument("--itf", metavar="F", help="write the counterexample as an ITF trace")


def add_match(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--match",
        choices=("exact", "prefix", "regex"),
        default="exact",
        help="how names are compared with labels; a regular expression has to match a whole label",
    )


def add_given(command: argparse.ArgumentParser) -> None:
    """A run that the user brings."""
    command.add_argument(
        "--trace", metavar="F", help="a counterexample to look at: an ITF trace, one event a line, or a path in .aut"
    )
    command.add_argument("--prefix", metavar="EVENTS", help="how the run begins: 'send1(p1,intr); fake1'")


def add_policy(command: argparse.ArgumentParser) -> None:
    _add_policy(command, "conditions-first")


def add_proving_policy(command: argparse.ArgumentParser) -> None:
    _add_policy(command, "shorter", "shorter")


def _add_policy(command: argparse.ArgumentParser, default: str, *more: str) -> None:
    command.add_argument(
        "--policy",
        choices=("conditions-first", "goal-first", *more),
        default=default,
        help=f"which atom a case is split on ({default})",
    )


def add_proof(command: argparse.ArgumentParser) -> None:
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
    command.add_argument("--jobs", type=positive_int, default=1, metavar="N", help="processes for induction cases (1)")
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
