"""What a proof takes for granted about a specification, as data.

An obligation is a claim about the equations of a specification. It is proved, refuted by a witness, or open: then
nobody knows, and `missing` says what would settle it.
"""

from __future__ import annotations

from enum import StrEnum

from otsrw.records import dataclass
from otsrw.syntax.source import NOWHERE, Span
from otsrw.theory.terms import Term


class ObligationKind(StrEnum):
    """The claims that induction relies on."""

    SORTS = "sorts"
    """The value of an equation's right side has a sort that the left side promises."""
    IGNORED = "ignored"
    """No equation that the engine ignores could change a value."""
    CONSTANTS = "constants"
    """No equation rewrites `true`, `false` or a numeral."""
    TERMINATING = "terminating"
    """Evaluating the function ends, conditions included."""
    ORDER = "order"
    """The function has one value, whichever equation is tried first."""
    COMPLETE = "complete"
    """The function has a value for all arguments."""
    PROTECTED = "protected"
    """The values of the sort are those that its own module builds."""
    EQUALITY = "equality"
    """Equations on `=` say no more than that equal values are the same value."""
    GENERATED = "generated"
    """Every state is an initial state or the state after a transition."""
    SPELLING = "spelling"
    """No equation looks at how terms are written, as `==` does."""
    CASES = "cases"
    """The passages of a proof score leave no case of a step out."""


class Status(StrEnum):
    PROVED = "proved"
    REFUTED = "refuted"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class DomainClaim:
    """A state predicate over the state variable of the system: where it is an invariant, a term has a value."""

    parameters: tuple[Term, ...]
    formula: Term


@dataclass(frozen=True, slots=True)
class Obligation:
    """One claim and what is known of it."""

    kind: ObligationKind
    subject: str
    """What the claim is about, in the user's notation: a function, a sort, an equation."""
    status: Status
    span: Span = NOWHERE
    """The place to look at: an equation, or a declaration."""
    witness: str = ""
    """For a refuted claim: ground terms, in the user's notation, that show it."""
    missing: str = ""
    """For an open claim: what could not be shown."""
    evidence: str = ""
    """For a proved claim: how it was shown, in a few words."""
    hint: str = ""
    notes: tuple[str, ...] = ()
    decisive: bool = True
    """Does the verdict depend on it? A claim about an operator outside the cone is told, and changes no verdict."""

    is_about_domain: bool = False
    """Is it open whether a term lies outside of all sorts, as `p 0` does? Such a term is no element of any."""

    claims: tuple[DomainClaim, ...] = ()
    """If all of these are invariants, no reachable state asks for a missing value; none if nothing is known to do."""

    @property
    def is_disagreement(self) -> bool:
        """Does a witness have two values by the equations, or does `=` say that two different values are equal?"""
        return self.status is Status.REFUTED and self.kind in (ObligationKind.ORDER, ObligationKind.EQUALITY)
