"""Open modules: a finished module, extended for a while by constants and equations."""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.theory.modules import Axiom, Imported, Module, as_terms_of
from otsrw.theory.signature import Signature
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import OpDecl, Term


class OpenModule(Module):
    """What stands between `open` and `close`, or what a case of a proof assumes.

    While it is thin it extends `base` by operators of a child signature and by axioms, and rewriting needs no more
    than a layer over the compiled base. `thicken` makes it a module like any other, which may declare anything.
    """

    def __init__(
        self, base: Module, signature: Signature, axioms: Iterable[Axiom] = (), decls: Iterable[OpDecl] = ()
    ) -> None:
        super().__init__("%" + base.name, base.kind, [Imported("pr", base)], decls, axioms)
        self.base = base
        self.is_thin = True
        self._signature = signature
        self._batches = [list(self._axioms)]

    def closure(self) -> tuple[Module, ...]:
        if self._closure is None and self.is_thin:
            self._closure = (*self.base.closure(), self)
        return super().closure()

    def visible_sorts(self) -> dict[str, tuple[Sort, ...]]:
        return self.base.visible_sorts() if self.is_thin else super().visible_sorts()

    def extend(self, decl: OpDecl) -> bool:
        """Declare an operator while the module is thin; False, and nothing is done, if it must be thickened first."""
        signature = self.signature.extend(decl)
        if signature is None:
            return False
        self._decls += [own for symbol in signature.own_symbols for own in symbol.decls]
        self._signature = signature
        return True

    def thicken(self) -> None:
        """Give up the thin layer: from now on this is a module that imports its base."""
        if self.is_thin:
            known = self.signature
            self.is_thin = False
            self._imports_changed()
            self._replace_axioms(axiom for batch in reversed(self._batches) for axiom in batch)
            self.read_again(known)

    def add_axioms(self, axioms: Iterable[Axiom]) -> None:
        """Declare axioms that are tried before the earlier ones; a thin layer puts them in front itself."""
        fresh = list(axioms)
        if self.is_thin:
            self._batches.append(fresh)
            super().add_axioms(fresh)
        else:
            self._replace_axioms([*fresh, *self._axioms])

    def read_again(self, known: Signature) -> None:
        """Make the axioms, which are terms of a signature known before, terms of the signature as it is now."""
        if self._axioms and known is not self.signature:
            memo: dict[Term, Term] = {}
            self._replace_axioms([as_terms_of(self.signature, axiom, memo) for axiom in self._axioms])

    def _replace_axioms(self, axioms: Iterable[Axiom]) -> None:
        self._axioms = list(axioms)
        self._axiom_keys = None
        self._axioms_changed()
