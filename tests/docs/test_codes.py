"""Codes of messages: each is registered with a kind and a meaning, and explained in docs/language.md."""

from __future__ import annotations

import re

import pytest
from support import ROOT

from otsrw.cli import exits
from otsrw.syntax.codes import CODES
from otsrw.syntax.diagnostics import Diagnostic, ProblemKind

REGISTRY = ROOT / "otsrw" / "syntax" / "codes.py"


def test_every_code_that_is_raised_is_registered_and_no_other() -> None:
    sources = (file.read_text("utf-8") for file in (ROOT / "otsrw").rglob("*.py") if file != REGISTRY)
    used = {code for text in sources for code in re.findall(r'"([EW]\d{3})"', text)}
    assert used == set(CODES)


def test_the_manual_explains_every_code_as_the_registry_does() -> None:
    manual = (ROOT / "docs" / "language.md").read_text("utf-8")
    rows = re.findall(r"^\| ([EW]\d{3}) \| (.*) \|$", manual, re.MULTILINE)
    assert rows == [(code, CODES[code].text) for code in sorted(CODES)]


@pytest.mark.parametrize("code", CODES)
def test_the_letter_of_a_code_is_the_severity_of_its_kind(code: str) -> None:
    assert Diagnostic(code, "").is_error == code.startswith("E")


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(KeyError):
        Diagnostic("E999", "nobody knows")


def test_every_kind_of_error_has_an_exit_code_and_no_warning_has() -> None:
    assert set(exits.codes_of_kinds()) == {kind for kind in ProblemKind if kind.is_error}


def test_nothing_decides_by_a_code() -> None:
    deciding = re.compile(
        r"\bcode\.startswith|\bcode\[|\.code (?:==|!=|in|not in) |(?:==|!=) \"[EW]\d{3}\"|\"[EW]\d{3}\" in "
    )
    sources = {file: file.read_text("utf-8") for file in (ROOT / "otsrw").rglob("*.py")}
    assert [str(file) for file, text in sources.items() if deciding.search(text)] == []
