"""Interned terms and the symbols that build them.

Equal terms, modulo the equational theory of their operators, are one object: associative operators are flattened,
commutative arguments sorted, identity elements dropped, idempotent duplicates merged when a term is made. So equality
is `is`, and a ground assumption of a proof passage is a dictionary entry.

A `Symbol` stands for all subsort-overloaded declarations of one operator in one signature; a term knows its least
sort. The slots `epoch`, `memo_epoch` and `memo` belong to the rewriter: they cache normal forms for one set of rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from otsrw.records import NamedTuple
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.syntax.source import NOWHERE, Span
from otsrw.theory.builtins import LITERAL_SORTS, Builtin, literal_sort_name
from otsrw.theory.sorts import COSMOS, Kind, Sort, SortOrder

_serials = count()

MAX_COLLECTION = 2_000_000
"""Elements of one flattened associative term."""


class Term:
    """A node: operator and arguments. Never built directly, always by `Symbol.make`."""

    __slots__ = ("args", "epoch", "ground", "memo", "memo_epoch", "op", "serial", "sort")

    args: tuple[Term, ...]

    def __init__(self, op: Symbol, args: tuple[Term, ...], sort: Sort, ground: bool) -> None:
        self.op = op
        self.args = args
        self.sort = sort
        self.ground = ground
        self.serial = next(_serials)
        self.epoch: object = None
        self.memo_epoch: object = None
        self.memo: Term | None = None

    def __repr__(self) -> str:
        if not self.args:
            return self.op.name
        return f"{self.op.name}({', '.join(map(repr, self.args))})"


class LiteralTerm(Term):
    """A built-in constant with a Python value: number, string, character, quoted identifier, or a sort."""

    __slots__ = ("value",)

    def __init__(self, op: Symbol, value: object, sort: Sort) -> None:
        super().__init__(op, (), sort, True)
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)


class Attributes(NamedTuple):
    """What stands in the braces after an operator's rank."""

    assoc: bool = False
    comm: bool = False
    idem: bool = False
    identity: Term | None = None
    identity_rules_only: bool = False
    constructor: bool = False
    memo: bool = False
    precedence: int | None = None
    associativity: str | None = None  # 'left' or 'right'
    strategy: tuple[int, ...] | None = None
    native: Builtin | None = None
    coherent: bool = False


PLAIN = Attributes()


class OpDecl:
    """One declaration of an operator: a name (mixfix, as words with `_` for arguments) and a rank.

    Only `attributes` is ever assigned again, once: an identity element is known only after its own declaration.
    """

    __slots__ = ("arity", "attributes", "behavioural", "coarity", "module", "name", "partial", "span")

    def __init__(
        self,
        name: tuple[str, ...],
        arity: tuple[Sort, ...],
        coarity: Sort,
        attributes: Attributes,
        module: str,
        span: Span = NOWHERE,
        behavioural: bool = False,
        partial: bool = False,
    ) -> None:
        self.name = name
        self.arity = arity
        self.coarity = coarity
        self.attributes = attributes
        self.module = module
        self.span = span
        self.behavioural = behavioural
        self.partial = partial
        """Declared with an error sort `?S` as coarity: applications are of the error sort."""

    @property
    def text(self) -> str:
        return spell(self.name)

    @property
    def is_mixfix(self) -> bool:
        return "_" in self.name


def spell(name: tuple[str, ...]) -> str:
    """An operator's name as people write it: `_+_`, `if_then_else_fi`, `_ mod _` keeps blanks between words."""
    text = ""
    for word in name:
        if text and word != "_" and not text.endswith("_"):
            text += " "
        text += word
    return text


