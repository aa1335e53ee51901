"""Guesses equations about data that would let a stuck term be rewritten; testing on small values filters them.

A term is stuck where a function is applied to the value of another one, or to a collection of unknown parts: `P in
del(Q,A)`, `top(put(Q,I))`, `I \\in (X , Y)`. With variables for everything inside, that is the left side. For a
predicate, right sides are small formulas over the same predicate of the parts, equations between the variables, and
other predicates of them; for other functions, small terms and conditionals. A guess is only a guess: it is right for
all values that were tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, islice, permutations, product

from otsrw.reasoning.assumptions import atoms_of
from otsrw.reasoning.building import Builders
from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.samples import Samples
from otsrw.records import NamedTuple
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import Substitution
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, distinct_subterms, subterms, variable

MAX_ATOMS = 14
MAX_TERMS = 60
MAX_GUESSES = 8
"""Right sides for one left side."""
MIN_POINTS = 3
"""Values that must be there to test a guess."""


class Guess(NamedTuple):
    """An equation that small values do not refute; its right side has no other variables than its left side."""

    left: Term
    right: Term


def _branches(term: Term) -> list[Term]:
    """What a term may be: the branches of a conditional, else itself."""
    if term.op.native is not Builtin.IF:
        return [term]
    return [inner for branch in term.args[1:] for inner in _branches(branch)]


class Conjecturer:
    """Guesses equations for the functions of one module."""

    def __init__(
        self,
        samples: Samples,
        builders: Builders,
        rules: dict[Symbol, list[Axiom]],
        connectives: Connectives,
        state_sort: Sort,
        successor: Symbol | None = None,
    ) -> None:
        """`successor` is the built-in function that adds one, if the module has it: sizes are numbers."""
        self._successor = successor
        self._samples = samples
        self._builders = builders
        self._rules = rules
        self._connectives = connectives
        self._state_sort = state_sort
        self._predicates = [
            symbol
            for symbol in rules
            if self.is_function(symbol) and symbol.decls[0].coarity is connectives.true.sort and symbol.nargs <= 2
        ]

    def is_function(self, symbol: Symbol) -> bool:
        """Is this a defined function on data?"""
        if symbol not in self._rules or symbol.native is not None or not symbol.decls or symbol.polymorphic:
            return False
        return all(self._state_sort not in (*decl.arity, decl.coarity) for decl in symbol.decls)

    def compositions(self, terms: Iterable[Term]) -> list[Term]:
        """The general left sides for what is stuck in some terms, each once, inner ones first."""
        found: dict[Term, None] = {}
        atoms = dict.fromkeys(atom for term in terms for atom in reversed(atoms_of(term)))  # not all monomials
        for atom in atoms:
            for part in distinct_subterms(atom):
                if not self.is_function(part.op):
                    continue
                for position, argument in enumerate(part.args):
                    for inner in _branches(argument):
                        if inner.args and (self.is_function(inner.op) or self._joins(inner.op)):
                            found[self._generalised(part, position, inner)] = None
        return list(found)

    def _joins(self, symbol: Symbol) -> bool:
        return symbol.assoc and symbol.native is None and self._builders.is_builder(symbol)

    def _generalised(self, term: Term, position: int, inner: Term) -> Term:
        """`f(.., g(..), ..)` with variables for the arguments of g and for the other arguments of f."""
        used: Counter[str] = Counter()

        def fresh(sort: Sort) -> Term:
            """A variable named after its sort: P, P1, P2 ..."""
            stem = sort.name[0].upper()
            used[stem] += 1
            return variable(stem if used[stem] == 1 else f"{stem}{used[stem] - 1}", sort)

        arity = term.op.decl_of(term.args).arity
        before = [fresh(sort) for sort in arity[:position]]
        composed = inner.op.make(tuple(map(fresh, inner.op.decl_of(inner.args[:2]).arity)))
        return term.op.make((*before, composed, *map(fresh, arity[position + 1 :])))

    def guesses(self, left: Term) -> list[Guess]:
        """Right sides for a left side, simple ones first; none if too few values can be tried."""
        trial = Trial(self._samples, left)
        if len(trial.points) < MIN_POINTS:
            return []
        atoms = [(term, bits) for term in self._atoms(left) if (bits := trial.bits(term)) is not None]
        if left.sort is self._connectives.true.sort:
            wanted = trial.bits(left)
            found = [] if wanted is None else islice(self._formulas(atoms, wanted, trial.all_bits), MAX_GUESSES)
            return [Guess(left, right) for right in found]
        return [Guess(left, right) for right in islice(self._terms_like(left, atoms, trial), MAX_GUESSES)]

    # --- atoms

    def _atoms(self, left: Term) -> list[Term]:
        """Predicates of the variables that the right side may depend on, the most likely ones first."""
        variables = _variables(left)
        found: dict[Term, None] = {}
        for first, second in combinations(variables, 2):
            if self._builders.order.kind[first.sort] is self._builders.order.kind[second.sort]:
                found[self._connectives.equal(first, second)] = None
        if left.sort is self._connectives.true.sort:
            found.update(dict.fromkeys(self._descents(left)))
        for each in variables:
            makers = self._builders.makers(each.sort)
            constants = [symbol.make(()) for symbol, decl in makers if not decl.arity]
            found.update((self._connectives.equal(each, constant), None) for constant in constants[:2])
        for symbol in self._predicates:
            for args in permutations(variables, symbol.nargs):
                if self._fits(symbol, args):
                    found[symbol.make(args)] = None
        return list(found)[:MAX_ATOMS]

    def _descents(self, left: Term) -> Iterator[Term]:
        """The outer function with a variable in place of the inner one."""
        for position, argument in enumerate(left.args):
            if argument.args:
                for each in _variables(argument):
                    args = (*left.args[:position], each, *left.args[position + 1 :])
                    if self._fits(left.op, args):
                        yield left.op.make(args)

    @staticmethod
    def _fits(symbol: Symbol, args: tuple[Term, ...]) -> bool:
        leq = symbol.order.leq
        return any(
            len(args) == len(decl.arity) and all(leq(a.sort, s) for a, s in zip(args, decl.arity, strict=True))
            for decl in symbol.decls
        )

    # --- formulas

    def _formulas(self, atoms: list[tuple[Term, int]], wanted: int, everything: int) -> Iterator[Term]:
        """Formulas of up to three literals that have the wanted value at all points."""
        connectives = self._connectives
        if wanted == everything:
            yield connectives.true
        if wanted == 0:
            yield connectives.false
        literals = [(term, bits) for term, bits in atoms]
        literals += [(connectives.negate(term), everything & ~bits) for term, bits in atoms]
        literals = [(term, bits) for term, bits in literals if bits not in (0, everything)]
        yield from (term for term, bits in literals if bits == wanted)
        both, either = connectives.symbol(Builtin.AND), connectives.symbol(Builtin.OR)
        inside = [(t, b) for t, b in literals if b & ~wanted == 0]
        around = [(t, b) for t, b in literals if wanted & ~b == 0]
        for parts, op, meet in ((around, both, int.__and__), (inside, either, int.__or__)):
            for (a, x), (b, y) in combinations(parts, 2):
                if meet(x, y) == wanted:
                    yield op.make((a, b))
        for (a, x), (b, y) in combinations(atoms, 2):
            if everything & ~(x ^ y) == wanted:
                yield connectives.symbol(Builtin.IFF).make((a, b))
        yield from self._of_three(literals, inside, around, wanted)

    def _of_three(
        self,
        literals: list[tuple[Term, int]],
        inside: list[tuple[Term, int]],
        around: list[tuple[Term, int]],
        wanted: int,
    ) -> Iterator[Term]:
        both, either = self._connectives.symbol(Builtin.AND), self._connectives.symbol(Builtin.OR)
        for (a, x), (b, y), (c, z) in combinations(around, 3):
            if x & y & z == wanted:
                yield both.make((both.make((a, b)), c))
        for (a, x), (b, y), (c, z) in combinations(inside, 3):
            if x | y | z == wanted:
                yield either.make((either.make((a, b)), c))
        pairs = list(combinations(literals, 2))
        for a, x in around:
            yield from (both.make((a, either.make((b, c)))) for (b, y), (c, z) in pairs if x & (y | z) == wanted)
        for a, x in inside:
            yield from (either.make((a, both.make((b, c)))) for (b, y), (c, z) in pairs if x | (y & z) == wanted)

    # --- other terms

    def _terms_like(self, left: Term, atoms: list[tuple[Term, int]], trial: Trial) -> Iterator[Term]:
        """Terms, and then conditionals, that have the values of the left side."""
        wanted = trial.values(left)
        if any(value is None for value in wanted):
            return
        rows = [(term, trial.values(term)) for term in self._small_terms(left)]
        yield from (term for term, row in rows if row == wanted)
        choice = self._connectives.symbol(Builtin.IF)
        for atom, bits in atoms:
            yes = [term for term, row in rows if _agree(row, wanted, bits)]
            no = [term for term, row in rows if _agree(row, wanted, ~bits)]
            yield from (choice.make((atom, a, b)) for a, b in product(yes[:2], no[:2]) if a is not b)

    def _small_terms(self, left: Term) -> list[Term]:
        """Variables, the outer function of parts, and these put together by builders or by the inner function."""
        kind = self._builders.order.kind.get(left.sort)
        variables = _variables(left)
        base = [*variables, *self._descents(left)]
        found = dict.fromkeys(t for t in base if self._builders.order.kind.get(t.sort) is kind)
        inner = next(argument.op for argument in left.args if argument.args)
        makers = {
            symbol: None for sort in (left.sort, *left.op.decls[0].arity) for symbol, _ in self._builders.makers(sort)
        }
        counting = [] if self._successor is None else [self._successor]
        for symbol in dict.fromkeys([*makers, inner, left.op, *counting]):
            if symbol.decls and self._builders.order.kind.get(symbol.decls[0].coarity) is kind:
                tuples = product(base, repeat=symbol.nargs) if symbol.nargs else [()]
                found.update((symbol.make(args), None) for args in tuples if self._fits(symbol, tuple(args)))
        return [term for term in found if term is not left][:MAX_TERMS]


class Trial:
    """The values at which the guesses for one left side are tested: those where it has a value itself."""

    def __init__(self, samples: Samples, left: Term) -> None:
        self._samples = samples
        points = samples.points(tuple(_variables(left)))
        self.points = [point for point in points if samples.value(left, point) is not None]
        self._true = samples.bench.connectives.true

    @property
    def all_bits(self) -> int:
        return (1 << len(self.points)) - 1

    def values(self, term: Term) -> tuple[Term | None, ...]:
        return tuple(self._value(term, point) for point in self.points)

    def _value(self, term: Term, point: Substitution) -> Term | None:
        return self._samples.value(term, point)

    def bits(self, formula: Term) -> int | None:
        """At which points the formula is true; None if it has no value somewhere."""
        found = 0
        for number, value in enumerate(self.values(formula)):
            if value is None:
                return None
            found |= (value is self._true) << number
        return found


def _agree(row: tuple[Term | None, ...], wanted: tuple[Term | None, ...], bits: int) -> bool:
    """Are the values the same at the points that the bits stand for?"""
    return all(a is b for number, (a, b) in enumerate(zip(row, wanted, strict=True)) if bits >> number & 1)


def _variables(term: Term) -> list[Term]:
    return list(dict.fromkeys(part for part in subterms(term) if part.op.variable))
