"""Pages that need nothing but themselves: templates extend `templates/base.html`, and every value is escaped."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from otsrw import __version__
from otsrw.report.traces import shown
from otsrw.traces.trace import Trace


def render_page(template: str, **values: Any) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["term"] = breakable
    return environment.get_template(template).render(version=__version__, **values)


def breakable(text: str) -> Markup:
    """A term that breaks after a comma or an opening bracket, and never inside a word."""
    pieces = (f'<span class="word">{escape(piece)}</span>' for piece in re.split(r"(?<=[,(])|(?<=\s)", text) if piece)
    return Markup("<wbr>".join(pieces))


def trace_rows(trace: Trace) -> list[dict[str, Any]]:
    """The states of a trace with what changed marked, for a template."""
    rows = []
    before: dict[str, Any] = {}
    for state in trace.states:
        observers = [
            {
                "name": name,
                "value": shown(value),
                "changed": name in state.changed,
                "before": shown(before[name]) if name in before and name in state.changed else None,
            }
            for name, value in state.observers.items()
        ]
        rows.append({"index": state.index, "label": str(state.label or "initially"), "observers": observers})
        before = dict(state.observers)
    return rows
