"""`otsrw igf FILE --inv I --depth N`: induction-guided falsification."""

from __future__ import annotations

import argparse
from pathlib import Path

from otsrw.application import Decided, Recognised
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame, replay_command, save
from otsrw.induction.results import Options
from otsrw.induction.score import check_with_cafeobj
from otsrw.reasoning.splitting import POLICIES
from otsrw.report.charts import run_chart
from otsrw.report.check import claim_lines, diagnostic_of
from otsrw.report.igf import advice, igf_document, igf_verdict, lemma_tree
from otsrw.report.igf_page import igf_page
from otsrw.report.traces import run_table
from otsrw.soundness import ObligationKind, check
from otsrw.soundness.claims import code_when_open
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.formats.itf import write_itf
from otsrw.traces.observed import trace_of


def execute(options: argparse.Namespace) -> int:
    return in_frame("igf", options, _decide)


def _decide(frame: CommandFrame) -> Ending:
    options = frame.options
    instantiated = frame.instantiated()
    recognised = instantiated.recognised
    name = recognised.invariant(options.inv).name
    _say_doubts(frame, recognised, name)
    with frame.progress() as view:
        view.task(f"{name} of {recognised.ots.name}")
        decided = instantiated.decided(name, _options(options), view.igf_progress)
    result, score = decided.result, decided.score
    _write(frame, decided)
    replay = None
    if result.verdict == "falsified":
        replay = replay_command(options, name, result.depth, result.entities, _choices(options))
    proof = options.proof if score is not None and options.proof else None
    code = exits.INTERRUPTED if result.was_interrupted else exits.of_verdict(result.verdict)
    return Ending(code, lambda: igf_document(result, proof, replay), lambda: _show(frame, decided, replay))


def _say_doubts(frame: CommandFrame, recognised: Recognised, name: str) -> None:
    """What is wrong or not shown about the equations is said first: a proof will rest on it."""
    lemmas = [*frame.options.lemma, *recognised.ots.lemmas]
    report = check(recognised.ots, [name, *lemmas])
    for obligation in report.obligations:
        problem = diagnostic_of(obligation)
        if problem is not None and obligation.decisive:
            frame.console.problem(problem.under(code_when_open(obligation)))


def _options(options: argparse.Namespace) -> Options:
    return Options(
        depth=options.depth,
        strengthen=not options.no_strengthen,
        timeout=options.timeout,
        policy=POLICIES[options.policy],
        lemmas=tuple(options.lemma),
        jobs=options.jobs,
        assume=frozenset(map(ObligationKind, options.assume)),
    )


def _choices(options: argparse.Namespace) -> list[str]:
    """How the procedure was told to go on, if not as usual."""
    words = ["--no-strengthen"] if options.no_strengthen else []
    if POLICIES[options.policy] is not Options().policy:
        words += ["--policy", options.policy]
    return words + [word for lemma in options.lemma for word in ("--lemma", lemma)]


def _write(frame: CommandFrame, decided: Decided) -> None:
    options, result, score = frame.options, decided.result, decided.score
    if score is not None and options.proof:
        save(options.proof, score.text)
    if score is not None and options.check_with:
        if not options.proof:
            raise OtsrwError("E519", "--check-with needs a file", hint="write the proof score with --proof F")
        problems = check_with_cafeobj(Path(options.proof), score.passages, options.timeout)
        if problems:
            raise OtsrwError("E521", f"CafeOBJ does not accept the proof score: {problems[0]}", notes=problems[1:5])
        frame.console.line(f"CafeOBJ reduced all {score.passages} passages to true")
    if result.run is not None and options.itf:
        save(options.itf, write_itf(trace_of(result.run)))
    if options.html:
        save(options.html, igf_page(result, score, options.file))


def _show(frame: CommandFrame, decided: Decided, replay: str | None) -> None:
    console, options, result, score = frame.console, frame.options, decided.result, decided.score
    console.show(lemma_tree(result))
    for dropped in result.dropped:
        console.line(f"dropped, because {dropped.reason}: {dropped.formula}")
    if result.run is not None:
        console.show(run_table(result.run, options.full, "counterexample, replayed by rewriting and by Maude"))
        if options.chart:
            console.show(run_chart(result.run))
        if len(result.chain) > 1:
            console.line(f"found as a violation of {result.chain[-1]}, extended: {' <- '.join(result.chain)}")
    if result.verdict == "unknown":
        for line in advice(result):
            console.line(line)
    if score is not None:
        where = f", written to {options.proof}" if options.proof else "; --proof F writes it"
        console.line(f"proof score: {score.passages} passages, all reduced to true{where}")
    for line in claim_lines(result.grounds.assumed, "assumed"):
        console.line(line)
    for line in claim_lines(result.grounds.missing, "not shown"):
        console.line(line)
    if options.html:
        console.line(f"report: {options.html}")
    if replay is not None:
        console.line(f"again: {replay}")
    console.verdict(*igf_verdict(result))
