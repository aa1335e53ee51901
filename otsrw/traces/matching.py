"""Which labels of a system a user means: as labels carry data, a name may be a label, its beginning, or a pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import StrEnum

from otsrw.records import dataclass
from otsrw.syntax.diagnostics import SyntaxProblem
from otsrw.traces.lts import Lts
from otsrw.traces.trace import split_at_commas


class Match(StrEnum):
    EXACT = "exact"
    PREFIX = "prefix"
    REGEX = "regex"


def split_labels(text: str) -> tuple[str, ...]:
    """The labels in `A,send(p,q)`: commas inside brackets belong to a label."""
    parts = split_at_commas(text)
    if parts is None:
        parts = [part.strip() for part in text.split(",")]
    if not parts or not all(parts):
        raise SyntaxProblem(
            "E126", f"a label is missing in {text!r}", hint="write labels with commas between them: A,B"
        )
    return tuple(parts)


def label_test(wanted: str, match: Match) -> Callable[[str], bool]:
    """Whether a label is meant by `wanted`; a regular expression has to match all of it."""
    if match is Match.EXACT:
        return lambda label: label == wanted
    if match is Match.PREFIX:
        return lambda label: label.startswith(wanted)
    try:
        pattern = re.compile(wanted)
    except (re.error, RecursionError, OverflowError) as error:
        raise SyntaxProblem("E126", f"not a regular expression: {wanted!r}: {error}") from None
    return lambda label: pattern.fullmatch(label) is not None


@dataclass(frozen=True, slots=True)
class ActionSequence:
    """Labels l1..ln that have to occur in this order, others between them (Definitions 5 and 6).

    `steps[action]` is a set of bits: bit j says that the action may be number j of the sequence.
    """

    names: tuple[str, ...]
    steps: tuple[int, ...]

    @classmethod
    def of(cls, lts: Lts, names: Iterable[str], match: Match = Match.EXACT) -> ActionSequence:
        names = tuple(names)
        steps = [0] * len(lts.labels)
        for number, name in enumerate(names):
            test = label_test(name, match)
            for action, label in enumerate(lts.labels):
                if test(label):
                    steps[action] |= 1 << number
        return cls(names, tuple(steps))

    def __len__(self) -> int:
        return len(self.names)

    def is_shown(self, lts: Lts, transitions: Iterable[int]) -> bool:
        """Whether some transitions, in their order, show all of the sequence."""
        seen = 0
        for transition in transitions:
            seen += self.steps[lts.actions[transition]] >> seen & 1 if seen < len(self) else 0
        return seen == len(self)

    def missing(self) -> tuple[str, ...]:
        """Names that no label of the system fits."""
        present = 0
        for bits in self.steps:
            present |= bits
        return tuple(name for number, name in enumerate(self.names) if not present >> number & 1)

    def actions(self, number: int) -> bytearray:
        """For each action, whether it may be number `number` of the sequence."""
        return bytearray(bits >> number & 1 for bits in self.steps)
