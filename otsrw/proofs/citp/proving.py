"""The commands of CITP that make goals: `:apply`, `:auto`, `:ctf`, `:csp`, `:ind`, `:def`, `:init`, `:use`."""

from __future__ import annotations

from collections.abc import Callable

from otsrw.proofs.citp.embedding import embed
from otsrw.proofs.citp.events import SchemeGiven, SentencesShown
from otsrw.proofs.citp.goals import ROOT, Goal, TacticDefinition
from otsrw.proofs.citp.lemmas import used
from otsrw.proofs.citp.reading import Group, case_split, induction_variables, initialisation
from otsrw.proofs.citp.run import CitpRun
from otsrw.proofs.citp.schemes import induction_by_scheme, induction_scheme
from otsrw.proofs.citp.state import BUILT_IN, Flag, Step
from otsrw.proofs.citp.theories import with_theory
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SyntaxProblem, TheoryProblem, did_you_mean
from otsrw.theory.modules import Axiom
from otsrw.theory.terms import Term

_AUTO: tuple[Step, ...] = ("si", "ca", "tc", "ip", "rd")
_SPLITS = (":ctf", ":ctf-", ":csp", ":csp-")


class ProvingCommands:
    """Runs them on the proof of a session."""

    def __init__(self, run: CitpRun) -> None:
        self.run = run
        self.handlers: dict[str, Callable[[tree.LineCommand], None]] = {
            ":goal": run.begin,
            ":apply": self._apply,
            ":auto": self._auto,
            ":ind": self._set_variables,
            ":induction": self._set_variables,
            ":def": self._define,
            ":define": self._define,
            ":init": self._initialise,
            ":use": self._use,
            ":embed": self._embed,
            ":theory": self._theory,
            **dict.fromkeys(_SPLITS, self._split),
        }

    def _apply(self, command: tree.LineCommand) -> None:
        run, body = self.run, command.body
        proof = run.ongoing(command)
        name: str | None = None
        if body.words[:1] == ["to"] and len(body) > 1:
            name = body.words[1]
            proof.node(name)
            body = body.part(2, len(body))
        names = [word for word in Group(body, "':apply (tactic ..)'").inner.words if word != ","]
        current = proof.current()
        if current is None and name is None:
            run.say("**> All goals have been proved!")
            return
        steps = [step for word in names for step in self._steps(word, current, command)]
        target = name or (current.name if current is not None else ROOT)
        run.timed(proof, lambda: run.apply(target, steps, command))

    def _steps(self, name: str, goal: Goal | None, command: tree.LineCommand) -> list[Step]:
        """The tactics that a name stands for."""
        word = name.lower()
        definitions = () if goal is None else goal.definitions
        for definition in definitions:
            if definition.name.lower() == word:
                if definition.keyword == "(":
                    return [step for each in definition.names for step in self._steps(each, goal, command)]
                return [definition]
        if word not in BUILT_IN:
            hint = did_you_mean(name, (*BUILT_IN, *(d.name for d in definitions)))
            built_in = f"built-in tactics are {', '.join(BUILT_IN)}"
            raise TheoryProblem("E309", f"there is no tactic {name!r}", command.span, hint or built_in)
        return [word]

    def _auto(self, command: tree.LineCommand) -> None:
        run = self.run
        proof, goal = run.current(command)
        before = run.flags[Flag.SPOILER]
        run.flags[Flag.SPOILER] = True
        try:
            run.timed(proof, lambda: run.apply(goal.name, list(_AUTO), command))
        finally:
            run.flags[Flag.SPOILER] = before

    def _split(self, command: tree.LineCommand) -> None:
        run = self.run
        proof, goal = run.current(command)
        case = case_split(command.keyword, command.body, goal, proof.bench)
        run.timed(proof, lambda: run.tell(proof.apply(goal.name, case, run.flags), "", goal.name, command))

    def _set_variables(self, command: tree.LineCommand) -> None:
        """CafeOBJ sets the variables of the first open goal, not of the selected one."""
        if command.body.words[:1] == ["{"]:
            self._induct_by_scheme(command)
            return
        proof = self.run.ongoing(command)
        goal = next(iter(proof.open_goals()), None)
        if goal is None:
            raise TheoryProblem("E309", "all goals have been discharged", command.span)
        variables = induction_variables(command.body, goal)
        proof.put(goal._replace(variables=variables))
        self._tell_variables(variables)

    def _tell_variables(self, variables: tuple[Term, ...]) -> None:
        shown = "".join(f"{v.op.name}:{v.sort.name} " for v in variables)
        self.run.say(f"**> Induction will be conducted on {shown}")

    def _induct_by_scheme(self, command: tree.LineCommand) -> None:
        """`:ind { on .. base .. step .. }` makes its goals at once, from the current goal."""
        run = self.run
        proof, goal = run.current(command)
        scheme = induction_scheme(command.body, goal, proof.bench)
        self._tell_variables((scheme.variable,))
        outcome = proof.enter(induction_by_scheme(proof.bench, goal, scheme, proof.constructors))
        shown = outcome.children if run.flags[Flag.VERBOSE] else ()
        run.workspace.emit(SchemeGiven(scheme.bases, scheme.hypotheses, scheme.steps, shown, run.naming()))
        run.tell_doubts(outcome, goal.name, command)
        proof.default = next((each.name for each in proof.open_goals()), None)
        run.tell_how_far()

    def _define(self, command: tree.LineCommand) -> None:
        run, words = self.run, command.body.words
        proof, goal = run.current(command)
        if len(words) < 3 or words[1] != "=":
            raise SyntaxProblem("E101", "write ':def name = :ctf { eq L = R . }'", command.span)
        name = words[0]
        if name.lower() in BUILT_IN:
            raise TheoryProblem("E309", f"{name} is the name of a built-in tactic", command.body.span_of(0))
        if any(d.name.lower() == name.lower() for node in proof.root.walk() for d in node.goal.definitions):
            message = f"the name {name} is already defined in this proof: ignored"
            run.warn("W703", message, command, "take another name")
            return
        definition = self._definition(name, command, goal)
        proof.put(goal._replace(definitions=(*goal.definitions, definition)))
        run.say(f"{name} defined as {definition.form}")

    def _definition(self, name: str, command: tree.LineCommand, goal: Goal) -> TacticDefinition:
        words, bench = command.body.words, self.run.ongoing(command).bench
        body = command.body.part(3, len(words))
        if words[2] in _SPLITS:
            return case_split(words[2], body, goal, bench, name)
        if words[2] == ":init":
            return initialisation(body, goal, bench, name)
        if words[2] != "(":
            raise SyntaxProblem("E106", f"{words[2]!r} cannot be given a name", command.body.span_of(2))
        names = tuple(Group(command.body.part(2, len(words)), "'(tactic ..)'").inner.words)
        for each in names:
            self._steps(each, goal, command)
        end = " " if len(names) % 2 else "  "
        return TacticDefinition(name, "(", f"( {' '.join(names)}{end})", names=names)

    def _initialise(self, command: tree.LineCommand) -> None:
        run = self.run
        proof, goal = run.current(command)
        lemma = initialisation(command.body, goal, proof.bench)
        run.tell(proof.apply(goal.name, lemma, run.flags), "", goal.name, command)
        run.tell_how_far()

    def _use(self, command: tree.LineCommand) -> None:
        run = self.run
        proof, goal = run.current(command)
        group = Group(command.body, "':use (label ..)'")
        if group.opening != "(":
            hint = "CafeOBJ 1.6.0 fails at ':use [label] {..}'"
            raise SyntaxProblem("E106", "write ':use (label ..)'", command.span, hint)
        found = tuple(run.proved(label, command) for label in group.inner.words)
        proof.put(used(goal, found))
        for axiom in found:
            proof.take_for_granted(run.granted.get(axiom, ()))
        several = "" if len(found) == 1 else "s"
        title = f'** In goal "{goal.name}", use the following sentence{several} as new axiom{several}:'
        run.workspace.emit(SentencesShown(title, found, run.naming(), with_period=False))

    def _theory(self, command: tree.LineCommand) -> None:
        run = self.run
        proof, goal = run.current(command)
        outcome = with_theory(command, proof.bench, goal)
        proof.put(outcome.goal)
        proof.take_for_granted(outcome.assumed)
        run.tell(outcome, "", goal.name, command)

    def _embed(self, command: tree.LineCommand) -> None:
        run = self.run
        found: list[Axiom] = []

        def proved(label: str, command: tree.LineCommand) -> Axiom:
            found.append(run.proved(label, command))
            return found[-1]

        embed(command, run.ongoing(command).bench, proved, run.workspace, run.naming())
        for text in dict.fromkeys(text for axiom in found for text in run.granted.get(axiom, ())):
            run.warn("W702", f"an embedded sentence rests on what is taken for granted: {text}", command)
