"""Where two equations can rewrite the same term: overlaps of their left sides.

A term that two equations rewrite, one at the top (the outer) and one at or below the top (the inner), has two
results. If the left sides overlap, nothing guarantees that the results agree; the overlaps are collected here, and
`pairs.py` looks at their results. An associative operator hides overlaps: `X , X` also rewrites inside `a , X , X`.
So its equations are extended by variables for what stands to the left and to the right.

What cannot be overlapped here is an obstacle: the function is then not shown to be independent of the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.reasoning.connectives import Connectives
from otsrw.records import NamedTuple
from otsrw.rewriting.rules import Rule, conjuncts, highest_rank
from otsrw.soundness.syntactic import Problem, is_plain_operator
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import LiteralTerm, Symbol, Term, subterms, variable, variables_of

Position = tuple[int, ...]


class DirectedEquation(NamedTuple):
    """An equation as it is overlapped: `lhs -> rhs` if all conditions are true. `p := t` is the condition `t = p`."""

    lhs: Term
    rhs: Term
    conditions: tuple[Term, ...]
    axiom: Axiom | None
    """The equation of the file; None for what an operator's attributes say."""

    @property
    def parts(self) -> tuple[Term, ...]:
        return self.lhs, self.rhs, *self.conditions

    @property
    def binds_by_matching(self) -> bool:
        """Does a condition `p := t` bind variables, so that one left side may have several results?"""
        bound = set(variables_of(self.lhs))
        return any(v not in bound for part in (self.rhs, *self.conditions) for v in variables_of(part))


class Overlap(NamedTuple):
    """Two ways to rewrite `peak`, for every unifier of `problem`."""

    outer: Axiom
    inner: Axiom | None
    """None if the inner one is no equation of the file: `X = X`, or an attribute."""
    problem: Problem
    peak: Term
    left: Term
    """The result of the outer equation."""
    right: Term
    """The result of the inner equation."""
    conditions: tuple[Term, ...]
    at_top: bool = False
    """Do both equations rewrite the whole peak, without anything left over?"""


def directed(axiom: Axiom, connectives: Connectives) -> DirectedEquation:
    """The equation with its conditions in parts."""
    parts = [] if axiom.condition is None else conjuncts(axiom.condition)
    conditions = [connectives.equal(p.args[1], p.args[0]) if p.op.native is Builtin.MATCH else p for p in parts]
    # Variables of one name and different sorts get different names: unifiers lower sorts, and keep names.
    return _renamed(DirectedEquation(axiom.lhs, axiom.rhs, tuple(conditions), axiom), set())


# --- obstacles


def obstacle(axiom: Axiom, defined: Iterable[Symbol]) -> str:
    """Why the left side of an equation cannot be overlapped with others; empty if it can."""
    for place, part in _positions(axiom.lhs):
        if part.op.native is not None and (place or part.op.native is not Builtin.EQUALS):
            return f"its left side contains the built-in operator {part.op.name}"
        if part.sort.is_error and (place or not _has_one_sort(part)):
            return "its left side has no sort of its own"
        if not isinstance(part, LiteralTerm) and (reason := _odd_operator(part.op)):
            return f"its left side contains {part.op.name}, {reason}"
    if axiom.lhs.op.native is Builtin.EQUALS and axiom.lhs.args[0].sort.name == "Bool":
        return "it is about = of truth values"
    known = set(defined)
    for part in [] if axiom.condition is None else conjuncts(axiom.condition):
        if part.op.native is Builtin.MATCH and any(inner.op in known for inner in subterms(part.args[0])):
            return "the pattern of its := can be rewritten"
    return ""


def _has_one_sort(term: Term) -> bool:
    """Do several declarations fit, none of them the lowest, that all give values of one sort?

    Such a left side is rewritten wherever its arguments match: overlaps at its top do not depend on its sort.
    """
    op = term.op
    if op.assoc or op.comm or op.idem or op.identity is not None:
        return False
    leq = op.order.leq
    fitting = [d for d in op.decls if all(leq(arg.sort, sort) for arg, sort in zip(term.args, d.arity, strict=True))]
    return len({decl.coarity for decl in fitting}) == 1 and not any(decl.partial for decl in fitting)


def _odd_operator(symbol: Symbol) -> str:
    """What is unusual about an operator, so that overlaps with it are not known."""
    if symbol.lower is not None or symbol.upper is not None or symbol.lower_identities:
        return "whose ranks have different attributes"
    if (symbol.assoc or symbol.idem) and highest_rank(symbol) is None:
        return "which has no highest rank"
    if symbol.idem and symbol.assoc and not symbol.comm:
        return "a list with idem"
    wanted = set(range(1, symbol.nargs + 1))
    strategy = symbol.strategy
    if strategy is not None and symbol.native is None:
        first = strategy.index(0) if 0 in strategy else len(strategy)
        if not wanted <= set(strategy[:first]) or 0 not in strategy:
            return "which has a strategy of its own"
    return ""


# --- overlaps


class Overlaps:
    """All overlaps of some equations; those with an obstacle are left out, and must be reported."""

    def __init__(self, equations: Iterable[Axiom], connectives: Connectives) -> None:
        self.connectives = connectives
        self.rules: dict[Symbol, list[DirectedEquation]] = {}
        self.collapsed: dict[Symbol, list[DirectedEquation]] = {}
        """Instances with another operator on top: `p , S` is `p` if S is the identity."""
        self._primed: dict[int, DirectedEquation] = {}
        for axiom in equations:
            if Rule.of(axiom).is_usable:
                rule = directed(axiom, connectives)
                self.rules.setdefault(rule.lhs.op, []).append(rule)
                for instance in _collapsed(rule):
                    self.collapsed.setdefault(instance.lhs.op, []).append(instance)

    def of(self, symbol: Symbol) -> Iterator[Overlap]:
        """The overlaps whose outer equation has this operator on top."""
        own = [*self.rules.get(symbol, ()), *self._instances(symbol)]
        for index, outer in enumerate(own):
            for inner in own[index:]:
                yield from self._at_top(outer, inner, outer is inner)
            if symbol.idem:
                yield from self._at_top(outer, _idempotence(symbol), same=False)
            for path, part in _positions(outer.lhs):
                if path:
                    yield from self._inside(outer, path, part)
            if symbol.native is Builtin.EQUALS:
                yield from self._reflexive(outer)
        for rule in self.rules.get(symbol, ()):
            yield from _collapsing(rule)

    def _instances(self, symbol: Symbol) -> list[DirectedEquation]:
        return [rule for rule in self.collapsed.get(symbol, ()) if not rule.lhs.op.variable]

    def _inside(self, outer: DirectedEquation, path: Position, part: Term) -> Iterator[Overlap]:
        for inner in [*self.rules.get(part.op, ()), *self._instances(part.op)]:
            if may_unify(part, inner.lhs):
                yield from self._below(outer, path, part, inner)
        if part.op.idem:
            yield from self._below(outer, path, part, _idempotence(part.op))

    def _below(self, outer: DirectedEquation, path: Position, part: Term, inner: DirectedEquation) -> Iterator[Overlap]:
        """The inner equation, extended in all ways, at a place of the outer one."""
        apart = self._apart(inner, outer)
        taken = _names(outer) | _names(apart)
        for way in _EXTENSIONS[_theory(apart.lhs.op)]:
            yield from _overlaps(outer, path, part, _extended(apart, way, taken))

    def _apart(self, inner: DirectedEquation, outer: DirectedEquation) -> DirectedEquation:
        """The inner equation with variables that the outer one does not have."""
        primed = self._primed.get(id(inner))
        if primed is None:
            primed = _renamed(inner, _names(inner))
            if inner.axiom is not None:
                self._primed[id(inner)] = primed
        taken = _names(outer)
        return primed if taken.isdisjoint(_names(primed)) else _renamed(inner, taken)

    def _at_top(self, outer: DirectedEquation, inner: DirectedEquation, same: bool) -> Iterator[Overlap]:
        if same and not inner.binds_by_matching and all(is_free(part.op) for part in subterms(outer.lhs)):
            return
        if not may_unify(outer.lhs, inner.lhs):
            return
        apart = self._apart(inner, outer)
        taken = _names(outer) | _names(apart)
        for mine, other in _BOTH_EXTENDED[_theory(outer.lhs.op)]:
            if same and (other, mine) in _BOTH_EXTENDED[_theory(outer.lhs.op)] and (other, mine) < (mine, other):
                continue
            first = _extended(outer, mine, taken)
            second = _extended(apart, other, taken | _names(first))
            for overlap in _overlaps(first, (), first.lhs, second):
                yield overlap._replace(at_top=not mine and not other)

    def _reflexive(self, outer: DirectedEquation) -> Iterator[Overlap]:
        """An equation on `=` and the fact that everything equals itself."""
        left, right = outer.lhs.args
        if outer.axiom is not None and may_unify(left, right):
            true = self.connectives.true
            yield Overlap(outer.axiom, None, ((left, right),), outer.lhs, outer.rhs, true, outer.conditions)


