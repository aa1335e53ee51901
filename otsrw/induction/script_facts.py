"""Facts about numbers that a proof rests on, as sentences of a script.

Linear arithmetic decides them, and no reduction shows them: a script takes them for granted, and says so. A fact is
stated for all numbers, with a label; a goal in which an instance of it is false is contradictory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.induction.results import Closed, Node
from otsrw.induction.score import ScoreWriter
from otsrw.induction.script_module import bubble_of
from otsrw.induction.script_steps import StepNames, closed_cases
from otsrw.induction.script_terms import image_of, is_plain
from otsrw.ots.model import Transition
from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import Goal
from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.integers import ARITHMETIC
from otsrw.reasoning.workbench import Equation, Why
from otsrw.records import NamedTuple
from otsrw.theory.builtins import Builtin
from otsrw.theory.printing import show
from otsrw.theory.terms import LiteralTerm, Term, variable

_INSIDE = ARITHMETIC | {Builtin.DISTANCE, Builtin.NOT, Builtin.AND, Builtin.IMPLIES}
"""Operators of a fact; other terms in it stand for any number."""


class _UsedFact(NamedTuple):
    """An instance of a fact in a case: its name, the variables with their values, and the instance."""

    name: str
    values: tuple[tuple[Term, Term], ...]
    formula: Term


class NumberFacts:
    """The facts of a proof."""

    def __init__(self, nodes: Iterable[Node], score: ScoreWriter) -> None:
        self._connectives: Connectives = score.connectives
        self._names: dict[str, str] = {}
        """The names of facts, by what they say."""
        self._used: dict[Closed, tuple[_UsedFact, ...]] = {}
        for node in nodes:
            for closed in node.cases:
                equations, _ = score.evidence(closed)
                found = (self._used_fact(e) for e in equations if e.why is Why.ARITHMETIC)
                self._used[closed] = tuple(fact for fact in found if fact is not None)

    def lines(self) -> Iterator[str]:
        """The sentences for the module of a script."""
        for sentence, name in self._names.items():
            yield f"  eq [{name} :nonexec] : {sentence} = true ."

    def instances(
        self, bench: GoalBench, goal: Goal, node: Node, transition: Transition, names: StepNames
    ) -> dict[str, Term]:
        """The facts that the closed cases of a transition use, about the constants of a goal, by the words for them."""
        found: dict[str, Term] = {}
        for closed in closed_cases(node, transition):
            images = names.images(closed)
            declared = {image.op.name: image for image in images.values()}
            for fact in self._used[closed]:
                values = [(v, image_of(value, images)) for v, value in fact.values]
                if all(is_plain(value, closed.case.bench) for _, value in values):
                    given = " ".join(f"{show(v)} <- {show(value, declared)} ;" for v, value in values)
                    text = show(image_of(fact.formula, images), declared)
                    found[f"[{fact.name}] by {{ {given} }}"] = bench.parse(bubble_of(text), goal)
        return found

    def _used_fact(self, fact: Equation) -> _UsedFact | None:
        """None for a fact that is no formula, or about numbers that may have no value."""
        if fact.right not in (self._connectives.true, self._connectives.false):
            return None
        formula = self._literal(fact)
        for reason in reversed(fact.because):
            formula = self._connectives.symbol(Builtin.IMPLIES).make((self._literal(reason), formula))
        values: dict[Term, Term] = {}
        stated = _general(formula, values)
        if not values or any(value.op.native is Builtin.PREDECESSOR for value in values):
            return None
        name = self._names.setdefault(show(stated), f"number-fact{len(self._names) + 1}")
        return _UsedFact(name, tuple((v, value) for value, v in values.items()), formula)

    def _literal(self, equation: Equation) -> Term:
        if equation.right is self._connectives.true:
            return equation.left
        if equation.right is self._connectives.false:
            return self._connectives.negate(equation.left)
        return self._connectives.equal(equation.left, equation.right)


def _general(term: Term, variables: dict[Term, Term]) -> Term:
    """The term with variables for its unknowns."""
    if isinstance(term, LiteralTerm):
        return term
    if term.op.native in _INSIDE:
        return term.op.make(tuple([_general(arg, variables) for arg in term.args]))
    if term not in variables:
        variables[term] = variable(f"X{len(variables) + 1}", term.sort)
    return variables[term]
