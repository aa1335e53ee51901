"""Stronger lemmas: the smallest part of a case that no reachable state of a sample satisfies.

A necessary lemma excludes one case and is often not inductive. A subset of the case's literals that never holds
together in the sample is a stronger claim, which excludes the case as well, and usually many others. It is a guess:
if it turns out to be false, the next one is taken.
"""

from __future__ import annotations

from itertools import combinations, permutations

from otsrw.induction.cases import InductionCase, Predicate
from otsrw.induction.clauses import Clause, renamed
from otsrw.induction.kept import TruthTable
from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.connectives import Connectives, Literal
from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.workbench import Equation
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Module
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, variables_of

MAX_LITERALS = 14
MAX_SIZE = 5
MAX_SLOW_SIZE = 6
MAX_COMPARED = 5
"""Values of one sort that are compared with each other."""


def stronger_clauses(clause: Clause, tables: list[TruthTable], connectives: Connectives) -> list[Clause]:
    """Clauses made of fewer literals that hold in every state of the sample, the most promising first."""
    literals = clause.literals[:MAX_LITERALS]
    quick = all(table.can_tell(literal) for table in tables for literal in literals)
    found: list[frozenset[Literal]] = []
    fitting: list[Clause] = []
    for size in range(1, min(len(literals), MAX_SIZE if quick else MAX_SLOW_SIZE) + 1):
        for subset in combinations(literals, size):
            chosen = frozenset(subset)
            if any(smaller <= chosen for smaller in found) or not _says_something(subset, clause.state):
                continue
            candidate = _clause(clause, subset)
            predicate = Predicate("candidate", candidate.parameters, candidate.formula(connectives), (candidate,))
            if all(table.holds(predicate) for table in tables):
                found.append(chosen)
                fitting.append(candidate)
        if not quick and fitting:
            break
    return sorted(fitting, key=cost)


def comparisons(case: InductionCase, assumptions: Assumptions, relations: list[Symbol]) -> list[Equation]:
    """What the relations of the specification, such as an order, say about observed values in a case."""
    kind = case.bench.module.signature.order.kind
    observed = _observed(case, assumptions)
    truth = (case.bench.connectives.true, case.bench.connectives.false)
    truth_sorts = {value.sort for value in truth}
    found = []
    for relation in relations:
        values = [term for term in observed if kind[term.sort] is relation.arg_kinds[0]][:MAX_COMPARED]
        for left, right in permutations(values, 2):
            atom = relation.make((left, right))
            value = assumptions.reduce(atom)
            if value in truth:
                found.append(Equation(atom, value))
    for left, right in combinations(observed, 2):
        if (
            kind[left.sort] is kind[right.sort]
            and left.sort not in truth_sorts
            and not case.bench.constants_of(left.sort)
        ):
            if assumptions.reduce(left) is assumptions.reduce(right):
                found.append(Equation(left, right))
    return found


def _observed(case: InductionCase, assumptions: Assumptions) -> list[Term]:
    """Observations of the state before the transition that the case, or what it leads to, speaks of."""
    found: dict[Term, None] = {}
    todo = [t for e in assumptions.equations for t in (e.left, e.right)]
    while todo:
        term = todo.pop()
        if case.state in term.args and not case.bench.is_constant(term):
            found[term] = None
        todo += term.args
    return sorted(found, key=size_and_text)


def relations_of(module: Module, boolean: Sort) -> list[Symbol]:
    """Predicates on two values of one kind."""
    return [
        symbol
        for symbol in module.signature.symbols()
        if symbol.nargs == 2
        and symbol.decls
        and symbol.decls[0].coarity is boolean
        and symbol.arg_kinds[0] is symbol.arg_kinds[1]
        and symbol.arg_kinds[0] is not None
        and symbol.decls[0].arity[0] is not boolean
        and symbol.native in (None, Builtin.LESS, Builtin.LESS_EQUAL)
    ]


def _says_something(literals: tuple[Literal, ...], state: Term) -> bool:
    return any(state in variables_of(literal.atom) for literal in literals)


def _clause(clause: Clause, literals: tuple[Literal, ...]) -> Clause:
    """The clause of some of the literals, its variables named as if the others had never been there."""
    used = dict.fromkeys(v for literal in literals for v in variables_of(literal.atom) if v is not clause.state)
    taken = {clause.state.op.name}
    renaming = {variable: renamed(variable, taken) for variable in used}
    kept = tuple(Literal(substitute(literal.atom, renaming), literal.positive) for literal in literals)
    return Clause(clause.state, kept, tuple(renaming.values()))


def cost(clause: Clause) -> tuple[int, int, int, int, int, int, str]:
    """Fewer literals that compute with observed values, or compare them, fewer variables, fewer observers first."""
    observers: set[Symbol] = set()
    size = computing = 0
    compared = sum(_compares(literal.atom, clause.state) for literal in clause.literals)
    for literal in clause.literals:
        todo = list(literal.atom.args) if clause.state not in literal.atom.args else [literal.atom]
        computing += any(clause.state not in term.args and clause.state in variables_of(term) for term in todo)
        while todo:
            term = todo.pop()
            size += 1
            if clause.state in term.args:
                observers.add(term.op)
            todo += term.args
    text = "".join(size_and_text(literal.atom)[1] for literal in clause.literals)
    return computing, len(clause.literals), compared, len(clause.parameters), len(observers), size, text


def _compares(atom: Term, state: Term) -> bool:
    return atom.op.native is not Builtin.EQUALS and len(atom.args) == 2 and all(state in arg.args for arg in atom.args)
