"""Pages that need nothing but themselves: templates extend `templates/base.html`, and every value is escaped."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from otsrw import __version__
from otsrw.ots.run import Run
from otsrw.report.traces import Changes, collection_changes, shown
from otsrw.report.words import grouped
from otsrw.traces.observed import trace_of
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
    environment.filters["grouped"] = grouped
    return environment.get_template(template).render(version=__version__, **values)


def breakable(text: str) -> Markup:
    """A term that breaks after a comma or an opening bracket, and never inside a word."""
    pieces = (f'<span class="word">{escape(piece)}</span>' for piece in re.split(r"(?<=[,(])|(?<=\s)", text) if piece)
    return Markup("<wbr>".join(pieces))


def run_rows(run: Run) -> list[dict[str, Any]]:
    """The states of a run for a template; of a collection also what came and what went."""
    return trace_rows(trace_of(run), collection_changes(run))


def trace_rows(trace: Trace, changes: Changes | None = None) -> list[dict[str, Any]]:
    """The states of a trace with what changed marked, for a template."""
    rows = []
    before: dict[str, Any] = {}
    for state in trace.states:
        observers = [
            {
                "name": name,
                "value": shown(value),
                "changed": name in state.changed,
                "moved": (changes or {}).get((state.index, name), "").splitlines(),
                "before": shown(before[name]) if name in before and name in state.changed else None,
            }
            for name, value in state.observers.items()
        ]
        rows.append({"index": state.index, "label": str(state.label or "initially"), "observers": observers})
        before = dict(state.observers)
    return rows
