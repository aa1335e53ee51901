"""A proof score becomes a script of CiMPA, and a script of CITP or CiMPA becomes a proof score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from otsrw.application.frames import framed
from otsrw.application.loading import run_into
from otsrw.induction.score_reading import read_passages
from otsrw.induction.score_script import ConvertedScore, converted_scores
from otsrw.induction.script_module import ProofScript
from otsrw.induction.scripts import check_script
from otsrw.proofs import Session, Settings
from otsrw.proofs.answers import CommandResult
from otsrw.proofs.citp.passages import passages_of
from otsrw.records import dataclass
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError
from otsrw.syntax.source import Span

_CASES_TOLD = 5


@dataclass(frozen=True, slots=True)
class Conversion:
    """The text of a file that stands alone, how many proofs it has, of how many goals or passages; what is odd."""

    text: str
    proofs: tuple[str, ...]
    """The marks of the proofs, or where they begin in the script."""
    parts: int
    """Leaves of the goals of a script, or passages of a score."""
    warnings: tuple[Diagnostic, ...]


def script_of_score(files: Sequence[str], settings: Settings, mark: str | None = None) -> Conversion:
    """The passages of proof scores as a script of CiMPA, which our own runner has run to its end."""
    settings.expand = framed
    contents = read_passages(lambda session: _run_all(session, files), settings)
    warnings = [*contents.warnings, *(_not_true(answer) for answer in contents.answers if answer.result != "true")]
    scores = converted_scores(contents, mark)
    lines = [
        f"-- Proof script for CiMPA of CafeInMaude, made by otsrw of {', '.join(files)}.",
        "-- Each proof ends with PROOF FINISHED!",
        "",
        *_texts(contents.session.declarations),
    ]
    for score in scores:
        lines += ["", f"open {score.module} .", *score.lines, "close"]
        warnings += _filled(score)
    script = ProofScript("\n".join(lines) + "\n", len(scores))
    problems = check_script(script)
    if problems:
        raise OtsrwError("E525", f"the script does not check: {problems[0]}")
    leaves = script.text.count(":apply (rd)")
    return Conversion(script.text, tuple(score.mark for score in scores), leaves, tuple(warnings))


def _not_true(answer: CommandResult) -> Diagnostic:
    return Diagnostic("W612", f"this passage counts for no case: it gives {answer.result}", answer.span)


def _filled(score: ConvertedScore) -> Iterable[Diagnostic]:
    for case in score.filled[:_CASES_TOLD]:
        yield Diagnostic("W611", f"{case}; the script closes this case by splits of its own", score.span)
    if len(score.filled) > _CASES_TOLD:
        yield Diagnostic("W611", f"so it does {len(score.filled) - _CASES_TOLD} more cases of {score.mark}", score.span)


def score_of_script(files: Sequence[str], settings: Settings) -> Conversion:
    """The finished proofs of scripts as a proof score, whose reductions all give true."""
    settings.expand = framed
    session = Session(settings)
    _run_all(session, files)
    proofs = session.outcome.proofs
    if not proofs:
        raise OtsrwError("E525", "the files have no proof", hint="a proof begins with ':goal { eq .. . }'")
    passages = [passages_of(proof, session.library) for proof in proofs]
    count = sum(len(each) for each in passages)
    lines = [f"-- Proof score, made by otsrw of {', '.join(files)}: every reduction below gives true.", ""]
    lines += _texts(session.declarations)
    for proof, found in zip(proofs, passages, strict=True):
        lines += ["", f"-- the proof of {proof.span}", *(line for passage in found for line in ("", *passage))]
    text = "\n".join(lines) + "\n"
    _check_score(text)
    return Conversion(text, tuple(str(proof.span) for proof in proofs), count, tuple(session.outcome.warnings))


def _check_score(text: str) -> None:
    """Raises if a reduction of the score does not give true."""
    session = Session()
    session.run_text(text, "<score>")
    errors, others = session.outcome.errors, session.outcome.unexpected("true")
    if errors:
        raise OtsrwError("E525", f"the score does not check: {errors[0].header()}")
    if others:
        raise OtsrwError("E525", f"the score does not check: {others[0].term} gives {others[0].result}")


def _run_all(session: Session, files: Iterable[str]) -> None:
    for name in files:
        run_into(session, name)
        if session.has_quit:
            break


def _texts(spans: Iterable[Span]) -> list[str]:
    return [span.text.rstrip() for span in spans]
