"""What recognition looks at: the equations of a module by their top operator, and the hints in its text."""

from __future__ import annotations

from otsrw.ots.hints import Hint, hints_of, modules_in
from otsrw.records import dataclass
from otsrw.syntax.source import NOWHERE
from otsrw.theory.modules import Axiom, Module, translated
from otsrw.theory.signature import Signature
from otsrw.theory.terms import Symbol, Term


@dataclass(frozen=True, eq=False, slots=True)
class ModuleEquations:
    """The equations of a module and of all it imports, in terms of its own signature."""

    module: Module
    by_symbol: dict[Symbol, list[Axiom]]
    hints: list[Hint]

    @property
    def signature(self) -> Signature:
        return self.module.signature

    def of(self, symbol: Symbol) -> list[Axiom]:
        """The equations whose left side has this operator on top."""
        return self.by_symbol.get(symbol, [])


def equations_of(module: Module) -> ModuleEquations:
    memo: dict[Term, Term] = {}
    by_symbol: dict[Symbol, list[Axiom]] = {}
    for owner, axiom in module.flat_axioms():
        if not axiom.is_transition:
            moved = translated(axiom, owner, module.signature, memo)
            by_symbol.setdefault(moved.lhs.op, []).append(moved)
    return ModuleEquations(module, by_symbol, hints_for(module))


def distinct_variables(terms: tuple[Term, ...]) -> bool:
    """Are the terms variables, each another one?"""
    return all(term.op.variable for term in terms) and len(set(terms)) == len(terms)


def takes_all(symbol: Symbol, variables: tuple[Term, ...]) -> bool:
    """Do the variables stand for all arguments that the operator is declared for? A variable of a subsort does not."""
    ranks = [zip(decl.arity, variables, strict=True) for decl in symbol.decls]
    return all(symbol.order.leq(sort, place.sort) for rank in ranks for sort, place in rank)


def hints_for(module: Module) -> list[Hint]:
    """The hints of the modules this one sees, a module's own last, then those after the last module of a text."""
    found: list[Hint] = []
    trailing: dict[Hint, None] = {}
    for inner in module.closure():
        if inner.span is NOWHERE or inner.is_system:
            continue
        source = inner.span.source
        places = modules_in(source)
        for hint in hints_of(source):
            home = next((start for start, end in places if end > hint.span.start), None)
            if home is None:
                trailing[hint] = None
            elif home == inner.span.start:
                found.append(hint)
    return [*found, *trailing]
