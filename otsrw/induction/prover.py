"""Takes the steps of induction-guided falsification (Definition 9).

The property is looked for in R<=n; if no state violates it, its induction cases are split, one obligation a step. What
stays false becomes lemmas, which join the queue. A violated necessary lemma is extended, transition by transition, to
a violation of the property (Lemma 1). If the queue runs empty and every case is closed, all predicates hold by
simultaneous induction: each may be used in each case, at the same state.
"""

from __future__ import annotations

import itertools
import os
import time
from functools import cached_property
from typing import TYPE_CHECKING

from otsrw.induction.attempts import RefinedLeaf
from otsrw.induction.cases import CaseName, InductionCase, Predicate
from otsrw.induction.closing import closed_leaf, known_predicates
from otsrw.induction.effort import Effort
from otsrw.induction.grounds import Grounds, grounds_of
from otsrw.induction.proof import Proof
from otsrw.induction.results import (
    WANTS_ELEMENTS,
    ClearSteps,
    Closed,
    IgfVerdict,
    News,
    NewsListener,
    Node,
    NodeKind,
    NodeStatus,
    Options,
    UnclearSteps,
    needed_nodes,
    supported,
    used_by,
)
from otsrw.induction.scheme import Induction
from otsrw.induction.steps import (
    Concluded,
    Demanded,
    Examined,
    LemmaChosen,
    OpenCase,
    ProofObligation,
    Refuted,
    Searched,
    StepResult,
    Stopped,
    Violated,
)
from otsrw.ots.model import Invariant, Ots
from otsrw.reasoning.splitting import Leaf, LeafOutcome
from otsrw.records import replace
from otsrw.search.space import OutOfLimits, StateSpace
from otsrw.soundness.obligations import DomainClaim
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError

if TYPE_CHECKING:  # what searches is imported where it is used: with given lemmas nothing is searched
    from otsrw.induction.choosing import LemmaChooser
    from otsrw.induction.falsification import Falsifier
    from otsrw.induction.kept import Witness
    from otsrw.induction.promising import Strengthener

CLIMB_AFTER = 400
"""Cases after which violations are looked for beyond the kept states."""
OUT_OF_TIME = "the time is spent"