class Symbol:
    """An operator of a signature: its declarations, its theory, and the table of its terms.

    An operator whose ranks differ in their theories is two symbols: `lower` with those whose theory says more,
    `upper` with the others. A term with arguments that fit a rank of the lower one is always a term of the lower one.
    """

    __slots__ = (
        "_taken", "arg_kinds", "assoc", "comm", "decls", "idem", "identity", "identity_matches", "is_constructor",
        "kind", "lower", "lower_identities", "memo", "name", "nargs", "native", "number", "order", "polymorphic",
        "sort_table", "strategy", "table", "upper", "variable", "words",
    )  # fmt: skip

    def __init__(self, decls: list[OpDecl], order: SortOrder, number: int) -> None:
        first = decls[0]
        self.words = first.name
        self.name = first.text
        self.nargs = len(first.arity)
        self.order = order
        self.number = number
        self.polymorphic = COSMOS in first.arity
        self.arg_kinds: tuple[Kind | None, ...] = tuple(None if s is COSMOS else order.kind[s] for s in first.arity)
        self.kind: Kind | None = None if first.coarity is COSMOS else order.kind[first.coarity]
        self.decls = decls
        self.identity: Term | None = None
        self.identity_matches = False
        self.lower_identities: list[tuple[Term, tuple[Sort, ...]]] = []
        """Identities that only some lower ranks have, and the arities of those."""
        self.table: dict[tuple[Term, ...], Term] = {}
        self.sort_table: dict[tuple[Sort, ...], Sort] = {}
        self.variable = False
        self.lower: Symbol | None = None
        self.upper: Symbol | None = None
        self._taken: dict[tuple[Sort, ...], bool] = {}
        self._read_attributes()

    def _read_attributes(self) -> None:
        attributes = [decl.attributes for decl in self.decls]
        homogeneous = self.nargs == 2 and self.arg_kinds[0] is self.arg_kinds[1]
        self.assoc = self.is_homogeneous and any(a.assoc for a in attributes)
        self.comm = homogeneous and any(a.comm for a in attributes)
        self.idem = homogeneous and any(a.idem for a in attributes)
        self.is_constructor = any(a.constructor for a in attributes)
        self.memo = any(a.memo for a in attributes)
        self.strategy = next((a.strategy for a in attributes if a.strategy is not None), None)
        self.native = next((a.native for a in attributes if a.native is not None), None)

    @property
    def is_homogeneous(self) -> bool:
        """Does the operator make one of a kind from two of it?"""
        return self.nargs == 2 and self.arg_kinds[0] is self.arg_kinds[1] is self.kind

    @property
    def has_theory(self) -> bool:
        return self.assoc or self.comm or self.idem or self.identity is not None

    @property
    def is_behavioural(self) -> bool:
        """Does the operator take equivalent states to equivalent results?"""
        return any(decl.behavioural or decl.attributes.coherent for decl in self.decls)

    def set_identity(self, identity: Term, matches: bool) -> None:
        self.identity = identity
        self.identity_matches = matches

    def make(self, args: tuple[Term, ...]) -> Term:
        """The one term with this operator and these arguments, in canonical form."""
        if self.lower is not None and self.lower.takes(args):
            return self.lower.pattern(args)
        if self.upper is not None and not self.takes(args):
            if len(args) <= 2:
                return self.upper.make(args)
            result = args[-1]
            for arg in args[-2::-1]:
                result = self.upper.make((arg, result))
            return result
        return self.pattern(args)

    def takes(self, args: tuple[Term, ...]) -> bool:
        """Do the arguments fit one of the ranks?"""
        sorts = tuple([arg.sort for arg in args])
        found = self._taken.get(sorts)
        if found is None:
            leq = self.order.leq
            found = self._taken[sorts] = any(
                all(leq(sort, d.arity[0]) for sort in sorts[:-1] or sorts)
                and all(leq(sort, d.arity[-1]) for sort in sorts[1:])
                for d in self.decls
            )
        return found

    def pattern(self, args: tuple[Term, ...]) -> Term:
        """A term of this very symbol, whatever the arguments: it may be meant for arguments of lower sorts."""
        if self.assoc or self.comm or self.idem or self.identity is not None:
            canonical = self.canonical(args)
            if len(canonical) < 2:
                return canonical[0] if canonical else args[0]
            args = canonical
            if self.assoc and self.comm:
                return self._make_collection(args)
        term = self.table.get(args)
        if term is None:
            term = self.table[args] = self.new(args)
        return term

    def _make_collection(self, args: tuple[Term, ...]) -> Term:
        """One term for all orders of its elements; it keeps the order in which it was first written.

        Equations on collections take elements in that order, as CafeOBJ does: proof scores depend on it.
        """
        if len(args) > MAX_COLLECTION:
            raise BudgetExceeded("E401", f"a collection of {len(args)} elements is too large")
        key = tuple(sorted(args, key=_by_serial))
        term = self.table.get(key)
        if term is None:
            term = self.table[key] = self.new(args)
        return term

    def canonical(self, args: tuple[Term, ...]) -> tuple[Term, ...]:
        """Arguments modulo the operator's theory; fewer than two mean the term collapses."""
        if self.assoc:
            for arg in args:
                if arg.op is self:
                    flat: list[Term] = []
                    for each in args:
                        if each.op is self:
                            flat += each.args
                        else:
                            flat.append(each)
                    args = tuple(flat)
                    break
        identity = self.identity
        if identity is not None and identity in args:
            args = tuple([arg for arg in args if arg is not identity])
        if self.comm and not self.assoc and len(args) == 2 and args[0].serial > args[1].serial:
            args = (args[1], args[0])
        if self.idem:
            args = tuple(dict.fromkeys(args)) if self.comm else _without_repeats(args)
        return args

    def new(self, args: tuple[Term, ...]) -> Term:
        """A fresh node; the caller enters it into the table."""
        ground = True
        for arg in args:
            if not arg.ground:
                ground = False
                break
        return Term(self, args, self.least_sort(args), ground)

    def least_sort(self, args: tuple[Term, ...]) -> Sort:
        if len(args) > 2 and self.assoc:
            result = args[-1].sort
            for arg in args[-2::-1]:
                result = self._rank_result((arg.sort, result))
            return result
        return self._rank_result(tuple([arg.sort for arg in args]))

    def _rank_result(self, sorts: tuple[Sort, ...]) -> Sort:
        found = self.sort_table.get(sorts)
        if found is None:
            found = self.sort_table[sorts] = self._compute_sort(sorts)
        return found

    def _compute_sort(self, sorts: tuple[Sort, ...]) -> Sort:
        if self.polymorphic:
            return self._polymorphic_sort(sorts)
        leq = self.order.leq
        fitting = [d for d in self.decls if all(leq(s, a) for s, a in zip(sorts, d.arity, strict=True))]
        assert self.kind is not None
        for decl in fitting:
            if all(_below(decl.arity, other.arity, self.order) for other in fitting):
                return self.kind.error if decl.partial else self._least_coarity(decl, fitting)
        return self.kind.error

    def _least_coarity(self, decl: OpDecl, fitting: list[OpDecl]) -> Sort:
        """Among declarations of the same arity the lowest coarity counts."""
        coarity = decl.coarity
        for other in fitting:
            if other.arity == decl.arity and self.order.leq(other.coarity, coarity):
                coarity = other.coarity
        return coarity

    def has_no_least_rank(self) -> bool:
        """Are there arguments that fit several declarations, none of them the lowest? Such terms are not rewritten."""
        if self.assoc or self.polymorphic or len(self.decls) < 2:
            return False
        below = self.order.below
        for first in self.decls:
            for second in self.decls:
                common = [below[a] & below[b] for a, b in zip(first.arity, second.arity, strict=True)]
                if first is not second and all(common):
                    highest = tuple(max(sorts, key=lambda s: (len(below[s]), -s.number)) for sorts in common)
                    assert self.kind is not None
                    if self._rank_result(highest) is self.kind.error and not (first.partial or second.partial):
                        return True
        return False

    def _polymorphic_sort(self, sorts: tuple[Sort, ...]) -> Sort:
        coarity = self.decls[0].coarity
        if coarity is not COSMOS:
            return coarity
        if self.order.kind.get(sorts[1]) is not self.order.kind.get(sorts[2]):
            return sorts[1]
        return self.order.join(sorts[1], sorts[2])

    def decl_of(self, args: tuple[Term, ...]) -> OpDecl:
        """The lowest declaration that fits the arguments, or the first one."""
        leq = self.order.leq
        best: OpDecl | None = None
        for decl in self.decls:
            if len(decl.arity) == len(args) and all(leq(a.sort, s) for a, s in zip(args, decl.arity, strict=True)):
                if best is None or all(leq(s, t) for s, t in zip(decl.arity, best.arity, strict=True)):
                    best = decl
        return best or self.decls[0]

    def __repr__(self) -> str:
        return f"<{self.name}/{self.nargs}>"


