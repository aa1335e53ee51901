"""What the modules of a proof score add to the specification that the score is about.

The specification is the smallest module that the passages see in which every initial state and every transition is
declared and has its equations. A module outside of it may define operators of its own. Any other equation of such a
module is a claim about operators that have their meaning already: all passages rewrite with it, so it has to be proved.

Soundness. Claims are proved in the module as it is without any of them, so none proves itself. Each is proved by cases
or structural induction from the specification, the definitions, and claims that were proved before. So what passages
reduce to true with them holds without them. Whether definitions mean one thing is not asked here but by `check`, for
definitions of a score as for those of the specification.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from otsrw.ots.model import Ots
from otsrw.reasoning.lemma_book import LemmaBook
from otsrw.records import dataclass
from otsrw.theory.modules import Axiom, Imported, Module, as_terms_of
from otsrw.theory.terms import Attributes, OpDecl, Symbol, Term, symbols_of

if TYPE_CHECKING:
    from otsrw.reasoning.data_induction import DataProof


@dataclass(frozen=True, eq=False, slots=True)
class AddedEquations:
    """The claims of the module that passages open, and the module without them."""

    module: Module
    """What holds without the claims: the module itself if there are none."""
    claims: tuple[Axiom, ...]
    """Terms of the module without the claims, in the order of the text."""
    redeclared: tuple[OpDecl, ...]
    """Declarations that give an operator of another module attributes, which are equations, too."""


def added_equations(ots: Ots) -> AddedEquations:
    """What the module of an OTS says besides its specification."""
    specification = _specification(ots)
    known = set(specification.closure())
    added = [each for each in ots.module.closure() if each not in known and not each.is_system]
    claims = {each: found for each in added if (found := _claims(each))}
    redeclared = tuple(_redeclared(ots.module, added))
    if not claims:
        return AddedEquations(ots.module, (), redeclared)
    bare = _without(ots.module, claims, {})
    memo: dict[Term, Term] = {}
    moved = [as_terms_of(bare.signature, axiom, memo) for found in claims.values() for axiom in found]
    return AddedEquations(bare, tuple(moved), redeclared)


def _specification(ots: Ots) -> Module:
    """The first module, imports first, that knows all that the equations say of how states come about."""
    generators = {*ots.initials, *(each.operator.symbol for each in ots.transitions)}
    declared = {decl: symbol for symbol in generators for decl in symbol.decls}
    explained = _explained(ots.module.closure(), declared)
    for module in ots.module.closure():
        inner = module.closure()
        own = {decl for each in inner for decl in each.decls}
        if own.issuperset(declared) and explained <= _explained(inner, declared):
            return module
    return ots.module


def _explained(modules: Iterable[Module], declared: dict[OpDecl, Symbol]) -> set[Symbol]:
    """The generators that left sides of equations speak of."""
    found: set[Symbol] = set()
    for module in modules:
        for axiom in module.axioms:
            found.update(
                declared[decl] for symbol in symbols_of(axiom.lhs) for decl in symbol.decls if decl in declared
            )
    return found


def _claims(module: Module) -> list[Axiom]:
    """The equations of a module that define no operator of the module."""
    own = set(module.decls)
    return [each for each in module.axioms if not each.is_transition and not _is_definition(each, own)]


def _is_definition(axiom: Axiom, own: set[OpDecl]) -> bool:
    """Is the operator on top of the left side declared here alone? A variable is no operator."""
    return bool(axiom.lhs.op.decls) and own.issuperset(axiom.lhs.op.decls)


def _redeclared(module: Module, added: Iterable[Module]) -> Iterator[OpDecl]:
    for each in added:
        for decl in each.decls:
            symbol = module.signature.symbol_of(decl)
            if _is_theory(decl.attributes) and symbol is not None and not set(each.decls).issuperset(symbol.decls):
                yield decl


def _is_theory(attributes: Attributes) -> bool:
    return attributes.assoc or attributes.comm or attributes.idem or attributes.identity is not None


def _without(module: Module, claims: dict[Module, list[Axiom]], known: dict[Module, Module]) -> Module:
    """A module that says the same but for the claims of it and of the modules that it imports."""
    if module not in known:
        has_claims = any(each in claims for each in module.closure())
        known[module] = _rebuilt(module, claims, known) if has_claims else module
    return known[module]


def _rebuilt(module: Module, claims: dict[Module, list[Axiom]], known: dict[Module, Module]) -> Module:
    imports = [Imported(each.mode, _without(each.module, claims, known), each.alias) for each in module.imports]
    made = Module(
        module.name,
        module.kind,
        imports,
        module.decls,
        span=module.span,
        decided_equality=module.decided_equality,
        state_sort=module.state_sort,
    )
    names = {sort: alias for alias, sort in module.sort_aliases.items()}
    for sort in module.sorts:
        made.add_sort(sort, names.get(sort))
    for pair in module.subsorts:
        made.add_subsort(*pair)
    made.parameters = list(module.parameters)
    made.variables = dict(module.variables)
    refused = claims.get(module, [])
    memo: dict[Term, Term] = {}
    made.add_axioms(as_terms_of(made.signature, each, memo) for each in module.axioms if each not in refused)
    return made


def proved_claims(added: AddedEquations, book: LemmaBook, stated: Iterable[Symbol]) -> dict[Axiom, DataProof]:
    """The claims that are proved, whichever of them needs another one, or what operators state, or a new lemma."""
    proved: dict[Axiom, DataProof] = {}
    _prove(added.claims, book, proved, searches=False)
    if len(proved) < len(added.claims):
        book.prove_all_stated(stated)
        _prove(added.claims, book, proved, searches=False)
        _prove(added.claims, book, proved, searches=True)
    return proved


def _prove(claims: Iterable[Axiom], book: LemmaBook, proved: dict[Axiom, DataProof], searches: bool) -> None:
    todo, known = [each for each in claims if each not in proved], -1
    while todo and len(proved) > known:
        known = len(proved)
        for claim in todo:
            proof = book.prove_equation(claim, searches)
            if proof is not None:
                proved[claim] = proof
        todo = [each for each in todo if each not in proved]
