"""A sequence chart as SVG: lanes, arrows with their events and messages, and the state in focus.

Texts are set in a font whose characters are all as wide, so that the places are known without a browser.
"""

from __future__ import annotations

from markupsafe import Markup, escape

from otsrw.ots.run import Run
from otsrw.records import replace
from otsrw.report.charts import Chart, ChartEvent, chart_of, columns_of

CHARACTER = 7.9
"""The width of a character of 13 pixels."""
LINE = 18


def drawn_chart(run: Run) -> Markup | None:
    """The chart of a run; None if fewer than two take part."""
    chart = chart_of(run)
    return None if chart is None or len(chart.lanes) < 2 else chart_svg(chart)


def chart_svg(chart: Chart, focus: int | None = None) -> Markup:
    """The chart with the arguments of its events; a line shows the state in focus if there is one."""
    events = tuple(replace(event, title=event.label or event.title) for event in chart.events)
    return _ChartDrawing(replace(chart, events=events), focus).markup()


class _ChartDrawing:
    """Draws from top to bottom; `_y` is where the next line goes."""

    def __init__(self, chart: Chart, focus: int | None) -> None:
        self._chart, self._focus = chart, focus
        self._places = dict(zip(chart.lanes, (CHARACTER * column for column in columns_of(chart)), strict=True))
        self._first = min(self._places.values())
        self._width = max(self._places.values()) + 60
        self._y = 34.0
        self._parts: list[str] = []
        self._lines: list[float] = []

    def markup(self) -> Markup:
        self._state(0)
        for number, event in enumerate(self._chart.events, 1):
            self._event(number, event)
            self._state(number)
        lanes = "".join(
            f'<text class="name" x="{x:g}" y="16" text-anchor="middle">{escape(name)}</text>'
            f'<line class="life" x1="{x:g}" x2="{x:g}" y1="24" y2="{self._y:g}"/>'
            for name, x in self._places.items()
        )
        width = round(self._width)
        focus = "".join(f'<line class="focus" x1="0" x2="{width}" y1="{y:g}" y2="{y:g}"/>' for y in self._lines)
        return Markup(
            f'<svg class="sequence" role="img" aria-label="sequence chart of the run" width="{width}"'
            f' height="{round(self._y + 4)}">{lanes}{focus}{"".join(self._parts)}</svg>'
        )

    def _state(self, number: int) -> None:
        if number == self._focus:
            self._lines.append(self._y + 2)
            self._parts.append(f'<text class="here" x="0" y="{self._y - 3:g}">state {number}</text>')
            self._y += 6
        self._y += LINE + 4

    def _event(self, number: int, event: ChartEvent) -> None:
        parts = [f"<title>focus on state {number}</title>"] if self._focus is not None else []
        actor = None if event.actor is None else self._places[event.actor]
        left = self._first if actor is None else actor
        title = f"{number} {event.title}"
        if actor is None or event.receiver is None:
            if actor is not None:
                parts.append(f'<rect x="{actor - 5:g}" y="{self._y - 10:g}" width="10" height="10"/>')
            parts.append(self._text(left + 10, title, "name"))
        else:
            to = self._places[event.receiver]
            left, back = min(actor, to), 8 if to < actor else -8
            parts.append(self._text(left + 8, title, "name"))
            parts += [self._text(left + 8, message, "message") for message in event.messages]
            at = self._y - 8
            parts.append(
                f'<path d="M{actor:g} {at:g}H{to:g}M{to + back:g} {at - 5:g}L{to:g} {at:g}L{to + back:g} {at + 5:g}"/>'
            )
            self._y += 10
        parts += [self._text(left + 8, f"({note})", "note") for note in event.notes]
        kind = ' class="forged"' if event.forged else ""
        self._parts.append(f'<g{kind} data-step="{number}">{"".join(parts)}</g>')

    def _text(self, x: float, text: str, kind: str) -> str:
        self._width = max(self._width, x + CHARACTER * len(text) + 8)
        y, self._y = self._y, self._y + LINE
        return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(text)}</text>'
