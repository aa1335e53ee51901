"""Terms as text, in CafeOBJ's normal print mode: every mixfix application in parentheses, so that it reads back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from otsrw.theory.builtins import Builtin, Character, QuotedId
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, Term, variables_of

if TYPE_CHECKING:
    from otsrw.theory.modules import Axiom

MAX_PIECES = 3_000_000
"""Words and parentheses of the longest text that is printed in full."""

_ESCAPES = {"\n": "\\n", "\t": "\\t", " ": "\\s", "\r": "\\r"}


def show(term: Term, declared: dict[str, Term] | None = None) -> str:
    """The text of a term; variables outside `declared` carry their sort at their first occurrence.

    A term may be small as a graph and astronomically large as text: then the text is cut.
    """
    return _Printer(declared or {}).text(term, MAX_PIECES)


def show_in_turn(
    terms: list[Term], sort_name: Callable[[Sort], str], declared: dict[str, Term] | None = None
) -> list[str]:
    """The texts of the sides of an axiom: variables carry their sort unless they occur further left, or in the first.

    CafeOBJ forgets in the condition which variables the right side has. Variables in `declared` carry no sort.
    """
    known = declared or {}
    first = _Printer(known, sort_name)
    texts = [first.text(terms[0], MAX_PIECES)]
    for term in terms[1:]:
        other = _Printer(known, sort_name)
        other.seen = set(first.seen)
        texts.append(other.text(term, MAX_PIECES))
    return texts


def sentence_line(axiom: Axiom) -> str:
    """An axiom on one line, with its period."""
    sides = [axiom.lhs, axiom.rhs] + ([] if axiom.condition is None else [axiom.condition])
    left, right, *condition = show_in_turn(sides, lambda sort: sort.name)
    keyword = f"{'b' if axiom.behavioural else ''}{'c' if condition else ''}{'trans' if axiom.is_transition else 'eq'}"
    labels = f" [{' '.join(axiom.labels)}]:" if axiom.labels else ""
    arrow = "=>" if axiom.is_transition else "="
    return f"{keyword}{labels} {left} {arrow} {right}{' if ' + condition[0] if condition else ''} ."


def show_plainly(term: Term) -> str:
    """A term for people: variables without sorts, and in an equation the larger side first."""
    return show(_larger_first(term), {variable.op.name: variable for variable in variables_of(term)})


def _larger_first(term: Term) -> Term:
    """A copy that is only to be printed: equality is commutative, so its sides stand in the order of their making."""
    if not term.args:
        return term
    args = tuple([_larger_first(arg) for arg in term.args])
    if term.op.native is Builtin.EQUALS and _size(args[0]) < _size(args[1]):
        args = args[::-1]
    return Term(term.op, args, term.sort, term.ground)


def _size(term: Term) -> int:
    return 1 + sum(_size(arg) for arg in term.args)


def show_briefly(term: Term, width: int = 200) -> str:
    """The beginning of a term's text, without spelling out the rest."""
    text = _Printer({}).text(term, width)
    return text if len(text) <= width + 4 else text[:width] + " ..."


def show_sort(sort: Sort, names: dict[str, tuple[Sort, ...]] | None = None) -> str:
    """A sort's name, qualified by its module if `names` has several sorts of that name.

    Sorts of instances stay plain: `L.L(X <= A)` could not be read back.
    """
    several = names is not None and len(names.get(sort.name, ())) > 1 and "(" not in sort.module
    return f"{sort.name}.{sort.module}" if several else sort.name


def show_with_sort(
    term: Term, declared: dict[str, Term] | None = None, names: dict[str, tuple[Sort, ...]] | None = None
) -> str:
    """As CafeOBJ shows results: `(term):Sort`."""
    return with_sort(show(term, declared), term, names)


def with_sort(text: str, term: Term, names: dict[str, tuple[Sort, ...]] | None = None) -> str:
    """`(text):Sort`, where `text` is the term's."""
    sort = show_sort(term.sort, names)
    if term.op.variable:
        return f"{term.op.name}:{sort}"
    if not (text.startswith("(") and _is_mixfix(term)):
        text = f"({text})"
    return f"{text}:{sort}"


def show_literal(value: object) -> str:
    if isinstance(value, Sort):
        return value.name
    if isinstance(value, QuotedId):
        return str(value)
    if isinstance(value, Character):
        return f"'{_ESCAPES.get(value, value)}'"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, float):
        return _float_text(value)
    return decimal_text(value) if isinstance(value, int) else str(value)


