"""The steps of a proof in the words of a script: names for constants, the lemmas that are used, the known cases."""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.induction.case_guide import GuidedCase
from otsrw.induction.results import Closed, Node
from otsrw.induction.script_bags import BagFacts
from otsrw.induction.script_module import bubble_of
from otsrw.induction.script_terms import image_of, is_plain
from otsrw.ots.model import Transition
from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import Goal
from otsrw.reasoning.workbench import Why
from otsrw.records import dataclass
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import show
from otsrw.theory.terms import Term, variable


@dataclass(frozen=True, slots=True)
class StepNames:
    """Names for the state before a step, the arguments of its transition, and the parameters of the predicate."""

    state: str
    arguments: tuple[str, ...]
    parameters: tuple[str, ...]
    bags: BagFacts | None = None
    """What names rests of bags; None: they have no names."""

    def as_constants(self) -> StepNames:
        """The constants that `tc` makes of variables with these names: `X@S` for `X:S`."""
        arguments, parameters = (
            tuple(v.replace(":", "@", 1) for v in names) for names in (self.arguments, self.parameters)
        )
        return StepNames(self.state.replace(":", "@", 1), arguments, parameters, self.bags)

    def images(self, closed: Closed) -> dict[Term, Term]:
        """What stands for the constants of an induction case."""
        case = closed.case
        names = dict(zip(case.arguments, self.arguments, strict=True)) | {case.state: self.state}
        names |= dict(zip(case.values, self.parameters, strict=True))
        images = {constant: variable(name, constant.sort) for constant, name in names.items()}
        return images if self.bags is None else self.bags.with_rests(closed, images)


def instances(node: Node, transition: Transition, names: StepNames) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The instances of lemmas that the closed cases of a transition use, with other names for the constants of a case.

    Instances with parts of values that a case was split by are left out: there are no names for them.
    """
    for closed in closed_cases(node, transition):
        images = names.images(closed)
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
    for closed in closed_cases(node, transition):
        images = names.images(closed)
        declared = {image.op.name: image for image in images.values()}
        workbench = closed.case.bench
        literals = []
        for equation in closed.leaf.assumptions.equations:
            sides = [image_of(side, images) for side in (equation.left, equation.right)]
            if equation.why is Why.ASSUMPTION and all(is_plain(side, workbench) for side in sides):
                left, right = (bubble_of(show(side, declared)) for side in sides)
                term = bench.parse(left, goal)
                literals.append(Axiom(term, bench.parse(right, goal, term.sort), None))
        yield GuidedCase(tuple(literals))


def uses_arithmetic(node: Node, transition: Transition) -> bool:
    """Does a case of a transition rest on facts about numbers? Reductions alone do not show them."""
    for closed in closed_cases(node, transition):
        known = closed.leaf.assumptions
        asked = closed.case.goal if known.contradiction is None else known.contradiction.atom
        if any(each.why is Why.ARITHMETIC for each in known.with_facts(asked)):
            return True
    return False


def uses_parts(node: Node, transition: Transition) -> bool:
    """Is a case of a transition about parts of values, which a script has no names for?"""
    for closed in closed_cases(node, transition):
        case, known = closed.case, closed.leaf.assumptions.equations
        images = {each: variable("X", each.sort) for each in (case.state, *case.arguments, *case.values)}
        terms = [value for lemma in closed.lemmas for value in lemma.values]
        terms += [side for each in known if each.why is Why.ASSUMPTION for side in (each.left, each.right)]
        if not all(is_plain(image_of(term, images), case.bench) for term in terms):
            return True
    return False


def without_script(node: Node, transition: Transition, error: OtsrwError) -> OtsrwError:
    """The error that no script was found for a step, with the reason if it is known."""
    if uses_parts(node, transition):
        hint = "the proof takes elements out of a collection, which splits by constructors cannot; use '--as score'"
    elif uses_arithmetic(node, transition):
        hint = "the proof uses facts about numbers that reductions do not show; '--as score' writes them as equations"
    else:
        return error
    return OtsrwError("E524", error.problem.message, hint=hint)


def closed_cases(node: Node, transition: Transition) -> Iterator[Closed]:
    """The cases of a transition."""
    for closed in node.cases:
        if closed.case.transition is not None and closed.case.transition.name == transition.name:
            yield closed
