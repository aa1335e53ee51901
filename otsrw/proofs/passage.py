"""An opened module: declarations one at a time, equations as assumptions.

Most passages only declare constants and equations; then the opened module is a thin layer over the module it opens
(its signature is a child, its equations a layer over the compiled rules). A passage that declares sorts, imports or
overloads an operator becomes a module of its own. Axioms are parsed at the next reduction, as CafeOBJ does, so they
may use what is declared after them.
"""

from __future__ import annotations

from otsrw.rewriting.rewriter import Rewriter
from otsrw.rewriting.runtime import Tracer
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError
from otsrw.theory.axioms import read_axiom
from otsrw.theory.elaborate import declare, declare_let, declare_variables, operator_declarations
from otsrw.theory.library import Library
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.opened import OpenModule
from otsrw.theory.signature import Signature
from otsrw.theory.terms import PLAIN, OpDecl


class Passage:
    """The module between `open` and `close`."""

    def __init__(self, opened: Module, library: Library) -> None:
        self.opened = opened
        self.library = library
        self.module = OpenModule(opened, opened.signature)
        self.module.variables = dict(opened.variables)
        self.module.lets = dict(opened.lets)
        self._pending: list[tree.AxiomDeclaration] = []
        self._rewriter: Rewriter | None = None
        """How the module reduces; None if it has changed since the last reduction."""
        self._own_names = False

    # --- declarations

    def declare(self, item: tree.Item) -> None:
        self.library.warn_of_unportable(item, in_passage=True)
        match item:
            case tree.AxiomDeclaration():
                self._pending.append(item)
            case tree.OperatorDeclaration():
                for decl in operator_declarations(item, self.module, self.library):
                    self._add_operator(decl)
            case tree.VariableDeclaration():
                self._own_names = True
                declare_variables(item, self.module, self.library)
            case tree.LetDeclaration():
                self._own_names = True
                declare_let(item, self.module)
            case _:
                self._thicken()
                known = self._signature_of_axioms()
                try:
                    declare(item, self.module, self.library)
                finally:
                    self._refresh(known)

    def _add_operator(self, decl: OpDecl) -> None:
        if self.module.is_thin:
            if self._is_known(decl) or self.module.extend(decl):
                return
            self._thicken()
        known = self._signature_of_axioms()
        self.module.add_operator(decl)
        self._refresh(known)

    def _is_known(self, decl: OpDecl) -> bool:
        if decl.attributes is not PLAIN:
            return False
        for symbol in self.module.signature.named(decl.name, len(decl.arity)):
            if any(d.arity == decl.arity and d.coarity is decl.coarity for d in symbol.decls):
                self.library.warn("W207", f"operator {decl.text!r} of this rank is already declared", decl.span)
                return True
        return False

    def _thicken(self) -> None:
        """Give up the thin layer: the passage becomes a module that imports the opened one."""
        if self.module.is_thin:
            self.module.thicken()
            self._rewriter = None

    def _signature_of_axioms(self) -> Signature | None:
        """The signature that the axioms are terms of; None if there are none, and no signature is needed yet."""
        return self.module.signature if self.module.axioms else None

    def _refresh(self, known: Signature | None) -> None:
        """The module has changed since its axioms were read as terms of the signature that was known."""
        self._rewriter = None
        if known is not None:
            self.module.read_again(known)

    # --- equations and reductions

    def prepare(self) -> list[Diagnostic]:
        """Parse the axioms declared since the last reduction; gives the problems of bad ones."""
        problems = []
        fresh = []
        for item in self._pending:
            try:
                axiom = self._axiom(item)
                if axiom is not None:
                    fresh.append(axiom)
            except OtsrwError as error:
                problems.append(error.at(item.span).problem)
        self._pending.clear()
        self._assume(fresh)
        return problems

    def _assume(self, fresh: list[Axiom]) -> None:
        if fresh:
            self.module.add_axioms(fresh)
        if not self.module.is_thin:
            self._rewriter = None if fresh else self._rewriter
        elif self._outgrows_layers(fresh):
            self._thicken()
        elif self._rewriter is not None:
            self._rewriter.assume(fresh)

    def _outgrows_layers(self, fresh: list[Axiom]) -> bool:
        """A layer knows nothing of behavioural contexts, and interprets what is better compiled."""
        if self.opened.sees_behavioural_axioms:
            return True
        return any(axiom.behavioural or self._defines_function(axiom) for axiom in fresh)

    def _defines_function(self, axiom: Axiom) -> bool:
        """An equation with variables on an operator of the passage itself: a program, worth compiling."""
        op = axiom.lhs.op
        return not axiom.lhs.ground and any(decl in self.module.decls for decl in op.decls)

    def _axiom(self, item: tree.AxiomDeclaration) -> Axiom | None:
        """The axiom, from the signature's cache if another passage with the same declarations had it."""
        if self._own_names:
            return read_axiom(item, self.module, self.library)
        cache = self.module.signature.parse_cache
        key = (item.keyword, *item.body.words)
        known: Axiom | None = cache.get(key)
        if known is None:
            axiom = read_axiom(item, self.module, self.library)
            if axiom is not None:
                cache[key] = axiom
            return axiom
        if self.module.has_axiom(known.lhs, known.rhs, known.condition):
            return None
        return known

    def rewriter(self, tracer: Tracer | None, transitions: bool, behavioural: bool) -> Rewriter:
        behavioural = behavioural and not self.module.is_thin
        if tracer is not None or transitions or behavioural:
            return Rewriter(self.module, tracer, transitions, behavioural, by_sorts=True)
        if self._rewriter is None:
            self._rewriter = Rewriter(self.module, by_sorts=True)
        return self._rewriter

    @property
    def shares_parses(self) -> bool:
        return not self._own_names
