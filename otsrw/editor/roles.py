"""Which operators of a module are observers, transitions, invariants and constructors."""

from __future__ import annotations

from enum import Enum

from otsrw.ots.model import Ots
from otsrw.ots.recognise import recognise
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.modules import Module
from otsrw.theory.opened import OpenModule
from otsrw.theory.terms import OpDecl, Symbol


class OperatorRole(Enum):
    """What an operator is in an OTS or in its data."""

    OBSERVER = "observer"
    TRANSITION = "transition"
    INVARIANT = "invariant"
    INITIAL = "initial state"
    CONSTRUCTOR = "constructor"


OperatorRoles = dict[OpDecl, OperatorRole]


def ots_of(module: Module) -> Ots | None:
    """The OTS that a module specifies, None if it is none; it is found once."""
    return module.derived(_ots)


def _ots(module: Module) -> Ots | None:
    if module.all_parameters() or module.is_system:
        return None
    try:
        return recognise(module)
    except OtsrwError:
        return None


def roles_in(module: Module) -> OperatorRoles:
    """The operators of a module that have a role; those of a passage are those of the module it opens."""
    return (module.base if isinstance(module, OpenModule) else module).derived(_roles)


def _roles(module: Module) -> OperatorRoles:
    found: OperatorRoles = {}
    ots = ots_of(module)
    if ots is not None:
        groups: list[tuple[OperatorRole, list[Symbol]]] = [
            (OperatorRole.INITIAL, list(ots.initials)),
            (OperatorRole.OBSERVER, [each.symbol for each in ots.observers]),
            (OperatorRole.TRANSITION, [each.operator.symbol for each in ots.transitions]),
            (OperatorRole.INVARIANT, [each.operator.symbol for each in ots.invariants]),
        ]
        for role, symbols in groups:
            found.update((decl, role) for symbol in symbols for decl in symbol.decls)
    for inner in module.closure():
        for decl in inner.decls:
            if decl.attributes.constructor:
                found.setdefault(decl, OperatorRole.CONSTRUCTOR)
    return found


def role_of(symbol: Symbol, module: Module) -> OperatorRole | None:
    """The role of an operator in a module; None if it is a plain function."""
    roles = roles_in(module)
    return next((roles[decl] for decl in symbol.decls if decl in roles), None)
