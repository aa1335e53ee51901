"""An observational transition system: observers, transitions with effective conditions, invariant candidates.

Terms here are terms of `Ots.module`; `Ots.state` is the variable that stands for the current state in all of them.
"""

from __future__ import annotations

from otsrw.ots.hints import Hint
from otsrw.records import dataclass, field
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.syntax.source import NOWHERE, Span
from otsrw.theory.modules import Module
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term


@dataclass(frozen=True, eq=False, slots=True)
class StateOperator:
    """An operator with one argument of the state sort, at `place`, and indexes around it."""

    symbol: Symbol
    place: int
    indexes: tuple[Sort, ...]
    value: Sort

    @property
    def name(self) -> str:
        return self.symbol.name

    def apply(self, state: Term, indexes: tuple[Term, ...]) -> Term:
        return self.symbol.make((*indexes[: self.place], state, *indexes[self.place :]))

    def state_of(self, term: Term) -> Term:
        return term.args[self.place]

    def indexes_of(self, term: Term) -> tuple[Term, ...]:
        return term.args[: self.place] + term.args[self.place + 1 :]


@dataclass(frozen=True, eq=False, slots=True)
class Case:
    """One equation for an observer after a transition: the value, and when it applies (None: always)."""

    guard: Term | None
    value: Term
    span: Span = NOWHERE


@dataclass(frozen=True, eq=False, slots=True)
class Effect:
    """What a transition does to an observer: cases in order, over the index variables given."""

    observer: StateOperator
    indexes: tuple[Term, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Transition:
    """`t(S, y...)`: its parameters, its effective condition (None: always effective), its effects."""

    operator: StateOperator
    parameters: tuple[Term, ...]
    condition: Term | None
    stated: bool
    """Does an equation say that the state is unchanged when the condition fails?"""
    effects: tuple[Effect, ...]
    span: Span = NOWHERE

    @property
    def name(self) -> str:
        return self.operator.name


@dataclass(frozen=True, eq=False, slots=True)
class Invariant:
    """A state predicate `p(S, z...)` with its definition."""

    operator: StateOperator
    parameters: tuple[Term, ...]
    formula: Term
    span: Span = NOWHERE

    @property
    def name(self) -> str:
        return self.operator.name


@dataclass(frozen=True, eq=False, slots=True)
class Definition:
    """A state function defined for every state by one equation: `f(S, x...) = body`."""

    operator: StateOperator
    parameters: tuple[Term, ...]
    body: Term


@dataclass(frozen=True, eq=False)
class Ots:
    """What was understood of a module."""

    module: Module
    sort: Sort
    state: Term
    initials: tuple[Symbol, ...]
    observers: tuple[StateOperator, ...]
    transitions: tuple[Transition, ...]
    invariants: tuple[Invariant, ...]
    definitions: dict[Symbol, Definition]
    findings: tuple[Diagnostic, ...] = ()
    entities: dict[str, Hint] = field(default_factory=dict)
    """Entities written in the file: sort name to the hint that gives them."""
    suggested: tuple[str, ...] = ()
    """Invariants named in the file by `invariant`."""
    lemmas: tuple[str, ...] = ()
    """Lemmas named in the file by `lemma`."""

    @property
    def name(self) -> str:
        return self.module.name

    def observer(self, symbol: Symbol) -> StateOperator | None:
        return next((o for o in self.observers if o.symbol is symbol), None)

    def transitions_named(self, name: str) -> list[Transition]:
        """The transitions of a name: operators with different ranks may share one."""
        return [transition for transition in self.transitions if transition.name == name]
