"""Renaming and instantiation: copies of modules along a map of sorts and operators.

`Morphism.image(module)` copies a module and those of its imports that are touched by the map; everything else is
shared. Copies are memoised by what they were made from, so the same instance written twice is one module.
"""

from __future__ import annotations

from collections.abc import Callable

from otsrw.records import NamedTuple
from otsrw.theory.modules import Axiom, FormalParameter, Imported, Module
from otsrw.theory.signature import Signature
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, OpDecl, Term, literal_of, variable


class Derived(NamedTuple):
    """An operator mapped to a term with the operator's arguments as variables."""

    variables: tuple[Term, ...]
    body: Term


OpImage = OpDecl | Derived

Substitution = dict[Term, Term]
"""Terms by the variables they stand for."""


class Morphism:
    """Maps sorts, operator declarations and whole modules; `sort_names` and `op_names` give copies other names."""

    def __init__(
        self,
        label: Callable[[Module], str],
        sorts: dict[Sort, Sort] | None = None,
        decls: dict[OpDecl, OpImage] | None = None,
        modules: dict[Module, Module] | None = None,
        sort_names: dict[Sort, str] | None = None,
        op_names: dict[OpDecl, tuple[str, ...]] | None = None,
    ) -> None:
        self.label = label
        self.sorts = dict(sorts or {})
        self.decls: dict[OpDecl, OpImage] = dict(decls or {})
        self.modules = dict(modules or {})
        self.sort_names = sort_names or {}
        self.op_names = op_names or {}

    # --- modules

    def image(self, module: Module) -> Module:
        known = self.modules.get(module)
        if known is not None:
            return known
        if not self.touches(module):
            return module
        copy = Module(self.label(module), module.kind)
        self.modules[module] = copy
        for imported in module.imports:
            target = self.image(imported.module)
            if all(target is not existing.module for existing in copy.imports):
                copy.add_import(Imported(imported.mode, target, imported.alias))
        self._copy_sorts(module, copy)
        self._copy_decls(module, copy)
        copy.parameters = self._copy_parameters(module)
        copy.add_axioms(self._axiom(axiom, copy) for axiom in module.axioms)
        if module.declared_principal is not None:
            copy.declared_principal = self.sorts.get(module.declared_principal, module.declared_principal)
        return copy

    def touches(self, module: Module) -> bool:
        for inner in module.closure():
            if self.modules.get(inner, inner) is not inner:
                return True
            if any(s in self.sort_names or s in self.sorts for s in inner.sorts):
                return True
            if any(d in self.op_names or d in self.decls for d in inner.decls):
                return True
        return False

    def _copy_parameters(self, module: Module) -> list[FormalParameter]:
        return [
            FormalParameter(p.name, p.theory, self.modules.get(p.module, p.module))
            for p in module.parameters
            if self.modules.get(p.module) is None or self.modules[p.module].name == p.module.name
        ]

    def _copy_sorts(self, module: Module, copy: Module) -> None:
        for sort in module.sorts:
            if sort in self.sorts:
                continue
            if module.is_system and module.is_tight:
                # Literals know their sort: a renamed built-in sort is the same sort under another name.
                copy.add_sort(sort, self.sort_names.get(sort, sort.name))
                continue
            self.sorts[sort] = Sort(self.sort_names.get(sort, sort.name), copy.name, sort.hidden)
            copy.add_sort(self.sorts[sort])
        for lower, upper in module.subsorts:
            copy.add_subsort(self.sorts.get(lower, lower), self.sorts.get(upper, upper))

    def _copy_decls(self, module: Module, copy: Module) -> None:
        pending = []
        for decl in module.decls:
            if decl in self.decls:
                continue
            attributes = decl.attributes
            image = OpDecl(
                self.op_names.get(decl, decl.name),
                tuple(self.sorts.get(s, s) for s in decl.arity),
                self.sorts.get(decl.coarity, decl.coarity),
                attributes._replace(identity=None) if attributes.identity is not None else attributes,
                copy.name,
                decl.span,
                decl.behavioural,
                decl.partial,
            )
            self.decls[decl] = image
            copy.add_operator(image)
            if attributes.identity is not None:
                pending.append((image, attributes))
        if pending:
            signature = copy.signature
            for image, attributes in pending:
                assert attributes.identity is not None
                identity = self.term(attributes.identity, signature)
                copy.change_attributes(image, attributes._replace(identity=identity))

    # --- terms

    def _axiom(self, axiom: Axiom, copy: Module) -> Axiom:
        signature = copy.signature
        condition = None if axiom.condition is None else self.term(axiom.condition, signature)
        return axiom._replace(
            lhs=self.term(axiom.lhs, signature),
            rhs=self.term(axiom.rhs, signature),
            condition=condition,
            module=copy.name,
        )

    def term(self, term: Term, signature: Signature) -> Term:
        """The image of a term, as a term of `signature`."""
        op = term.op
        if op.variable:
            return variable(op.name, self.sorts.get(term.sort, term.sort))
        if not op.decls:
            if isinstance(term, LiteralTerm) and isinstance(term.value, Sort):
                return literal_of(self.sorts.get(term.value, term.value))
            return term
        args = []
        for arg in term.args:
            args.append(self.term(arg, signature))
        for decl in op.decls:
            image = self.decls.get(decl, decl)
            if isinstance(image, Derived):
                bindings = dict(zip(image.variables, args, strict=True))
                return substitute(signature.translate(image.body, {}), bindings)
            symbol = signature.symbol_of(image)
            if symbol is not None:
                return _rebuild(symbol.make, op.assoc, tuple(args))
        raise KeyError(op.name)


def _rebuild(make: Callable[[tuple[Term, ...]], Term], flattened: bool, args: tuple[Term, ...]) -> Term:
    """Apply a binary operator to the arguments of a flattened term, even if the image is not associative."""
    if not flattened or len(args) == 2:
        return make(args)
    result = args[-1]
    for arg in reversed(args[:-1]):
        result = make((arg, result))
    return result


def substitute(term: Term, bindings: Substitution) -> Term:
    """`term` with variables replaced."""
    if term.ground:
        return term
    if term.op.variable:
        return bindings.get(term, term)
    args = []
    for arg in term.args:
        if arg.ground:
            args.append(arg)
        else:
            args.append(bindings.get(arg, arg) if arg.op.variable else substitute(arg, bindings))
    return term.op.make(tuple(args))
