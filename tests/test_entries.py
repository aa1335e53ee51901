"""What a room offers on demand is what type checkers believe it offers."""

from __future__ import annotations

import ast
import importlib

import pytest
from support import ROOT

ROOMS = ["induction", "reasoning", "search", "soundness", "traces"]


def promised(room: str) -> dict[str, str]:
    """The names that a type checker sees in a room, with their modules."""
    text = (ROOT / "otsrw" / room / "__init__.py").read_text("utf-8")
    nodes = ast.walk(ast.parse(text))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and str(node.module).startswith("otsrw.")]
    return {alias.name: str(node.module) for node in imports for alias in node.names if alias.name != "entries"}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_keeps_its_promises(room: str) -> None:
    module = importlib.import_module(f"otsrw.{room}")
    assert sorted(promised(room)) == sorted(module.__all__)
    for name, home in promised(room).items():
        assert getattr(module, name) is getattr(importlib.import_module(home), name)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'otsrw\.search' has no attribute 'Mistake'"):
        importlib.import_module("otsrw.search").Mistake  # noqa: B018
