"""State formulas with the defined state functions in them unfolded.

A term is only unfolded by definitions that hold for every state, so the result means the same as the formula.
"""

from __future__ import annotations

from otsrw.ots.model import Definition, Ots
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Symbol, Term, subterms


def unfold(term: Term, ots: Ots) -> Term:
    """The term with defined state functions replaced by their definitions; recursive ones stay."""
    return _unfold(term, ots.definitions, ots, ())


def _unfold(term: Term, definitions: dict[Symbol, Definition], ots: Ots, inside: tuple[Symbol, ...]) -> Term:
    if not term.args:
        return term
    args = tuple([_unfold(arg, definitions, ots, inside) for arg in term.args])
    definition = definitions.get(term.op)
    if definition is None or term.op in inside or any(inner.op is term.op for inner in subterms(definition.body)):
        return term.op.make(args)
    bindings = {ots.state: args[definition.operator.place]}
    others = args[: definition.operator.place] + args[definition.operator.place + 1 :]
    bindings.update(zip(definition.parameters, others, strict=True))
    return _unfold(substitute(definition.body, bindings), definitions, ots, (*inside, term.op))
