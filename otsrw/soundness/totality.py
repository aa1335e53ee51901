"""Every function has a value for all arguments, and no equation uses an operator outside of its domain.

A loose function (of a `mod*`) may have any value where no equation says one: a gap in it is a choice of the model, not
a value that no constructor builds. A gap of an observer is told nevertheless, since it is seldom meant; a proof for all
models covers it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from otsrw.reasoning import Assumed, Assumptions
from otsrw.soundness.cone import Cone
from otsrw.soundness.coverage import Coverage, Gap
from otsrw.soundness.domains import Difference, DomainClaims, Guard, PartialUse
from otsrw.soundness.obligations import Obligation, ObligationKind, Status
from otsrw.soundness.occurrences import Occurrences, implied
from otsrw.soundness.rows import by_value
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show_plainly
from otsrw.theory.sorts import Sort, SortOrder
from otsrw.theory.terms import OpDecl, Symbol, Term, subterms, symbols_of, variable, variables_of

_PARTIAL = frozenset(
    (
        Builtin.SQRT,
        Builtin.LOG,
        Builtin.EXP,
        Builtin.SIN,
        Builtin.COS,
        Builtin.CODE_CHAR,
        Builtin.FIND,
        Builtin.RFIND,
        Builtin.SCHAR,
        Builtin.SUBSTRING,
        Builtin.RSUBSTRING,
    )
)
"""Built-in operators without a value on some arguments of their rank."""
_PARTIAL_ON_FLOATS = frozenset((Builtin.DIVIDE, Builtin.REMAINDER))
MAX_TRIED = 40
"""Instances of an equation that are evaluated to find a witness."""


def totality_obligations(cone: Cone, coverage: Coverage) -> list[Obligation]:
    """One obligation for each function with equations, and one for each use of a partial operator without a guard."""
    found: list[Obligation] = []
    occurrences = Occurrences(cone, coverage)
    gaps = {symbol: coverage.gap(symbol) for symbol in _defined(cone, coverage)}
    partial = frozenset(symbol for symbol, gap in gaps.items() if gap is not None and _is_about_data(cone, symbol))
    order = cone.module.signature.order
    claims = DomainClaims(cone, coverage.syntactic, lambda term: term.op in partial or is_partial(term, order))
    for symbol, axioms in cone.functions.items():
        if symbol in gaps:
            found.append(_of_function(occurrences, claims, symbol, gaps[symbol]))
        elif not axioms and _is_unexplained(cone, coverage, symbol):
            found.append(_without_equations(coverage, symbol))
    for axiom in cone.equations:
        found += _Uses(cone, coverage, axiom, claims).obligations()
    return found


def _defined(cone: Cone, coverage: Coverage) -> list[Symbol]:
    """The functions that equations are to define."""
    known = cone.functions.items()
    return [s for s, axioms in known if axioms and s.native is None and s not in coverage.values.builders]


def _is_about_data(cone: Cone, symbol: Symbol) -> bool:
    """Is it a function whose missing values are no choice of a model?"""
    return not cone.is_state_operator(symbol) and not cone.is_loose(symbol)


# --- functions


def _of_function(occurrences: Occurrences, claims: DomainClaims, symbol: Symbol, gap: Gap | None) -> Obligation:
    cone = occurrences.cone
    subject, place = symbol.name, cone.functions[symbol][0].span
    if gap is None:
        return Obligation(ObligationKind.COMPLETE, subject, Status.PROVED, place, evidence="all shapes are covered")
    on_states = cone.is_state_operator(symbol)
    has_states = _is_about_data(cone, symbol) and cone.ots is not None
    met = occurrences.met(symbol) if has_states else None
    if met is not None and not met:
        evidence = f"{show_plainly(gap.witness or gap.term)} has no value, and no equation asks for it"
        return Obligation(ObligationKind.COMPLETE, subject, Status.PROVED, place, evidence=evidence)
    if cone.is_loose(symbol) and not on_states:
        evidence = f"loose: {show_plainly(gap.term)} may be any value"
        return Obligation(ObligationKind.COMPLETE, subject, Status.PROVED, place, evidence=evidence)
    if gap.witness is not None and _may_build(cone, symbol):
        return _perhaps_a_constructor(symbol, gap.witness)
    if gap.witness is not None and not on_states:
        witness = show_plainly(gap.witness)
        hint = f"add 'eq {witness} = ... .'"
        place = symbol.decls[0].span
        return Obligation(
            ObligationKind.COMPLETE,
            subject,
            Status.REFUTED,
            place,
            witness=witness,
            hint=hint,
            claims=claims.of_all(met or ()),
        )
    return Obligation(
        ObligationKind.COMPLETE,
        subject,
        Status.OPEN,
        symbol.decls[0].span,
        missing=_described(gap),
        decisive=not cone.is_loose(symbol),
        claims=claims.of_all(met or ()),
    )


def _may_build(cone: Cone, symbol: Symbol) -> bool:
    """Is it an operator into a sort of its own module that has no constructors, so that nobody says what values are?"""
    decl = symbol.decls[0]
    if cone.is_state_operator(symbol) or cone.owners.get(decl) is not cone.homes.get(decl.coarity):
        return False
    into = (each for other in cone.module.signature.symbols() for each in other.decls if each.coarity is decl.coarity)
    return not any(each.attributes.constructor for each in into)


def _perhaps_a_constructor(symbol: Symbol, example: Term) -> Obligation:
    return Obligation(
        ObligationKind.COMPLETE,
        symbol.name,
        Status.OPEN,
        symbol.decls[0].span,
        missing=f"what {show_plainly(example)} is: no equation gives it a value, and {symbol.name} is no constructor",
        hint=f"declare {symbol.name} {{constr}}, or add 'eq {show_plainly(example)} = ... .'",
    )


def _described(gap: Gap) -> str:
    if gap.given_up:
        return f"{show_plainly(gap.term)} has too many cases"
    text = f"that {show_plainly(gap.witness or gap.term)} has a value"
    if not gap.conditions or gap.witness is not None:
        return text
    return f"{text}: is one of these always true? {', '.join(map(show_plainly, gap.conditions[:4]))}"


def _is_unexplained(cone: Cone, coverage: Coverage, symbol: Symbol) -> bool:
    """Is it an operator of a tight module without equations, into a sort whose module declares constructors?"""
    if symbol.native is not None or symbol.is_constructor or cone.is_state_operator(symbol) or cone.is_loose(symbol):
        return False
    home = cone.homes.get(symbol.decls[0].coarity)
    owner = cone.owners.get(symbol.decls[0])
    if home is None or owner is not home:
        return False
    return any(decl.attributes.constructor for _, decl in coverage.values.makers(symbol.decls[0].coarity))


def _without_equations(coverage: Coverage, symbol: Symbol) -> Obligation:
    args: list[Term] = []
    for sort in symbol.decls[0].arity:
        args.append(coverage.fresh(sort, args))
    return Obligation(
        ObligationKind.COMPLETE,
        symbol.name,
        Status.OPEN,
        symbol.decls[0].span,
        missing=f"what {show_plainly(symbol.make(tuple(args)))} is: it has no equations and is no constructor",
        hint=f"add equations for {symbol.name}, or declare it {{constr}}",
        decisive=False,
    )


# --- uses of partial operators


def is_partial(term: Term, order: SortOrder) -> bool:
    """May the application of a built-in operator, or one declared for smaller sorts, have no value?"""
    native = term.op.native
    if not term.ground and (native in _PARTIAL or (native in _PARTIAL_ON_FLOATS and term.sort.name == "Float")):
        return True
    return _leaves_domain(_with_values(term, order))


def _leaves_domain(term: Term) -> bool:
    return term.sort.is_error and bool(term.op.decls) and not term.op.polymorphic


def _with_values(term: Term, order: SortOrder) -> Term:
    """The term with variables for arguments that may lie outside of all sorts: of the sorts that values have there.

    Those arguments are looked at themselves.
    """
    if not any(arg.sort.is_error for arg in term.args):
        return term
    args = []
    for arg in term.args:
        shown = _with_values(arg, order)
        sort = _promised(shown, order) if _leaves_domain(shown) else None
        args.append(shown if sort is None else variable("V", sort))
    return term.op.make(tuple(args))


def _promised(term: Term, order: SortOrder) -> Sort | None:
    """The sort of all values that a partial operator may have; None if its declarations name no such sort."""
    kind = order.kind.get(term.sort)
    sorts = [decl.coarity for decl in term.op.decls if order.kind.get(decl.coarity) is kind]
    return next((sort for sort in sorts if all(order.leq(other, sort) for other in sorts)), None)


class _Uses:
    """The applications in one equation that may have no value."""

    def __init__(self, cone: Cone, coverage: Coverage, axiom: Axiom, claims: DomainClaims) -> None:
        self.cone = cone
        self.coverage = coverage
        self.axiom = axiom
        self.claims = claims
        self.order = cone.module.signature.order

    def obligations(self) -> Iterator[Obligation]:
        condition = self.axiom.condition
        found: dict[Term, list[tuple[Guard, ...]]] = {}
        sides: list[tuple[Term, tuple[Guard, ...]]] = [] if condition is None else [(condition, ())]
        sides.append((self.axiom.rhs, () if condition is None else ((condition, True),)))
        for side, guards in sides:
            for term, given in self._doubtful(side, guards):
                if not self._is_guarded(term, given):
                    found.setdefault(term, []).append(given)
        for term, places in found.items():
            yield self._gap(term, places)

    def _doubtful(self, term: Term, guards: tuple[Guard, ...]) -> Iterator[tuple[Term, tuple[Guard, ...]]]:
        """Applications outside of the operator's domain, with what is known to hold or not where they stand."""
        for place, arg in enumerate(term.args):
            yield from self._doubtful(arg, (*guards, *implied(term, place)))
        if is_partial(term, self.order):
            yield term, guards

    def _is_guarded(self, term: Term, guards: tuple[Guard, ...]) -> bool:
        """Do the guards exclude all arguments that lie outside of some rank of the operator?"""
        if not term.sort.is_error:
            return False
        if any(op in self.coverage.syntactic for formula, _ in guards for op in symbols_of(formula)):
            return False
        guards = tuple((by_value(formula, self.cone.connectives), holds) for formula, holds in guards)
        bindings = self._constants(term, guards)
        known = [Assumed(substitute(formula, bindings), holds) for formula, holds in guards]
        args = tuple(substitute(arg, bindings) for arg in term.args)
        return any(not decl.partial and self._fits(args, decl, known) for decl in term.op.decls)

    def _fits(self, args: tuple[Term, ...], decl: OpDecl, known: list[Assumed]) -> bool:
        for arg, sort in zip(args, decl.arity, strict=True):
            if self.order.leq(arg.sort, sort):
                continue
            outside = self._outside(arg, sort)
            if outside is None or not all(self._is_impossible(arg, shape, known) for shape in outside):
                return False
        return True

    def _outside(self, arg: Term, sort: Sort) -> list[Term] | None:
        """Shapes of values of the argument that are not of the sort; None if they cannot be told apart."""
        shapes = self.coverage.values.shapes(arg.sort)
        if shapes is None or not self.order.leq(sort, arg.sort):
            return None
        return [shape for shape in shapes if not self.order.leq(shape.sort, sort)]

    def _is_impossible(self, arg: Term, shape: Term, known: list[Assumed]) -> bool:
        used = [arg]
        bindings: dict[Term, Term] = {}
        for place in variables_of(shape):
            bindings[place] = self.coverage.fresh(place.sort, used)
            used.append(bindings[place])
        equal = self.cone.connectives.equal(arg, substitute(shape, bindings))
        try:
            case = Assumptions(self.coverage.bench).assuming([Assumed(equal, True), *known])
            return case.contradiction is not None
        except OtsrwError:
            return False

    def _constants(self, term: Term, guards: tuple[Guard, ...]) -> dict[Term, Term]:
        bindings: dict[Term, Term] = {}
        used: list[Term] = []
        for place in dict.fromkeys(v for t in (term, *(g for g, _ in guards)) for v in variables_of(t)):
            bindings[place] = self.coverage.fresh(place.sort, used)
            used.append(bindings[place])
        return bindings

    def _gap(self, term: Term, places: list[tuple[Guard, ...]]) -> Obligation:
        """The claim that a term has a value; `places` are the guards of all its uses that do not show it."""
        shown = show_plainly(term)
        witness = self._witness()
        if witness is not None:
            return Obligation(
                ObligationKind.COMPLETE,
                shown,
                Status.REFUTED,
                self.axiom.span,
                witness=witness,
                hint="guard it by a condition, or give its argument a smaller sort",
            )
        missing = f"that the arguments of {shown} are always in its domain"
        return Obligation(
            ObligationKind.COMPLETE,
            shown,
            Status.OPEN,
            self.axiom.span,
            missing=missing,
            hint="guard it by a condition, or give its argument a smaller sort",
            is_about_domain=True,
            claims=self.claims.of_all(self._met(term, places)),
        )

    def _met(self, term: Term, places: list[tuple[Guard, ...]]) -> list[PartialUse]:
        """How the uses may leave the domain of one rank of the operator; nothing if that cannot be said of any rank."""
        for decl in term.op.decls:
            gaps = None if decl.partial or not term.sort.is_error else self._values_outside(term, decl)
            if gaps:
                return [PartialUse(term.op, self.axiom, guards, (gap,)) for guards in places for gap in gaps]
        return []

    def _values_outside(self, term: Term, decl: OpDecl) -> list[Difference] | None:
        """The values of arguments that are not of the sorts of a rank; None if they are not finitely many."""
        found: list[Difference] = []
        for arg, sort in zip(term.args, decl.arity, strict=True):
            outside = [] if self.order.leq(arg.sort, sort) else self._outside(arg, sort)
            if outside is None or not all(shape.ground for shape in outside):
                return None
            found += [(arg, shape) for shape in outside]
        return found

    def _witness(self) -> str | None:
        """An instance of the left side whose normal form lies outside of all sorts."""
        places = variables_of(self.axiom.lhs)
        bench = self.coverage.bench
        choices = [[v for v in self.coverage.values.ground(place.sort) if v.ground] for place in places]
        for count, values in enumerate(product(*choices)):
            if count >= MAX_TRIED:
                return None
            start = substitute(self.axiom.lhs, dict(zip(places, values, strict=True)))
            try:
                value = bench.reduce(bench.rewriter(()), start)
            except OtsrwError:
                return None
            if value.ground and value.sort.is_error and not any(map(bench.is_constant, subterms(value))):
                return f"{show_plainly(start)} is {show_plainly(value)}, which has no value"
        return None
