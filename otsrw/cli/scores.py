"""What `igf` and `prove` have in common: doubts about the equations, and the proof score."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from otsrw.application import Recognised
from otsrw.cli.frame import CommandFrame, save
from otsrw.induction.grounds import Grounds
from otsrw.induction.results import IgfResult
from otsrw.induction.score import ProofScore, check_with_cafeobj
from otsrw.ots import Ots
from otsrw.report.check import claim_lines, diagnostic_of
from otsrw.report.words import counted
from otsrw.soundness import check
from otsrw.soundness.claims import code_when_open
from otsrw.syntax.diagnostics import OtsrwError

MOST_CLAIMS = 5


def require_proof_file(options: argparse.Namespace) -> None:
    """Refuse options that say something of a proof if nothing says where to write one."""
    if options.proof:
        return
    if options.check_with:
        raise OtsrwError("E545", "--check-with needs a file", hint="write the proof score with --proof F")
    if options.form != "score":
        raise OtsrwError("E545", "--as needs a file", hint="write the script with --proof F")


def say_doubts(frame: CommandFrame, ots: Ots, predicates: Iterable[str]) -> None:
    """What is wrong or not shown about the equations is said first: a proof will rest on it."""
    for obligation in check(ots, predicates).obligations:
        problem = diagnostic_of(obligation)
        if problem is not None and obligation.decisive:
            frame.console.problem(problem.under(code_when_open(obligation)))


def say_claims(frame: CommandFrame, grounds: Grounds) -> None:
    """What is assumed, and the first claims that are missing."""
    for line in claim_lines(grounds.assumed, "assumed"):
        frame.console.line(line)
    missing = claim_lines(grounds.missing, "not shown")
    for line in missing[:MOST_CLAIMS]:
        frame.console.line(line)
    if len(missing) > MOST_CLAIMS:
        frame.console.line(f"not shown: {len(missing) - MOST_CLAIMS} more; 'otsrw check' lists all")
    if any(each.is_disagreement for each in grounds.missing):
        frame.console.line("next: mend the specification where equations disagree; no option takes that on trust")


def write_proof(frame: CommandFrame, recognised: Recognised, result: IgfResult, score: ProofScore) -> None:
    """Write the proof where the user wants it: as a proof score, or as a script for CITP or CiMPA."""
    form = frame.options.form
    if form == "score":
        write_score(frame, score)
        return
    script = recognised.script(result, form)
    save(frame.options.proof, script.text)
    frame.console.line(f"script for {form}: {counted(script.goals, 'goal')}, all closed, in {frame.options.proof}")


def write_closed(
    frame: CommandFrame, recognised: Recognised, result: IgfResult, claims: Iterable[str], grounds: Grounds
) -> ProofScore | None:
    """Write the score of what is closed and not proved, if a file is named for it; None if nothing was written."""
    if not frame.options.proof or frame.options.form != "score":
        return None
    score = recognised.closed_score(result, claims, grounds)
    if score is not None:
        write_score(frame, score)
    return score


def say_closed(frame: CommandFrame, score: ProofScore) -> None:
    """That a score is no proof."""
    passages = counted(score.passages, "passage")
    where = f"written to {frame.options.proof}, whose head says what is missing"
    frame.console.line(f"not proved: {passages}, all reduced to true, {where}")


def write_score(frame: CommandFrame, score: ProofScore) -> None:
    """Write the proof score where the user wants it, and have CafeOBJ check it if that is wanted."""
    options = frame.options
    if options.proof:
        save(options.proof, score.text)
    if not options.check_with:
        return
    from pathlib import Path

    problems = check_with_cafeobj(Path(options.proof), score.passages, options.timeout)
    if problems:
        raise OtsrwError("E521", f"CafeOBJ does not accept the proof score: {problems[0]}", notes=problems[1:5])
    frame.console.line(f"CafeOBJ reduced all {score.passages} passages to true")


def say_score(frame: CommandFrame, score: ProofScore) -> None:
    """How long the proof score is, and where."""
    if frame.options.form != "score":
        return
    where = f", written to {frame.options.proof}" if frame.options.proof else "; --proof F writes it"
    frame.console.line(f"proof score: {counted(score.passages, 'passage')}, all reduced to true{where}")
