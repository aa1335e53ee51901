"""The commonest slips, and what to write instead: hints for words that a module does not know."""

from __future__ import annotations

from collections.abc import Sequence

_HOMES = {
    "Nat": "NAT",
    "NzNat": "NAT",
    "Zero": "NAT",
    "Int": "INT",
    "NzInt": "INT",
    "Rat": "RAT",
    "NzRat": "RAT",
    "Float": "FLOAT",
    "String": "STRING",
    "Char": "CHARACTER",
    "Qid": "QID",
    "Id": "QID",
    "2Tuple": "2TUPLE",
    "3Tuple": "3TUPLE",
    "4Tuple": "4TUPLE",
}
"""The built-in module of each sort that people expect to be there."""

_WORDS = {
    "-": "natural numbers have no '-': write sd(x, y) for the difference or p x for the number before x; INT has '-'",
    "forall": "there are no quantifiers: an equation is about all values of its variables",
    "exists": "there are no quantifiers: define a function that looks for the value, as '\\in' does in a collection",
    "\\in": "declare it, or load a collection of the data library that has it: 'in set', 'in bag', 'in list'",
    "!=": "write 'not (x = y)'",
    "<>": "write 'not (x = y)'",
    "/=": "write 'not (x = y)'",
    "&&": "write 'and'",
    "||": "write 'or'",
    "!": "write 'not'",
    "~": "write 'not'",
    "->": "write 'implies'",
    "=>": "write 'implies'",
    "<->": "write 'iff'",
    "<=>": "write 'iff'",
    "True": "write 'true'",
    "False": "write 'false'",
}


def home_of_sort(name: str) -> str | None:
    """How to get a built-in sort that the module does not import; None if it is no built-in one."""
    module = _HOMES.get(name)
    return None if module is None else f"it is in the built-in module {module}: write 'pr({module})' first"


def hint_for_word(word: str) -> str | None:
    """What to write for a word that CafeOBJ does not know; None if it is no common slip."""
    return _WORDS.get(word)


def declaration_of(word: str, sorts: Sequence[str] | None) -> str | None:
    """How to declare an effective condition that is used but not declared; None if it does not look like one."""
    if not word.startswith("c-") or len(word) < 3:
        return None
    arity = "Sys ..." if sorts is None else " ".join(sorts)
    return f"declare it: 'op {word} : {arity} -> Bool'"


def open_conditional(words: Sequence[str]) -> int | None:
    """The place of an `if` that no `fi` closes; None if all are closed."""
    open_places: list[int] = []
    for place, word in enumerate(words):
        if word == "if":
            open_places.append(place)
        elif word == "fi" and open_places:
            open_places.pop()
    return next((place for place in open_places if "then" in words[place:]), None)


def quoted(word: str) -> str:
    """A word in quotes, as it is written."""
    return f"'{word}'"
