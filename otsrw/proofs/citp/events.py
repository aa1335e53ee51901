"""The events of CITP."""

from __future__ import annotations

from otsrw.proofs.answers import Naming
from otsrw.proofs.citp.goals import Goal, GoalNode, TacticNote
from otsrw.records import NamedTuple
from otsrw.rewriting.search import SearchNote
from otsrw.theory.modules import Axiom
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import OpDecl, Term


class GoalNaming(NamedTuple):
    """How the sorts of a proof context are printed, and its name."""

    context: str
    ambiguous: frozenset[Sort]
    """Sorts that are printed with their modules, because another sort has the same name."""
    declared: dict[str, Term] | None = None
    """Variables that are printed without their sorts; None if there are none. Goals print all with their sorts."""


class ProofBegun(NamedTuple):
    """`:goal`: a proof begins; `is_first` if it is the first one in its context."""

    goal: Goal
    naming: GoalNaming
    is_first: bool


class TacticApplied(NamedTuple):
    """A tactic was applied to a goal; `header` is empty for a case split that is a command of its own."""

    header: str
    goal: str
    modules: int
    notes: tuple[TacticNote, ...]
    generated: tuple[Goal, ...]
    naming: GoalNaming
    is_verbose: bool
    changed: Goal | None = None
    """The goal after an `:init`, which is shown if everything is to be shown."""
    searches: tuple[SearchNote, ...] = ()
    """What search predicates found, with the flag `show-rwl`."""
    terms: Naming | None = None
    """How terms of the goal are printed in `searches`; None if there are none."""


class SchemeGiven(NamedTuple):
    """`:ind { .. }`: the terms of a scheme of induction, and the goals that it makes if they are to be shown."""

    bases: tuple[Term, ...]
    hypotheses: tuple[Term, ...]
    steps: tuple[Term, ...]
    generated: tuple[Goal, ...]
    naming: GoalNaming


class WorkDone(NamedTuple):
    """What a command has cost."""

    seconds: float
    rewrites: int


class GoalsShown(NamedTuple):
    """Goals that are shown in full."""

    goals: tuple[Goal, ...]
    naming: GoalNaming


class TreeShown(NamedTuple):
    """`:show proof`: the goals by name; `default` is the one that the next command is about, None if there is none."""

    node: GoalNode
    default: str | None


class ProofDescribed(NamedTuple):
    """`:describe proof`: the goals with their sentences."""

    node: GoalNode
    naming: GoalNaming


class SentencesShown(NamedTuple):
    """Sentences under a title."""

    title: str
    sentences: tuple[Axiom, ...]
    naming: GoalNaming
    with_period: bool = True


class TheoryEmbedded(NamedTuple):
    """`:embed [label] {assoc} as M`: an operator has a law in a module; `decl` declares it there."""

    module: str
    laws: tuple[str, ...]
    decl: OpDecl
    naming: GoalNaming


class ConstructorsShown(NamedTuple):
    """`:order ( )`"""

    constructors: tuple[OpDecl, ...]
    naming: GoalNaming
