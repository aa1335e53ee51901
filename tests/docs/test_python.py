"""The library: every public entry has examples that run, and results show themselves in a notebook."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Callable

import pytest
from support import ROOT

import otsrw
from otsrw.display import Displayed

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(otsrw.__path__, "otsrw.") if "__main__" not in module.name
)


def examples_of(thing: object, name: str) -> list[doctest.Example]:
    return [example for found in doctest.DocTestFinder().find(thing, name) for example in found.examples]


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", otsrw.__all__)
def test_a_public_entry_has_an_example(name: str) -> None:
    assert examples_of(getattr(otsrw, name), name)


def test_all_examples_in_the_code_give_what_they_say() -> None:
    found = {name: doctest.testmod(importlib.import_module(name)) for name in ["otsrw", *MODULES]}
    assert [name for name, result in found.items() if result.failed] == []
    assert sum(result.attempted for result in found.values()) > 40


def test_the_examples_of_the_page_give_what_they_say() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "python-api.md"), module_relative=False, encoding="utf-8")
    assert (failed, tried > 20) == (0, True)


def test_the_package_names_its_parts() -> None:
    assert sorted(otsrw.__all__) == otsrw.__all__
    assert set(otsrw.__all__) <= set(dir(otsrw))
    with pytest.raises(AttributeError):
        _ = otsrw.no_such_part


RESULTS: dict[str, Callable[[], object]] = {
    "search": lambda: otsrw.Specification("specs/tas-flawed.cafe").search(depth=4),
    "run": lambda: otsrw.Specification("specs/tas-flawed.cafe").search(depth=4).run,
    "igf": lambda: otsrw.Specification("specs/tas.cafe").igf(),
    "lemmas": lambda: otsrw.Specification("specs/tas.cafe").lemmas(),
    "simplify": lambda: otsrw.Specification("specs/tas-flawed.cafe").simplify(),
    "inevitability": lambda: otsrw.Specification("specs/sanitary-agency.cafe").simplify(inev="req-em,provt-rec"),
    "classify": lambda: otsrw.Specification("specs/alice-bob-eve.cafe").classify(depth=2),
    "specification": lambda: otsrw.Specification("specs/tas.cafe"),
    "trace": lambda: otsrw.Trace.of([(None, {"pc": "<rs>"})]),
    "outcome": lambda: ran("mod! M { [S] ops a b : -> S eq a = b . } red in M : a . red in M : c ."),
}
"""What is shown, and what is asked for."""
SHOWN = {
    "search": ["R≤3", "test(p1)", "violated: mutex"],
    "run": ["set(p2)"],
    "igf": ["lemma1", "verified: mutex"],
    "lemmas": ["1 necessary lemma,", "locked"],
    "simplify": ["Neighbourhoods", "violated"],
    "inevitability": ["Neighbourhoods", "provt-em", "violated"],
    "classify": ["class 2: ", "of 38 counterexamples"],
    "specification": ["effective condition", "mutex"],
    "trace": ["pc = &lt;rs&gt;"],
    "outcome": ["red a", "E111"],
}


def ran(text: str) -> Displayed:
    session = otsrw.Session()
    session.run_text(text)
    return session.outcome


@pytest.mark.parametrize("what", RESULTS)
def test_a_result_shows_itself_in_a_notebook(what: str) -> None:
    result = RESULTS[what]()
    assert isinstance(result, Displayed)
    html = result._repr_html_()
    assert html.startswith("<pre")
    assert len(repr(result)) < 200
    assert [text for text in SHOWN[what] if text not in html] == []
