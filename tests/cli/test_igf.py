"""The contract of `otsrw lemmas`, `igf` and `demo`, as a script sees it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import ROOT

from cli.test_search import document, run

NSPK = str(ROOT / "specs" / "nspk.cafe")
TAS = str(ROOT / "specs" / "tas.cafe")
BROKEN = "mod* M { [ S }"


def test_demo_shows_the_property_the_search_the_lemmas_and_the_attack(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    code, out, err = run("demo", "--html", str(page))
    assert (code, err) == (0, "")
    parts = [
        "1. The property",
        "A search of depth 3 sees nothing",
        "807",
        "necessary lemmas",
        "fake1, as p1",
        str(page),
    ]
    assert [part for part in parts if part not in out] == []
    assert out.splitlines()[-1].startswith("falsified: secrecy is false after 4 steps")
    assert "<html" in page.read_text("utf-8")


def test_demo_gives_the_document_of_igf(tmp_path: Path) -> None:
    code, out, _ = run("demo", "--json", "--html", str(tmp_path / "report.html"))
    found = document("igf", out)
    assert (code, found["schema"], found["verdict"], found["chain"]) == (
        0,
        "otsrw/demo/1",
        "falsified",
        ["secrecy", "lemma1"],
    )


def test_demo_says_so_if_the_report_cannot_be_written(tmp_path: Path) -> None:
    code, _, err = run("demo", "-q", "--html", str(tmp_path / "missing" / "report.html"))
    assert code == 2
    assert "cannot write" in err


@pytest.mark.parametrize(
    ("words", "code", "verdict"),
    [
        (("igf", NSPK, "--depth", "3"), 12, "falsified"),
        (("igf", TAS), 0, "verified"),
        (("igf", NSPK, "--depth", "0", "--timeout", "1"), 3, "unknown"),
    ],
    ids=["falsified", "verified", "unknown"],
)
def test_igf_verdict_document_and_exit_code(words: tuple[str, ...], code: int, verdict: str) -> None:
    found_code, out, _ = run(*words, "--json")
    found = document("igf", out)
    assert (found_code, found["verdict"]) == (code, verdict)
    assert (found["trace"] is not None) == (verdict == "falsified")


def test_lemmas_document() -> None:
    code, out, _ = run("lemmas", NSPK, "--json")
    found = document("lemmas", out)
    assert code == 0
    assert [lemma["transition"] for lemma in found["lemmas"]] == ["send2", "send3"]


@pytest.mark.parametrize("command", ["lemmas", "igf"])
def test_a_refused_file_gives_a_document_with_its_errors(command: str) -> None:
    code, out, _ = run(command, "-", "--json", stdin=BROKEN)
    assert code == 150
    assert document(command, out)["errors"]
