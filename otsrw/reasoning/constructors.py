"""What is certainly different: numerals, and terms built by free constructors of tight modules.

`red 1 = 2 .` stays as it is, because CafeOBJ's `_=_` is decided by equations only. But in every model that a tight
module (`mod!`) means, different numerals are different, and so are terms with different free constructors at the top;
equal terms with the same free constructor have equal arguments. A bag with an element is not empty. Case splitting and
translation rely on that.

A constructor is free if all its declarations say `constr` in tight modules, it has no equational theory, and no
equation of the module rewrites it.
"""

from __future__ import annotations

from otsrw.theory.modules import Module, translated
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, Symbol, Term


class Constructors:
    """The free constructors a module sees, and what follows from them."""

    def __init__(self, module: Module) -> None:
        signature = module.signature
        tight = {decl for inner in module.closure() if inner.is_tight for decl in inner.decls}
        memo: dict[Term, Term] = {}
        rewritten = {
            translated(axiom, owner, signature, memo).lhs.op
            for owner, axiom in module.flat_axioms()
            if not axiom.is_transition
        }
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
        self.free: frozenset[Symbol] = frozenset(
            symbol
            for symbol in signature.symbols()
            if symbol.is_constructor
            and not symbol.has_theory
            and symbol not in rewritten
            and all(decl in tight and decl.attributes.constructor for decl in symbol.decls)
        )
        self._collecting: frozenset[Symbol] = frozenset(
            symbol
            for symbol in signature.symbols()
            if symbol.assoc and symbol.identity is not None and symbol.identity.op in self.free
            if symbol not in rewritten and all(d in tight and d.attributes.constructor for d in symbol.decls)
        )
        """Constructors of lists and bags, whose values are equal only if associativity and the like say so."""

    def are_all(self, sort: Sort) -> bool:
        """Is every value of the sort built by constructors, as far as tight modules say?"""
        return not any(self._order.leq(other, sort) for other in self._incomplete)

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
            elif self._is_a_larger_collection(left, right) or self._is_a_larger_collection(right, left):
                return True
        return False

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