def _below(lower: tuple[Sort, ...], upper: tuple[Sort, ...], order: SortOrder) -> bool:
    return all(order.leq(a, b) for a, b in zip(lower, upper, strict=True))


def _by_serial(term: Term) -> int:
    return term.serial


def _without_repeats(args: tuple[Term, ...]) -> tuple[Term, ...]:
    kept: list[Term] = []
    for arg in args:
        if not kept or kept[-1] is not arg:
            kept.append(arg)
    return tuple(kept)


# --- variables and literals: the same objects in every signature

_EMPTY_ORDER = SortOrder((), ())
_variables: dict[tuple[str, Sort], Term] = {}
_literals: dict[tuple[type, object], LiteralTerm] = {}


def _bare_symbol(name: str) -> Symbol:
    symbol = Symbol.__new__(Symbol)
    symbol.words, symbol.name, symbol.nargs, symbol.number = (name,), name, 0, -1
    symbol.order, symbol.decls, symbol.arg_kinds, symbol.kind = _EMPTY_ORDER, [], (), None
    symbol.table, symbol.sort_table = {}, {}
    symbol.assoc = symbol.comm = symbol.idem = symbol.memo = symbol.is_constructor = symbol.polymorphic = False
    symbol.identity, symbol.identity_matches, symbol.strategy, symbol.native = None, False, None, None
    symbol.lower = symbol.upper = None
    symbol.lower_identities = []
    symbol.variable = False
    return symbol


