"""Writes a proof by induction as a script for CiMPA: one induction, in which lemmas are put in front of goals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.induction.case_guide import GoalSplit
from otsrw.induction.results import IgfResult, Node
from otsrw.induction.score import ScoreWriter
from otsrw.induction.script_facts import NumberFacts
from otsrw.induction.script_module import GrantedFacts, ProofScript, ScriptModule, bubble_of
from otsrw.induction.script_splits import SplitFinder, definition_of
from otsrw.induction.script_steps import StepNames, instances, known_cases, without_script
from otsrw.induction.split_trees import GoalParts, SplitSearch, SplitTree
from otsrw.ots.model import Ots, Transition
from otsrw.proofs.citp.cimpa_steps import by_name, constants, in_order, induction
from otsrw.proofs.citp.cimpa_steps import split as split_goal
from otsrw.proofs.citp.goals import Goal, TacticOutcome
from otsrw.proofs.citp.induct import constructors_of
from otsrw.proofs.citp.reading import induction_variables
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Span
from otsrw.theory.printing import show
from otsrw.theory.terms import Term


class CimpaWriter:
    """Writes the script for CiMPA."""

    def __init__(self, ots: Ots, result: IgfResult, declarations: Iterable[Span]) -> None:
        self.facts = NumberFacts(result.nodes.values(), ScoreWriter(ots, result, ()))
        self.source = ScriptModule(ots, result, declarations, GrantedFacts(tuple(self.facts.lines())))
        self.ots = ots
        self.bench = self.source.bench
        self.constructors = by_name(constructors_of(self.source.module))
        self.finder = SplitFinder(self.bench, self.constructors, ots.sort.name)
        self.lines: list[str] = []
        self._splits = 0

    def write(self) -> ProofScript:
        state, sentences = self.source.state, self.source.sentences()
        goal = self.source.goal(" ".join(sentences))
        goal = goal._replace(targets=in_order(goal.targets))
        (on,) = induction_variables(bubble_of(f"on ({state})"), goal)
        self.lines += [":goal{", *(f"  {each}" for each in sentences), "}", f":ind on ({state})", ":apply(si)"]
        for child in induction(self.bench, goal, on, self.constructors, ()).children:
            self.lines += [f":sel({child.name})", "  :apply(tc)"]
            for each in constants(self.bench, child).children:
                self._close(each)
        head = ["-- Proof script for CiMPA of CafeInMaude, written by otsrw: it ends with PROOF FINISHED!"]
        text = "\n".join([*head, *self.source.header(), "", self.source.text, *self.lines]) + "\n"
        return ProofScript(text, 1, self.source.reductions)

    def _close(self, goal: Goal) -> None:
        step = self._step(goal)
        premises = {} if step is None else self._premises(goal, *step)
        cases = [] if step is None else list(known_cases(self.bench, goal, self._node(goal), *step))
        search = SplitSearch(
            self.finder, lambda each: GoalParts(tuple(premises.values()), each.targets[0].lhs), self._cases
        )
        try:
            tree = search.tree(goal, cases, f"goal {goal.name}")
        except OtsrwError as error:
            raise error if step is None else without_script(self._node(goal), step[0], error) from None
        self.lines += self._commands(goal, tree, premises)

    def _cases(self, goal: Goal, split: GoalSplit) -> TacticOutcome:
        return split_goal(self.bench, goal, definition_of("c", split, self.bench.connectives.true), self.constructors)

    def _node(self, goal: Goal) -> Node:
        return self.source.nodes[goal.targets[0].lhs.op.name]

    def _step(self, goal: Goal) -> tuple[Transition, StepNames] | None:
        """The transition of a goal and the names of its constants; None for a base case."""
        claim = goal.targets[0].lhs
        place = self.source.place(claim.op.name)
        after = claim.args[place]
        transition = next((t for t in self.ots.transitions if t.name == after.op.name), None)
        if transition is None:
            return None
        values = tuple(show(arg) for arg in (*claim.args[:place], *claim.args[place + 1 :]))
        state, arguments = transition.operator.state_of(after), transition.operator.indexes_of(after)
        return transition, StepNames(show(state), tuple(show(arg) for arg in arguments), values)

    def _premises(self, goal: Goal, transition: Transition, names: StepNames) -> dict[str, Term]:
        """The instances of lemmas and the induction hypothesis for a step, by the command that uses them."""
        own = (goal.targets[0].lhs.op.name, names.parameters)
        state = f"{self.ots.state.op.name}#{self.ots.sort.name}"
        facts = self.facts.instances(self.bench, goal, self._node(goal), transition, names)
        found = {f"  :imp {words}": fact for words, fact in facts.items()}
        used = dict.fromkeys(instances(self._node(goal), transition, names))
        for name, values in (*(each for each in used if each != own), own):
            text = self.source.at(name, state, values)
            found[self._implication(name, values)] = self.bench.parse(bubble_of(text), goal)
        return found

    def _commands(self, goal: Goal, tree: SplitTree, premises: dict[str, Term]) -> Iterator[str]:
        """The commands that close a goal by a tree of splits."""
        if tree.split is None:
            yield from self._needed(goal, premises)
            yield "  :apply (rd)"
            return
        self._splits += 1
        case = definition_of(f"c{self._splits}", tree.split, self.bench.connectives.true)
        yield f"  :def {case.name} = {case.form}"
        yield f"  :apply({case.name})"
        children = split_goal(self.bench, goal, case, self.constructors).children
        for child, below in zip(children, tree.below, strict=True):
            yield from self._commands(child, below, premises)

    def _needed(self, goal: Goal, premises: dict[str, Term]) -> list[str]:
        """The command for the premise that closes a goal; none if the claim is true."""
        if self.bench.reduce(goal, goal.targets[0].lhs) is self.bench.connectives.true:
            return []
        false = self.bench.connectives.false
        refuted = (command for command, premise in premises.items() if self.bench.reduce(goal, premise) is false)
        return [next(refuted, list(premises)[-1])]

    def _implication(self, name: str, values: tuple[str, ...]) -> str:
        parameters = self.source.nodes[name].predicate.parameters
        given = " ".join(f"{p.op.name}:{p.sort.name} <- {v} ;" for p, v in zip(parameters, values, strict=True))
        return f"  :imp [{name}] by {{{given}}}" if given else f"  :imp [{name}] ."
