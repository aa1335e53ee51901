"""A signature: sorts in order, operators, and the tables its terms are parsed with.

Built once for a module from all declarations it can see; declarations with the same name whose ranks lie in the same
kinds become one `Symbol`. A proof passage only adds constants: `extend` makes a child that looks up its parent, and
children are kept in a trie, so that a thousand passages declaring `op s : -> Sys .` share symbols, terms and parses.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

from otsrw.syntax.mixfix import ANY, MixfixProduction, MixfixTables
from otsrw.theory.builtins import RING_CONNECTIVES, Builtin
from otsrw.theory.sorts import COSMOS, Sort, SortOrder
from otsrw.theory.terms import OpDecl, Symbol, Term

_symbol_numbers = count()

DEFAULT_INFIX = 41
DEFAULT_PREFIX = 15


class Payload:
    """The symbols a production may build."""

    __slots__ = ("symbols",)

    def __init__(self) -> None:
        self.symbols: list[Symbol] = []


Key = tuple[tuple[str, ...], int]


class Signature:
    """What a term of a module may be made of."""

    def __init__(
        self,
        order: SortOrder,
        decls: Iterable[OpDecl],
        sort_names: dict[str, tuple[Sort, ...]],
        parent: Signature | None = None,
    ) -> None:
        self.order = order
        self.parent = parent
        self.sort_names = sort_names
        self.own_symbols: list[Symbol] = []
        self._symbol_of: dict[OpDecl, Symbol] = {}
        self._by_name: dict[Key, list[Symbol]] = {}
        self._children: dict[Any, Signature] = {}
        self.parse_cache: dict[Any, Any] = {}
        grouped: dict[tuple[Any, ...], list[OpDecl]] = {}
        for decl in decls:
            grouped.setdefault(self._family(decl), []).append(decl)
        for family in grouped.values():
            self._add_operator(family)
        self.constants: dict[str, list[Symbol]] = {}
        for symbol in self.own_symbols:
            if symbol.nargs == 0 and len(symbol.words) == 1:
                self.constants.setdefault(symbol.name, []).append(symbol)
        self._constant_cache: dict[str, tuple[Symbol, ...]] = {}
        self.tables: MixfixTables[Payload] = MixfixTables(self._productions(), parent.tables if parent else None)

    def _family(self, decl: OpDecl) -> tuple[Any, ...]:
        kinds = tuple(None if s is COSMOS else self.order.kind[s] for s in decl.arity)
        result = None if decl.coarity is COSMOS else self.order.kind[decl.coarity]
        return decl.name, kinds, result

    def _add_operator(self, family: list[OpDecl]) -> None:
        """One symbol, or two if ranks differ in their theories: those with that of the highest one, and the others."""
        theories = {decl: self._theory(decl, family) for decl in family} if len(family) > 1 else {}
        if len(set(theories.values())) < 2 or len(family[0].arity) not in (1, 2) or COSMOS in family[0].arity:
            self._add_symbol(family)
            return
        highest = [d for d in family if not any(self._is_below(d, other) for other in family)]
        common = min((theories[decl] for decl in highest), key=sum)
        below = self._add_symbol([decl for decl in family if theories[decl] != common])
        above = self._add_symbol([decl for decl in family if theories[decl] == common])
        below.upper, above.lower = above, below

    def _theory(self, decl: OpDecl, family: list[OpDecl]) -> tuple[bool, ...]:
        """Which axioms hold for a rank: those declared for it, and for the ranks above it; and is it a connective?"""
        having = [d.attributes for d in family if d is decl or d.arity == decl.arity or self._is_below(decl, d)]
        axioms = zip(*((a.assoc, a.comm, a.idem) for a in having), strict=True)
        return (*map(any, axioms), decl.attributes.native in RING_CONNECTIVES)

    def _add_symbol(self, family: list[OpDecl]) -> Symbol:
        symbol = Symbol(family, self.order, next(_symbol_numbers))
        self.own_symbols.append(symbol)
        for decl in family:
            self._symbol_of[decl] = symbol
        self._by_name.setdefault((symbol.words, symbol.nargs), []).append(symbol)
        return symbol

    # --- look-up

    def symbol_of(self, decl: OpDecl) -> Symbol | None:
        found = self._symbol_of.get(decl)
        if found is None and self.parent is not None:
            return self.parent.symbol_of(decl)
        return found

    def named(self, words: tuple[str, ...], nargs: int) -> list[Symbol]:
        """Symbols of this name and number of arguments."""
        own = self._by_name.get((words, nargs), [])
        return own + self.parent.named(words, nargs) if self.parent else own

    def symbols(self) -> list[Symbol]:
        return (self.parent.symbols() if self.parent else []) + self.own_symbols

    def constants_named(self, word: str) -> tuple[Symbol, ...]:
        found = self._constant_cache.get(word)
        if found is None:
            inherited = self.parent.constants_named(word) if self.parent else ()
            found = self._constant_cache[word] = (*self.constants.get(word, ()), *inherited)
        return found

    def native(self, builtin: Builtin) -> Symbol:
        """The symbol of a built-in operator."""
        for symbol in self.symbols():
            if symbol.native is builtin:
                return symbol
        raise KeyError(builtin)

    # --- growth

    def extend(self, decl: OpDecl) -> Signature | None:
        """This signature with one operator more; None if that needs a rebuild, as when it joins an existing family."""
        if decl.attributes.identity is not None or decl.partial or not self._keeps_kinds_total(decl):
            return None
        key = (decl.name, decl.arity, decl.coarity, decl.attributes)
        child = self._children.get(key)
        if child is not None:
            return child
        family = self._family(decl)
        for symbol in self.named(decl.name, len(decl.arity)):
            if (symbol.words, symbol.arg_kinds, symbol.kind) == family:
                return None
        child = self._children[key] = Signature(self.order, [decl], self.sort_names, self)
        return child

    def _keeps_kinds_total(self, decl: OpDecl) -> bool:
        """An operator on a lower sort may make ill-sorted terms, which compiled rules may rely not to exist."""
        return all(self.order.kind[sort].top is sort for sort in decl.arity)

    # --- translation

    def translate(self, term: Term, memo: dict[Term, Term]) -> Term:
        """A term of an imported module's signature as a term of this one."""
        found = memo.get(term)
        if found is not None:
            return found
        op = term.op
        if not op.decls:
            result = term
        else:
            symbol = None
            for decl in op.decls:
                symbol = self.symbol_of(decl)
                if symbol is not None:
                    break
            assert symbol is not None, f"operator {op.name} is not visible here"
            args = []
            for arg in term.args:
                args.append(self.translate(arg, memo))
            result = symbol.make(tuple(args))
        memo[term] = result
        return result

    # --- the parser's tables

    def _productions(self) -> list[MixfixProduction[Payload]]:
        grouped: dict[tuple[tuple[str | None, ...], int, tuple[int, ...]], Payload] = {}
        for symbol in self.own_symbols:
            if (symbol.nargs == 0 and len(symbol.words) == 1) or symbol.upper is not None:
                continue
            for pattern, level, limits in patterns_of(self._governing(symbol)):
                payload = grouped.setdefault((pattern, level, limits), Payload())
                if symbol not in payload.symbols:
                    payload.symbols.append(symbol)
        return [
            MixfixProduction(pattern, level, limits, payload, _is_chain(pattern, payload))
            for (pattern, level, limits), payload in grouped.items()
        ]

    def _governing(self, symbol: Symbol) -> OpDecl:
        """The declaration whose precedence and associativity hold for all: the lowest, of several the last one."""
        decls = symbol.decls if symbol.lower is None else [*symbol.lower.decls, *symbol.decls]
        lowest = [d for d in decls if not any(self._is_below(other, d) for other in decls)]
        return lowest[-1]

    def _is_below(self, one: OpDecl, other: OpDecl) -> bool:
        if one.arity == other.arity:
            return one.coarity is not other.coarity and self.order.leq(one.coarity, other.coarity)
        return all(self.order.leq(a, b) for a, b in zip(one.arity, other.arity, strict=True))


