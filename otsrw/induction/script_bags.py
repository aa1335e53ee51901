"""The rest of a bag in scripts: a function for it, and facts about equations between bags.

A proof takes elements out of a bag by a constant for the rest. A script has `rest-of-Bag(X,B)` instead, which is D if B
is `(X , D)`. Cancellation in bags is shown by no reduction, and CITP has no induction on bags: a script takes the facts
for granted, and says so. They hold because nothing but associativity, commutativity and identity makes bags equal,
which is asked of the constructor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from otsrw.induction.results import Closed, Node
from otsrw.induction.script_module import bubble_of
from otsrw.induction.script_terms import image_of, is_plain
from otsrw.ots.model import Ots
from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import Goal
from otsrw.proofs.citp.script_connectives import ScriptConnective
from otsrw.reasoning.shapes import greatest
from otsrw.reasoning.workbench import Workbench
from otsrw.records import NamedTuple
from otsrw.theory.builtins import Builtin
from otsrw.theory.printing import show
from otsrw.theory.terms import Symbol, Term, variable

MAX_ELEMENTS = 3
"""Elements of a bag that facts are stated for."""


class BagOfScript(NamedTuple):
    """The names of a constructor of bags, of their sort, of the sort of their elements, and of the empty bag."""

    op: str
    sort: str
    element: str
    empty: str

    @property
    def rest(self) -> str:
        return f"rest-of-{self.sort}"

    def sum(self, parts: Sequence[str]) -> str:
        """The text of the bag of these parts."""
        if len(parts) == 1:
            return parts[0]
        word = self.op.strip("_")
        return f"({f' {word} '.join(parts)})"

    def label(self, count: int) -> str:
        """The label of the fact about so many elements."""
        return f"bag-fact-{self.sort}{count}"

    def definitions(self) -> Iterator[str]:
        """What the rest is, and that a bag with an element is not empty."""
        whole = self.sum((f"X:{self.element}", f"B:{self.sort}"))
        yield f"  op {self.rest} : {self.element} {self.sort} -> {self.sort}"
        yield f"  eq {self.rest}(X:{self.element}, {whole}) = B:{self.sort} ."
        yield f"  eq [{self.label(0)}] : ({whole} = {self.empty}) = false ."

    def cancellation(self, elements: Sequence[str], others: str, taken: str, left: str) -> str:
        """If elements and others are one element with what is left, it is one of the elements or in the others."""
        ways = []
        for place, element in enumerate(elements):
            remaining = self.sum((*elements[:place], *elements[place + 1 :], others))
            ways.append(f"(({element} = {taken}) and ({remaining} = {left}))")
        rest = f"{self.rest}({taken},{others})"
        ways.append(f"(({others} = {self.sum((taken, rest))}) and ({left} = {self.sum((*elements, rest))}))")
        same = f"({self.sum((*elements, others))} = {self.sum((taken, left))})"
        return ScriptConnective.IMPLICATION.joined((same, f"({ScriptConnective.DISJUNCTION.joined(ways)})"))


class BagFacts:
    """The bags that a proof takes elements out of, and the facts about them."""

    def __init__(self, ots: Ots, nodes: Iterable[Node]) -> None:
        bench = Workbench(ots.module)
        order = ots.module.signature.order
        used = {name for node in nodes for closed in node.cases for name in _sorts_of_parts(closed)}
        self.bags: tuple[BagOfScript, ...] = ()
        for op in filter(_is_infix_sum, ots.module.signature.symbols()):
            sort = op.decls[0].coarity
            elements = greatest(order, order.below[sort] - {sort})
            if sort.name not in used or len(elements) != 1 or not bench.constructors.collects(op):
                continue
            if op.identity is not None and bench.constructors.is_single(variable("X", elements[0]), op):
                self.bags += (BagOfScript(op.name, sort.name, elements[0].name, show(op.identity)),)

    def lines(self) -> Iterator[str]:
        """The functions for rests, and the sentences about them, for the module of a script."""
        for bag in self.bags:
            yield from bag.definitions()
            for count in range(1, MAX_ELEMENTS + 1):
                elements = [f"X{number}:{bag.element}" for number in range(1, count + 1)]
                formula = bag.cancellation(elements, f"B:{bag.sort}", f"Y:{bag.element}", f"C:{bag.sort}")
                yield f"  eq [{bag.label(count)} :nonexec] : ({formula}) = true ."

    # --- the rests of a case

    def with_rests(self, closed: Closed, images: dict[Term, Term]) -> dict[Term, Term]:
        """What stands for the constants of a case, also for rests of bags."""
        found = dict(images)
        count = -1
        while self.bags and len(found) > count:
            count = len(found)
            sides = [(e.left, e.right) for e in closed.leaf.assumptions.equations]
            for whole, value in sorted(sides, key=lambda pair: bool(pair[0].args)):
                self._name_rest(whole, value, closed.case.bench, found)
        return found

    def _name_rest(self, whole: Term, value: Term, bench: Workbench, images: dict[Term, Term]) -> None:
        bag = self._bag_of(value)
        if bag is None:
            return
        declared = {image.op.name: image for image in images.values()}
        unknown = [part for part in value.args if not is_plain(image_of(part, images), bench)]
        is_known = is_plain(image_of(whole, images), bench)
        if not unknown and not is_known and bench.is_constant(whole):
            images[whole] = variable(show(image_of(value, images), declared), whole.sort)
        elif is_known and len(unknown) == 1 and len(value.args) == 2 and bench.is_constant(unknown[0]):
            element = value.args[0] if value.args[1] is unknown[0] else value.args[1]
            if unknown[0].sort.name == bag.sort and element.sort.name == bag.element:
                words = (show(image_of(each, images), declared) for each in (element, whole))
                images[unknown[0]] = variable(f"{bag.rest}({','.join(words)})", unknown[0].sort)

    def _bag_of(self, term: Term) -> BagOfScript | None:
        return next((bag for bag in self.bags if bag.op == term.op.name and bag.sort == term.sort.name), None)

    # --- the facts of a goal

    def instances(self, bench: GoalBench, goal: Goal) -> dict[str, Term]:
        """The facts about the equations between bags that a goal assumes, by the words for them."""
        found: dict[str, Term] = {}
        for axiom in goal.assumptions if self.bags else ():
            sides = axiom.lhs.args if axiom.lhs.op.native is Builtin.EQUALS else (axiom.lhs, axiom.rhs)
            bag = self._bag_of(sides[0])
            if bag is not None and self._bag_of(sides[1]) is bag:
                words, text = _instance(bag, sides[0], sides[1])
                if words:
                    found[words] = bench.parse(bubble_of(text), goal)
        return found


def _is_infix_sum(op: Symbol) -> bool:
    """Is it an operator between two values, for which their order does not matter, but how often they occur does?"""
    return op.comm and not op.idem and len(op.decls) == 1 and op.name.startswith("_") and op.name.endswith("_")


def _instance(bag: BagOfScript, left: Term, right: Term) -> tuple[str, str]:
    """The words for a fact about two bags, and what it says; nothing if none is about them.

    The elements stand next to a constant, as of a parameter of a predicate: the rest is taken of it.
    """
    for one, other in ((left, right), (right, left)):
        elements = [part for part in one.args if part.sort.name == bag.element]
        others = [part for part in one.args if part not in elements]
        taken = next((part for part in other.args if part.sort.name == bag.element), None)
        if taken is None or len(others) != 1 or others[0].args or not 0 < len(elements) <= MAX_ELEMENTS:
            continue
        left_over = list(other.args)
        left_over.remove(taken)
        xs = [show(x) for x in elements]
        b, y, c = show(others[0]), show(taken), bag.sum([show(part) for part in left_over])
        given = [*((f"X{n}:{bag.element}", x) for n, x in enumerate(xs, 1))]
        given += [(f"B:{bag.sort}", b), (f"Y:{bag.element}", y), (f"C:{bag.sort}", c)]
        values = " ".join(f"{name} <- {value} ;" for name, value in given)
        return f"[{bag.label(len(xs))}] by {{ {values} }}", bag.cancellation(xs, b, y, c)
    return "", ""


def _sorts_of_parts(closed: Closed) -> Iterator[str]:
    """The names of the sorts of collections of which a case has constants for parts."""
    bench = closed.case.bench
    for equation in closed.leaf.assumptions.equations:
        for arg in equation.right.args if equation.right.op.comm else ():
            if arg.op in bench.parts:
                yield arg.sort.name
