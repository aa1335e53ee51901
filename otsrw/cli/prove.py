"""`otsrw prove FILE...`: invariants by simultaneous induction, with given lemmas; no search, no entities."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from otsrw.application.crews import crew_for
from otsrw.application.proving import ProofRequest, Proved, goal_names, load_request, prove
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame, save
from otsrw.cli.scores import (
    require_proof_file,
    say_claims,
    say_closed,
    say_doubts,
    say_score,
    write_closed,
    write_proof,
)
from otsrw.induction.results import Options
from otsrw.reasoning.splitting import POLICIES
from otsrw.report.case_work import case_work_lines
from otsrw.report.data_lemmas import data_lines
from otsrw.report.openings import question_lines
from otsrw.report.prove import goal_table, plain_goal_table, prove_document, prove_page, prove_verdict
from otsrw.soundness import ObligationKind

if TYPE_CHECKING:
    from otsrw.induction.parallel import CaseCrew
    from otsrw.induction.score import ProofScore

MOST_REASONS = 3


def execute(options: argparse.Namespace) -> int:
    options.file = options.files[-1]
    return in_frame("prove", options, _prove)


def _prove(frame: CommandFrame) -> Ending:
    options = frame.options
    require_proof_file(options)
    loaded, request = load_request(options.files, frame.settings, frame.console.problem)
    goals = options.inv or request.goals
    recognised = frame.understood(loaded.recognised(options.module or request.module, goals[0] if goals else None))
    request.check(recognised.ots)
    names = goal_names(recognised, goals, (*options.lemma, *request.lemmas))
    say_doubts(frame, recognised.ots, (*names.roots, *names.lemmas))
    with frame.progress() as view:
        view.task(f"{names.roots[0]} of {recognised.ots.name}")
        with crew_for(recognised, options.cluster) as crew:
            proved = prove(recognised, names, _options(options, crew), view.igf_progress)
    closed = None
    if proved.score is not None:
        write_proof(frame, recognised, proved.result, proved.score)
    else:
        closed = write_closed(frame, recognised, proved.result, names.roots, proved.grounds)
    if options.html:
        save(options.html, prove_page(proved, ", ".join(options.files), frame.seconds))
    proof = options.proof if (proved.score or closed) is not None and options.proof else None
    seconds = frame.seconds
    code = exits.INTERRUPTED if proved.result.was_interrupted else exits.of_verdict(proved.verdict)
    return Ending(
        code,
        lambda: prove_document(proved, proof, request.output, seconds),
        lambda: _show(frame, proved, closed, request, seconds),
    )


def _options(options: argparse.Namespace, crew: CaseCrew | None) -> Options:
    return Options(
        timeout=options.timeout,
        policy=POLICIES[options.policy],
        jobs=options.jobs,
        crew=crew,
        assume=frozenset(map(ObligationKind, options.assume)),
    )


def _show(
    frame: CommandFrame, proved: Proved, closed: ProofScore | None, request: ProofRequest, seconds: float
) -> None:
    console = frame.console
    console.show_table(plain_goal_table(proved), lambda: goal_table(proved))
    for line in data_lines(proved.result):
        console.line(line)
    if proved.score is not None:
        say_score(frame, proved.score)
        if request.output is not None and not frame.options.proof:
            console.line(f"the file wants it in {request.output}, where nothing was written")
    say_claims(frame, proved.grounds)
    if closed is not None:
        say_closed(frame, closed)
    failed = [goal for goal in proved.goals if goal.reason]
    for goal in failed[:MOST_REASONS]:
        console.line(f"not verified: {goal.name}: {goal.reason}")
    if len(failed) > MOST_REASONS:
        console.line(f"not verified: {len(failed) - MOST_REASONS} more")
    for line in question_lines(proved.result):
        console.line(line)
    for line in case_work_lines(proved.result.work):
        console.line(line)
    console.verdict(*prove_verdict(proved, seconds))
