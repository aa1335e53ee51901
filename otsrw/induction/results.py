"""What induction-guided falsification gives: the predicates with their cases, the verdict and its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from otsrw.display import Displayed
from otsrw.induction.cases import InductionCase, Predicate
from otsrw.induction.grounds import NO_GROUNDS, Grounds
from otsrw.ots.model import Invariant, Ots
from otsrw.reasoning.splitting import Leaf, Policy, conditions_first
from otsrw.records import NamedTuple, dataclass, replace
from otsrw.soundness import ObligationKind
from otsrw.theory.terms import Term

if TYPE_CHECKING:
    from otsrw.induction.parallel import CaseCrew, CaseWork
    from otsrw.ots.instance import Instance
    from otsrw.ots.run import Run
    from otsrw.reasoning.data_induction import DataProof
    from otsrw.reasoning.lemma_book import MissingEquation


class IgfVerdict(StrEnum):
    """What is known of an invariant in the end."""

    FALSIFIED = "falsified"
    VERIFIED = "verified"
    VERIFIED_ASSUMING = "verified-assuming"
    """All cases are closed, and the user takes on trust what is not shown of the equations."""
    UNKNOWN = "unknown"

    __repr__ = str.__repr__  # a result shows its verdict as a word


class NodeKind(StrEnum):
    """Where a predicate comes from."""

    PROPERTY = "property"
    NECESSARY = "necessary"
    """It excludes one case, no more: if it is false, so is its parent."""
    STRENGTHENED = "strengthened"
    """It excludes a case by saying more than is needed: a guess."""
    GIVEN = "given"
    """The user named it: a guess as well."""
    DOMAIN = "domain"
    """It says that a term has a value wherever a reachable state asks for it. The proof needs it, no case does."""


class NodeStatus(StrEnum):
    """What is known of a predicate; `OPEN` until all its cases were looked at."""

    OPEN = "open"
    CLOSED = "closed"
    """All its own cases are closed, some perhaps by lemmas that are not proved."""
    PROVED = "proved"
    """Closed, and so is every lemma that its cases use, with nothing missing about the equations."""
    VIOLATED = "violated"
    UNDECIDED = "undecided"


class LemmaInstance(NamedTuple):
    """A predicate of the lemma tree, or a lemma about data, by its name, with values for its parameters."""

    name: str
    values: tuple[Term, ...]
    is_data: bool = False
    """Is it a lemma about data, which needs no state?"""


@dataclass(frozen=True, eq=False, slots=True)
class Closed:
    """A leaf of an induction case that is closed: by itself, or by the instances of lemmas that exclude it."""

    case: InductionCase
    leaf: Leaf
    lemmas: tuple[LemmaInstance, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """A predicate of the lemma tree."""

    predicate: Predicate
    kind: NodeKind
    parent: str | None = None
    transition: str | None = None
    """The transition of the parent's case that it was found for; None for the property and given lemmas."""
    status: NodeStatus = NodeStatus.OPEN
    depth: int = 0
    """Distance from the property."""
    cases: tuple[Closed, ...] = ()
    undecided: tuple[tuple[InductionCase, Leaf], ...] = ()
    is_exact: bool = True
    """Is the predicate necessary for its parent, and that for its own, up to the property?"""
    distance: int = 0
    """How many steps it is from being violated, as far as that can be guessed; 0 if it was not measured."""
    pending: tuple[str, ...] = ()
    """For a closed predicate: the lemmas that its cases use and that are not proved."""

    @property
    def name(self) -> str:
        return self.predicate.name

    @property
    def expected_steps(self) -> tuple[int, int]:
        """How many steps a counterexample is expected to have beyond a kept state, those from this lemma on last."""
        return (self.depth + 2 * self.distance, self.distance) if self.is_exact else (0, 0)

    @property
    def uses(self) -> frozenset[str]:
        """The predicates whose instances its cases use."""
        return frozenset(lemma.name for closed in self.cases for lemma in closed.lemmas if not lemma.is_data)

    @property
    def is_guess(self) -> bool:
        """May the predicate be false although the property holds, whatever its parent is?"""
        return self.kind in (NodeKind.STRENGTHENED, NodeKind.GIVEN, NodeKind.DOMAIN)