def _is_chain(pattern: tuple[str | None, ...], payload: Payload) -> bool:
    """May `a + b + c` be built at once?"""
    binary = pattern[0] is None and pattern[-1] is None and len(pattern) <= 3
    return binary and len(payload.symbols) == 1 and payload.symbols[0].assoc and payload.symbols[0].lower is None


def level_of(decl: OpDecl) -> int:
    """The operator's own precedence level: explicit, or by its shape."""
    if decl.attributes.precedence is not None:
        return decl.attributes.precedence
    words = decl.name
    if not decl.is_mixfix or (words[0] != "_" and words[-1] != "_"):
        return 0
    return DEFAULT_PREFIX if words.count("_") == 1 and words[-1] == "_" else DEFAULT_INFIX


def limits_of(decl: OpDecl, level: int) -> tuple[int, ...]:
    """How loosely each argument of a mixfix operator may bind."""
    words = decl.name
    attributes = decl.attributes
    left_assoc = attributes.associativity == "left"
    right_assoc = attributes.associativity == "right" or (attributes.assoc and not left_assoc)
    limits = []
    for position, word in enumerate(words):
        if word != "_":
            continue
        enclosed = 0 < position < len(words) - 1 and words[position - 1] != "_" and words[position + 1] != "_"
        if enclosed:
            limits.append(ANY)
        elif left_assoc:
            limits.append(level if not limits else max(0, level - 1))
        elif right_assoc:
            limits.append(max(0, level - 1) if not limits and words[0] == "_" else level)
        else:
            limits.append(level)
    return tuple(limits)


def patterns_of(decl: OpDecl) -> list[tuple[tuple[str | None, ...], int, tuple[int, ...]]]:
    """The shapes in which an operator may be written: mixfix, and `name(a, b)`."""
    level = level_of(decl)
    nargs = len(decl.arity)
    shapes: list[tuple[tuple[str | None, ...], int, tuple[int, ...]]] = []
    if decl.is_mixfix:
        pattern = tuple(None if word == "_" else word for word in decl.name)
        shapes.append((pattern, level, limits_of(decl, level)))
        head: tuple[str, ...] = (decl.text,)
        level = 0
    else:
        head = decl.name
    if nargs == 0:
        shapes.append((head, level, ()))
    else:
        application: list[str | None] = [*head, "("]
        for index in range(nargs):
            application += [",", None] if index else [None]
        shapes.append(((*application, ")"), level, (ANY,) * nargs))
    return shapes
