"""The picture of the README: how induction makes a short search find a long attack.

Everything in it comes from a run of `igf`: the chain of lemmas, the states searched, and the attack as a chart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

import otsrw
from otsrw.induction.results import IgfResult
from otsrw.report.charts import Chart, ChartEvent, chart_of

DEPTH = 2
WIDTH = 900
TOP = 110
STEP = 62
LANES = (430, 620, 810)
RED, GREEN, GREY, BLUE, INK = "#c0392b", "#1e8449", "#6b7280", "#2563a8", "#1f2937"
STYLE = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_NONCE = re.compile(r"n\(\w+,\w+,(?:seed|next\(seed\))\)")


def story(root: Path) -> str:
    """The picture as SVG."""
    specification = otsrw.Specification(str(root / "specs" / "nspk.cafe"))
    result = specification.igf("secrecy", depth=DEPTH, strengthen=False)
    assert result.run is not None
    chart = chart_of(result.run)
    assert chart is not None and len(chart.lanes) == len(LANES)
    bottom = TOP + STEP * len(chart.events)
    height = bottom + 92
    parts = [
        *_frame(height, len(chart.events)),
        *_bands(result, bottom),
        *_chart(chart, bottom),
        *_chain(result),
        *_end(result, chart, bottom),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" style="{STYLE}">'
    return "\n".join([head, *parts, "</svg>", ""])


def _frame(height: int, steps: int) -> Iterator[str]:
    yield f'<rect width="{WIDTH}" height="{height}" rx="10" fill="#ffffff" stroke="#d1d5db"/>'
    yield _text(24, 34, f"A search of {DEPTH} steps finds an attack of {steps}", INK, size=20, weight="bold")
    command = f"otsrw igf specs/nspk.cafe --depth {DEPTH} --no-strengthen"
    yield _text(24, 58, f"Are nonces secret in the Needham-Schroeder protocol?  {command}", GREY)


def _bands(result: IgfResult, bottom: int) -> Iterator[str]:
    """What the search has seen, and what was added to it."""
    seen = TOP + STEP * DEPTH
    for top, end, colour, says in (
        (TOP - 26, seen, "#e8f1fb", f"searched: {result.states} states"),
        (seen, bottom, "#fdf3e1", "added by induction"),
    ):
        yield f'<rect x="350" y="{top}" width="526" height="{end - top}" fill="{colour}"/>'
        middle = (top + end) // 2
        turned = f'<g transform="rotate(-90 364 {middle})">'
        yield turned + _text(364, middle + 4, says, GREY, size=11, anchor="middle") + "</g>"


def _chart(chart: Chart, bottom: int) -> Iterator[str]:
    places = dict(zip(chart.lanes, LANES, strict=True))
    for name, x in places.items():
        shown = "intruder" if name == "intr" else name
        yield _text(x, TOP - 10, shown, RED if name == "intr" else INK, weight="bold", anchor="middle")
        yield f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}" stroke="{GREY}" stroke-dasharray="2 4"/>'
    short = _short_names(chart)
    for number, event in enumerate(chart.events, 1):
        yield from _arrow(event, TOP + STEP * number - 18, places, short)


def _arrow(event: ChartEvent, y: int, places: dict[str, int], short: dict[str, str]) -> Iterator[str]:
    assert event.actor is not None and event.receiver is not None
    start, end = places[event.actor], places[event.receiver]
    colour = RED if event.forged else GREEN
    back = -8 if end > start else 8
    yield f'<line x1="{start}" x2="{end + back}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2"/>'
    yield f'<path d="M{end} {y} l{2 * back} -5 v10 z" fill="{colour}"/>'
    middle = (start + end) // 2
    yield _text(middle, y - 8, _shortened(event.messages[0], short), INK, anchor="middle")
    yield _text(middle, y + 14, event.title, colour, size=11, anchor="middle")


def _chain(result: IgfResult) -> Iterator[str]:
    """Each predicate stands beside the state in which it is false."""
    steps = len(result.run.actions) if result.run is not None else 0
    for place, name in enumerate(result.chain):
        y = TOP + STEP * (steps - place)
        lowest = place + 1 == len(result.chain)
        says = "seen by search" if lowest else "follows"
        yield f'<rect x="24" y="{y - 34}" width="222" height="34" rx="6" fill="#fff" stroke="{RED}"/>'
        yield _text(36, y - 13, name, INK, weight="bold")
        yield _text(236, y - 13, f"false after {steps - place}", RED, anchor="end")
        yield f'<line x1="246" x2="876" y1="{y}" y2="{y}" stroke="{RED}" stroke-width="0.7"/>'
        yield _text(256, y - 13, says, BLUE if lowest else GREY, size=11)
        if not lowest:
            by = result.nodes[result.chain[place + 1]].transition or ""
            yield f'<path d="M135 {y - 36} v-22 m-4 7 l4 -7 l4 7" fill="none" stroke="{GREY}" stroke-width="1.5"/>'
            yield _text(146, y - 43, f"needed for {by}", GREY, size=11)


def _end(result: IgfResult, chart: Chart, bottom: int) -> Iterator[str]:
    steps = len(chart.events)
    text = f"falsified: {result.chain[0]} is false after {steps} steps"
    yield _text(24, bottom + 36, text, RED, size=16, weight="bold")
    yield _text(24, bottom + 60, "every step replayed by two engines: rewriting and Maude", GREY)
    for line, (long, short) in enumerate(_short_names(chart).items()):
        yield _text(876, bottom + 36 + 18 * line, f"{short} = {long}", GREY, size=11, anchor="end")


def _short_names(chart: Chart) -> dict[str, str]:
    """A short name for each nonce, in the order in which they appear."""
    found = dict.fromkeys(nonce for event in chart.events for text in event.messages for nonce in _NONCE.findall(text))
    return {nonce: f"n{number}" for number, nonce in enumerate(found, 1)}


def _shortened(text: str, names: dict[str, str]) -> str:
    for nonce, short in names.items():
        text = text.replace(nonce, short)
    return text.replace(",", ", ")


def _text(x: int, y: int, text: str, colour: str, size: int = 13, weight: str = "normal", anchor: str = "start") -> str:
    return (
        f'<text x="{x}" y="{y}" fill="{colour}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )
