"""Critical pairs: the two results of an overlap, and whether they are the same value.

The variables of a pair become fresh constants and its conditions are assumed. Case splitting must then show that the
two sides are equal; first it splits on atoms only, then also on the constructors of arguments. If the assumptions
contradict each other, the pair cannot occur. States are equal if all observers agree.

This is the usual argument by induction on a terminating order: it holds if all obligations of the cone are proved,
not for one pair alone, because case splitting itself relies on free constructors and complete functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum

from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.splitting import CaseSplitter, Leaf, LeafOutcome
from otsrw.reasoning.workbench import Workbench
from otsrw.records import dataclass
from otsrw.soundness.cone import Cone
from otsrw.soundness.overlaps import Overlap
from otsrw.soundness.syntactic import Unifier
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import SYNTACTIC_TESTS, Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import COSMOS, Sort
from otsrw.theory.terms import Symbol, Term, subterms, variable, variables_of

MAX_LEAVES = 300
"""Cases of one pair."""
MAX_REDUCTIONS = 6_000
"""Reductions for one pair."""
MAX_REWRITES = 20_000
"""Rewrites of one reduction: small terms are reduced here, and equations that are not yet known to terminate."""
MAX_ENDLESS = 4
"""Pairs of a function that may spend all rewrites of a reduction: then its equations seem to loop."""

NON_MONOTONIC = frozenset((*SYNTACTIC_TESTS, Builtin.IS, Builtin.BEHAVES, Builtin.SEARCH))
"""Built-in operators that look at how a term is written: they say nothing about what a fresh constant stands for."""


class PairOutcome(StrEnum):
    TRIVIAL = "trivial"
    """Both sides are the same term."""
    INFEASIBLE = "infeasible"
    """The conditions exclude each other."""
    JOINED = "joined"
    COMPARED = "compared"
    """Both sides say whether two values are the same."""
    INDUCTIVE = "inductive"
    """Structural induction shows that the sides are equal."""
    OPEN = "open"


@dataclass(frozen=True, eq=False, slots=True)
class CriticalPair:
    """An overlap under one of its unifiers."""

    overlap: Overlap
    peak: Term
    left: Term
    right: Term
    conditions: tuple[Term, ...]

    @classmethod
    def of(cls, overlap: Overlap, unifier: Unifier) -> CriticalPair:
        peak, left, right, *conditions = [
            substitute(term, unifier) for term in (overlap.peak, overlap.left, overlap.right, *overlap.conditions)
        ]
        return cls(overlap, peak, left, right, tuple(conditions))

    @property
    def key(self) -> tuple[Term, ...]:
        """The same for pairs that differ in the names of their variables only."""
        terms = (self.left, self.right, *self.conditions)
        variables = dict.fromkeys(v for term in terms for v in variables_of(term))
        images = {v: variable(f"{number}", v.sort) for number, v in enumerate(variables)}
        return tuple(substitute(term, images) for term in terms)

    @property
    def variables(self) -> list[Term]:
        terms = (self.peak, self.left, self.right, *self.conditions)
        return list(dict.fromkeys(v for term in terms for v in variables_of(term)))


@dataclass(frozen=True, eq=False, slots=True)
class Side:
    """An equation between the two results that must hold: the results themselves, or what an observer says of them."""

    peak: Term
    left: Term
    right: Term
    goal: Term


@dataclass(frozen=True, eq=False, slots=True)
class Grounded:
    """A pair with fresh constants for its variables."""

    bench: Workbench
    sides: tuple[Side, ...]
    conditions: tuple[Term, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Joined:
    """What became of a pair; `leaves` are the cases of each side, `failed` the first case that is not closed."""

    pair: CriticalPair
    outcome: PairOutcome
    grounded: Grounded | None = None
    leaves: tuple[tuple[Side, tuple[Leaf, ...]], ...] = ()
    side: Side | None = None
    failed: Leaf | None = None
    missing: str = ""


class Joiner:
    """Decides critical pairs of one cone."""

    def __init__(self, cone: Cone) -> None:
        self.cone = cone
        self.connectives = cone.connectives
        self.state_sort: Sort = COSMOS if cone.ots is None else cone.ots.sort
        self._bench = Workbench(cone.module)
        self._bench.max_rewrites = MAX_REWRITES
        self._names = {symbol.name for symbol in cone.module.signature.symbols()}
        rules = cone.rules
        evaluated = frozenset(
            symbol
            for symbol in rules
            if symbol.decls and symbol.native is None and self.state_sort not in symbol.decls[0].arity
        )
        self._splitters = (CaseSplitter(self.state_sort, rules), CaseSplitter(self.state_sort, rules, evaluated))
        self._observing = self._observing_operators()
        self._unreliable = _Unreliable(cone)
        self._endless: Counter[Symbol] = Counter()
        """How many pairs of each function did not come to an end."""

    def _observing_operators(self) -> list[Symbol]:
        """What tells states apart: operators on states that are not defined by others for all states."""
        if self.cone.ots is None:
            return []
        found = [observer.symbol for observer in self.cone.ots.observers]
        for symbol, axioms in self.cone.functions.items():
            if symbol in found or not symbol.decls:
                continue
            decl = symbol.decls[0]
            if self.state_sort not in decl.arity or decl.coarity is self.state_sort:
                continue
            places = [i for i, sort in enumerate(decl.arity) if sort is self.state_sort]
            if not axioms or any(not axiom.lhs.args[i].op.variable for axiom in axioms for i in places):
                found.append(symbol)
        return found

    def join(self, pair: CriticalPair) -> Joined:
        if pair.left is pair.right:
            return Joined(pair, PairOutcome.TRIVIAL)
        grounded = self.ground(pair)
        reason = self._unreliable.reason((pair.left, pair.right, *pair.conditions))
        if not reason and pair.left.sort is self.state_sort:
            reason = self._unobservable()
        function = pair.overlap.outer.lhs.op
        if not reason and self._endless[function] >= MAX_ENDLESS:
            reason = "rewriting did not come to an end for other overlaps"
        if reason:
            return Joined(pair, PairOutcome.OPEN, grounded, missing=reason)
        closed: list[tuple[Side, tuple[Leaf, ...]]] = []
        for side in grounded.sides:
            leaves, failed = self._cases(grounded, side)
            if grounded.bench.unfinished:
                self._endless[function] += 1
            if failed is not None or not leaves:
                return Joined(pair, PairOutcome.OPEN, grounded, side=side, failed=failed)
            closed.append((side, leaves))
        feasible = any(leaf.outcome is LeafOutcome.TRUE for _, leaves in closed for leaf in leaves)
        return Joined(pair, PairOutcome.JOINED if feasible else PairOutcome.INFEASIBLE, grounded, tuple(closed))

    def _unobservable(self) -> str:
        """Why it is not enough that all observers agree on two states; empty if it is."""
        if not self._observing:
            return "nothing is observed of states"
        for symbol in self._observing:
            if symbol.decls[0].arity.count(self.state_sort) > 1:
                return f"{symbol.name} compares states"
        for axiom in self.cone.equations:
            for part in _body(axiom.lhs, axiom.rhs, axiom.condition):
                if part.op.polymorphic and part.op.native is not Builtin.IF and part.args[0].sort is self.state_sort:
                    return f"states are compared by {part.op.name} (line {axiom.span.line})"
        return ""

    # --- constants for variables

    def bench(self) -> Workbench:
        """A workbench without constants."""
        return self._bench.anew()

    def ground(self, pair: CriticalPair) -> Grounded:
        bench = self.bench()
        images: dict[Term, Term] = {}
        for v in pair.variables:
            images[v] = self._constant(bench, v)
        conditions = tuple(substitute(condition, images) for condition in pair.conditions)
        results = [substitute(term, images) for term in (pair.peak, pair.left, pair.right)]
        return Grounded(bench, tuple(self._sides(bench, *results)), conditions)

    def _constant(self, bench: Workbench, named: Term) -> Term:
        stem = named.op.name.split("#")[0].rstrip("'").lower()
        return self._fresh(bench, stem, named.sort)

    def _fresh(self, bench: Workbench, stem: str, sort: Sort) -> Term:
        name, number = stem, 0
        while name in self._names or not bench.is_free_name(name):
            number += 1
            name = f"{stem}{number}"
        return bench.constant(name, sort)

    def _sides(self, bench: Workbench, peak: Term, left: Term, right: Term) -> Iterator[Side]:
        if left.sort is not self.state_sort and right.sort is not self.state_sort:
            yield Side(peak, left, right, self._goal(left, right))
            return
        for symbol in self._observing:
            place = symbol.decls[0].arity.index(self.state_sort)
            arity = symbol.decls[0].arity
            indexes = [self._fresh(bench, sort.name[:1].lower(), sort) for i, sort in enumerate(arity) if i != place]
            seen = [symbol.make((*indexes[:place], state, *indexes[place:])) for state in (peak, left, right)]
            yield Side(seen[0], seen[1], seen[2], self._goal(seen[1], seen[2]))

    def _goal(self, left: Term, right: Term) -> Term:
        if left.sort is self.connectives.true.sort:
            return self.connectives.symbol(Builtin.IFF).make((left, right))
        return self.connectives.equal(left, right)

    # --- cases

    def _cases(self, grounded: Grounded, side: Side) -> tuple[tuple[Leaf, ...], Leaf | None]:
        """All cases, and the first one that is not closed, if any."""
        failed: Leaf | None = None
        for splitter in self._splitters:
            bench = grounded.bench
            bench.reductions = 0
            leaves: list[Leaf] = []
            failed = None
            try:
                start = Assumptions(bench).assuming([Assumed(c, True) for c in grounded.conditions])
                for leaf in splitter.leaves(bench, side.goal, start):
                    leaves.append(leaf)
                    spent = len(leaves) > MAX_LEAVES or bench.reductions > MAX_REDUCTIONS
                    if leaf.outcome in (LeafOutcome.FALSE, LeafOutcome.UNDECIDED) or spent:
                        failed = leaf
                        break
            except BudgetExceeded:
                return (), None
            if failed is None:
                return tuple(leaves), None
            if bench.unfinished:
                break
        return tuple(leaves), failed


class _Unreliable:
    """Which terms cannot be reasoned about with fresh constants, because evaluating them looks at how terms look."""

    def __init__(self, cone: Cone) -> None:
        self._rules = cone.rules
        self._reasons: dict[Symbol, str] = {}
        self._equals = cone.connectives.symbol(Builtin.EQUALS)
        for symbol, axioms in cone.rules.items():
            for axiom in axioms:
                odd = next((p.op.name for p in _body(axiom.rhs, axiom.condition) if p.op.native in NON_MONOTONIC), "")
                odd = odd or ("owise" if axiom.otherwise else "")
                if odd:
                    self._reasons.setdefault(symbol, f"no proof can rely on {odd} (line {axiom.span.line})")
        self._reached: dict[Symbol, str] = {}

    def reason(self, terms: tuple[Term, ...]) -> str:
        """Why these terms cannot be reasoned about; empty if they can."""
        if not self._reasons and not any(p.op.native in NON_MONOTONIC for t in terms for p in subterms(t)):
            return ""
        seen: set[Symbol] = set()
        todo = [self._equals, *(part.op for term in terms for part in subterms(term))]
        while todo:
            symbol = todo.pop()
            if symbol in seen:
                continue
            seen.add(symbol)
            if symbol.native in NON_MONOTONIC:
                return f"no proof can rely on {symbol.name}"
            if symbol in self._reasons:
                return self._reasons[symbol]
            for axiom in self._rules.get(symbol, ()):
                todo += [part.op for part in _body(axiom.rhs, axiom.condition)]
        return ""


def _body(*terms: Term | None) -> Iterator[Term]:
    for term in terms:
        if term is not None:
            yield from subterms(term)
