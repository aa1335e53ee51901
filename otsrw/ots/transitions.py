"""Transitions with their parameters, effective conditions and effects, read from equations."""

from __future__ import annotations

from otsrw.ots.equations import ModuleEquations, distinct_variables, takes_all
from otsrw.ots.model import Case, Effect, StateOperator, Transition
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.theory.builtins import EQUALITIES, Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show
from otsrw.theory.signature import Signature
from otsrw.theory.terms import Term, variable, variables_of


class TransitionReader:
    """Reads the transitions of a module; `findings` are equations that it does not understand."""

    def __init__(self, equations: ModuleEquations, state: Term, observers: tuple[StateOperator, ...]) -> None:
        self.equations = equations
        self.signature = equations.signature
        self.state = state
        self.observers = observers
        self.findings: list[Diagnostic] = []

    def read(self, op: StateOperator) -> Transition:
        """The transition of an operator that gives a state."""
        parameters = self._parameters(op)
        idle_ones = [
            axiom
            for axiom in self.equations.of(op.symbol)
            if distinct_variables(axiom.lhs.args) and axiom.rhs is op.state_of(axiom.lhs)
        ]
        stated = [axiom for axiom in idle_ones if takes_all(op.symbol, axiom.lhs.args)]
        self.findings += [_for_some_only(op, axiom) for axiom in idle_ones if axiom not in stated]
        effects = tuple(self._effect(op, parameters, observer) for observer in self.observers)
        condition: Term | None = None
        span = op.symbol.decls[0].span
        if stated and all(axiom.condition is not None for axiom in stated):
            idle = []
            for axiom in stated:
                assert axiom.condition is not None
                renaming = {
                    op.state_of(axiom.lhs): self.state,
                    **dict(zip(op.indexes_of(axiom.lhs), parameters, strict=True)),
                }
                idle.append(substitute(axiom.condition, renaming))
            condition = _conjunction(self.signature, [_negation(self.signature, each) for each in idle])
            span = stated[0].span
        elif not stated:
            condition = self._implied_condition(effects)
        return Transition(op, parameters, condition, bool(stated), effects, span)

    def _parameters(self, op: StateOperator) -> tuple[Term, ...]:
        """Variables for the parameters, named as the equations name them."""
        for axiom in self.equations.of(op.symbol):
            if distinct_variables(axiom.lhs.args) and takes_all(op.symbol, axiom.lhs.args):
                return op.indexes_of(axiom.lhs)
        for observer in self.observers:
            for axiom in self.equations.of(observer.symbol):
                after = observer.state_of(axiom.lhs)
                if after.op is op.symbol and distinct_variables(after.args) and takes_all(op.symbol, after.args):
                    return op.indexes_of(after)
        return tuple(variable(f"Y{number}", sort) for number, sort in enumerate(op.indexes, 1))

    def _effect(self, op: StateOperator, parameters: tuple[Term, ...], observer: StateOperator) -> Effect:
        indexes = tuple(variable(f"X{number}#", sort) for number, sort in enumerate(observer.indexes, 1))
        cases = []
        for axiom in self.equations.of(observer.symbol):
            after = observer.state_of(axiom.lhs)
            if after.op is not op.symbol:
                continue
            places = (
                *zip(op.indexes_of(after), parameters, strict=True),
                *zip(observer.indexes_of(axiom.lhs), indexes, strict=True),
            )
            case = self._case(axiom, op.state_of(after), places)
            if case is None:
                self.findings.append(
                    Diagnostic(
                        "E505",
                        f"this equation for {observer.name} after {op.name} is not understood",
                        axiom.span,
                        f"write {observer.name}({op.name}({show(self.state)}, ...), ...) with variables as arguments",
                    )
                )
            else:
                cases.append(case)
        return Effect(observer, indexes, tuple(cases))

    def _case(self, axiom: Axiom, before: Term, places: tuple[tuple[Term, Term], ...]) -> Case | None:
        """An equation with its own variables replaced by the canonical ones; other arguments become guards."""
        if not before.op.variable or not self.signature.order.leq(self.state.sort, before.sort):
            return None
        renaming: dict[Term, Term] = {before: self.state}
        guards: list[Term] = []
        later: list[tuple[Term, Term]] = []
        for own, canonical in places:
            if own.op.variable and own not in renaming and self.signature.order.leq(canonical.sort, own.sort):
                renaming[own] = canonical
            else:
                later.append((own, canonical))
        for own, canonical in later:
            if any(v not in renaming for v in variables_of(own)):
                return None
            guards.append(self.signature.native(Builtin.EQUALS).make((canonical, substitute(own, renaming))))
        if axiom.condition is not None:
            guards.append(substitute(axiom.condition, renaming))
        return Case(_conjunction(self.signature, guards), substitute(axiom.rhs, renaming), axiom.span)

    def _implied_condition(self, effects: tuple[Effect, ...]) -> Term | None:
        """Without an equation t(S) = S: the transition is effective when some observer changes."""
        guards: dict[Term, None] = {}
        for effect in effects:
            unchanged = effect.observer.apply(self.state, effect.indexes)
            for case in effect.cases:
                if case.value is unchanged:
                    continue
                if case.guard is None or any(v in effect.indexes for v in variables_of(case.guard)):
                    return None
                guards[case.guard] = None
        if not guards:
            return None
        result, *others = guards
        for other in others:
            result = self.signature.native(Builtin.OR).make((result, other))
        return result


def _for_some_only(op: StateOperator, axiom: Axiom) -> Diagnostic:
    return Diagnostic(
        "E505",
        f"this equation says only for some arguments when {op.name} does nothing",
        axiom.span,
        f"use variables of the sorts that {op.name} is declared for, and ask for the others in the condition",
    )


def _negation(signature: Signature, term: Term) -> Term:
    false = signature.constants_named("false")[0].make(())
    if term.op.native is Builtin.NOT:
        return term.args[0]
    if term.op.native in EQUALITIES and false in term.args:
        return term.args[1] if term.args[0] is false else term.args[0]
    return signature.native(Builtin.NOT).make((term,))


def _conjunction(signature: Signature, terms: list[Term]) -> Term | None:
    if not terms:
        return None
    result = terms[0]
    for term in terms[1:]:
        result = signature.native(Builtin.AND).make((result, term))
    return result