def is_free(symbol: Symbol) -> bool:
    return not symbol.has_theory


def _overlaps(outer: DirectedEquation, path: Position, part: Term, inner: DirectedEquation) -> Iterator[Overlap]:
    assert outer.axiom is not None
    right = _replaced(outer.lhs, path, inner.rhs)
    conditions = (*outer.conditions, *inner.conditions)
    for problem in _problems(part, inner.lhs):
        yield Overlap(outer.axiom, inner.axiom, problem, outer.lhs, outer.rhs, right, conditions)


def _problems(left: Term, right: Term) -> list[Problem]:
    """What to unify: the arguments of a free operator, or both orders of those of a commutative one.

    Maude knows neither polymorphic operators nor ranks of which none is the least, and need not see those on top.
    """
    op = left.op
    if op is not right.op or op.variable or not left.args or not is_plain_operator(op):
        return [((left, right),)]
    straight = tuple(zip(left.args, right.args, strict=True))
    if not op.comm:
        return [straight]
    return [straight, tuple(zip(left.args, right.args[::-1], strict=True))]


def may_unify(left: Term, right: Term) -> bool:
    """A quick look: False if there is certainly no unifier."""
    if left.op.variable or right.op.variable:
        return True
    if left.op.identity is not None or right.op.identity is not None:
        return True
    if left.op is not right.op:
        return False
    if isinstance(left, LiteralTerm):
        return left is right
    if left.op.assoc or left.op.idem:
        return True
    if all(map(may_unify, left.args, right.args)):
        return True
    return left.op.comm and all(map(may_unify, left.args, right.args[::-1]))


# --- extensions and instances for identities

_PLAIN, _LEFT, _RIGHT, _BOTH = "", "l", "r", "lr"

_EXTENSIONS: dict[str, tuple[str, ...]] = {
    "": (_PLAIN,),
    "a": (_PLAIN, _LEFT, _RIGHT, _BOTH),
    "au": (_BOTH,),
    "ac": (_PLAIN, _RIGHT),
    "acu": (_RIGHT,),
}
"""How an inner equation is extended, by the theory of its operator; with an identity an extension may be nothing."""

_BOTH_EXTENDED: dict[str, tuple[tuple[str, str], ...]] = {
    "": ((_PLAIN, _PLAIN),),
    "a": (
        (_PLAIN, _PLAIN), (_PLAIN, _LEFT), (_PLAIN, _RIGHT), (_PLAIN, _BOTH),
        (_LEFT, _PLAIN), (_RIGHT, _PLAIN), (_BOTH, _PLAIN), (_LEFT, _RIGHT), (_RIGHT, _LEFT),
    ),
    "au": ((_PLAIN, _BOTH), (_BOTH, _PLAIN), (_LEFT, _RIGHT), (_RIGHT, _LEFT)),
    "ac": ((_PLAIN, _PLAIN), (_PLAIN, _RIGHT), (_RIGHT, _PLAIN), (_RIGHT, _RIGHT)),
    "acu": ((_RIGHT, _RIGHT),),
}  # fmt: skip
"""How two equations with the same operator on top are extended."""


