"""Laws about data that exclude what a case says: `none?(L)` and `has(L,C)` are true of no list.

An open case may say of values that are observed what no values satisfy, and no equation shows it. With variables for
what is observed, the facts of the case that belong together are candidates: not all of them hold. Testing on small
values filters them; whoever uses a law proves it first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable
from itertools import combinations

from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.samples import Samples
from otsrw.reasoning.workbench import Equation
from otsrw.theory.builtins import Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Symbol, Term, distinct_subterms, subterms, variable, variables_of

MAX_FACTS = 6
"""Facts of one case that are looked at."""
MAX_DIFFERENCES = 3
"""Values of one case that differ which are looked at."""
MAX_TOGETHER = 3
"""Facts that one law says cannot hold together."""
MAX_TESTED = 300
"""Candidates that are tested in one proof."""
MIN_POINTS = 4
"""Values that must be there to test a law."""


class ExcludingLaws:
    """Finds the laws for cases over one module; each is told once."""

    def __init__(self, samples: Samples, is_function: Callable[[Symbol], bool]) -> None:
        """`is_function` says of a symbol whether equations define it as a function on data."""
        self._samples = samples
        self._connectives = samples.bench.connectives
        self._is_function = is_function
        self._tested: dict[Term, bool] = {}

    def laws(self, equations: Iterable[Equation]) -> list[Term]:
        """The laws that no small value refutes and that were not told before, those about few facts first."""
        facts = self._facts(equations)
        found: list[Term] = []
        excluded: list[set[Literal]] = []
        for count in range(1, MAX_TOGETHER + 1):
            for chosen in combinations(facts, count):
                if not _are_connected(chosen) or any(smaller <= set(chosen) for smaller in excluded):
                    continue
                law = self._law(chosen)
                is_new = law not in self._tested and len(self._tested) < MAX_TESTED
                if is_new:
                    self._tested[law] = self._holds(law)
                if self._tested.get(law):
                    excluded.append(set(chosen))
                    found += [law] if is_new else []
        return found

    def _facts(self, equations: Iterable[Equation]) -> list[Literal]:
        """What equations say about functions on data, with variables for all else; short facts first.

        After these, which of the values that they speak of differ: `first?(Q,I)` is true of one I only.
        """
        images: dict[Term, Term] = {}
        found: dict[Literal, None] = {}
        for equation in equations:
            positive = equation.right is not self._connectives.false
            is_truth = equation.right in (self._connectives.true, self._connectives.false)
            atom = equation.left if is_truth else self._connectives.equal(equation.left, equation.right)
            found[Literal(self._opened(atom, images), positive)] = None
        told = [each for each in found if any(self._is_function(part.op) for part in distinct_subterms(each.atom))]
        facts = sorted(told, key=lambda literal: size_and_text(literal.atom))[:MAX_FACTS]
        spoken = {each for literal in facts for each in variables_of(literal.atom)}
        differing = [each for each in found if each not in told and _is_difference(each, spoken)]
        return facts + differing[:MAX_DIFFERENCES]

    def _opened(self, term: Term, images: dict[Term, Term]) -> Term:
        """The term with a variable for each part that is no function on data: what is observed, and constants."""
        is_data = term.op.native is not None or self._is_function(term.op) or self._samples.builders.is_builder(term.op)
        if not is_data:
            return images.setdefault(term, variable(f"X{len(images)}", term.sort))
        return term.op.make(tuple(self._opened(part, images) for part in term.args)) if term.args else term

    def _law(self, facts: tuple[Literal, ...]) -> Term:
        """That not all facts hold, in variables that are named by their sorts."""
        both, negate = self._connectives.symbol(Builtin.AND), self._connectives.negate
        said = [literal.atom if literal.positive else negate(literal.atom) for literal in facts]
        joined = said[0] if len(said) == 1 else both.make(tuple(said))
        used: Counter[str] = Counter()
        names: dict[Term, Term] = {}
        for each in dict.fromkeys(part for part in subterms(joined) if part.op.variable):
            stem = each.sort.name[0].upper()
            names[each] = variable(stem if not used[stem] else f"{stem}{used[stem]}", each.sort)
            used[stem] += 1
        return negate(substitute(joined, names))

    def _holds(self, law: Term) -> bool:
        points = self._samples.points(tuple(variables_of(law)))
        values = [self._samples.value(law, point) for point in points]
        known = [value for value in values if value is not None]
        return len(known) >= MIN_POINTS and all(value is self._connectives.true for value in known)


def _is_difference(literal: Literal, variables: Container[Term]) -> bool:
    """Does it say that two of the variables differ?"""
    is_equation = literal.atom.op.native is Builtin.EQUALS
    return is_equation and not literal.positive and all(side in variables for side in literal.atom.args)


def _are_connected(facts: tuple[Literal, ...]) -> bool:
    """Does every fact share a variable with those before it, in some order?"""
    reached, rest = set(variables_of(facts[0].atom)), list(facts[1:])
    while rest:
        near = next((each for each in rest if not reached.isdisjoint(variables_of(each.atom))), None)
        if near is None:
            return False
        reached.update(variables_of(near.atom))
        rest.remove(near)
    return True
