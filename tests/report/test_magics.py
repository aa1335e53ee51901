"""The magics of notebooks, in a real IPython."""

from __future__ import annotations

from typing import Any

import pytest
from support import ROOT

pytest.importorskip("IPython")

from IPython.core.interactiveshell import InteractiveShell

from otsrw.proofs import Outcome

SWITCH = "mod! SWITCH { [State] ops on off : -> State {constr} op flip : State -> State eq flip(on) = off . }"


@pytest.fixture
def shell() -> Any:
    shell: Any = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "otsrw")
    return shell


def test_cells_share_a_session(shell: Any) -> None:
    declared = shell.run_cell_magic("cafeobj", "", SWITCH)
    assert isinstance(declared, Outcome) and declared.problems == []
    found = shell.run_cell_magic("cafeobj", "", "open SWITCH .\nred flip(on) .\nred flap(on) .\nclose\n")
    assert [command.result for command in found.commands] == ["off"]
    assert [problem.code for problem in found.problems] == ["E111"]
    assert "off" in found._repr_html_()
    again = shell.run_cell_magic("cafeobj", "--new", "open SWITCH .\nclose\n")
    assert [problem.code for problem in again.problems] == ["E301"]


def test_a_command_runs_on_a_file_or_on_the_cells(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(ROOT)
    found = shell.run_line_magic("otsrw", "igf specs/tas.cafe --inv mutex --depth 3")
    assert "verified" in found.text.splitlines()[-1]
    text = (ROOT / "specs" / "tas.cafe").read_text("utf-8")
    assert shell.run_cell_magic("cafeobj", "", text).problems == []
    found = shell.run_line_magic("otsrw", "search - --inv mutex --depth 3")
    assert "holds" in found.text.splitlines()[-1]


def test_a_notebook_shows_the_output_of_a_command_as_it_shows_results(
    shell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(ROOT)
    found = shell.run_line_magic("otsrw", "search specs/tas-flawed.cafe --depth 4")
    bundle, _ = shell.display_formatter.format(found, include=["text/html", "text/plain"])
    page = bundle["text/html"]
    assert page.startswith('<pre style="') and "\x1b" not in page
    assert '<span style="color: #800000' in page, "the verdict is red"
    assert "violated: mutex is false after 4 steps" in page and "┃" in page
    assert bundle["text/plain"] == found.text.rstrip("\n")


def test_a_notebook_shows_a_result_once(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rich shows what it prints when it runs in a notebook, but here it only makes the text of a result."""
    shown: list[object] = []
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("rich.jupyter.display", lambda *given: shown.append(given))
    declared = shell.run_cell_magic("cafeobj", "--new", SWITCH + "\nopen SWITCH .\nred flip(on) .\nclose\n")
    assert "off" in declared._repr_html_()
    assert "otsrw run" in shell.run_line_magic("otsrw", "run --help")._repr_html_()
    assert shown == []
