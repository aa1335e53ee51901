"""The stored tables are those of the grammar, and tables of another grammar are not used."""

from __future__ import annotations

import pytest

from otsrw.syntax import grammar, tables
from otsrw.syntax.lalr import Tables
from otsrw.syntax.reader import _BUILDER


def test_the_stored_tables_are_those_that_lark_makes_of_the_grammar() -> None:
    assert grammar.analysed(grammar.grammar_text()) == tables.STORED, "the grammar has changed: run 'make tables'"


def test_every_node_of_the_grammar_has_a_builder() -> None:
    nodes = {production.node for production in grammar.tables().productions if production.node is not None}
    assert [node for node in sorted(nodes) if not hasattr(_BUILDER, node)] == []


def test_an_edited_grammar_is_analysed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    edited = grammar.grammar_text().replace('"from" modexp "to"', '"out-of" modexp "to"')
    monkeypatch.setattr(grammar, "grammar_text", lambda: edited)
    grammar.tables.cache_clear()
    try:
        assert "out-of" in grammar.tables().punctuation
    finally:
        monkeypatch.undo()
        grammar.tables.cache_clear()
    assert "out-of" not in grammar.tables().punctuation


def test_stored_tables_of_another_text_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    data = tables.STORED
    monkeypatch.setattr(tables, "STORED", data | {"grammar": data["grammar"] + "\n", "states": []})
    grammar.tables.cache_clear()
    try:
        assert grammar.tables().states == Tables(data).states
    finally:
        monkeypatch.undo()
        grammar.tables.cache_clear()
