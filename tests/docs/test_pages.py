"""Pages with commands show what the commands print; relative links lead somewhere."""

from __future__ import annotations

import re
import sys

import pytest
from support import ROOT

sys.path.insert(0, str(ROOT / "docs"))

from make_reference import PAGE, reference
from run_page import masked, played

TECHNIQUES = [
    "docs/check.md",
    "docs/search.md",
    "docs/entities.md",
    "docs/igf.md",
    "docs/data.md",
    "docs/proving.md",
    "docs/citp.md",
    "docs/neighbourhoods.md",
    "docs/classification.md",
    "docs/exploration.md",
    "docs/temporal.md",
]
PLAYED = ["README.md", "docs/tutorial.md", *TECHNIQUES]
FOLDERS = (ROOT, ROOT / "docs", ROOT / "docs" / "decisions", ROOT / "bench")
PAGES = sorted(str(path.relative_to(ROOT)) for folder in FOLDERS for path in folder.glob("*.md"))
_FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


@pytest.mark.parametrize("page", PLAYED)
def test_a_page_shows_real_output(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert masked(text) == masked(played(text)), f"run: python docs/run_page.py {page}"


def test_output_is_compared_without_times_and_sizes() -> None:
    assert masked("29 states, 0.24 s, 33 MB") == masked("29 states, 1.02 s, 34 MB")
    assert masked("29 states, 0.24 s") != masked("28 states, 0.24 s")


@pytest.mark.parametrize("page", PAGES)
def test_relative_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    broken = []
    for link in _LINK.findall(_FENCED.sub("", path.read_text("utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = path.parent / file if file else path
        if not target.exists() or (
            anchor and target.suffix == ".md" and anchor not in anchors(target.read_text("utf-8"))
        ):
            broken.append(link)
    assert broken == []


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings."""
    headings = _HEADING.findall(_FENCED.sub("", text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_the_command_reference_is_that_of_the_program() -> None:
    assert PAGE.read_text("utf-8") == reference(), "run: make reference"


def test_the_site_leads_to_every_page() -> None:
    listed = set(re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE))
    outside = {"bench/RESULTS.md", "CHANGELOG.md", "CONTRIBUTING.md", "decisions/index.md"}
    assert listed == {path.name for path in (ROOT / "docs").glob("*.md")} | outside
