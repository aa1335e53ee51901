"""What is left to do in a proof, and what a step of a prover finds out about it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from otsrw.induction.cases import InductionCase, Predicate
from otsrw.induction.clauses import Clause
from otsrw.induction.grounds import NO_GROUNDS, Grounds
from otsrw.induction.results import Closed, IgfVerdict, Node
from otsrw.reasoning.splitting import Leaf
from otsrw.records import NamedTuple, dataclass

if TYPE_CHECKING:
    from otsrw.induction.conjunctions import Conjunctions
    from otsrw.ots.run import Run
    from otsrw.ots.stepping import Values


class ProofObligation(NamedTuple):
    """A predicate and one of its induction cases."""

    predicate: str
    transition: str | None
    """None in a base case."""
    number: int
    """The place of the initial state, or of the transition, in the OTS."""


class ObligationStatus(StrEnum):
    """What became of an obligation; `OPEN` if it was not looked at yet."""

    OPEN = "open"
    NEEDS_LEMMAS = "needs lemmas"
    CLOSED = "closed"
    UNDECIDED = "undecided"


@dataclass(frozen=True, eq=False, slots=True)
class OpenCase:
    """A leaf that is false, and the lemma that is necessary to exclude it."""

    obligation: ProofObligation
    case: InductionCase
    leaf: Leaf
    necessary: Clause
    plain: Leaf
    """The leaf before it was split with premises."""


# --- what a step finds out


@dataclass(frozen=True, eq=False, slots=True)
class Searched:
    """The states within the depth were searched for a violation of the property; `run` is None if there is none."""

    states: int
    run: Run | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Examined:
    """An obligation was split: leaves that are closed, leaves that can never be, leaves that need a lemma."""

    obligation: ProofObligation
    leaves: int
    closed: tuple[Closed, ...]
    undecided: tuple[tuple[InductionCase, Leaf], ...]
    needing: tuple[OpenCase, ...]

    @property
    def status(self) -> ObligationStatus:
        if self.undecided:
            return ObligationStatus.UNDECIDED
        return ObligationStatus.NEEDS_LEMMAS if self.needing else ObligationStatus.CLOSED


@dataclass(frozen=True, eq=False, slots=True)
class Superseded:
    """A waiting lemma that a new one implies, and the cases that it closed, each as the new one closes it."""

    name: str
    cases: Mapping[Closed, Closed]


@dataclass(frozen=True, eq=False, slots=True)
class LemmaChosen:
    """An open case got a new lemma, or none because known ones close it; without `closed` it stays undecided."""

    open_case: OpenCase
    lemma: Node | None
    closed: tuple[Closed, ...]
    limit: str | None = None
    """The limit because of which there is no lemma; None if no limit was reached."""
    superseded: tuple[Superseded, ...] = ()
    """Lemmas that the new one makes superfluous."""


@dataclass(frozen=True, eq=False, slots=True)
class Refuted:
    """A guess is given up: it, or a lemma necessary for it, is violated or has a base case that stays false."""

    examined: Examined
    guess: Node
    claim: Node | None = None
    """The lemma; None if it is the guess itself."""
    state: Values | None = None
    """A reachable state in which the guess is false, if one was found."""
    is_base: bool = False
    """Is it because of a base case?"""

    @property
    def reason(self) -> str:
        """Why it is given up, as far as that is known."""
        if self.state is not None:
            return "it is false in a reachable state"
        if self.is_base:
            whose = "its base case" if self.claim is None else "the base case of a lemma that it needs"
            return f"{whose} is not closed"
        return "a lemma that it needs is false"


@dataclass(frozen=True, eq=False, slots=True)
class GivenUp:
    """Guesses are given up although they may be true: simple lemmas will not prove them."""

    open_case: OpenCase
    guess: Node
    """Nothing simple was found that excludes the open case of it, or of a lemma that it needs."""
    others: tuple[Node, ...] = ()
    """They are false in states to which the states of that case lead."""
    beyond: Conjunctions | None = None
    """These states; None if none were found."""

    @property
    def reasons(self) -> list[tuple[Node, str]]:
        """Why each is given up."""
        beyond = "no simple lemma was found that excludes states in which it is false"
        return [
            (self.guess, "no simple lemma was found for one of its cases"),
            *((each, beyond) for each in self.others),
        ]


@dataclass(frozen=True, eq=False, slots=True)
class Violated:
    """A lemma necessary for the property is false; `run` violates the property, None if no such run was found."""

    examined: Examined | None
    """None if it is the property itself that was looked at."""
    claim: Node
    run: Run | None
    chain: tuple[str, ...]
    """From the property to the claim."""


@dataclass(frozen=True, eq=False, slots=True)
class Demanded:
    """All cases are closed; it is a proof if these predicates are proved as well, which keep terms in their domain."""

    predicates: tuple[Predicate, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Concluded:
    """Nothing is left to do; `grounds` is what the proof rests on, if all its cases are closed."""

    verdict: IgfVerdict
    reason: str
    grounds: Grounds = NO_GROUNDS


@dataclass(frozen=True, slots=True)
class Stopped:
    """The prover ran out of time or of another budget; there is nothing to commit."""

    reason: str


StepResult = Searched | Examined | LemmaChosen | Refuted | GivenUp | Violated | Demanded | Concluded
