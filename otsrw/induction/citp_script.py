"""Writes a proof by induction as a script for CITP, which CafeOBJ 1.6.0 checks.

It has two layers. A step lemma says that a predicate and the lemmas its case uses, before a transition, imply the
predicate after it. One induction then proves all predicates at once: CITP makes the cases, so the tool that checks the
script also checks that none is left out. Scripts are written while our own engine runs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from otsrw.induction.case_guide import GoalSplit, GuidedCase
from otsrw.induction.results import IgfResult, Node
from otsrw.induction.script_module import ProofScript, ScriptModule, bubble_of
from otsrw.induction.script_splits import SplitFinder, is_light, needless
from otsrw.induction.script_steps import StepNames, instances, known_cases, without_script
from otsrw.induction.split_trees import LEAF, SplitSearch, SplitTree, branch
from otsrw.ots.model import Ots, Transition
from otsrw.proofs.citp.casework import split as split_goal
from otsrw.proofs.citp.goals import ROOT, Goal, TacticDefinition, TacticOutcome
from otsrw.proofs.citp.induct import constructors_of
from otsrw.proofs.citp.lemmas import used
from otsrw.proofs.citp.reading import induction_variables, initialisation
from otsrw.proofs.citp.state import ProofState, default_flags
from otsrw.proofs.citp.tactics import constants_for_variables
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import NOWHERE, Span
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import show
from otsrw.theory.terms import Term


class CitpWriter:
    """Writes the script for CITP."""

    def __init__(self, ots: Ots, result: IgfResult, declarations: Iterable[Span]) -> None:
        self.source = ScriptModule(ots, result, declarations)
        self.ots = ots
        self.bench = self.source.bench
        self.constructors = constructors_of(self.source.module)
        finder = SplitFinder(self.bench, self.constructors, ots.sort.name)
        self.search = SplitSearch(finder, self._value, self._cases, partial(is_light, self.bench))
        self.flags = default_flags()
        self.lines: list[str] = []
        self.goals = 0
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
        premises = list(dict.fromkeys((own, *used)))
        after = self.source.at(name, self._after(transition, variables), variables.parameters)
        label = f"{transition.name}-{name}"
        sentence = f"eq [{label} :nonexec]: (({' and '.join(premises)}) implies {after}) = true ."
        goal = self._begin(sentence)
        self.lines.append(":apply (tc)")
        for child in constants_for_variables(self.bench, goal).children:
            cases = list(known_cases(self.bench, child, node, transition, variables.as_constants()))
            try:
                self.lines += self._closing(child, cases, label)
            except OtsrwError as error:
                raise without_script(node, transition, error) from None
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
        )

    # --- splitting

    def _value(self, goal: Goal) -> Term:
        return self.bench.reduce(goal, goal.targets[0].lhs)

    def _cases(self, goal: Goal, split: GoalSplit) -> TacticOutcome:
        if isinstance(split, Axiom):
            case = TacticDefinition("", ":ctf{", "", (split,))
        else:
            case = TacticDefinition("", ":ctf[", "", term=split)
        return split_goal(self.bench, goal, case, self.constructors)

    def _closing(self, goal: Goal, cases: Sequence[GuidedCase], what: str) -> Iterator[str]:
        """The commands that close a goal by splits."""
        return _commands(self._lightened(goal, self.search.tree(goal, cases, what)))

    def _lightened(self, goal: Goal, tree: SplitTree) -> SplitTree:
        """The tree, where goals that reduce to true are split by the premises they do not need, if that closes them."""
        if tree.split is not None:
            children = self._cases(goal, tree.split).children
            below = [self._lightened(child, sub) for child, sub in zip(children, tree.below, strict=True)]
            return branch(tree.split, below)
        lighter = LEAF
        for premise in reversed(list(needless(self.bench, goal))):
            lighter = branch(Axiom(premise, self.bench.connectives.true, None), (lighter, LEAF))
        return lighter if self.search.closes(goal, lighter) else LEAF

    # --- induction

    def _induction(self) -> None:
        state = f"{self.ots.state.op.name}:{self.ots.sort.name}"
        sentences = []
        for name, node in self.source.nodes.items():
            shown = [f"{p.op.name}:{p.sort.name}" for p in node.predicate.parameters]
            sentences.append(f"eq [{name} :nonexec]: {self.source.at(name, state, shown)} = true .")
        proof = ProofState(self.bench, self._begin(" ".join(sentences)), self.constructors, NOWHERE)
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
                self._use_lemma(proof, each)

    def _use_lemma(self, proof: ProofState, goal: Goal) -> None:
        """Add the instance of the step lemma that is the step of a goal."""
        claim = goal.targets[0].lhs
        place = self.source.place(claim.op.name)
        after = claim.args[place]
        values = (*claim.args[:place], *claim.args[place + 1 :])
        transition = next(t for t in self.ots.transitions if t.name == after.op.name)
        axiom, variables = self._lemmas[transition.name, claim.op.name]
        pairs = [(variables.state, transition.operator.state_of(after))]
        pairs += zip(variables.arguments, transition.operator.indexes_of(after), strict=True)
        pairs += zip(variables.parameters, values, strict=True)
        given = " ".join(f"{name} <- {show(term)} ;" for name, term in pairs)
        words = f"as i-{goal.name} [{axiom.labels[0]}] by {{ {given} }}"
        self.lines += [f":init {words}", ":apply (rd)"]
        proof.apply(goal.name, initialisation(bubble_of(words), goal, self.bench), self.flags)
        proof.apply(goal.name, "rd", self.flags)
        if not proof.node(goal.name).is_proved:
            raise OtsrwError("E524", f"no script was found: the step lemma does not close goal {goal.name}")


def _commands(tree: SplitTree) -> Iterator[str]:
    if tree.split is None:
        yield ":apply (rd-)"
    elif isinstance(tree.split, Axiom):
        yield f":ctf {{ eq {show(tree.split.lhs)} = {show(tree.split.rhs)} . }}"
    else:
        yield f":ctf [ {show(tree.split)} . ]"
    for below in tree.below:
        yield from _commands(below)
