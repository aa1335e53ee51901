"""The contract of `otsrw demo`, as a script sees it."""

from __future__ import annotations

from pathlib import Path

from commands import checked, run


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
    found = checked("igf", out)
    assert (code, found["schema"], found["verdict"], found["chain"]) == (
        0,
        "otsrw/demo/1",
        "falsified",
        ["secrecy", "lemma1"],
    )


def test_demo_shows_another_protocol_on_demand(tmp_path: Path) -> None:
    code, out, err = run("demo", "ikp", "--html", str(tmp_path / "report.html"))
    assert (code, err) == (0, "")
    parts = [
        "A search of depth 2 sees nothing",
        "1 274",
        "pay(b1, s1,",
        "--with Seller=s1,s2,s3,is --no-strengthen --html",
    ]
    assert [part for part in parts if part not in out] == []
    assert out.splitlines()[-1].startswith("falsified: agreement is false after 5 steps")


def test_demo_says_so_if_the_report_cannot_be_written(tmp_path: Path) -> None:
    code, _, err = run("demo", "-q", "--html", str(tmp_path / "missing" / "report.html"))
    assert code == 2
    assert "cannot write" in err
