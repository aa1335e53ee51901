"""A proof that is under way: the tree of goals, the goal the next command is about, and the application of tactics."""

from __future__ import annotations

from enum import Enum

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.cases import analyse_cases
from otsrw.proofs.citp.casework import split
from otsrw.proofs.citp.goals import (
    Goal,
    GoalNode,
    NoteKind,
    TacticDefinition,
    TacticNote,
    TacticOutcome,
    find,
    replaced,
)
from otsrw.proofs.citp.induct import ProofConstructor, structural_induction
from otsrw.proofs.citp.lemmas import InitFlags, initialise
from otsrw.proofs.citp.tactics import TACTICS, check_targets, normal_targets
from otsrw.syntax.diagnostics import TheoryProblem
from otsrw.syntax.source import Span

BUILT_IN = ("si", "ca", *TACTICS)
_CHECKED = ("tc", "ip", "ip+")


class Flag(Enum):
    """The flags of `:set`."""

    VERBOSE = "verbose"
    SHOW_RWL = "show-rwl"
    SPOILER = "spoiler"
    PRINT_MESSAGE = "print-message"
    NORMALIZE_INIT = "normalize-init"
    NORMALIZE_LHS = "normalize-lhs"


Flags = dict[Flag, bool]
Step = str | TacticDefinition


def default_flags() -> Flags:
    on = (Flag.PRINT_MESSAGE, Flag.NORMALIZE_INIT, Flag.NORMALIZE_LHS)
    return {flag: flag in on for flag in Flag}


class ProofState:
    """One proof. Only `put`, `remove_below`, `enter` and `apply` change the tree."""

    def __init__(self, bench: GoalBench, goal: Goal, constructors: tuple[ProofConstructor, ...], span: Span) -> None:
        self.bench = bench
        self.stated = goal.targets
        self.span = span
        self.root = GoalNode(goal)
        self.default: str | None = goal.name
        self.constructors = constructors
        self.assumed: list[str] = []

    # --- goals

    def node(self, name: str) -> GoalNode:
        found = find(self.root, name)
        if found is None:
            raise TheoryProblem("E309", f"there is no goal {name}", hint="':show proof' lists the goals")
        return found

    def open_goals(self) -> list[Goal]:
        return self.root.open_goals()

    def current(self) -> Goal | None:
        """The goal that the next command is about; None if all are discharged."""
        if self.default is not None:
            return self.node(self.default).goal
        return next(iter(self.root.open_goals()), None)

    def put(self, goal: Goal) -> None:
        """Change a goal; what is below it stays."""
        self.root = replaced(self.root, self.node(goal.name).with_goal(goal))

    def remove_below(self, name: str) -> None:
        self.root = replaced(self.root, GoalNode(self.node(name).goal))

    # --- tactics

    def apply(self, name: str, step: Step, flags: Flags) -> TacticOutcome:
        """Apply a tactic to a goal, and enter what it makes into the tree. A discharged goal stays as it is."""
        goal = self.node(name).goal
        if goal.is_discharged:
            return TacticOutcome(goal)
        outcome = self._made(goal, step, flags)
        if flags[Flag.SPOILER]:
            outcome = self._at_once(outcome, step)
        return self.enter(outcome)

    def enter(self, outcome: TacticOutcome) -> TacticOutcome:
        """Enter what a step makes of a goal into the tree."""
        children = tuple(GoalNode(child) for child in outcome.children)
        self.root = replaced(self.root, GoalNode(outcome.goal, children, outcome.gap))
        self.take_for_granted(outcome.assumed)
        return outcome

    def take_for_granted(self, what: tuple[str, ...]) -> None:
        """Note what the proof rests on and nobody has proved."""
        self.assumed += [each for each in what if each not in self.assumed]

    def _made(self, goal: Goal, step: Step, flags: Flags) -> TacticOutcome:
        bench = self.bench
        if isinstance(step, TacticDefinition):
            if step.keyword == ":init":
                init = InitFlags(flags[Flag.NORMALIZE_INIT], flags[Flag.NORMALIZE_LHS])
                return initialise(bench, goal, step, init)
            return split(bench, goal, step, self.constructors)
        if step == "si":
            stated = normal_targets(bench, goal) if flags[Flag.SPOILER] else goal
            return structural_induction(bench, stated, self.constructors)._replace(goal=goal)
        if step == "ca":
            return analyse_cases(bench, goal, flags[Flag.SPOILER])
        return TACTICS[step](bench, goal)

    def _at_once(self, outcome: TacticOutcome, step: Step) -> TacticOutcome:
        """With the flag `spoiler` new goals are reduced, and checked, as soon as they are made."""
        if isinstance(step, TacticDefinition):
            if step.keyword == ":init":
                return outcome
            return self._checked(outcome, step.keyword[1:4], not step.keyword.endswith("-"))
        if step not in _CHECKED:
            return outcome
        constants = outcome.goal.constants
        children = (normal_targets(self.bench, c) if c.constants != constants else c for c in outcome.children)
        return self._checked(outcome._replace(children=tuple(children)), step.removesuffix("+"), step != "ip+")

    def _checked(self, outcome: TacticOutcome, tactic: str, reduces: bool) -> TacticOutcome:
        notes, children = list(outcome.notes), []
        doubts, assumed = list(outcome.doubts), list(outcome.assumed)
        for child in outcome.children:
            found, normal = check_targets(self.bench, child, tactic)
            notes += found.notes
            doubts += found.doubts
            assumed += found.assumed
            if not normal:
                notes.append(TacticNote(NoteKind.NEW_GOAL_DISCHARGED, tactic, goal=child.name))
            children.append(found.goal._replace(targets=normal) if reduces else found.goal)
        return outcome._replace(
            children=tuple(children), notes=tuple(notes), doubts=tuple(doubts), assumed=tuple(assumed)
        )
