"""From `grammar/cafe.lark` to the tables of the automaton.

Lark takes a tenth of a second to be imported and to analyse the grammar, so its result is kept as plain data in
`tables.py`, written by `make tables` together with the text it was made from. Tables of another text are never used:
while the grammar is being edited they are made anew at every start.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from otsrw.syntax.lalr import Tables

_FOLDER = os.path.dirname(os.path.realpath(__file__))
_PACKAGE = os.path.dirname(_FOLDER)
STARTS = ("file", "modexp")


def grammar_text(name: str = "cafe") -> str:
    """The text of a grammar, from the checkout or from the installed package."""
    checkout = os.path.join(os.path.dirname(_PACKAGE), "grammar", f"{name}.lark")
    bundled = os.path.join(_PACKAGE, "bundled", "grammar", f"{name}.lark")
    with open(checkout if os.path.isfile(checkout) else bundled, encoding="utf-8") as file:
        return file.read()


@cache
def tables() -> Tables:
    """The tables of the present grammar."""
    from otsrw.syntax.tables import STORED  # here, so that broken tables can be made anew

    text = grammar_text()
    return Tables(STORED if STORED["grammar"] == text else analysed(text))


def analysed(text: str) -> dict[str, Any]:
    """What Lark makes of a grammar, as plain data; states are numbered as they are reached from the start symbols."""
    from lark import Lark
    from lark.parsers.lalr_analysis import Shift

    lark = Lark(text, parser="lalr", lexer="basic", start=list(STARTS))
    table: Any = lark.parser.parser._parse_table
    numbers = {rule: index for index, rule in enumerate(lark.rules)}
    order = [table.start_states[start] for start in STARTS]
    states: list[dict[str, int]] = []
    for state in order:
        row: dict[str, int] = {}
        for symbol, (action, target) in sorted(table.states[state].items()):
            if action is not Shift:
                row[symbol] = ~numbers[target]
                continue
            if target not in order:
                order.append(target)
            row[symbol] = order.index(target)
        states.append(row)
    return {
        "grammar": text,
        "punctuation": {t.pattern.value: t.name for t in lark.terminals if t.pattern is not None},
        "starts": {start: order.index(table.start_states[start]) for start in STARTS},
        "ends": {start: order.index(table.end_states[start]) for start in STARTS},
        "productions": tuple(map(_production, lark.rules)),
        "states": states,
    }


def _production(rule: Any) -> tuple[Any, ...]:
    """The fields of a `Production`; rules whose name starts with an underscore vanish into the rule above."""
    optional = rule.options.empty_indices or [False] * len(rule.expansion)
    symbols = enumerate(rule.expansion)
    kept = []
    absent = 0
    for is_absent in optional:
        if is_absent:
            absent += 1
            continue
        index, symbol = next(symbols)
        if not (symbol.is_term and symbol.filter_out):
            kept.append((index, not symbol.is_term and symbol.name.startswith("_"), absent))
            absent = 0
    name = str(rule.origin.name)
    is_transparent = bool(rule.options.expand1) and rule.alias is None
    is_nameless = name.startswith("_") or (is_transparent and len(kept) == 1)
    return name, None if is_nameless else rule.alias or name, len(rule.expansion), tuple(kept), absent, is_transparent


_HEAD = '''"""The tables of the automaton for `grammar/cafe.lark`, written by `make tables`."""

# fmt: off
# ruff: noqa: E501
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STORED: dict[str, Any] = {
'''


def stored_text(data: dict[str, Any]) -> str:
    """Tables as the text of a module: Python reads its compiled form faster than it could read JSON."""
    return _HEAD + "".join(f" {key!r}: {value!r},\n" for key, value in data.items()) + "}\n"


def store() -> None:
    """Write the tables of the present grammar, to be committed with it."""
    with open(os.path.join(_FOLDER, "tables.py"), "w", encoding="utf-8") as file:
        file.write(stored_text(analysed(grammar_text())))
