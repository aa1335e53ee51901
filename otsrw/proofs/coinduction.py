"""Behavioural equivalence by coinduction: when `t =*= u` may be decided by looking at attributes.

For a hidden sort, let two states be related if all their attributes (behavioural operators to a visible sort) agree.
If every method (behavioural operator to a hidden sort) takes related states to related states, related states are
equivalent, and `ceq hs1 =*= hs2 = true if a(hs1) == a(hs2) and ...` is a theorem. It is tried for each module that
declares behavioural operators: with constants for the states and data, the relation assumed for the states, every
method must reduce to `true`. As in CafeOBJ, attributes with data arguments give no usable equation, since their data is
unbound; a proof is given up if any sort fails; and one that compares several attributes, or modulo associativity and
commutativity, is believed only after `set accept =*= proof on`.
"""

from __future__ import annotations

from functools import reduce

from otsrw.rewriting.budget import Budget
from otsrw.rewriting.rewriter import Rewriter
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom, Imported, Module
from otsrw.theory.signature import Signature
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import PLAIN, OpDecl, Term, variable

MAX_REWRITES = 100_000


def coinduction_theorems(module: Module, believes_all: bool) -> list[Axiom]:
    """What may be added to a module that declares behavioural operators, if all of it can be proved."""
    if not any(decl.behavioural for decl in module.decls) or "Bool" not in module.visible_sorts():
        return []
    visible = [decl for inner in module.closure() for decl in inner.decls if decl.behavioural]
    found = []
    for sort in dict.fromkeys(s for inner in reversed(module.closure()) for s in inner.sorts if s.hidden):
        own = [decl for decl in visible if next((s for s in decl.arity if s.hidden), None) is sort]
        attributes = [decl for decl in own if not decl.coarity.hidden]
        methods = [decl for decl in own if decl.coarity.hidden]
        if not attributes:
            continue
        usable = all(len(decl.arity) == 1 for decl in attributes)
        if methods and not (usable and _preserves(module, sort, attributes, methods, believes_all)):
            return []
        if usable:
            first, second = variable("hs1", sort), variable("hs2", sort)
            found.append(_theorem(module, module.signature, attributes, first, second))
    return found


def _theorem(module: Module, signature: Signature, attributes: list[OpDecl], first: Term, second: Term) -> Axiom:
    same, conjunction = signature.native(Builtin.SAME), signature.native(Builtin.AND)
    agreements = [same.make((_observed(a, first, signature), _observed(a, second, signature))) for a in attributes]
    condition = reduce(lambda left, right: conjunction.make((left, right)), agreements)
    related = signature.native(Builtin.BEHAVES).make((first, second))
    true = signature.constants_named("true")[0].make(())
    return Axiom(related, true, condition, labels=("coinduction",), module=module.name)


def _observed(attribute: OpDecl, state: Term, signature: Signature) -> Term:
    symbol = signature.symbol_of(attribute)
    assert symbol is not None
    return symbol.make((state,))


def _preserves(module: Module, sort: Sort, attributes: list[OpDecl], methods: list[OpDecl], believes_all: bool) -> bool:
    """Does every method take states whose attributes agree to such states?"""
    first, second = (OpDecl((name,), (), sort, PLAIN, module.name) for name in ("`hs1", "`hs2"))
    data = {s: OpDecl((f"`{s.name}",), (), s, PLAIN, module.name) for method in methods for s in method.arity}
    proof = Module(f"%{module.name}", imports=[Imported("pr", module)], decls=[first, second, *data.values()])
    signature = proof.signature
    axioms = [_theorem(proof, signature, attributes, variable("hs1", sort), variable("hs2", sort))]
    for attribute in attributes:
        left, right = (_observed(attribute, _constant(state, signature), signature) for state in (first, second))
        axioms.append(Axiom(left, right, None, module=proof.name))
    proof.add_axioms(axioms)
    rewriter = Rewriter(proof)
    related = signature.native(Builtin.BEHAVES)
    for method in methods:
        symbol = signature.symbol_of(method)
        assert symbol is not None
        place = next(i for i, s in enumerate(method.arity) if s.hidden)
        args = [_constant(data[s], signature) for s in method.arity]
        after = []
        for state in (first, second):
            args[place] = _constant(state, signature)
            after.append(symbol.make(tuple(args)))
        observed = [_observed(attribute, term, signature) for attribute in attributes for term in after]
        try:
            goal, *seen = (
                rewriter.reduce(t, Budget(MAX_REWRITES)).term for t in (related.make(tuple(after)), *observed)
            )
        except OtsrwError:
            return False
        doubtful = len(attributes) > 1 or any(map(_has_collections, seen))
        if goal.op.name != "true" or (doubtful and not believes_all):
            return False
    return True


def _constant(decl: OpDecl, signature: Signature) -> Term:
    symbol = signature.symbol_of(decl)
    assert symbol is not None
    return symbol.make(())


def _has_collections(term: Term) -> bool:
    todo = [term]
    while todo:
        current = todo.pop()
        if current.op.assoc and current.op.comm:
            return True
        todo += current.args
    return False
