"""Predicates about the elements of lists that states hold, for specifications that define none.

What a channel holds is usually told by two questions: is this an element, and does this one come before that one?
Lemmas that ask neither can only speak of the first elements, one after the other. The predicates are defined by
recursion in a module of their own, which imports the specification and changes nothing in it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from otsrw.ots.model import Ots
from otsrw.reasoning.constructors import Constructors
from otsrw.records import NamedTuple
from otsrw.theory.modules import Module
from otsrw.theory.printing import show_plainly
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, variable


class ListSort(NamedTuple):
    """A sort of lists: every value is empty, or an element and a list put together by a free constructor."""

    sort: Sort
    element: Sort
    empty: Term
    joined: Symbol
    """The constructor of an element and a list, in one order or the other."""

    def put_together(self, element: Term, rest: Term) -> Term:
        return self.joined.make((element, rest) if self.joined.decls[0].arity[0] is self.element else (rest, element))


class AuxiliaryModule(NamedTuple):
    """A module with predicates about lists, as text."""

    name: str
    text: str
    predicates: tuple[str, ...]


def auxiliary_module(ots: Ots, taken: Container[str]) -> AuxiliaryModule | None:
    """The module for the lists that observers hold, with a name that is not taken; None if there are none."""
    lists = _observed_lists(ots)
    if not lists:
        return None
    name = free_name(f"{ots.module.name}-LISTS", taken)
    symbols = {symbol.name for symbol in ots.module.signature.symbols()}
    lines, predicates = [], []
    for each in lists:
        suffix = f"-{each.sort.name}" if len(lists) > 1 else ""
        member, before = (free_name(stem + suffix, symbols) for stem in ("is-in", "is-before"))
        predicates += [member, before]
        lines += _definitions(each, member, before, suffix)
    body = "\n".join(f"  {line}" for line in lines)
    return AuxiliaryModule(name, f"mod* {name} {{\n  pr({ots.module.name})\n{body}\n}}\n", tuple(predicates))


def _definitions(each: ListSort, member: str, before: str, suffix: str) -> list[str]:
    """The declarations and equations of both predicates; the variables are declared where they are used."""
    x, y, z = (variable(f"{stem}{suffix}", each.element) for stem in ("X", "Y", "Z"))
    rest = variable(f"L{suffix}", each.sort)
    empty, longer = show_plainly(each.empty), show_plainly(each.put_together(z, rest))
    a, b, c, tail = (v.op.name for v in (x, y, z, rest))
    element, sort = each.element.name, each.sort.name
    return [
        f"op {member} : {element} {sort} -> Bool",
        f"op {before} : {element} {element} {sort} -> Bool",
        f"vars {a} {b} {c} : {element}",
        f"var {tail} : {sort}",
        f"eq {member}({a}, {empty}) = false .",
        f"eq {member}({a}, {longer}) = ({a} = {c}) or {member}({a}, {tail}) .",
        f"eq {before}({a}, {b}, {empty}) = false .",
        f"eq {before}({a}, {b}, {longer}) = (({a} = {c}) and {member}({b}, {tail})) or {before}({a}, {b}, {tail}) .",
    ]


def free_name(name: str, taken: Container[str]) -> str:
    """The name, with a number if it is taken."""
    number, chosen = 1, name
    while chosen in taken:
        number += 1
        chosen = f"{name}{number}"
    return chosen


def _observed_lists(ots: Ots) -> list[ListSort]:
    """The sorts of lists that observers have values of, without those whose names mean two sorts."""
    module = ots.module
    sorts = dict.fromkeys(decl.coarity for observer in ots.observers for decl in observer.symbol.decls)
    names = [sort.name for sort in module.signature.order.below]
    constructors = Constructors(module)
    found = [each for sort in sorts if (each := _list_sort(module, sort, constructors)) is not None]
    return [each for each in found if names.count(each.sort.name) == 1 and names.count(each.element.name) == 1]


def _list_sort(module: Module, sort: Sort, constructors: Constructors) -> ListSort | None:
    """The sort as one of lists; None if it has other constructors, or fewer."""
    order = module.signature.order
    if sort.hidden or order.below.get(sort, frozenset()) - {sort} or not constructors.are_all(sort):
        return None
    makers = _makers(module, sort, constructors)
    empty = [symbol for symbol in makers if not symbol.nargs]
    joined = [symbol for symbol in makers if symbol.nargs == 2]
    if len(makers) != 2 or len(empty) != 1 or len(joined) != 1:
        return None
    elements = [other for other in joined[0].decls[0].arity if other is not sort]
    return ListSort(sort, elements[0], empty[0].make(()), joined[0]) if len(elements) == 1 else None


def _makers(module: Module, sort: Sort, constructors: Constructors) -> list[Symbol]:
    built: Iterable[Symbol] = (s for s in module.signature.symbols() if s in constructors.free)
    return [symbol for symbol in built if any(decl.coarity is sort for decl in symbol.decls)]
