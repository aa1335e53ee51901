"""Proof scores: the evidence for a verified invariant, as CafeOBJ text.

One passage a case: constants, assumptions as equations, and one `red` that gives true. A case that lemmas exclude
reduces `(lemma instances) implies step`; a case whose assumptions contradict each other reduces the one that cannot
hold, as a premise. The text contains the specification, so that it stands alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from otsrw.induction.cases import InductionCase
from otsrw.induction.data_score import data_equations, data_passage, heading
from otsrw.induction.facts import FactSheet
from otsrw.induction.ill_sorted import Added, may_be_ill_sorted, sorted_cases
from otsrw.induction.results import Closed, IgfResult, LemmaInstance, Node
from otsrw.induction.score_checking import ScoreReport, score_report
from otsrw.induction.score_evidence import constants_of, effective_condition, effective_passages, value_passages
from otsrw.induction.small_passages import small_parts
from otsrw.ots.model import Ots
from otsrw.proofs.declared import Declared
from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.workbench import Equation, Why
from otsrw.records import dataclass
from otsrw.soundness import Status
from otsrw.soundness.claims import claim_text, disagreement_text
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Source
from otsrw.theory.builtins import Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show, show_plainly
from otsrw.theory.terms import Term

if TYPE_CHECKING:
    from pathlib import Path


_ANSWER = re.compile(r"\(.*\):\S+")
"""What CafeOBJ answers to a reduction, with its sort, which is `?*Condition*` for an ill-sorted Boolean."""


@dataclass(frozen=True, slots=True)
class ProofScore:
    text: str
    passages: int
    cases: tuple[tuple[int, Closed], ...] = ()
    """The cases of steps in order, each with the line in which a passage for it begins."""


class ScoreWriter:
    """Writes the proof score of a result whose cases are closed; its head says what is missing for a proof, if so."""

    def __init__(self, ots: Ots, result: IgfResult, declarations: Iterable[str], proves: tuple[str, ...] = ()) -> None:
        self.ots = ots
        self.result = result
        self.proves = proves or (result.invariant.name,)
        """What the score claims; what else it proves are lemmas for that."""
        self.declarations = [text.rstrip() for text in declarations]
        self.connectives = Connectives(ots.module.signature)
        self._own_lines = self._definitions()
        self.module = self._free_name("PROOF") if self._own_lines else ots.name
        """The module that passages open: one with the lemmas, if there are any that the file does not have."""
        self.passages = 0
        self._begun: list[tuple[int, Closed]] = []
        """Where the passages of cases begin, in lines from the first passage on."""
        self._facts = FactSheet(self.connectives)

    def _free_name(self, stem: str) -> str:
        text = "\n".join(self.declarations)
        name = stem
        while name in text:
            name += "-SCORE"
        return name

    def write(self) -> ProofScore:
        data = self.data_proofs()
        passages = self._passages()
        be = "would be" if self.result.grounds.missing else "are"
        lines = [
            "-- Proof score written by otsrw.",
            *self._headline(),
            f"-- The predicates {be} proved by simultaneous induction on the reachable states: a case may use any of",
            "-- them, for any values, at the state before the transition.",
            "-- The cases of a transition leave nothing out: 'otsrw check --score' finds their tree again.",
            *self._generators(),
            f"-- proves: {' '.join(self.proves)}",
            f"-- reductions: {self.passages}",
            *self._grounds(),
            *self._facts.header(),
            "",
            *self.declarations,
            *data,
            *self._module(),
            *passages,
        ]
        text = "\n".join(lines) + "\n"
        before = text.count("\n") - len(passages)
        cases = tuple((before + place + 1, closed) for place, closed in self._begun)
        return ProofScore(text, self.passages, cases)

    def _headline(self) -> Iterator[str]:
        """What the reductions show; or that they prove nothing, because claims about the equations are missing."""
        names, is_one = ", ".join(self.proves), len(self.proves) == 1
        missing = self.result.grounds.missing
        if not missing:
            be = "is an invariant" if is_one else "are invariants"
            yield f"-- {names} of {self.ots.name} {be}: every reduction below gives true."
            return
        be = "is" if is_one else "are"
        yield f"-- NOT PROVED: {names} of {self.ots.name} {be} closed (every reduction gives true), but rests on:"
        for each in missing:
            disagrees = each.is_disagreement
            yield (
                f"--   equations disagree: {disagreement_text(each)}"
                if disagrees
                else f"--   not shown: {claim_text(each)}"
            )

    def data_proofs(self) -> list[str]:
        """The proofs of lemmas about data; their passages are counted."""
        lines: list[str] = []
        for proof in self.result.data:
            lines += heading(proof)
            for case in proof.cases:
                for passage in (data_passage(proof, case, leaf) for leaf in case.leaves):
                    for added in sorted_cases(case.bench, passage.equations, passage.formula):
                        self.passages += 1
                        lines += [f"open {self.ots.name} .", *constants_of(case.bench, passage.terms)]
                        lines += self._facts.lines((*passage.equations, *added), self.passages)
                        lines += [f"  red {passage.goal} .", "close"]
        return lines

    def _passages(self) -> list[str]:
        lines = [*self._evidence_of_splits()]
        for node in self.result.nodes.values():
            lines += ["", f"-- {node.predicate.name}"]
            last: InductionCase | None = None
            number = 0
            for whole, closed in ((each, part) for each in node.cases for part in small_parts(each)):
                self._begun.append((len(lines), whole))
                number = number if closed.case is last else 0
                last = closed.case
                for added in self._by_sorts(closed):
                    number += 1
                    lines += ["", *self._passage(node, closed, added, number)]
        return lines

    def _by_sorts(self, closed: Closed) -> list[Added]:
        """What a passage assumes besides, so that CafeOBJ finds no ill-sorted Boolean: mostly nothing."""
        case, contradiction = closed.case, closed.leaf.assumptions.contradiction
        if not may_be_ill_sorted(case.bench):
            return [()]
        equations, _ = self.evidence(closed)
        premises = [self._instance(lemma, case.state) for lemma in closed.lemmas]
        if contradiction is not None:
            atom = contradiction.atom
            premises = [atom if contradiction.positive else self.connectives.negate(atom)]
        goal = case.goal
        for premise in reversed(premises):
            goal = self.connectives.symbol(Builtin.IMPLIES).make((premise, goal))
        return sorted_cases(case.bench, equations, goal, effective_condition(self.ots, case))

    def _evidence_of_splits(self) -> Iterator[str]:
        """That splits which are not `a` or `not a` leave nothing out."""
        cases = [closed for node in self.result.nodes.values() for closed in node.cases]
        values = value_passages(self.ots, cases, self.module)
        for lines in (*values, *effective_passages(self.ots, cases, self.module)):
            self.passages += "close" in lines
            yield from lines if lines[0].startswith("open") else ("", *lines)

    def _generators(self) -> list[str]:
        """What every state is made by: one base case and one induction case each."""
        initials = " ".join(symbol.name for symbol in self.ots.initials)
        transitions = " ".join(transition.name for transition in self.ots.transitions)
        return [f"-- initial states: {initials}", f"-- transitions: {transitions}"]

    def _grounds(self) -> Iterator[str]:
        """What the proof rests on besides its reductions, by kind."""
        grounds = self.result.grounds
        proved: dict[str, list[str]] = {}
        for each in grounds.obligations:
            if each.status is Status.PROVED and not each.claims:
                proved.setdefault(each.kind.value, []).append(each.subject)
        if proved:
            yield "-- shown by 'otsrw check':"
        import textwrap

        for kind, subjects in proved.items():
            text = f"{kind}: {', '.join(subjects)}"
            yield from textwrap.wrap(text, 110, initial_indent="--   ", subsequent_indent="--     ")
        for each in grounds.obligations:
            if each.status is Status.PROVED and each.claims:
                yield f"-- {claim_text(each)}: {each.evidence}, proved below"
        for each in grounds.assumed:
            yield f"-- ASSUMED, not shown: {claim_text(each)}"

    def _definitions(self) -> list[str]:
        """The lemmas as operators, and what rewrites with lemmas about data."""
        lines = list(data_equations(self.result.data))
        known = {invariant.name for invariant in self.ots.invariants}
        for name, node in self.result.nodes.items():
            if name in known:
                continue
            sorts = " ".join(p.sort.name for p in node.predicate.parameters)
            lines.append(f"  op {name} : {self.ots.sort.name}{' ' if sorts else ''}{sorts} -> Bool")
            variables = (self.ots.state, *node.predicate.parameters)
            head = ",".join(f"{v.op.name}:{v.sort.name}" for v in variables)
            lines.append(f"  eq {name}({head}) = {show_plainly(node.predicate.formula)} .")
        return lines

    def _module(self) -> list[str]:
        """The module with the lemmas; nothing if there is none."""
        if not self._own_lines:
            return []
        return ["", f"mod {self.module} {{", f"  pr({self.ots.name})", *self._own_lines, "}"]

    # --- passages

    def _passage(self, node: Node, closed: Closed, added: Added, number: int) -> list[str]:
        case = closed.case
        goal = self._goal(node, case)
        equations, premises = self.evidence(closed)
        equations = (*equations, *added)
        where = f"in {show(case.state)}" if case.transition is None else show(case.after)
        lines: list[str] = []
        for equation in equations:
            if equation.why is Why.CONDITION:
                lines += self._justification(case, equation, equations)
        self.passages += 1
        shown = " and ".join(premises)
        red = f"({shown}) implies ({goal})" if premises else goal
        used = [t for e in equations for t in (e.left, e.right)]
        used += [*closed.case.values, *closed.case.arguments, case.state]
        used += [t for lemma in closed.lemmas for t in lemma.values]
        if closed.leaf.assumptions.contradiction is not None:
            used.append(closed.leaf.assumptions.contradiction.atom)
        lines += [f"-- {node.predicate.name}, {where}, case {number}", f"open {self.module} ."]
        lines += constants_of(case.bench, used)
        lines += self._facts.lines((e for e in equations if e.why is not Why.DATA), self.passages)
        return [*lines, f"  red {red} .", "close"]

    def _goal(self, node: Node, case: InductionCase) -> str:
        def at(state: Term) -> str:
            return f"{node.predicate.name}({','.join(show(t) for t in (state, *case.values))})"

        return at(case.after) if case.transition is None else f"{at(case.state)} implies {at(case.after)}"

    def evidence(self, closed: Closed) -> tuple[tuple[Equation, ...], list[str]]:
        """The equations of a passage, and the premises of what it reduces."""
        assumptions = closed.leaf.assumptions
        contradiction = assumptions.contradiction
        if contradiction is not None:
            shown = show(contradiction.atom) if contradiction.positive else f"not {show(contradiction.atom)}"
            return assumptions.with_facts(contradiction.atom), [shown]
        premises = []
        equations = assumptions.with_facts(closed.case.goal)
        for lemma in closed.lemmas:
            state = () if lemma.is_data else (closed.case.state,)
            premises.append(f"{lemma.name}({','.join(show(t) for t in (*state, *lemma.values))})")
            formula = self._instance(lemma, closed.case.state)
            known = {e.left for e in equations}
            equations = (*equations, *(e for e in assumptions.with_facts(formula) if e.left not in known))
        return equations, premises

    def _instance(self, lemma: LemmaInstance, state: Term) -> Term:
        if lemma.is_data:
            stated = next(proof.lemma for proof in self.result.data if proof.lemma.name == lemma.name)
            return stated.at(lemma.values)
        predicate = self.result.nodes[lemma.name].predicate
        bindings = {self.ots.state: state, **dict(zip(predicate.parameters, lemma.values, strict=True))}
        return substitute(predicate.formula, bindings)

    def _justification(
        self, case: InductionCase, condition: Equation, equations: tuple[Equation, ...]
    ) -> Iterator[str]:
        """That what the effective condition was replaced by follows from it."""
        observed, pattern = condition.left.args
        if self.ots.observer(observed.op) is None:
            observed, pattern = pattern, observed
        members = [
            e.left
            for e in equations
            if e.right is self.connectives.true and observed in e.left.args and e.left is not condition.left
        ]
        members = [m for m in members if any(arg in pattern.args for arg in m.args)]
        if not members:
            return
        self.passages += 1
        yield "-- the effective condition implies the memberships assumed below"
        yield f"open {self.module} ."
        yield from constants_of(case.bench, [condition.left])
        yield f"  eq {show(observed)} = {show(pattern)} ."
        yield f"  red {' and '.join(show(member) for member in members)} ."
        yield "close"


def check_score(score: ProofScore, known: Iterable[Declared] = ()) -> list[str]:
    """What our own engine says against a proof score; nothing if it is accepted.

    Modules that the score declares with the same text as a session that is known are not read a second time.
    """
    return score_problems(score, score_report(Source("<proof score>", score.text), known=known))


def score_problems(score: ProofScore, report: ScoreReport) -> list[str]:
    """What the report of a score says against it."""
    problems = [problem.header() for problem in report.errors]
    unproved = (each for each in report.obligations if each.status is not Status.PROVED)
    problems += [f"{each.subject}: {each.witness or each.missing}" for each in unproved]
    if report.reductions != score.passages:
        problems.append(f"{report.reductions} reductions instead of {score.passages}")
    return problems if problems or report.is_accepted else ["no passage is about a step"]


def check_with_cafeobj(path: Path, passages: int, timeout: float | None = None) -> list[str]:
    """What the real CafeOBJ says against a proof score in a file."""
    import shutil
    import subprocess

    program = shutil.which("cafeobj")
    if program is None:
        raise OtsrwError("E520", "cafeobj is not installed", hint="apt-get install cafeobj")
    try:
        done = subprocess.run(
            [program, "-batch", str(path)], capture_output=True, text=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        return [f"CafeOBJ did not finish in {timeout:g} s"]
    results = [line for line in done.stdout.splitlines() if _ANSWER.fullmatch(line.rstrip())]
    true = sum(line.startswith("(true):") for line in results)
    problems = [f"CafeOBJ gave {line}" for line in results if not line.startswith("(true):")][:10]
    problems += [line for line in done.stdout.splitlines() if line.startswith("[Error]")][:10]
    if true != passages and not problems:
        problems.append(f"CafeOBJ gave true {true} times instead of {passages}")
    return problems