@dataclass(frozen=True, slots=True)
class Dropped:
    """A guess that was given up."""

    formula: str
    reason: str
    is_false: bool
    """Does a reachable state show that it is false?"""


def settled(nodes: Mapping[str, Node], grounds: Grounds) -> dict[str, Node]:
    """The nodes of a proof that ended: closed ones are proved if all they use is, by simultaneous induction.

    With `NO_GROUNDS` nobody asked what the proof rests on: then none is proved.
    """
    proved = frozenset() if grounds is NO_GROUNDS or grounds.missing else supported(nodes)
    found = dict(nodes)
    for name, node in nodes.items():
        if name in proved:
            found[name] = replace(node, status=NodeStatus.PROVED)
        elif node.status is NodeStatus.CLOSED:
            pending = tuple(other for other in nodes if other in node.uses - proved and other != name)
            found[name] = replace(node, pending=pending)
    return found


def supported(nodes: Mapping[str, Node]) -> frozenset[str]:
    """The predicates whose cases are closed, and that use no others, directly or indirectly."""
    closed = (NodeStatus.CLOSED, NodeStatus.PROVED)
    found = frozenset(name for name, node in nodes.items() if node.status in closed)
    while unsupported := {name for name in found if nodes[name].uses - found}:
        found -= unsupported
    return found


def used_by(nodes: Mapping[str, Node], name: str) -> frozenset[str]:
    """A predicate and all that its cases use, directly or indirectly."""
    found: set[str] = set()
    todo = [name]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += nodes[name].uses
    return frozenset(found)


def needed_nodes(nodes: Mapping[str, Node], root: str) -> dict[str, Node]:
    """The nodes that the proof of the root needs, and lemmas of the user; each below one that uses it.

    What keeps terms in their domain is needed if it is proved.
    """
    domains = [name for name in supported(nodes) if nodes[name].kind is NodeKind.DOMAIN]
    needed = used_by(nodes, root).union(*(used_by(nodes, name) for name in domains))
    kept = {name: node for name, node in nodes.items() if name in needed or node.kind is NodeKind.GIVEN}
    found: dict[str, Node] = {}
    for name, node in kept.items():
        if node.parent is not None and node.parent not in kept:
            user, transition = next(
                (other, closed.case.transition.name)
                for other, each in kept.items()
                for closed in each.cases
                if closed.case.transition is not None and other != name and name in {i.name for i in closed.lemmas}
            )
            found[name] = replace(node, parent=user, transition=transition)
        else:
            found[name] = node
    return found


def needed_data(nodes: Iterable[Node], proofs: Iterable[DataProof]) -> tuple[DataProof, ...]:
    """The lemmas about data without those that were found, are no rewrite rules, and are premises of nothing."""
    used = {lemma.name for node in nodes for closed in node.cases for lemma in closed.lemmas if lemma.is_data}
    kept: list[DataProof] = []
    for proof in reversed(list(proofs)):
        if proof.lemma.stated or proof.lemma.rule is not None or proof.lemma.name in used:
            kept.append(proof)
            used |= {leaf.premise.name for case in proof.cases for leaf in case.leaves if leaf.premise is not None}
    return tuple(reversed(kept))


class ClearSteps(NamedTuple):
    """The property is not violated within so many steps."""

    searched: int
    """The depth n of the search."""
    links: int
    """The length m of the shortest chain of predicates to one with cases that are not closed."""
    is_for_any_number: bool
    """Is that so for any number of entities, not only for those that were searched with?"""
    enough: Mapping[str, int]
    """So many entities of each sort would be enough for that; nothing if no number is known."""
    obstacle: str = ""
    """Why no number is known; empty if one is."""

    @property
    def depth(self) -> int:
        return self.searched + self.links


