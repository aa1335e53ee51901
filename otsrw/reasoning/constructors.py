"""What is certainly different: numerals, and terms built by free constructors of tight modules.

`red 1 = 2 .` stays as it is, because CafeOBJ's `_=_` is decided by equations only. But in every model that a tight
module (`mod!`) means, different numerals are different, and so are terms with different free constructors at the top;
equal terms with the same free constructor have equal arguments. A bag with an element is not empty. Case splitting and
translation rely on that.

An operator is a free constructor if tight modules declare it, it has no equational theory, no equation rewrites it, and
no equation on `=` compares what it builds otherwise than argument by argument. Its sort must be one of a tight module:
elements of a loose sort (`mod*`) may coincide. It must be declared `constr`; an operator with arguments may do without
if it stands in the module of its sort, and nothing at all is declared `constr` for that sort: then it builds values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom, Module, translated
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, OpDecl, Symbol, Term


class Constructors:
    """The free constructors a module sees, and what follows from them."""

    def __init__(self, module: Module) -> None:
        signature = module.signature
        memo: dict[Term, Term] = {}
        equations = [
            translated(axiom, owner, signature, memo)
            for owner, axiom in module.flat_axioms()
            if not axiom.is_transition
        ]
        rewritten = {axiom.lhs.op for axiom in equations}
        user = {decl for inner in module.closure() if inner.is_tight and not inner.is_system for decl in inner.decls}
        self._incomplete = frozenset(
            decl.coarity
            for symbol in signature.symbols()
            for decl in symbol.decls
            if decl in user and symbol not in rewritten and symbol.native is None
            if not decl.attributes.constructor
        )
        """Sorts with an operator that is no constructor and has no equations: its values are built by nothing else."""
        self._order = signature.order
        building = _building(module)
        blurred = rewritten | _blurred(equations)
        self.free: frozenset[Symbol] = frozenset(
            symbol
            for symbol in signature.symbols()
            if symbol.decls and symbol.native is None and not symbol.has_theory
            if symbol not in blurred and building.issuperset(symbol.decls)
        )
        self._collecting: frozenset[Symbol] = frozenset(
            symbol
            for symbol in signature.symbols()
            if symbol.assoc and symbol.identity is not None and symbol.identity.op in self.free
            if symbol not in blurred and building.issuperset(symbol.decls)
        )
        """Constructors of lists and bags, whose values are equal only if associativity and the like say so."""

    def are_all(self, sort: Sort) -> bool:
        """Is every value of the sort built by constructors, as far as tight modules say?"""
        return not any(self._order.leq(other, sort) for other in self._incomplete)

    def collects(self, symbol: Symbol) -> bool:
        """Does the operator build lists or bags that are equal only if associativity and the like say so?"""
        return symbol in self._collecting

    def is_single(self, term: Term, op: Symbol) -> bool:
        """Is the term one element of the collections that the operator builds, and no such collection itself?"""
        assert op.identity is not None
        if term.sort not in self._order.below or self._order.leq(op.identity.sort, term.sort):
            return False
        return not any(self._order.leq(decl.coarity, term.sort) for decl in op.decls)

    def distinct(self, first: Term, second: Term) -> bool:
        """Are these terms different in every model? False means only that we cannot tell."""
        todo = [(first, second)]
        while todo:
            left, right = todo.pop()
            if left is right:
                continue
            if isinstance(left, LiteralTerm) and isinstance(right, LiteralTerm):
                return True
            if left.op in self.free and right.op in self.free:
                if left.op is not right.op:
                    return True
                todo += zip(left.args, right.args, strict=True)
            elif any(
                self._is_a_larger_collection(one, other) or self._is_of_no_such_sort(one, other)
                for one, other in ((left, right), (right, left))
            ):
                return True
        return False

    def _is_of_no_such_sort(self, built: Term, other: Term) -> bool:
        """Does a free constructor build no values of the sort of the other term, as `err` is no element of a queue?"""
        if built.op not in self.free or other.sort not in self._order.below:
            return False
        return not any(self._order.leq(decl.coarity, other.sort) for decl in built.op.decls)

    def _is_a_larger_collection(self, large: Term, small: Term) -> bool:
        """Has a bag all elements of another one and one more, or is it a list with an element where none is?"""
        op = large.op
        if op not in self._collecting:
            return False
        left = list(large.args)
        for element in () if small is op.identity else small.args if small.op is op else (small,):
            if not op.comm or op.idem or element not in left:
                return False
            left.remove(element)
        return any(self._is_element(term, op) for term in left)

    def _is_element(self, term: Term, op: Symbol) -> bool:
        """Is the term certainly not the identity of the operator? Its sort may say so, or its constructor."""
        assert op.identity is not None
        if term.sort in self._order.below and not self._order.leq(op.identity.sort, term.sort):
            return True
        return term.op in self.free and term.op is not op.identity.op

    def decompose(self, first: Term, second: Term) -> list[tuple[Term, Term]] | None:
        """The equations between arguments that `first = second` amounts to; None if the terms are distinct."""
        if self.distinct(first, second):
            return None
        parts: list[tuple[Term, Term]] = []
        todo = [(first, second)]
        while todo:
            left, right = todo.pop()
            if left is right:
                continue
            if left.op is right.op and left.op in self.free:
                todo += reversed(list(zip(left.args, right.args, strict=True)))
            else:
                parts.append((left, right))
        return parts


def _building(module: Module) -> frozenset[OpDecl]:
    """Declarations in tight modules, into sorts of tight modules, of what builds values."""
    homes = {sort: inner for inner in module.closure() for sort in inner.sorts}
    declared = {decl.coarity for inner in module.closure() for decl in inner.decls if decl.attributes.constructor}
    found = set()
    for owner in module.closure():
        for decl in owner.decls if owner.is_tight else ():
            home = homes.get(decl.coarity)
            if home is None or not home.is_tight or decl.coarity.hidden:
                continue
            is_silent = bool(decl.arity) and home is owner and not owner.is_system and decl.coarity not in declared
            if decl.attributes.constructor or is_silent:
                found.add(decl)
    return frozenset(found)


def _blurred(equations: Iterable[Axiom]) -> set[Symbol]:
    """Operators for which an equation on `=` says something else than the equality of their arguments, one by one."""
    found: set[Symbol] = set()
    for axiom in equations:
        if axiom.lhs.op.native is Builtin.EQUALS and axiom.module and not _is_usual(axiom):
            found.update(side.op for side in axiom.lhs.args if not side.op.variable)
    return found


def _is_usual(axiom: Axiom) -> bool:
    """Does an equation on `=` make no different terms equal? Variables and collections are not judged here."""
    left, right = axiom.lhs.args
    if left.op.variable or right.op.variable or (not axiom.rhs.args and axiom.rhs.op.name == "false"):
        return True
    if left.op is not right.op or (not axiom.rhs.args and axiom.rhs.op.name == "true"):
        return left is right
    if left.op.has_theory:
        return True
    expected = {frozenset(pair) for pair in zip(left.args, right.args, strict=True) if pair[0] is not pair[1]}
    return axiom.condition is None and set(_compared(axiom.rhs)) == expected


def _compared(term: Term) -> Iterator[frozenset[Term] | None]:
    """The pairs of terms that a conjunction of equations compares; None for anything else in it."""
    if term.op.native in (Builtin.AND, Builtin.AND_ALSO):
        for arg in term.args:
            yield from _compared(arg)
    else:
        yield frozenset(term.args) if term.op.native is Builtin.EQUALS else None
