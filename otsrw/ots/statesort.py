"""Which sort of a module is the state sort, and which operators take a state."""

from __future__ import annotations

from otsrw.ots.equations import ModuleEquations
from otsrw.ots.model import StateOperator
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.modules import Module
from otsrw.theory.sorts import Sort

_USUAL_NAMES = ("Sys", "State", "System", "Protocol", "Hotel")


def state_sort(equations: ModuleEquations) -> Sort:
    """The sort that a hint names, else the likeliest that has all that states need; raises if there is none."""
    named = [hint for hint in equations.hints if hint.kind == "state"]
    candidates = [sort for sort in equations.signature.order.sorts if _may_be_state(equations, sort)]
    if named:
        hinted = [sort for sort in equations.signature.order.sorts if sort.name == named[-1].name]
        if not hinted:
            raise OtsrwError("E502", f"there is no sort {named[-1].name!r}", named[-1].span)
        return hinted[-1]
    if not candidates:
        raise OtsrwError(
            "E503",
            f"module {equations.module.name} is not an observational transition system",
            equations.module.span,
            "it needs a state sort with an initial state, transitions 'Sys ... -> Sys' and observers 'Sys ... -> D'"
            " with equations; '-- @ state Sort' names the sort",
        )
    return max(candidates, key=lambda sort: _likelihood(equations.module, sort))


def _may_be_state(equations: ModuleEquations, sort: Sort) -> bool:
    initial = moving = observed = False
    for symbol in equations.signature.symbols():
        decl = symbol.decls[0] if symbol.decls else None
        if decl is None or symbol.native is not None:
            continue
        states = decl.arity.count(sort)
        if decl.coarity is sort:
            initial = initial or states == 0
            moving = moving or (states == 1 and not symbol.assoc)
        elif states == 1:
            observed = observed or any(
                argument.op.decls and argument.op.decls[0].coarity is sort and not argument.op.variable
                for axiom in equations.of(symbol)
                for argument in axiom.lhs.args
            )
    return initial and moving and observed


def _likelihood(module: Module, sort: Sort) -> tuple[bool, bool, bool, bool, int]:
    own = sort in module.sorts
    home = next((m for m in module.closure() if sort in m.sorts), module)
    return sort.hidden, sort.name in _USUAL_NAMES, not home.is_tight, own, sort.number


def state_operators(equations: ModuleEquations, sort: Sort) -> list[StateOperator]:
    """The operators with one argument of the state sort."""
    found = []
    for symbol in equations.signature.symbols():
        if symbol.native is not None or not symbol.decls:
            continue
        decl = symbol.decls[0]
        if decl.arity.count(sort) == 1:
            place = decl.arity.index(sort)
            indexes = decl.arity[:place] + decl.arity[place + 1 :]
            found.append(StateOperator(symbol, place, indexes, decl.coarity))
    return found