def _theory(symbol: Symbol) -> str:
    return ("ac" if symbol.comm else "a") + "u" * (symbol.identity is not None) if symbol.assoc else ""


def _extended(rule: DirectedEquation, way: str, taken: set[str]) -> DirectedEquation:
    if not way:
        return rule
    op = rule.lhs.op
    rank = highest_rank(op)
    assert rank is not None
    before = (variable(_unused("L", taken), rank.arity[0]),) if "l" in way else ()
    after = (variable(_unused("R", taken), rank.arity[1]),) if "r" in way else ()
    # The left side of idempotence is no canonical term, so it is not made in the usual way.
    inside = rule.lhs.args if rule.axiom is None else (rule.lhs,)
    args = (*before, *inside, *after)
    lhs = Term(op, args, rank.coarity, False) if rule.axiom is None else op.make(args)
    return rule._replace(lhs=lhs, rhs=op.make((*before, rule.rhs, *after)))


def _idempotence(symbol: Symbol) -> DirectedEquation:
    """`X , X -> X`, for the attribute idem, which Maude cannot unify with."""
    rank = highest_rank(symbol)
    assert rank is not None
    x = variable("X", rank.arity[0])
    return DirectedEquation(Term(symbol, (x, x), rank.coarity, False), x, (), None)


def _collapsed(rule: DirectedEquation) -> list[DirectedEquation]:
    """Instances in which all but one of the top operator's arguments are its identity, or all are."""
    op = rule.lhs.op
    if op.identity is None or rule.axiom is None:
        return []
    found: dict[Term, DirectedEquation] = {}
    for kept in (*rule.lhs.args, None):
        others = [arg for arg in rule.lhs.args if arg is not kept]
        if all(arg.op.variable and op.order.leq(op.identity.sort, arg.sort) for arg in others):
            bindings = dict.fromkeys(others, op.identity)
            lhs, rhs, *conditions = [substitute(part, bindings) for part in rule.parts]
            if lhs.op is not op:
                found.setdefault(lhs, DirectedEquation(lhs, rhs, tuple(conditions), rule.axiom))
    return list(found.values())


def _collapsing(rule: DirectedEquation) -> Iterator[Overlap]:
    """An instance that would rewrite any value must say nothing: `X , S = ...` for the empty S."""
    for instance in _collapsed(rule):
        if instance.lhs.op.variable or instance.lhs is rule.lhs.op.identity:
            assert rule.axiom is not None
            yield Overlap(rule.axiom, None, (), instance.lhs, instance.rhs, instance.lhs, instance.conditions)


# --- terms


def _positions(term: Term, path: Position = ()) -> Iterator[tuple[Position, Term]]:
    """All places of a left side but its variables."""
    if term.op.variable:
        return
    yield path, term
    for index, arg in enumerate(term.args):
        yield from _positions(arg, (*path, index))


def _replaced(term: Term, path: Position, new: Term) -> Term:
    if not path:
        return new
    args = [_replaced(arg, path[1:], new) if i == path[0] else arg for i, arg in enumerate(term.args)]
    return term.op.make(tuple(args))


def _names(rule: DirectedEquation) -> set[str]:
    return {v.op.name for part in rule.parts for v in variables_of(part)}


def _unused(stem: str, taken: set[str]) -> str:
    while stem in taken:
        stem += "'"
    return stem


def _renamed(rule: DirectedEquation, taken: set[str]) -> DirectedEquation:
    """The equation with variables that no other one has."""
    names = set(taken)
    images: dict[Term, Term] = {}
    for v in dict.fromkeys(v for part in rule.parts for v in variables_of(part)):
        name = _unused(v.op.name, names)
        names.add(name)
        images[v] = variable(name, v.sort)
    if rule.axiom is None:
        args = tuple(images[v] for v in rule.lhs.args)
        return rule._replace(lhs=Term(rule.lhs.op, args, rule.lhs.sort, False), rhs=images[rule.rhs])
    lhs, rhs, *conditions = [substitute(part, images) for part in rule.parts]
    return DirectedEquation(lhs, rhs, tuple(conditions), rule.axiom)
