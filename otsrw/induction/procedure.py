"""Induction-guided falsification (Definition 9): search and induction take turns until a verdict.

The first predicate is the invariant. It is looked for in R<=n; if no state violates it, its induction cases are split;
what stays false becomes lemmas, which join the queue. A violated necessary lemma is extended, transition by
transition, to a violation of the invariant (Lemma 1). If the queue runs empty and every case is closed, all predicates
hold by simultaneous induction: each may be used in each case, at the same state.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from typing import Literal as Literal_

from otsrw.induction.clauses import Clause, InstanceFinder, clause_of
from otsrw.induction.consistency import why_no_proof
from otsrw.induction.kept import KeptStates, TruthTable, Witness, sample
from otsrw.induction.parallel import leaves_of_all
from otsrw.induction.results import INTERRUPTED, Closed, IgfResult, Listener, News, Node, Options
from otsrw.induction.steps import Induction, Predicate, Step
from otsrw.induction.strengthening import MAX_SIZE, comparisons, cost, relations_of, stronger_clauses
from otsrw.ots.instance import Instance, enlarged
from otsrw.ots.model import Invariant, Ots, Transition
from otsrw.ots.run import ReplayMismatch, Run, replay
from otsrw.ots.stepping import State, Stepper, Values
from otsrw.reasoning.splitting import Leaf
from otsrw.search.space import Limits, OutOfLimits, StateSpace
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError
from otsrw.theory.printing import show_plainly
from otsrw.theory.terms import Term

SAMPLE = 3000
SAMPLE_STEPS = 4000
MAX_LEMMAS = 600
MAX_OUTLOOKS = 3
MAX_RESTARTS = 40


class _Refuted(Exception):
    """A strengthened lemma is false; the run starts again without it."""

    def __init__(self, node: Node, state: Values | None) -> None:
        super().__init__(node.predicate.name)
        self.node = node
        self.state = state


class _TimeOut(Exception):
    pass


def igf(
    ots: Ots, space: StateSpace, invariant: Invariant, options: Options, listener: Listener | None = None
) -> IgfResult:
    """Decide an invariant of `ots`, searching in the space of one of its instances.

    >>> from otsrw.ots import find_ots
    >>> from otsrw.proofs import load
    >>> ots = find_ots(load("specs/tas-flawed.cafe"))
    >>> from otsrw.search import MaudeSpace
    >>> with MaudeSpace(Instance(ots, {"Pid": ("p1", "p2")})) as space:
    ...     igf(ots, space, ots.invariants[0], Options(depth=3)).verdict
    'falsified'
    """
    return _Igf(ots, space, invariant, options, listener or (lambda news: None)).run()


class _Igf:
    def __init__(self, ots: Ots, space: StateSpace, invariant: Invariant, options: Options, listener: Listener) -> None:
        self.ots = ots
        self.space = space
        self.instance = space.instance
        self.invariant = invariant
        self.options = options
        self.listener = listener
        self.started = time.monotonic()
        self.deadline = None if options.timeout is None else self.started + options.timeout
        self.induction = Induction(ots, options.policy, self.deadline)
        self.stepper = Stepper(space.instance)
        self.relations = relations_of(ots.module, self.induction.connectives.true.sort)
        self.refuted: list[frozenset[object]] = []
        self.dropped: list[str] = []
        self.refuting: list[Values] = []
        self._sampled: TruthTable | None = None
        self.given = options.lemmas
        self.rounds = 0
        self.cases = 0
        self.found_states = 0

    # --- the whole run

    def run(self) -> IgfResult:
        self.nodes: dict[str, Node] = {}
        self.kept = KeptStates(self.instance, [], False, self.options.depth)
        try:
            violated = self._searched()
            if violated is not None:
                return violated
            self.kept = KeptStates.explore(self.space, self.options.depth, self.deadline)
        except OutOfLimits as stop:
            return self._result("unknown", f"{stop}, while R<={self.options.depth} was explored")
        except KeyboardInterrupt:
            return self._result("unknown", INTERRUPTED)
        for _ in range(MAX_RESTARTS):
            try:
                return self._attempt()
            except _Refuted as refuted:
                predicate = refuted.node.predicate
                if refuted.node.kind == "given":
                    self.given = tuple(name for name in self.given if name != predicate.name)
                else:
                    self.refuted.append(_key(predicate.clauses[0]))
                self.dropped.append(show_plainly(predicate.formula))
                self.refuting += [refuted.state] if refuted.state is not None else []
            except _TimeOut:
                return self._result("unknown", "the time is spent")
            except BudgetExceeded as error:
                return self._result("unknown", error.problem.message)
            except KeyboardInterrupt:
                return self._result("unknown", INTERRUPTED)
        return self._result("unknown", f"{MAX_RESTARTS} strengthened lemmas turned out to be false")

    def _searched(self) -> IgfResult | None:
        """A plain search first: to keep all states costs more than to look at them once."""
        self.nodes = {self.invariant.name: Node(self._stated(self.invariant), "property")}
        found = self.space.search(self._own_invariant(), self.options.depth, Limits(self.options.timeout))
        if found.verdict == "unknown":
            raise OutOfLimits(found.reason)
        if found.run is None:
            return None
        self.nodes[self.invariant.name].status = "violated"
        self.found_states = found.states
        return self._result("falsified", "a counterexample was found", found.run, (self.invariant.name,))

    def _own_invariant(self) -> Invariant:
        """The invariant as one of the instance."""
        return next(i for i in self.instance.ots.invariants if i.name == self.invariant.name)

    def _tables(self) -> list[TruthTable]:
        """What lemmas are strengthened against: a sample of a larger instance, and states that refuted lemmas."""
        if self._sampled is None:
            larger = Instance(self.ots, enlarged(self.ots, self.instance.given))
            self._sampled = TruthTable(
                larger, sample(Stepper(larger), SAMPLE, SAMPLE_STEPS, self.deadline), self.deadline
            )
        refuting = [TruthTable(self.instance, self.refuting, self.deadline)] if self.refuting else []
        return [*refuting, self._sampled]

    def _attempt(self) -> IgfResult:
        root = Node(self._stated(self.invariant), "property")
        self.nodes = {root.predicate.name: root}
        queue = deque([root])
        for name in self.given:
            given = next(i for i in self.ots.invariants if i.name == name)
            node = Node(self._stated(given), "given", is_exact=False)
            self.nodes[name] = node
            queue.append(node)
        witness = self.kept.violation(root.predicate)
        if witness is not None:
            return self._falsified(root, witness)
        while queue:
            node = queue.popleft()
            self.rounds += 1
            found = self._prove(node, queue)
            if found is not None:
                return found
        open_cases = [n for n in self.nodes.values() if n.undecided]
        if open_cases:
            names = ", ".join(n.predicate.name for n in open_cases)
            return self._result("unknown", f"undecided induction cases of {names}")
        doubt = why_no_proof(self.ots.module, self.instance)
        if doubt is not None:
            return self._result("unknown", doubt)
        return self._result("verified", "all induction cases are closed")

    def _stated(self, invariant: Invariant) -> Predicate:
        return self.induction.predicate(invariant.name, invariant.parameters, invariant.formula)

    # --- one predicate

    def _prove(self, node: Node, queue: deque[Node]) -> IgfResult | None:
        """Close the cases of a predicate, with new lemmas where needed; a result if one of them is violated."""
        node.status = "proved"
        waiting: list[tuple[Step, Leaf, Clause]] = []
        steps = list(self._steps(node.predicate))
        self._tell(node, steps[0], queue)
        for step, leaves in leaves_of_all(self.induction, steps, self.options.jobs):
            self._tell(node, step, queue)
            for leaf in leaves:
                self.cases += 1
                if self._is_closed(node, step, leaf):
                    continue
                necessary, _ = self.induction.necessary_lemma(step, leaf)
                result = self._search(node, step, necessary)
                if result is not None:
                    return result
                waiting.append((step, leaf, necessary))
        for step, leaf, necessary in waiting:
            if not self._is_closed(node, step, leaf):
                self._add_lemma(node, step, leaf, necessary, queue)
        if node.undecided:
            node.status = "undecided"
        return None

    def _steps(self, predicate: Predicate) -> Iterator[Step]:
        yield from self.induction.base_cases(predicate)
        for transition in self.ots.transitions:
            yield self.induction.induction_case(predicate, transition)

    def _tell(self, node: Node, step: Step, queue: deque[Node]) -> None:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise _TimeOut
        where = "base case" if step.transition is None else step.transition.name
        doing = f"{node.predicate.name}: {where}"
        self.listener(News(doing, len(queue), len(self.nodes) - 1, self.cases, len(self.kept.states)))

    def _is_closed(self, node: Node, step: Step, leaf: Leaf) -> bool:
        """Is a case closed, by itself or by a lemma? One that can never be is noted as undecided."""
        if leaf.outcome in ("true", "contradiction"):
            node.cases.append(Closed(step, leaf))
            return True
        if step.transition is not None:
            used = self._excluded(step, leaf)
            if used is not None:
                node.cases.append(Closed(step, leaf, (used,)))
                return True
        if leaf.outcome == "false" and step.transition is not None:
            return False
        if leaf.outcome == "false" and node.kind in ("strengthened", "given"):
            raise _Refuted(node, None)
        node.undecided.append((step, leaf))
        return True

    def _excluded(self, step: Step, leaf: Leaf, other: Predicate | None = None) -> tuple[str, tuple[Term, ...]] | None:
        """A lemma, with values, that no state of this case satisfies."""
        finder = InstanceFinder(leaf.assumptions, step.state, (*step.values, *step.arguments))
        known = [node.predicate for node in self.nodes.values()]
        for predicate in known if other is None else [*known, other]:
            for clause in predicate.clauses:
                found = finder.find(clause)
                if found is not None and all(p in found for p in predicate.parameters):
                    return predicate.name, tuple(found[p] for p in predicate.parameters)
        return None

    # --- lemmas

    def _search(self, node: Node, step: Step, necessary: Clause) -> IgfResult | None:
        """A result if a kept state violates the necessary lemma."""
        claim = self._claim(node, step, necessary, "necessary")
        try:
            witness = self.kept.violation(claim.predicate)
        except BudgetExceeded:
            raise
        except OtsrwError:
            return None  # the lemma cannot be evaluated in some state: nothing is known about it
        return None if witness is None else self._violated(node, claim, witness)

    def _claim(self, node: Node, step: Step, clause: Clause, kind: Literal_["necessary", "strengthened"]) -> Node:
        assert step.transition is not None
        return Node(
            self.induction.lemma(self._fresh_name(), clause),
            kind,
            node.predicate.name,
            step.transition.name,
            depth=node.depth + 1,
            is_exact=node.is_exact and kind == "necessary",
        )

    def _add_lemma(self, node: Node, step: Step, leaf: Leaf, necessary: Clause, queue: deque[Node]) -> None:
        """Queue a lemma that closes the case: the necessary one, or a stronger one that the sample does not refute."""
        chosen = self._claim(node, step, necessary, "necessary")
        if self.options.strengthen:
            stronger = self._promising(self._stronger(step, leaf))
            if stronger is not None and len(stronger.literals) <= len(necessary.literals):
                chosen = self._claim(node, step, stronger, "strengthened")
        if chosen.depth > self.options.max_level or len(self.nodes) > MAX_LEMMAS:
            node.undecided.append((step, leaf))
            return
        self.nodes[chosen.predicate.name] = chosen
        queue.append(chosen)
        if not self._is_closed(node, step, leaf):
            node.undecided.append((step, leaf))

    def _stronger(self, step: Step, leaf: Leaf) -> list[Clause]:
        known = [*leaf.assumptions.equations, *comparisons(step, leaf.assumptions, self.relations)]
        full = clause_of(step.bench, (step.state, self.ots.state), known)
        found = stronger_clauses(full, self._tables(), self.induction.connectives)
        return [clause for clause in found if _key(clause) not in self.refuted]

    def _promising(self, candidates: list[Clause]) -> Clause | None:
        """The first candidate; among equally simple ones that whose own induction asks for the simplest lemmas."""
        if not candidates:
            return None
        tied = [clause for clause in candidates if cost(clause)[:3] == cost(candidates[0])[:3]][:MAX_OUTLOOKS]
        return tied[0] if len(tied) == 1 else min(tied, key=self._outlook)

    def _outlook(self, clause: Clause) -> tuple[int, int, int]:
        """How hard the lemmas are that a lemma will ask for: computing literals, cases, literals."""
        predicate = self.induction.lemma("outlook", clause)
        computing = cases = literals = 0
        for transition in self.ots.transitions:
            step = self.induction.induction_case(predicate, transition)
            for leaf in self.induction.leaves(step):
                if leaf.outcome != "false" or self._excluded(step, leaf, predicate) is not None:
                    continue
                cases += 1
                best = next(iter(self._stronger(step, leaf)), None)
                costs = (1, MAX_SIZE) if best is None else cost(best)[:2]
                computing += costs[0]
                literals += costs[1]
        return computing, cases, literals

    def _fresh_name(self) -> str:
        number = len(self.nodes)
        known = {symbol.name for symbol in self.ots.module.signature.symbols()}
        while f"lemma{number}" in known or f"lemma{number}" in self.nodes:
            number += 1
        return f"lemma{number}"

    # --- violations

    def _violated(self, node: Node, claim: Node, witness: Witness) -> IgfResult | None:
        """A necessary lemma is false: so is its parent, and with it the property, unless a guess lies between."""
        self.nodes[claim.predicate.name] = claim
        if not claim.is_exact:
            guess: Node | None = node
            while guess is not None and guess.kind not in ("strengthened", "given"):
                guess = self.nodes.get(guess.parent or "")
            assert guess is not None
            state = self._violating_state(claim, witness, guess)
            raise _Refuted(guess, None if state is None else state.values)
        return self._falsified(claim, witness)

    def _violating_state(self, claim: Node, witness: Witness, ancestor: Node) -> State | None:
        run = self._extended(claim, witness, ancestor)
        return None if run is None else run[0][-1]

    def _falsified(self, node: Node, witness: Witness) -> IgfResult:
        root = self.nodes[self.invariant.name]
        found = self._extended(node, witness, root)
        node.status = "violated"
        if found is None:
            return self._result("unknown", f"{node.predicate.name} is violated, but its counterexample does not extend")
        states, names = found
        steps: list[tuple[str | None, Values]] = [
            (name, state.values) for name, state in zip([None, *names], states, strict=True)
        ]
        own = self._own_invariant()
        run = replay(self.stepper, steps, own)
        if not self.space.confirm(run, own):
            raise ReplayMismatch("Maude does not see the counterexample that rewriting found")
        chain = self._chain(node)
        for name in chain:
            self.nodes[name].status = "violated"
        return self._result("falsified", "a counterexample was found", run, chain)

    def _chain(self, node: Node) -> tuple[str, ...]:
        names = [node.predicate.name]
        while node.parent is not None:
            node = self.nodes[node.parent]
            names.append(node.predicate.name)
        return tuple(reversed(names))

    def _extended(self, node: Node, witness: Witness, goal: Node) -> tuple[list[State], list[str]] | None:
        """The run to the witness, extended to a violation of the goal, an ancestor of the node (Lemma 1)."""
        run = replay(self.stepper, self.kept.path(witness.state))
        states, names = list(run.states), [action.transition.name for action in run.actions]
        while node is not goal:
            assert node.parent is not None and node.transition is not None
            parent = self.nodes[node.parent]
            predicate = self.kept.lookup.as_invariant(parent.predicate)
            if next(self.stepper.violations(predicate, states[-1]), None) is None:
                transition = self.instance.ots.transition(node.transition)
                after = self._violating_step(transition, states[-1], predicate)
                if after is None:
                    return None
                states.append(after)
                names.append(transition.name)
            node = parent
        return states, names

    def _violating_step(self, transition: Transition, state: State, predicate: Invariant) -> State | None:
        for action in self.stepper.actions(transition, state):
            after = self.stepper.apply(action, state)
            if next(self.stepper.violations(predicate, after), None) is not None:
                return after
        return None

    def _result(
        self,
        verdict: Literal_["falsified", "verified", "unknown"],
        reason: str,
        run: Run | None = None,
        chain: tuple[str, ...] = (),
    ) -> IgfResult:
        return IgfResult(
            verdict,
            reason,
            self.invariant,
            self.instance,
            self.nodes,
            run,
            chain,
            max(len(self.kept.states), self.found_states),
            self.options.depth,
            self.rounds,
            tuple(self.dropped),
            time.monotonic() - self.started,
        )


def _key(clause: Clause) -> frozenset[object]:
    """The same for clauses with the same literals."""
    return frozenset((literal.atom, literal.positive) for literal in clause.literals)
