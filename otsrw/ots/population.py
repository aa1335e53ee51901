"""Entities for a specification that names none, and whether it needs any.

A sort needs entities if it is loose, or a tight module builds nothing of it, and if a parameter, an index or an
argument of an initial state is of it. They are the constants that the specification names, and fresh ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product

from otsrw.ots.formulas import unfold
from otsrw.ots.instance import entities_of, is_open, named_entities
from otsrw.ots.model import Ots
from otsrw.ots.uniform import uniform_meanings
from otsrw.reasoning.building import Builders
from otsrw.reasoning.integers import Integers
from otsrw.theory.modules import Module, equations_by_symbol
from otsrw.theory.printing import show
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, OpDecl, Symbol, subterms

USUAL_COUNT = 3
"""Entities of a sort, those that the specification names included."""


def usual_entities(ots: Ots, given: Iterable[str] = ()) -> dict[str, tuple[str, ...]]:
    """The entities of the file, overridden by those given; where there are none, as many as proofs usually need."""
    found = entities_of(ots, given)
    names = {symbol.name for symbol in ots.module.signature.symbols()}
    names.update(word for words in found.values() for word in words)
    for sort in entity_sorts(ots):
        if sort.name not in found:
            own = [symbol.name for symbol in named_entities(ots, sort)]
            words = (*own, *fresh_names(sort, names, USUAL_COUNT - len(own)))
            names.update(words)
            found[sort.name] = words
    return found


def fresh_names(sort: Sort, taken: set[str], count: int) -> Iterator[str]:
    """So many names for entities of a sort that are not taken."""
    letters = [letter for letter in sort.name.lower() if letter.isascii() and letter.isalpha()] or ["x"]
    for stem in (letters[0], "".join(letters), "entity"):
        words = [f"{stem}{number}" for number in range(1, max(count, 0) + 1)]
        if not taken.intersection(words):
            yield from words
            return


MOST_BUILT = 9
"""Values that are made of entities: `base(u1)`, `from(base(u1),u2)`."""


def trial_values(ots: Ots, sort: Sort, entities: Mapping[str, tuple[str, ...]] | None = None) -> tuple[str, ...]:
    """A few values of a sort that has infinitely many, to search with: small ones, and numbers that the OTS compares.

    Nothing if the values are made of anything but other values of the sort, and entities.
    """
    if Integers(ots.module).is_integer(sort):
        numbers = sorted({*range(USUAL_COUNT), *_numerals(ots)})
        return tuple(map(str, numbers[: 2 * USUAL_COUNT]))
    rules = equations_by_symbol(ots.module)
    order, builders = ots.module.signature.order, Builders(ots.module, rules)
    below = [lower for lower in order.sorts if order.leq(lower, sort)] if is_open(ots.module, sort) else [sort]
    makers = list(dict.fromkeys(maker for lower in below for maker in builders.makers(lower)))
    found = [symbol.make(()) for symbol, decl in makers if not decl.arity]
    growing = [symbol for symbol, decl in makers if decl.arity == (sort,)]
    for term in found:
        if len(found) < USUAL_COUNT:
            found += [symbol.make((term,)) for symbol in growing]
    return tuple(show(term) for term in found[:USUAL_COUNT]) or _built_values(sort, makers, entities or {})


def _built_values(
    sort: Sort, makers: Iterable[tuple[Symbol, OpDecl]], entities: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """Values of a tight sort that are made of entities, the smallest first; mixfix constructors make none."""
    plain = [(symbol, decl.arity) for symbol, decl in makers if "_" not in symbol.name and not symbol.has_theory]
    found: dict[str, None] = {}
    fresh = True
    while fresh and len(found) < MOST_BUILT:
        known = {**entities, sort.name: tuple(found)}
        choices = ((symbol.name, [known.get(each.name, ()) for each in arity]) for symbol, arity in plain)
        rows = ((name, args) for name, words in choices for args in product(*words))
        texts = (f"{name}({','.join(args)})" for name, args in rows)
        new = list(islice((text for text in texts if text not in found), MOST_BUILT))
        fresh = bool(new)
        found.update(dict.fromkeys(new))
    return tuple(found)[:MOST_BUILT]


def _numerals(ots: Ots) -> set[int]:
    """The natural numbers in conditions of transitions and in invariants, and the next one of each."""
    conditions = [transition.condition for transition in ots.transitions if transition.condition is not None]
    formulas = [*conditions, *(invariant.formula for invariant in ots.invariants)]
    parts = (part for formula in formulas for part in subterms(unfold(formula, ots)))
    numbers = {int(show(part)) for part in parts if isinstance(part, LiteralTerm) and show(part).isdigit()}
    return numbers | {number + 1 for number in numbers}


def entity_sorts(ots: Ots) -> tuple[Sort, ...]:
    """The sorts that need entities, as the parameters, indexes and arguments need them."""
    order = ots.module.signature.order
    todo = [parameter.sort for transition in ots.transitions for parameter in transition.parameters]
    todo += [parameter.sort for invariant in ots.invariants for parameter in invariant.parameters]
    todo += [sort for observer in ots.observers for sort in observer.indexes]
    todo += [sort for initial in ots.initials for sort in initial.decls[0].arity]
    wanted = set(todo)
    found: dict[Sort, None] = {}
    seen: set[Sort] = set()
    given_meaning = {meaning.symbol for meaning in uniform_meanings(ots)}
    while todo:
        sort = todo.pop()
        if sort in seen or sort is ots.sort:
            continue
        seen.add(sort)
        below = [other for other in order.sorts if other is not sort and order.leq(other, sort)]
        builders = [symbol for symbol in _builders(ots, sort) if symbol not in given_meaning]
        built = [symbol for symbol in builders if symbol.nargs]
        is_named_part = sort not in wanted and bool(builders)  # such as the sort of 0 below Nat
        if not below and not built and not is_named_part and is_open(ots.module, sort):
            found[sort] = None
        todo += [*below, *(part for symbol in built for decl in symbol.decls for part in decl.arity)]
    return tuple(sorted(found, key=lambda sort: sort.name))


def _builders(ots: Ots, sort: Sort) -> list[Symbol]:
    """Operators on data that no equation defines and that give this sort."""
    rules = equations_by_symbol(ots.module)
    return [
        symbol
        for symbol in ots.module.signature.symbols()
        if symbol.decls
        and symbol.native is None
        and symbol not in rules
        and any(decl.coarity is sort and ots.sort not in decl.arity for decl in symbol.decls)
    ]


def is_closed(ots: Ots) -> bool:
    """Does the specification leave nothing open: no elements of sorts, no values of functions, no initial state?

    Then its states are those of one instance, the only one there is.
    """
    if any(initial.nargs for initial in ots.initials):
        return False
    modules = {module.name: module for module in ots.module.closure()}
    own = [module for module in modules.values() if not module.is_system]
    sorts = [(sort, module) for module in own for sort in module.sorts if sort is not ots.sort]
    if any(not module.is_tight for _, module in sorts) or entity_sorts(ots):
        return False
    rules = equations_by_symbol(ots.module)
    return all(
        symbol in rules or symbol.native is not None or _is_determined(ots, symbol, modules)
        for symbol in ots.module.signature.symbols()
        if symbol.decls
    )


def _is_determined(ots: Ots, symbol: Symbol, modules: dict[str, Module]) -> bool:
    """Is an operator without equations one that makes states, or one that builds the data of a tight module?"""
    for decl in symbol.decls:
        home = modules.get(decl.module)
        if decl.coarity is not ots.sort and (home is None or not (home.is_tight or home.is_system)):
            return False
    return True
