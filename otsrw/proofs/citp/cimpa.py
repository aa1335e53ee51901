"""The commands of CiMPA: scripts that CafeInMaude runs, and that CiMPG and IPSG write.

Goals wait in a list: the goals that a step makes take the place of the first one, `:sel` moves a goal to the front and
`:postpone` the first one to the end. A goal is named like a goal of CITP.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from otsrw.proofs.citp import cimpa_steps as steps
from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.checking import granted
from otsrw.proofs.citp.context import ProofContext
from otsrw.proofs.citp.events import (
    GoalNaming,
    GoalsShown,
    ProofBegun,
    ProofDescribed,
    SentencesShown,
    TacticApplied,
    TreeShown,
)
from otsrw.proofs.citp.goals import ROOT, Goal, GoalNode, TacticDefinition, TacticOutcome, find, replaced
from otsrw.proofs.citp.induct import ProofConstructor, constructors_of
from otsrw.proofs.citp.old_names import with_names_of_today
from otsrw.proofs.citp.reading import (
    Group,
    case_split,
    induction_variables,
    sentences_of,
    substitution,
    without_escapes,
    without_period,
)
from otsrw.proofs.events import Echoed, ProofReached
from otsrw.proofs.workspace import Workspace
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, SyntaxProblem, TheoryProblem, did_you_mean
from otsrw.syntax.source import Source, Span
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.printing import show, show_briefly
from otsrw.theory.terms import Term

_OWN_WORDS = re.compile(r"(?m)^\s*:(?:imp\s*\[|sel\s*\(|postpone\s*\.|proven\s*\()|=\s*:c(?:vs|sv)\s*\[")
_WORDS_OF_CITP = re.compile(r"(?m)^\s*:(?:init|use|csp|auto|embed|select|roll|reset|spoiler|verbose|set|order)\b")
_SEQUENCES = (":cvs", ":csv")


def is_cimpa(source: Source) -> bool:
    """Does a text use commands that only CiMPA has, and none that only CITP has?

    Of a text with both, such as `:imp` and `:init`, CafeOBJ runs all but `:imp`.
    """
    return _OWN_WORDS.search(source.text) is not None and _WORDS_OF_CITP.search(source.text) is None


class CimpaProof:
    """One proof of CiMPA: the tree of goals, and the names of those that wait, the first one in turn."""

    def __init__(self, bench: GoalBench, goal: Goal, constructors: tuple[ProofConstructor, ...], span: Span) -> None:
        self.bench = bench
        self.stated = goal.targets
        self.span = span
        self.root = GoalNode(goal)
        self.waiting = [goal.name]
        self.constructors = constructors
        self.variable: Term | None = None
        self.definitions: dict[str, TacticDefinition] = {}
        self.assumed: list[str] = []

    def current(self) -> Goal | None:
        """The goal in turn; None if none waits."""
        if not self.waiting:
            return None
        node = find(self.root, self.waiting[0])
        assert node is not None
        return node.goal

    def put(self, goal: Goal) -> None:
        """Change the goal in turn; if it is discharged, the next one is in turn."""
        self.root = replaced(self.root, GoalNode(goal))
        if goal.is_discharged:
            self.waiting = self.waiting[1:]

    def divide(self, outcome: TacticOutcome) -> None:
        """Put new goals in place of the one in turn."""
        children = tuple(GoalNode(child) for child in outcome.children)
        self.root = replaced(self.root, GoalNode(outcome.goal, children, outcome.gap))
        self.waiting = [child.name for child in outcome.children] + self.waiting[1:]

    def open_goals(self) -> tuple[str, ...]:
        """The goals that wait, and those whose new goals do not prove them."""
        gaps = (node.goal.name for node in self.root.walk() if node.gap is not None)
        return (*self.waiting, *gaps)


class CimpaCommands:
    """Runs the commands of CiMPA in one session."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.proof: CimpaProof | None = None
        self._proven: list[tuple[tree.Bubble, Span]] = []
        """What `:proven` has named since the last goal."""
        self._lemmas: dict[str, Axiom] = {}
        self._proofs = 0
        self.handlers: dict[str, Callable[[tree.LineCommand], None]] = {
            ":goal": self._begin,
            ":proven": self._remember,
            ":is-proven": self._remember,
            ":ind": self._set_variable,
            ":apply": self._apply,
            ":def": self._define,
            ":imp": self._imply,
            ":sel": self._select,
            ":postpone": self._postpone,
            **dict.fromkeys((":show", ":desc", ":describe"), self._show),
        }

    # --- goals

    def _context(self, command: tree.LineCommand) -> ProofContext:
        """The open or selected module, else the one that was declared last."""
        workspace = self.workspace
        if workspace.passage is not None:
            workspace.prepare(workspace.passage.module)
            return ProofContext.of_passage(workspace.passage)
        declared: list[Module] = list(workspace.library.modules.values())
        if workspace.selected is None and declared:
            return ProofContext.of_module(declared[-1])
        return ProofContext.of_module(workspace.context(None, command.span))

    def _begin(self, command: tree.LineCommand) -> None:
        context = self._context(command)
        bench = GoalBench(context, self.workspace.library, self.workspace.budget)
        empty = Goal(ROOT, (), context.module.signature)
        targets = steps.in_order(sentences_of(Group(command.body, "':goal { eq .. . }'").inner, empty, bench))
        if not targets:
            return
        goal = empty._replace(targets=targets)
        self.proof = CimpaProof(bench, goal, steps.by_name(constructors_of(context.base)), command.span)
        lemmas = [Axiom(bench.parse(words, empty), bench.connectives.true, None) for words, _ in self._proven]
        ordered = steps.in_order(lemmas)
        self._lemmas = {
            f"proven-goal{k}": axiom._replace(labels=(f"proven-goal{k}",)) for k, axiom in enumerate(ordered)
        }
        self._proven = []
        self._proofs += 1
        self.workspace.emit(ProofBegun(goal, self._naming(), True))
        self._tell_how_far()

    def _remember(self, command: tree.LineCommand) -> None:
        self._proven.append((without_period(Group(command.body, "':proven(inv(S:Sys))'").inner), command.span))

    def _current(self, command: tree.LineCommand) -> tuple[CimpaProof, Goal]:
        goal = None if self.proof is None else self.proof.current()
        if self.proof is None or goal is None:
            message = "no proof is under way" if self.proof is None else "all goals have been discharged"
            raise TheoryProblem("E309", message, command.span)
        return self.proof, goal

    def _set_variable(self, command: tree.LineCommand) -> None:
        proof, goal = self._current(command)
        variables = induction_variables(command.body, goal)
        if len(variables) != 1:
            raise SyntaxProblem("E101", "CiMPA takes one induction variable", command.span)
        proof.variable = variables[0]
        self._say(f"Induction set on {variables[0].op.name}:{variables[0].sort.name}")

    # --- steps

    def _apply(self, command: tree.LineCommand) -> None:
        for name in Group(command.body, "':apply(tactic)'").inner.words:
            proof, goal = self._current(command)
            if name in ("rd", "rd-"):
                self._reduce(proof, goal)
            else:
                outcome = self._divided(proof, goal, name, command)
                proof.divide(outcome)
                self._tell(outcome, name, goal.name, command)
        self._tell_how_far()

    def _divided(self, proof: CimpaProof, goal: Goal, name: str, command: tree.LineCommand) -> TacticOutcome:
        if name == "si":
            if proof.variable is None:
                raise TheoryProblem("E309", "no induction variable is set", command.span, "as in ':ind on (S:Sys)'")
            return steps.induction(proof.bench, goal, proof.variable, proof.constructors, self._lemmas.values())
        if name == "tc":
            return steps.constants(proof.bench, goal)
        case = proof.definitions.get(name)
        if case is None:
            hint = did_you_mean(name, (*proof.definitions, "si", "tc", "rd"))
            raise TheoryProblem("E309", f"there is no tactic {name!r}", command.span, hint)
        return steps.split(proof.bench, goal, case, proof.constructors)

    def _reduce(self, proof: CimpaProof, goal: Goal) -> None:
        reduced = steps.reduction(proof.bench, goal)
        proof.put(reduced)
        if reduced.is_discharged:
            for text in dict.fromkeys(text for each in goal.targets for text in granted(proof.bench, goal, each)):
                proof.assumed += [] if text in proof.assumed else [text]
        if not reduced.is_discharged:
            self._say("Reduction applied. The goal was not discharged")
        elif proof.waiting:
            self._say(f"Reduction applied. The goal was discharged\nNext goal is {proof.waiting[0]}.")
        elif proof.open_goals():
            self._say("Reduction applied. The goal was discharged")
        else:
            self._say("Reduction applied. The goal was discharged\nPROOF FINISHED!")
            if proof.assumed:
                message = f"the proof takes for granted: {'; '.join(proof.assumed)}"
                self.workspace.report(Diagnostic("W702", message, proof.span))

    def _define(self, command: tree.LineCommand) -> None:
        proof, goal = self._current(command)
        words = command.body.words
        if len(words) < 4 or words[1] != "=":
            raise SyntaxProblem("E101", "write ':def name = :ctf { eq L = R . }'", command.span)
        name, kind = words[0], words[2]
        body = with_names_of_today(command.body.part(3, len(words)), goal)
        if kind in _SEQUENCES:
            term = proof.bench.parse(without_period(Group(body, f"'{kind} [ t . ]'").inner), goal)
            case = TacticDefinition(name, kind, f"{kind}[{show(term)} .]", term=term)
        elif kind == ":ctf":
            case = case_split(kind, body, goal, proof.bench, name)
        else:
            raise SyntaxProblem("E106", f"{kind!r} cannot be given a name", command.body.span_of(2))
        proof.definitions[name] = case
        self._say(f"{name} defined as {case.form}")

    def _imply(self, command: tree.LineCommand) -> None:
        proof, goal = self._current(command)
        group = Group(command.body, "':imp [label] by { V:S <- t ; }'")
        label = " ".join(group.inner.words)
        premise = next((axiom for axiom in goal.assumptions if label in axiom.labels), None)
        if premise is None:
            found = proof.bench.rules_labelled(label, goal)
            premise = found[0] if found else None
        if premise is None:
            raise TheoryProblem("E309", f"no sentence has the label {label}", command.span)
        given = substitution(with_names_of_today(without_escapes(group.rest), goal), premise, goal, proof.bench)
        changed = steps.implication(proof.bench, goal, premise, dict(given))
        if changed is None:
            raise TheoryProblem("E309", "the goal has several sentences, or the premise is no predicate", command.span)
        proof.put(changed)
        if label in self._lemmas:
            lemma = f"{show_briefly(self._lemmas[label].lhs)} is an invariant (:proven)"
            proof.assumed += [] if lemma in proof.assumed else [lemma]
        self.workspace.emit(SentencesShown("New goal generated:", changed.targets, self._naming()))
        self._tell_how_far()

    # --- the order of goals

    def _select(self, command: tree.LineCommand) -> None:
        proof, _ = self._current(command)
        name = Group(command.body, "':sel(1-2)'").inner.text
        if name not in proof.waiting:
            raise TheoryProblem("E309", f"goal {name} does not wait", command.span, "':show proof .' lists the goals")
        proof.waiting = [name, *(other for other in proof.waiting if other != name)]
        self._say(f"Sentence {name} selected.")
        self._tell_how_far()

    def _postpone(self, command: tree.LineCommand) -> None:
        proof, goal = self._current(command)
        proof.waiting = [*proof.waiting[1:], goal.name]
        self._say(f"Sentence {goal.name} postponed.")
        self._tell_how_far()

    def _show(self, command: tree.LineCommand) -> None:
        if self.proof is None:
            raise TheoryProblem("E309", "no proof is under way", command.span)
        current = self.proof.current()
        name = None if current is None else current.name
        if command.body.words[:1] != ["proof"]:
            self.workspace.emit(GoalsShown(() if current is None else (current,), self._naming()))
        elif command.keyword == ":show":
            self.workspace.emit(TreeShown(self.proof.root, name))
        else:
            self.workspace.emit(ProofDescribed(self.proof.root, self._naming()))

    # --- telling

    def _say(self, text: str) -> None:
        self.workspace.emit(Echoed(text))

    def _naming(self) -> GoalNaming:
        assert self.proof is not None
        return GoalNaming(self.proof.bench.context.name, frozenset())

    def _tell(self, outcome: TacticOutcome, header: str, name: str, command: tree.LineCommand) -> None:
        self.workspace.emit(TacticApplied(header, name, 0, outcome.notes, outcome.children, self._naming(), False))
        if outcome.gap is not None:
            message = f"the new goals do not prove goal {name}: {outcome.gap}"
            hint = f"CiMPA closes goal {name} with them; here it stays open"
            self.workspace.report(Diagnostic("W701", message, command.span, hint))

    def _tell_how_far(self) -> None:
        proof = self.proof
        assert proof is not None
        context, assumed = proof.bench.context, tuple(proof.assumed)
        names = proof.open_goals()
        self.workspace.emit(
            ProofReached(self._proofs, proof.span, context.name, proof.stated, names, assumed, proof.root, context)
        )
