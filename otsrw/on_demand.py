"""Entries of a room that import their module when somebody asks for them: starting a command loads what it needs."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def entries(room: str, **modules: str) -> Callable[[str], Any]:
    """The `__getattr__` of a room: each keyword is a module of it, with the names that the room offers from there."""
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        return getattr(import_module(f"{room}.{homes[name]}"), name)

    return find
