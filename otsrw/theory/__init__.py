"""Tree to theory: sorts, operators, interned terms, equations, modules and how they are combined."""

from otsrw.theory.elaborate import elaborate, new_library
from otsrw.theory.library import Library
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.parsing import parse_term, scope_of
from otsrw.theory.printing import show, show_with_sort
from otsrw.theory.terms import Symbol, Term

__all__ = [
    "Axiom",
    "Library",
    "Module",
    "Symbol",
    "Term",
    "elaborate",
    "new_library",
    "parse_term",
    "scope_of",
    "show",
    "show_with_sort",
]
