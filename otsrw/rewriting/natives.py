"""What built-in operators compute when their arguments are literals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Character, QuotedId

MAX_BITS = 4_000_000
MAX_LENGTH = 1_000_000


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


def _quotient(a: Any, b: Any) -> Any:
    return None if b == 0 else _truncated(a, b)


def _remainder(a: Any, b: Any) -> Any:
    if b == 0:
        return None
    if isinstance(a, float):
        return math.fmod(a, b)
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


COMPUTE: dict[Builtin, Callable[..., Any]] = {
    Builtin.ADD: lambda a, b: a + b,
    Builtin.TIMES: _times,
    Builtin.MINUS: lambda a, b: a - b,
    Builtin.NEGATE: lambda a: -a,
    Builtin.SUCCESSOR: lambda a: a + 1 if a.__class__ is int else None,
    Builtin.PREDECESSOR: lambda a: a - 1 if a.__class__ is int and a > 0 else None,
    Builtin.DISTANCE: _of_integers(lambda a, b: abs(a - b)),
    Builtin.NONZERO_DISTANCE: _of_integers(lambda a, b: abs(a - b) or 1),
    Builtin.NONZERO_QUOTIENT: _of_integers(lambda a, b: a // b if a > b else 1),
    Builtin.QUOTIENT: _of_integers(_quotient),
    Builtin.REMAINDER: _remainder,
    Builtin.DIVIDE: _divide,
    Builtin.DIVIDES: _of_integers(lambda a, b: None if a == 0 else b % a == 0),
    Builtin.LESS: lambda a, b: a < b,
    Builtin.LESS_EQUAL: lambda a, b: a <= b,
    Builtin.GREATER: lambda a, b: a > b,
    Builtin.GREATER_EQUAL: lambda a, b: a >= b,
    Builtin.SAME_VALUE: lambda a, b: a == b,
    Builtin.NEAR: lambda a, z, b: abs(a - b) < z,
    Builtin.EXP: _safely(math.exp),
    Builtin.LOG: _safely(math.log),
    Builtin.SQRT: _safely(math.sqrt),
    Builtin.ABS: abs,
    Builtin.SIN: math.sin,
    Builtin.COS: math.cos,
    Builtin.ATAN: math.atan,
    Builtin.PI: lambda: math.pi,
    Builtin.CHAR_CODE: ord,
    Builtin.CODE_CHAR: lambda n: Character(chr(n)) if n <= 255 else None,
    Builtin.GRAPHIC_CHAR_P: lambda c: c.isprintable(),
    Builtin.ALPHA_CHAR_P: lambda c: c.isalpha(),
    Builtin.UPPER_CASE_P: lambda c: c.isupper(),
    Builtin.LOWER_CASE_P: lambda c: c.islower(),
    Builtin.DIGIT_CHAR_P: lambda c: c.isdigit(),
    Builtin.ALPHANUMERICP: lambda c: c.isalnum(),
    Builtin.CONCATENATE: _concatenate,
    Builtin.LENGTH: len,
    Builtin.FIND: _find,
    Builtin.RFIND: _rfind,
    Builtin.SCHAR: lambda s, n: Character(s[n]) if n < len(s) else None,
    Builtin.STRING: str,
    Builtin.QID: lambda s: QuotedId(s if s.startswith("'") else "'" + s),
    Builtin.UPCASE: lambda s: _like(s, s.upper()),
    Builtin.DOWNCASE: lambda s: _like(s, s.lower()),
    Builtin.CAPITALIZE: lambda s: s.title(),
    Builtin.SUBSTRING: _substring,
    Builtin.RSUBSTRING: lambda s, n: s[:n] if n <= len(s) else None,
}
"""None means the operator stays as it is on these arguments, True and False become Bool."""
