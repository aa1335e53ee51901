"""Strings as Maude writes them: a string of Maude is made of bytes, one of ours of characters, written as UTF-8."""

from __future__ import annotations

import re

_ESCAPES = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}
_CHARACTERS = {letter: character for character, letter in _ESCAPES.items()}
_ESCAPED = re.compile(r"\\([0-7]{1,3}|.)", re.DOTALL)


def quoted(value: str) -> str:
    """A string as Maude text, in quotes."""
    return f'"{"".join(map(_written, value))}"'


def unquoted(text: str) -> str:
    """The string that Maude has printed."""
    found = _ESCAPED.sub(lambda escape: _read(escape[1]), text[1:-1])
    return found.encode("latin-1").decode("utf-8")


def _written(character: str) -> str:
    if character in _ESCAPES:
        return "\\" + _ESCAPES[character]
    if " " <= character <= "~":
        return character
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8"))


def _read(escape: str) -> str:
    return chr(int(escape, 8)) if escape.isdecimal() else _CHARACTERS.get(escape, escape)
