"""SVG that users draw, made harmless: what is not known to be a drawing does not get into a page.

A file is read into a tree of the elements and attributes below; everything else (scripts, styles, links, images,
animations, foreign objects, handlers of events, references to anything outside) is left out, and names are changed so
that they cannot be taken for those of the page. The tree is written anew, with every text escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from markupsafe import escape

from otsrw.records import dataclass, field
from otsrw.syntax.diagnostics import Diagnostic, SyntaxProblem
from otsrw.syntax.source import Source, Span

MAX_LENGTH = 500_000
MAX_DEPTH = 60
BINDINGS = ("data-observer", "data-list", "data-if", "data-at", "data-fill")
"""Attributes that bind an element to observers; they are kept apart and never written."""

_SHAPES = "svg g defs rect circle ellipse line polyline polygon path text tspan title desc"
_PAINTS = "linearGradient radialGradient stop marker"
ELEMENTS = frozenset(f"{_SHAPES} {_PAINTS}".split())
_METADATA = frozenset(["metadata", "namedview", "RDF", "perspective"])
"""What drawing programs add for themselves: nobody misses it."""

_GEOMETRY = """x y x1 y1 x2 y2 cx cy r rx ry width height d points dx dy rotate transform viewBox preserveAspectRatio
 textLength lengthAdjust offset gradientUnits gradientTransform markerWidth markerHeight markerUnits refX refY
 orient fx fy"""
_PAINTING = """fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset
 stroke-linecap stroke-linejoin stroke-miterlimit opacity color visibility display font-family font-size font-weight
 font-style text-anchor dominant-baseline letter-spacing text-decoration stop-color stop-opacity
 marker-start marker-mid marker-end paint-order vector-effect"""
_PROPERTIES = frozenset(_PAINTING.split())
ATTRIBUTES = frozenset(_GEOMETRY.split()) | _PROPERTIES

_VALUE = re.compile(r"[\w\s.,;:#%()+\-*/'\"]*\Z")
_REFERENCE = re.compile(r"url\(\s*['\"]?#([\w.-]+)['\"]?\s*\)")
_NAME = re.compile(r"[\w.-]+\Z")
_PREFIX = "drawn-"


@dataclass(eq=False, slots=True)
class SvgElement:
    """An element with what may be written of it."""

    tag: str
    attributes: dict[str, str]
    bindings: dict[str, str]
    span: Span
    children: list[SvgElement | str] = field(default_factory=list)

    def walk(self) -> Iterator[SvgElement]:
        yield self
        for child in self.children:
            if isinstance(child, SvgElement):
                yield from child.walk()


@dataclass(frozen=True, eq=False, slots=True)
class Drawing:
    """A drawing, and what was left out of it."""

    root: SvgElement
    left_out: tuple[Diagnostic, ...] = ()


def read_svg(source: Source) -> Drawing:
    """The harmless part of an SVG file; raises a problem where it is no SVG."""
    return _SvgReader(source).read()


def is_harmless(value: str) -> bool:
    """Whether a value refers to nothing outside the drawing."""
    return bool(_VALUE.match(value)) and "url" not in _REFERENCE.sub("", value).lower()


class _SvgReader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._open: list[SvgElement] = []
        self._root: SvgElement | None = None
        self._skipping = 0
        self._left_out: dict[str, Diagnostic] = {}
        self._parser = expat.ParserCreate(namespace_separator="}")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._doctype

    def read(self) -> Drawing:
        if len(self._source.text) > MAX_LENGTH:
            raise SyntaxProblem("E131", f"a picture of more than {MAX_LENGTH} characters", Span(self._source, 0, 1))
        try:
            self._parser.Parse(self._source.text, True)
        except expat.ExpatError as error:
            span = self._at(error.lineno, error.offset)
            raise SyntaxProblem("E131", f"not XML: {expat.ErrorString(error.code)}", span) from None
        if self._root is None:
            raise SyntaxProblem("E131", "not a picture: the outermost element is not svg", Span(self._source, 0, 1))
        return Drawing(self._root, tuple(self._left_out.values()))

    def _at(self, line: int, column: int) -> Span:
        starts = self._source.line_starts
        start = min(starts[min(line, len(starts)) - 1] + column, len(self._source.text))
        return Span(self._source, start, start + 1)

    def _here(self) -> Span:
        return self._at(self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber)

    def _doctype(self, *_: Any) -> None:
        hint = "leave the line <!DOCTYPE ...> out"
        raise SyntaxProblem("E131", "a picture must not declare a document type", self._here(), hint)

    def _start(self, name: str, given: dict[str, str]) -> None:
        tag = name.rpartition("}")[2]
        if self._skipping or not self._is_drawn(name, tag):
            self._skipping += 1
            return
        if len(self._open) >= MAX_DEPTH:
            raise SyntaxProblem("E131", f"elements nested more than {MAX_DEPTH} deep", self._here())
        bindings = {key: value for key, value in given.items() if key in BINDINGS}
        element = SvgElement(tag, self._attributes(given), bindings, self._here())
        if self._open:
            self._open[-1].children.append(element)
        elif self._root is None:
            self._root = element
        self._open.append(element)

    def _is_drawn(self, name: str, tag: str) -> bool:
        if not self._open and tag != "svg":
            return False
        if tag in ELEMENTS and name in (tag, "http://www.w3.org/2000/svg}" + tag):
            return True
        if tag not in _METADATA and tag not in self._left_out:
            hint = f"a picture has {', '.join(_SHAPES.split()[3:10])} and the like"
            self._left_out[tag] = Diagnostic("W546", f"left out of the picture: {tag}", self._here(), hint)
        return False

    def _attributes(self, given: dict[str, str]) -> dict[str, str]:
        found = {}
        for key, value in (*given.items(), *_declared(given.get("style", ""))):
            if key == "id" and _NAME.match(value):
                found["id"] = _PREFIX + value
            elif key in ATTRIBUTES and is_harmless(value):
                found[key] = _REFERENCE.sub(rf"url(#{_PREFIX}\1)", value)
        return found

    def _end(self, _: str) -> None:
        if self._skipping:
            self._skipping -= 1
        else:
            self._open.pop()

    def _text(self, text: str) -> None:
        if not self._skipping and self._open and self._open[-1].tag in ("text", "tspan", "title", "desc"):
            self._open[-1].children.append(text)


def _declared(style: str) -> Iterator[tuple[str, str]]:
    """The properties of a style attribute that may be attributes of their own."""
    for declaration in style.split(";"):
        name, _, value = declaration.partition(":")
        if name.strip() in _PROPERTIES:
            yield name.strip(), value.strip()


def written(tag: str, attributes: dict[str, str], inside: str) -> str:
    """An element as text; `inside` is markup already."""
    given = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{given}>{inside}</{tag}>"
