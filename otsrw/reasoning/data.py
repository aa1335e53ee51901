"""What equations say about data: constructors, sets, memberships, equalities that users define."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from itertools import product

from otsrw.reasoning.connectives import Connectives
from otsrw.theory.builtins import EQUALITIES, Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.signature import Signature
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, subterms, variable, variables_of

MAX_SHAPES = 12


class DataTheory:
    """The equations of a module, by the operators they define."""

    def __init__(
        self,
        signature: Signature,
        rules: dict[Symbol, list[Axiom]],
        connectives: Connectives,
        reduce: Callable[[Term], Term],
    ) -> None:
        self.order = signature.order
        self.symbols = signature.symbols()
        self.rules = rules
        self.connectives = connectives
        self.reduce = reduce

    def is_constructor(self, symbol: Symbol) -> bool:
        return symbol not in self.rules and symbol.native is None

    def is_set(self, symbol: Symbol) -> bool:
        """A collection whose only equations say that an element counts once."""
        if not (symbol.assoc and symbol.comm):
            return False
        rules = self.rules.get(symbol, [])
        return (symbol.idem or bool(rules)) and all(self._is_idempotence(rule) for rule in rules)

    @staticmethod
    def _is_idempotence(rule: Axiom) -> bool:
        args = rule.lhs.args
        pair = len(args) == 2 and args[0] is args[1] and args[0] is rule.rhs
        rest = len(args) == 3 and rule.rhs.op is rule.lhs.op and set(rule.rhs.args) == set(args) and len(set(args)) == 2
        return pair or rest

    def is_pattern(self, term: Term) -> bool:
        """Built from variables, constructors and literals, with the usual equality everywhere."""
        if term.op.variable or (term.ground and not term.args and self.is_constructor(term.op)):
            return True
        if not term.op.decls:
            return True
        if not self.is_constructor(term.op) or self.has_own_equality(term.sort):
            return False
        return all(self.is_pattern(arg) for arg in term.args)

    # --- equalities that users define

    @cached_property
    def _unusual(self) -> frozenset[object]:
        """Kinds whose `=` has an equation that comparing normal forms would not satisfy, by itself or by its parts."""
        kind = self.order.kind
        equals = self.connectives.symbol(Builtin.EQUALS)
        rules = [rule for rule in self.rules.get(equals, ()) if rule.lhs.args[0].sort in kind]
        found = {kind[rule.lhs.args[0].sort] for rule in rules if not self.is_usual(rule)}
        size = -1
        while len(found) > size:
            size = len(found)
            for rule in rules:
                if any(kind.get(sort) in found for sort in self._compared(rule.lhs.args[0])):
                    found.add(kind[rule.lhs.args[0].sort])
        return frozenset(found)

    def _compared(self, side: Term) -> list[Sort]:
        """The sorts of what an equation between values compares: the arguments of their constructors."""
        if not side.op.variable:
            return [arg.sort for arg in side.args]
        return [sort for maker in self._makers(side.sort) or () for sort in maker.decls[0].arity]

    def has_own_equality(self, sort: Sort) -> bool:
        return self.order.kind.get(sort) in self._unusual

    def is_usual(self, rule: Axiom) -> bool:
        """Does comparing normal forms satisfy this equation on `=`?"""
        left, right = rule.lhs.args
        if left is right:
            return rule.rhs is self.connectives.true
        if left.op.variable and right.op.variable:
            return self._agrees_on_shapes(rule)
        if rule.rhs is self.connectives.false:
            return not self._unifiable(left, right) or self._differ_everywhere(left, right)
        if rule.rhs is self.connectives.true:
            return False
        op = left.op
        if op is not right.op or not self.is_constructor(op) or rule.condition is not None:
            return False
        swapped = op.comm and not (op.assoc or op.idem or op.identity is not None)
        if op.has_theory and not swapped:
            return False
        pairings = [right.args, right.args[::-1]] if swapped else [right.args]
        if not swapped and self._says_the_same(rule.rhs, left.args, right.args):
            return True
        expected = {frozenset(map(frozenset, zip(left.args, args, strict=True))) for args in pairings}
        found = set()
        for clause in self.connectives.clauses(rule.rhs):
            if not all(literal.positive and literal.atom.op.native in EQUALITIES for literal in clause):
                return False
            found.add(frozenset(frozenset(literal.atom.args) for literal in clause))
        return _without_trivial(found) == _without_trivial(expected)

    def _says_the_same(self, formula: Term, left: Iterable[Term], right: Iterable[Term]) -> bool:
        """Is the formula, by rewriting, that these terms are equal pair by pair?"""
        same = self.connectives.true
        for a, b in zip(left, right, strict=True):
            same = self.connectives.symbol(Builtin.AND).make((same, self.connectives.equal(a, b)))
        return self.reduce(self.connectives.symbol(Builtin.IFF).make((formula, same))) is self.connectives.true

    def _agrees_on_shapes(self, rule: Axiom) -> bool:
        """Does an equation on any two values, by projections say, compare them as constructor terms?"""
        left, right = rule.lhs.args
        makers = self._makers(left.sort)
        if makers is None or left.sort is not right.sort:
            return False
        both = self.connectives.symbol(Builtin.AND)
        for first, second in product(makers, repeat=2):
            ours, theirs = self._shape(first, "#1"), self._shape(second, "#2")
            same = self.connectives.true if first is second else self.connectives.false
            for a, b in zip(ours.args, theirs.args, strict=False) if first is second else ():
                same = both.make((same, self.connectives.equal(a, b)))
            bindings = {left: ours, right: theirs}
            claim = self.connectives.symbol(Builtin.IFF).make((substitute(rule.rhs, bindings), same))
            if rule.condition is not None:
                claim = self.connectives.symbol(Builtin.IMPLIES).make((substitute(rule.condition, bindings), claim))
            if self.reduce(claim) is not self.connectives.true:
                return False
        return True

    def _makers(self, sort: Sort) -> list[Symbol] | None:
        """The free constructors that build all values of a sort; None if there are others."""
        found: list[Symbol] = []
        for symbol in self.symbols:
            if symbol.native is None and symbol.decls and any(self.order.leq(d.coarity, sort) for d in symbol.decls):
                if self.is_constructor(symbol):
                    if symbol.has_theory or len(found) >= MAX_SHAPES:
                        return None
                    found.append(symbol)
        return found or None

    @staticmethod
    def _shape(symbol: Symbol, mark: str) -> Term:
        sorts = symbol.decls[0].arity
        return symbol.make(tuple(variable(f"{sort.name}{n}{mark}", sort) for n, sort in enumerate(sorts)))

    def _unifiable(self, left: Term, right: Term) -> bool:
        """May these become equal? Only free constructors, entities and the occurs check say no."""
        if left is right:
            return True
        if left.op.variable or right.op.variable:
            small, large = (left, right) if left.op.variable else (right, left)
            if self._is_free(large) and not self.order.leq(large.sort, small.sort):
                return False
            return not (small in variables_of(large) and large is not small and self._is_free(large))
        if self._is_without(left, right) or self._is_without(right, left):
            return False
        if self._is_free(left) and self._is_free(right):
            if left.op is not right.op:
                return False
            return all(self._unifiable(a, b) for a, b in zip(left.args, right.args, strict=True))
        return True

    def _differ_everywhere(self, left: Term, right: Term) -> bool:
        """Do these differ for each element of the one variable that they have, as `B` and `flip(B)` for two bits?"""
        variables = list(dict.fromkeys((*variables_of(left), *variables_of(right))))
        makers = self._makers(variables[0].sort) if len(variables) == 1 else None
        if makers is None or any(maker.nargs for maker in makers):
            return False
        values = [{variables[0]: maker.make(())} for maker in makers]
        return not any(
            self._unifiable(self.reduce(substitute(left, value)), self.reduce(substitute(right, value)))
            for value in values
        )

    def _is_without(self, empty: Term, collection: Term) -> bool:
        """Is one side the identity of a constructor, and has the other one an element that it is not?"""
        op = collection.op
        if empty is not op.identity or not self._is_free(empty) or not (self.is_constructor(op) or self.is_set(op)):
            return False
        return any(not self._unifiable(empty, part) for part in collection.args)

    def _is_free(self, term: Term) -> bool:
        return not term.op.decls or (self.is_constructor(term.op) and not term.op.has_theory)

    # --- membership

    def is_membership(self, symbol: Symbol, element: int, collection: int) -> bool:
        """By induction on the collection: the predicate is false unless the element equals one of its elements."""
        if symbol.arg_kinds[element] is symbol.arg_kinds[collection] and not self._collects(symbol, collection):
            return False
        return all(self._descends(rule, element, collection) for rule in self.rules[symbol])

    def _collects(self, symbol: Symbol, collection: int) -> bool:
        shapes = [rule.lhs.args[collection] for rule in self.rules[symbol]]
        return any(len(shape.args) > 1 for shape in shapes)

    def _descends(self, rule: Axiom, element: int, collection: int) -> bool:
        """Is the right side false once the element differs from all parts and is in no smaller collection?"""
        wanted, shape = rule.lhs.args[element], rule.lhs.args[collection]
        if rule.rhs is self.connectives.false:
            return True
        if not wanted.op.variable:
            return False
        if wanted in variables_of(shape):
            return wanted in shape.args

        def assumed(term: Term) -> Term | None:
            if term.op.native in EQUALITIES and wanted in term.args:
                other = term.args[1] if term.args[0] is wanted else term.args[0]
                return self.connectives.false if other is shape or other in shape.args else None
            if term.op is rule.lhs.op and term.args[element] is wanted:
                smaller = term.args[collection]
                inside = smaller in shape.args or (
                    smaller.op is shape.op and shape.op.assoc and set(smaller.args) < set(shape.args)
                )
                return self.connectives.false if inside else None
            if term.op is not rule.lhs.op and self._tells_member(term, wanted, shape.args):
                return self.connectives.false
            return None

        if (
            rule.condition is not None
            and self.connectives.simplified(rule.condition, assumed) is self.connectives.false
        ):
            return True
        return self.connectives.simplified(rule.rhs, assumed) is self.connectives.false

    def _tells_member(self, atom: Term, wanted: Term, collections: Iterable[Term]) -> bool:
        """Does another membership predicate say that the element is in one of these collections?"""
        if len(atom.args) != 2 or atom.args[0] is not wanted or atom.args[1] not in collections:
            return False
        rules = self.rules.get(atom.op, []) if atom.op.native is None else []
        called = {part.op for rule in rules for part in subterms(rule.rhs) if part.op.native is None}
        others = called.intersection(self.rules) - {atom.op}  # predicates that call each other are not looked into
        return bool(rules) and not others and self.is_membership(atom.op, 0, 1)

    def exactly_elements(
        self, symbol: Symbol, element: int, collection: int, sort: Sort | None = None
    ) -> Symbol | None:
        """The multiset constructor such that the predicate is true of its arguments, too, if that can be seen.

        A predicate that is overloaded has a constructor for each sort of collections; `sort` says for which to look.
        """
        shapes = dict.fromkeys(
            rule.lhs.args[collection].op for rule in self.rules[symbol] if rule.lhs.args[collection].args
        )
        units = {constructor: self._unit(constructor) for constructor in shapes}
        if not all(self._collects_elements(symbol, element, *pair) for pair in units.items()):
            return None
        nonlinear = any(rule.lhs.args[element] in rule.lhs.args[collection].args for rule in self.rules[symbol])
        for rule in self.rules[symbol]:
            is_last = rule.otherwise and nonlinear and rule.rhs is self.connectives.false
            if not (is_last or self._accepts(rule, element, collection, units)):
                return None
        fitting = [op for op in units if sort is None or any(self.order.leq(sort, decl.coarity) for decl in op.decls)]
        return fitting[0] if len(fitting) == 1 else None

    def _collects_elements(self, symbol: Symbol, element: int, constructor: Symbol, unit: Term | None) -> bool:
        """Are its values made of elements of the predicate, none of which is the empty collection?"""
        if not (constructor.assoc and constructor.comm and unit is not None):
            return False
        return not any(self.order.leq(unit.sort, decl.arity[element]) for decl in symbol.decls)

    def _unit(self, constructor: Symbol) -> Term | None:
        """The empty collection, declared as identity or by the only equations of the constructor: `empty B = B`."""
        rules = self.rules.get(constructor, [])
        if constructor.identity is not None or not rules:
            return constructor.identity
        units = {arg for rule in rules for arg in rule.lhs.args if not arg.args and not arg.op.variable}
        if len(units) != 1 or not self.is_constructor(next(iter(units)).op):
            return None
        unit = units.pop()
        return unit if all(_says_unit(rule, unit) for rule in rules) else None

    def _accepts(self, rule: Axiom, element: int, collection: int, units: Mapping[Symbol, Term | None]) -> bool:
        """Is the right side true once the element equals a part, and once it is in a smaller collection?"""
        wanted, shape = rule.lhs.args[element], rule.lhs.args[collection]
        if rule.condition is not None:
            return False
        if shape in units.values():
            return True
        is_pair = shape.op in units and all(arg.op.variable for arg in shape.args) and len(shape.args) == 2
        empty = [unit.sort for unit in units.values() if unit is not None]
        is_alone = shape.op.variable and not any(self.order.leq(sort, shape.sort) for sort in empty)
        if not (is_pair or is_alone):
            return False
        parts = shape.args if is_pair else (shape,)
        if wanted in parts:
            return rule.rhs is self.connectives.true

        def given(part: Term, term: Term) -> Term | None:
            same = term.op.native in EQUALITIES and {*term.args} == {wanted, part}
            inside = term.op is rule.lhs.op and term.args[element] is wanted and term.args[collection] is part
            return self.connectives.true if same or inside else None

        return all(
            self.connectives.simplified(rule.rhs, partial(given, part)) is self.connectives.true for part in parts
        )


def _says_unit(rule: Axiom, unit: Term) -> bool:
    """Is it `unit B = B`, for a variable of the whole sort?"""
    others = [arg for arg in rule.lhs.args if arg is not unit]
    is_any = rule.rhs.op.variable and rule.rhs.sort is rule.lhs.op.decls[0].coarity
    return rule.condition is None and len(rule.lhs.args) == 2 and others == [rule.rhs] and is_any


def _without_trivial(cases: Iterable[frozenset[frozenset[Term]]]) -> set[frozenset[frozenset[Term]]]:
    """Conjunctions of equations, without those between a term and itself."""
    return {frozenset(pair for pair in case if len(pair) > 1) for case in cases}
