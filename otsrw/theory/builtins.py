"""The built-in operators and constants: everything that is special about one of them stands in one row.

The prelude declares the operators; its attribute `native:` names a row of `Builtin`. A new operator that computes with
literals needs a row here and a declaration there, and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum
from typing import Any

from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.sorts import Sort

MAX_BITS = 4_000_000
MAX_LENGTH = 1_000_000


class QuotedId(str):
    """A quoted identifier `'abc`, kept apart from strings."""

    __slots__ = ()


class Character(str):
    """A character literal."""

    __slots__ = ()


# --- literals

LITERAL_SORT_NAMES = frozenset(("Zero", "NzNat", "NzInt", "NzRat", "Float", "Character", "String", "Qid", "SortId"))
"""The sorts of the prelude whose constants are Python values."""


def literal_sort_name(value: object) -> str:
    """The name of the least sort of a built-in constant."""
    if isinstance(value, Sort):
        return "SortId"
    if isinstance(value, QuotedId):
        return "Qid"
    if isinstance(value, Character):
        return "Character"
    if isinstance(value, str):
        return "String"
    if isinstance(value, float):
        return "Float"
    number: Any = value
    if number.denominator != 1:
        return "NzRat"
    return "Zero" if number == 0 else "NzNat" if number > 0 else "NzInt"


LITERAL_SORTS: dict[str, Sort] = {}
"""The sorts of literals by their names, filled in when the prelude's value modules are read."""


# --- computations: None means that the operator stays as it is on these arguments


def _too_large(what: str) -> BudgetExceeded:
    """A product or a concatenation must not eat the machine."""
    return BudgetExceeded("E401", f"a {what} has grown too large")


def _truncated(a: Any, b: Any) -> Any:
    quotient = abs(a) // abs(b)
    return quotient if (a >= 0) == (b >= 0) else -quotient


def _of_integers(compute: Callable[..., Any]) -> Callable[..., Any]:
    """An operator that is declared for integers, and ill-sorted on other numbers."""

    def checked(*values: Any) -> Any:
        return compute(*values) if all(value.__class__ is int for value in values) else None

    return checked


def _successor(a: Any) -> Any:
    return a + 1 if a.__class__ is int else None


def _predecessor(a: Any) -> Any:
    return a - 1 if a.__class__ is int and a > 0 else None


@_of_integers
def _distance(a: int, b: int) -> int:
    return abs(a - b)


@_of_integers
def _nonzero_distance(a: int, b: int) -> int:
    return abs(a - b) or 1


@_of_integers
def _quotient(a: int, b: int) -> Any:
    return None if b == 0 else _truncated(a, b)


@_of_integers
def _nonzero_quotient(a: int, b: int) -> int:
    return a // b if a > b else 1


@_of_integers
def _divides(a: int, b: int) -> bool | None:
    return None if a == 0 else b % a == 0


def _remainder(a: Any, b: Any) -> Any:
    if b == 0:
        return None
    if isinstance(a, float):
        return math.fmod(a, b) if math.isfinite(a) else None
    return a - b * _truncated(a, b)


def _divide(a: Any, b: Any) -> Any:
    from fractions import Fraction

    if b == 0:
        return None
    return a / b if isinstance(a, float) else Fraction(a) / Fraction(b)


def _times(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int) and a.bit_length() + b.bit_length() > MAX_BITS:
        raise _too_large("number")
    return a * b


def _concatenate(a: str, b: str) -> str:
    if len(a) + len(b) > MAX_LENGTH:
        raise _too_large("string")
    return a + b


def _substring(text: str, start: int, end: int | None = None) -> str | None:
    end = len(text) if end is None else end
    return text[start:end] if start <= end <= len(text) else None


def _find(character: str, text: str, start: int) -> int | None:
    found = text.find(character, start)
    return None if found < 0 else found


def _rfind(character: str, text: str, start: int) -> int | None:
    found = text.rfind(character, 0, start + 1)
    return None if found < 0 else found


def _safely(function: Callable[[float], float]) -> Callable[[float], float | None]:
    def compute(x: float) -> float | None:
        try:
            return function(x)
        except (ValueError, OverflowError):
            return None

    return compute


