"""What happens while a file runs, as records that a session hands to its listener in order.

An event holds terms and modules, no text: `otsrw/report/events.py` makes lines of it. A family of commands may have
events of its own, as rewriting by hand has in `steps.py`: each is a `NamedTuple` that the report knows how to show.
"""

from __future__ import annotations

from collections.abc import Callable

from otsrw.proofs.answers import CommandResult, Naming, TermCommandKind
from otsrw.records import NamedTuple
from otsrw.rewriting.rules import Rule
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.syntax.source import Span
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.terms import Term

SessionEvent = tuple[object, ...]
"""One of the records below, or of those that a family of commands adds."""

EventListener = Callable[[SessionEvent], None]


class Reducing(NamedTuple):
    """A reduction begins."""

    command: TermCommandKind
    module: Module
    term: Term


class Answered(NamedTuple):
    """A term has been read for `parse`, or a reduction has ended; if it failed, the problem is told next."""

    answer: CommandResult


class ProblemFound(NamedTuple):
    """An error or a warning."""

    problem: Diagnostic


class Traced(NamedTuple):
    """A rewrite step of a reduction under `set trace on`: `place` has the argument positions, counted from 0."""

    number: int
    rule: Rule
    bindings: dict[Term, Term]
    place: tuple[int, ...]
    naming: Naming


class Echoed(NamedTuple):
    """A comment that is printed, or a line that a command has to say."""

    text: str


class PassageMarked(NamedTuple):
    """`:id(name)`: the passage belongs to the proof of this name."""

    name: str


class ModuleShown(NamedTuple):
    """`show`: a whole module (`aspect` is empty), or one aspect of it, of the sort or operator `name` if not None."""

    module: Module
    aspect: str
    name: str | None = None


class TermShown(NamedTuple):
    """`show term`: the last term, as a tree or on a line."""

    term: Term
    as_tree: bool


class ProofReached(NamedTuple):
    """How far a proof by tactics has got; the last of these with the same number counts."""

    number: int
    span: Span
    module: str
    sentences: tuple[Axiom, ...]
    open_goals: tuple[str, ...]
    """The names of the goals that are left."""
    assumed: tuple[str, ...]
    """What the proof takes for granted."""
    tree: object
    """The goals, as the family of commands keeps them."""
    context: object
    """The module that the goals are about, as the family of commands keeps it."""
