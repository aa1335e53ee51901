"""What built-in operators compute when their arguments are literals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from otsrw.syntax.diagnostics import BudgetExceeded
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


COMPUTE: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "times": _times,
    "minus": lambda a, b: a - b,
    "negate": lambda a: -a,
    "successor": lambda a: a + 1 if a.__class__ is int else None,
    "predecessor": lambda a: a - 1 if a.__class__ is int and a > 0 else None,
    "distance": _of_integers(lambda a, b: abs(a - b)),
    "nonzero-distance": _of_integers(lambda a, b: abs(a - b) or 1),
    "nonzero-quotient": _of_integers(lambda a, b: a // b if a > b else 1),
    "quotient": _of_integers(_quotient),
    "remainder": _remainder,
    "divide": _divide,
    "divides": _of_integers(lambda a, b: None if a == 0 else b % a == 0),
    "less": lambda a, b: a < b,
    "less-equal": lambda a, b: a <= b,
    "greater": lambda a, b: a > b,
    "greater-equal": lambda a, b: a >= b,
    "same-value": lambda a, b: a == b,
    "near": lambda a, z, b: abs(a - b) < z,
    "exp": _safely(math.exp),
    "log": _safely(math.log),
    "sqrt": _safely(math.sqrt),
    "abs": abs,
    "sin": math.sin,
    "cos": math.cos,
    "atan": math.atan,
    "pi": lambda: math.pi,
    "char-code": ord,
    "code-char": lambda n: Character(chr(n)) if n <= 255 else None,
    "graphic-char-p": lambda c: c.isprintable(),
    "alpha-char-p": lambda c: c.isalpha(),
    "upper-case-p": lambda c: c.isupper(),
    "lower-case-p": lambda c: c.islower(),
    "digit-char-p": lambda c: c.isdigit(),
    "alphanumericp": lambda c: c.isalnum(),
    "concatenate": _concatenate,
    "length": len,
    "find": _find,
    "rfind": _rfind,
    "schar": lambda s, n: Character(s[n]) if n < len(s) else None,
    "string": str,
    "qid": lambda s: QuotedId(s if s.startswith("'") else "'" + s),
    "upcase": lambda s: _like(s, s.upper()),
    "downcase": lambda s: _like(s, s.lower()),
    "capitalize": lambda s: s.title(),
    "substring": _substring,
    "rsubstring": lambda s, n: s[:n] if n <= len(s) else None,
}
"""By native name; None means the operator stays as it is on these arguments, True and False become Bool."""
