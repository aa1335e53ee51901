"""The bundled specifications for eyes and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from otsrw.application.examples import Example
from otsrw.report.documents import header
from otsrw.report.tables import titled


def examples_document(examples: Sequence[Example], files: Sequence[Path]) -> dict[str, Any]:
    """The examples, and the files that were copied."""
    return header("examples") | {
        "examples": [{"name": example.name, "file": str(example.file), "about": example.about} for example in examples],
        "copied": [str(file) for file in files],
    }


def example_table(examples: Sequence[Example]) -> Table:
    table = titled(None)
    table.add_column("name", no_wrap=True)
    table.add_column("what it is", overflow="fold")
    for example in examples:
        table.add_row(example.name, example.about)
    return table