def variable(name: str, sort: Sort) -> Term:
    """The variable of this name and sort."""
    key = (name, sort)
    found = _variables.get(key)
    if found is None:
        symbol = _bare_symbol(name)
        symbol.variable = True
        found = _variables[key] = Term(symbol, (), sort, False)
    return found


_LITERAL = _bare_symbol("<literal>")


def literal_of(value: object) -> LiteralTerm:
    """The built-in constant with this value; whole fractions are integers."""
    found = _literals.get((type(value), value))
    if found is None:
        if getattr(value, "denominator", None) == 1:
            value = value.numerator  # type: ignore[attr-defined]
        key = (type(value), value)
        found = _literals.get(key)
        if found is None:
            found = _literals[key] = LiteralTerm(_LITERAL, value, LITERAL_SORTS[literal_sort_name(value)])
    return found


def literal_table() -> dict[tuple[type, object], LiteralTerm]:
    """All literals made so far, for whoever tidies up."""
    return _literals


def variables_of(term: Term) -> list[Term]:
    """The variables of a term in order of first occurrence."""
    found: dict[Term, None] = {}
    todo = [term]
    while todo:
        current = todo.pop()
        if current.ground:
            continue
        if current.op.variable:
            found[current] = None
        else:
            todo += reversed(current.args)
    return list(found)


def subterms(term: Term) -> Iterator[Term]:
    """The term and all terms inside it, each as often as it occurs, from left to right."""
    todo = [term]
    while todo:
        current = todo.pop()
        yield current
        if current.args:
            todo += reversed(current.args)


def distinct_subterms(term: Term) -> list[Term]:
    """All terms inside a term, each once, those inside others before them, the term itself last."""
    found: dict[Term, None] = {}
    todo = [term]
    while todo:
        current = todo[-1]
        missing = [arg for arg in current.args if arg not in found]
        if missing and current not in found:
            todo += missing
        else:
            found[todo.pop()] = None
    return list(found)


def symbols_of(term: Term) -> set[Symbol]:
    """The operators and variables that occur in a term."""
    return {part.op for part in distinct_subterms(term)}
