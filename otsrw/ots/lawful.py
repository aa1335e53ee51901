"""Do the entities of an instance obey the laws that loose modules state without giving rewrite rules?

Where they do not, the instance is no model of the specification, and what happens in it says nothing.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from otsrw.reasoning.data_lemmas import DataLemma
from otsrw.reasoning.laws import laws_of
from otsrw.rewriting.budget import Budget
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show
from otsrw.theory.terms import Term

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
    for law in laws_of(instance.base.module, instance.base.sort):
        found = _broken(law, instance)
        if found is not None:
            raise LawBroken(law, found)


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
