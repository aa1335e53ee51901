"""A table for a file or a pipe, drawn as rich draws it: loading rich takes longer than many proofs."""

from __future__ import annotations

from collections.abc import Sequence

from otsrw.records import NamedTuple


class PlainTable(NamedTuple):
    """A title, and rows of plain text; columns of numbers are set flush right."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[str] = frozenset()

    def lines(self, width: int) -> list[str] | None:
        """The table as lines; None if it does not fit, or has characters of another width than one."""
        texts = [self.title, *self.columns, *(cell for row in self.rows for cell in row)]
        if not all(text.isascii() and text.isprintable() for text in texts):
            return None
        sizes = [max(map(len, cells)) for cells in zip(self.columns, *self.rows, strict=True)]
        if sum(sizes) + 3 * len(sizes) + 1 > width:
            return None
        return [
            self.title,
            _ruled("┏┳┓", "━", sizes),
            self._row("┃", self.columns, sizes),
            _ruled("┡╇┩", "━", sizes),
            *(self._row("│", row, sizes) for row in self.rows),
            _ruled("└┴┘", "─", sizes),
        ]

    def _row(self, bar: str, cells: Sequence[str], sizes: Sequence[int]) -> str:
        padded = (
            cell.rjust(size) if column in self.numbers else cell.ljust(size)
            for column, cell, size in zip(self.columns, cells, sizes, strict=True)
        )
        return f"{bar} {f' {bar} '.join(padded)} {bar}"


def _ruled(corners: str, line: str, sizes: Sequence[int]) -> str:
    left, between, right = tuple(corners)
    return f"{left}{between.join(line * (size + 2) for size in sizes)}{right}"
