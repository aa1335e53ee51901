"""The commands of CITP, as CafeOBJ 1.6.0 runs them; docs/citp.md says where otsrw differs."""

from __future__ import annotations

import time
from collections.abc import Callable

from otsrw.proofs.citp.bench import GoalBench, ProofContext
from otsrw.proofs.citp.embedding import embed
from otsrw.proofs.citp.events import ConstructorsShown, GoalNaming, ProofBegun, SentencesShown, TacticApplied, WorkDone
from otsrw.proofs.citp.goals import ROOT, Goal, GoalNode, TacticDefinition, TacticOutcome, replaced
from otsrw.proofs.citp.induct import ProofConstructor, constructors_of
from otsrw.proofs.citp.lemmas import used
from otsrw.proofs.citp.reading import Group, case_split, induction_variables, initialisation, sentences_of
from otsrw.proofs.citp.showing import show_proof
from otsrw.proofs.citp.state import BUILT_IN, Flag, ProofState, Step, default_flags
from otsrw.proofs.events import Echoed, ProofReached
from otsrw.proofs.reducing import TERM_COMMANDS, reduce_in
from otsrw.proofs.workspace import Workspace
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError, SyntaxProblem, TheoryProblem, did_you_mean
from otsrw.theory.modules import Axiom

_ON = {"on": True, "set": True, "off": False, "clear": False}
_AUTO = ("si", "ca", "tc", "ip", "rd")
_NUMBERS = frozenset(("Nat", "NzNat", "Int", "NzInt", "Zero"))
"""Sorts of the built-in module INT, which CafeOBJ imports into every goal: sorts of the same name are printed in full."""


