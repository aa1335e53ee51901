"""What happens while a file runs, as records that a session hands to its listener in order.

An event holds terms and modules, no text: `otsrw/report/events.py` makes lines of it. A family of commands may have
events of its own: each is a `NamedTuple` that the report knows how to show.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from otsrw.proofs.answers import CommandResult, Naming, TermCommandKind
from otsrw.rewriting.rules import Rule
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.morphisms import Substitution
from otsrw.theory.terms import Term

SessionEvent = tuple[object, ...]
"""One of the records below, or of those that a family of commands adds."""

EventListener = Callable[[SessionEvent], None]


class Reducing(NamedTuple):
    """A reduction begins."""

    command: TermCommandKind
    module: Module
    term: Term


class Reduced(NamedTuple):
    """A reduction has ended with an answer."""

    answer: CommandResult


class ReductionFailed(NamedTuple):
    """A reduction has ended without an answer; the problem is told next."""

    answer: CommandResult


class Parsed(NamedTuple):
    """A term has been read for `parse`."""

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


class ModuleShown(NamedTuple):
    """`show`: a whole module (`aspect` is empty), or one aspect of it, of the sort or operator `name` if not None."""

    module: Module
    aspect: str
    name: str | None = None


class TermShown(NamedTuple):
    """`show term`: the last term, as a tree or on a line."""

    term: Term
    as_tree: bool


# --- rewriting by hand


class Stepped(NamedTuple):
    """The term after an `apply`; with `conditions` above 0 it is a condition that a rule waits for."""

    term: Term
    conditions: int
    naming: Naming


class ConditionDecided(NamedTuple):
    """The condition of a rule has become true or false; `condition` is how it was shown last."""

    condition: Stepped
    holds: bool


class PartShown(NamedTuple):
    """`apply print`: a part of the term, on a line and as a tree."""

    part: Term
    naming: Naming


class Matched(NamedTuple):
    """All substitutions, up to a limit, under which a pattern is the given term."""

    found: tuple[Substitution, ...]
    naming: Naming


class MatchingRule(NamedTuple):
    """A rule whose left side (`+`) or right side (`-`) matches a term, with its number in the module."""

    sign: str
    number: int
    axiom: Axiom
    bindings: Substitution


class RulesMatched(NamedTuple):
    """The rules of a module that match a term."""

    module: Module
    subject: Term
    found: tuple[MatchingRule, ...]
