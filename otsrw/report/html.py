"""Pages that need nothing but themselves: templates extend `templates/base.html`, and every value is escaped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from otsrw import __version__


def render_page(template: str, **values: Any) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(version=__version__, **values)
