"""Goals and the tree they form. Both are immutable: a tactic makes new ones."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from otsrw.records import NamedTuple
from otsrw.theory.modules import Axiom
from otsrw.theory.signature import Signature
from otsrw.theory.terms import OpDecl, Term

ROOT = "root"


class TacticDefinition(NamedTuple):
    """What `:def` gives a name to: a command with its words read, or a sequence of names."""

    name: str
    keyword: str
    """`:ctf{`, `:ctf[`, `:csp{`, `:init` with their `-`, or `(` for a sequence."""
    form: str
    """How CafeOBJ prints it."""
    axioms: tuple[Axiom, ...] = ()
    term: Term | None = None
    names: tuple[str, ...] = ()
    bindings: tuple[tuple[Term, Term], ...] = ()
    label: str = ""
    is_given: bool = False
    """`:init` of an axiom that is written there, not taken from the module."""


class Goal(NamedTuple):
    """What is to be proved, under which assumptions and with which constants beyond the context module."""

    name: str
    targets: tuple[Axiom, ...]
    signature: Signature
    tactic: str = ""
    """The tactic that made the goal, as the proof tree shows it; empty for the root."""
    form: str = ""
    """What stands before `=>` where the goal is shown."""
    decls: tuple[OpDecl, ...] = ()
    constants: tuple[Term, ...] = ()
    """Constants for variables, introduced by `tc`."""
    induction_constants: tuple[Term, ...] = ()
    """Constants introduced by `si` and by cases over constructors."""
    variables: tuple[Term, ...] = ()
    """The induction variables."""
    bases: tuple[Term, ...] = ()
    """Values that `:ind { .. }` gives for the base of an induction."""
    steps: tuple[Term, ...] = ()
    """Patterns that `:ind { .. }` gives for its steps."""
    assumptions: tuple[Axiom, ...] = ()
    proved: tuple[Axiom, ...] = ()
    definitions: tuple[TacticDefinition, ...] = ()
    theories: tuple[OpDecl, ...] = ()
    """Operators that `:theory` declares again, with the laws that reductions use here."""
    keeps_targets: bool = False
    """Made by a defined `:ctf-` or `:csp-`: `rd` leaves here what it cannot discharge as it is."""
    claim: Axiom | None = None
    """The target before `:imp` and `rd` of CiMPA changed it; None if they did not."""
    premises: tuple[Term, ...] = ()
    """What `:imp` put in front of the claim, or what `:init` said that cannot be, as it was before it was reduced."""
    merged: tuple[tuple[Term, Term], ...] = ()
    """Constants of ours, each with the constant that CafeOBJ has in its place although the two are unrelated."""

    @property
    def is_discharged(self) -> bool:
        return not self.targets

    def child(self, number: int, tactic: str, form: str | None = None) -> Goal:
        """A goal below this one that is the same so far."""
        name = str(number) if self.name == ROOT else f"{self.name}-{number}"
        shown = f"[{tactic}]" if form is None else form
        return self._replace(name=name, tactic=tactic, form=shown, proved=(), keeps_targets=False)


class WrongClosing(NamedTuple):
    """CafeOBJ 1.6.0 closes a goal and is wrong: which goal, and why it stays open here."""

    goal: str
    reason: str


class GoalNode:
    """A goal and those that a tactic made of it; nodes do not change."""

    __slots__ = ("children", "gap", "goal", "is_proved")

    def __init__(self, goal: Goal, children: tuple[GoalNode, ...] = (), gap: str | None = None) -> None:
        self.goal = goal
        self.children = children
        self.gap = gap
        """A case that the children leave out: then they prove nothing."""
        closed = gap is None and bool(children) and all(child.is_proved for child in children)
        self.is_proved: bool = goal.is_discharged or closed

    def with_goal(self, goal: Goal) -> GoalNode:
        """The node with another goal, and the same goals below it."""
        return GoalNode(goal, self.children, self.gap)

    def walk(self) -> Iterator[GoalNode]:
        """The node and all below it, parents first."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            todo += reversed(node.children)

    def open_goals(self) -> list[Goal]:
        """Goals without goals below them that still have targets; of a proof with a gap the goal that has the gap."""
        if self.is_proved:
            return []
        if not self.children:
            return [self.goal]
        found = [goal for child in self.children if not child.is_proved for goal in child.open_goals()]
        return found or [self.goal]


def find(root: GoalNode, name: str) -> GoalNode | None:
    """The node of a goal; None if there is none of this name."""
    if name == root.goal.name:
        return root
    node = root
    for number in name.split("-"):
        if not number.isdecimal() or not 1 <= int(number) <= len(node.children):
            return None
        node = node.children[int(number) - 1]
    return node


def replaced(root: GoalNode, node: GoalNode) -> GoalNode:
    """The tree with this node in place of the one of the same name."""
    if node.goal.name == root.goal.name:
        return node
    return _put(root, [int(number) - 1 for number in node.goal.name.split("-")], node)


def _put(root: GoalNode, path: list[int], node: GoalNode) -> GoalNode:
    if not path:
        return node
    first, *rest = path
    children = list(root.children)
    children[first] = _put(children[first], rest, node)
    return GoalNode(root.goal, tuple(children), root.gap)


class NoteKind(Enum):
    """What a tactic has to say of a sentence or a goal."""

    DISCHARGED = "discharged: "
    CASE_DISCHARGED = "discharged: eq"
    GOAL_DISCHARGED = "discharged goal "
    NEW_GOAL_DISCHARGED = "discharged the goal "
    CONTRADICTION = "contradiction: "
    CONTRADICTORY_ASSUMPTION = "contradictory assumption: "
    ALL_DISCHARGED = "dischaged:"
    CONVERTED = "target sentence is converted ..."
    INITIALIZED = "initialized"


class TacticNote(NamedTuple):
    """A note with the sentence or goal it is about; a contradiction without a sentence is `true = false`."""

    kind: NoteKind
    tactic: str
    sentences: tuple[Axiom, ...] = ()
    goal: str = ""


class TacticOutcome(NamedTuple):
    """What a tactic makes of a goal: the goal as it is then, and new goals below it, if any."""

    goal: Goal
    children: tuple[Goal, ...] = ()
    notes: tuple[TacticNote, ...] = ()
    doubts: tuple[WrongClosing, ...] = ()
    gap: str | None = None
    assumed: tuple[str, ...] = ()
    """What the step takes for granted without a proof."""
    modules: int = 0
    """How many modules CafeOBJ makes for it."""
