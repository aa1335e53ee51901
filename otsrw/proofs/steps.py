"""The events of rewriting by hand."""

from __future__ import annotations

from otsrw.proofs.answers import Naming
from otsrw.records import NamedTuple
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.morphisms import Substitution
from otsrw.theory.terms import Term


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
