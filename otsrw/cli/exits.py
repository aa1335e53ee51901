"""Exit codes, part of the contract with scripts."""

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
