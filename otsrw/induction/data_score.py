"""Passages of a proof score that prove lemmas about data by structural induction, and the lemmas as equations.

They open the specification itself: what is proved there becomes an equation of the module that later passages open.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.splitting import Leaf, Premise
from otsrw.reasoning.workbench import Equation, Why
from otsrw.records import NamedTuple
from otsrw.theory.builtins import Builtin
from otsrw.theory.printing import show
from otsrw.theory.terms import Term

if TYPE_CHECKING:
    from otsrw.reasoning.data_induction import DataCase, DataProof


class DataPassage(NamedTuple):
    """A passage for one leaf: its equations, what it reduces, and the terms whose constants it declares."""

    equations: tuple[Equation, ...]
    goal: str
    formula: Term
    """What is reduced, as a term."""
    terms: list[Term]


def heading(proof: DataProof) -> list[str]:
    """What stands before the first passage of a lemma."""
    return ["", f"-- {title(proof)}, {proof.how}"]


def title(proof: DataProof) -> str:
    """The lemma in words: its name and its formula."""
    return f"{proof.lemma.name}: {proof.lemma.text}"


def data_equations(proofs: Iterable[DataProof]) -> list[str]:
    """The lemmas as equations of a module: rewrite rules, or operators that state them."""
    lines: list[str] = []
    for proof in proofs:
        lemma = proof.lemma
        if lemma.rule is not None:
            lines.append(f"  eq {show(lemma.rule.left)} = {show(lemma.rule.right)} .")
        elif not lemma.stated:
            lines.append(f"  op {lemma.name} : {' '.join(v.sort.name for v in lemma.variables)} -> Bool")
            head = ",".join(f"{v.op.name}:{v.sort.name}" for v in lemma.variables)
            lines.append(f"  eq {lemma.name}({head}) = {show(lemma.formula)} .")
    return ["  -- lemmas about data, see above", *lines] if lines else []


def data_passage(proof: DataProof, case: DataCase, leaf: Leaf) -> DataPassage:
    """The passage of one leaf of one case."""
    goal, formula = _at(proof, case.values), proof.lemma.at(case.values)
    implies = case.bench.connectives.symbol(Builtin.IMPLIES)
    contradiction = leaf.assumptions.contradiction
    used: list[Term] = [*case.values]
    if leaf.premise is not None:
        equations = _needed(leaf.assumptions, leaf.premise.formula)
        goal = f"{_premise(proof, leaf.premise)} implies ({goal})"
        formula = implies.make((leaf.premise.formula, formula))
        used += leaf.premise.values
    elif contradiction is None:
        equations = _needed(leaf.assumptions, case.goal)
    else:
        premise = show(contradiction.atom)
        equations = leaf.assumptions.with_facts(contradiction.atom)
        goal = f"({premise if contradiction.positive else f'not {premise}'}) implies ({goal})"
        atom = contradiction.atom
        formula = implies.make((atom if contradiction.positive else case.bench.connectives.negate(atom), formula))
        used.append(atom)
    used += [term for equation in equations for term in (equation.left, equation.right)]
    return DataPassage(equations, goal, formula, used)


def _at(proof: DataProof, values: tuple[Term, ...]) -> str:
    """The lemma for some values: by its operator if the specification has one."""
    lemma = proof.lemma
    return _application(lemma.name, values) if lemma.stated else show(lemma.at(values))


def _premise(proof: DataProof, premise: Premise) -> str:
    """A hypothesis, or an instance of another lemma, which has an operator if it is no rewrite rule."""
    return _at(proof, premise.values) if premise.name == proof.lemma.name else show(premise.formula)


def _application(name: str, values: tuple[Term, ...]) -> str:
    return f"{name}({','.join(map(show, values))})"


def _needed(assumptions: Assumptions, goal: Term) -> tuple[Equation, ...]:
    """The equations of a passage, without other lemmas if it does not need them."""
    equations = assumptions.with_facts(goal)
    fewer = tuple(each for each in equations if each.why is not Why.DATA)
    if len(fewer) < len(equations):
        bench = assumptions.bench.without_facts()
        if bench.reduce(bench.rewriter(fewer), goal) is bench.reduce(bench.rewriter(equations), goal):
            return fewer
    return equations
