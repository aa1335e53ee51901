"""What the commands of CITP share: the proof under way, the flags, the discharged sentences, and how they are told."""

from __future__ import annotations

import time
from collections.abc import Callable

from otsrw.proofs.answers import Naming
from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.context import ProofContext
from otsrw.proofs.citp.events import GoalNaming, ProofBegun, TacticApplied, WorkDone
from otsrw.proofs.citp.goals import ROOT, Goal, TacticDefinition, TacticOutcome
from otsrw.proofs.citp.induct import constructors_of
from otsrw.proofs.citp.numbers import NumberReading
from otsrw.proofs.citp.reading import Group, sentences_of
from otsrw.proofs.citp.state import Flag, ProofState, Step, default_flags
from otsrw.proofs.events import Echoed, ProofReached
from otsrw.proofs.workspace import Workspace
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError, TheoryProblem
from otsrw.theory.modules import Axiom

_NUMBERS = frozenset(("Nat", "NzNat", "Int", "NzInt", "Zero"))
"""Sorts of INT, which CafeOBJ imports into every goal: other sorts of these names are printed with their modules."""


class CitpRun:
    """The proofs of one session."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.flags = default_flags()
        self.proof: ProofState | None = None
        self.discharged: list[Axiom] = []
        """Sentences that were proved in the present context."""
        self.granted: dict[Axiom, tuple[str, ...]] = {}
        """What their proofs take for granted."""
        self._proofs = 0

    def begin(self, command: tree.LineCommand) -> None:
        """`:goal`: a new proof takes the place of the one under way."""
        workspace = self.workspace
        module = workspace.context(None, command.span)
        workspace.prepare(module)
        passage = workspace.passage
        context = ProofContext.of_module(module) if passage is None else ProofContext.of_passage(passage)
        bench = GoalBench(context, workspace.library, workspace.budget)
        empty = Goal(ROOT, (), context.module.signature)
        targets = sentences_of(Group(command.body, "':goal { eq .. . }'").inner, empty, bench)
        if not targets:
            return
        bench.numbers = NumberReading(context, workspace.library)
        before = None if self.proof is None else self.proof.bench.context
        is_first = before is None or (before.name, before.base) != (context.name, context.base)
        if before is None or before.module is not context.module:
            self.discharged = []
        goal = empty._replace(targets=targets)
        self.proof = ProofState(bench, goal, constructors_of(context.base), command.span)
        self._proofs += 1
        workspace.emit(ProofBegun(goal, self.naming(), is_first))
        self.tell_how_far()

    def discard(self) -> None:
        """Forget the proof and what was discharged."""
        self.say("** !! Discarding the current proof...")
        self.proof, self.discharged = None, []

    def is_stale(self) -> bool:
        """Was the context module of the proof declared again since?"""
        if self.proof is None:
            return False
        context = self.proof.bench.context
        known = self.workspace.library.modules.get(context.name)
        return known is not None and context.name != "%" and known is not context.module

    # --- the proof and its current goal

    def ongoing(self, command: tree.LineCommand) -> ProofState:
        if self.proof is None:
            raise TheoryProblem("E309", "no proof is under way", command.span, "begin one with ':goal { eq .. . }'")
        return self.proof

    def current(self, command: tree.LineCommand) -> tuple[ProofState, Goal]:
        """The proof, and the goal that a command is about."""
        proof = self.ongoing(command)
        goal = proof.current()
        if goal is None:
            raise TheoryProblem("E309", "all goals have been discharged", command.span)
        return proof, goal

    def proved(self, label: str, command: tree.LineCommand) -> Axiom:
        """The discharged sentence with a label."""
        found = next((axiom for axiom in self.discharged if label in axiom.labels), None)
        if found is None:
            hint = "':show proved' lists the sentences that were discharged"
            raise TheoryProblem("E309", f"no discharged sentence has the label {label}", command.span, hint)
        return found

    # --- tactics

    def apply(self, name: str, steps: list[Step], command: tree.LineCommand) -> None:
        """Apply the first tactic to a goal, the others to each goal that it makes, or to the goal if it makes none."""
        proof = self.ongoing(command)
        if not steps:
            return
        step = steps[0]
        outcome = proof.apply(name, step, self.flags)
        self.tell(outcome, step.name if isinstance(step, TacticDefinition) else step, name, command)
        for child in outcome.children:
            self.apply(child.name, steps[1:], command)
        if not outcome.children:
            self.apply(name, steps[1:], command)

    def timed(self, proof: ProofState, work: Callable[[], None]) -> None:
        """Do some steps, and tell what they cost and what is left to prove."""
        start, before = time.perf_counter(), proof.bench.rewrites
        try:
            work()
        except OtsrwError:
            proof.default = next((goal.name for goal in proof.open_goals()), None)
            self.tell_how_far()
            raise
        self.workspace.emit(WorkDone(time.perf_counter() - start, proof.bench.rewrites - before))
        self._next_goal(proof)

    def _next_goal(self, proof: ProofState) -> None:
        left = proof.open_goals()
        if left:
            proof.default = left[0].name
            self.say(f'>> Next target goal is "{left[0].name}".')
            self.say(f">> Remaining {len(left)} goal{'' if len(left) == 1 else 's'}.")
        else:
            proof.default = None
            self.say("** All goals are successfully discharged.")
            self.discharged += proof.root.goal.targets
            self.granted.update(dict.fromkeys(proof.root.goal.targets, tuple(proof.assumed)))
            if proof.assumed:
                known = "; ".join(proof.assumed)
                self.workspace.report(Diagnostic("W702", f"the proof takes for granted: {known}", proof.span))
        self.tell_how_far()

    # --- telling

    def say(self, text: str) -> None:
        self.workspace.emit(Echoed(text))

    def warn(self, code: str, message: str, command: tree.LineCommand, hint: str | None = None) -> None:
        self.workspace.report(Diagnostic(code, message, command.span, hint))

    def tell(self, outcome: TacticOutcome, header: str, name: str, command: tree.LineCommand) -> None:
        """Tell what a tactic has made of a goal."""
        verbose = self.flags[Flag.VERBOSE]
        is_init = any(note.tactic == "init" for note in outcome.notes)
        changed = outcome.goal if is_init and verbose else None
        applied = TacticApplied(
            header, name, outcome.modules, outcome.notes, outcome.children, self.naming(), verbose, changed
        )
        self.workspace.emit(self._with_searches(applied, outcome.goal))
        self.tell_doubts(outcome, name, command)

    def tell_doubts(self, outcome: TacticOutcome, name: str, command: tree.LineCommand) -> None:
        """Warn where CafeOBJ closes what is not proved, and of what is taken for granted."""
        for doubt in outcome.doubts:
            message = f"CafeOBJ 1.6.0 closes goal {doubt.goal}, which is not proved: {doubt.reason}"
            self.warn("W701", message, command, "the goal stays open")
        if outcome.gap is not None:
            message = f"the new goals do not prove goal {name}: {outcome.gap}"
            self.warn("W701", message, command, f"CafeOBJ 1.6.0 closes goal {name} with them; here it stays open")
        for assumption in outcome.assumed:
            self.warn("W702", f"taken for granted: {assumption}", command)

    def _with_searches(self, applied: TacticApplied, goal: Goal) -> TacticApplied:
        """The event with what search predicates found meanwhile, if that is to be shown."""
        assert self.proof is not None
        bench = self.proof.bench
        found, bench.searched = tuple(bench.searched), []
        if not found or not self.flags[Flag.SHOW_RWL]:
            return applied
        return applied._replace(searches=found, terms=Naming.of(bench.module(goal)))

    def tell_how_far(self) -> None:
        """Tell which goals are left."""
        proof = self.proof
        assert proof is not None
        names = tuple(goal.name for goal in proof.open_goals())
        context, assumed = proof.bench.context, tuple(proof.assumed)
        reached = ProofReached(
            self._proofs, proof.span, context.name, proof.stated, names, assumed, proof.root, context
        )
        self.workspace.emit(reached)

    def naming(self) -> GoalNaming:
        """How the present proof prints sorts."""
        assert self.proof is not None
        context = self.proof.bench.context
        names = context.module.signature.sort_names
        system = {sort for inner in context.base.closure() if inner.is_system for sort in inner.sorts}
        several = {sort for sorts in names.values() if len(sorts) > 1 for sort in sorts}
        clashing = {sort for name in _NUMBERS for sort in names.get(name, ()) if sort not in system}
        return GoalNaming(context.name, frozenset(several | clashing))
