"""Sentences of goals: axioms with other labels, instances, and whether they can be used as rewrite rules."""

from __future__ import annotations

from otsrw.theory.axioms import bound_by_matching
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import Substitution, substitute
from otsrw.theory.terms import Term, variables_of

NONEXEC = ":nonexec"


def labelled(axiom: Axiom, *labels: str) -> Axiom:
    """The axiom with these labels in place of its own."""
    return axiom._replace(labels=labels)


def under_label(label: str, axiom: Axiom) -> Axiom:
    """The axiom with one more label in front."""
    return axiom._replace(labels=(label, *axiom.labels))


def plain_labels(axiom: Axiom) -> tuple[str, ...]:
    return tuple(label for label in axiom.labels if label != NONEXEC)


def instance(axiom: Axiom, bindings: Substitution) -> Axiom:
    """The axiom with variables replaced in both sides and the condition."""
    condition = None if axiom.condition is None else substitute(axiom.condition, bindings)
    return axiom._replace(lhs=substitute(axiom.lhs, bindings), rhs=substitute(axiom.rhs, bindings), condition=condition)


def sides(axiom: Axiom) -> tuple[Term, ...]:
    """Left side, right side and the condition if there is one."""
    return (axiom.lhs, axiom.rhs) if axiom.condition is None else (axiom.lhs, axiom.rhs, axiom.condition)


def variables_in(axiom: Axiom) -> list[Term]:
    """All variables, in the order of their last occurrence."""
    found: dict[Term, None] = {}
    for side in sides(axiom):
        for each in _occurrences(side):
            found.pop(each, None)
            found[each] = None
    return list(found)


def _occurrences(term: Term) -> list[Term]:
    found: list[Term] = []
    todo = [term]
    while todo:
        current = todo.pop()
        if current.op.variable:
            found.append(current)
        elif not current.ground:
            todo += reversed(current.args)
    return found


def with_constants(axiom: Axiom, images: dict[Term, Term]) -> Axiom:
    """The axiom with constants replaced by others."""
    condition = None if axiom.condition is None else _image(axiom.condition, images)
    return axiom._replace(lhs=_image(axiom.lhs, images), rhs=_image(axiom.rhs, images), condition=condition)


def _image(term: Term, images: dict[Term, Term]) -> Term:
    found = images.get(term)
    if found is not None or not term.args:
        return found or term
    return term.op.make(tuple([_image(arg, images) for arg in term.args]))


def as_rule(axiom: Axiom, truths: tuple[Term, Term]) -> Axiom:
    """The axiom as a rule; not executable if it is trivial, rewrites a truth value or has unbound variables."""
    axiom = _about_atom(axiom, truths)
    bound = set(variables_of(axiom.lhs))
    if axiom.condition is not None:
        bound |= bound_by_matching(axiom.condition)
    rest = sides(axiom)[1:]
    unbound = any(variable not in bound for side in rest for variable in variables_of(side))
    hopeless = axiom.lhs.op.variable or axiom.lhs is axiom.rhs or axiom.lhs in truths
    usable = not (unbound or hopeless or NONEXEC in axiom.labels)
    return axiom._replace(executable=usable, otherwise=False)


def _about_atom(axiom: Axiom, truths: tuple[Term, Term]) -> Axiom:
    """`not p = true` and `p xor true = true` as `p = false`: connectives are evaluated before their rules are tried."""
    true, false = truths
    native, args = axiom.lhs.op.native, axiom.lhs.args
    if axiom.rhs not in truths or native not in (Builtin.NOT, Builtin.XOR):
        return axiom
    others = tuple(arg for arg in args if arg is not true)
    negated = native is Builtin.NOT or len(others) == len(args) - 1
    if len(others) != 1 or not negated:
        return axiom
    return _about_atom(axiom._replace(lhs=others[0], rhs=false if axiom.rhs is true else true), truths)
