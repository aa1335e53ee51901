"""`otsrw igf FILE --inv I --depth N`: induction-guided falsification."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from otsrw.cli import exits
from otsrw.cli.specification import Specification, on_specification, save
from otsrw.induction.procedure import igf
from otsrw.induction.results import INTERRUPTED, IgfResult, Listener, News, Options
from otsrw.induction.score import ProofScore, ScoreWriter, check_score, check_with_cafeobj
from otsrw.ots import Instance, entities_of
from otsrw.reasoning.splitting import POLICIES
from otsrw.report.charts import run_chart
from otsrw.report.console import Console
from otsrw.report.igf import advice, igf_document, igf_verdict, lemma_tree
from otsrw.report.igf_page import igf_page
from otsrw.report.progress import ProgressView, progress_view
from otsrw.report.traces import run_table
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.formats.itf import write_itf
from otsrw.traces.observed import trace_of

_EXITS = {"verified": exits.HOLDS, "falsified": exits.VIOLATED, "unknown": exits.UNKNOWN}


def execute(options: argparse.Namespace) -> int:
    return on_specification("igf", options, partial(_decide, options))


def _decide(options: argparse.Namespace, specification: Specification, console: Console) -> int:
    result = _run(specification, options)
    with progress_view(not options.json and not options.quiet) as view:
        view.task("the proof score")
        result, score = _proved(specification, result)
    _write(options, result, score, console)
    replay = replay_command(options, result, _choices(options)) if result.verdict == "falsified" else None
    proof = options.proof if score is not None and options.proof else None
    if options.json:
        console.document(igf_document(result, proof, replay))
    else:
        _show(console, result, score, replay, options)
    return exits.INTERRUPTED if result.reason == INTERRUPTED else _EXITS[result.verdict]


def _run(specification: Specification, options: argparse.Namespace) -> IgfResult:
    ots = specification.ots
    name = specification.invariant_name(options.inv)
    invariant = next(i for i in ots.invariants if i.name == name)
    given = tuple(dict.fromkeys((*options.lemma, *(n for n in ots.lemmas if n != name))))
    for lemma in given:
        specification.invariant_name(lemma)
    instance = Instance(ots, entities_of(ots, options.entities))
    choice = Options(
        depth=options.depth,
        strengthen=not options.no_strengthen,
        timeout=options.timeout,
        policy=POLICIES[options.policy],
        lemmas=given,
        jobs=options.jobs,
    )
    with progress_view(not options.json and not options.quiet) as view:
        view.task(f"{name} of {ots.name}")
        return igf(ots, instance, invariant, choice, told(view))


def told(view: ProgressView) -> Listener:
    """Tells a progress line where the procedure is."""

    def listen(news: News) -> None:
        view.say(f"{news.doing}; {news.lemmas} lemmas, {news.queue} waiting, {news.cases} cases, {news.states} states")

    return listen


def _proved(specification: Specification, result: IgfResult) -> tuple[IgfResult, ProofScore | None]:
    """A verified result needs a proof score that our engine accepts; without one it is unknown."""
    if result.verdict != "verified":
        return result, None
    score = ScoreWriter(specification.ots, result, specification.declarations).write()
    problems = check_score(score)
    if problems:
        return result.unproved(f"the proof score does not check: {problems[0]}"), None
    return result, score


def _write(options: argparse.Namespace, result: IgfResult, score: ProofScore | None, console: Console) -> None:
    if score is not None and options.proof:
        save(options.proof, score.text)
    if score is not None and options.check_with:
        if not options.proof:
            raise OtsrwError("E519", "--check-with needs a file", hint="write the proof score with --proof F")
        problems = check_with_cafeobj(Path(options.proof), score.passages, options.timeout)
        if problems:
            raise OtsrwError("E521", f"CafeOBJ does not accept the proof score: {problems[0]}", notes=problems[1:5])
        console.line(f"CafeOBJ reduced all {score.passages} passages to true")
    if result.run is not None and options.itf:
        save(options.itf, write_itf(trace_of(result.run)))
    if options.html:
        save(options.html, igf_page(result, score, options.file))


def _show(
    console: Console, result: IgfResult, score: ProofScore | None, replay: str | None, options: argparse.Namespace
) -> None:
    console.show(lemma_tree(result))
    for text in result.dropped:
        console.line(f"dropped, because it is false: {text}")
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
    if options.html:
        console.line(f"report: {options.html}")
    if replay is not None:
        console.line(f"again: {replay}")
    console.verdict(*igf_verdict(result))


def _choices(options: argparse.Namespace) -> list[str]:
    """How the procedure was told to go on, if not as usual."""
    words = ["--no-strengthen"] if options.no_strengthen else []
    if POLICIES[options.policy] is not Options().policy:
        words += ["--policy", options.policy]
    return words + [word for lemma in options.lemma for word in ("--lemma", lemma)]


def replay_command(options: argparse.Namespace, result: IgfResult, choices: Iterable[str] = ()) -> str:
    """What finds the same counterexample again."""
    words = ["otsrw", "igf", options.file, "--inv", result.invariant.name, "--depth", str(result.depth)]
    if options.module:
        words += ["--module", options.module]
    for sort, entities in result.instance.given.items():
        words += ["--with", f"{sort}={','.join(entities)}"]
    return shlex.join([*words, *choices])
