"""Modules, their axioms, and what a module sees through its imports.

A module owns sorts, operator declarations, variables and axioms; everything else it sees through imports. Axioms are
kept as terms of the signature of the module that declares them and are translated where they are imported. Their
order is CafeOBJ's: own axioms first, then those of the imports, the last import first, each axiom once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from otsrw.syntax.source import NOWHERE, Span
from otsrw.theory.signature import Signature
from otsrw.theory.sorts import Sort, SortOrder
from otsrw.theory.terms import OpDecl, Symbol, Term, variable


class Axiom(NamedTuple):
    """An equation or a transition rule. `match_condition` marks conditions with `:=` or `/\\`."""

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


class Import(NamedTuple):
    mode: str
    module: Module
    alias: str | None = None


class FormalParameter(NamedTuple):
    """A parameter: its name and a private copy of the theory it must satisfy."""

    name: str
    theory: Module
    module: Module


class Module:
    """An evaluated module. Mutable only while it is elaborated or open."""

    def __init__(
        self,
        name: str,
        kind: str = "mod",
        imports: Iterable[Import] = (),
        decls: Iterable[OpDecl] = (),
        axioms: Iterable[Axiom] = (),
        base: Module | None = None,
        span: Span = NOWHERE,
        decided_equality: bool = False,
    ) -> None:
        self.name = name
        self.kind = kind
        self.parameters: list[FormalParameter] = []
        self.imports = list(imports)
        self.sorts: list[Sort] = []
        self.subsorts: list[tuple[Sort, Sort]] = []
        self.decls = list(decls)
        self.variables: dict[str, Term] = {}
        self.lets: dict[str, Term] = {}
        self.axioms = list(axioms)
        self.sort_aliases: dict[str, Sort] = {}
        self.declared_principal: Sort | None = None
        self.is_system = False
        self.base = base
        """For an opened module: the module it extends with constants and equations only."""
        self.span = span
        self.decided_equality = decided_equality
        """Is `a = b`, for ground terms that no equation decides, decided by comparing normal forms?"""

    @property
    def is_tight(self) -> bool:
        return self.kind.endswith("!")

    # --- what is visible

    def closure(self) -> tuple[Module, ...]:
        """This module and all it imports, each once, imports first. Kept until another import is added."""
        cached: tuple[int, tuple[Module, ...]] | None = self.__dict__.get("_closure")
        if cached is None or cached[0] != len(self.imports):
            seen: dict[Module, None] = {}
            self._visit(seen)
            cached = self.__dict__["_closure"] = (len(self.imports), tuple(seen))
        return cached[1]

    def _visit(self, seen: dict[Module, None]) -> None:
        if self in seen:
            return
        for imported in self.imports:
            imported.module._visit(seen)
        seen[self] = None

    def visible_sorts(self) -> dict[str, tuple[Sort, ...]]:
        """Sorts by name, from everywhere. Kept until a sort or an import is added."""
        state = (len(self.imports), len(self.sorts), len(self.sort_aliases))
        cached: tuple[object, dict[str, tuple[Sort, ...]]] | None = self.__dict__.get("_visible_sorts")
        if cached is None or cached[0] != state:
            cached = self.__dict__["_visible_sorts"] = (state, self._find_visible_sorts())
        return cached[1]

    def _find_visible_sorts(self) -> dict[str, tuple[Sort, ...]]:
        found: dict[str, dict[Sort, None]] = {}
        for module in self.closure():
            for sort in module.sorts:
                found.setdefault(sort.name, {})[sort] = None
            for name, sort in module.sort_aliases.items():
                found.setdefault(name, {})[sort] = None
        return {name: tuple(sorts) for name, sorts in found.items()}

    @cached_property
    def signature(self) -> Signature:
        """Everything visible, flattened. Recomputed after `forget_signature`."""
        if self.base is not None:
            return self.base.signature
        modules = self.closure()
        order = SortOrder(
            (sort for module in modules for sort in module.sorts),
            (pair for module in modules for pair in module.subsorts),
        )
        signature = Signature(order, (decl for module in modules for decl in module.decls), self.visible_sorts())
        _set_identities(signature)
        return signature

    @cached_property
    def sees_behavioural_axioms(self) -> bool:
        """Is any visible axiom behavioural? Asked of finished modules only."""
        return any(axiom.behavioural for inner in self.closure() for axiom in inner.axioms)

    def forget_signature(self) -> None:
        self.__dict__.pop("signature", None)

    def principal_sort(self) -> Sort | None:
        """The declared principal sort, or the only visible sort that is not built in."""
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

    def has_axiom(self, lhs: Term, rhs: Term, condition: Term | None) -> bool:
        """Is this axiom declared here already? CafeOBJ adds no axiom twice."""
        cached: tuple[list[Axiom], int, set[object]] | None = self.__dict__.get("_axiom_keys")
        if cached is None or cached[0] is not self.axioms or cached[1] > len(self.axioms):
            cached = (self.axioms, 0, set())
        keys = cached[2]
        keys.update((a.lhs, a.rhs, a.condition) for a in self.axioms[cached[1] :])
        self.__dict__["_axiom_keys"] = (self.axioms, len(self.axioms), keys)
        return (lhs, rhs, condition) in keys

    # --- axioms in the order in which they are tried

    def flat_axioms(self) -> list[tuple[Module, Axiom]]:
        """All visible axioms with the module whose signature their terms belong to."""
        return self._flat({})

    def _flat(self, known: dict[Module, list[tuple[Module, Axiom]]]) -> list[tuple[Module, Axiom]]:
        if self in known:
            return known[self]
        inherited: dict[Axiom, Module] = {}
        for imported in self.imports:
            fresh = {axiom: module for module, axiom in imported.module._flat(known) if axiom not in inherited}
            inherited = {**fresh, **inherited}
        flat = [(self, axiom) for axiom in self.axioms] + [(module, axiom) for axiom, module in inherited.items()]
        known[self] = flat
        return flat


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
    """The axiom as terms of `signature`."""
    if owner.signature is signature:
        return axiom
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
