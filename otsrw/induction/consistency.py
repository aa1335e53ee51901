"""Which equations make a proof by reduction worthless.

`==`, `=/=` and `:is` look at how terms are written, and an equation marked `owise` is used when others do not match:
`i == j` is false for two constants that may stand for the same process. A reduction to true then proves nothing.

The same goes for equations that depend on their order. CafeOBJ tries them in order, and people rely on it:
`X in (X , S) = true` before `X in (Y , S) = X in S`. On values that is harmless. In a proof it is not: for unknown x
and y the first equation does not match, the second one does, and the case x = y is lost. So overlapping equations of
one operator are compared on small ground terms; two results for one term make every proof worthless. The comparison is
a test, not a proof: it finds what depends on order in small examples.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from otsrw.ots.instance import Instance
from otsrw.ots.stepping import Stepper
from otsrw.rewriting.matching import Matcher
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import LITERAL_SORTS, SYNTACTIC_TESTS, Builtin
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, literal_of, subterms, variables_of

MAX_VALUES = 5
MAX_INSTANCES = 60
MAX_STATES = 12
MAX_ACTIONS = 6


_SYNTACTIC = frozenset((*SYNTACTIC_TESTS, Builtin.IS, Builtin.BEHAVES, Builtin.SEARCH))


def why_no_proof(module: Module, instance: Instance | None) -> str | None:
    """Why reductions of terms with fresh constants prove nothing in this module, if so; the order needs an instance."""
    for owner, axiom in module.flat_axioms():
        if axiom.lhs.op.native is Builtin.BEHAVES:
            continue
        if not owner.is_system and (axiom.otherwise or any(map(_is_syntactic, (axiom.rhs, axiom.condition)))):
            return f"{_place(axiom)}: no proof can rely on ==, =/=, =*=, :is, search or owise"
    ordered = None if instance is None else order_dependence(instance)
    if ordered is None:
        return None
    return f"no proof can rely on the order of equations: {' and '.join(map(_place, ordered))} disagree"


def _is_syntactic(term: Term | None) -> bool:
    return term is not None and any(part.op.native in _SYNTACTIC for part in subterms(term))


def _place(axiom: Axiom) -> str:
    return f"{axiom.span.source.name}:{axiom.span.line}"


def order_dependence(instance: Instance) -> tuple[Axiom, Axiom] | None:
    """Two equations that give different values to one ground term, if small terms show it."""
    return _Comparison(instance).find()


class _Comparison:
    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.matcher = Matcher(instance.module.signature.order)
        self._values: dict[Sort, list[Term]] = {}

    def find(self) -> tuple[Axiom, Axiom] | None:
        for symbol, axioms in self.instance.rules.items():
            if symbol.native is not None and symbol.native is not Builtin.EQUALS:
                continue
            if self.instance.ots.sort in symbol.decls[0].arity or len(axioms) < 2:
                continue
            for axiom in axioms:
                other = self._disagreeing(axiom, axioms)
                if other is not None:
                    return axiom, other
        return self._observations()

    def _observations(self) -> tuple[Axiom, Axiom] | None:
        """The same for observers, after every action that is possible in some reachable states."""
        stepper = Stepper(self.instance)
        states = stepper.initial_states()[:2]
        for state in states:
            if len(states) < MAX_STATES:
                states += [after for _, after in islice(stepper.successors(state), MAX_STATES - len(states))]
        for state in states:
            for transition in stepper.ots.transitions:
                for action in islice(stepper.actions(transition, state), MAX_ACTIONS):
                    found = self._observed_twice(stepper.apply(action, state).history)
                    if found is not None:
                        return found
        return None

    def _observed_twice(self, after: Term) -> tuple[Axiom, Axiom] | None:
        for slot in self.instance.slots:
            term = slot.observer.apply(after, slot.indexes)
            results: list[tuple[Axiom, Term]] = []
            for axiom in self.instance.rules.get(slot.observer.symbol, ()):
                bindings = next(self.matcher.match(axiom.lhs, term, {}), None)
                value = None if bindings is None else self._value(axiom, bindings)
                if value is not None:
                    results.append((axiom, value))
            for axiom, value in results[1:]:
                if value is not results[0][1]:
                    return results[0][0], axiom
        return None

    def _disagreeing(self, axiom: Axiom, axioms: list[Axiom]) -> Axiom | None:
        for bindings in islice(self._bindings(variables_of(axiom.lhs)), MAX_INSTANCES):
            term = substitute(axiom.lhs, bindings)
            if term.op is not axiom.lhs.op:
                continue
            try:
                value = self._value(axiom, bindings)
                for other in axioms:
                    if other is axiom or value is None:
                        continue
                    found = next(self.matcher.match(other.lhs, term, {}), None)
                    second = None if found is None else self._value(other, found)
                    if second is not None and second is not value:
                        return other
            except BudgetExceeded:
                continue
        return None

    def _value(self, axiom: Axiom, bindings: dict[Term, Term]) -> Term | None:
        """The value of the right side, if the condition holds."""
        if axiom.condition is not None:
            condition = self.instance.normal_form(substitute(axiom.condition, bindings))
            if condition is not self.instance.connectives.true:
                return None
        return self.instance.normal_form(substitute(axiom.rhs, bindings))

    def _bindings(self, variables: list[Term]) -> Iterator[dict[Term, Term]]:
        for values in product(*[self._small(v.sort) for v in variables]):
            yield dict(zip(variables, values, strict=True))

    def _small(self, sort: Sort) -> list[Term]:
        """A few values of a sort: entities, numbers, or constructor terms, small ones first."""
        found = self._values.get(sort)
        if found is None:
            self._values[sort] = []
            found = self._values[sort] = self._made(sort)
        return found

    def _made(self, sort: Sort) -> list[Term]:
        domain = self.instance.domain(sort)
        if domain is not None:
            return list(domain[:3])
        order = self.instance.module.signature.order
        if sort in LITERAL_SORTS.values():
            return [n for n in map(literal_of, (0, 1, 2)) if order.leq(n.sort, sort)] if _has_numbers() else []
        found: dict[Term, None] = {}
        makers = [s for s in self.instance.module.signature.symbols() if self._makes(s, sort)]
        for _ in range(2):
            for symbol in sorted(makers, key=lambda s: s.nargs):
                for decl in symbol.decls:
                    if not order.leq(decl.coarity, sort):
                        continue
                    parts = [list(found) or self._small(a) if a is sort else self._small(a) for a in decl.arity]
                    for args in islice(product(*parts), MAX_VALUES):
                        found[self.instance.normal_form(symbol.make(args))] = None
            for lower in sorted(order.below[sort] - {sort}, key=lambda s: s.number):
                found.update(dict.fromkeys(self._small(lower)[:2]))
        return list(found)[: MAX_VALUES + 2]

    def _makes(self, symbol: Symbol, sort: Sort) -> bool:
        order = self.instance.module.signature.order
        if symbol.native is not None or not symbol.decls or self.instance.ots.sort in symbol.decls[0].arity:
            return False
        free = symbol not in self.instance.rules or symbol.is_constructor
        return free and any(order.leq(d.coarity, sort) for d in symbol.decls)


def _has_numbers() -> bool:
    return "Zero" in LITERAL_SORTS
