"""From `grammar/cafe.lark` to the tables of the automaton.

Lark takes a tenth of a second to be imported and to analyse the grammar, so its result is kept as plain data in
`tables.json`, written by `make tables` together with the text it was made from. Tables of another text are never used:
while the grammar is being edited they are made anew at every start.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from otsrw.syntax.lalr import Tables

_PACKAGE = Path(__file__).resolve().parents[1]
STORED = Path(__file__).with_name("tables.json")
STARTS = ("file", "modexp")


def grammar_text(name: str = "cafe") -> str:
    """The text of a grammar, from the checkout or from the installed package."""
    checkout = _PACKAGE.parent / "grammar" / f"{name}.lark"
    bundled = _PACKAGE / "bundled" / "grammar" / f"{name}.lark"
    return (checkout if checkout.is_file() else bundled).read_text("utf-8")


@cache
def tables() -> Tables:
    """The tables of the present grammar."""
    text = grammar_text()
    stored = json.loads(STORED.read_text("utf-8"))
    return Tables(stored if stored["grammar"] == text else analysed(text))


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
        "productions": [_production(rule) for rule in lark.rules],
        "states": states,
    }


def _production(rule: Any) -> list[Any]:
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
            kept.append([index, not symbol.is_term and symbol.name.startswith("_"), absent])
            absent = 0
    name = rule.origin.name
    is_transparent = bool(rule.options.expand1) and rule.alias is None
    is_nameless = name.startswith("_") or (is_transparent and len(kept) == 1)
    return [name, None if is_nameless else rule.alias or name, len(rule.expansion), kept, absent, is_transparent]


def store() -> None:
    """Write the tables of the present grammar, to be committed with it."""
    text = json.dumps(analysed(grammar_text()), ensure_ascii=False, separators=(",", ":"))
    STORED.write_text(text + "\n", "utf-8")
