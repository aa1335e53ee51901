"""Bubbles to terms: the mixfix parser with a module's signature, variables and lets behind it.

CafeOBJ first looks for well-sorted readings and accepts an ill-sorted but connected one only if there is no other; so
do we, in two passes. What still has several readings after the choice of the least sort is ambiguous.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from otsrw.syntax.diagnostics import SortProblem, SyntaxProblem, UnknownWord, did_you_mean
from otsrw.syntax.mixfix import MixfixParser, TooAmbiguous
from otsrw.syntax.tree import Bubble
from otsrw.theory.builtins import LITERAL_SORTS, Builtin, Character, QuotedId, literal_sort_name
from otsrw.theory.printing import show_briefly
from otsrw.theory.signature import Payload, Signature
from otsrw.theory.slips import declaration_of, hint_for_word, open_conditional, quoted
from otsrw.theory.sorts import Kind, Sort
from otsrw.theory.terms import Symbol, Term, literal_of, subterms, variable

if TYPE_CHECKING:
    from otsrw.theory.modules import Module

_NATURAL = re.compile(r"[0-9]+\Z")
_NUMBER = re.compile(r"-?[0-9]+(/[0-9]+)?\Z")
_FLOAT = re.compile(r"-?[0-9]+\.[0-9]+([ed][+-]?[0-9]+)?\Z")
_CHARACTER = re.compile(r"'(\\[0-9]+|\\.|.)'\Z", re.DOTALL)
_CHARACTER_NAMES = {"n": "\n", "t": "\t", "s": " ", "r": "\r"}

MAX_DIGITS = 100_000


class Scope:
    """What names mean while one statement is parsed: signature, declared variables, lets, on-the-fly variables."""

    def __init__(
        self, signature: Signature, variables: dict[str, Term], lets: dict[str, Term], module: Module | None = None
    ) -> None:
        self.signature = signature
        self.variables = variables
        self.lets = lets
        self.module = module
        self.fresh: dict[str, Term] = {}
        self.strict = True
        self._atoms: dict[str, list[Term]] = {}
        self.unknown_sort: str | None = None

    # --- sorts

    def find_sort(self, name: str) -> Sort | None:
        """A sort by its plain or qualified name; ambiguous names raise."""
        names = self.signature.sort_names
        found = names.get(name)
        if found is not None:
            if len(found) > 1:
                return self._preferred(name, found)
            return found[0]
        if name.startswith("?"):
            base = self.find_sort(name[1:])
            return None if base is None else self.signature.order.kind[base].error
        if "." in name and self.module is not None:
            plain, _, qualifier = name.partition(".")
            return self._qualified(plain, qualifier)
        return None

    def _preferred(self, name: str, found: tuple[Sort, ...]) -> Sort:
        own = [s for s in found if self.module is not None and s in self.module.sorts]
        users = [s for s in found if self.module is None or not _is_built_in(s, self.module)]
        for candidates in (own, users):
            if len(candidates) == 1:
                return candidates[0]
        choices = ", ".join(f"{s.name}.{s.module}" for s in found)
        raise SortProblem("E202", f"sort name {name!r} is ambiguous: {choices}", hint="qualify it, as in Sort.MODULE")

    def _qualified(self, plain: str, qualifier: str) -> Sort | None:
        assert self.module is not None
        for module in _qualified_modules(self.module, qualifier):
            found = module.visible_sorts().get(plain)
            if found:
                own = [s for s in found if s in module.sorts]
                return own[0] if own else found[0]
        return None

    # --- the builder interface of the mixfix parser

    def declare_on_the_fly(self, words: Iterable[str]) -> None:
        """Note every `X:Sort` of a statement, so that a bare `X` later in it means the same variable."""
        for word in words:
            if ":" in word and word[0] not in ':"' and word[-1] != ":":
                name, _, sort_name = word.rpartition(":")
                sort = self.find_sort(sort_name)
                if sort is not None:
                    self.fresh[name] = self.fresh[word] = variable(name, sort)
                elif word not in self.signature.tables.words() and not self.signature.constants_named(word):
                    self.unknown_sort = sort_name

    def atoms(self, word: str) -> list[Term]:
        found = self._atoms.get(word)
        if found is None:
            found = self._atoms[word] = self._find_atoms(word)
        return found

    def _find_atoms(self, word: str) -> list[Term]:
        found = [symbol.make(()) for symbol in self.signature.constants_named(word)]
        if word in self.fresh:
            found.append(self.fresh[word])
        elif word in self.variables:
            found.append(self.variables[word])
        if word in self.lets:
            # what the name stands for may have been read before an operator or a sort was declared
            found.append(self.signature.translate(self.lets[word], {}))
        constant = self._builtin_constant(word)
        if constant is not None:
            found.append(constant)
        elif not found and "." in word and self.module is not None:
            found += self._qualified_constant(word)
        sort = self.signature.sort_names.get(word)
        if sort is None and "." in word and not found and self.module is not None:
            qualified = self._qualified(*word.split(".", 1))
            sort = (qualified,) if qualified is not None else None
        if sort is not None and "SortId" in self.signature.sort_names:
            found.append(literal_of(sort[0]))
        return found

    def _qualified_constant(self, word: str) -> list[Term]:
        name, _, qualifier = word.rpartition(".")
        assert self.module is not None
        modules = _qualified_modules(self.module, qualifier)
        found = []
        for symbol in self.signature.constants_named(name):
            if any(decl in module.decls for module in modules for decl in symbol.decls):
                found.append(symbol.make(()))
        if not found:
            sort = self.signature.sort_names.get(qualifier)
            if sort:
                candidates = [symbol.make(()) for symbol in self.signature.constants_named(name)]
                found = [t for t in candidates if t.sort in sort]
        return found

    def _builtin_constant(self, word: str) -> Term | None:
        value = literal_value(word)
        if value is None:
            return None
        sort = LITERAL_SORTS.get(literal_sort_name(value))
        if sort is None or sort not in self.signature.order.kind:
            return None
        return literal_of(value)

    def build(self, payload: Payload, args: tuple[Term, ...]) -> list[Term]:
        built = []
        for symbol in payload.symbols:
            if self._fits(symbol, args):
                term = symbol.make(args)
                if not (self.strict and term.sort.is_error):
                    built.append(term)
        return built

    def _fits(self, symbol: Symbol, args: tuple[Term, ...]) -> bool:
        kinds = self.signature.order.kind
        if symbol.polymorphic:
            return self._fits_polymorphic(symbol, args)
        if len(args) > symbol.nargs:
            return all(kinds.get(arg.sort) is symbol.kind for arg in args)
        return all(kinds.get(arg.sort) is kind for arg, kind in zip(args, symbol.arg_kinds, strict=True))

    def _fits_polymorphic(self, symbol: Symbol, args: tuple[Term, ...]) -> bool:
        kinds = self.signature.order.kind
        shared: Kind | None = None
        for index, kind in enumerate(symbol.arg_kinds):
            own = kinds.get(args[index].sort)
            if kind is not None:
                if own is not kind or (symbol.native is Builtin.IF and args[index].sort.is_error):
                    return False
            elif shared is None:
                shared = own
            elif own is not shared:
                return symbol.native in _MIXED_KINDS
        return True

    def prefer(self, items: list[tuple[int, int, Term]]) -> list[tuple[int, int, Term]]:
        """A user's own `_=_` of another coarity comes before the built-in equality of the same stretch and kind."""
        kinds = self.signature.order.kind
        own = {(end, kinds.get(t.sort)) for end, _, t in items if t.op.words == _EQUALITY and t.op.native is None}
        if not own:
            return items
        return [i for i in items if i[2].op.native is not Builtin.EQUALS or (i[0], kinds.get(i[2].sort)) not in own]

    def may_start(self, payload: Payload, term: Term) -> bool:
        if not self.strict:
            return True
        leq = self.signature.order.leq
        return any(leq(term.sort, decl.arity[0]) for symbol in payload.symbols for decl in symbol.decls)

    def qualify(self, term: Term, word: str) -> Term | None:
        if word == ":is":
            return None
        sort = self.find_sort(word[1:])
        if sort is None or not self.signature.order.leq(term.sort, sort):
            return None
        return term


def _is_built_in(sort: Sort, module: Module) -> bool:
    return any(inner.is_system and sort in inner.sorts for inner in module.closure())


def scope_of(module: Module) -> Scope:
    """What names mean in a module: its signature, variables and lets."""
    return Scope(module.signature, module.variables, module.lets, module)


_EQUALITY = ("_", "=", "_")
_MIXED_KINDS = frozenset((Builtin.SEARCH,))


def _qualified_modules(module: Module, qualifier: str) -> list[Module]:
    found = []
    for parameter in module.all_parameters():
        if qualifier in (parameter.name, parameter.module.name):
            found.append(parameter.module)
    for inner in module.closure():
        if inner.name == qualifier:
            found.append(inner)
        found += [imported.module for imported in inner.imports if imported.alias == qualifier]
    return found


def literal_value(word: str) -> object | None:
    """The Python value of a word that may be a built-in constant."""
    first = word[0]
    if first.isdigit() or first == "-":
        if _NATURAL.match(word) and word.isascii() and len(word) <= MAX_DIGITS:
            number = int(word)
            return number if number or word == "0" else None
        if _NUMBER.match(word) and word.isascii() and len(word) <= MAX_DIGITS:
            return _rational(word)
        if _FLOAT.match(word) and word.isascii():
            return _float(word)
        return None
    if first == '"' and len(word) >= 2 and word.endswith('"'):
        return re.sub(r"\\(.)", r"\1", word[1:-1], flags=re.DOTALL)
    if first == "'" and len(word) >= 2:
        character = _CHARACTER.match(word)
        if character:
            return _character(character.group(1))
        return QuotedId(word)
    return None


def _float(word: str) -> float | None:
    """Double precision is asked for with a `d` before the exponent; all other numbers have single precision."""
    if "d" in word:
        return float(word.replace("d", "e"))
    try:
        single: float = struct.unpack("f", struct.pack("f", float(word)))[0]
    except OverflowError:
        return None
    return single


def _rational(word: str) -> object | None:
    from fractions import Fraction

    try:
        value = Fraction(word)
    except ZeroDivisionError:
        return None
    return value.numerator if value.denominator == 1 else value


def _character(body: str) -> Character:
    if len(body) == 1:
        return Character(body)
    code = body[1:8]
    return Character(chr(int(code) % 0x110000)) if code.isdecimal() else Character(_CHARACTER_NAMES.get(code, code))


def parse_term(
    bubble: Bubble, scope: Scope, expected: Kind | None = None, fits: Callable[[Term], bool] | None = None
) -> Term:
    """The term a bubble means in `scope`, of kind `expected` if one is given."""
    scope.declare_on_the_fly(bubble.words)
    return parse_words(bubble, scope, expected, fits)


def parse_words(
    bubble: Bubble, scope: Scope, expected: Kind | None = None, fits: Callable[[Term], bool] | None = None
) -> Term:
    """As `parse_term`, when the on-the-fly variables of the whole statement are known already."""
    if not bubble.words:
        raise SyntaxProblem("E110", "there is no term here", bubble.span)
    readings, parser = readings_of(bubble, scope, expected, fits)
    if not readings:
        raise explain_failure(bubble, scope, parser)
    if len(readings) > 1:
        raise _ambiguous(bubble, readings)
    return readings[0]


def readings_of(
    bubble: Bubble, scope: Scope, expected: Kind | None = None, fits: Callable[[Term], bool] | None = None
) -> tuple[list[Term], MixfixParser[Term, Payload]]:
    """The preferred readings of a bubble; well-sorted ones if there are any."""
    parser: MixfixParser[Term, Payload]
    words = _without_qualifiers(bubble.words, scope)
    for strict in (True, False):
        scope.strict = strict
        parser = MixfixParser(words, scope.signature.tables, scope)
        try:
            found = list(dict.fromkeys(parser.parse()))
        except TooAmbiguous:
            raise _hopeless(bubble) from None
        if fits is not None:
            found = [term for term in found if fits(term)] or found
        if expected is not None and len(found) > 1:
            kinds = scope.signature.order.kind
            found = [term for term in found if kinds.get(term.sort) is expected] or found
        if found:
            return _preferred(found, scope), parser
    return [], parser


def _without_qualifiers(words: list[str], scope: Scope) -> list[str]:
    """`f.M(a)` is read as `f(a)`, `a =.X b` as `a = b`: the module only says where the operator comes from."""
    tables = scope.signature.tables
    plain = words
    for index, word in enumerate(words):
        if "." not in word[1:-1]:
            continue
        name, _, qualifier = word.rpartition(".")
        if words[index + 1 : index + 2] == ["("] and not tables.prefix(word):
            is_operator = bool(tables.prefix(name))
        else:
            is_operator = name in tables.words() and word not in tables.words() and not scope.atoms(word)
            is_operator = is_operator and scope.module is not None and bool(_qualified_modules(scope.module, qualifier))
        if is_operator:
            plain = list(words) if plain is words else plain
            plain[index] = name
    return plain


MAX_COMPARED = 20
"""Ill-sorted readings that are compared by how much of them is ill-sorted."""


def _preferred(found: list[Term], scope: Scope) -> list[Term]:
    """CafeOBJ's choice among readings: those of the least sort, with the lowest operator, with the fewest errors."""
    if len(found) == 1:
        return found
    found = [t for t in found if t.sort.name != "SortId"] or found
    order = scope.signature.order
    least = [
        t for t in found if not any(o is not t and o.sort is not t.sort and order.leq(o.sort, t.sort) for o in found)
    ]
    if len(least) > 1:
        plain = [t for t in least if not t.op.polymorphic]
        if len(plain) == 1:
            return plain
        if len(least) <= MAX_COMPARED and all(t.sort.is_error for t in least):
            wrong = [sum(part.sort.is_error for part in subterms(t)) for t in least]
            least = [t for t, count in zip(least, wrong, strict=True) if count == min(wrong)]
    return least or found


def _hopeless(bubble: Bubble) -> SyntaxProblem:
    hint = "declare the operators assoc, l-assoc or r-assoc, or add parentheses"
    return SyntaxProblem("E112", "ambiguous term: too many readings to list", bubble.span, hint)


def _ambiguous(bubble: Bubble, readings: list[Term]) -> SyntaxProblem:
    shown = readings[:5]
    texts = [show_briefly(term) for term in shown]
    if len(set(texts)) < len(texts):
        texts = [_with_sorts(term) for term in shown]
    pairs = enumerate(zip(texts, shown, strict=True), 1)
    notes = [f"reading {i}: {text} of sort {term.sort.name}" for i, (text, term) in pairs]
    return SyntaxProblem(
        "E112",
        f"ambiguous term: {len(readings)} readings",
        bubble.span,
        hint="add parentheses, declare the operator l-assoc or r-assoc, or qualify a part as in (t):Sort",
        notes=notes,
    )


def _with_sorts(term: Term) -> str:
    """A term whose arguments carry their sorts, for readings that are written alike."""
    if not term.args:
        return show_briefly(term)
    arguments = ", ".join(f"({_with_sorts(arg)}):{arg.sort.name}" for arg in term.args)
    return f"{term.op.name}({arguments})"


# --- why a bubble is not a term


def explain_failure(bubble: Bubble, scope: Scope, parser: MixfixParser[Term, Payload]) -> SyntaxProblem:
    """The most helpful error for a bubble without a reading."""
    unbalanced = _unbalanced(bubble)
    if unbalanced is not None:
        return unbalanced
    if scope.unknown_sort is not None:
        index = (
            next(i for i, w in enumerate(bubble.words) if w.endswith(":" + scope.unknown_sort))
            if any(w.endswith(":" + scope.unknown_sort) for w in bubble.words)
            else 0
        )
        hint = did_you_mean(scope.unknown_sort, scope.signature.sort_names)
        return SyntaxProblem("E201", f"no such sort: {scope.unknown_sort!r}", bubble.span_of(index), hint)
    known = scope.signature.tables.words()
    unfinished = open_conditional(bubble.words)
    for index, word in enumerate(bubble.words):
        if word not in known and word not in "(),[]{};" and not scope.atoms(word) and not _is_qualifier(word, scope):
            if index and bubble.words[index - 1] == ":is":
                hint = did_you_mean(word, scope.signature.sort_names)
                return SyntaxProblem("E201", f"no such sort: {word!r}", bubble.span_of(index), hint)
            return _unknown_word(bubble, index, scope, known)
    if unfinished is not None:
        hint = "write 'if condition then value else value fi'"
        return SyntaxProblem("E110", "this 'if' has no 'fi'", bubble.span_of(unfinished), hint)
    return (
        _wrong_use(bubble, scope)
        or _wrong_condition(bubble, scope)
        or SyntaxProblem(
            "E110",
            f"this is not a term: reading stops at {quoted(bubble.words[min(parser.farthest, len(bubble) - 1)])}",
            bubble.span_of(parser.farthest),
            hint="check the sorts of the arguments, missing blanks around operators, and parentheses",
        )
    )


def _is_qualifier(word: str, scope: Scope) -> bool:
    return word.startswith(":") and (word == ":" or scope.find_sort(word[1:]) is not None)


def _unbalanced(bubble: Bubble) -> SyntaxProblem | None:
    stack: list[int] = []
    for index, word in enumerate(bubble.words):
        if word == "(":
            stack.append(index)
        elif word == ")":
            if not stack:
                return SyntaxProblem(
                    "E103", "this parenthesis closes nothing", bubble.span_of(index), "remove it, or open one before"
                )
            stack.pop()
    if stack:
        return SyntaxProblem(
            "E103", "this parenthesis is never closed", bubble.span_of(stack[-1]), "add the missing ')'"
        )
    return None


def _unknown_word(bubble: Bubble, index: int, scope: Scope, known: set[str]) -> SyntaxProblem:
    word = bubble.words[index]
    names = set(scope.variables) | set(scope.fresh) | known | _constant_names(scope.signature)
    if word in ("eq", "ceq", "op", "ops", "red", "var", "vars", "open", "close"):
        return SyntaxProblem(
            "E102", f"missing period before this {word!r}", bubble.span_of(index), "end the statement before with ' .'"
        )
    hint = hint_for_word(word)
    is_applied = bubble.words[index + 1 : index + 2] == ["("]
    if is_applied and word.startswith("c-") and word[2:] in names:
        hint = declaration_of(word, _argument_sorts(bubble, index, scope))
    hint = hint or did_you_mean(word, names)
    if hint is None and is_applied:
        hint = declaration_of(word, _argument_sorts(bubble, index, scope))
    if hint is None and word.endswith(".") and len(word) > 1:
        hint = f"a period that ends a statement stands alone: '{word[:-1]} .'"
    if hint is None:
        glued = [k for k in ("==", "=", "+", "*", "<", "-") if k in word and len(word) > len(k)]
        hint = f"words are separated by blanks: is {glued[0]!r} an operator here?" if glued else None
    return UnknownWord("E111", f"unknown operator or variable: {quoted(word)}", bubble.span_of(index), hint)


def _argument_sorts(bubble: Bubble, index: int, scope: Scope) -> list[str] | None:
    """The sorts of the arguments of a standard application; None if one of them is no term."""
    arguments = _arguments(bubble, index + 2) or []
    readings = [readings_of(argument, scope)[0] for argument in arguments]
    return [terms[0].sort.name for terms in readings] if readings and all(readings) else None


def _constant_names(signature: Signature) -> set[str]:
    return {symbol.name for symbol in signature.symbols() if symbol.nargs == 0}


def _wrong_use(bubble: Bubble, scope: Scope) -> SyntaxProblem | None:
    """A standard operator applied to a wrong number of arguments, or to arguments of another kind."""
    words = bubble.words
    for index in range(len(words) - 1, -1, -1):
        candidates = [s for n in range(9) for s in scope.signature.named((words[index],), n)]
        if not candidates:
            continue
        if words[index + 1 : index + 2] != ["("]:
            if all(s.nargs for s in candidates) and not scope.atoms(words[index]):
                return _wrong_number(bubble, index, candidates, 0)
            continue
        arguments = _arguments(bubble, index + 2)
        if arguments is None:
            continue
        fitting = [s for s in candidates if s.nargs == len(arguments)]
        if not fitting:
            return _wrong_number(bubble, index, candidates, len(arguments))
        problem = _wrong_argument(words[index], fitting, arguments, scope)
        if problem is not None:
            return problem
    return None


def _wrong_condition(bubble: Bubble, scope: Scope) -> SyntaxProblem | None:
    """`if t then ...` where t is not Boolean."""
    words = bubble.words
    if "if" not in words or "then" not in words[words.index("if") :]:
        return None
    start = words.index("if") + 1
    condition = bubble.part(start, words.index("then", start))
    terms, _ = readings_of(condition, scope) if condition.words else ([], None)
    if not terms or any(term.sort.name == "Bool" for term in terms):
        return None
    return SyntaxProblem("E203", f"the condition of 'if' is of sort {terms[0].sort.name}, not Bool", condition.span)


def _wrong_number(bubble: Bubble, index: int, candidates: list[Symbol], given: int) -> SyntaxProblem:
    wanted = " or ".join(str(n) for n in sorted({s.nargs for s in candidates}))
    return SyntaxProblem(
        "E113",
        f"{bubble.words[index]!r} takes {wanted} argument{'s' if wanted != '1' else ''}, not {given}",
        bubble.span_of(index),
        hint=f"declared as {_ranks(candidates)}",
    )


def _wrong_argument(name: str, symbols: list[Symbol], arguments: list[Bubble], scope: Scope) -> SyntaxProblem | None:
    kinds = scope.signature.order.kind
    for position, argument in enumerate(arguments):
        terms, _ = readings_of(argument, scope)
        if terms and not any(kinds.get(t.sort) is s.arg_kinds[position] for t in terms for s in symbols):
            return SyntaxProblem(
                "E203",
                f"argument {position + 1} of {name!r} is of sort {terms[0].sort.name}",
                argument.span,
                hint=f"declared as {_ranks(symbols)}",
            )
    return None


def _ranks(symbols: list[Symbol]) -> str:
    ranks = [" ".join([*(s.name for s in d.arity), "->", d.coarity.name]) for symbol in symbols for d in symbol.decls]
    return "; ".join(f"{symbols[0].name} : {rank}" for rank in ranks[:3])


def _arguments(bubble: Bubble, start: int) -> list[Bubble] | None:
    depth, begin, found = 0, start, []
    for index in range(start, len(bubble)):
        word = bubble.words[index]
        if word in "([{":
            depth += 1
        elif word in ")]}":
            if depth == 0:
                found.append(bubble.part(begin, index))
                return found
            depth -= 1
        elif word == "," and depth == 0:
            found.append(bubble.part(begin, index))
            begin = index + 1
    return None
