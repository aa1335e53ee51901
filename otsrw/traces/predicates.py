"""Predicates of classification written in the specification language.

A predicate is an operator `p : Sys ... Sys -> Bool`. Its arguments are states at increasing positions of a trace, each
given as the term of its last step: `send(S, p1, p2)` for a state that was reached with the label `send(p1,p2)`, an
initial state as itself. So equations can look at the observers of the state and, by matching, at the label. Nothing
else may be used: the state `S` before the step stands for any from which the label leads to the same observed values.

A predicate that one equation defines as a conjunction is taken apart, `sent(S) == sent(S') and by-intruder(S')` into a
part about two positions and a part about one. All that a part sees of `S` is what its subterms with no other state in
them reduce to, here `sent(S)`. Each part has to have a truth value.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from otsrw.ots import Instance, Ots
from otsrw.ots.formulas import unfold
from otsrw.ots.model import Invariant
from otsrw.rewriting.rewriter import Rewriter
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.modules import Imported, Module, translated
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show_briefly
from otsrw.theory.terms import Symbol, Term, symbols_of, variables_of
from otsrw.traces.constraints import Moment, Part, TracePredicate
from otsrw.traces.observed import ObservedGraph


def predicate_operators(module: Module, ots: Ots) -> list[Symbol]:
    """Operators on states only, with a truth value, that the OTS does not have and that no other one is defined by."""
    known = {decl for symbol in ots.module.signature.symbols() for decl in symbol.decls}
    for _, axiom in module.flat_axioms():
        known |= {decl for symbol in symbols_of(axiom.rhs) - {axiom.lhs.op} for decl in symbol.decls}
    found = []
    for symbol in module.signature.symbols():
        decl = symbol.decls[0]
        on_states = decl.arity and all(sort is ots.sort for sort in decl.arity)
        if on_states and decl.coarity.name == "Bool" and decl not in known:
            found.append(symbol)
    return found


class SpecifiedPredicates:
    """Evaluates operators of a module on the moments of a graph, by rewriting."""

    def __init__(self, instance: Instance, module: Module, graph: ObservedGraph) -> None:
        self._graph = graph
        imports = [Imported("pr", instance.module), Imported("pr", module)]
        sort = instance.ots.sort
        self._module = Module(module.name, "mod", imports, span=module.span, decided_equality=True, state_sort=sort)
        self._rewriter = Rewriter(self._module)
        self._memo: dict[Term, Term] = {}

    def predicate(self, symbol: Symbol, summary: bool) -> TracePredicate:
        decl = symbol.decls[0]
        own = next(s for s in self._module.signature.symbols() if decl in s.decls)
        arity = len(decl.arity)
        parts = tuple(self._part(conjunct, places) for conjunct, places in self._conjuncts(own))

        @cache
        def holds(*moments: Moment) -> bool:
            if parts:
                return all(part.holds(*(moments[place] for place in part.places)) for part in parts)
            return self._truth(own.make(tuple(map(self._term, moments))))

        return TracePredicate(symbol.name, holds, arity, summary, parts)

    def _conjuncts(self, symbol: Symbol) -> list[tuple[Term, dict[Term, int]]]:
        """The conjuncts of a predicate, each with the places of its variables; none if they are not told apart."""
        signature = self._module.signature
        defining = [
            translated(axiom, owner, signature, self._memo)
            for owner, axiom in self._module.flat_axioms()
            if set(axiom.lhs.op.decls) & set(symbol.decls)
        ]
        if len(defining) != 1 or defining[0].condition is not None:
            return []
        given = defining[0].lhs.args
        if len(set(given)) < len(given) or not all(argument.op.variable for argument in given):
            return []
        places = {variable: place for place, variable in enumerate(given)}
        found = []
        for conjunct in _conjoined(defining[0].rhs):
            asked = sorted(variables_of(conjunct), key=places.__getitem__)
            if not asked:
                return []
            found.append((conjunct, {variable: places[variable] for variable in asked}))
        return found

    def _part(self, formula: Term, places: dict[Term, int]) -> Part:
        variables = list(places)
        aspects = [list(dict.fromkeys(_aspects(formula, variable))) for variable in variables]

        @cache
        def reduced(aspect: Term, variable: Term, moment: Moment) -> Term:
            return self._rewriter.reduce(substitute(aspect, {variable: self._term(moment)})).term

        def sees(number: int, moment: Moment) -> tuple[Term, ...]:
            return tuple([reduced(aspect, variables[number], moment) for aspect in aspects[number]])

        @cache
        def holds(*moments: Moment) -> bool:
            return self._truth(substitute(formula, dict(zip(variables, map(self._term, moments), strict=True))))

        return Part(tuple(places.values()), holds, sees)

    def _term(self, moment: Moment) -> Term:
        step = self._graph.term(moment.label, tuple(moment.observers.values()))
        return self._module.signature.translate(step, self._memo)

    def _truth(self, term: Term) -> bool:
        value = self._rewriter.reduce(term).term
        if value.sort.name != "Bool" or value.op.name not in ("true", "false"):
            raise OtsrwError(
                "E513",
                f"the predicate {show_briefly(term)} is neither true nor false: it reduces to {show_briefly(value)}",
                hint="an equation for this case is missing",
            )
        return value.op.name == "true"


def property_variables(instance: Instance, invariant: Invariant) -> frozenset[str]:
    """Names of the observers that occur in an invariant, at all their indexes."""
    symbols = symbols_of(unfold(invariant.formula, instance.ots))
    return frozenset(slot.name for slot in instance.slots if slot.observer.symbol in symbols)


def _conjoined(formula: Term) -> Iterator[Term]:
    if formula.op.name == "_and_":
        for argument in formula.args:
            yield from _conjoined(argument)
    else:
        yield formula


def _aspects(formula: Term, variable: Term) -> Iterator[Term]:
    """The largest subterms that have this variable and no other one."""
    found = variables_of(formula)
    if found == [variable]:
        yield formula
    elif variable in found:
        for argument in formula.args:
            yield from _aspects(argument, variable)


def collected_arguments(instance: Instance) -> frozenset[str]:
    """Arguments of events that are collections: they are there to say that a collection has an element, `(M , NW)`."""
    signature = instance.module.signature
    collections = {d.coarity for s in signature.symbols() if s.has_theory and s.native is None for d in s.decls}
    return frozenset(
        f"{transition.name}.{number}"
        for transition in instance.ots.transitions
        for number, parameter in enumerate(transition.parameters, 1)
        if parameter.sort in collections
    )


def slots_named(instance: Instance, name: str) -> list[str]:
    """The variables that a user means: one slot, or all of an observer."""
    return [slot.name for slot in instance.slots if name in (slot.name, slot.observer.name)]
