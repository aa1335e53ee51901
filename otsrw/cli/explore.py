"""`otsrw explore FILE [--inv I]`: an application on a terminal, or with `--web` a page; `--script` needs neither."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from otsrw.application.exploring import Explorable, GrowingSpecification, WholeSystem
from otsrw.application.systems import System
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Document, Ending, in_frame, save
from otsrw.cli.pictures import picture_of
from otsrw.cli.systems import claim_of, complained, given_run, means_specification, wrong_use
from otsrw.cli.threads import on_main_thread
from otsrw.cli.timing import time_limit
from otsrw.report.exhibit import Exhibit
from otsrw.report.explore import answer_line, explore_document, types_line, view_table
from otsrw.report.pictures import StatePicture
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.claims import Claim
from otsrw.traces.exploration import Answer
from otsrw.traces.explorer import Explorer
from otsrw.traces.formats import write_itf
from otsrw.traces.matching import Match
from otsrw.traces.situations import NothingToExplore
from otsrw.traces.verbs import script_commands


def execute(options: argparse.Namespace) -> int:
    wrong = wrong_use(options)
    if wrong is None and options.web and not _is_interactive(options):
        wrong = "give --web, or --script and --json"
    has_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if wrong is None and _is_interactive(options) and not options.web and not has_terminal:
        wrong = "there is no terminal: give --script, as in --script 'look; forward'"
    return in_frame("explore", options, _explore, _failed) if wrong is None else complained(options, wrong)


def _is_interactive(options: argparse.Namespace) -> bool:
    return options.script is None and not options.json


def _failed(frame: CommandFrame) -> Document:
    return explore_document(Claim(), None, [], None, frame.console.problems)


def _explore(frame: CommandFrame) -> Ending:
    options = frame.options
    with time_limit(options.timeout):
        given = given_run(options)
        explored = _explorable(frame)
        try:
            with frame.progress() as view:
                view.task("the graph")
                explorer = Explorer(explored.tables(view.graph_progress, given))
        except NothingToExplore as nothing:
            _warn(frame, explored)
            return _nothing(frame, explored.claim, nothing)
    was_complete = explorer.tables.complete
    _warn(frame, explored)
    answers: list[tuple[str, Answer]] = []
    if _is_interactive(options):
        last = _interact(
            options, Exhibit(explorer.tables, explored.claim, options.file, picture=_picture(frame, explorer))
        )
        explorer.tables, explorer.situation = last.tables, last.situation
    else:
        answers = _run_script(frame, explorer)
    if not was_complete:
        _warn(frame, explored)
    if options.itf is not None:
        save(options.itf, write_itf(explorer.export()))

    def show() -> None:
        if not _is_interactive(options):
            frame.console.verdict(_summary(answers, explorer), "green")

    problems = frame.console.problems
    return Ending(exits.HOLDS, lambda: explore_document(explored.claim, explorer, answers, None, problems), show)


def _picture(frame: CommandFrame, explorer: Explorer) -> StatePicture | None:
    """The picture on the page; a terminal shows none."""
    return picture_of(frame, explorer.tables.lts.observers) if frame.options.web else None


def _explorable(frame: CommandFrame) -> Explorable:
    options = frame.options
    claim, match = claim_of(options), Match(options.match)
    if not means_specification(options):
        return WholeSystem(System.read(options.file, claim, match))
    instantiated = frame.instantiated()
    invariant = instantiated.invariant(options.inv) if options.inv else None
    return GrowingSpecification.of(instantiated, invariant, claim, match, options.depth, options.max_states)


def _warn(frame: CommandFrame, explored: Explorable) -> None:
    for problem in explored.warnings():
        frame.console.problem(problem)


def _nothing(frame: CommandFrame, claim: Claim, nothing: NothingToExplore) -> Ending:
    """There is no run to explore: that is an answer."""
    reason = f"{nothing.problem.message}: {claim}"
    frame.console.verdict(f"nothing to explore: {reason}", "green")
    code = exits.UNKNOWN if nothing.within_the_bound else exits.HOLDS
    problems = frame.console.problems
    return Ending(code, lambda: explore_document(claim, None, [], reason, problems), lambda: None)


def _interact(options: argparse.Namespace, exhibit: Exhibit) -> Answer:
    """The answer that was on display at the end."""
    if options.web:
        pages = _needs("otsrw.report.explorer_web", "the page", "starlette", "web")
        serve: Callable[[Exhibit, int], Answer] = pages.serve
        return on_main_thread(lambda: serve(exhibit, options.port))
    application = _needs("otsrw.report.explorer_app", "the terminal application", "textual", "tui")
    run: Callable[[Exhibit, str | None], Answer] = application.run_application
    return on_main_thread(lambda: run(exhibit, options.itf))


def _run_script(frame: CommandFrame, explorer: Explorer) -> list[tuple[str, Answer]]:
    console, answers = frame.console, []
    for command in script_commands(frame.options.script or "look"):
        answer = explorer.perform(command)
        answers.append((command, answer))
        console.line(f"> {command}")
        console.line(answer_line(answer))
        if answer and not console.json:
            console.show(view_table(answer.view))
            console.line(types_line(answer.view))
    return answers


def _needs(module: str, what: str, package: str, extra: str) -> Any:
    """A module that needs a package which is not always installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("otsrw"):
            raise
        hint = f"install it with: pip install 'otsrw[{extra}]', or use --script"
        raise OtsrwError("E530", f"{what} needs {package}, which is not installed", hint=hint) from None


def _summary(answers: list[tuple[str, Answer]], explorer: Explorer) -> str:
    done = sum(bool(answer) for _, answer in answers)
    labels = " ".join(str(state.label) for state in explorer.export().states[1:])
    known = "" if explorer.tables.complete else f"; {explorer.tables.lts.states} states so far: fill tells more"
    return f"{done} of {len(answers)} verbs done; run: {labels or '(the initial state)'}{known}"
