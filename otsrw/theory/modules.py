"""Modules, their axioms, and what a module sees through its imports.

A module owns sorts, operator declarations, variables and axioms; everything else it sees through imports. Axioms are
kept as terms of the signature of the module that declares them and are translated where they are imported. Their
order is CafeOBJ's: own axioms first, then those of the imports, the last import first, each axiom once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from otsrw.records import NamedTuple
from otsrw.syntax.source import NOWHERE, Span
from otsrw.theory.signature import Signature
from otsrw.theory.sorts import Sort, SortOrder
from otsrw.theory.terms import Attributes, OpDecl, Symbol, Term, variable

if TYPE_CHECKING:
    from otsrw.theory.morphisms import OpImage

Made = TypeVar("Made")


class Axiom(NamedTuple):
    """An equation or a transition rule; `condition` is None if it has none."""

    lhs: Term
    rhs: Term
    condition: Term | None
    is_transition: bool = False
    labels: tuple[str, ...] = ()
    executable: bool = True
    otherwise: bool = False
    span: Span = NOWHERE
    module: str = ""
    behavioural: bool = False
    """Declared by `beq` or `bceq`: used only where nothing but behavioural operators look."""

    @property
    def label(self) -> str:
        return self.labels[0] if self.labels else ""


class Imported(NamedTuple):
    """A module that another one imports; `alias` is the other name it has there, None if it has none."""

    mode: str
    module: Module
    alias: str | None = None


class FormalParameter(NamedTuple):
    """A parameter: its name and a private copy of the theory it must satisfy."""

    name: str
    theory: Module
    module: Module


class Origin(NamedTuple):
    """How an instance was made from a module: the images of sorts, operators and whole modules."""

    module: Module
    sorts: dict[Sort, Sort]
    decls: dict[OpDecl, OpImage]
    targets: dict[Module, Module]


class Declarations:
    """What a module itself declares. It is changed by the methods `add_...` only, which forget what depended on it."""

    def __init__(
        self, imports: Iterable[Imported] = (), decls: Iterable[OpDecl] = (), axioms: Iterable[Axiom] = ()
    ) -> None:
        self._imports = list(imports)
        self._sorts: list[Sort] = []
        self._subsorts: list[tuple[Sort, Sort]] = []
        self._sort_aliases: dict[str, Sort] = {}
        self._decls = list(decls)
        self._axioms = list(axioms)
        self._axiom_keys: set[tuple[Term, Term, Term | None]] | None = None

    @property
    def imports(self) -> Sequence[Imported]:
        return self._imports

    @property
    def sorts(self) -> Sequence[Sort]:
        return self._sorts

    @property
    def subsorts(self) -> Sequence[tuple[Sort, Sort]]:
        return self._subsorts

    @property
    def sort_aliases(self) -> Mapping[str, Sort]:
        """Other names of sorts."""
        return self._sort_aliases

    @property
    def decls(self) -> Sequence[OpDecl]:
        return self._decls

    @property
    def axioms(self) -> Sequence[Axiom]:
        return self._axioms

    def add_import(self, imported: Imported) -> None:
        self._imports.append(imported)
        self._imports_changed()

    def add_sort(self, sort: Sort, alias: str | None = None) -> None:
        """Declare a sort; `alias` is another name for it, None if it has only its own."""
        self._sorts.append(sort)
        if alias is not None:
            self._sort_aliases[alias] = sort
        self._sorts_changed()

    def add_subsort(self, lower: Sort, upper: Sort) -> None:
        self._subsorts.append((lower, upper))
        self._signature_changed()

    def remove_subsort(self, lower: Sort, upper: Sort) -> None:
        self._subsorts.remove((lower, upper))
        self._signature_changed()

    def add_operator(self, decl: OpDecl) -> None:
        self._decls.append(decl)
        self._signature_changed()

    def change_attributes(self, decl: OpDecl, attributes: Attributes) -> None:
        """Give an operator that is declared here other attributes."""
        decl.attributes = attributes
        self._signature_changed()

    def add_axioms(self, axioms: Iterable[Axiom]) -> None:
        """Declare axioms; they are terms of the signature of this module."""
        fresh = list(axioms)
        self._axioms += fresh
        if self._axiom_keys is not None:
            self._axiom_keys.update((a.lhs, a.rhs, a.condition) for a in fresh)
        self._axioms_changed()

    def has_axiom(self, lhs: Term, rhs: Term, condition: Term | None) -> bool:
        """Is this axiom declared here already? CafeOBJ adds no axiom twice."""
        if self._axiom_keys is None:
            self._axiom_keys = {(a.lhs, a.rhs, a.condition) for a in self._axioms}
        return (lhs, rhs, condition) in self._axiom_keys

    # --- what a change makes stale; a subclass that keeps results forgets them here

    def _imports_changed(self) -> None:
        self._sorts_changed()

    def _sorts_changed(self) -> None:
        self._signature_changed()

    def _signature_changed(self) -> None:
        self._axioms_changed()

    def _axioms_changed(self) -> None:
        """Nothing is kept here that depends on axioms."""


class Module(Declarations):
    """An evaluated module. It changes only while it is elaborated or open.

    What it sees is computed when asked for and kept until its own declarations change. Modules that it imports do
    not change any more: they were finished before.
    """

    def __init__(
        self,
        name: str,
        kind: str = "mod",
        imports: Iterable[Imported] = (),
        decls: Iterable[OpDecl] = (),
        axioms: Iterable[Axiom] = (),
        span: Span = NOWHERE,
        decided_equality: bool = False,
        state_sort: Sort | None = None,
    ) -> None:
        super().__init__(imports, decls, axioms)
        self.name = name
        self.kind = kind
        self.parameters: list[FormalParameter] = []
        self.variables: dict[str, Term] = {}
        self.lets: dict[str, Term] = {}
        self.declared_principal: Sort | None = None
        self.is_system = False
        self.origin: Origin | None = None
        """How it was made from another module; None if it is no instance."""
        self.span = span
        self.decided_equality = decided_equality
        """Is `a = b`, for ground values that no equation decides, decided by comparing them?"""
        self.state_sort = state_sort
        """The sort of states if `decided_equality` is for an OTS: their terms are not told from values."""
        self._closure: tuple[Module, ...] | None = None
        self._visible_sorts: dict[str, tuple[Sort, ...]] | None = None
        self._signature: Signature | None = None
        self._derived: dict[object, Any] = {}

    @property
    def is_tight(self) -> bool:
        return self.kind.endswith("!")

    def _imports_changed(self) -> None:
        self._closure = None
        super()._imports_changed()

    def _sorts_changed(self) -> None:
        self._visible_sorts = None
        super()._sorts_changed()

    def _signature_changed(self) -> None:
        self._signature = None
        super()._signature_changed()

    def _axioms_changed(self) -> None:
        self._derived.clear()

    def derived(self, make: Callable[[Module], Made]) -> Made:
        """What `make` makes of this module: made once, and kept until the module changes."""
        if make not in self._derived:
            self._derived[make] = make(self)
        made: Made = self._derived[make]
        return made

    # --- what is visible

    def closure(self) -> tuple[Module, ...]:
        """This module and all it imports, each once, imports first."""
        if self._closure is None:
            seen: dict[Module, None] = {}
            _visit(self, seen)
            self._closure = tuple(seen)
        return self._closure

    def visible_sorts(self) -> dict[str, tuple[Sort, ...]]:
        """Sorts by name, from everywhere."""
        if self._visible_sorts is None:
            found: dict[str, dict[Sort, None]] = {}
            for module in self.closure():
                for sort in module.sorts:
                    found.setdefault(sort.name, {})[sort] = None
                for name, sort in module.sort_aliases.items():
                    found.setdefault(name, {})[sort] = None
            self._visible_sorts = {name: tuple(sorts) for name, sorts in found.items()}
        return self._visible_sorts

    @property
    def signature(self) -> Signature:
        """Everything visible, flattened."""
        if self._signature is None:
            modules = self.closure()
            order = SortOrder(
                (sort for module in modules for sort in module.sorts),
                (pair for module in modules for pair in module.subsorts),
            )
            decls = (decl for module in modules for decl in module.decls)
            self._signature = Signature(order, decls, self.visible_sorts())
            _set_identities(self._signature)
        return self._signature

    @property
    def sees_behavioural_axioms(self) -> bool:
        """Is any visible axiom behavioural?"""
        return self.derived(_sees_behavioural_axioms)

    def principal_sort(self) -> Sort | None:
        """The declared principal sort, or the only visible sort that is not built in; None if there are several."""
        if self.declared_principal is not None:
            return self.declared_principal
        candidates = [s for module in self.closure() if not module.is_system for s in module.sorts]
        return candidates[0] if len(set(candidates)) == 1 else None

    def all_parameters(self) -> list[FormalParameter]:
        """Own parameters and those inherited by importing a parameterised module as it is."""
        found: dict[FormalParameter, None] = {}
        for parameter in self.parameters:
            found[parameter] = None
        for imported in self.imports:
            for parameter in imported.module.all_parameters():
                found[parameter] = None
        return list(found)

    def flat_axioms(self) -> list[tuple[Module, Axiom]]:
        """All visible axioms in the order in which they are tried, with the module whose signature they belong to."""
        return _flat_axioms(self, {})


def _visit(module: Module, seen: dict[Module, None]) -> None:
    """Put a module behind all it imports."""
    if module in seen:
        return
    for imported in module.imports:
        _visit(imported.module, seen)
    seen[module] = None


def _flat_axioms(module: Module, known: dict[Module, list[tuple[Module, Axiom]]]) -> list[tuple[Module, Axiom]]:
    if module in known:
        return known[module]
    # test_modules.py: "rules of several imports come in CafeOBJ's order"; docs/language.md, Meaning, Order
    inherited: dict[Axiom, Module] = {}
    for imported in module.imports:
        fresh = {axiom: owner for owner, axiom in _flat_axioms(imported.module, known) if axiom not in inherited}
        inherited = {**fresh, **inherited}
    flat = [(module, axiom) for axiom in module.axioms] + [(owner, axiom) for axiom, owner in inherited.items()]
    known[module] = flat
    return flat


def _sees_behavioural_axioms(module: Module) -> bool:
    return any(axiom.behavioural for inner in module.closure() for axiom in inner.axioms)


def _set_identities(signature: Signature) -> None:
    """An operator has the identity of a rank above all others; those of lower ranks, if they differ, are equations."""
    memo: dict[Term, Term] = {}
    leq = signature.order.leq
    for symbol in signature.own_symbols:
        found = {
            decl: signature.translate(decl.attributes.identity, memo)
            for decl in symbol.decls
            if decl.attributes.identity is not None and symbol.is_homogeneous
        }
        for decl, identity in found.items():
            if all(all(map(leq, other.arity, decl.arity)) for other in symbol.decls):
                symbol.set_identity(identity, not decl.attributes.identity_rules_only)
        lower = [(identity, decl.arity) for decl, identity in found.items() if identity is not symbol.identity]
        symbol.lower_identities = lower


def identity_axioms(signature: Signature) -> list[Axiom]:
    """What identities of lower ranks mean."""
    found = []
    for symbol in signature.symbols():
        for identity, (left, right) in symbol.lower_identities:
            x, y = variable("X", left), variable("Y", right)
            found += [
                Axiom(symbol.pattern(args), result, None) for args, result in (((x, identity), x), ((identity, y), y))
            ]
    return found


def translated(axiom: Axiom, owner: Module, signature: Signature, memo: dict[Term, Term]) -> Axiom:
    """An axiom of the module `owner` as terms of `signature`."""
    return axiom if owner.signature is signature else as_terms_of(signature, axiom, memo)


def as_terms_of(signature: Signature, axiom: Axiom, memo: dict[Term, Term]) -> Axiom:
    """An axiom whose terms may belong to another signature, as terms of this one."""
    condition = None if axiom.condition is None else signature.translate(axiom.condition, memo)
    lhs = signature.translate(axiom.lhs, memo)
    rhs = signature.translate(axiom.rhs, memo)
    if lhs is axiom.lhs and rhs is axiom.rhs and condition is axiom.condition:
        return axiom
    return axiom._replace(lhs=lhs, rhs=rhs, condition=condition)


def equations_by_symbol(module: Module) -> dict[Symbol, list[Axiom]]:
    """All equations a module sees, in order, by the operator at the top of their left sides."""
    memo: dict[Term, Term] = {}
    found: dict[Symbol, list[Axiom]] = {}
    for owner, axiom in module.flat_axioms():
        if not axiom.is_transition and axiom.executable:
            moved = translated(axiom, owner, module.signature, memo)
            found.setdefault(moved.lhs.op, []).append(moved)
    return found
