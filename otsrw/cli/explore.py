"""`otsrw explore FILE [--inv I]`: an application on a terminal, or with `--web` a page; `--script` needs neither."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import Any

from otsrw.cli import exits
from otsrw.cli.graphs import System, system_of, write_text, wrong_use
from otsrw.cli.specification import Refused
from otsrw.cli.threads import on_main_thread
from otsrw.cli.timing import TimeIsUp, time_limit
from otsrw.report.console import Console
from otsrw.report.exhibit import Exhibit
from otsrw.report.explore import answer_line, explore_document, types_line, view_table
from otsrw.report.simplify import Claim, missing_labels
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError
from otsrw.traces.exploration import Answer, Explorer, NothingToExplore
from otsrw.traces.formats import LtsProblem, write_itf
from otsrw.traces.matching import ActionSequence, Match
from otsrw.traces.observed import ObservedGraph
from otsrw.traces.product import Inevitability, Monitor
from otsrw.traces.temporal import TemporalProperty
from otsrw.traces.verbs import perform, script_commands


class _Exploration:
    """What was found out before something went wrong."""

    def __init__(self, options: argparse.Namespace, console: Console) -> None:
        self.options = options
        self.console = console
        self.claim = Claim()
        self.graph: ObservedGraph | None = None
        self.explorer: Explorer | None = None
        self.answers: list[tuple[str, Answer]] = []
        self.nothing: str | None = None
        """Why there is nothing to explore."""

    def document(self) -> dict[str, Any]:
        return explore_document(self.claim, self.explorer, self.answers, self.nothing, self.console.problems)

    def prepare(self) -> None:
        system = system_of(self.options, self.console, property_needed=False)
        self.claim, self.graph = system.claim, system.graph
        self.explorer = Explorer(system.lts, self._claim(system))

    def _claim(self, system: System) -> Monitor | TemporalProperty | None:
        if system.temporal is not None:
            return system.temporal
        if not system.claim.labels:
            return system.safety
        sequence = ActionSequence.of(system.lts, system.claim.labels, Match(self.options.match))
        for problem in missing_labels(system.lts, sequence.missing()):
            self.console.problem(problem)
        return Inevitability(sequence)

    def run_script(self, explorer: Explorer) -> None:
        for command in script_commands(self.options.script or "look"):
            answer = perform(explorer, command)
            self.answers.append((command, answer))
            self.console.line(f"> {command}")
            self.console.line(answer_line(answer))
            if answer and not self.console.json:
                self.console.show(view_table(answer.view))
                self.console.line(types_line(answer.view))


def execute(options: argparse.Namespace) -> int:
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    wrong = wrong_use(options)
    interactive = options.script is None and not options.json
    if wrong is None and options.web and not interactive:
        wrong = "give --web, or --script and --json"
    if wrong is None and interactive and not options.web and not (sys.stdin.isatty() and sys.stdout.isatty()):
        wrong = "there is no terminal: give --script, as in --script 'look; forward'"
    if wrong is not None:
        console.complain(wrong)
        return exits.USAGE
    exploration = _Exploration(options, console)
    code = exits.HOLDS
    try:
        with time_limit(options.timeout):
            exploration.prepare()
        code = _interact(exploration, interactive)
    except TimeIsUp:
        console.problem(BudgetExceeded("E402", f"the time is spent: {options.timeout} s").problem)
        code = exits.UNKNOWN
    except LtsProblem as error:
        for problem in error.problems:
            console.problem(problem)
        code = exits.BAD_INPUT
    except NothingToExplore as nothing:
        exploration.nothing = f"{nothing.problem.message}: {exploration.claim}"
        console.verdict(f"nothing to explore: {exploration.nothing}", "green")
        code = exits.UNKNOWN if nothing.within_the_bound else exits.HOLDS
    except OtsrwError as error:
        console.problem(error.problem)
        code = exits.code_of(error.problem)
    except Refused as refused:
        code = refused.code
    if options.json:
        console.document(exploration.document())
    console.flush()
    return code


def _interact(exploration: _Exploration, interactive: bool) -> int:
    explorer, options = exploration.explorer, exploration.options
    assert explorer is not None
    exhibit = Exhibit(explorer, exploration.claim, options.file, exploration.graph)
    if options.web:
        pages = _needs("otsrw.report.explorer_web", "the page", "starlette", "web")
        on_main_thread(lambda: pages.serve(exhibit, options.port))
    elif interactive:
        application = _needs("otsrw.report.explorer_app", "the terminal application", "textual", "tui")
        on_main_thread(lambda: application.run_application(exhibit, options.itf))
    else:
        exploration.run_script(explorer)
        if not options.json:
            exploration.console.verdict(_summary(exploration, explorer), "green")
    if options.itf is not None:
        write_text(options.itf, write_itf(explorer.export()))
    return exits.HOLDS


def _needs(module: str, what: str, package: str, extra: str) -> Any:
    """A module that needs a package which is not always installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("otsrw"):
            raise
        hint = f"install it with: pip install 'otsrw[{extra}]', or use --script"
        raise OtsrwError("E530", f"{what} needs {package}, which is not installed", hint=hint) from None


def _summary(exploration: _Exploration, explorer: Explorer) -> str:
    done = sum(bool(answer) for _, answer in exploration.answers)
    labels = " ".join(str(state.label) for state in explorer.export().states[1:])
    return f"{done} of {len(exploration.answers)} verbs done; run: {labels or '(the initial state)'}"
