"""Proof scripts of a proof by induction: for CITP, which CafeOBJ 1.6.0 checks, and for CiMPA, which CafeInMaude checks.

The CITP form has two layers. A step lemma says that a predicate and the lemmas its case uses, before a transition,
imply the predicate after it. One induction then proves all predicates at once: CITP makes the cases, so the
tool that checks the script also checks that none is left out. Scripts are written while our own engine runs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from otsrw.induction.case_guide import GuidedCase
from otsrw.induction.cases import InductionCase
from otsrw.induction.data_score import data_equations
from otsrw.induction.results import Closed, IgfResult, Node
from otsrw.induction.score import ScoreWriter
from otsrw.induction.script_splits import MAX_DEPTH, SplitChoice, SplitFinder, choices_of, definition_of, needless
from otsrw.ots.model import Ots, Transition
from otsrw.proofs import Session
from otsrw.proofs.citp.bench import GoalBench, ProofContext
from otsrw.proofs.citp.cimpa_steps import by_name, constants, in_order, induction
from otsrw.proofs.citp.cimpa_steps import split as split_goal
from otsrw.proofs.citp.goals import ROOT, Goal, TacticDefinition
from otsrw.proofs.citp.induct import constructors_of
from otsrw.proofs.citp.lemmas import used
from otsrw.proofs.citp.reading import induction_variables, initialisation, sentences_of
from otsrw.proofs.citp.state import Flag, ProofState, default_flags
from otsrw.proofs.results import Outcome
from otsrw.reasoning.workbench import Why, Workbench
from otsrw.rewriting.budget import Budget
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.lexer import Words
from otsrw.syntax.reader import read
from otsrw.syntax.source import NOWHERE, Source, Span
from otsrw.syntax.tree import Bubble, ModuleDeclaration, OperatorDeclaration
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.printing import show, show_plainly
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, variable

_REWRITES = 2_000_000


@dataclass(frozen=True, slots=True)
class ProofScript:
    """A script with the number of goals it states, and of reductions before them, which prove lemmas about data."""

    text: str
    goals: int
    reductions: int = 0


def bubble_of(text: str) -> Bubble:
    """The words of a text."""
    words = Words(Source("<script>", text))
    return words.bubble(0, len(words.texts))


def with_constructors(span: Span, symbols: Iterable[Symbol]) -> str:
    """The text of a declaration, with the attribute `constr` added to the operators that are declared in it."""
    wanted = {decl.span for symbol in symbols for decl in symbol.decls}
    text = span.text
    declared = read(span.source)[0] if any(each.source is span.source for each in wanted) else []
    for module in declared:
        if not isinstance(module, ModuleDeclaration) or module.span.start != span.start:
            continue
        for item in reversed(module.items):
            if isinstance(item, OperatorDeclaration) and item.span in wanted and item.coarity is not None:
                given = item.attributes
                end = (item.coarity.span if given is None else given.span).end - span.start
                text = f"{text[:end]} {'{constr}' if given is None else 'constr'}{text[end:]}"
    return text


class ScriptModule:
    """The specification with the predicates of a proof as operators, and the proof context that it is."""

    def __init__(self, ots: Ots, result: IgfResult, declarations: Iterable[Span]) -> None:
        self.ots = ots
        self.nodes = dict(result.nodes)
        self.marked = tuple(symbol for symbol in self._generators() if not symbol.is_constructor)
        """Initial states and transitions that become constructors: `si` makes its cases from constructors."""
        texts = [with_constructors(span, self.marked).rstrip() for span in declarations]
        self.name = "PROOF"
        while self.name in "\n".join(texts):
            self.name += "-SCRIPT"
        data = ScoreWriter(ots, result, ())
        proofs = data.data_proofs()
        self.reductions = data.passages
        self.text = "\n".join([*texts, *proofs, "", *self._lines(data_equations(result.data)), ""])
        session = Session()
        session.run_text(self.text, "<script>")
        self.module: Module = session.library.modules[self.name]
        context = ProofContext.of_module(self.module)
        self.bench = GoalBench(context, session.library, lambda: Budget.of(_REWRITES))

    def _generators(self) -> Iterator[Symbol]:
        yield from self.ots.initials
        for transition in self.ots.transitions:
            yield transition.operator.symbol

    def header(self) -> Iterator[str]:
        """What the comment at the top of a script says of the specification."""
        if self.marked:
            names = ", ".join(symbol.name for symbol in self.marked)
            yield f"-- {{constr}} was added to {names}: reachable states are built by them alone."
        if self.reductions:
            yield f"-- reductions that prove lemmas about data: {self.reductions}"

    def _lines(self, equations: Iterable[str]) -> Iterator[str]:
        ots = self.ots
        yield f"mod {self.name} {{"
        yield f"  pr({ots.name})"
        yield from equations
        known = {invariant.name for invariant in ots.invariants}
        for name, node in self.nodes.items():
            if name not in known:
                variables = (ots.state, *node.predicate.parameters)
                yield f"  op {name} : {' '.join(v.sort.name for v in variables)} -> Bool"
                head = ",".join(f"{v.op.name}:{v.sort.name}" for v in variables)
                yield f"  eq {name}({head}) = {show_plainly(node.predicate.formula)} ."
        yield from self._differences()
        yield "}"

    def _differences(self) -> Iterator[str]:
        """What free constructors of tight modules mean for `=`, where the specification does not say it itself."""
        bench = Workbench(self.ots.module)
        plain = bench.rewriter(())
        system = {decl for inner in self.ots.module.closure() if inner.is_system for decl in inner.decls}
        free = [symbol for symbol in sorted(bench.constructors.free, key=lambda s: s.number) if not is_literal(symbol)]
        free = [symbol for symbol in free if symbol.decls[0] not in system and symbol.kind is not None]
        for one, other in combinations_with_replacement(free, 2):
            if one.kind is not other.kind or (one is other and not one.nargs):
                continue
            left, right = general(one, "A"), general(other, "B")
            same = bench.connectives.equal(left, right)
            if bench.reduce(plain, same) is same:
                parts = [f"({show(a)} = {show(b)})" for a, b in zip(left.args, right.args, strict=False)]
                yield f"  eq ({show(left)} = {show(right)}) = {' and '.join(parts) if one is other else 'false'} ."

    # --- texts

    def at(self, name: str, state: str, values: Iterable[str]) -> str:
        """A predicate at a state."""
        args = list(values)
        args.insert(self.place(name), state)
        return f"{name}({','.join(args)})"

    def place(self, name: str) -> int:
        """Which argument of a predicate is the state."""
        known = next((i for i in self.ots.invariants if i.name == name), None)
        return 0 if known is None else known.operator.place

    def goal(self, text: str) -> Goal:
        """The root goal with these sentences."""
        empty = Goal(ROOT, (), self.module.signature)
        return empty._replace(targets=sentences_of(bubble_of(text), empty, self.bench))


@dataclass(frozen=True, slots=True)
class StepNames:
    """Names for the state before a step, the arguments of its transition, and the parameters of the predicate."""

    state: str
    arguments: tuple[str, ...]
    parameters: tuple[str, ...]

    def as_constants(self) -> StepNames:
        """The constants that `tc` makes of variables with these names: `X@S` for `X:S`."""
        arguments, parameters = (
            tuple(v.replace(":", "@", 1) for v in names) for names in (self.arguments, self.parameters)
        )
        return StepNames(self.state.replace(":", "@", 1), arguments, parameters)

    def images(self, case: InductionCase) -> dict[Term, Term]:
        """What stands for the constants of an induction case."""
        names = dict(zip(case.arguments, self.arguments, strict=True)) | {case.state: self.state}
        names |= dict(zip(case.values, self.parameters, strict=True))
        return {constant: variable(name, constant.sort) for constant, name in names.items()}


class CitpWriter:
    """Writes the script for CITP."""

    def __init__(self, ots: Ots, result: IgfResult, declarations: Iterable[Span]) -> None:
        self.source = ScriptModule(ots, result, declarations)
        self.ots = ots
        self.bench = self.source.bench
        self.constructors = constructors_of(self.source.module)
        self.finder = SplitFinder(self.bench, self.constructors, ots.sort.name)
        self.flags = default_flags()
        self.lines: list[str] = []
        self.goals = 0
        self._lemmas: dict[tuple[str, str], tuple[Axiom, StepNames]] = {}
        self._sorts: dict[str, Sort] = {}

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

    def _begin(self, sentences: str) -> ProofState:
        self.goals += 1
        self.lines += ["", f":goal {{ {sentences} }}"]
        return ProofState(self.bench, self.source.goal(sentences), self.constructors, NOWHERE)

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
        proof = self._begin(sentence)
        self.lines.append(":apply (tc)")
        outcome = proof.apply(ROOT, "tc", self.flags)
        for child in outcome.children:
            cases = list(known_cases(self.bench, child, node, transition, variables.as_constants()))
            self._close(proof, child.name, label, cases)
        self._lemmas[transition.name, name] = (proof.stated[0], variables)

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

    def _close(self, proof: ProofState, name: str, what: str, cases: Sequence[GuidedCase] = ()) -> None:
        """Close a goal by splits; `cases` are known to close it."""
        before, written = proof.root, len(self.lines)
        for choice in choices_of(self.finder, cases):
            try:
                self._split(proof, name, choice, what)
                return
            except OtsrwError as error:
                proof.root = before
                del self.lines[written:]
                failed = error
        raise failed

    def _split(self, proof: ProofState, name: str, choice: SplitChoice, what: str, depth: int = 0) -> None:
        """Split a goal until it reduces to true, and write the commands."""
        goal = proof.node(name).goal
        value = self.bench.reduce(goal, goal.targets[0].lhs)
        if value is self.bench.connectives.true:
            before, written = proof.root, len(self.lines)
            self._finish(proof, name, list(needless(self.bench, goal)))
            if not proof.node(name).is_proved:
                proof.root = before
                del self.lines[written:]
                self._finish(proof, name, [])
            return
        chosen = choice.next(goal, value) if depth < MAX_DEPTH else None
        if chosen is None:
            raise OtsrwError("E524", f"no script was found: {what} is left with {show_plainly(value)[:300]}")
        split, below = chosen
        if isinstance(split, Axiom):
            self.lines.append(f":ctf {{ eq {show(split.lhs)} = {show(split.rhs)} . }}")
            case = TacticDefinition("", ":ctf{", "", (split,))
        else:
            self.lines.append(f":ctf [ {show(split)} . ]")
            case = TacticDefinition("", ":ctf[", "", term=split)
        for child in proof.apply(name, case, self.flags).children:
            self._split(proof, child.name, below, what, depth + 1)

    def _finish(self, proof: ProofState, name: str, premises: list[Term]) -> None:
        """Discharge a goal that reduces to true, after splits on the premises that it does not need."""
        if not premises:
            self.lines.append(":apply (rd-)")
            proof.apply(name, "rd-", self.flags)
            return
        premise = Axiom(premises[0], self.bench.connectives.true, None)
        self.lines.append(f":ctf {{ eq {show(premise.lhs)} = true . }}")
        first, second = proof.apply(name, TacticDefinition("", ":ctf{", "", (premise,)), self.flags).children
        self._finish(proof, first.name, premises[1:])
        self._finish(proof, second.name, [])

    # --- induction

    def _induction(self) -> None:
        state = f"{self.ots.state.op.name}:{self.ots.sort.name}"
        sentences = []
        for name, node in self.source.nodes.items():
            shown = [f"{p.op.name}:{p.sort.name}" for p in node.predicate.parameters]
            sentences.append(f"eq [{name} :nonexec]: {self.source.at(name, state, shown)} = true .")
        proof = self._begin(" ".join(sentences))
        labels = [axiom.labels[0] for axiom, _ in self._lemmas.values()]
        self.lines += [f":use ({' '.join(labels)})", f":ind on ({state})", ":apply (si tc)"]
        goal = used(proof.root.goal, tuple(axiom for axiom, _ in self._lemmas.values()))
        proof.put(goal._replace(variables=induction_variables(bubble_of(f"on ({state})"), goal)))
        for child in proof.apply(ROOT, "si", self.flags).children:
            proof.apply(child.name, "tc", self.flags)
        for each in proof.open_goals():
            self.lines.append(f":select {each.name}")
            if "INDUCTION-BASE" in each.targets[0].labels:
                self._close(proof, each.name, f"the base case {each.name}")
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
        self.flags[Flag.NORMALIZE_INIT] = True
        proof.apply(goal.name, initialisation(bubble_of(words), goal, self.bench), self.flags)
        proof.apply(goal.name, "rd", self.flags)
        if not proof.node(goal.name).is_proved:
            raise OtsrwError("E524", f"no script was found: the step lemma does not close goal {goal.name}")


def instances(node: Node, transition: Transition, names: StepNames) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The instances of lemmas that the closed cases of a transition use, with other names for the constants of a case.

    Instances with parts of values that a case was split by are left out: there are no names for them.
    """
    for closed in _closed_cases(node, transition):
        images = names.images(closed.case)
        declared = {image.op.name: image for image in images.values()}  # so that no sorts are added to their names
        for lemma in closed.lemmas:
            if lemma.is_data:
                raise OtsrwError("E524", f"a case uses the lemma about data {lemma.name}, which is no equation")
            values = [image_of(value, images) for value in lemma.values]
            if all(is_plain(value, closed.case.bench) for value in values):
                yield lemma.name, tuple(show(value, declared) for value in values)


