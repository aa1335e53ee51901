"""What induction-guided falsification gives: the lemma tree, the verdict and its evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal as Literal_

from otsrw.display import Displayed
from otsrw.induction.steps import Predicate, Step
from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant
from otsrw.ots.run import Run
from otsrw.reasoning.splitting import Leaf, Policy, conditions_first
from otsrw.theory.terms import Term

Status = Literal_["open", "proved", "violated", "undecided", "dropped"]

INTERRUPTED = "interrupted"
"""The reason of a result after Ctrl-C."""


@dataclass(frozen=True, eq=False, slots=True)
class Closed:
    """A case and why it is closed: `premises` are lemma instances (or a contradictory literal) that exclude it."""

    step: Step
    leaf: Leaf
    lemmas: tuple[tuple[str, tuple[Term, ...]], ...] = ()


@dataclass(eq=False)
class Node:
    """A predicate of the lemma tree."""

    predicate: Predicate
    kind: Literal_["property", "necessary", "strengthened", "given"]
    parent: str | None = None
    transition: str | None = None
    status: Status = "open"
    depth: int = 0
    """Distance from the property."""
    cases: list[Closed] = field(default_factory=list)
    undecided: list[tuple[Step, Leaf]] = field(default_factory=list)
    is_exact: bool = True
    """Is the predicate necessary for its parent, and that for its own, up to the property?"""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class IgfResult(Displayed):
    """The verdict with its evidence."""

    verdict: Literal_["falsified", "verified", "unknown"]
    reason: str
    invariant: Invariant
    instance: Instance
    nodes: dict[str, Node]
    run: Run | None
    chain: tuple[str, ...]
    """From the property to the lemma that was found violated."""
    states: int
    depth: int
    rounds: int
    dropped: tuple[str, ...]
    """Strengthened lemmas that turned out to be false."""
    seconds: float

    def unproved(self, reason: str) -> IgfResult:
        """The same, without the claim."""
        return replace(self, verdict="unknown", reason=reason)


@dataclass(frozen=True, slots=True)
class Options:
    depth: int = 3
    strengthen: bool = True
    timeout: float | None = None
    policy: Policy = conditions_first
    lemmas: tuple[str, ...] = ()
    max_level: int = 30
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class News:
    """Where the procedure is."""

    doing: str
    queue: int
    lemmas: int
    cases: int
    states: int


Listener = Callable[[News], None]