def _like(example: str, text: str) -> str:
    return Character(text) if isinstance(example, Character) else text


# --- operators

_Compute = Callable[..., Any]
_Row = tuple[str, tuple[int, ...], _Compute | None, str | None, bool, str | None]


def _row(
    word: str,
    arities: int | tuple[int, ...],
    compute: _Compute | None = None,
    *,
    undefined: str | None = None,
    connective: bool = False,
    maude: str | None = None,
) -> _Row:
    return word, (arities,) if isinstance(arities, int) else arities, compute, undefined, connective, maude


class Builtin(Enum):
    """A built-in operator. Its value is the word that names it in the prelude.

    Operators are compared with `is`. Python 3.11 is slow to find a member in its class: a loop over terms compares with
    a constant of its own module, or asks a set.
    """

    arities: tuple[int, ...]
    """The numbers of arguments it is declared for."""
    compute: _Compute | None
    """The value for literal arguments; True and False become Bool. None if the rewriter has code for it."""
    undefined: str | None
    """Where it has no value, in words; None if it has one wherever it is well-sorted."""
    connective: bool
    """Is it a function of truth values only?"""
    maude: str | None
    """The same in Maude, with braces for the arguments; undefined where the operator is, as `0 quo 0` is in Maude.

    None if Maude has nothing that agrees elsewhere, or if it is not written like an operator there.
    """

    def __new__(cls, word: str, *row: Any) -> Builtin:
        builtin = object.__new__(cls)
        builtin._value_ = word
        builtin.arities, builtin.compute, builtin.undefined, builtin.connective, builtin.maude = row
        return builtin

    # Members are equal only to themselves, so the hash of an object will do; that of an Enum is computed in Python.
    __hash__ = object.__hash__

    IF = _row("if", 3, maude="(if {} then {} else {} fi)")
    IS = _row("is", 2)
    SAME = _row("same", 2, maude="({} == {})")
    BEHAVES = _row("behaves", 2)
    DIFFERENT = _row("different", 2, maude="({} =/= {})")
    MATCH = _row("match", 2)
    CONJUNCTION = _row("conjunction", 2)
    EQUALS = _row("equals", 2, maude="({} == {})")
    AND = _row("and", 2, connective=True, maude="({} and-then {})")
    AND_ALSO = _row("and-also", 2, connective=True, maude="({} and-then {})")
    OR = _row("or", 2, connective=True, maude="({} or-else {})")
    OR_ELSE = _row("or-else", 2, connective=True, maude="({} or-else {})")
    XOR = _row("xor", 2, connective=True, maude="({} xor {})")
    NOT = _row("not", 1, connective=True, maude="(not {})")
    IMPLIES = _row("implies", 2, connective=True, maude="((not {}) or-else {})")
    IFF = _row("iff", 2, connective=True, maude="({} == {})")
    ADD = _row("add", 2, lambda a, b: a + b, maude="({} + {})")
    NONZERO_DISTANCE = _row(
        "nonzero-distance", 2, _nonzero_distance, undefined="at 0", maude="(max(sd({0}, {1}), 1) + (0 quo ({0} * {1})))"
    )
    TIMES = _row("times", 2, _times, maude="({} * {})")
    NONZERO_QUOTIENT = _row(
        "nonzero-quotient", 2, _nonzero_quotient, undefined="at 0", maude="(max({0} quo {1}, 1) + (0 quo {0}))"
    )
    LESS = _row("less", 2, lambda a, b: a < b, maude="({} < {})")
    LESS_EQUAL = _row("less-equal", 2, lambda a, b: a <= b, maude="({} <= {})")
    GREATER = _row("greater", 2, lambda a, b: a > b, maude="({} > {})")
    GREATER_EQUAL = _row("greater-equal", 2, lambda a, b: a >= b, maude="({} >= {})")
    SUCCESSOR = _row("successor", 1, _successor, maude="({} + 1)")
    PREDECESSOR = _row("predecessor", 1, _predecessor, undefined="at 0", maude="(sd({0}, 1) + (0 quo {0}))")
    DISTANCE = _row("distance", 2, _distance, maude="sd({}, {})")
    QUOTIENT = _row("quotient", 2, _quotient, undefined="if the divisor is 0", maude="({} quo {})")
    REMAINDER = _row("remainder", 2, _remainder, undefined="if the divisor is 0", maude="({} rem {})")
    DIVIDES = _row("divides", 2, _divides, undefined="if the divisor is 0", maude="({} divides {})")
    MINUS = _row("minus", 2, lambda a, b: a - b, maude="({} - {})")
    NEGATE = _row("negate", 1, lambda a: -a, maude="(- {})")
    DIVIDE = _row("divide", 2, _divide, undefined="if the divisor is 0", maude="({} / {})")
    EXP = _row("exp", 1, _safely(math.exp), undefined="if the value is too large")
    LOG = _row("log", 1, _safely(math.log), undefined="below or at 0")
    SQRT = _row("sqrt", 1, _safely(math.sqrt), undefined="below 0")
    ABS = _row("abs", 1, abs)
    SIN = _row("sin", 1, _safely(math.sin), undefined="at infinity")
    COS = _row("cos", 1, _safely(math.cos), undefined="at infinity")
    ATAN = _row("atan", 1, math.atan)
    PI = _row("pi", 0, lambda: math.pi)
    NEAR = _row("near", 3, lambda a, z, b: abs(a - b) < z)
    CHAR_CODE = _row("char-code", 1, ord)
    CODE_CHAR = _row("code-char", 1, lambda n: Character(chr(n)) if n <= 255 else None, undefined="above 255")
    UPCASE = _row("upcase", 1, lambda s: _like(s, s.upper()), maude="upperCase({})")
    DOWNCASE = _row("downcase", 1, lambda s: _like(s, s.lower()), maude="lowerCase({})")
    GRAPHIC_CHAR_P = _row("graphic-char-p", 1, lambda c: c.isprintable())
    ALPHA_CHAR_P = _row("alpha-char-p", 1, lambda c: c.isalpha())
    UPPER_CASE_P = _row("upper-case-p", 1, lambda c: c.isupper())
    LOWER_CASE_P = _row("lower-case-p", 1, lambda c: c.islower())
    DIGIT_CHAR_P = _row("digit-char-p", 1, lambda c: c.isdigit())
    ALPHANUMERICP = _row("alphanumericp", 1, lambda c: c.isalnum())
    SAME_VALUE = _row("same-value", 2, lambda a, b: a == b, maude="(({0} <= {1}) and-then ({1} <= {0}))")
    CONCATENATE = _row("concatenate", 2, _concatenate, maude="({} + {})")
    LENGTH = _row("length", 1, len, maude="length({})")
    FIND = _row("find", 3, _find)
    RFIND = _row("rfind", 3, _rfind)
    SCHAR = _row("schar", 2, lambda s, n: Character(s[n]) if n < len(s) else None, undefined="behind the end")
    STRING = _row("string", 1, str)
    CAPITALIZE = _row("capitalize", 1, lambda s: s.title())
    SUBSTRING = _row("substring", (2, 3), _substring, undefined="behind the end, or if it ends before it starts")
    RSUBSTRING = _row("rsubstring", 2, lambda s, n: s[:n] if n <= len(s) else None, undefined="behind the end")
    QID = _row("qid", 1, lambda s: QuotedId(s if s.startswith("'") else "'" + s))
    SEARCH = _row("search", (2, 3, 4, 5, 6, 7))


WORDS: dict[str, Builtin] = {builtin.value: builtin for builtin in Builtin}
"""The built-in operators by their words in the prelude."""

COMPUTE: dict[Builtin, _Compute] = {b: b.compute for b in Builtin if b.compute is not None}
"""The operators that compute with literals."""

CONNECTIVES = frozenset(builtin for builtin in Builtin if builtin.connective)
"""The Boolean connectives."""

RING_CONNECTIVES = CONNECTIVES - {Builtin.AND_ALSO, Builtin.OR_ELSE}
"""The connectives that the ring of polynomials computes, in any order of their arguments."""

EQUALITIES = (Builtin.EQUALS, Builtin.SAME)
"""What claims that two terms are equal."""

SYNTACTIC_TESTS = (Builtin.SAME, Builtin.DIFFERENT)
"""What compares the normal forms of two terms."""
