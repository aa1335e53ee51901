"""Booleans as polynomials over GF(2): Hsiang's normal form, canonical by algebra instead of by AC rewriting.

`and` is multiplication, `xor` addition, `not a = a + 1`, `a or b = a b + a + b`. Atoms are Boolean terms that are not
connectives. A polynomial is a zero-suppressed decision diagram over atoms, kept as an integer: 0 is false, 1 is true,
others index a table of (atom, without, with). The disjunction of twenty atoms has a million monomials but some forty
nodes. Operations are memoised; their cost is the product of the diagrams' sizes.

Reference: J. Hsiang, Refutational theorem proving using term-rewriting systems, Artificial Intelligence 25 (1985).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term

MAX_SHOWN_MONOMIALS = 2000
_LAST = 1 << 60


class RingTerm(Term):
    """A normal form that is not an atom: its arguments are only spelled out when somebody looks."""

    __slots__ = ("_spelled", "polynomial", "ring")

    def __init__(self, ring: Ring, polynomial: int, op: Symbol) -> None:
        self._spelled: tuple[Term, ...] | None = None
        self.ring = ring
        self.polynomial = polynomial
        super().__init__(op, (), ring.sort, ring.is_ground(polynomial))

    @property
    def args(self) -> tuple[Term, ...]:
        if self._spelled is None:
            self._spelled = self.ring.spell(self)
        return self._spelled

    @args.setter
    def args(self, value: tuple[Term, ...]) -> None:
        """Set only by the base class, to nothing."""


class Ring:
    """The polynomials of one signature."""

    def __init__(self, true: Term, false: Term, xor: Symbol, conjunction: Symbol, disjunction: Symbol) -> None:
        self.true = true
        self.false = false
        self.xor_symbol = xor
        self.and_symbol = conjunction
        self.or_symbol = disjunction
        self.sort: Sort = true.sort
        self.atoms: list[Term] = []
        self._index: dict[Term, int] = {}
        self._variable: list[int] = [_LAST, _LAST]
        self._without: list[int] = [0, 1]
        self._with: list[int] = [0, 1]
        self._unique: dict[tuple[int, int, int], int] = {}
        self._sums: dict[tuple[int, int], int] = {}
        self._products: dict[tuple[int, int], int] = {}
        self._terms: dict[int, Term] = {0: false, 1: true}
        self._counts: dict[int, int] = {0: 0, 1: 1}
        self.on_growth: Callable[[], None] = lambda: None
        """Called now and then while polynomials grow: the place to look at budgets."""

    def size(self) -> int:
        return len(self._variable)

    # --- terms and polynomials

    def polynomial(self, term: Term) -> int:
        if isinstance(term, RingTerm):
            return term.polynomial if term.ring is self else self._adopt(term.ring, term.polynomial, {0: 0, 1: 1})
        if term is self.true:
            return 1
        if term is self.false:
            return 0
        index = self._index.get(term)
        if index is None:
            index = self._index[term] = len(self.atoms)
            self.atoms.append(term)
        return self._node(index, 0, 1)

    def _adopt(self, other: Ring, node: int, known: dict[int, int]) -> int:
        """A polynomial of another ring as one of this."""
        if node not in known:
            atom = self.polynomial(other.atoms[other._variable[node]])
            low = self._adopt(other, other._without[node], known)
            high = self._adopt(other, other._with[node], known)
            known[node] = self.add(low, self.multiply(atom, high))
        return known[node]

    def term(self, polynomial: int) -> Term:
        found = self._terms.get(polynomial)
        if found is None:
            found = self._terms[polynomial] = self._make(polynomial)
        return found

    def _make(self, polynomial: int) -> Term:
        if self._without[polynomial] == 0 and self._with[polynomial] == 1:
            return self.atoms[self._variable[polynomial]]
        count = self.count(polynomial)
        if count == 1:
            return RingTerm(self, polynomial, self.and_symbol)
        if count > MAX_SHOWN_MONOMIALS:
            return RingTerm(self, polynomial, self._compact(polynomial).op)
        return RingTerm(self, polynomial, self.xor_symbol)

    def _node(self, variable: int, without: int, with_: int) -> int:
        if with_ == 0:
            return without
        key = (variable, without, with_)
        found = self._unique.get(key)
        if found is None:
            found = self._unique[key] = len(self._variable)
            self._variable.append(variable)
            self._without.append(without)
            self._with.append(with_)
        return found

    def is_ground(self, polynomial: int) -> bool:
        return all(atom.ground for atom in self.support(polynomial))

    def support(self, polynomial: int) -> list[Term]:
        """The atoms of a polynomial."""
        seen: set[int] = set()
        found: set[int] = set()
        todo = [polynomial]
        while todo:
            node = todo.pop()
            if node <= 1 or node in seen:
                continue
            seen.add(node)
            found.add(self._variable[node])
            todo += (self._without[node], self._with[node])
        return [self.atoms[index] for index in sorted(found)]

    def count(self, polynomial: int) -> int:
        """The number of monomials."""
        found = self._counts.get(polynomial)
        if found is None:
            found = self._counts[polynomial] = self.count(self._without[polynomial]) + self.count(
                self._with[polynomial]
            )
        return found

    # --- arithmetic

    def add(self, a: int, b: int) -> int:
        if a == b:
            return 0
        if a == 0:
            return b
        if b == 0:
            return a
        key = (a, b) if a < b else (b, a)
        found = self._sums.get(key)
        if found is None:
            va, vb = self._variable[a], self._variable[b]
            if va == vb:
                found = self._node(
                    va, self.add(self._without[a], self._without[b]), self.add(self._with[a], self._with[b])
                )
            elif va < vb:
                found = self._node(va, self.add(self._without[a], b), self._with[a])
            else:
                found = self._node(vb, self.add(a, self._without[b]), self._with[b])
            self._sums[key] = found
        return found

    def multiply(self, a: int, b: int) -> int:
        if a == b or b == 1:
            return a
        if a == 1:
            return b
        if a == 0 or b == 0:
            return 0
        key = (a, b) if a < b else (b, a)
        found = self._products.get(key)
        if found is None:
            if len(self._products) % 1024 == 0:
                self.on_growth()
            va, vb = self._variable[a], self._variable[b]
            if va == vb:
                low = self.multiply(self._without[a], self._without[b])
                both = self.multiply(
                    self.add(self._without[a], self._with[a]), self.add(self._without[b], self._with[b])
                )
                found = self._node(va, low, self.add(both, low))
            elif va < vb:
                found = self._node(va, self.multiply(self._without[a], b), self.multiply(self._with[a], b))
            else:
                found = self._node(vb, self.multiply(a, self._without[b]), self.multiply(a, self._with[b]))
            self._products[key] = found
        return found

    # --- connectives on normal forms

    def conjunction(self, a: Term, b: Term) -> Term:
        return self.term(self.multiply(self.polynomial(a), self.polynomial(b)))

    def exclusive(self, a: Term, b: Term) -> Term:
        return self.term(self.add(self.polynomial(a), self.polynomial(b)))

    def disjunction(self, a: Term, b: Term) -> Term:
        x, y = self.polynomial(a), self.polynomial(b)
        return self.term(self.add(self.multiply(x, y), self.add(x, y)))

    def negation(self, a: Term) -> Term:
        return self.term(self.add(self.polynomial(a), 1))

    def implication(self, a: Term, b: Term) -> Term:
        x = self.polynomial(a)
        return self.term(self.add(self.multiply(x, self.polynomial(b)), self.add(x, 1)))

    def equivalence(self, a: Term, b: Term) -> Term:
        return self.term(self.add(self.add(self.polynomial(a), self.polynomial(b)), 1))

    # --- spelling out

    def monomials(self, polynomial: int) -> list[tuple[Term, ...]]:
        """The monomials as tuples of atoms, smallest degree first."""
        found: list[tuple[int, ...]] = []
        todo: list[tuple[int, tuple[int, ...]]] = [(polynomial, ())]
        while todo:
            node, prefix = todo.pop()
            if node == 1:
                found.append(prefix)
            elif node:
                todo.append((self._without[node], prefix))
                todo.append((self._with[node], (*prefix, self._variable[node])))
        found.sort(key=lambda m: (len(m), m))
        return [tuple(self.atoms[index] for index in monomial) for monomial in found]

    def monomial(self, atoms: tuple[Term, ...]) -> Term:
        product = 1
        for atom in atoms:
            product = self.multiply(product, self.polynomial(atom))
        return self.term(product)

    def spell(self, term: RingTerm) -> tuple[Term, ...]:
        """The arguments of a normal form; a huge one is spelled with `or` and nested `and` instead of all monomials."""
        if self.count(term.polynomial) > MAX_SHOWN_MONOMIALS:
            return self._compact(term.polynomial).args
        if term.op is self.and_symbol:
            return self.monomials(term.polynomial)[0]
        return tuple(self.monomial(atoms) for atoms in self.monomials(term.polynomial))

    def _compact(self, polynomial: int) -> Term:
        """An equivalent term that folds `a + b + a b` into `a or b` along the diagram."""
        built: dict[int, Term] = {0: self.false, 1: self.true}
        order = self._bottom_up(polynomial)
        for node in order:
            atom = self.atoms[self._variable[node]]
            low, high = self._without[node], self._with[node]
            if high == self.add(low, 1) and low in built:
                built[node] = self.or_symbol.make((atom, built[low])) if low else atom
            elif low == 0:
                built[node] = self.and_symbol.make((atom, built[high])) if high != 1 else atom
            else:
                product = self.and_symbol.make((atom, built[high])) if high != 1 else atom
                built[node] = self.xor_symbol.make((built[low], product))
        return built[polynomial]

    def _bottom_up(self, polynomial: int) -> list[int]:
        seen: dict[int, None] = {}
        todo: list[tuple[int, bool]] = [(polynomial, False)]
        while todo:
            node, done = todo.pop()
            if node <= 1 or node in seen:
                continue
            if done:
                seen[node] = None
            else:
                todo += ((node, True), (self._without[node], False), (self._with[node], False))
        return list(seen)

    # --- rewriting with user equations on `and`

    def replace_product(self, polynomial: int, atoms: frozenset[Term], image: Callable[[], int]) -> int | None:
        """Replace every monomial that contains all `atoms`; None if there is none. Cost: the diagram's size.

        The image is asked for only if it is needed: it may be a formula that is being simplified itself.
        """
        indexes = sorted(self._index[a] for a in atoms if a in self._index)
        if len(indexes) != len(atoms):
            return None
        quotient = self._quotient(polynomial, tuple(indexes), {})
        if quotient == 0:
            return None
        product = 1
        for atom in atoms:
            product = self.multiply(product, self.polynomial(atom))
        return self.add(self.add(polynomial, self.multiply(product, quotient)), self.multiply(image(), quotient))

    def _quotient(self, node: int, indexes: tuple[int, ...], memo: dict[Any, int]) -> int:
        """The sum of the monomials that contain all of `indexes`, divided by their product."""
        if not indexes:
            return node
        if node <= 1:
            return 0
        key = (node, indexes)
        found = memo.get(key)
        if found is None:
            variable = self._variable[node]
            if variable > indexes[0]:
                found = 0
            elif variable == indexes[0]:
                found = self._quotient(self._with[node], indexes[1:], memo)
            else:
                low = self._quotient(self._without[node], indexes, memo)
                high = self._quotient(self._with[node], indexes, memo)
                found = self._node(variable, low, high)
            memo[key] = found
        return found
