"""Axioms of loose modules that are no rewrite rules, as lemmas that need no proof: `<=` is transitive, for instance.

A loose module says what its models have in common, and nothing can be proved by induction on elements that nobody
built. So what it states holds in each of them, whether rewriting can use it or not. Nothing of the kind is taken from
a tight module, or is about an operator of one: there a statement follows from the equations, or contradicts them.
"""

from __future__ import annotations

from itertools import islice, product

from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.data_lemmas import DataLemma
from otsrw.reasoning.workbench import Workbench
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import CONNECTIVES, Builtin
from otsrw.theory.modules import Axiom, Module, translated
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import OpDecl, Term, subterms, symbols_of, variables_of

MAX_INSTANCES = 200
"""Instances of a law that are tried."""


def laws_of(module: Module, state_sort: Sort | None) -> list[DataLemma]:
    """The laws that loose modules state about their own operators, without any about states."""
    connectives = Connectives(module.signature)
    owners = {decl: owner for owner in module.closure() for decl in owner.decls}
    loose = {sort for owner in module.closure() if not owner.is_tight and not owner.is_system for sort in owner.sorts}
    names = {symbol.name for symbol in module.signature.symbols()}
    found: list[DataLemma] = []
    for owner, axiom in module.flat_axioms():
        if axiom.executable or axiom.is_transition or axiom.behavioural or owner.is_tight or owner.is_system:
            continue
        moved = translated(axiom, owner, module.signature, {})
        formula = law_formula(moved, connectives)
        if formula is not None and _is_about_loose(formula, owners, loose, state_sort):
            name = _free_name(axiom, names)
            names.add(name)
            found.append(DataLemma(name, tuple(variables_of(formula)), formula, None, False, owner.name, axiom.span))
    return found


def law_formula(axiom: Axiom, connectives: Connectives) -> Term | None:
    """What an equation says, as a formula; None if it is of an error sort."""
    left, right = axiom.lhs, axiom.rhs
    if right is connectives.true:
        said = left
    elif right is connectives.false:
        said = connectives.negate(left)
    elif left.sort is connectives.true.sort:
        said = connectives.symbol(Builtin.IFF).make((left, right))
    else:
        said = connectives.equal(left, right)
    if axiom.condition is not None:
        said = connectives.symbol(Builtin.IMPLIES).make((axiom.condition, said))
    return None if said.sort is not connectives.true.sort else said


def _is_about_loose(formula: Term, owners: dict[OpDecl, Module], loose: set[Sort], state_sort: Sort | None) -> bool:
    """Does a law speak of operators of loose modules, or of nothing but elements of their sorts?"""
    for part in subterms(formula):
        if part.sort is state_sort or part.sort.hidden or part.sort.is_error:
            return False
    operators = []
    for symbol in symbols_of(formula):
        if symbol.variable or symbol.native in CONNECTIVES or symbol.native is Builtin.EQUALS or not symbol.decls:
            continue
        if symbol.native is not None or any(owners[d].is_tight for d in symbol.decls if d in owners):
            return False
        operators.append(symbol)
    return bool(operators) or all(variable.sort in loose for variable in variables_of(formula))


def _free_name(axiom: Axiom, names: set[str]) -> str:
    label = next((label for label in axiom.labels if not label.startswith(":")), "axiom")
    name, number = label, 1
    while name in names:
        number += 1
        name = f"{label}{number}"
    return name


def refuting_instance(law: DataLemma, bench: Workbench) -> Term | None:
    """An instance of a law, for constants of the module, that the equations make false; None if none was found."""
    order = bench.module.signature.order
    constants = [
        symbol.make(()) for symbol in bench.module.signature.symbols() if symbol.decls and not symbol.decls[0].arity
    ]
    choices = [[term for term in constants if order.leq(term.sort, v.sort)] for v in law.variables]
    rewriter = bench.rewriter(())
    for values in islice(product(*choices), MAX_INSTANCES):
        instance = substitute(law.formula, dict(zip(law.variables, values, strict=True)))
        try:
            if bench.reduce(rewriter, instance) is bench.connectives.false:
                return instance
        except OtsrwError:
            continue
    return None
