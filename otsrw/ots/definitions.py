"""State functions that one equation defines for every state, and which of them are invariant candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.ots.equations import ModuleEquations, distinct_variables, takes_all
from otsrw.ots.model import Definition, Invariant, StateOperator
from otsrw.syntax.diagnostics import Diagnostic, did_you_mean
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Symbol, Term

Definitions = dict[Symbol, Definition]


def definitions_of(equations: ModuleEquations, state: Term, operators: Iterable[StateOperator]) -> Definitions:
    """The operators that have one unconditional equation for any state and any arguments, and rewriting uses it.

    It does not if the right side has a variable that the left side lacks.
    """
    found = {op.symbol: _definition(equations, state, op) for op in operators}
    return {symbol: definition for symbol, definition in found.items() if definition is not None}


def _definition(equations: ModuleEquations, state: Term, op: StateOperator) -> Definition | None:
    axioms = equations.of(op.symbol)
    if len(axioms) != 1 or axioms[0].condition is not None or not axioms[0].executable:
        return None
    lhs = axioms[0].lhs
    if not distinct_variables(lhs.args) or not takes_all(op.symbol, lhs.args):
        return None
    renaming = {op.state_of(lhs): state}
    return Definition(op, op.indexes_of(lhs), substitute(axioms[0].rhs, renaming))


def invariants_of(
    equations: ModuleEquations, functions: list[StateOperator], definitions: Definitions, conditions: set[Symbol]
) -> tuple[Invariant, ...]:
    """Defined predicates that a hint names, or that are neither used in effective conditions nor named like one."""
    named = {hint.name for hint in equations.hints if hint.kind in ("invariant", "lemma")}
    found = []
    for op in functions:
        definition = definitions.get(op.symbol)
        if definition is None or op.value.name != "Bool":
            continue
        if op.name in named or (op.symbol not in conditions and not op.name.startswith("c-")):
            span = equations.of(op.symbol)[0].span
            found.append(Invariant(op, definition.parameters, definition.body, span))
    return tuple(found)


def unknown_names(equations: ModuleEquations, invariants: tuple[Invariant, ...]) -> Iterator[Diagnostic]:
    """Hints that name an invariant or a lemma that is none."""
    known = [invariant.name for invariant in invariants]
    for hint in equations.hints:
        if hint.kind in ("invariant", "lemma") and hint.name not in known:
            yield Diagnostic(
                "E504",
                f"{hint.name!r} is no state predicate with one defining equation",
                hint.span,
                did_you_mean(hint.name, known) or "write 'op inv : Sys ... -> Bool' and 'eq inv(S, ...) = ...'",
            )
