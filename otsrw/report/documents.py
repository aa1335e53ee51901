"""JSON documents, one schema a command (docs/schemas/)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from otsrw import __version__
from otsrw.proofs.answers import CommandResult
from otsrw.proofs.events import ProofReached
from otsrw.proofs.results import Outcome
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.theory.printing import sentence_line
from otsrw.workers.shares import WorkerShare


def header(command: str) -> dict[str, Any]:
    return {"schema": f"otsrw/{command}/1", "version": __version__}


def run_document(outcome: Outcome, seconds: float, expected: str | None) -> dict[str, Any]:
    document = header("run") | {
        "commands": [_command(command) for command in outcome.commands],
        "goals": [_proof(proof) for proof in outcome.proofs],
        "errors": [problem_document(error) for error in outcome.errors],
        "warnings": [problem_document(warning) for warning in outcome.warnings],
        "seconds": round(seconds, 6),
    }
    if expected is not None:
        document["expected"] = expected
        document["unexpected"] = [_command(command) for command in outcome.unexpected(expected)]
    return document


def refusal_document(command: str, problems: Iterable[Diagnostic]) -> dict[str, Any]:
    """What a command prints that could not begin."""
    return header(command) | {"errors": [problem_document(problem) for problem in problems]}


def several_document(command: str, found: Sequence[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """Several answers of a command in one document: each is that of a single question, with its file."""
    head = header(command)
    results = [{"file": file} | {key: value for key, value in one.items() if key not in head} for file, one in found]
    return head | {"results": results, "seconds": round(sum(one["seconds"] for one in results), 6)}


def share_documents(shares: Iterable[WorkerShare], found: str) -> list[dict[str, Any]]:
    """What each worker did; `found` names what it found."""
    return [
        {
            "worker": share.worker,
            "tasks": share.tasks,
            found: share.found,
            "seconds": round(share.seconds, 6),
            "cpu": round(share.cpu, 6),
        }
        for share in shares
    ]


def _command(command: CommandResult) -> dict[str, Any]:
    return {
        "file": command.span.source.name,
        "line": command.span.line,
        "kind": command.kind,
        "module": command.module,
        "term": command.term,
        "result": command.result,
        "sort": command.sort,
        "rewrites": command.rewrites,
        "seconds": round(command.seconds, 6),
    }


def _proof(proof: ProofReached) -> dict[str, Any]:
    return {
        "file": proof.span.source.name,
        "line": proof.span.line,
        "module": proof.module,
        "sentences": [" ".join(sentence_line(axiom).split()) for axiom in proof.sentences],
        "state": "open" if proof.open_goals else "discharged",
        "open": list(proof.open_goals),
        "assumed": list(proof.assumed),
    }


def problem_document(problem: Diagnostic) -> dict[str, Any]:
    return {
        "file": problem.span.source.name,
        "line": problem.span.line,
        "column": problem.span.column,
        "code": problem.code,
        "message": problem.message,
        **({"hint": problem.hint} if problem.hint else {}),
    }


def problems_document(problems: list[Diagnostic]) -> dict[str, Any]:
    return {
        "errors": [problem_document(problem) for problem in problems if problem.is_error],
        "warnings": [problem_document(problem) for problem in problems if not problem.is_error],
    }