class UnclearSteps(NamedTuple):
    """Nobody knows within how many steps the property is not violated, and this condition of the theorem fails."""

    obstacle: str


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class IgfResult(Displayed):
    """The verdict with its evidence."""

    verdict: IgfVerdict
    reason: str
    invariant: Invariant
    ots: Ots
    instance: Instance | None
    """The instance that was searched; None if nothing was."""
    nodes: Mapping[str, Node]
    run: Run | None
    chain: tuple[str, ...]
    """From the property to the lemma that was found violated."""
    states: int
    depth: int
    rounds: int
    dropped: tuple[Dropped, ...]
    """Guesses that were given up."""
    seconds: float
    was_interrupted: bool = False
    """Did the user stop it?"""
    grounds: Grounds = NO_GROUNDS
    """What the proof rests on; nothing for a counterexample, which rests on its replay."""
    data: tuple[DataProof, ...] = ()
    """Lemmas about data that were proved on the way, in the order in which they were proved."""
    missing: tuple[MissingEquation, ...] = ()
    """Stuck terms that no lemma about data was proved for."""

    steps: ClearSteps | UnclearSteps | None = None
    """Within how many steps there is no violation, or why that is not known; None if the verdict is not unknown."""

    work: CaseWork | None = None
    """How induction cases were split by others; None if this process has split them all."""

    effort: int = 0
    """Work that induction has done, in reductions."""

    is_exhausted: bool = False
    """Were all states of a specification that leaves nothing open searched? Then there are no induction cases."""

    @property
    def entities(self) -> Mapping[str, tuple[str, ...]]:
        """The entities of the instance that was searched."""
        return {} if self.instance is None else self.instance.given

    @property
    def clear(self) -> ClearSteps | None:
        """Within how many steps there is no violation, if the verdict is unknown; None if nobody knows."""
        return self.steps if isinstance(self.steps, ClearSteps) else None

    @property
    def is_proved(self) -> bool:
        """Is the invariant proved, with or without assumptions about the equations?"""
        return self.verdict in (IgfVerdict.VERIFIED, IgfVerdict.VERIFIED_ASSUMING)

    def unproved(self, reason: str) -> IgfResult:
        """The same, without the claim: of its predicates the cases are closed, and no more."""
        nodes = {
            name: replace(node, status=NodeStatus.CLOSED) if node.status is NodeStatus.PROVED else node
            for name, node in self.nodes.items()
        }
        return replace(self, verdict=IgfVerdict.UNKNOWN, reason=reason, nodes=nodes)


WANTS_ELEMENTS = "a lemma about elements of a collection is wanted"
"""Why a run stopped that `Options.stops_for_elements` asked to stop."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the procedure may do; without a timeout it takes the time it needs."""

    depth: int = 3
    strengthen: bool = True
    timeout: float | None = None
    policy: Policy = conditions_first
    lemmas: tuple[str, ...] = ()
    """Invariants, and lemmas about data that the specification states, by name; the latter are proved first."""
    max_level: int = 30
    jobs: int = 1
    """Processes of this machine that split cases, unless there is a crew."""
    crew: CaseCrew | None = None
    """Those who split cases."""
    max_cases: int | None = None
    """Cases after which the procedure stops; None: no such limit."""
    max_work: int | None = None
    """Reductions after which the procedure stops (`induction/effort.py`); None: no such limit."""
    discover: bool = True
    """May new lemmas be looked for? If not, a case that the known ones do not close stays open."""
    assume: frozenset[ObligationKind] = frozenset()
    """Kinds of claims about the equations that are taken on trust."""
    stops_for_elements: bool = False
    """Does the procedure stop where only a lemma about a whole collection would do, since its elements have no name?"""


@dataclass(frozen=True, slots=True)
class News:
    """Where the procedure is."""

    doing: str
    queue: int
    lemmas: int
    cases: int
    states: int


NewsListener = Callable[[News], None]