def known_cases(
    bench: GoalBench, goal: Goal, node: Node, transition: Transition, names: StepNames
) -> Iterator[GuidedCase]:
    """What the closed cases of a transition assume, about the constants of a goal."""
    for closed in _closed_cases(node, transition):
        images = names.images(closed.case)
        declared = {image.op.name: image for image in images.values()}
        workbench = closed.case.bench
        literals = []
        for equation in closed.leaf.assumptions.equations:
            sides = [image_of(side, images) for side in (equation.left, equation.right)]
            if equation.why is Why.ASSUMPTION and all(is_plain(side, workbench) for side in sides):
                left, right = (bench.parse(bubble_of(show(side, declared)), goal) for side in sides)
                literals.append(Axiom(left, right, None))
        yield GuidedCase(tuple(literals))


def _closed_cases(node: Node, transition: Transition) -> Iterator[Closed]:
    for closed in node.cases:
        if closed.case.transition is not None and closed.case.transition.name == transition.name:
            yield closed


def general(constructor: Symbol, stem: str) -> Term:
    """The constructor applied to variables."""
    sorts = constructor.decls[0].arity
    return constructor.make(tuple(variable(f"{stem}{number}", sort) for number, sort in enumerate(sorts, 1)))


def is_literal(symbol: Symbol) -> bool:
    """Is it a truth value?"""
    return symbol.name in ("true", "false") and not symbol.nargs


