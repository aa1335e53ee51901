"""Tables with a title in one line, however narrow they are."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text


def titled(title: str | None, show_lines: bool = False) -> Table:
    text = None if title is None else Text(title, no_wrap=True, overflow="ignore")
    return Table(title=text, title_justify="left", show_lines=show_lines)
