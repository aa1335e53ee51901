"""Do the entities of an instance, and values that were chosen, obey what loose modules state about data?

Where they do not, the instance is no model of the specification, and what happens in it says nothing. What is asked
for: axioms that are no rewrite rules, and equations on `=`, connectives and other built-in operators, `((P = x) or
(P = y)) = true`. These restrict the models, and an instance has its own answers for such operators. All other
equations are how an instance computes values.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.data_lemmas import DataLemma
from otsrw.reasoning.laws import law_formula, laws_of
from otsrw.rewriting.budget import Budget
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import translated
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term, subterms, variables_of

if TYPE_CHECKING:
    from otsrw.ots.instance import Instance

MAX_CHECKED = 3_000
"""Instances of one law that are checked."""

_MAX_REWRITES = 20_000
"""Rewrites for one of them."""


class LawBroken(OtsrwError):
    """Entities do not obey a law."""

    def __init__(self, law: DataLemma, found: Term) -> None:
        message = f"these entities do not obey '{law.name}' of {law.module}: {show(found)} is false"
        super().__init__("E546", message, law.span, "give other entities, or fewer, with --with")


def demand_laws(instance: Instance) -> None:
    """Raise `LawBroken` if a law is false of entities."""
    for law in (*laws_of(instance.base.module, instance.base.sort), *_further_laws(instance)):
        found = _broken(law, instance)
        if found is not None:
            raise LawBroken(law, found)


def _further_laws(instance: Instance) -> Iterator[DataLemma]:
    """What else loose modules state about data, and rewriting does not see to."""
    module, states = instance.base.module, instance.base.sort
    connectives = Connectives(module.signature)
    for owner, axiom in module.flat_axioms():
        if owner.is_tight or owner.is_system or axiom.is_transition or axiom.behavioural or axiom.otherwise:
            continue
        moved = translated(axiom, owner, module.signature, {})
        if not axiom.executable or moved.lhs.op.native is not None:
            formula = law_formula(moved, connectives)
            if formula is not None and not any(_is_no_data(part, states) for part in subterms(formula)):
                yield DataLemma("axiom", tuple(variables_of(formula)), formula, None, False, owner.name, axiom.span)


def _is_no_data(part: Term, states: Sort) -> bool:
    return part.sort is states or part.sort.hidden or part.op.native is Builtin.MATCH


def _broken(law: DataLemma, instance: Instance) -> Term | None:
    """The law for entities of which it is false; None if there are none, or that cannot be told."""
    memo: dict[Term, Term] = {}
    translate = instance.module.signature.translate
    formula, variables = translate(law.formula, memo), [translate(each, memo) for each in law.variables]
    domains = [instance.domain(each.sort) or () for each in variables]
    if not 0 < prod(map(len, domains)) <= MAX_CHECKED:
        return None
    for values in product(*domains):
        said = substitute(formula, dict(zip(variables, values, strict=True)))
        try:
            reduced = instance.rewriter.reduce(said, Budget(_MAX_REWRITES)).term
        except OtsrwError:
            continue
        if reduced is instance.connectives.false:
            return said
    return None
