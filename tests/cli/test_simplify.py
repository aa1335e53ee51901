"""The contract of `otsrw simplify`: documents, verdicts, files and exit codes."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import document, run, schema

from otsrw.report.simplify import simplify_page
from otsrw.syntax.source import Source
from otsrw.traces import Lts, Safety, simplify_safety
from otsrw.traces.claims import Claim
from otsrw.traces.explanation import Explanation
from otsrw.traces.formats import read_itf

FIGURE_4 = """des (0, 15, 15)
(0, "S", 1)
(1, "B", 2)
(2, "B", 3)
(1, "A", 4)
(4, "D", 5)
(5, "E", 6)
(6, "F", 8)
(8, "G", 9)
(9, "H", 12)
(12, "I", 4)
(6, "B", 7)
(8, "B", 11)
(9, "C", 10)
(10, "A", 13)
(13, "Y", 14)
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.aut").write_text(FIGURE_4)


def test_the_document_tells_everything() -> None:
    found = document("simplify", "t.aut", "--inev", "A,Y", "--show-prefixes", "--why", "--runs", "--lasts")
    assert list(found) == list(schema("simplify")["properties"])
    assert (found["verdict"], found["states"], found["transitions"]) == ("violated", 15, 15)
    assert found["colours"] == {"correct": 3, "incorrect": 4, "neutral": 8, "unknown": 0}
    assert [(n["state"], n["type"]) for n in found["neighbourhoods"]] == [(1, "R"), (6, "R"), (8, "R"), (9, "G")]
    assert found["neighbourhoods"][0]["incoming"] == [{"source": 0, "label": "S", "target": 1, "colour": "neutral"}]
    assert [s["observers"]["state"] for s in found["counterexample"]["states"]] == [0, 1, 2, 3]
    assert found["abstracted"] == ["S", "B", "[...]"]
    assert found["distances"] == [1, 1, 0, 0]
    assert found["prefixes"][8] == {"state": 8, "cp": ["A"], "mp": ["A"], "cs": [], "ms": ["A", "Y"]}


def test_a_property_that_holds() -> None:
    found = document("simplify", "t.aut", "--inev", "S")
    assert (found["verdict"], found["neighbourhoods"], found["counterexample"]) == ("holds", [], None)


def test_a_lasso_names_where_it_returns() -> None:
    trace = document("simplify", "t.aut", "--inev", "A,Y", "--pattern", "D,I")["counterexample"]
    assert trace["loop"] == 2
    assert trace["states"][-1]["observers"] == trace["states"][2]["observers"]


EXITS = {
    "violated": (("t.aut", "--inev", "A,Y"), 13),
    "holds": (("t.aut", "--inev", "S"), 0),
    "no-such-file": (("nowhere.aut", "--inev", "A"), 150),
    "not-an-lts": (("bad.aut", "--inev", "A"), 150),
    "unknown-format": (("t.cafe", "--inev", "A"), 150),
    "bad-regex": (("t.aut", "--inev", "(", "--match", "regex"), 150),
    "empty-label": (("t.aut", "--inev", "A,,B"), 150),
    "cannot-write": (("t.aut", "--inev", "A", "--html", "no/such/folder.html"), 2),
    "no-property": (("t.aut",), 2),
    "bad-option": (("t.aut", "--inev", "A", "--incoming", "none"), 2),
}


@pytest.mark.parametrize(("arguments", "code"), EXITS.values(), ids=list(EXITS))
def test_exit_code(arguments: tuple[str, ...], code: int) -> None:
    Path("bad.aut").write_text("des (0, 1, 1)\nnonsense")
    assert run("simplify", *arguments)[0] == code
    if code != 2:
        errors = document("simplify", *arguments)["errors"]
        assert bool(errors) == (code == 150)


def test_a_bad_file_is_shown_with_its_place() -> None:
    Path("bad.aut").write_text("des (0, 2, 1)\nnonsense\n(0, a, x)\n")
    code, out, err = run("simplify", "bad.aut", "--inev", "A")
    assert (code, out) == (150, "")
    assert err.startswith("bad.aut:2:1: error E121: not a transition\n 2 | nonsense\n   | ^^^^^^^^\n")
    assert "bad.aut:3:1: error E121: " in err
    assert "Traceback" not in err


def test_a_time_out_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    size = 30_000
    lines = [f"({s}, X, {(s * 7 + 1) % size})" for s in range(size)]
    Path("big.aut").write_text(f"des (0, {size}, {size})\n" + "\n".join(lines))
    code, _, err = run("simplify", "big.aut", "--inev", "A", "--timeout", "0.01")
    assert (code, "E402" in err) == (3, True)


def test_standard_input() -> None:
    assert run("simplify", "-", "--inev", "A,Y", stdin=FIGURE_4)[0] == 13


def test_the_verdict_is_the_last_line() -> None:
    _, out, _ = run("simplify", "t.aut", "--inev", "A,Y")
    verdict = out.splitlines()[-1]
    assert verdict.startswith("violated: Inev(A, Y); 4 neighbourhoods; counterexample of 3 actions cut to 2; 15 states")
    assert "counterexample: S B B" in out
    assert "abstracted: S B [...]" in out
    assert "\x1b" not in out


