"""What is proved by induction on the reachable states (Theorem 3): predicates, and the cases of their induction."""

from __future__ import annotations

from otsrw.induction.clauses import Clause
from otsrw.ots.model import Transition
from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.workbench import Workbench
from otsrw.records import NamedTuple, dataclass
from otsrw.theory.terms import Term


@dataclass(frozen=True, eq=False, slots=True)
class Predicate:
    """A state predicate to be proved: an invariant of the specification, or a lemma found on the way."""

    name: str
    parameters: tuple[Term, ...]
    formula: Term
    clauses: tuple[Clause, ...] = ()
    """The formula as clauses, all of which it implies."""
    about: tuple[Term, ...] = ()
    """Terms that a case must speak of before a lemma about data is used in it."""


class CaseName(NamedTuple):
    """A case of a predicate, by the number of the transition, or of the initial state in a base case."""

    is_base: bool
    number: int


@dataclass(frozen=True, eq=False, slots=True)
class InductionCase:
    """A base case or an induction case of a predicate, and the constants for state, arguments and parameters."""

    predicate: Predicate
    transition: Transition | None
    """None in a base case."""
    bench: Workbench
    state: Term
    """The state before the transition; the initial state in a base case."""
    after: Term
    """The state after the transition; the initial state in a base case."""
    arguments: tuple[Term, ...]
    values: tuple[Term, ...]
    """The constants that stand for the predicate's parameters."""
    goal: Term
    starts: tuple[Assumptions, ...]
    """The cases to begin with: not effective, effective."""
