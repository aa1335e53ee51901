"""Files of labelled transition systems: what is read, what is written, what is refused and where."""

from __future__ import annotations

import contextlib
import gzip
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otsrw.syntax.diagnostics import Diagnostic, OtsrwError
from otsrw.syntax.source import Source
from otsrw.traces import Lts
from otsrw.traces.colours import Colour, NeighbourhoodType, Tags
from otsrw.traces.formats import LtsProblem, read_aut, read_lts, render_lts, write_aut


def triples(lts: Lts) -> list[tuple[int, str, int]]:
    return [(lts.sources[t], lts.label(t), lts.targets[t]) for t in range(len(lts.sources))]


READINGS = {
    "cadp": ('des (0, 2, 3)\n(0, "PUT !1", 1)\n(1, i, 2)\n', [(0, "PUT !1", 1), (1, "i", 2)]),
    "mcrl2": ('des (0,1,2)\n(0,"lock(p2, f2)",1)', [(0, "lock(p2, f2)", 1)]),
    "no-space": ("des(0,1,2)\n(0,a,1)", [(0, "a", 1)]),
    "spaces": ("\n  des  ( 0 , 1 , 2 ) \n\n \t( 0 , a b , 1 )  \n\n", [(0, "a b", 1)]),
    "windows": ('des (0, 1, 2)\r\n(0, "a", 1)\r\n', [(0, "a", 1)]),
    "old-mac": ('des (0, 1, 2)\r(0, "a", 1)\r', [(0, "a", 1)]),
    "quotes-inside": ('des (0, 1, 2)\n(0, "SEND !"hello, world"", 1)', [(0, 'SEND !"hello, world"', 1)]),
    "commas": ("des (0, 1, 2)\n(0, send(a, 3, b), 1)", [(0, "send(a, 3, b)", 1)]),
    "blanks-in-quotes": ('des (0, 1, 2)\n(0, " a ", 1)', [(0, " a ", 1)]),
    "quoted-i": ('des (0, 2, 1)\n(0, "i", 0)\n(0, i, 0)', [(0, "i", 0), (0, "i", 0)]),
    "empty-quotes": ('des (0, 1, 1)\n(0, "", 0)', [(0, "", 0)]),
    "nothing": ("des (0, 0, 1)", []),
}


@pytest.mark.parametrize(("text", "expected"), READINGS.values(), ids=list(READINGS))
def test_aut_is_read(text: str, expected: list[tuple[int, str, int]]) -> None:
    assert triples(read_aut(Source("t.aut", text))) == expected


PROBLEMS = {
    "empty": ("", [("E120", 1, 1)]),
    "blank": ("\n\n", [("E120", 1, 1)]),
    "no-header": ('\n(0, "a", 1)', [("E120", 2, 1)]),
    "half-header": ("des (0, 1", [("E120", 1, 1)]),
    "negative": ('des (0, 1, 2)\n(0, "a", -1)', [("E121", 2, 1)]),
    "no-label": ("des (0, 1, 2)\n  (0, 1)", [("E121", 2, 3)]),
    "open-quote": ('des (0, 1, 2)\n(0, "a, 1)', [("E121", 2, 1)]),
    "empty-label": ("des (0, 1, 2)\n(0, , 1)", [("E121", 2, 1)]),
    "comment": ("des (0, 1, 2)\n# a comment\n(0, a, 1)", [("E121", 2, 1)]),
    "second-header": ("des (0, 0, 2)\ndes (0, 0, 2)", [("E121", 2, 1)]),
    "state": ("des (0, 1, 2)\n(0, a, 9999999)", [("E122", 1, 12)]),
    "initial": ("des (7, 0, 2)", [("E122", 1, 6)]),
    "huge": ("des (0, 0, 999999999999)", [("E122", 1, 12)]),
    "all-at-once": ("des (0, 3, 2)\nx\n(0, a, 1)\n(0, a, 5)\ny", [("E121", 2, 1), ("E121", 5, 1)]),
}


@pytest.mark.parametrize(("text", "expected"), PROBLEMS.values(), ids=list(PROBLEMS))
def test_a_bad_aut_is_refused_at_its_place(text: str, expected: list[tuple[str, int, int]]) -> None:
    with pytest.raises(LtsProblem) as caught:
        read_aut(Source("t.aut", text))
    assert [(p.code, p.span.line, p.span.column) for p in caught.value.problems] == expected
    assert caught.value.problem == caught.value.problems[0]
    assert caught.value.problem.render()


COUNTS = {
    "fewer-transitions": ("des (0, 2, 2)\n(0, a, 1)", 2, (1, 9)),
    "more-transitions": ("des (0, 0, 2)\n(0, a, 1)", 2, (1, 9)),
    "source": ("des (0, 1, 2)\n(2, a, 1)", 3, (1, 12)),
    "target": ("des (0, 1, 2)\n(0, a, 12)", 13, (1, 12)),
}


@pytest.mark.parametrize(("text", "states", "place"), COUNTS.values(), ids=list(COUNTS))
def test_a_header_that_counts_wrong_is_a_warning(text: str, states: int, place: tuple[int, int]) -> None:
    told: list[Diagnostic] = []
    assert read_aut(Source("t.aut", text), told.append).states == states
    assert [(p.code, p.span.line, p.span.column) for p in told] == [("W123", *place)]