class CitpCommands:
    """Runs the commands of CITP in one session."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.flags = default_flags()
        self.proof: ProofState | None = None
        self.discharged: list[Axiom] = []
        """Sentences that were proved in the present context."""
        self._proofs = 0
        self._handlers: dict[str, Callable[[tree.LineCommand], None]] = {
            ":goal": self._begin,
            ":apply": self._apply,
            ":auto": self._auto,
            ":ind": self._set_variables,
            ":induction": self._set_variables,
            ":def": self._define,
            ":define": self._define,
            ":init": self._initialise,
            ":use": self._use,
            ":embed": self._embed,
            ":select": self._select,
            ":roll": self._roll_back,
            ":reset": self._reset,
            ":set": self._set_flag,
            ":order": self._order,
            **dict.fromkeys((":ctf", ":ctf-", ":csp", ":csp-"), self._split),
            **dict.fromkeys((":red", ":exec", ":bred"), self._reduce),
            **dict.fromkeys((":verbose", ":spoiler"), self._switch),
            **dict.fromkeys((":show", ":sh", ":describe", ":desc"), self._show),
        }

    def run(self, command: tree.LineCommand) -> None:
        """Run one command."""
        handler = self._handlers.get(command.keyword)
        if handler is None:
            raise _not_in_citp(command)
        if self.proof is not None and self._is_stale(self.proof):
            self._discard()
        handler(command)

    def _is_stale(self, proof: ProofState) -> bool:
        """Was the context module declared again since?"""
        context = proof.bench.context
        known = self.workspace.library.modules.get(context.name)
        return known is not None and context.name != "%" and known is not context.module

    # --- the proof

    def _ongoing(self, command: tree.LineCommand) -> ProofState:
        if self.proof is None:
            raise TheoryProblem("E309", "no proof is under way", command.span, "begin one with ':goal { eq .. . }'")
        return self.proof

    def _current(self, command: tree.LineCommand) -> tuple[ProofState, Goal]:
        proof = self._ongoing(command)
        goal = proof.current()
        if goal is None:
            raise TheoryProblem("E309", "all goals have been discharged", command.span)
        return proof, goal

    def _begin(self, command: tree.LineCommand) -> None:
        workspace = self.workspace
        module = workspace.context(None, command.span)
        workspace.prepare(module)
        passage = workspace.passage
        context = ProofContext.of_module(module) if passage is None else ProofContext.of_passage(passage)
        bench = GoalBench(context, workspace.library, workspace.budget)
        group = Group(command.body, "':goal { eq .. . }'")
        empty = Goal(ROOT, (), context.module.signature)
        targets = sentences_of(group.inner, empty, bench)
        if not targets:
            return
        is_first = self.proof is None or self.proof.bench.context.module is not context.module
        if is_first:
            self.discharged = []
        goal = empty._replace(targets=targets)
        self.proof = ProofState(bench, goal, constructors_of(context.base), command.span)
        self._proofs += 1
        workspace.emit(ProofBegun(goal, self.naming(), is_first))
        self._tell_how_far()

    def naming(self) -> GoalNaming:
        """How the present proof prints sorts."""
        assert self.proof is not None
        context = self.proof.bench.context
        names = context.module.signature.sort_names
        system = {sort for inner in context.base.closure() if inner.is_system for sort in inner.sorts}
        several = {sort for sorts in names.values() if len(sorts) > 1 for sort in sorts}
        clashing = {sort for name in _NUMBERS for sort in names.get(name, ()) if sort not in system}
        return GoalNaming(context.name, frozenset(several | clashing))

    def _tell_how_far(self) -> None:
        proof = self.proof
        assert proof is not None
        names = tuple(goal.name for goal in proof.open_goals())
        reached = ProofReached(
            self._proofs, proof.span, proof.bench.context.name, proof.stated, names, tuple(proof.assumed), proof.root
        )
        self.workspace.emit(reached)

    def _reset(self, command: tree.LineCommand) -> None:
        self._discard()

    def _discard(self) -> None:
        self.workspace.emit(Echoed("** !! Discarding the current proof..."))
        self.proof, self.discharged = None, []

    # --- tactics

    def _apply(self, command: tree.LineCommand) -> None:
        proof, body = self._ongoing(command), command.body
        name: str | None = None
        if body.words[:1] == ["to"] and len(body) > 1:
            name = body.words[1]
            proof.node(name)
            body = body.part(2, len(body))
        names = [word for word in Group(body, "':apply (tactic ..)'").inner.words if word != ","]
        current = proof.current()
        if current is None and name is None:
            self.workspace.emit(Echoed("**> All goals have been proved!"))
            return
        steps = [step for word in names for step in self._steps(word, current, command)]
        target = name or (current.name if current is not None else ROOT)
        self._timed(proof, lambda: self._run(proof, target, steps, command))

    def _steps(self, name: str, goal: Goal | None, command: tree.LineCommand) -> list[Step]:
        """The tactics that a name stands for."""
        word = name.lower()
        for definition in () if goal is None else goal.definitions:
            if definition.name.lower() == word:
                if definition.keyword == "(":
                    return [step for each in definition.names for step in self._steps(each, goal, command)]
                return [definition]
        if word not in BUILT_IN:
            known = (*BUILT_IN, *(d.name for d in goal.definitions)) if goal is not None else BUILT_IN
            hint = did_you_mean(name, known) or f"built-in tactics are {', '.join(BUILT_IN)}"
            raise TheoryProblem("E309", f"there is no tactic {name!r}", command.span, hint)
        return [word]

    def _run(self, proof: ProofState, name: str, steps: list[Step], command: tree.LineCommand) -> None:
        """Apply the first tactic to a goal, and the others to each goal that it makes, or to the goal if it makes none."""
        if not steps:
            return
        step = steps[0]
        outcome = proof.apply(name, step, self.flags)
        header = step.name if isinstance(step, TacticDefinition) else step
        self._tell(outcome, header, name, command)
        for child in outcome.children:
            self._run(proof, child.name, steps[1:], command)
        if not outcome.children:
            self._run(proof, name, steps[1:], command)

    def _tell(self, outcome: TacticOutcome, header: str, name: str, command: tree.LineCommand) -> None:
        is_init = bool(outcome.notes) and outcome.notes[0].tactic == "init"
        changed = outcome.goal if is_init and self.flags[Flag.VERBOSE] else None
        verbose = self.flags[Flag.VERBOSE]
        applied = TacticApplied(
            header, name, outcome.modules, outcome.notes, outcome.children, self.naming(), verbose, changed
        )
        self.workspace.emit(applied)
        for doubt in outcome.doubts:
            message = f"CafeOBJ 1.6.0 closes goal {doubt.goal}, which is not proved: {doubt.reason}"
            self._warn("W701", message, command, "the goal stays open")
        if outcome.gap is not None:
            message = f"the new goals do not prove goal {name}: {outcome.gap}"
            self._warn("W701", message, command, f"CafeOBJ 1.6.0 closes goal {name} with them; here it stays open")
        for assumption in outcome.assumed:
            self._warn("W702", f"taken for granted: {assumption}", command)

    def _warn(self, code: str, message: str, command: tree.LineCommand, hint: str | None = None) -> None:
        self.workspace.report(Diagnostic(code, message, command.span, hint))

    def _timed(self, proof: ProofState, work: Callable[[], None]) -> None:
        """Do some steps, and tell what they cost and what is left to prove."""
        start, before = time.perf_counter(), proof.bench.rewrites
        try:
            work()
        except OtsrwError:
            proof.default = next((goal.name for goal in proof.open_goals()), None)
            self._tell_how_far()
            raise
        self.workspace.emit(WorkDone(time.perf_counter() - start, proof.bench.rewrites - before))
        self._next_goal(proof)

    def _next_goal(self, proof: ProofState) -> None:
        left = proof.open_goals()
        if left:
            proof.default = left[0].name
            self.workspace.emit(Echoed(f'>> Next target goal is "{left[0].name}".'))
            self.workspace.emit(Echoed(f">> Remaining {len(left)} goal{'' if len(left) == 1 else 's'}."))
        else:
            proof.default = None
            self.workspace.emit(Echoed("** All goals are successfully discharged."))
            self.discharged += proof.root.goal.targets
            if proof.assumed:
                known = "; ".join(proof.assumed)
                self.workspace.report(Diagnostic("W702", f"the proof takes for granted: {known}", proof.span))
        self._tell_how_far()

    def _auto(self, command: tree.LineCommand) -> None:
        proof, goal = self._current(command)
        before = self.flags[Flag.SPOILER]
        self.flags[Flag.SPOILER] = True
        try:
            self._timed(proof, lambda: self._run(proof, goal.name, list(_AUTO), command))
        finally:
            self.flags[Flag.SPOILER] = before

    def _split(self, command: tree.LineCommand) -> None:
        proof, goal = self._current(command)
        case = case_split(command.keyword, command.body, goal, proof.bench)

        def work() -> None:
            self._tell(proof.apply(goal.name, case, self.flags), "", goal.name, command)

        self._timed(proof, work)

    def _set_variables(self, command: tree.LineCommand) -> None:
        proof = self._ongoing(command)
        goal = next(iter(proof.open_goals()), None)
        if goal is None:
            raise TheoryProblem("E309", "all goals have been discharged", command.span)
        variables = induction_variables(command.body, goal, proof.bench)
        proof.put(goal._replace(variables=variables))
        shown = "".join(f"{v.op.name}:{v.sort.name} " for v in variables)
        self.workspace.emit(Echoed(f"**> Induction will be conducted on {shown}"))

    # --- definitions and lemmas

    def _define(self, command: tree.LineCommand) -> None:
        proof, goal = self._current(command)
        words = command.body.words
        if len(words) < 3 or words[1] != "=":
            raise SyntaxProblem("E101", "write ':def name = :ctf { eq L = R . }'", command.span)
        name, body = words[0], command.body.part(3, len(words))
        if name.lower() in BUILT_IN:
            raise TheoryProblem("E309", f"{name} is the name of a built-in tactic", command.body.span_of(0))
        if any(d.name.lower() == name.lower() for node in proof.root.walk() for d in node.goal.definitions):
            self._warn("W703", f"the name {name} is already defined in this proof: ignored", command, "take another name")
            return
        if words[2] == "(":
            definition = self._sequence(name, command.body.part(2, len(words)), goal, command)
        elif words[2] == ":init":
            definition = initialisation(body, goal, proof.bench, name)
        elif words[2] in (":ctf", ":ctf-", ":csp", ":csp-"):
            definition = case_split(words[2], body, goal, proof.bench, name)
        else:
            raise SyntaxProblem("E106", f"{words[2]!r} cannot be given a name", command.body.span_of(2))
        proof.put(goal._replace(definitions=(*goal.definitions, definition)))
        self.workspace.emit(Echoed(f"{name} defined as {definition.form}"))

    def _sequence(self, name: str, body: tree.Bubble, goal: Goal, command: tree.LineCommand) -> TacticDefinition:
        names = tuple(Group(body, "'(tactic ..)'").inner.words)
        for each in names:
            self._steps(each, goal, command)
        end = " " if len(names) % 2 else "  "
        return TacticDefinition(name, "(", f"( {' '.join(names)}{end})", names=names)

    def _initialise(self, command: tree.LineCommand) -> None:
        proof, goal = self._current(command)
        lemma = initialisation(command.body, goal, proof.bench)
        outcome = proof.apply(goal.name, lemma, self.flags)
        self._tell(outcome, "", goal.name, command)
        self._tell_how_far()

    def _use(self, command: tree.LineCommand) -> None:
        proof, goal = self._current(command)
        group = Group(command.body, "':use (label ..)'")
        if group.opening != "(":
            raise SyntaxProblem("E106", "write ':use (label ..)'", command.span, "CafeOBJ 1.6.0 fails at ':use [label] {..}'")
        found = tuple(self._proved(label, command) for label in group.inner.words)
        proof.put(used(goal, found))
        many = len(found) != 1
        title = f'** In goal "{goal.name}", use the following sentence{"s" if many else ""} as new axiom{"s" if many else ""}:'
        self.workspace.emit(SentencesShown(title, found, self.naming(), with_period=False))

    def _proved(self, label: str, command: tree.LineCommand) -> Axiom:
        found = next((axiom for axiom in self.discharged if label in axiom.labels), None)
        if found is None:
            hint = "':show proved' lists the sentences that were discharged"
            raise TheoryProblem("E309", f"no discharged sentence has the label {label}", command.span, hint)
        return found

    def _embed(self, command: tree.LineCommand) -> None:
        proof = self._ongoing(command)
        embed(command, proof.bench, self._proved, self.workspace, self.naming())

    # --- navigation

    def _select(self, command: tree.LineCommand) -> None:
        proof, name = self._ongoing(command), command.body.text
        if name == ".":
            proof.default = None
            self.workspace.emit(Echoed(":select resetting next default target ..."))
            left = proof.open_goals()
            proof.default = left[0].name if left else None
            shown = f'>> next default-goal is "{proof.default}"' if left else "All goals have been discharged."
            self.workspace.emit(Echoed(shown))
            return
        node = proof.node(name)
        if node.is_proved:
            self._warn("W703", f"goal {name} is discharged already: its proof is forgotten", command)
            again = node.goal.targets or node.goal.proved
            proof.root = replaced(proof.root, GoalNode(node.goal._replace(targets=again, proved=())))
        proof.default = name
        self.workspace.emit(Echoed(f'>> setting next default goal to "{name}"'))
        self._tell_how_far()

    def _roll_back(self, command: tree.LineCommand) -> None:
        proof, goal = self._current(command)
        if goal.name == ROOT:
            self.workspace.emit(Echoed("**> :roll back, already at root."))
            return
        parent = goal.name.rpartition("-")[0] or ROOT
        proof.remove_below(parent)
        proof.default = proof.open_goals()[0].name
        self.workspace.emit(Echoed("**> :roll back"))
        self.workspace.emit(Echoed(f'    next default target is "{proof.default}"'))
        self._tell_how_far()

    def _show(self, command: tree.LineCommand) -> None:
        show_proof(command, self.proof, self.discharged, self.flags, self.workspace, self)

    def _reduce(self, command: tree.LineCommand) -> None:
        proof = self._ongoing(command)
        body = command.body.part(0, len(command.body) - 1)
        if body.words[:1] == ["in"] and body.words[2:3] == [":"]:
            goal = proof.node(body.words[1]).goal
            body = body.part(3, len(body))
        else:
            goal = self._current(command)[1]
        kind = TERM_COMMANDS[command.keyword[1:]]
        reduce_in(proof.bench.theory(goal), body, kind, command.span, self.workspace)

    # --- flags

    def _set_flag(self, command: tree.LineCommand) -> None:
        words = [word for word in Group(command.body, "':set(flag, on)'").inner.words if word != ","]
        flags = {flag.value: flag for flag in Flag}
        if len(words) != 2 or words[0] not in (*flags, "all"):
            raise SyntaxProblem("E101", f"no such flag: {' '.join(words[:1])}", command.span, f"flags are {', '.join(flags)}")
        chosen = list(Flag) if words[0] == "all" else [flags[words[0]]]
        if words[1] in ("show", "?"):
            self.show_flags(chosen)
        elif words[1] in _ON:
            if self.flags[Flag.PRINT_MESSAGE]:
                self.workspace.emit(Echoed(f"-- setting flag {words[0]} to {words[1]}"))
            self.flags.update(dict.fromkeys(chosen, _ON[words[1]]))
        else:
            raise SyntaxProblem("E101", f"a flag is set on or off, not {words[1]!r}", command.span)

    def show_flags(self, chosen: list[Flag]) -> None:
        for flag in chosen:
            self.workspace.emit(Echoed(f"- Flag {flag.value} is {'on' if self.flags[flag] else 'off'}"))

    def _switch(self, command: tree.LineCommand) -> None:
        """`:verbose on`, `:spoiler off`"""
        word = command.body.text
        flag = Flag(command.keyword[1:])
        if word == ".":
            state = "on" if self.flags[flag] else "off"
            self.workspace.emit(Echoed(f'{command.keyword} flag is "{state}"'))
        elif word in _ON:
            self.flags[flag] = _ON[word]
        else:
            raise SyntaxProblem("E101", f"write '{command.keyword} on' or '{command.keyword} off'", command.span)

    def _order(self, command: tree.LineCommand) -> None:
        """`:order (op, .., *, op)`: which constructors come first and last; `:order ( )` shows the order."""
        proof = self._ongoing(command)
        group = Group(command.body, "':order (op, *, op)'")
        names = [word for word in group.inner.words if word != ","]
        if names:
            proof.constructors = _reordered(proof.constructors, names, command)
            self.workspace.emit(Echoed("-- start setting constructor ordering...\ndone."))
        self.workspace.emit(ConstructorsShown(tuple(c.decl for c in proof.constructors), self.naming()))


def _reordered(
    known: tuple[ProofConstructor, ...], names: list[str], command: tree.LineCommand
) -> tuple[ProofConstructor, ...]:
    for name in names:
        if name != "*" and not any(name == c.spelling for c in known):
            raise TheoryProblem("E309", f"there is no constructor {name}", command.span)
    rest = [c for c in known if c.spelling not in names]
    result: list[ProofConstructor] = []
    for name in names if "*" in names else [*names, "*"]:
        result += rest if name == "*" else [c for c in known if c.spelling == name]
    return tuple(result)


_BROKEN = {
    ":imp": "in CafeOBJ 1.6.0 it never works; ':init' adds an instance of a lemma. CiMPA has it: use --dialect cimpa",
    ":cp": "in CafeOBJ 1.6.0 it never works",
    ":equation": "it uses what ':cp' has found, and ':cp' does not work in CafeOBJ 1.6.0",
    ":lred": "write ':red t .'",
    ":normalize": "write ':set(normalize-init, on)'",
}


def _not_in_citp(command: tree.LineCommand) -> SyntaxProblem:
    aliases = {":imply": ":imp", ":rule": ":equation", ":backward": ":equation"}
    hint = _BROKEN.get(aliases.get(command.keyword, command.keyword))
    return SyntaxProblem("E106", f"the command {command.keyword!r} is not supported", command.span, hint)
