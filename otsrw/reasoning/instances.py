"""Instances of lemmas about data as premises of a case: induction hypotheses, and lemmas that are no rewrite rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from otsrw.reasoning.assumptions import Assumptions, atoms_of
from otsrw.reasoning.data_lemmas import DataLemma
from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.splitting import Premise
from otsrw.records import dataclass
from otsrw.theory.morphisms import Substitution, substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term, distinct_subterms, subterms

MAX_INSTANCES = 120
"""Instances of one lemma that are looked at in one leaf."""
MAX_UNDECIDED = 3
"""Atoms that a premise may leave undecided."""
MAX_PREMISES = 4
"""Premises on the way to one leaf."""


@dataclass(frozen=True, eq=False, slots=True)
class UsableLemma:
    """A lemma that holds for all values of its variables but those that are fixed."""

    lemma: DataLemma
    fixed: tuple[tuple[Term, Term], ...] = ()


class SpokenTerms:
    """The terms that a case speaks of. A lemma about other values than these hardly helps it."""

    def __init__(self, assumptions: Assumptions) -> None:
        self._assumptions = assumptions
        sides = (side for equation in assumptions.equations for side in (equation.left, equation.right))
        self._terms = {part for side in sides for part in subterms(side)}

    def has(self, terms: Iterable[Term], images: Substitution) -> bool:
        """Does the case speak of all values of functions on data in some terms?"""
        return all(self._has(part) for term in terms for part in distinct_subterms(substitute(term, images)))

    def _has(self, part: Term) -> bool:
        if not part.args or part.op.native is not None or part.op.is_constructor or part in self._terms:
            return True
        connectives = self._assumptions.bench.connectives
        value = self._assumptions.reduce(part)
        return value in self._terms or value in (connectives.true, connectives.false)


class LemmaInstances:
    """Finds the instance of a lemma that a leaf refutes, or nearly refutes."""

    def __init__(self, usable: Iterable[UsableLemma], values: Iterable[Term]) -> None:
        self._usable = tuple(usable)
        self._values = tuple(values)
        """Terms of the case to begin with."""

    def premise(self, assumptions: Assumptions, used: tuple[Premise, ...]) -> Premise | None:
        """The instance that leaves least undecided under the assumptions, a false one first; None if none helps."""
        if len(used) >= MAX_PREMISES:
            return None
        taken = {(premise.name, premise.values) for premise in used}
        connectives = assumptions.bench.connectives
        best: tuple[int, Premise] | None = None
        for premise in self._instances(assumptions):
            if (premise.name, premise.values) in taken:
                continue
            value = assumptions.reduce(premise.formula)
            if value is connectives.false:
                return premise
            undecided = len(atoms_of(value))
            if value is not connectives.true and undecided <= MAX_UNDECIDED and (best is None or undecided < best[0]):
                best = undecided, premise
        return None if best is None else best[1]

    def _instances(self, assumptions: Assumptions) -> Iterator[Premise]:
        terms = self._terms(assumptions)
        spoken = SpokenTerms(assumptions)
        leq = assumptions.bench.module.signature.order.leq
        for usable in self._usable:
            lemma, fixed = usable.lemma, dict(usable.fixed)
            choices = [
                [fixed[v]] if v in fixed else [term for term in terms if leq(term.sort, v.sort)]
                for v in lemma.variables
            ]
            about = lemma.about or (lemma.formula,)
            for values in islice(product(*choices), MAX_INSTANCES):
                if fixed or spoken.has(about, dict(zip(lemma.variables, values, strict=True))):
                    yield Premise(lemma.name, values, lemma.at(values))

    def _terms(self, assumptions: Assumptions) -> list[Term]:
        """What variables may stand for: the values of the case, their parts, and what the assumptions compare."""
        bool_sort: Sort = assumptions.bench.connectives.true.sort
        found = dict.fromkeys(part for value in self._values for part in subterms(value))
        sides = [side for equation in assumptions.equations for side in (equation.left, equation.right)]
        inner = {part for side in sides for part in subterms(side) if part.sort is not bool_sort}
        found.update(dict.fromkeys(sorted(inner, key=size_and_text)))
        return [term for term in found if term.ground]
