"""Small line charts as SVG, with a logarithmic axis; readable in light and dark, and without colour."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, GAP = 360, 260, 60, 40, 76, 56
HOLLOW = "unknown"
"""Points with this title are drawn hollow."""
STYLES = (("#0969da", "", "circle"), ("#bc4c00", "6 3", "square"))


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: float
    title: str


@dataclass(frozen=True, slots=True)
class Panel:
    title: str
    lines: Mapping[str, Sequence[Point]]


def draw(panels: Sequence[Panel], horizontal: str, vertical: str) -> str:
    """Panels next to each other on the same scales."""
    points = [point for panel in panels for line in panel.lines.values() for point in line]
    low = math.floor(math.log10(min(point.y for point in points)))
    high = math.ceil(math.log10(max(point.y for point in points)))
    last = max(point.x for point in points)
    full = LEFT + len(panels) * (WIDTH + GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full} {TOP + HEIGHT + BOTTOM}" role="img"',
        f' font-family="sans-serif" font-size="13"><title>{escape(vertical)} by {escape(horizontal)}</title>',
        "<style>text{fill:#1f2328}.grid{stroke:#d0d7de}@media(prefers-color-scheme:dark)"
        "{text{fill:#e6edf3}.grid{stroke:#444c56}}</style>",
    ]
    for number, panel in enumerate(panels):
        parts += _panel(panel, LEFT + number * (WIDTH + GAP), (low, high), last, horizontal)
    parts.append(f'<text x="14" y="{TOP - 14}">{escape(vertical)}</text></svg>')
    return "\n".join(parts) + "\n"


def _panel(panel: Panel, left: int, scale: tuple[int, int], last: int, horizontal: str) -> list[str]:
    low, high = scale

    def across(x: float) -> float:
        return left + WIDTH * x / last

    def down(y: float) -> float:
        return TOP + HEIGHT * (high - math.log10(y)) / (high - low)

    parts = [f'<text x="{left + WIDTH / 2:.0f}" y="{TOP - 14}" text-anchor="middle">{escape(panel.title)}</text>']
    for power in range(low, high + 1):
        y = down(10.0**power)
        parts.append(f'<line class="grid" x1="{left}" x2="{left + WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    bottom = TOP + HEIGHT
    parts += [f'<text x="{across(x):.1f}" y="{bottom + 18}" text-anchor="middle">{x}</text>' for x in range(last + 1)]
    parts.append(f'<text x="{left + WIDTH / 2:.0f}" y="{bottom + 38}" text-anchor="middle">{escape(horizontal)}</text>')
    for (name, line), (colour, dashes, mark) in zip(panel.lines.items(), STYLES, strict=False):
        places = [(across(point.x), down(point.y), point.title) for point in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>'
        )
        for x, y, title in places:
            fill = "none" if title == HOLLOW else colour
            told = f"<title>{escape(name)}: {escape(title)}</title>"
            parts.append(f'{_mark(mark, x, y)} fill="{fill}" stroke="{colour}">{told}{_closing(mark)}')
    return parts + _legend(panel, left, bottom + 62)


def _legend(panel: Panel, left: int, y: int) -> list[str]:
    """The lines with their marks and how they ended, below everything else."""
    parts = []
    for number, ((name, line), (colour, dashes, mark)) in enumerate(zip(panel.lines.items(), STYLES, strict=False)):
        x = left + number * WIDTH // 2
        parts += [
            f'<line x1="{x}" x2="{x + 32}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="2"'
            f' stroke-dasharray="{dashes}"/>',
            f'{_mark(mark, x + 16, y - 4)} fill="{colour}" stroke="{colour}"/>',
            f'<text x="{x + 40}" y="{y}">{escape(name)}: {escape(line[-1].title)}</text>',
        ]
    return parts


def _mark(mark: str, x: float, y: float) -> str:
    if mark == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"'
    return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"'


def _closing(mark: str) -> str:
    return "</circle>" if mark == "circle" else "</rect>"
