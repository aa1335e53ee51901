"""`otsrw igf FILE --inv I --depth N`: induction-guided falsification."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from otsrw.application import Decided, Recognised
from otsrw.application.crews import crew_for
from otsrw.application.deciding import DecisionQuestion, decide
from otsrw.application.keeping import StateFile
from otsrw.application.stages import ALL_INVARIANTS
from otsrw.cli import exits
from otsrw.cli.arguments import USUAL_WORK
from otsrw.cli.frame import CommandFrame, Ending, in_frame, replay_command, save
from otsrw.cli.pictures import picture_for_run
from otsrw.cli.scores import (
    require_proof_file,
    say_claims,
    say_closed,
    say_doubts,
    say_score,
    write_closed,
    write_proof,
)
from otsrw.cli.several import ask_about_each
from otsrw.induction.results import IgfResult, Options
from otsrw.ots.population import is_closed
from otsrw.ots.run import Run
from otsrw.reasoning.splitting import POLICIES
from otsrw.report.activity import show_activity, with_doubts
from otsrw.report.case_work import case_work_lines
from otsrw.report.charts import run_chart
from otsrw.report.data_lemmas import data_lines
from otsrw.report.igf import advice, igf_document, igf_verdict, lemma_trees
from otsrw.report.igf_page import igf_page
from otsrw.report.short_trees import ShortResult, left_out_line, shortened
from otsrw.report.traces import run_table
from otsrw.soundness import ObligationKind
from otsrw.traces.formats.itf import write_itf
from otsrw.traces.observed import trace_of

if TYPE_CHECKING:
    from otsrw.induction.parallel import CaseCrew
    from otsrw.induction.score import ProofScore


def execute(options: argparse.Namespace) -> int:
    return in_frame("igf", options, _decide)


def _decide(frame: CommandFrame) -> Ending:
    require_proof_file(frame.options)
    if frame.options.inv == ALL_INVARIANTS:
        return ask_about_each(frame, [frame.options.file], _decide_one)
    recognised = frame.recognised()
    return _decide_one(frame, recognised, recognised.invariant(frame.options.inv).name)


def _decide_one(frame: CommandFrame, recognised: Recognised, name: str) -> Ending:
    options = frame.options
    say_doubts(frame, recognised.ots, [name, *recognised.lemma_names(name, options.lemma)])
    keeper = None if options.state is None else StateFile(options.state)
    with frame.progress() as view:
        view.task(f"{name} of {recognised.ots.name}")
        with crew_for(recognised, options.cluster) as crew:
            decided = decide(recognised, _question(options, name, keeper, crew), view.igf_progress)
    if keeper is not None and keeper.told:
        frame.console.line(keeper.told)
    result, score = decided.result, decided.score
    _write(frame, decided)
    closed = None
    if score is None and result.verdict == "unknown":
        closed = write_closed(frame, decided.recognised, result, [name], result.grounds)
    replay = None
    if result.verdict == "falsified":
        replay = replay_command(options, name, result.depth, result.entities, _choices(options))
    proof = options.proof if (score or closed) is not None and options.proof else None
    code = exits.INTERRUPTED if result.was_interrupted else exits.of_verdict(result.verdict)
    return Ending(
        code,
        lambda: igf_document(result, proof, replay, decided.activity, decided.left_out),
        lambda: _show(frame, decided, closed, replay),
    )


def _question(
    options: argparse.Namespace, name: str, keeper: StateFile | None, crew: CaseCrew | None
) -> DecisionQuestion:
    wants_induction = options.proof or options.no_strengthen or options.lemma or keeper
    entities = tuple(options.entities)
    return DecisionQuestion(
        name, _options(options, crew), entities, options.depth, not wants_induction, options.count, keeper
    )


def _options(options: argparse.Namespace, crew: CaseCrew | None) -> Options:
    return Options(
        strengthen=not options.no_strengthen,
        timeout=options.timeout,
        policy=POLICIES[options.policy],
        lemmas=tuple(options.lemma),
        jobs=options.jobs,
        crew=crew,
        max_cases=options.max_cases,
        max_work=_most_work(options),
        assume=frozenset(map(ObligationKind, options.assume)),
    )


def _most_work(options: argparse.Namespace) -> int | None:
    """The reductions that induction may take: a run that is given seconds ends by these."""
    if options.max_work is not None or options.timeout is not None:
        most: int | None = options.max_work
        return most
    return USUAL_WORK


def _choices(options: argparse.Namespace) -> list[str]:
    """How the procedure was told to go on, if not as usual."""
    words = ["--no-strengthen"] if options.no_strengthen else []
    if POLICIES[options.policy] is not Options().policy:
        words += ["--policy", options.policy]
    return words + [word for lemma in options.lemma for word in ("--lemma", lemma)]


def _write(frame: CommandFrame, decided: Decided) -> None:
    options, result, score = frame.options, decided.result, decided.score
    if score is not None:
        write_proof(frame, decided.recognised, result, score)
    if result.run is not None and options.itf:
        save(options.itf, write_itf(trace_of(result.run)))
    if options.html:
        picture = picture_for_run(frame, result.run)
        save(options.html, igf_page(result, score, options.file, decided.activity, picture))


def _say_proof(frame: CommandFrame, result: IgfResult, score: ProofScore | None, closed: ProofScore | None) -> None:
    """Whether there is a proof score, and what it rests on."""
    if score is not None:
        say_score(frame, score)
    if result.is_exhausted:
        frame.console.line("no proof score: all states were searched; --proof F asks for a proof by induction")
    say_claims(frame, result.grounds)
    if closed is not None:
        say_closed(frame, closed)


def _show(frame: CommandFrame, decided: Decided, closed: ProofScore | None, replay: str | None) -> None:
    console, options, result, score = frame.console, frame.options, decided.result, decided.score
    short = ShortResult(result, 0, 0) if options.full else shortened(result)
    for tree in lemma_trees(short.result):
        console.show(tree)
    dropped = [f"dropped, because {each.reason}: {each.formula}" for each in short.result.dropped]
    left_out = filter(None, [left_out_line(short)])
    for line in (*dropped, *left_out, *data_lines(result), *case_work_lines(result.work)):
        console.line(line)
    if result.run is not None:
        _show_run(frame, result, result.run)
    if result.verdict == "unknown":
        for line in advice(result):
            console.line(line)
        if options.proof and is_closed(result.ots):
            console.line("the system is finite: without --proof its states decide, which leaves no proof to write")
    if decided.left_out:
        console.line(decided.left_out)
    _say_proof(frame, result, score, closed)
    if options.html:
        console.line(f"report: {options.html}")
    if replay is not None:
        console.line(f"again: {replay}")
    show_activity(console, decided.activity)
    text, style = igf_verdict(result)
    console.verdict(with_doubts(text, decided.activity), style)


def _show_run(frame: CommandFrame, result: IgfResult, run: Run) -> None:
    console, options = frame.console, frame.options
    console.show(run_table(run, options.full, "counterexample, replayed by rewriting and by Maude"))
    if options.chart:
        console.show(run_chart(run))
    if len(result.chain) > 1:
        console.line(f"found as a violation of {result.chain[-1]}, extended: {' <- '.join(result.chain)}")