def image_of(term: Term, images: dict[Term, Term]) -> Term:
    """The term with constants replaced."""
    found = images.get(term)
    if found is not None or not term.args:
        return found or term
    return term.op.make(tuple([image_of(arg, images) for arg in term.args]))


def is_plain(term: Term, bench: Workbench) -> bool:
    """Has the term no constant of a case?"""
    todo = [term]
    while todo:
        part = todo.pop()
        if bench.is_constant(part):
            return False
        todo += part.args
    return True


class CimpaWriter:
    """Writes the script for CiMPA: one induction, in which lemmas are put in front of goals."""

    def __init__(self, ots: Ots, result: IgfResult, declarations: Iterable[Span]) -> None:
        self.source = ScriptModule(ots, result, declarations)
        self.ots = ots
        self.bench = self.source.bench
        self.constructors = by_name(constructors_of(self.source.module))
        self.finder = SplitFinder(self.bench, self.constructors, ots.sort.name)
        self.lines: list[str] = []
        self._splits = 0

    def write(self) -> ProofScript:
        state = f"{self.ots.state.op.name}:{self.ots.sort.name}"
        sentences = []
        for name, node in self.source.nodes.items():
            shown = [f"{p.op.name}:{p.sort.name}" for p in node.predicate.parameters]
            sentences.append(f"eq [{name} :nonexec] : {self.source.at(name, state, shown)} = true .")
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
        premises = [] if step is None else self._premises(goal, *step)
        cases = [] if step is None else list(known_cases(self.bench, goal, self._node(goal), *step))
        written, number = len(self.lines), self._splits
        for choice in choices_of(self.finder, cases):
            try:
                self._split(goal, premises, choice)
                return
            except OtsrwError as error:
                del self.lines[written:]
                self._splits = number
                failed = error
        raise failed

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

    def _premises(self, goal: Goal, transition: Transition, names: StepNames) -> list[tuple[str, tuple[str, ...]]]:
        """The induction hypothesis and the instances of lemmas for a step, by name and values."""
        own = (goal.targets[0].lhs.op.name, names.parameters)
        return list(dict.fromkeys((own, *instances(self._node(goal), transition, names))))

    def _split(
        self, goal: Goal, premises: list[tuple[str, tuple[str, ...]]], choice: SplitChoice, depth: int = 0
    ) -> None:
        connectives = self.bench.connectives
        claim = self.bench.reduce(goal, goal.targets[0].lhs)
        value = claim
        for name, values in premises:
            text = self.source.at(name, f"{self.ots.state.op.name}#{self.ots.sort.name}", values)
            known = self.bench.parse(bubble_of(text), goal)
            value = connectives.symbol(Builtin.IMPLIES).make((known, value))
        value = self.bench.reduce(goal, value)
        if value is connectives.true:
            if claim is not connectives.true:
                self.lines += [self._implication(name, values) for name, values in premises]
            self.lines.append("  :apply (rd)")
            return
        chosen = choice.next(goal, value) if depth < MAX_DEPTH else None
        if chosen is None:
            raise OtsrwError("E524", f"no script was found: goal {goal.name} is left with {show_plainly(value)[:300]}")
        split, below = chosen
        self._splits += 1
        case = definition_of(f"c{self._splits}", split, self.bench.connectives.true)
        self.lines += [f"  :def {case.name} = {case.form}", f"  :apply({case.name})"]
        for child in split_goal(self.bench, goal, case, self.constructors).children:
            self._split(child, premises, below, depth + 1)

    def _implication(self, name: str, values: tuple[str, ...]) -> str:
        parameters = self.source.nodes[name].predicate.parameters
        given = " ".join(f"{p.op.name}:{p.sort.name} <- {v} ;" for p, v in zip(parameters, values, strict=True))
        return f"  :imp [{name}] by {{{given}}}" if given else f"  :imp [{name}] ."


def check_script(script: ProofScript) -> list[str]:
    """What our own engine says against a script; nothing if it closes all goals."""
    session = Session()
    session.run_text(script.text, "<script>")
    outcome: Outcome = session.outcome
    problems = [problem.header() for problem in outcome.errors]
    problems += [f"goal {proof.open_goals[0]} is open" for proof in outcome.open_proofs]
    problems += [f"a reduction gives {answer.result}" for answer in outcome.unexpected("true")]
    if len(outcome.proofs) != script.goals:
        problems.append(f"{len(outcome.proofs)} goals instead of {script.goals}")
    return problems
