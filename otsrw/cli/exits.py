"""Exit codes, part of the contract with scripts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from otsrw.syntax.diagnostics import Diagnostic, ProblemKind

HOLDS = 0
USAGE = 2
UNKNOWN = 3
ASSUMING = 4
VIOLATED = 12
LIVENESS_VIOLATED = 13
DOES_NOT_EVALUATE = 75
BAD_INPUT = 150
INTERRUPTED = 130
INTERNAL = 255


@cache
def codes_of_kinds() -> dict[ProblemKind, int]:
    """The exit code of a command that fails with an error of a kind; warnings make no command fail."""
    from otsrw.syntax.diagnostics import ProblemKind as kinds  # here, so that --help does not load the room

    return {
        kinds.SYNTAX: BAD_INPUT,
        kinds.UNFINISHED: BAD_INPUT,
        kinds.SORT: BAD_INPUT,
        kinds.THEORY: BAD_INPUT,
        kinds.FILE: BAD_INPUT,
        kinds.BUDGET: UNKNOWN,
        kinds.TIME: UNKNOWN,
        kinds.EVALUATION: DOES_NOT_EVALUATE,
        kinds.NOTHING_TO_EXPLORE: DOES_NOT_EVALUATE,
        kinds.SPECIFICATION: BAD_INPUT,
        kinds.MISSING_ENTITIES: BAD_INPUT,
        kinds.USAGE: USAGE,
        kinds.NOT_INSTALLED: USAGE,
        kinds.NOT_TRANSLATED: BAD_INPUT,
        kinds.DEFECT: INTERNAL,
        kinds.CHECKER: BAD_INPUT,
        kinds.UNSOUND: VIOLATED,
    }


def code_of(error: Diagnostic) -> int:
    """The exit code for an error."""
    return codes_of_kinds()[error.kind]


def code_of_all(errors: Iterable[Diagnostic]) -> int:
    """The exit code for the errors of a file: that it is not well-formed outweighs all, then a spent budget."""
    codes = {code_of(error) for error in errors}
    return BAD_INPUT if BAD_INPUT in codes else min(codes, default=HOLDS)


_VERDICTS = {
    "holds": HOLDS,
    "verified": HOLDS,
    "verified-assuming": ASSUMING,
    "decided": HOLDS,
    "violated": VIOLATED,
    "falsified": VIOLATED,
    "unknown": UNKNOWN,
    "sound": HOLDS,
    "doubtful": UNKNOWN,
    "broken": VIOLATED,
}


def of_verdict(verdict: str) -> int:
    """The exit code for a verdict."""
    return _VERDICTS[verdict]
