"""Values of functions that equations demand once others are chosen.

If `key(r1)` was chosen to be `k1`, the equation `first(key(R)) = true` demands that `first(k1)` is true. Whether all
values together satisfy the equations is checked afterwards, by whoever chose them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import product
from math import prod

from otsrw.ots.model import Ots
from otsrw.ots.openness import data_axioms, parts_of
from otsrw.rewriting.budget import Budget
from otsrw.rewriting.rewriter import Rewriter
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term, variables_of

MAX_CHECKED = 3_000
"""Ground instances of one equation that are looked at; of more nothing is known."""

MAX_REWRITES = 20_000
"""Rewrites for one of them."""

_ROUNDS = 10
"""How often a term is evaluated by equations and chosen values in turn."""


class ForcedValues:
    """Completes the values of one function after the other."""

    def __init__(
        self, ots: Ots, module: Module, entities: Mapping[str, tuple[str, ...]], known: Iterable[Axiom]
    ) -> None:
        """`known` are values that were chosen before, in terms of the module, as all are."""
        self._axioms = [axiom for axiom in data_axioms(ots, module) if axiom.condition is None]
        self._module = module
        self._entities = entities
        self._rewriter = Rewriter(module)
        self._values = {axiom.lhs: axiom.rhs for axiom in known}

    def complete(self, chosen: list[Axiom], otherwise: Term | None = None) -> list[Axiom]:
        """The values of one function, as they were chosen, or as they have to be; none where equations give one.

        If some have to be what they are, the other ones are `otherwise`, if that is given.
        """
        stuck = [axiom for axiom in chosen if self._reduced(axiom.lhs) is axiom.lhs]
        demanded = self._demanded({axiom.lhs for axiom in stuck})
        values = {axiom.lhs: axiom.rhs if otherwise is None or not demanded else otherwise for axiom in stuck}
        values.update(demanded)
        self._values.update(values)
        return [Axiom(term, value, None) for term, value in values.items()]

    def _demanded(self, terms: Set[Term]) -> dict[Term, Term]:
        symbols = {term.op for term in terms}
        found: dict[Term, Term] = {}
        for axiom in self._axioms:
            for bindings in self._bindings(axiom) if axiom.lhs.op in symbols else ():
                args = tuple(self._value(substitute(arg, bindings)) for arg in axiom.lhs.args)
                term = axiom.lhs.op.make(args)
                if term in terms:
                    found[term] = self._value(substitute(axiom.rhs, bindings))
        return found

    def _bindings(self, axiom: Axiom) -> Iterator[dict[Term, Term]]:
        """Entities for the variables of an equation; nothing if some have none, or there are too many choices."""
        variables = bound_variables(axiom)
        domains = [elements_named(self._module, v.sort, self._entities.get(v.sort.name, ())) for v in variables]
        if prod(map(len, domains)) <= MAX_CHECKED:
            for values in product(*domains):
                yield dict(zip(variables, values, strict=True))

    def _value(self, term: Term) -> Term:
        """The value by the equations and by what was chosen, as far as it can be told."""
        for _ in range(_ROUNDS):
            after = self._looked_up(self._reduced(term))
            if after is term:
                break
            term = after
        return term

    def _looked_up(self, term: Term) -> Term:
        inner = term.op.make(tuple(map(self._looked_up, term.args))) if term.args else term
        return self._values.get(inner, inner)

    def _reduced(self, term: Term) -> Term:
        """The term as it is if its evaluation does not end."""
        try:
            return self._rewriter.reduce(term, Budget(MAX_REWRITES)).term
        except OtsrwError:
            return term


def bound_variables(axiom: Axiom) -> list[Term]:
    """The variables of an equation, in their order."""
    return list(dict.fromkeys(v for part in parts_of(axiom) for v in variables_of(part)))


def elements_named(module: Module, sort: Sort, words: Iterable[str]) -> list[Term]:
    """The constants of a sort with these names."""
    return [
        symbol.make(())
        for word in words
        for symbol in module.signature.constants_named(word)
        if symbol.decls[0].coarity is sort
    ]
