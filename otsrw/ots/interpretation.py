"""Functions that nothing defines, given values by chance.

A loose module may declare `op left : Phil -> Fork` without an equation: any function is meant. An instance takes
`left(p1)` and `right(p2)` as elements of their own, which never are the same; as evidence that is too little. Here each
such function gets entities, or truth values, as its values. That is a model of the specification if no equation
about data speaks of the function; the others are left as they are.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import product

from otsrw.ots.instance import Instance, is_open, named_entities
from otsrw.ots.model import Ots
from otsrw.ots.population import USUAL_COUNT, fresh_names
from otsrw.theory.modules import Axiom, Module, equations_by_symbol, translated
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, subterms

Entities = Mapping[str, tuple[str, ...]]


def loose_functions(ots: Ots) -> tuple[Symbol, ...]:
    """The functions on elements of loose sorts that no equation defines, and no equation about data speaks of."""
    rules = equations_by_symbol(ots.module)
    spoken_of = _in_data(ots)
    loose = {module.name for module in ots.module.closure() if not module.is_tight and not module.is_system}
    return tuple(
        symbol
        for symbol in ots.module.signature.symbols()
        if symbol.nargs
        and symbol.native is None
        and symbol not in rules
        and symbol not in spoken_of
        and len(symbol.decls) == 1
        and symbol.decls[0].module in loose
        and not symbol.has_theory
        and not symbol.decls[0].attributes.constructor
        and ots.sort not in (*symbol.decls[0].arity, symbol.decls[0].coarity)
        and all(is_open(ots.module, sort) for sort in symbol.decls[0].arity)
        and (_is_bool(symbol) or is_open(ots.module, symbol.decls[0].coarity))
    )


def _is_bool(symbol: Symbol) -> bool:
    return symbol.decls[0].coarity.name == "Bool"


def _in_data(ots: Ots) -> set[Symbol]:
    """The symbols of equations in which no state occurs, those included that are not rewritten with."""
    found: set[Symbol] = set()
    memo: dict[Term, Term] = {}
    for owner, stated in ots.module.flat_axioms():
        axiom = translated(stated, owner, ots.module.signature, memo)
        sides = [axiom.lhs, axiom.rhs, *([] if axiom.condition is None else [axiom.condition])]
        parts = [part for side in sides for part in subterms(side)]
        if not any(part.sort is ots.sort for part in parts):
            found.update(part.op for part in parts)
    return found


def interpreted(ots: Ots, entities: Entities, seed: int, max_rewrites: int | None = None) -> Instance | None:
    """An instance in which loose functions have values, chosen by the seed; None if there is no such function."""
    functions = loose_functions(ots)
    if not functions:
        return None
    populated = dict(entities)
    taken = {symbol.name for symbol in ots.module.signature.symbols()}
    taken.update(word for words in entities.values() for word in words)
    for sort in {sort.name: sort for symbol in functions for sort in _sorts(symbol)}.values():
        if sort.name not in populated:
            own = [symbol.name for symbol in named_entities(ots, sort)]
            populated[sort.name] = (*own, *fresh_names(sort, taken, USUAL_COUNT - len(own)))
            taken.update(populated[sort.name])
    names = [(symbol.decls[0].text, symbol.nargs) for symbol in functions]
    return Instance(ots, populated, max_rewrites, lambda module: _values(module, names, populated, seed))


def _sorts(symbol: Symbol) -> list[Sort]:
    decl = symbol.decls[0]
    return [*decl.arity, *([] if _is_bool(symbol) else [decl.coarity])]


def _values(module: Module, names: list[tuple[str, int]], entities: Entities, seed: int) -> Iterator[Axiom]:
    """An equation for each function at each entity. With seed 0 the n-th function is n places ahead, in a circle."""
    chance = random.Random(seed)
    known = [symbol for symbol in module.signature.symbols() if symbol.decls]
    for number, symbol in enumerate(s for s in known if (s.decls[0].text, s.nargs) in names):
        decl = symbol.decls[0]
        words = ("true", "false") if _is_bool(symbol) else entities[decl.coarity.name]
        results = _elements(module, decl.coarity, words)
        ahead = number + (decl.coarity in decl.arity)
        places = [list(enumerate(_elements(module, sort, entities[sort.name]))) for sort in decl.arity]
        for args in product(*places):
            place = sum(each for each, _ in args) + ahead if seed == 0 else chance.randrange(len(results))
            yield Axiom(symbol.make(tuple(arg for _, arg in args)), results[place % len(results)], None)


def _elements(module: Module, sort: Sort, words: tuple[str, ...]) -> list[Term]:
    return [
        symbol.make(())
        for word in words
        for symbol in module.signature.constants_named(word)
        if symbol.decls[0].coarity is sort
    ]
