"""Exit codes, part of the contract with scripts."""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.syntax.diagnostics import Diagnostic

HOLDS = 0
USAGE = 2
UNKNOWN = 3
VIOLATED = 12
LIVENESS_VIOLATED = 13
DOES_NOT_EVALUATE = 75
BAD_INPUT = 150
INTERRUPTED = 130
INTERNAL = 255


def code_of(error: str) -> int:
    """The exit code for an error code."""
    if error in ("E401", "E402"):
        return UNKNOWN
    if error.startswith("E4") or error in ("E512", "E513", "E518"):
        return DOES_NOT_EVALUATE
    if error in ("E511", "E519", "E523", "E530", "E533"):
        return USAGE
    return INTERNAL if error == "E517" else BAD_INPUT


def code_of_all(problems: Iterable[Diagnostic]) -> int:
    """The exit code for several problems: a bad file outweighs whatever else went wrong."""
    codes = {code_of(problem.code) for problem in problems}
    return BAD_INPUT if BAD_INPUT in codes else min(codes)


_VERDICTS = {
    "holds": HOLDS,
    "verified": HOLDS,
    "decided": HOLDS,
    "violated": VIOLATED,
    "falsified": VIOLATED,
    "unknown": UNKNOWN,
}


def of_verdict(verdict: str) -> int:
    """The exit code for a verdict."""
    return _VERDICTS[verdict]
