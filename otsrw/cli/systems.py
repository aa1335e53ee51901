"""What `simplify`, `explore` and `classify` have in common: options that say which system is meant, and what of it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from otsrw.application import Explored
from otsrw.application.loading import STANDARD_INPUT
from otsrw.application.systems import System, is_specification
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame
from otsrw.report.console import Console
from otsrw.syntax.source import Source
from otsrw.traces.claims import Claim
from otsrw.traces.formats import load_text
from otsrw.traces.matching import Match, split_labels

if TYPE_CHECKING:
    from otsrw.traces.given import GivenRun


def means_specification(options: argparse.Namespace) -> bool:
    """Is the file a specification? Standard input is one if an option needs one."""
    if options.file == STANDARD_INPUT:
        return bool(options.inv or options.module or options.entities or options.depth is not None)
    return is_specification(options.file)


def wrong_use(options: argparse.Namespace) -> str | None:
    """What is wrong with the options that say what to look at; None if nothing is."""
    if sum(given is not None for given in (options.inev, options.inv, options.ltl)) > 1:
        return "give one of --inv, --inev and --ltl"
    if options.fair is not None and options.ltl is None:
        return "--fair needs --ltl"
    if getattr(options, "trace", None) is not None and options.prefix is not None:
        return "give one of --trace and --prefix"
    lasts, depth = getattr(options, "lasts", None), options.depth
    if lasts and depth is not None and lasts <= depth:
        return f"--lasts {lasts} is no larger bound than --depth {depth}"
    if options.inv is not None and not means_specification(options):
        return "--inv needs a specification (.cafe, .mod)"
    return None


def given_run(options: argparse.Namespace) -> GivenRun | None:
    """The run that the user brings, in a file or on the command line; None if there is none."""
    if options.trace is None and options.prefix is None:
        return None
    from otsrw.traces.formats.given import read_given

    if options.trace is not None:
        return read_given(load_text(Path(options.trace), options.trace))
    return read_given(Source("--prefix", options.prefix))


def complained(options: argparse.Namespace, wrong: str) -> int:
    """Say what is wrong with the options; the exit code."""
    Console(json=options.json, quiet=options.quiet, verbose=options.verbose).complain(wrong)
    return exits.USAGE


def claim_of(options: argparse.Namespace) -> Claim:
    """What the options claim; an invariant that only the file names is not known yet."""
    labels = () if options.inev is None else split_labels(options.inev)
    fair = () if options.fair is None else split_labels(options.fair)
    return Claim(labels, options.inv, options.ltl, fair)


def system_of(frame: CommandFrame, property_needed: bool) -> System:
    """The system in an .aut file, or the graph of a specification, for the file's invariant if a property is needed."""
    options = frame.options
    claim, match = claim_of(options), Match(options.match)
    if not means_specification(options):
        return System.read(options.file, claim, match, frame.console.problem)
    return System.of(explored(frame, bool(options.inv) or (property_needed and not claim)), claim, match)


def explored(frame: CommandFrame, invariant_needed: bool) -> Explored:
    """The graph of the specification, with a warning if states were left out."""
    options = frame.options
    instantiated = frame.instantiated()
    invariant = instantiated.invariant(options.inv) if invariant_needed else None
    with frame.progress() as view:
        view.task("the graph")
        found = instantiated.explored(invariant, options.depth, options.max_states, view.graph_progress)
    if found.left_out is not None:
        frame.console.problem(found.left_out)
    return found
