"""`otsrw test [FILE or FOLDER...]`: does the whole project still hold?"""

from __future__ import annotations

import argparse
import sys

from otsrw import __version__
from otsrw.application.expectations import SUFFIXES, ProjectCase, limited, project_cases, with_slow
from otsrw.application.project_file import PROJECT_FILE
from otsrw.application.testing import CaseOutcome, outcomes_of
from otsrw.application.unchanged import PassedCases
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame, save
from otsrw.cli.watching import run_on_change
from otsrw.report.junit import junit_xml
from otsrw.report.testing import difference_line, doubt_line, results_of, test_document, test_table, test_verdict
from otsrw.syntax.diagnostics import OtsrwError


def execute(options: argparse.Namespace) -> int:
    options.file = options.paths[0] if options.paths else "."
    if not options.watch:
        return in_frame("test", options, lambda frame: _test(frame, set()))
    code = exits.HOLDS

    def run() -> set[str]:
        nonlocal code
        used: set[str] = set()
        code = in_frame("test", options, lambda frame: _test(frame, used))
        print("watching; Ctrl-C ends it", file=sys.stderr, flush=True)
        return used

    run_on_change(options.paths or ["."], (*SUFFIXES, PROJECT_FILE), run)
    return code


def _test(frame: CommandFrame, used: set[str]) -> Ending:
    """Run what is expected; the files that were loaded are added to `used`."""
    options = frame.options
    found = with_slow(project_cases(options.paths), options.slow)
    cases = [limited(case, options.timeout, options.max_rewrites) for case in found]
    if not cases:
        where = " ".join(options.paths) or "this folder"
        hint = "write '-- @ expect NAME verified' into a file, or a table '[[test]]' into otsrw.toml"
        raise OtsrwError("E541", f"nothing is expected in {where}", hint=hint)
    outcomes = _outcomes(frame, cases)
    used.update(file.path for outcome in outcomes for file in outcome.files)
    if options.junit:
        save(options.junit, junit_xml(outcomes))
    failed = any(not outcome.passed for outcome in outcomes)
    return Ending(
        exits.VIOLATED if failed else exits.HOLDS,
        lambda: test_document(outcomes, frame.seconds),
        lambda: _show(frame, outcomes),
    )


def _outcomes(frame: CommandFrame, cases: list[ProjectCase]) -> list[CaseOutcome]:
    """All outcomes in order; with --changed or --watch what passed and did not change is not run again."""
    options = frame.options
    passed = PassedCases(__version__)
    asked = cases if options.changed or options.watch else []
    recalled = [outcome for case in asked if (outcome := passed.recall(case)) is not None]
    known = {outcome.case: outcome for outcome in recalled}
    missing = [case for case in cases if case not in known]
    found: dict[ProjectCase, CaseOutcome] = {}
    with frame.progress() as view:
        view.task(f"{len(missing)} cases")
        for outcome in outcomes_of(missing, options.jobs):
            found[outcome.case] = outcome
            view.say(f"{len(found)} done")
    passed.remember(found.values())
    return [found[case] if case in found else known[case] for case in cases]


def _show(frame: CommandFrame, outcomes: list[CaseOutcome]) -> None:
    console = frame.console
    console.show(test_table(outcomes))
    for result in results_of(outcomes):
        if result.doubts:
            console.line(doubt_line(result), "yellow")
        if not result.passed:
            console.verdict(difference_line(result), "red")
    console.verdict(*test_verdict(outcomes, frame.seconds))