class Prover:
    """Takes steps of the proof of one invariant, searching in a state space; the time runs from its making.

    Without a space it takes the inductive half alone: nothing is searched, and no lemma is strengthened.
    """

    def __init__(self, ots: Ots, space: StateSpace | None, invariant: Invariant, options: Options) -> None:
        self.ots = ots
        self.space = space
        self.invariant = invariant
        self.options = options
        self.deadline = None if options.timeout is None else time.monotonic() + options.timeout
        follows_paper = options.discover and not options.strengthen and not options.lemmas
        self.induction = Induction(ots, options.policy, self.deadline, uses_premises=not follows_paper)
        self.effort = Effort(options.max_work)
        self.falsifier: Falsifier | None = None
        self.strengthener: Strengthener | None = None
        if space is not None:
            from otsrw.induction.falsification import Falsifier
            from otsrw.induction.promising import Strengthener

            self.falsifier = Falsifier(space, invariant.name, options.depth, self.deadline)
            self.strengthener = Strengthener(self.induction, space, self.deadline, self.effort)
        self.crew = options.crew
        if self.crew is None and options.jobs > 1 and hasattr(os, "fork"):
            from otsrw.induction.parallel import CaseCrew

            self.crew = CaseCrew.forked(options.jobs)
        self._split: dict[tuple[Predicate, ProofObligation], tuple[InductionCase, list[RefinedLeaf]]] = {}
        """Leaves that several processes computed ahead, with what was known after so many retractions."""
        self._split_after = 0
        self._tried: set[str] = set()
        """Predicates of which a violation was looked for beyond the kept states."""

    @cached_property
    def _chooser(self) -> LemmaChooser:
        from otsrw.induction.choosing import LemmaChooser

        return LemmaChooser(self.induction, self.options, self.falsifier, self.strengthener)

    def new_proof(self) -> Proof:
        """The proof before its first step."""
        named = {invariant.name: invariant for invariant in self.ots.invariants}
        self.induction.state_lemmas(name for name in self.options.lemmas if name not in named)
        given = [self._stated(named[name]) for name in self.options.lemmas if name in named]
        return Proof(self.ots, self._stated(self.invariant), given)

    def _stated(self, invariant: Invariant) -> Predicate:
        return self.induction.predicate(invariant.name, invariant.parameters, invariant.formula)

    def close(self) -> None:
        """End the processes that were started for this proof."""
        if self.falsifier is not None:
            self.falsifier.close()

    def report_cases(self, listener: NewsListener, news: News) -> None:
        """Tell as well how many cases are split while others do so."""
        if self.crew is not None:
            self.crew.listener = lambda done, of: listener(
                replace(news, doing=f"{news.doing}, {done} of {of} cases split")
            )

    # --- one step

    def step(self, proof: Proof) -> StepResult | Stopped:
        """What is found out next; the proof stays as it is until that is committed."""
        try:
            if not proof.is_searched:
                found = self._search()
                if found is not None:
                    return found
            if self.falsifier is not None:
                self.falsifier.explore()
                if self.options.jobs > 1 and hasattr(os, "fork"):
                    self.falsifier.divide(self.ots.module, self.options.jobs)
        except OutOfLimits as stop:
            return Stopped(f"{stop}, while R<={self.options.depth} was explored")
        try:
            return self._next(proof)
        except BudgetExceeded as error:
            return Stopped(error.problem.message)
        except OutOfLimits as stop:
            return Stopped(str(stop))

    def _search(self) -> Searched | None:
        """A violation of the property that a plain search finds; None if it finds none."""
        if self.falsifier is None:
            return Searched(0)
        found = self.falsifier.search(self.options.timeout)
        if found.verdict == "unknown":
            raise OutOfLimits(found.reason)
        return None if found.run is None else Searched(found.states, found.run)

    def _next(self, proof: Proof) -> StepResult | Stopped:
        if not proof.is_searched:
            return self._looked_at_kept(proof)
        task = proof.agenda.task()
        if task is None:
            return self._concluded(proof)
        if self._is_late():
            return Stopped(OUT_OF_TIME)
        self.effort.check()
        found = self._climbed(proof)
        if found is not None:
            return found
        if isinstance(task, ProofObligation):
            return self._examine(proof, task)
        chosen = self._chooser.lemma_for(proof, task)
        if self.options.stops_for_elements and isinstance(chosen, LemmaChosen) and self._is_about_whole(chosen.lemma):
            return Stopped(WANTS_ELEMENTS)
        return chosen

    def _is_about_whole(self, lemma: Node | None) -> bool:
        """Does a lemma speak of a whole collection, though it is known what that means for its elements?"""
        clauses = () if lemma is None else lemma.predicate.clauses
        said = {literal.atom.op for clause in clauses for literal in clause.literals}
        return not said.isdisjoint(self.induction.told_by_elements)

    def _is_late(self) -> bool:
        return self.deadline is not None and time.monotonic() > self.deadline

    def _looked_at_kept(self, proof: Proof) -> Searched | Violated:
        assert self.falsifier is not None
        root = proof.nodes[proof.root.name]
        witness = self.falsifier.violation(proof.root)
        if witness is None:
            return Searched(len(self.falsifier.explore().states))
        run = self.falsifier.run_of_invariant(proof.nodes, root, self.falsifier.path_of(witness.state))
        return Violated(None, root, run, proof.chain(root))

    def _concluded(self, proof: Proof) -> Demanded | Concluded:
        needed = needed_nodes(proof.nodes, proof.root.name) if self.options.discover else proof.nodes
        predicates = [node.predicate for node in needed.values()]
        grounds = grounds_of(self.ots, predicates, self.options.assume, self.induction.book.proofs)
        grounds = grounds.with_invariants(proof.nodes[name].predicate for name in supported(proof.nodes))
        used = used_by(proof.nodes, proof.root.name) if self.options.discover else proof.nodes
        undecided = [(name, node.undecided) for name, node in needed.items() if node.undecided and name in used]
        if undecided:
            return Concluded(IgfVerdict.UNKNOWN, _why_open(proof, undecided), grounds)
        assert all(proof.nodes[name].status is NodeStatus.CLOSED for name in used), "a needed lemma was not looked at"
        closed = "all induction cases are closed"
        doubt = grounds.doubt(proof.root.name)
        if doubt is not None:
            wanted = self._wanted(proof, grounds)
            if any(self._violation(predicate) is not None for predicate in wanted):
                return Concluded(IgfVerdict.UNKNOWN, f"{doubt}; a reachable state asks for a missing value", grounds)
            return Demanded(wanted) if wanted else Concluded(IgfVerdict.UNKNOWN, doubt, grounds)
        return Concluded(IgfVerdict.VERIFIED_ASSUMING if grounds.assumed else IgfVerdict.VERIFIED, closed, grounds)

    def _wanted(self, proof: Proof, grounds: Grounds) -> tuple[Predicate, ...]:
        """Predicates with which nothing is missing any more; none if there are no such, or one was tried in vain."""
        wanted = grounds.wanted if self.options.discover else ()
        tried = {DomainClaim(each.parameters, each.formula) for each in proof.demanded}
        if any(claim in tried for claim in wanted):
            return ()
        taken = {*proof.nodes, *(symbol.name for symbol in self.ots.module.signature.symbols())}
        names = (name for number in itertools.count(1) if (name := f"domain{number}") not in taken)
        return tuple(self.induction.predicate(next(names), each.parameters, each.formula) for each in wanted)

    def clear_steps(self, proof: Proof) -> ClearSteps | UnclearSteps:
        """Within how many steps the property is not violated, if the proof has not ended, or why nobody knows."""
        if self.falsifier is None:
            return UnclearSteps("nothing was searched")
        if self._is_late():
            return UnclearSteps(OUT_OF_TIME)
        if self.falsifier.kept is None or not proof.is_searched:
            return UnclearSteps("the search did not end")
        from otsrw.induction.clearance import clear_steps

        return clear_steps(self.ots, self.falsifier.kept, proof.nodes, proof.root.name, self.induction.book.proofs)

    # --- one obligation

    def _examine(self, proof: Proof, obligation: ProofObligation) -> Examined | Refuted | Violated | Stopped:
        """Split an induction case; every leaf that stays false asks for a lemma, which is looked for in R<=n."""
        node = proof.nodes[obligation.predicate]
        case, leaves = self._leaves(proof, obligation)
        if self._is_late() and any(part.outcome is LeafOutcome.UNDECIDED for each in leaves for part in each.parts):
            return Stopped(OUT_OF_TIME)
        closed: list[Closed] = []
        undecided: list[tuple[InductionCase, Leaf]] = []
        needing: list[OpenCase] = []

        def examined(count: int) -> Examined:
            return Examined(obligation, count, tuple(closed), tuple(undecided), tuple(needing))

        count = 0
        for refined in leaves:
            count += len(refined.parts)
            closed += [closed_leaf(self.induction, case, part) for part in refined.parts if part.is_closed]
            open_parts = [part for part in refined.parts if not part.is_closed]
            if not open_parts:
                continue
            if refined.leaf.outcome is LeafOutcome.UNDECIDED or not self._may_go_on(node, case):
                undecided += [(case, part) for part in open_parts]
            elif case.transition is None:
                guess = proof.guess_above(node)
                return Refuted(examined(count), guess, None if guess is node else node, is_base=True)
            else:
                lemma_for = self.induction.lemma_before if node.is_exact else self.induction.necessary_lemma
                necessary = lemma_for(case, refined.leaf)
                claim = self._chooser.lemma(proof, node, case, necessary, NodeKind.NECESSARY)
                witness = self._violation(claim.predicate)
                if witness is not None:
                    return self._violated(proof, examined(count), claim, witness)
                needing += [OpenCase(obligation, case, part, necessary, refined.leaf) for part in open_parts]
        return examined(count)

    def _may_go_on(self, node: Node, case: InductionCase) -> bool:
        """May a false leaf be excluded by a new lemma, or by giving up a guess? If not, it stays open."""
        return self.options.discover and (case.transition is not None or not node.is_exact)

    def _leaves(self, proof: Proof, obligation: ProofObligation) -> tuple[InductionCase, list[RefinedLeaf]]:
        """A case with its leaves; several processes split all open cases of a predicate at once."""
        predicate = proof.nodes[obligation.predicate].predicate
        if self._split_after != proof.retractions:
            self._split_after = proof.retractions
            self._split.clear()
        case = self._case(predicate, obligation)
        if self.induction.learn_early(case, known_predicates(self.induction, proof.nodes)):
            self._split.clear()
            case = self._case(predicate, obligation)
        if (predicate, obligation) not in self._split:
            self._split_ahead(proof, predicate, obligation, case)
        case, leaves = self._split.pop((predicate, obligation))
        self.effort.add(case.bench.reductions)
        while self.induction.learn(case, (part for refined in leaves for part in refined.parts)):
            self._split.clear()  # what was computed ahead does not know the new lemmas
            case = self._case(predicate, obligation)
            leaves = self.induction.refined(case, known_predicates(self.induction, proof.nodes))
            self.effort.add(case.bench.reductions)
        return case, leaves

    def _split_ahead(
        self, proof: Proof, predicate: Predicate, obligation: ProofObligation, case: InductionCase
    ) -> None:
        """Split a case; if there is a crew, all open cases of the predicate."""
        known = known_predicates(self.induction, proof.nodes)
        if self.crew is None:
            self._split = {(predicate, obligation): (case, self.induction.refined(case, known))}
            return
        ahead = proof.agenda.open_obligations()
        split = self.crew.split(self.induction, predicate, list(map(_case_name, ahead)), known)
        self._split = {(predicate, each): found for each, found in zip(ahead, split, strict=True)}

    def _case(self, predicate: Predicate, obligation: ProofObligation) -> InductionCase:
        return self.induction.case(predicate, _case_name(obligation))

    # --- violations

    def _violation(self, predicate: Predicate) -> Witness | None:
        """A kept state that violates a lemma; None as well if the lemma cannot be evaluated in some state."""
        if self.falsifier is None:
            return None
        try:
            return self.falsifier.violation(predicate)
        except BudgetExceeded:
            raise
        except OtsrwError:
            return None

    def _violated(self, proof: Proof, examined: Examined, claim: Node, witness: Witness) -> Refuted | Violated:
        """A necessary lemma is false: so is its parent, and with it the property, unless a guess lies between."""
        assert self.falsifier is not None
        path = self.falsifier.path_of(witness.state)
        if claim.is_exact:
            run = self.falsifier.run_of_invariant(proof.nodes, claim, path)
            return Violated(examined, claim, run, proof.chain(claim))
        guess = proof.guess_above(claim)
        longer = self.falsifier.extended(proof.nodes, claim, path, guess.name)
        return Refuted(examined, guess, claim, None if longer is None else longer[-1][1].values)

    def _climbed(self, proof: Proof) -> Violated | None:
        """A violation beyond the kept states, of a predicate that is necessary for the property.

        It is looked for now and then, so that this takes no more work than induction does.
        """
        falsifier = self.falsifier
        if falsifier is None or proof.cases < CLIMB_AFTER or falsifier.climber.states > proof.cases:
            return None
        waiting = [node for node in proof.nodes.values() if node.is_exact and node.name not in self._tried]
        if not waiting:
            return None
        is_turn = len(self._tried) % 2 == 0
        node = waiting[0] if is_turn else min(waiting, key=lambda each: each.expected_steps)
        self._tried.add(node.name)
        try:
            path = falsifier.beyond(node.predicate)
            run = None if path is None else falsifier.run_of_invariant(proof.nodes, node, path)
        except BudgetExceeded:
            raise
        except OtsrwError:
            return None
        return None if run is None else Violated(None, node, run, proof.chain(node))


def _case_name(obligation: ProofObligation) -> CaseName:
    return CaseName(obligation.transition is None, obligation.number)


def _why_open(proof: Proof, undecided: list[tuple[str, tuple[tuple[InductionCase, Leaf], ...]]]) -> str:
    """The limit that was reached, or the first case that nobody can close."""
    count = sum(len(cases) for _, cases in undecided)
    if proof.limit is not None:
        return f"the limit of {proof.limit} is reached; open cases: {count}"
    name, ((case, leaf), *_) = undecided[0]
    where = "an initial state" if case.transition is None else case.transition.name
    more = f"; {count - 1} more" if count > 1 else ""
    return f"undecided: {name} for {where}: {leaf.note or 'the goal is false'}{more}"
