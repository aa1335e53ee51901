"""The module in which a proof takes place."""

from __future__ import annotations

from otsrw.proofs.passage import Passage
from otsrw.records import NamedTuple
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.terms import OpDecl


class ProofContext(NamedTuple):
    """The module in which a proof takes place, as it is when the proof begins."""

    name: str
    module: Module
    """The selected module or the open passage: the same proof context if it is the same object."""
    base: Module
    axioms: tuple[Axiom, ...] = ()
    """Axioms of a passage, beyond those of `base`; earlier ones are tried first."""
    decls: tuple[OpDecl, ...] = ()

    @classmethod
    def of_module(cls, module: Module) -> ProofContext:
        return cls(module.name, module, module)

    @classmethod
    def of_passage(cls, passage: Passage) -> ProofContext:
        module = passage.module
        if not module.is_thin:
            return cls("%", module, module)
        return cls("%", module, passage.opened, tuple(module.axioms), tuple(module.decls))
