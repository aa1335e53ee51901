"""The built-in operators: the closed set that the prelude chooses from with its attribute `native:`."""

from __future__ import annotations

from enum import Enum


class Builtin(Enum):
    """A built-in operator. Its value is the word that names it in the prelude.

    Operators are compared with `is`. Python 3.11 is slow to find a member in its class: a loop over terms compares with
    a constant of its own module, or asks a set.
    """

    IF = "if"
    IS = "is"
    SAME = "same"
    BEHAVES = "behaves"
    DIFFERENT = "different"
    MATCH = "match"
    CONJUNCTION = "conjunction"
    EQUALS = "equals"
    AND = "and"
    AND_ALSO = "and-also"
    OR = "or"
    OR_ELSE = "or-else"
    XOR = "xor"
    NOT = "not"
    IMPLIES = "implies"
    IFF = "iff"
    ADD = "add"
    NONZERO_DISTANCE = "nonzero-distance"
    TIMES = "times"
    NONZERO_QUOTIENT = "nonzero-quotient"
    LESS = "less"
    LESS_EQUAL = "less-equal"
    GREATER = "greater"
    GREATER_EQUAL = "greater-equal"
    SUCCESSOR = "successor"
    PREDECESSOR = "predecessor"
    DISTANCE = "distance"
    QUOTIENT = "quotient"
    REMAINDER = "remainder"
    DIVIDES = "divides"
    MINUS = "minus"
    NEGATE = "negate"
    DIVIDE = "divide"
    EXP = "exp"
    LOG = "log"
    SQRT = "sqrt"
    ABS = "abs"
    SIN = "sin"
    COS = "cos"
    ATAN = "atan"
    PI = "pi"
    NEAR = "near"
    CHAR_CODE = "char-code"
    CODE_CHAR = "code-char"
    UPCASE = "upcase"
    DOWNCASE = "downcase"
    GRAPHIC_CHAR_P = "graphic-char-p"
    ALPHA_CHAR_P = "alpha-char-p"
    UPPER_CASE_P = "upper-case-p"
    LOWER_CASE_P = "lower-case-p"
    DIGIT_CHAR_P = "digit-char-p"
    ALPHANUMERICP = "alphanumericp"
    SAME_VALUE = "same-value"
    CONCATENATE = "concatenate"
    LENGTH = "length"
    FIND = "find"
    RFIND = "rfind"
    SCHAR = "schar"
    STRING = "string"
    CAPITALIZE = "capitalize"
    SUBSTRING = "substring"
    RSUBSTRING = "rsubstring"
    QID = "qid"
    SEARCH = "search"

    # Members are equal only to themselves, so the hash of an object will do; that of an Enum is computed in Python.
    __hash__ = object.__hash__


WORDS: dict[str, Builtin] = {builtin.value: builtin for builtin in Builtin}
"""The built-in operators by their words in the prelude."""

CONNECTIVES = frozenset((Builtin.AND, Builtin.OR, Builtin.XOR, Builtin.NOT, Builtin.IMPLIES, Builtin.IFF))
"""The Boolean connectives that the ring of polynomials computes."""

EQUALITIES = (Builtin.EQUALS, Builtin.SAME)
"""What claims that two terms are equal."""

SYNTACTIC_TESTS = (Builtin.SAME, Builtin.DIFFERENT)
"""What compares the normal forms of two terms."""
