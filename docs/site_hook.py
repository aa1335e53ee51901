"""A hook of mkdocs: links from pages to files outside docs/ work on the site as they do in a checkout.

A Markdown file that is linked to becomes a page of the site; any other file becomes a page that shows its text.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
_LINK = re.compile(r"\]\((?P<file>[^)\s#:]+)(?P<anchor>#[^)\s]*)?\)")
_LANGUAGES = {".cafe": "cafeobj", ".toml": "toml", ".py": "python", ".json": "json"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what pages link to, and what those pages link to."""
    waiting = [f"docs/{file.src_uri}" for file in files.documentation_pages()]
    for place in waiting:
        for target in _targets(place, (ROOT / place).read_text("utf-8")):
            if target.startswith("docs/") or files.get_file_from_path(_page(target)) is not None:
                continue
            text = (ROOT / target).read_text("utf-8")
            if target.endswith(".md"):
                waiting.append(target)
            else:
                text = f"# {target}\n\n````{_LANGUAGES.get(Path(target).suffix, '')}\n{text}````\n"
            files.append(File.generated(config, _page(target), content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make the links of a page those of the site."""
    here = page.file.src_uri
    place = f"docs/{here}" if (ROOT / "docs" / here).exists() else here

    def replaced(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(place), link["file"]))
        if not (ROOT / target).is_file():
            return link[0]
        return f"]({posixpath.relpath(_page(target), posixpath.dirname(here) or '.')}{link['anchor'] or ''})"

    return _LINK.sub(replaced, markdown)


def _targets(place: str, text: str) -> Iterator[str]:
    """The files of the repository that a page links to."""
    for link in _LINK.finditer(text):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(place), link["file"]))
        if (ROOT / target).is_file():
            yield target


def _page(target: str) -> str:
    """Where a file of the repository is on the site, as a source."""
    if target.startswith("docs/"):
        return target.removeprefix("docs/")
    return target if target.endswith(".md") else f"files/{target}.md"
