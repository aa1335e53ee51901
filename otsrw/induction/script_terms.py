"""Terms of a case in the words of a script: other names for constants, and whether some have none."""

from __future__ import annotations

from otsrw.reasoning.workbench import Workbench
from otsrw.theory.terms import Term


def image_of(term: Term, images: dict[Term, Term]) -> Term:
    """The term with constants replaced."""
    found = images.get(term)
    if found is not None or not term.args:
        return found or term
    return term.op.make(tuple([image_of(arg, images) for arg in term.args]))


def is_plain(term: Term, bench: Workbench) -> bool:
    """Has the term no constant of a case?"""
    todo = [term]
    while todo:
        part = todo.pop()
        if bench.is_constant(part):
            return False
        todo += part.args
    return True