def _float_text(value: float) -> str:
    """As CafeOBJ writes floating-point numbers, with the exponent after a `d`."""
    from decimal import Decimal

    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return f"{value!r}d0"
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    if not isinstance(exponent, int):
        return repr(value)
    figures = "".join(map(str, digits)).rstrip("0") or "0"
    scale = exponent + len(digits) - 1
    return f"{'-' if sign else ''}{figures[0]}.{figures[1:] or '0'}d{scale}"


_LARGE_BITS = 50_000


def decimal_text(number: int) -> str:
    """The decimal digits of a number; large ones by halves with `decimal`, whose multiplication is not quadratic."""
    if abs(number).bit_length() < _LARGE_BITS:
        return str(number)
    import decimal

    powers: dict[int, decimal.Decimal] = {}

    def power_of_two(exponent: int) -> decimal.Decimal:
        if exponent not in powers:
            half = exponent >> 1
            small = exponent <= 256
            powers[exponent] = (
                decimal.Decimal(1 << exponent) if small else power_of_two(half) * power_of_two(exponent - half)
            )
        return powers[exponent]

    def convert(part: int, bits: int) -> decimal.Decimal:
        if bits <= 256:
            return decimal.Decimal(part)
        half = bits >> 1
        high = part >> half
        return convert(part - (high << half), half) + convert(high, bits - half) * power_of_two(half)

    with decimal.localcontext() as context:
        context.prec, context.Emax, context.Emin = decimal.MAX_PREC, decimal.MAX_EMAX, decimal.MIN_EMIN
        context.traps[decimal.Inexact] = True
        digits = str(convert(abs(number), number.bit_length()))
    return "-" + digits if number < 0 else digits


def _is_mixfix(term: Term) -> bool:
    return bool(term.args) and "_" in term.op.words


class _Printer:
    """Iterative, since terms may be a hundred thousand levels deep."""

    def __init__(self, declared: dict[str, Term], sort_name: Callable[[Sort], str] | None = None) -> None:
        self.declared = declared
        self.sort_name = sort_name
        self.seen: set[Term] = set()

    def text(self, term: Term, width: int) -> str:
        """The text, cut after `width` pieces."""
        pieces: list[str] = []
        todo: list[Term | str] = [term]
        while todo and len(pieces) <= width:
            item = todo.pop()
            if isinstance(item, str):
                pieces.append(item)
            elif isinstance(item, LiteralTerm):
                pieces.append(show_literal(item.value))
            elif item.op.variable:
                pieces.append(self._variable(item))
            elif not item.args:
                pieces.append(" ".join(item.op.words))
            else:
                todo += reversed(self._parts(item))
        return "".join(pieces) + (" ..." if todo else "")

    def _variable(self, term: Term) -> str:
        name = term.op.name
        if term in self.seen or self.declared.get(name) is term:
            return name
        self.seen.add(term)
        return f"{name}:{term.sort.name if self.sort_name is None else self.sort_name(term.sort)}"

    def _parts(self, term: Term) -> list[Term | str]:
        words = term.op.words
        if "_" in words:
            return _mixfix_parts(term)
        name = " ".join(words)
        if term.op.assoc:
            parts = _nested_parts(name, term.args)
        else:
            parts = [name, "("]
            for index, arg in enumerate(term.args):
                parts += [",", arg] if index else [arg]
            parts.append(")")
        binds_loosely = any(decl.attributes.precedence for decl in term.op.decls)
        return ["(", *parts, ")"] if binds_loosely else parts


def _nested_parts(name: str, args: tuple[Term, ...]) -> list[Term | str]:
    """`f(a,f(b,c))` for an associative operator in prefix form."""
    parts: list[Term | str] = []
    for arg in args[:-1]:
        parts += [f"{name}(", arg, ","]
    return [*parts, args[-1], ")" * (len(args) - 1)]


def _mixfix_parts(term: Term) -> list[Term | str]:
    """Words and arguments in order; an associative term is shown as nested to the right."""
    words = term.op.words
    args = term.args
    if not term.op.assoc:
        rest = iter(args)
        parts: list[Term | str] = ["("]
        for index, word in enumerate(words):
            if index:
                parts.append(" ")
            parts.append(next(rest) if word == "_" else word)
        return [*parts, ")"]
    first = words.index("_")
    second = words.index("_", first + 1)
    before = "(" + "".join(word + " " for word in words[:first])
    between = " " + "".join(word + " " for word in words[first + 1 : second])
    after = "".join(" " + word for word in words[second + 1 :]) + ")"
    parts = []
    for arg in args[:-1]:
        parts += [before, arg, between]
    return [*parts, args[-1], after * (len(args) - 1)]