def test_quiet_prints_the_verdict_only() -> None:
    assert len(run("simplify", "t.aut", "--inev", "A,Y", "-q")[1].splitlines()) == 1


def test_a_name_that_fits_nothing_is_a_warning() -> None:
    _, _, err = run("simplify", "t.aut", "--inev", "AA")
    assert "warning W126: no label of the system fits 'AA'" in err
    assert document("simplify", "t.aut", "--inev", "AA")["warnings"][0]["code"] == "W126"


def test_labels_are_not_markup(capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.aut").write_text('des (0, 2, 3)\n(0, "[bold]x[/bold]", 1)\n(0, "<script>alert(1)</script>", 2)\n')
    _, out, _ = run("simplify", "m.aut", "--inev", "A", "--html", "m.html")
    assert "[bold]x[/bold]" in out
    assert "<script>alert" not in Path("m.html").read_text()


def test_files_are_written() -> None:
    run("simplify", "t.aut", "--inev", "A,Y", "--dot", "t.dot", "--autx", "t.autx", "--itf", "t.itf.json")
    assert Path("t.dot").read_text().startswith("digraph lts {")
    assert '(9:N:G, "C":GREEN, 10)' in Path("t.autx").read_text()
    trace = read_itf(Source("t.itf.json", Path("t.itf.json").read_text()))
    assert [str(state.label) for state in trace.states[1:]] == ["S", "B", "B"]


class _Page(HTMLParser):
    """Collects what a page consists of, and checks that elements nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "wbr", "path", "circle"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("path", "circle"):
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip())


def page(*arguments: str) -> _Page:
    run("simplify", *arguments, "--html", "t.html")
    parsed = _Page()
    parsed.feed(Path("t.html").read_text("utf-8"))
    assert parsed.open == []
    return parsed


def test_the_page_stands_alone_and_draws_the_run() -> None:
    parsed = page("t.aut", "--inev", "A,Y", "--pattern", "D,I")
    names = {name for name, _ in parsed.attributes}
    assert not names & {"src", "srcset", "action"}
    assert all(value is not None and value.startswith("#") for name, value in parsed.attributes if name == "href")
    assert "[... 1 step ...]" in parsed.texts
    assert parsed.tags.count("details") == 2
    classes = {value for name, value in parsed.attributes if name == "class"}
    assert {"line correct", "line incorrect", "line neutral", "ring", "rail"} <= classes
    assert ("id", "n1") in parsed.attributes
    assert ("href", "#n1") in parsed.attributes


def test_the_page_of_a_property_that_holds_has_no_run() -> None:
    parsed = page("t.aut", "--inev", "S")
    assert "Inev(S) holds" in parsed.texts
    assert "details" not in parsed.tags


def test_drawings_are_well_formed() -> None:
    page("t.aut", "--inev", "A,Y")
    text = Path("t.html").read_text("utf-8")
    drawings = [part.split("</svg>")[0] for part in text.split("<svg")[1:]]
    assert len(drawings) > 5
    for drawing in drawings:
        ElementTree.fromstring(f"<svg{drawing}</svg>")


def test_long_dropped_runs_stay_small_on_the_page() -> None:
    size = 3000
    lines = [f"({s}, X, {s + 1})" for s in range(size - 1)]
    Path("long.aut").write_text(f"des (0, {size}, {size})\n" + "\n".join(lines) + f"\n({size - 1}, Y, 0)")
    parsed = page("long.aut", "--inev", "A")
    assert "[... 3000 steps ...]" in parsed.texts
    assert parsed.tags.count("svg") < 1000


def test_the_page_says_what_steps_change() -> None:
    lts = Lts.of(3, [0], [(0, "enter(p)", 1), (1, "leave(p)", 2)], ["pc(p)", "n"], [("rs", 0), ("cs", 0), ("rs", 0)])
    text = simplify_page(
        Explanation.of(simplify_safety(lts, Safety(frozenset([1])))), Claim(invariant="mutex"), "spec.cafe"
    )
    assert "pc(p) = cs</text>" in text
    assert "n = 0" not in text.split("All states")[0]
    assert "mutex does not hold" in text


WORKERS = """des (0, 6, 4)
(0, "make", 1)
(0, "open", 2)
(2, "make", 1)
(2, "close", 0)
(1, "use", 3)
(2, "use", 3)
"""


def test_a_state_of_the_product_is_shown_with_what_the_formula_remembers() -> None:
    Path("w.aut").write_text(WORKERS)
    found = document("simplify", "w.aut", "--ltl", "(not use) W make")
    assert found["product"] == {
        "states": 5,
        "transitions": 6,
        "memories": ["(not use) W make", "satisfied whatever follows", "violated whatever follows"],
    }
    assert (found["states"], found["shortest"], found["abstracted"]) == (4, True, ["open", "use"])
    hood = next(hood for hood in found["neighbourhoods"] if hood["state"] == 2)
    assert (hood["type"], hood["memory"]) == ("GRB", 0)
    assert {(t["label"], t["colour"], t["memories"][1]) for t in hood["outgoing"]} == {
        ("make", "correct", 1),
        ("close", "neutral", 0),
        ("use", "incorrect", 2),
    }
    shown = run("simplify", "w.aut", "--ltl", "(not use) W make")[1]
    assert "2/0*" in shown
    assert "state/0: still to do: (not use) W make" in shown
