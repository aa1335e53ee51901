"""Which arguments no equation of a function takes: a pattern matrix, split by the shapes of values.

The function is applied to unknown values. As long as an equation looks into one of them, it is replaced by the shapes
it may have. When no equation looks any further, one that applies whatever the values are covers the case; if all that
apply are conditional, one of their conditions must hold in every case. What is left is a gap.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from otsrw.reasoning import Assumptions, CaseSplitter, Equation, Workbench
from otsrw.reasoning.splitting import LeafOutcome
from otsrw.records import dataclass
from otsrw.rewriting.matching import Matcher
from otsrw.soundness.cone import Cone
from otsrw.soundness.rows import Row, is_bound, looks_at_form, rows_of
from otsrw.soundness.values import SortValues
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Module
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import COSMOS, Sort
from otsrw.theory.terms import OpDecl, Symbol, Term, subterms, variables_of

CLOSED = (LeafOutcome.TRUE, LeafOutcome.CONTRADICTION)
"""What may become of a case of a goal that is proved."""
MAX_CASES = 3000
"""Cases that are looked at for one rank of a function."""
MAX_SPLITS = 14
"""Splits on the way to one case."""
MAX_INSTANCES = 60
"""Ground instances of a gap that are tried as witnesses."""


@dataclass(frozen=True, eq=False, slots=True)
class Gap:
    """A case without a value, as far as is known."""

    term: Term
    """The function, applied to values and to constants that stand for unknown ones."""
    conditions: tuple[Term, ...] = ()
    """Conditions of equations that apply; none of them is known to hold."""
    witness: Term | None = None
    """A ground instance that certainly has no value."""
    given_up: bool = False
    """Were there too many cases to look at?"""


class _TooMany(Exception):
    pass


class KnownCoverages:
    """What was found out about functions of a module; all cones of one OTS share it.

    Whether a function has a gap depends on the equations of the whole module and on what makes states.
    """

    def __init__(self, _module: Module) -> None:
        self.by_states: dict[tuple[object, ...], Coverage] = {}


def coverage_of(cone: Cone) -> Coverage:
    """The coverage of a cone, with what other cones have found out."""
    known = cone.module.derived(KnownCoverages).by_states
    ots = cone.ots
    key = () if ots is None else (ots.sort, *ots.initials, *(each.operator.symbol for each in ots.transitions))
    if key not in known:
        known[key] = Coverage(cone)
    return known[key]


class Coverage:
    """Looks for gaps in the functions of one cone."""

    def __init__(self, cone: Cone, values: SortValues | None = None) -> None:
        self.cone = cone
        self.values = values or SortValues(cone)
        self.order = cone.module.signature.order
        self.bench = Workbench(cone.module)
        self.matcher = Matcher(self.order)
        state = cone.ots.sort if cone.ots is not None else COSMOS
        self.splitter = CaseSplitter(state, cone.rules)
        self.syntactic = looks_at_form(cone)
        self._pool: dict[Sort, list[Term]] = {}
        self._rows: dict[Symbol, list[Row]] = {}
        self._first_gaps: dict[Symbol, Gap | None] = {}
        self._all_gaps: dict[Symbol, list[Gap] | None] = {}
        self.cases = 0

    def rows(self, symbol: Symbol) -> list[Row]:
        if symbol not in self._rows:
            rules = self.cone.rules.get(symbol, ())
            self._rows[symbol] = rows_of(rules, self.values.builders, self.cone.connectives, self.syntactic)
        return self._rows[symbol]

    def _is_read(self, symbol: Symbol) -> bool:
        """Do the rows say all about when an equation of the function applies to values?

        An equation with an evaluated function below its top applies to no value.
        """
        known = {row.rule for row in self.rows(symbol)}
        return all(
            rule in known or any(self._is_evaluated(part.op) for part in _below(rule.lhs))
            for rule in self.cone.rules.get(symbol, ())
        )

    def _is_evaluated(self, op: Symbol) -> bool:
        return op.native is not None or (op in self.cone.rules and op not in self.values.builders)

    def gaps(self, symbol: Symbol) -> list[Gap] | None:
        """All cases in which the function is not seen to have a value; None if there are too many cases to look at."""
        if symbol not in self._all_gaps:
            self._all_gaps[symbol] = self._find_gaps(symbol)
        return self._all_gaps[symbol]

    def _find_gaps(self, symbol: Symbol) -> list[Gap] | None:
        found: list[Gap] = []
        for decl in symbol.decls:
            args: list[Term] = []
            for sort in decl.arity:
                args.append(self.fresh(sort, args))
            self.cases = 0
            try:
                found += self._gaps(symbol, tuple(args), False, 0)
            except (_TooMany, BudgetExceeded):
                return None
        return found

    def gap(self, symbol: Symbol) -> Gap | None:
        """A case in which the function has no value, or is not seen to have one; None if there is none."""
        if symbol not in self._first_gaps:
            self._first_gaps[symbol] = self._find_gap(symbol)
        return self._first_gaps[symbol]

    def _find_gap(self, symbol: Symbol) -> Gap | None:
        for decl in symbol.decls:
            found = self._gap_of_rank(symbol, decl)
            if found is not None:
                return found
        return None

    def _gap_of_rank(self, symbol: Symbol, decl: OpDecl) -> Gap | None:
        found: Gap | None = None
        for from_the_right in (False, True):
            found = self._search(symbol, decl, from_the_right)
            if found is None or found.witness is not None or not _has_lists(self.rows(symbol)):
                return found
        return found

    def _search(self, symbol: Symbol, decl: OpDecl, from_the_right: bool) -> Gap | None:
        args: list[Term] = []
        for sort in decl.arity:
            args.append(self.fresh(sort, args))
        self.cases = 0
        first: Gap | None = None
        try:
            for gap in self._gaps(symbol, tuple(args), from_the_right, 0):
                if gap.witness is not None:
                    return gap
                first = first or gap
        except (_TooMany, BudgetExceeded):
            return Gap(symbol.make(tuple(args)), given_up=True)
        return first

    def fresh(self, sort: Sort, used: list[Term]) -> Term:
        """A constant of the sort that does not occur in the terms given."""
        taken = {part for term in used for part in subterms(term)}
        pool = self._pool.setdefault(sort, [])
        for constant in pool:
            if constant not in taken:
                return constant
        stem = next((c for c in sort.name.lower() if c.isalpha()), "x")
        number = 1
        while not self.bench.is_free_name(f"{stem}{number}"):
            number += 1
        pool.append(self.bench.constant(f"{stem}{number}", sort))
        return pool[-1]

    # --- cases

    def _gaps(self, symbol: Symbol, args: tuple[Term, ...], from_the_right: bool, depth: int) -> Iterator[Gap]:
        self.cases += 1
        if self.cases > MAX_CASES:
            raise _TooMany
        term = symbol.make(args)
        conditions = self._conditions(term, args)
        if None in conditions:
            return
        for constant in self._looked_into(symbol, args) if depth < MAX_SPLITS else ():
            shapes = self.values.shapes(constant.sort, from_the_right)
            if shapes is None:
                continue
            for shape in shapes:
                replaced = self._with_constants(shape, args)
                after = tuple(_replaced(arg, constant, replaced) for arg in args)
                yield from self._gaps(symbol, after, from_the_right, depth + 1)
            return
        open_ones = tuple(condition for condition in conditions if condition is not None)
        if not (open_ones and self._one_holds(open_ones)):
            yield Gap(term, open_ones, self._witness(symbol, args))

    def _conditions(self, term: Term, args: tuple[Term, ...]) -> list[Term | None]:
        """The conditions under which the application, or an argument of it, is rewritten; None: always."""
        found: list[Term | None] = []
        for part in dict.fromkeys((term, *(inner for arg in args for inner in subterms(arg)))):
            for row in self.rows(part.op) if part.op.native is None or part is term else ():
                for bindings in self.matcher.match(row.pattern, part, {}):
                    if row.condition is None:
                        return [None]
                    if is_bound(row.condition, bindings):
                        found.append(substitute(row.condition, bindings))
        return found

    def _one_holds(self, conditions: tuple[Term, ...]) -> bool:
        goal = conditions[0]
        for other in conditions[1:]:
            goal = self.cone.connectives.symbol(Builtin.OR).make((goal, other))
        leaves = self.splitter.leaves(self.bench, goal, Assumptions(self.bench))
        return all(leaf.outcome in CLOSED for leaf in leaves)

    def _with_constants(self, shape: Term, args: tuple[Term, ...]) -> Term:
        used = list(args)
        bindings: dict[Term, Term] = {}
        for place in variables_of(shape):
            bindings[place] = self.fresh(place.sort, used)
            used.append(bindings[place])
        return substitute(shape, bindings)

    # --- what equations look into

    def _looked_into(self, symbol: Symbol, args: tuple[Term, ...]) -> Iterator[Term]:
        seen: set[Term] = set()
        for row in self.rows(symbol):
            for pattern, arg in _paired(row.pattern, args):
                for constant in self._asked(pattern, arg):
                    if constant not in seen:
                        seen.add(constant)
                        yield constant

    def _asked(self, pattern: Term, value: Term) -> Iterator[Term]:
        """Unknown values that must be known better to tell whether the pattern matches."""
        if pattern.op.variable:
            if self.bench.is_constant(value) and not self.order.leq(value.sort, pattern.sort):
                yield value
        elif self.bench.is_constant(value):
            yield value
        elif pattern.op.assoc or pattern.op.identity is not None or pattern.op.comm:
            yield from self._asked_of_elements(pattern, value)
        elif pattern.op is value.op:
            for inner, part in zip(pattern.args, value.args, strict=True):
                yield from self._asked(inner, part)

    def _asked_of_elements(self, pattern: Term, value: Term) -> Iterator[Term]:
        op = pattern.op
        elements = value.args if value.op is op else (value,)
        collections = [e for e in elements if self.bench.is_constant(e) and self._is_collection(e, op)]
        single = [e for e in elements if e not in collections]
        for inner in pattern.args:
            for element in single:
                yield from self._asked(inner, element)
        if len(single) < sum(not self._is_collection(inner, op) for inner in pattern.args):
            yield from collections

    def _is_collection(self, term: Term, op: Symbol) -> bool:
        """May an instance of the variable or constant be several elements, or none?"""
        if not op.assoc or not (term.op.variable or self.bench.is_constant(term)):
            return False
        return any(self.order.leq(decl.coarity, term.sort) for decl in op.decls)

    # --- witnesses

    def _witness(self, symbol: Symbol, args: tuple[Term, ...]) -> Term | None:
        """A ground instance of the case that no equation applies to, whatever else is true."""
        if not self._is_read(symbol):
            return None
        unknown = [c for c in dict.fromkeys(p for arg in args for p in subterms(arg)) if self.bench.is_constant(c)]
        choices = [self.examples(constant.sort) for constant in unknown]
        for count, chosen in enumerate(product(*choices)):
            if count >= MAX_INSTANCES:
                return None
            ground = args
            for constant, value in zip(unknown, chosen, strict=True):
                ground = tuple(_replaced(arg, constant, value) for arg in ground)
            if self._has_no_value(symbol, ground):
                return symbol.make(ground)
        return None

    def examples(self, sort: Sort) -> list[Term]:
        """Values of a sort; elements of loose sorts are constants of their own, different from each other."""
        values = self.values.ground(sort)
        bindings: dict[Term, Term] = {}
        for place in dict.fromkeys(v for value in values for v in variables_of(value)):
            bindings[place] = self.fresh(place.sort, list(bindings.values()))
        return [substitute(value, bindings) for value in values]

    def _has_no_value(self, symbol: Symbol, args: tuple[Term, ...]) -> bool:
        term = symbol.make(args)
        if self.order.kind.get(term.sort) is None or any(arg.sort.is_error for arg in args):
            return False
        false = self.cone.connectives.false
        entities = [c for pool in self._pool.values() for c in pool]
        rewriter = self.bench.rewriter(self._differences(entities))
        try:
            return all(
                condition is not None and self.bench.reduce(rewriter, condition) is false
                for condition in self._conditions(term, args)
            ) and all(self.bench.reduce(rewriter, arg) is arg for arg in args)
        except OtsrwError:
            return False

    def _differences(self, entities: list[Term]) -> list[Equation]:
        """Unknown elements of one sort that are different, which they may be."""
        equal, false = self.cone.connectives.equal, self.cone.connectives.false
        return [Equation(equal(a, b), false) for i, a in enumerate(entities) for b in entities[:i] if a.sort is b.sort]


def _has_lists(rows: list[Row]) -> bool:
    return any(part.op.assoc and not part.op.comm for row in rows for part in subterms(row.pattern))


def _below(term: Term) -> Iterator[Term]:
    for arg in term.args:
        yield from subterms(arg)


def _paired(pattern: Term, args: tuple[Term, ...]) -> Iterator[tuple[Term, Term]]:
    """The arguments of a pattern beside the values; in both orders for a commutative function."""
    if len(pattern.args) != len(args):
        return
    yield from zip(pattern.args, args, strict=True)
    if pattern.op.comm:
        yield from zip(pattern.args, args[::-1], strict=True)


def _replaced(term: Term, old: Term, new: Term) -> Term:
    if term is old:
        return new
    return term.op.make(tuple([_replaced(arg, old, new) for arg in term.args])) if term.args else term
