"""A proof by simultaneous induction as data: the lemma tree, what is left to do, and what turned out to be false.

A proof is changed by `commit` alone. What a `Prover` finds out in one step is a frozen record; to commit
it is to write it into the tree. A proof can be shown and stopped between any two steps, and another prover can
go on with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, assert_never

from otsrw.induction.agenda import Agenda
from otsrw.induction.cases import InductionCase, Predicate
from otsrw.induction.grounds import NO_GROUNDS, Grounds
from otsrw.induction.results import (
    Closed,
    Dropped,
    IgfVerdict,
    News,
    Node,
    NodeKind,
    NodeStatus,
    needed_nodes,
    used_by,
)
from otsrw.induction.steps import (
    Concluded,
    Demanded,
    Examined,
    GivenUp,
    LemmaChosen,
    ObligationStatus,
    OpenCase,
    Refuted,
    Searched,
    StepResult,
    Superseded,
    Violated,
)
from otsrw.induction.variants import GivenUpClauses
from otsrw.ots.model import Ots
from otsrw.reasoning.splitting import Leaf
from otsrw.records import dataclass, replace
from otsrw.theory.printing import show_plainly

if TYPE_CHECKING:
    from otsrw.induction.conjunctions import Conjunctions
    from otsrw.ots.run import Run
    from otsrw.ots.stepping import Values

MAX_RETRACTIONS = 120
"""Guesses that may be given up."""

_TOO_MANY = f"{MAX_RETRACTIONS} guesses had to be dropped, which is the limit"

TURNS = 6
"""Of so many predicates one is taken because it waits longest."""


@dataclass(frozen=True, eq=False, slots=True)
class ProofEnding:
    """The verdict of a proof, and why; with a run and its chain of lemmas if it is falsified."""

    verdict: IgfVerdict
    reason: str
    run: Run | None = None
    chain: tuple[str, ...] = ()
    grounds: Grounds = NO_GROUNDS


class Proof:
    """The lemma tree of a property."""

    def __init__(self, ots: Ots, root: Predicate, given: Iterable[Predicate] = ()) -> None:
        self.root = root
        self.given = tuple(given)
        """Lemmas of the user that are not known to be false."""
        self.agenda = Agenda(ots)
        self.nodes: dict[str, Node] = {root.name: Node(root, NodeKind.PROPERTY)}
        self.kept: tuple[Node, ...] = ()
        """Lemmas of a former run, with which the first attempt begins."""
        self.refuted = GivenUpClauses()
        """The literals of strengthened lemmas that turned out to be false, or hopeless."""
        self.refuting: list[Values] = []
        """Reachable states in which guesses were false."""
        self.supposed: list[Conjunctions] = []
        """States that no simple lemma was found to exclude, and what they lead to; they need not be reachable."""
        self.dropped: list[Dropped] = []
        """Guesses that were given up."""
        self.demanded: list[Predicate] = []
        """What was asked for to keep terms in their domain, given up or not."""
        self.limit: str | None = None
        """The first limit that left a case without a lemma."""
        self.is_searched = False
        self.states = 0
        self.cases = 0
        self.retractions = 0
        """Guesses that were given up."""
        self.ending: ProofEnding | None = None

    # --- what is known

    def news(self) -> News | None:
        """Where the proof is; None before it has begun and when nothing is left to do."""
        task = self.agenda.task()
        if task is None:
            return None
        obligation = task.obligation if isinstance(task, OpenCase) else task
        doing = f"{obligation.predicate}: {obligation.transition or 'base case'}"
        return News(doing, len(self.agenda.queue), len(self.nodes) - 1, self.cases, self.states)

    def chain(self, node: Node) -> tuple[str, ...]:
        """The names from the property to a node, which need not be in the tree yet."""
        names = [node.name]
        while node.parent is not None:
            node = self.nodes[node.parent]
            names.append(node.name)
        return tuple(reversed(names))

    def guess_above(self, node: Node) -> Node:
        """The guess that a lemma is necessary for, or that it is itself."""
        while not node.is_guess:
            assert node.parent is not None
            node = self.nodes[node.parent]
        return node

    def left_open(self) -> dict[str, Node]:
        """The lemma tree of a proof that stops, in which cases that wait for a lemma are undecided."""
        found = dict(self.nodes)
        for waiting in self.agenda.waiting:
            node = found[waiting.obligation.predicate]
            found[node.name] = replace(node, undecided=(*node.undecided, (waiting.case, waiting.leaf)))
        return found

    # --- changes

    def commit(self, result: StepResult) -> None:
        """Write what a step found out into the tree."""
        match result:
            case Searched():
                self._searched(result)
            case Examined():
                self._examined(result)
                self.agenda.note(result.obligation, result.status)
                self.agenda.waiting += result.needing
                self._go_on()
            case LemmaChosen():
                self._lemma_chosen(result)
                self._go_on()
            case Refuted():
                self.cases += result.examined.leaves
                self._retract(result)
            case GivenUp():
                self._give_up(result)
            case Violated():
                self._violated(result)
            case Demanded():
                self._demanded(result)
                self._go_on()
            case Concluded():
                self.ending = ProofEnding(result.verdict, result.reason, grounds=result.grounds)
                if result.verdict is not IgfVerdict.UNKNOWN:
                    self.nodes = needed_nodes(self.nodes, self.root.name)
            case _:
                assert_never(result)

    def _retract(self, refuted: Refuted) -> None:
        """Go on without a guess, and without what is necessary for it alone; cases that used these are open again.

        After too many of them, give up and keep the tree.
        """
        guess = refuted.guess
        if guess.kind is NodeKind.GIVEN:
            self.given = tuple(predicate for predicate in self.given if predicate.name != guess.name)
        elif guess.kind is NodeKind.STRENGTHENED:
            self.refuted.add(frozenset(guess.predicate.clauses[0].literals))
        formula = show_plainly(guess.predicate.formula)
        self.dropped.append(Dropped(formula, refuted.reason, refuted.state is not None))
        if refuted.state is not None:
            self.refuting.append(refuted.state)
        self.retractions += 1
        if self.retractions < MAX_RETRACTIONS:
            self._remove((guess.name,))
            self._go_on()
            return
        if refuted.claim is not None:
            self.nodes[refuted.claim.name] = refuted.claim
        self.ending = ProofEnding(IgfVerdict.UNKNOWN, _TOO_MANY)

    def _give_up(self, result: GivenUp) -> None:
        """Go on without guesses that seem to have no simple proof."""
        for guess, reason in result.reasons:
            self.refuted.add(frozenset(guess.predicate.clauses[0].literals))
            self.dropped.append(Dropped(show_plainly(guess.predicate.formula), reason, is_false=False))
        if result.beyond is not None:
            self.supposed.append(result.beyond)
        self.retractions += 1
        if self.retractions < MAX_RETRACTIONS:
            self._remove(guess.name for guess, _ in result.reasons)
            self._go_on()
        else:
            self.ending = ProofEnding(IgfVerdict.UNKNOWN, _TOO_MANY)

    def _remove(self, guesses: Iterable[str]) -> None:
        removed = set(guesses)
        for name, node in self.nodes.items():  # parents come before what is below them
            if node.parent in removed and not node.is_guess:
                removed.add(name)
        self.nodes = {
            name: replace(node, parent=self.root.name) if node.parent in removed else node
            for name, node in self.nodes.items()
            if name not in removed
        }
        again = [name for name, node in self.nodes.items() if node.uses & removed or name == self.agenda.current]
        for name in again:
            self._reopen(name, removed)
        self.agenda.remove(removed, again)

    def _reopen(self, name: str, removed: set[str]) -> None:
        """Open the obligations of a predicate again that used what is removed, or that are not closed."""
        node, own = self.nodes[name], self.agenda.obligations.get(name, {})
        using = [closed.case for closed in node.cases if any(lemma.name in removed for lemma in closed.lemmas)]
        again = {_transition(case) for case in (*using, *(case for case, _ in node.undecided))}
        again |= {each.transition for each, status in own.items() if status is not ObligationStatus.CLOSED}
        kept = tuple(closed for closed in node.cases if _transition(closed.case) not in again)
        self.nodes[name] = replace(node, status=NodeStatus.OPEN, cases=kept, undecided=())
        self.agenda.open_again(name, again)

    def _begin(self) -> None:
        self.nodes = {self.root.name: Node(self.root, NodeKind.PROPERTY)}
        for predicate in self.given:
            self.nodes[predicate.name] = Node(predicate, NodeKind.GIVEN, is_exact=False)
        self.nodes.update((node.name, node) for node in self.kept if node.name not in self.nodes)
        self.kept = ()
        self.agenda.begin(self.nodes)
        self._go_on()

    def _go_on(self) -> None:
        """Once a predicate has nothing left to do, note what became of it and take the next one."""
        if self.agenda.task() is not None:
            return
        if self.agenda.current is not None:
            self._settle(self.agenda.current)
        self.agenda.take(self._next_predicate())

    def _settle(self, name: str) -> None:
        """Note what became of a predicate, with its cases in the order of its obligations."""
        own = self.agenda.obligations[name]
        is_closed = all(status is ObligationStatus.CLOSED for status in own.values())
        place = {each.transition: number for number, each in enumerate(own)}
        cases = tuple(sorted(self.nodes[name].cases, key=lambda closed: place[_transition(closed.case)]))
        status = NodeStatus.CLOSED if is_closed else NodeStatus.UNDECIDED
        self.nodes[name] = replace(self.nodes[name], status=status, cases=cases)

    def _next_predicate(self) -> str | None:
        """The predicate that the shortest counterexample is expected from; now and then the one that waits longest.

        Lemmas that no case uses any more are left where they are.
        """
        domains = [name for name, node in self.nodes.items() if node.kind is NodeKind.DOMAIN]
        needed = frozenset().union(*(used_by(self.nodes, name) for name in (self.root.name, *domains)))
        waiting = [name for name in self.agenda.queue if name in needed or self.nodes[name].kind is NodeKind.GIVEN]
        if not waiting:
            return None
        is_turn = self.agenda.rounds % TURNS == 0
        return waiting[0] if is_turn else min(waiting, key=lambda name: self.nodes[name].expected_steps)

    def _mark(self, name: str, status: NodeStatus) -> None:
        self.nodes[name] = replace(self.nodes[name], status=status)

    def _searched(self, result: Searched) -> None:
        self.is_searched = True
        self.states = result.states
        if result.run is None:
            self._begin()
        else:
            self._falsified(result.run, (self.root.name,))

    def _falsified(self, run: Run, chain: tuple[str, ...]) -> None:
        for name in chain:
            self._mark(name, NodeStatus.VIOLATED)
        self.ending = ProofEnding(IgfVerdict.FALSIFIED, "a counterexample was found", run, chain)

    def _examined(self, result: Examined) -> None:
        self.cases += result.leaves
        self._add_cases(result.obligation.predicate, result.closed, result.undecided)

    def _add_cases(
        self, name: str, closed: tuple[Closed, ...], undecided: tuple[tuple[InductionCase, Leaf], ...] = ()
    ) -> None:
        node = self.nodes[name]
        self.nodes[name] = replace(node, cases=node.cases + closed, undecided=node.undecided + undecided)

    def _lemma_chosen(self, result: LemmaChosen) -> None:
        done = self.agenda.waiting.popleft()
        if result.lemma is not None:
            self.nodes[result.lemma.name] = result.lemma
            self.agenda.queue.append(result.lemma.name)
            for each in result.superseded:
                self._supersede(each)
        obligation = done.obligation
        self.limit = self.limit or result.limit
        if not result.closed:
            self._add_cases(obligation.predicate, (), ((done.case, done.leaf),))
            self.agenda.note(obligation, ObligationStatus.UNDECIDED)
            return
        self._add_cases(obligation.predicate, result.closed)
        self.agenda.lemmas_found(obligation)

    def _demanded(self, result: Demanded) -> None:
        self.demanded += result.predicates
        for predicate in result.predicates:
            self.nodes[predicate.name] = Node(predicate, NodeKind.DOMAIN, is_exact=False)
            self.agenda.queue.append(predicate.name)

    def _supersede(self, old: Superseded) -> None:
        """Take a lemma out of the tree that another one of the tree implies."""
        self.agenda.queue.remove(old.name)
        del self.nodes[old.name]
        for name, node in self.nodes.items():
            if old.name in node.uses:
                self.nodes[name] = replace(node, cases=tuple(old.cases.get(closed, closed) for closed in node.cases))

    def _violated(self, result: Violated) -> None:
        if result.examined is not None:
            self._examined(result.examined)
        claim = result.claim
        self.nodes[claim.name] = replace(self.nodes.get(claim.name, claim), status=NodeStatus.VIOLATED)
        if result.run is not None:
            self._falsified(result.run, result.chain)
        else:
            reason = f"{claim.name} is violated, but its counterexample does not extend"
            self.ending = ProofEnding(IgfVerdict.UNKNOWN, reason)


def _transition(case: InductionCase) -> str | None:
    return None if case.transition is None else case.transition.name
