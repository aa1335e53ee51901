"""Writes a proof by induction as a script for CITP, which CafeOBJ 1.6.0 checks.

It has two layers. A step lemma says that a predicate and the lemmas its case uses, before a transition, imply the
predicate after it. One induction then proves all predicates at once: CITP makes the cases, so the tool that checks the
script also checks that none is left out. Scripts are written while our own engine runs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from otsrw.induction.case_guide import GoalSplit, GuidedCase
from otsrw.induction.results import IgfResult, Node
from otsrw.induction.score import ScoreWriter
from otsrw.induction.script_bags import BagFacts
from otsrw.induction.script_facts import NumberFacts
from otsrw.induction.script_module import GrantedFacts, ProofScript, ScriptModule, bubble_of
from otsrw.induction.script_splits import SplitFinder
from otsrw.induction.script_steps import StepNames, instances, known_cases, without_script
from otsrw.induction.split_trees import GoalParts, SplitSearch, SplitTree
from otsrw.ots.model import Ots, Transition
from otsrw.proofs.citp.casework import split as split_goal
from otsrw.proofs.citp.goals import ROOT, Goal, TacticDefinition, TacticOutcome
from otsrw.proofs.citp.induct import constructors_of
from otsrw.proofs.citp.lemmas import used
from otsrw.proofs.citp.reading import induction_variables, initialisation
from otsrw.proofs.citp.script_connectives import ScriptConnective, premises_of
from otsrw.proofs.citp.state import ProofState, default_flags
from otsrw.proofs.citp.tactics import constants_for_variables
from otsrw.reasoning.assumptions import atoms_of
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import NOWHERE, Span
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import show
from otsrw.theory.terms import Term

MAX_ATOMS = 4
"""Atoms of a condition that CafeOBJ may have to make a sum of in a case of the induction."""


class CitpWriter:
    """Writes the script for CITP."""

    def __init__(self, ots: Ots, result: IgfResult, declarations: Iterable[Span]) -> None:
        self.facts = NumberFacts(result.nodes.values(), ScoreWriter(ots, result, ()))
        self.bags = BagFacts(ots, result.nodes.values())
        rests = tuple(bag.rest for bag in self.bags.bags)
        granted = GrantedFacts(tuple(self.facts.lines()), tuple(self.bags.lines()), rests)
        self.source = ScriptModule(ots, result, declarations, granted)
        self.ots = ots
        self.bench = self.source.bench
        self.constructors = constructors_of(self.source.module)
        self.finder = SplitFinder(self.bench, self.constructors, ots.sort.name)
        self.search = SplitSearch(self.finder, self._parts, self._cases)
        self.flags = default_flags()
        self.lines: list[str] = []
        self.goals = 0
        self._known: dict[str, Term] = {}
        """Facts about numbers that may be used in the goals of the present step lemma, by the words for them."""
        self._lemmas: dict[tuple[str, str], tuple[Axiom, StepNames]] = {}

    def write(self) -> ProofScript:
        for name in self.source.nodes:
            for transition in self.ots.transitions:
                self._step_lemma(name, transition)
        self._induction()
        head = [
            "-- Proof script for CITP, written by otsrw. CafeOBJ 1.6.0 ends every :goal with",
            "-- '** All goals are successfully discharged.'",
            f"-- goals: {self.goals}",
            *self.source.header(),
            "",
        ]
        text = "\n".join([*head, self.source.text, f"select {self.source.name} .", *self.lines]) + "\n"
        return ProofScript(text, self.goals, self.source.reductions)

    def _begin(self, sentences: str) -> Goal:
        self.goals += 1
        self.lines += ["", f":goal {{ {sentences} }}"]
        return self.source.goal(sentences)

    # --- step lemmas

    def _step_lemma(self, name: str, transition: Transition) -> None:
        node = self.source.nodes[name]
        variables = self._variables(transition, node)
        own = self.source.at(name, variables.state, variables.parameters)
        used = (
            self.source.at(lemma, variables.state, values) for lemma, values in instances(node, transition, variables)
        )
        premises = [*dict.fromkeys(premise for premise in used if premise != own), own]
        after = self.source.at(name, self._after(transition, variables), variables.parameters)
        label = f"{transition.name}-{name}"
        sentence = f"eq [{label} :nonexec]: ({ScriptConnective.IMPLICATION.joined((*premises, after))}) = true ."
        goal = self._begin(sentence)
        self.lines.append(":apply (tc)")
        for child in constants_for_variables(self.bench, goal).children:
            names = variables.as_constants()
            cases = list(known_cases(self.bench, child, node, transition, names))
            self._known = self.facts.instances(self.bench, child, node, transition, names)
            try:
                self.lines += self._closing(child, cases, label)
            except OtsrwError as error:
                raise without_script(node, transition, error) from None
        self._known = {}
        self._lemmas[transition.name, name] = (goal.targets[0], variables)

    def _after(self, transition: Transition, variables: StepNames) -> str:
        args = list(variables.arguments)
        args.insert(transition.operator.place, variables.state)
        return f"{transition.name}({','.join(args)})"

    def _variables(self, transition: Transition, node: Node) -> StepNames:
        """Names that differ also if upper and lower case are not told apart, and that no operator has."""
        taken = {symbol.name.upper() for symbol in self.source.module.signature.symbols() if not symbol.nargs}

        def fresh(given: Term) -> str:
            stem = given.op.name.upper()
            name, number = stem, 0
            while name in taken:
                number += 1
                name = f"{stem}{number}"
            taken.add(name)
            return f"{name}:{given.sort.name}"

        return StepNames(
            fresh(self.ots.state),
            tuple(fresh(v) for v in transition.parameters),
            tuple(fresh(v) for v in node.predicate.parameters),
            self.bags,
        )

    # --- splitting

    def _parts(self, goal: Goal) -> GoalParts:
        premises, claim = premises_of(goal.targets[0].lhs)
        return GoalParts((*self._facts(goal).values(), *premises), claim)

    def _facts(self, goal: Goal) -> dict[str, Term]:
        """What is taken for granted and may be used in a goal, by the words for it."""
        return self._known | self.bags.instances(self.bench, goal)

    def _cases(self, goal: Goal, split: GoalSplit) -> TacticOutcome:
        return split_goal(self.bench, goal, _definition(split), self.constructors)

    def _closing(self, goal: Goal, cases: Sequence[GuidedCase], what: str) -> Iterator[str]:
        """The commands that close a goal by splits."""
        return self._commands(goal, self.search.tree(goal, cases, what))

    def _commands(self, goal: Goal, tree: SplitTree) -> Iterator[str]:
        if tree.split is None:
            value = self.bench.reduce(goal, goal.targets[0].lhs)
            if value is not self.bench.connectives.true:
                yield f":init as f-{goal.name} {self._refuted(goal)}"
            yield ":apply (rd-)"
            return
        yield _split_command(tree.split)
        for child, below in zip(self._cases(goal, tree.split).children, tree.below, strict=True):
            yield from self._commands(child, below)

    def _refuted(self, goal: Goal) -> str:
        """The words for a fact that contradicts the assumptions of a goal."""
        false = self.bench.connectives.false
        return next(words for words, fact in self._facts(goal).items() if self.bench.reduce(goal, fact) is false)

    # --- induction

    def _induction(self) -> None:
        state = self.source.state
        goal = self._begin(" ".join(self.source.sentences()))
        proof = ProofState(self.bench, goal, self.constructors, NOWHERE)
        labels = [axiom.labels[0] for axiom, _ in self._lemmas.values()]
        self.lines += [f":use ({' '.join(labels)})", f":ind on ({state})", ":apply (si tc)"]
        goal = used(proof.root.goal, tuple(axiom for axiom, _ in self._lemmas.values()))
        proof.put(goal._replace(variables=induction_variables(bubble_of(f"on ({state})"), goal)))
        for child in proof.apply(ROOT, "si", self.flags).children:
            proof.apply(child.name, "tc", self.flags)
        for each in proof.open_goals():
            self.lines.append(f":select {each.name}")
            if "INDUCTION-BASE" in each.targets[0].labels:
                self.lines += self._closing(each, (), f"the base case {each.name}")
            else:
                self._close_step(proof, each)

    def _close_step(self, proof: ProofState, goal: Goal) -> None:
        """Close a case of the induction by the instance of the step lemma that is about it."""
        condition = self._long_condition(goal)
        if condition is not None:
            self.lines.append(_split_command(condition))
            for child in proof.apply(goal.name, _definition(condition), self.flags).children:
                self._close_step(proof, child)
            return
        if self.search.left(goal) is not None:
            words = self._instance(goal)
            self.lines.append(f":init {words}")
            proof.apply(goal.name, initialisation(bubble_of(words), goal, self.bench), self.flags)
        self.lines.append(":apply (rd)")
        proof.apply(goal.name, "rd", self.flags)
        if not proof.node(goal.name).is_proved:
            raise OtsrwError("E524", f"no script was found: the step lemma does not close goal {goal.name}")

    def _long_condition(self, goal: Goal) -> Axiom | None:
        """A condition that equations wait for and that CafeOBJ would make a long sum of; None if there is none."""
        left = self.search.left(goal)
        for atom in () if left is None else atoms_of(left.claim):
            for condition in self.finder.stated_conditions(goal, atom):
                value = self.bench.reduce(goal, condition)
                if len(atoms_of(value)) > MAX_ATOMS:
                    stated = condition.args[0] if condition.op.native is Builtin.NOT else condition
                    return self.finder.split_by(atoms_of(value)[0] if stated.op.native is not None else stated)
        return None

    def _instance(self, goal: Goal) -> str:
        """The words for the instance of the step lemma that is about a case of the induction."""
        claim = goal.targets[0].lhs
        place = self.source.place(claim.op.name)
        after = claim.args[place]
        values = (*claim.args[:place], *claim.args[place + 1 :])
        transition = next(t for t in self.ots.transitions if t.name == after.op.name)
        axiom, variables = self._lemmas[transition.name, claim.op.name]
        pairs = [(variables.state, transition.operator.state_of(after))]
        pairs += zip(variables.arguments, transition.operator.indexes_of(after), strict=True)
        pairs += zip(variables.parameters, values, strict=True)
        given = " ".join(f"{self.source.numbers.in_init(name)} <- {show(term)} ;" for name, term in pairs)
        return f"as i-{goal.name} [{axiom.labels[0]}] by {{ {given} }}"


def _definition(split: GoalSplit) -> TacticDefinition:
    if isinstance(split, Axiom):
        return TacticDefinition("", ":ctf{", "", (split,))
    return TacticDefinition("", ":ctf[", "", term=split)


def _split_command(split: GoalSplit) -> str:
    if isinstance(split, Axiom):
        return f":ctf {{ eq {show(split.lhs)} = {show(split.rhs)} . }}"
    return f":ctf [ {show(split)} . ]"
