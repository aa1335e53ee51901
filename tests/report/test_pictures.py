"""State pictures: what is bound shows the state, and nothing of an SVG that is not a drawing gets into a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import document, run, spec
from hypothesis import given, settings
from hypothesis import strategies as st
from support import ROOT

from otsrw.report.pictures import StatePicture, elements_of
from otsrw.report.svg import ATTRIBUTES, ELEMENTS, MAX_DEPTH, MAX_LENGTH, read_svg
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Source
from otsrw.traces.trace import Label, Trace

TRACE = Trace.of(
    [
        (None, {"pc(p1)": "rs", "locked": False, "nw": "empty", "queue": "(p1 ; (p2 ; empty))"}),
        (Label("go"), {"pc(p1)": "cs", "locked": True, "nw": "(m(a,<b>) , m(c,d))", "queue": "empty"}),
    ]
)


def picture(inside: str) -> StatePicture:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{inside}</svg>'
    return StatePicture.of(read_svg(Source("p.svg", text)))


def looks(inside: str, state: int = 1) -> str:
    found = picture(inside)
    return str(found.markup(found.frames(TRACE)[state]))


BOUND = {
    "text": ('<text data-observer="pc(p1)">old</text>', '<text data-part="0">cs</text>'),
    "spaces": ('<text data-observer="pc( p1 )"/>', '<text data-part="0">cs</text>'),
    "escaped": ('<text data-observer="nw"/>', "(m(a,&lt;b&gt;) , m(c,d))"),
    "lines": (
        '<text x="5" data-list="nw"/>',
        '<tspan x="5" dy="0">m(a,&lt;b&gt;)</tspan><tspan x="5" dy="1.2em">m(c,d)</tspan>',
    ),
    "shown-if": ('<g data-if="pc(p1) = cs and locked"><rect/></g>', '<g data-part="0"><rect></rect></g>'),
    "hidden-if": ('<g data-if="pc(p1) = rs"/>', '<g data-part="0" visibility="hidden"></g>'),
    "not": ('<g data-if="not locked"/>', 'visibility="hidden"'),
    "unequal": ('<g data-if="pc(p1) != rs"/>', '<g data-part="0"></g>'),
    "member": ('<g data-if="nw has m(c,*)"/>', '<g data-part="0"></g>'),
    "no-member": ('<g data-if="nw has m(c"/>', 'visibility="hidden"'),
    "place": (
        '<g data-at="pc(p1): rs 1 2; cs 30 -4.5"/>',
        '<g data-place="0" transform="translate(30 -4.5)"><g data-part="0">',
    ),
    "no-place": ('<g data-at="pc(p1): rs 1 2"/>', 'visibility="hidden"'),
    "fill": ('<rect fill="red" data-fill="pc(p1): rs blue; * #0a0"/>', '<rect fill="#0a0" data-part="0">'),
    "no-such-entity": ('<text data-observer="pc(p9)">p9</text>', 'visibility="hidden"'),
}


@pytest.mark.parametrize(("inside", "expected"), BOUND.values(), ids=list(BOUND))
def test_an_element_shows_what_it_is_bound_to(inside: str, expected: str) -> None:
    assert expected in looks(inside)


HARMFUL = {
    "script": "<script>alert(1)</script><text>kept</text>",
    "handler": '<rect onclick="alert(1)" onload="alert(2)"/>',
    "script-in-shape": "<g><script>alert(1)</script></g>",
    "style": "<style>* { background: url(http://evil.example/x) }</style>",
    "style-attribute": '<rect style="fill: url(http://evil.example/x); background: url(//evil.example)"/>',
    "image": '<image href="http://evil.example/x.png"/>',
    "use": '<use href="http://evil.example/x.svg#a" xlink:href="http://evil.example/x.svg#a"/>',
    "link": '<a href="javascript:alert(1)"><text>click</text></a>',
    "foreign": '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></body></foreignObject>',
    "animation": '<rect><animate attributeName="href" to="javascript:alert(1)"/></rect>',
    "set": '<rect><set attributeName="onload" to="alert(1)"/></rect>',
    "paint": '<rect fill="url(http://evil.example/#a)" stroke="url(&quot;http://evil.example&quot;)"/>',
    "escaped-paint": '<rect fill="u\\72l(http://evil.example)"/>',
    "entity": "<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>",
    "foreign-namespace": '<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>',
    "html-in-title": "<title>&lt;img src=x onerror=alert(1)&gt;</title>",
    "fill-table": '<g data-if="locked"><rect fill="red;url(http://evil.example)"/></g>',
    "cdata": "<text><![CDATA[<script>alert(1)</script>]]></text>",
}


@pytest.mark.parametrize("inside", HARMFUL.values(), ids=list(HARMFUL))
def test_nothing_but_a_drawing_gets_through(inside: str) -> None:
    assert_harmless(looks(inside))


def assert_harmless(markup: str) -> None:
    tags = re.findall(r"<(/?)([\w:-]+)((?:\s[^<>]*)?)>", markup)
    assert markup.count("<") == len(tags)
    for _, tag, attributes in tags:
        assert tag in ELEMENTS
        names = re.findall(r'([\w:-]+)="([^"]*)"', attributes)
        own = {"data-part", "data-place", "xmlns", "role", "class", "id"}
        assert all(name in ATTRIBUTES | own for name, _ in names)
        for name, value in names:
            assert name == "xmlns" or "://" not in value
            assert "javascript" not in value.lower()
            assert "url" not in re.sub(r"url\(#drawn-[\w.-]+\)", "", value.lower())


pieces = st.sampled_from([*HARMFUL.values(), *(given for given, _ in BOUND.values()), "<g>", "</g>", "&lt;", "text"])


@settings(max_examples=150)
@given(st.lists(pieces, max_size=6))
def test_no_mixture_gets_through(parts: list[str]) -> None:
    try:
        markup = looks("".join(parts))
    except OtsrwError:
        return
    assert_harmless(markup)


def test_names_cannot_be_taken_for_those_of_the_page() -> None:
    markup = looks('<defs><linearGradient id="run"/></defs><rect id="types" class="verdict" fill="url(#run)"/>')
    assert 'id="drawn-run"' in markup
    assert 'fill="url(#drawn-run)"' in markup
    assert 'class="verdict"' not in markup


REFUSED = {
    "not-xml": ("<svg><g></svg>", "p.svg:1:", "not XML"),
    "another-root": ("<html><svg/></html>", "p.svg:1:1", "the outermost element is not svg"),
    "entities": ('<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', "p.svg:1:", "must not declare a document type"),
    "nested": ("<svg>" + "<g>" * MAX_DEPTH + "</g>" * MAX_DEPTH + "</svg>", "p.svg:1:", "nested more than"),
    "long": ("<svg>" + " " * MAX_LENGTH + "</svg>", "p.svg:1:1", "more than"),
    "binding-of-a-shape": ('<svg>\n <rect data-observer="pc(p1)"/></svg>', "p.svg:2:2", "data-observer needs a text"),
    "condition": ('<svg>\n <g data-if="= 3"/></svg>', "p.svg:2:2", "not a condition"),
    "table": ('<svg>\n <g data-at="pc(p1)"/></svg>', "p.svg:2:2", "not a table"),
    "place": ('<svg>\n <g data-at="pc(p1): rs a b"/></svg>', "p.svg:2:2", "not a place"),
    "colour": ('<svg>\n <g data-fill="pc(p1): rs url(http://x)"/></svg>', "p.svg:2:2", "not a colour"),
}


@pytest.mark.parametrize(("text", "place", "message"), REFUSED.values(), ids=list(REFUSED))
def test_what_is_wrong_is_told_at_its_place(text: str, place: str, message: str) -> None:
    with pytest.raises(OtsrwError) as caught:
        StatePicture.of(read_svg(Source("p.svg", text)))
    assert message in caught.value.problem.message
    assert str(caught.value.problem.span).startswith(place)


def test_an_observer_that_there_is_not_is_an_error() -> None:
    with pytest.raises(OtsrwError, match="no observer is called lokced") as caught:
        picture('<g data-if="lokced"/>').check(TRACE.vars)
    assert "locked" in (caught.value.problem.hint or "")
    picture('<text data-observer="pc(p7)"/>').check(TRACE.vars)


ELEMENTS_OF = {
    "": [],
    "empty": ["empty"],
    "(a , b , f(c,d))": ["a", "b", "f(c,d)"],
    "(p1 ; (p2 ; (p3 ; empty)))": ["p1", "p2", "p3"],
    "f(a,b)": ["f(a,b)"],
    "(a) (b)": ["(a) (b)"],
    ") , (": [") , ("],
}


@pytest.mark.parametrize(("value", "elements"), ELEMENTS_OF.items())
def test_elements_of_a_collection(value: str, elements: list[str]) -> None:
    assert elements_of(value) == elements


PAGES = {
    "search": ("search", "tas-flawed.cafe", "--depth", "5"),
    "igf": ("igf", "tas-flawed.cafe"),
    "simplify": ("simplify", "tas-flawed.cafe"),
    "classify": ("classify", "tas-flawed.cafe"),
    "simulate": ("simulate", "tas-flawed.cafe", "--runs", "50"),
}


@pytest.mark.parametrize("words", PAGES.values(), ids=list(PAGES))
def test_a_report_plays_the_picture(words: tuple[str, ...], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    given = ("--html", str(page), "--picture", spec("tas.svg"))
    run(words[0], spec(words[1]), *words[2:], *given)
    text = page.read_text("utf-8")
    assert 'class="state-picture"' in text
    assert "makePlayer" in text
    assert "http:" not in text.replace("http://www.w3.org/2000/svg", "")


def test_a_picture_next_to_the_specification_is_found(tmp_path: Path) -> None:
    """One that is no picture is a warning; without bindings it is somebody's figure."""
    file, page = tmp_path / "t.cafe", tmp_path / "page.html"
    file.write_text((ROOT / "specs/tas-flawed.cafe").read_text().replace("specs:../specs", str(ROOT / "specs")))
    for svg, used, warned in (("tas", True, False), ("broken", False, True), ("figure", False, False)):
        texts = {"tas": (ROOT / "specs/tas.svg").read_text(), "broken": "<svg", "figure": "<svg><image/></svg>"}
        (tmp_path / "t.svg").write_text(texts[svg])
        _, _, err = run("search", str(file), "--depth", "5", "--html", str(page))
        assert ("state-picture" in page.read_text("utf-8").split("<main>")[1]) is used
        assert ("W546" in err) is warned


@pytest.mark.parametrize("name", ["qlock", "tas", "mcs", "nspk"])
def test_bundled_pictures_are_well_bound(name: str) -> None:
    found = StatePicture.of(read_svg(Source(name, (ROOT / f"specs/{name}.svg").read_text("utf-8"))))
    assert found.drawing.left_out == ()
    assert found.bound
    found.check([observer["name"] for observer in document("ots", spec(f"{name}.cafe"))["observers"]])
