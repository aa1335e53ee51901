"""Names that Maude reads as we mean them: of sorts, operators and variables.

A name is kept if it is safe: made of ordinary words, not overloaded in a way that Maude cannot tell apart, and none
of Maude's own. Otherwise it is spelled in letters, or qualified by its sort.

The hash that Maude computes for a term does not depend on the order in which last arguments are nested: all lists with
the same elements have the same one, and a search that compares them all takes quadratic time. Operators that build such
terms get one more argument, a constant, after which the hash depends on the order.
"""

from __future__ import annotations

import re
from itertools import pairwise

from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term

_WORD = re.compile(r"[^\s()\[\]{},`_\"]+\Z")
_BRACKETS = frozenset("{}[],")
_DANGEROUS = frozenset(
    [".", ":", "=", "=>", ":=", "::", "/\\", "if", "is", "then", "else", "fi", "|", "->", "~>", "<-", "&", "@", "*"]
)
_RESERVED = frozenset(
    [
        "true", "false", "and", "or", "not", "xor", "implies", "==", "=/=", "and-then", "or-else", "none", "init",
        "equals", "some", "max", "min", "gcd", "lcm", "quo", "rem", "modExp", "sd", "abs", "s", "p", "length", "substr",
        "find", "rfind", "char", "ascii", "upperCase", "lowerCase", "string", "qid", "trunc", "frac", "floor",
        "ceiling", "numerator", "denominator", "divides", "random", "notFound",
    ]
)  # fmt: skip
_SPELLING = {
    ".": "dot", ":": "colon", "=": "eq", "<": "lt", ">": "gt", "/": "slash", "\\": "back", "|": "bar", "+": "plus",
    "*": "star", "-": "-", ",": "comma", "{": "set", "}": "", "[": "box", "]": "", "(": "open", ")": "", "@": "at",
    "&": "amp", "^": "hat", "~": "tilde", "!": "bang", "?": "q", "'": "'", "#": "hash", ";": "semi", "$": "dollar",
    "%": "percent", "`": "tick", '"': "quote",
}  # fmt: skip


def spelled(text: str) -> str:
    """Letters for a name with odd characters."""
    return "".join(c if c.isalnum() or c == "-" else _SPELLING.get(c, "x") for c in text.replace("_", "")) or "op"


class Names:
    """Hands out Maude names, each once."""

    def __init__(
        self, symbols: list[Symbol], built_in_sorts: frozenset[str], padded: frozenset[Symbol] = frozenset()
    ) -> None:
        self._built_in_sorts = built_in_sorts
        self.padded = padded
        """Operators that have one more argument in Maude."""
        self._taken: set[str] = set(_RESERVED)
        self._sorts: dict[Sort, str] = {}
        self._operators: dict[Symbol, tuple[str, ...]] = {}
        self._variables: dict[Term, str] = {}
        self._overloaded = _overloaded(symbols)
        self._sort_names: set[str] = set(built_in_sorts)
        for symbol in symbols:
            self.operator(symbol)
        self.pad = self.fresh("~")
        self.pad_sort = self.fresh_sort("Pad")

    def fresh(self, wanted: str) -> str:
        """A name nobody has."""
        name, number = wanted, 1
        while name in self._taken:
            number += 1
            name = f"{wanted}-{number}"
        self._taken.add(name)
        return name

    # --- sorts

    def sort(self, sort: Sort) -> str:
        found = self._sorts.get(sort)
        if found is None:
            found = self._sorts[sort] = sort.name if is_built_in(sort) else self.fresh_sort(sort.name)
        return found

    def is_declared(self, sort: Sort) -> bool:
        """Does Maude know the sort, if its kind is in use? Of the built-in ones it knows those that it was given."""
        return sort.name in self._built_in_sorts if is_built_in(sort) else sort.name != "*Condition*"

    def fresh_sort(self, wanted: str) -> str:
        stem = re.sub(r"[^A-Za-z0-9?*+-]", "-", wanted).strip("-") or "Sort"
        name, number = stem, 1
        while name in self._sort_names:
            number += 1
            name = f"{stem}-{number}"
        self._sort_names.add(name)
        return name

    # --- operators

    def operator(self, symbol: Symbol) -> tuple[str, ...]:
        """The words of the name, `_` for arguments; one word means prefix notation."""
        found = self._operators.get(symbol)
        if found is None:
            words = self._choose(symbol)
            found = self._operators[symbol] = (*words, "_") if symbol in self.padded and len(words) > 1 else words
        return found

    def _choose(self, symbol: Symbol) -> tuple[str, ...]:
        words = symbol.words
        mixfix = "_" in words
        safe = all(w == "_" or _WORD.match(w) or (mixfix and w in _BRACKETS) for w in words)
        safe = safe and (mixfix or len(words) == 1) and not any(w in _DANGEROUS for w in words)
        safe = safe and not (not mixfix and words[0] in _RESERVED)
        # 'a ;; b' is three words for Maude and four for us: it would read adjacent words of a name as one
        safe = safe and not any(_WORD.match(a) and _WORD.match(b) for a, b in pairwise(words) if "_" not in (a, b))
        if not safe:
            return (self.fresh(spelled(symbol.name)),)
        if symbol in self._overloaded:
            if not mixfix:
                return (self.fresh(f"{words[0]}-{symbol.decls[0].coarity.name}"),)
            return (self.fresh(f"{spelled(symbol.name)}-{symbol.decls[0].coarity.name}"),)
        if not mixfix:
            self._taken.add(words[0])
        return words

    # --- variables

    def variable(self, term: Term) -> str:
        """A variable's name; variables that differ only in sort get different names."""
        found = self._variables.get(term)
        if found is None:
            stem = re.sub(r"[^A-Za-z0-9'-]+", "-", term.op.name).strip("-") or "X"
            found = self._variables[term] = self.fresh(stem if stem[0].isupper() else stem.upper())
        return found

    def variables(self) -> dict[Term, str]:
        return dict(self._variables)


def is_built_in(sort: Sort) -> bool:
    """Is this a sort of Maude's predefined modules, too?"""
    return sort.module.endswith("-VALUE") or sort.name == "Qid"


def _overloaded(symbols: list[Symbol]) -> frozenset[Symbol]:
    """Operators that share name and argument kinds with another one: Maude could not tell which is meant."""
    groups: dict[tuple[object, ...], list[Symbol]] = {}
    for symbol in symbols:
        groups.setdefault((symbol.words, symbol.arg_kinds), []).append(symbol)
    return frozenset(symbol for group in groups.values() if len(group) > 1 for symbol in group)
