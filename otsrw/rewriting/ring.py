"""Booleans as polynomials over GF(2): Hsiang's normal form, canonical by algebra instead of by AC rewriting.

`and` is multiplication, `xor` addition, `not a = a + 1`, `a or b = a b + a + b`. Atoms are Boolean terms that are not
connectives. A polynomial is a zero-suppressed decision diagram over atoms (rewriting/diagrams.py): the disjunction of
twenty atoms has a million monomials but some forty nodes.

Reference: J. Hsiang, Refutational theorem proving using term-rewriting systems, Artificial Intelligence 25 (1985).
"""

from __future__ import annotations

from collections.abc import Callable

from otsrw.rewriting.diagrams import Diagrams
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term

MAX_SHOWN_MONOMIALS = 2000


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


class Ring(Diagrams):
    """The polynomials of one signature: diagrams whose variables are the positions of atoms."""

    def __init__(self, true: Term, false: Term, xor: Symbol, conjunction: Symbol, disjunction: Symbol) -> None:
        super().__init__()
        self.true = true
        self.false = false
        self.xor_symbol = xor
        self.and_symbol = conjunction
        self.or_symbol = disjunction
        self.sort: Sort = true.sort
        self.atoms: list[Term] = []
        self._index: dict[Term, int] = {}
        self._terms: dict[int, Term] = {0: false, 1: true}

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

    # --- connectives on normal forms

    def conjunction(self, first: Term, second: Term) -> Term:
        return self.term(self.multiply(self.polynomial(first), self.polynomial(second)))

    def exclusive(self, first: Term, second: Term) -> Term:
        return self.term(self.add(self.polynomial(first), self.polynomial(second)))

    def disjunction(self, first: Term, second: Term) -> Term:
        left, right = self.polynomial(first), self.polynomial(second)
        return self.term(self.add(self.multiply(left, right), self.add(left, right)))

    def negation(self, first: Term) -> Term:
        return self.term(self.add(self.polynomial(first), 1))

    def implication(self, first: Term, second: Term) -> Term:
        left = self.polynomial(first)
        return self.term(self.add(self.multiply(left, self.polynomial(second)), self.add(left, 1)))

    def equivalence(self, first: Term, second: Term) -> Term:
        return self.term(self.add(self.add(self.polynomial(first), self.polynomial(second)), 1))

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