def test_a_tagged_file_is_read_without_its_tags() -> None:
    text = 'des (0, 3, 3)\n(0:N:GR, "a":BLACK, 1)\n(1, "b":RED, 2:N:R)\n(1, "c":GREEN, -1)\n'
    lts = read_aut(Source("t.autx", text), coloured=True)
    assert triples(lts) == [(0, "a", 1), (1, "b", 2), (1, "c", 3)]
    assert lts.frontier == {3}


@pytest.mark.parametrize("ending", [".aut", ".autx"])
def test_what_is_written_is_read_again_also_compressed(ending: str, tmp_path: Path) -> None:
    lts = Lts.of(3, [0], [(0, "a:RED", 1), (1, "b", 2)])
    tags = Tags(bytes([Colour.CORRECT, Colour.INCORRECT]), {1: NeighbourhoodType.R})
    path = tmp_path / f"t{ending}.gz"
    path.write_bytes(gzip.compress(render_lts(lts, f"t{ending}", tags).encode()))
    assert triples(read_lts(path)) == triples(lts)


def test_a_broken_archive_is_told(tmp_path: Path) -> None:
    whole = gzip.compress(b"des (0, 0, 1)\n" * 50)
    for number, data in enumerate((whole[:-5], whole[:20], b"\x1f\x8bnothing")):
        path = tmp_path / f"t{number}.aut.gz"
        path.write_bytes(data)
        with pytest.raises(OtsrwError, match="cannot decompress"):
            read_lts(path)


@given(st.text(alphabet='(),"des 01a\n\r\t', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(OtsrwError):
        read_aut(Source("t.aut", "des (0, 1, 2)\n" + text))


line = st.text(min_size=1).filter(lambda text: len(text.splitlines()) == 1 and text == text.splitlines()[0])


@given(st.lists(st.tuples(st.integers(0, 4), line, st.integers(0, 4)), max_size=8))
def test_aut_is_read_back(edges: list[tuple[int, str, int]]) -> None:
    assert triples(read_aut(Source("t.aut", write_aut(Lts.of(5, [0], edges))))) == edges


def test_several_initial_states_become_one() -> None:
    lts = read_aut(Source("t.aut", write_aut(Lts.of(2, [0, 1], [(0, "a", 1)]))))
    assert (lts.initial, lts.states) == ((2,), 3)
    assert triples(lts) == [(2, "i", 0), (2, "i", 1), (0, "a", 1)]


SMALL = Lts.of(
    3, [0], [(0, 'a "x"', 1), (1, "b<&>", 2), (1, "c", 0)], ["pc(p)"], [("l1",), ("l2",), ("l3",)], frontier=[2]
)
TAGS = Tags(bytes([Colour.NEUTRAL, Colour.CORRECT, Colour.INCORRECT]), {1: NeighbourhoodType.GR})


def test_autx_has_the_tags_of_clear() -> None:
    assert render_lts(SMALL, "t.autx", TAGS).splitlines() == [
        "des (0, 3, 3)",
        '(0, "a "x"":BLACK, 1)',
        '(1:N:GR, "b<&>":GREEN, 2)',
        '(1:N:GR, "c":RED, 0)',
    ]


def test_dot_says_colours_by_line_style_too() -> None:
    text = render_lts(SMALL, "t.dot", TAGS)
    assert '0 -> 1 [label="a \\"x\\"", color="#57606a", style=solid];' in text
    assert '1 -> 2 [label="b<&>", color="#1a7f37", style=bold];' in text
    assert '1 -> 0 [label="c", color="#cf222e", style=dashed];' in text
    assert '1 [label="1\\nGR\\npc(p) = l2", shape=doublecircle];' in text


def test_graphml_is_xml_with_everything() -> None:
    root = ElementTree.fromstring(render_lts(SMALL, "t.graphml", TAGS))
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    edges = [[d.text for d in edge] for edge in root.findall(".//g:edge", space)]
    assert edges == [['a "x"', "neutral"], ["b<&>", "correct"], ["c", "incorrect"]]
    assert [[d.text for d in node] for node in root.findall(".//g:node", space)] == [
        ["true", "l1"],
        ["GR", "l2"],
        ["true", "l3"],
    ]


def test_graphml_survives_control_characters() -> None:
    ElementTree.fromstring(render_lts(Lts.of(1, [0], [(0, "a\x00\x1b", 0)]), "t.graphml"))


def test_mermaid_draws_colours_as_arrows() -> None:
    assert render_lts(SMALL, "t.mmd", TAGS).splitlines()[4:] == [
        "  start0[ ] --> s0",
        '  s0 -->|"a #quot;x#quot;"| s1',
        '  s1 ==>|"b#lt;&#gt;"| s2',
        '  s1 -.->|"c"| s0',
        "  linkStyle 2 stroke:#1a7f37",
        "  linkStyle 3 stroke:#cf222e",
    ]


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OtsrwError, match="E124"):
        render_lts(SMALL, "t.docx")
    with pytest.raises(OtsrwError, match="E124"):
        read_lts(tmp_path / "t.dot")
    with pytest.raises(OtsrwError, match="E303"):
        read_lts(tmp_path / "nowhere.aut")


def test_latin_1_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "t.aut"
    path.write_bytes('des (0, 1, 1)\n(0, "é", 0)'.encode("latin-1"))
    assert read_lts(path).labels == ("é",)
