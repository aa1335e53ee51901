"""Boolean forms as lines, laid out as CafeOBJ does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.proofs.answers import Naming
from otsrw.proofs.citp.boolean_forms import BooleanForm, PredicateRelation
from otsrw.proofs.citp.inspecting import AssignmentsFound, BooleanFormShown, FormLayout, RelationsGuessed
from otsrw.report.events import StyledLine, layout

_EQUATIONS = {
    PredicateRelation.IMPLY: "eq [:bimply]: ({0} and {1}) = {0} .",
    PredicateRelation.AND: "eq [:band]: ({0} and {1}) = false .",
    PredicateRelation.OR: "eq [:bor]: ({0} xor ({1} xor ({0} and {1}))) = true .",
}


def _name(number: int) -> str:
    return f"`P-{number + 1}"


@layout(BooleanFormShown)
def _(event: BooleanFormShown) -> Iterator[StyledLine]:
    form, naming = event.form, event.naming
    if event.given is not None:
        yield StyledLine(naming.with_sort(event.given))
    match event.layout:
        case FormLayout.INSPECTED:
            yield StyledLine(f"--> {naming.text(form.term)}")
            yield StyledLine("** Abstracted boolean term:")
            yield from _indented([_text(form, naming), *_where(form, naming)], 2)
        case FormLayout.PLAIN:
            yield from _indented([_text(form, naming), *_where(form, naming)], 0)
        case FormLayout.TREE:
            yield from _indented([*_tree(form, naming), *_where(form, naming)], 0)
        case FormLayout.GRIND:
            yield from _indented(_grind(form, naming), 0)
        case FormLayout.GROUND:
            yield StyledLine("** Start normalization...")
            yield StyledLine("** Start term abstraction...")
            yield from _indented(_grind(form, naming), 0)


def _indented(lines: Iterable[str], indent: int) -> Iterator[StyledLine]:
    for line in lines:
        yield StyledLine(f"{' ' * indent}{line}")


def _where(form: BooleanForm, naming: Naming, numbers: Iterable[int] | None = None) -> list[str]:
    lines = _named(form, naming, range(len(form.predicates)) if numbers is None else numbers)
    return ["where", *(f"  {line}" for line in lines)] if lines else []


def _named(form: BooleanForm, naming: Naming, numbers: Iterable[int]) -> list[str]:
    return [f"{_name(number)} = {naming.text(form.predicates[number])}" for number in numbers]


def _text(form: BooleanForm, naming: Naming) -> str:
    if not form.predicates:
        return naming.text(form.term)
    seen: set[int] = set()

    def predicate(number: int) -> str:
        new = number not in seen
        seen.add(number)
        return f"{_name(number)}:Bool" if new else _name(number)

    sums = [_joined([predicate(number) for number in product] or ["true"], "and") for product in form.products]
    return _joined(sums, "xor")


def _joined(parts: list[str], word: str) -> str:
    """`(a and (b and c))`"""
    text = parts[-1]
    for part in reversed(parts[:-1]):
        text = f"({part} {word} {text})"
    return text


def _tree(form: BooleanForm, naming: Naming) -> Iterator[str]:
    if not form.predicates:
        yield naming.text(form.term)
        return
    products = [[f"{_name(number)}:Bool" for number in product] or ["true"] for product in form.products]
    depth = 0
    for index, product in enumerate(products):
        last = index == len(products) - 1
        if not last:
            yield f"{'    ' * depth}_xor_"
            depth += 1
        yield from _product_tree(product, depth)


def _product_tree(product: list[str], depth: int) -> Iterator[str]:
    for index, predicate in enumerate(product):
        if index < len(product) - 1:
            yield f"{'    ' * depth}_and_"
            depth += 1
        yield f"{'    ' * depth}{predicate}"


def _grind(form: BooleanForm, naming: Naming) -> Iterator[str]:
    """Products between arrows, then what stands alone."""
    is_sum = len(form.products) > 1
    if is_sum:
        yield ">> xor ***>"
    for product in form.products:
        if len(product) > 1:
            yield ">> and --->"
            yield from _named(form, naming, sorted(product))
            yield "<----------"
    if any(not product for product in form.products):
        yield "true"
    alone = sorted(number for product in form.products if len(product) == 1 for number in product)
    yield from _named(form, naming, alone)
    if is_sum:
        yield "<**********"


@layout(AssignmentsFound)
def _(event: AssignmentsFound) -> Iterator[StyledLine]:
    yield StyledLine(f"** ({event.size}) The following assignment(s) makes the term to be 'true'.")
    number = 0
    for solution in event.solutions:
        for assignment in solution.assignments:
            number += 1
            values = ", ".join(f"{_name(each)}:Bool |-> {'true' if value else 'false'}" for each, value in assignment)
            yield StyledLine(f"[{number}] {{ {values} }}")
        yield from _indented(_where(event.form, event.naming, solution.predicates), 0)


@layout(RelationsGuessed)
def _(event: RelationsGuessed) -> Iterator[StyledLine]:
    several = "" if len(event.pairs) == 1 else "s"
    yield StyledLine(f"** (1) each of the following equation{several} makes the inspected term 'true'")
    for number, pair in enumerate(event.pairs, 1):
        yield StyledLine(f"[{number}] {_EQUATIONS[event.relation].format(*map(_name, pair))}")
        yield from _indented(_where(event.form, event.naming, sorted(pair)), 0)
