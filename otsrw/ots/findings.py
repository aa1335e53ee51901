"""What is wrong, or odd, about an OTS as it was recognised."""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.ots.equations import ModuleEquations
from otsrw.ots.frames import frame_equation
from otsrw.ots.model import Effect, Ots, StateOperator, Transition
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.theory.terms import Symbol


def findings_of(
    equations: ModuleEquations, ots: Ots, functions: list[StateOperator], conditions: set[Symbol]
) -> Iterator[Diagnostic]:
    """All findings in order.

    `functions` are the operators on states that give no state; `conditions` are the operators in effective conditions.
    """
    yield from _about_state_operators(equations, ots)
    if not ots.initials:
        message = f"there is no initial state: no constant of sort {ots.sort.name}"
        yield Diagnostic("E506", message, equations.module.span)
    yield from _about_initial_values(equations, ots)
    for transition in ots.transitions:
        for effect in transition.effects:
            if not effect.cases:
                yield _undefined(ots, transition, effect)
            yield from _about_disagreement(transition, effect)
    for op in functions:
        if op.name.startswith("c-") and op.symbol not in conditions:
            yield _about(op, "W503", f"the effective condition {op.name} is never used")
        if op not in ots.observers and op.symbol not in equations.by_symbol:
            yield _about(op, "W504", f"{op.name} has no equation at all")


def _about(op: StateOperator, code: str, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(code, message, op.symbol.decls[0].span, hint)


def _about_state_operators(equations: ModuleEquations, ots: Ots) -> Iterator[Diagnostic]:
    """Every operator that gives a state must be an initial state, a transition, or an abbreviation of some."""
    kind = equations.signature.order.kind
    moving = {transition.operator.symbol for transition in ots.transitions}
    for symbol in equations.signature.symbols():
        if symbol.native is not None or symbol.kind is not kind[ots.sort] or symbol in moving:
            continue
        decl = symbol.decls[0]
        states = sum(kind.get(sort) is symbol.kind for sort in decl.arity)
        if states > 1 or (states == 1 and not (decl.coarity is ots.sort and ots.sort in decl.arity)):
            message = f"{symbol.name} is no transition: it must take one {ots.sort.name} and give one"
            yield Diagnostic("E522", message, decl.span)
        elif states == 1:
            yield Diagnostic("W506", f"{symbol.name} abbreviates transitions: it is no step of its own", decl.span)


def _about_initial_values(equations: ModuleEquations, ots: Ots) -> Iterator[Diagnostic]:
    for observer in ots.observers:
        defined = {observer.state_of(a.lhs).op for a in equations.of(observer.symbol)}
        for initial in ots.initials:
            if initial not in defined:
                message = f"{observer.name} has no equation for the initial state {initial.name}"
                yield _about(observer, "W502", message, "it may have any value there; if not, add an equation")


def _undefined(ots: Ots, transition: Transition, effect: Effect) -> Diagnostic:
    frame = frame_equation(ots, transition, effect)
    changed, _, _ = frame.partition(" = ")
    return _about(
        transition.operator,
        "E507",
        f"{transition.name} does not define {effect.observer.name}",
        f"add '{changed} = ... .' or, if it does not change, '{frame}'; '-- @ frame' makes all such equations",
    )


def _about_disagreement(transition: Transition, effect: Effect) -> Iterator[Diagnostic]:
    for number, case in enumerate(effect.cases):
        for earlier in effect.cases[:number]:
            if earlier.guard is case.guard and earlier.value is not case.value:
                yield Diagnostic(
                    "E508",
                    f"two equations disagree about {effect.observer.name} after {transition.name}",
                    case.span,
                    "give them conditions that exclude each other",
                    (f"the other one: {earlier.span}",),
                )
