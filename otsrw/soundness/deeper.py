"""Critical pairs that splitting alone does not join.

Two equations on `=` that both say no more than that values are the same agree with each other, whatever they look
like. An equation that states a property of data (`eq X \\in put(Q,Y) = ...`) agrees with the definitions if it follows
from them: structural induction on one of its variables shows that. The hypothesis is the pair for smaller values.

The elements of a loose sort whose module declares constructors are taken to be what these build: then the axioms of the
module have a model, and evaluating terms in it does not depend on the order. Other models satisfy the same equations.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from otsrw.reasoning.building import Builders, FreshConstant
from otsrw.reasoning.data_lemmas import DataLemma
from otsrw.reasoning.workbench import Workbench
from otsrw.soundness.cone import Cone
from otsrw.soundness.coverage import Coverage
from otsrw.soundness.equality import EqualityCheck
from otsrw.soundness.pairs import CriticalPair
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.sorts import COSMOS, Sort
from otsrw.theory.terms import OpDecl, Symbol, Term, subterms

if TYPE_CHECKING:
    from otsrw.reasoning.data_induction import DataInduction

MAX_INDUCTIONS = 12
"""Pairs of one cone that induction is tried on."""


class DeeperJoiner:
    """Joins pairs of one cone by what is known of `=`, or by induction."""

    def __init__(self, cone: Cone) -> None:
        self.cone = cone
        self.state_sort = COSMOS if cone.ots is None else cone.ots.sort
        self._identities: dict[int, bool] = {}
        self._left = MAX_INDUCTIONS

    def compares_values(self, pair: CriticalPair) -> bool:
        """Are both equations of the pair equations on `=` that are shown to compare values?"""
        overlap = pair.overlap
        if not overlap.at_top or overlap.outer.lhs.op.native is not Builtin.EQUALS:
            return False
        return all(self._is_identity(rule) for rule in (overlap.outer, overlap.inner) if rule is not None)

    def _is_identity(self, rule: Axiom) -> bool:
        if rule.lhs.op.native is not Builtin.EQUALS:
            return False
        found = self._identities.get(id(rule))
        if found is None:
            found = self._identities[id(rule)] = self._equality.is_identity(rule)
        return found

    @cached_property
    def _equality(self) -> EqualityCheck:
        return EqualityCheck(self.cone, Coverage(self.cone))

    def by_induction(self, pair: CriticalPair) -> bool:
        """Does the pair hold for all values of one of its variables, by structural induction?"""
        terms = (pair.left, pair.right, *pair.conditions)
        if self._left == 0 or any(self._is_odd(part) for term in terms for part in subterms(term)):
            return False
        self._left -= 1
        formula = self._goal(pair.left, pair.right)
        for condition in reversed(pair.conditions):
            formula = self.cone.connectives.symbol(Builtin.IMPLIES).make((condition, formula))
        lemma = DataLemma("pair", tuple(_variables(pair)), formula, None, stated=False)
        try:
            return self._induction.prove(lemma) is not None
        except OtsrwError:
            return False

    def _is_odd(self, part: Term) -> bool:
        return part.sort is self.state_sort or part.op.native is Builtin.MATCH

    def _goal(self, left: Term, right: Term) -> Term:
        connectives = self.cone.connectives
        if left.sort is connectives.true.sort:
            return connectives.symbol(Builtin.IFF).make((left, right))
        return connectives.equal(left, right)

    @cached_property
    def _induction(self) -> DataInduction:
        from otsrw.reasoning.data_induction import DataInduction

        module, rules = self.cone.module, self.cone.rules
        return DataInduction(Workbench(module), _GeneratedValues(module, rules), rules, self.state_sort)


class _GeneratedValues(Builders):
    """Values as far as constructors build them, those of loose sorts as well."""

    def is_opaque(self, sort: Sort) -> bool:
        return super().is_opaque(sort) and not self._declared(sort)

    def shapes(self, sort: Sort, fresh: FreshConstant) -> list[Term]:
        if not super().is_opaque(sort):
            return super().shapes(sort, fresh)
        return [symbol.make(tuple(map(fresh, decl.arity))) for symbol, decl in self._declared(sort)]

    def _declared(self, sort: Sort) -> list[tuple[Symbol, OpDecl]]:
        """The constructors of a loose sort and its subsorts, if each of these has some and none has a theory."""
        found: list[tuple[Symbol, OpDecl]] = []
        for below in self.order.below.get(sort, ()):
            own = [(symbol, decl) for symbol, decl in self.makers(below) if decl.attributes.constructor]
            if any(symbol.has_theory for symbol, _ in own) or not (own or self.lower_sorts(below)):
                return []
            found += own
        return sorted(found, key=lambda maker: maker[0].number)


def _variables(pair: CriticalPair) -> Iterator[Term]:
    """The variables of what is to be shown."""
    terms = (pair.left, pair.right, *pair.conditions)
    yield from dict.fromkeys(part for term in terms for part in subterms(term) if part.op.variable)
