"""What the package says of itself."""

from __future__ import annotations

import tomllib

from support import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_type_checkers_may_rely_on_its_types() -> None:
    assert (ROOT / "otsrw" / "py.typed").is_file()
    assert "Typing :: Typed" in PROJECT["classifiers"]


def test_it_names_authors_licence_and_related_pages() -> None:
    assert PROJECT["authors"]
    assert PROJECT["license"] == "Apache-2.0"
    assert all(address.startswith("https://") for address in PROJECT["urls"].values())
