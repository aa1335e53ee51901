"""The picture of the README shows what `igf` does today."""

from __future__ import annotations

import sys

from support import ROOT

sys.path.insert(0, str(ROOT / "docs"))

from story import story


def test_the_picture_of_the_readme_is_true() -> None:
    """If not: `python docs/make_pictures.py story` draws it again."""
    assert story(ROOT) == (ROOT / "docs" / "pictures" / "story.svg").read_text("utf-8")
