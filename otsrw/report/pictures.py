"""State pictures: an SVG that a user draws once, bound to observers, and played over any trace.

An attribute binds an element to observers: `data-observer` shows a value as text, `data-list` the elements of a
collection in lines, `data-if` shows the element only if a condition is true, `data-at` moves it to the place of a
value, and `data-fill` gives it the colour of one. A frame is what the bound elements look like in one state: plain
data, which a small script applies to the picture. docs/pictures.md explains how to draw one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from markupsafe import Markup, escape

from otsrw.ots.run import Run
from otsrw.records import dataclass
from otsrw.report.svg import Drawing, SvgElement, is_harmless, written
from otsrw.report.traces import short_labels, shown
from otsrw.syntax.diagnostics import SyntaxProblem, did_you_mean
from otsrw.traces.observed import trace_of
from otsrw.traces.trace import Trace, Value

Observed = Mapping[str, Value]
Change = dict[str, Any]
"""How one bound element looks in a state: `hidden`, `text`, `lines`, `x` and `y`, `fill`."""

_CONDITION = re.compile(r"\s*(?P<observer>[^=!]+?)\s*(?:(?P<relation>!?=|\bhas\b)\s*(?P<value>.+?))?\s*\Z")
_SPACE = re.compile(r"\s+")
_SEPARATORS = (",", ";", "|")
_ENDS = ("empty", "nil", "void")
"""How lists end."""


@dataclass(frozen=True, slots=True)
class PictureCondition:
    """`OBSERVER = VALUE`, `OBSERVER != VALUE`, `OBSERVER has ELEMENT`, or an observer that is true (or not)."""

    observer: str
    relation: str
    value: str

    def holds(self, observed: Observed) -> bool:
        """False if the observer has no value here: a picture may show more entities than there are."""
        if self.observer not in observed:
            return False
        value = _plain(shown(observed[self.observer]))
        if self.relation == "has":
            return any(fnmatchcase(element, self.value) for element in map(_plain, elements_of(value)))
        return (value == self.value) is (self.relation == "=")


@dataclass(frozen=True, slots=True)
class ValueTable:
    """`OBSERVER: VALUE something; VALUE something; * something`."""

    observer: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]

    def at(self, observed: Observed) -> tuple[str, ...] | None:
        """What stands at the value that is observed; None if nothing does."""
        if self.observer not in observed:
            return None
        value = _plain(shown(observed[self.observer]))
        return next((given for pattern, given in self.rows if fnmatchcase(value, pattern)), None)


@dataclass(frozen=True, slots=True)
class BoundElement:
    """What an element is bound to."""

    text: str | None = None
    list: str | None = None
    conditions: tuple[PictureCondition, ...] = ()
    place: ValueTable | None = None
    fill: ValueTable | None = None

    def change(self, observed: Observed) -> Change:
        change: Change = {"hidden": not all(condition.holds(observed) for condition in self.conditions)}
        for name in (self.text, self.list):
            if name is not None and name not in observed:
                change["hidden"] = True
        if self.text is not None and self.text in observed:
            change["text"] = shown(observed[self.text])
        if self.list is not None and self.list in observed:
            change["lines"] = elements_of(shown(observed[self.list]))
        if self.place is not None:
            place = self.place.at(observed)
            change["hidden"] = change["hidden"] or place is None
            change["x"], change["y"] = (0.0, 0.0) if place is None else map(float, place)
        if self.fill is not None:
            fill = self.fill.at(observed)
            change["fill"] = None if fill is None else fill[0]
        return change


@dataclass(frozen=True, eq=False, slots=True)
class StatePicture:
    """A drawing with its bound elements, in the order in which they stand in it."""

    drawing: Drawing
    bound: tuple[tuple[SvgElement, BoundElement], ...]

    @classmethod
    def of(cls, drawing: Drawing) -> StatePicture:
        """Raises a problem at a binding that is not well written."""
        bound = [element for element in drawing.root.walk() if element.bindings]
        return cls(drawing, tuple((element, _BindingReader(element).read()) for element in bound))

    def check(self, observers: Sequence[str]) -> None:
        """Raise a problem if an element is bound to something that is no observer of the system.

        An observer at an index that is no entity now is none: the picture may be made for more entities.
        """
        known = {name.partition("(")[0] for name in observers}
        for element, bound in self.bound:
            for name in _names(bound):
                if name.partition("(")[0] not in known:
                    hint = did_you_mean(name, observers) or f"observers are {', '.join(observers[:8])}"
                    raise SyntaxProblem("E132", f"no observer is called {name}", element.span, hint)

    def frames(self, trace: Trace) -> list[list[Change]]:
        """For each state what the bound elements look like."""
        observed = ({_plain(name): value for name, value in state.observers.items()} for state in trace.states)
        return [[bound.change(values) for _, bound in self.bound] for values in observed]

    def markup(self, frame: Sequence[Change]) -> Markup:
        """The picture as it looks in one state."""
        numbers = {element: number for number, (element, _) in enumerate(self.bound)}
        return Markup(_Writer(numbers, frame).element(self.drawing.root, root=True))


def played(picture: StatePicture | None, trace: Trace | None, labels: Sequence[str] = ()) -> dict[str, Any] | None:
    """What a player on a page needs to play a trace; None if there is no picture or no trace."""
    if picture is None or trace is None:
        return None
    frames = picture.frames(trace)
    events = list(labels) or [str(state.label) for state in trace.states[1:]]
    return {"markup": picture.markup(frames[0]), "frames": frames, "labels": ["initially", *events]}


def played_run(picture: StatePicture | None, run: Run | None) -> dict[str, Any] | None:
    """The same for a run of an OTS."""
    return None if run is None else played(picture, trace_of(run), short_labels(run))


class _Writer:
    def __init__(self, numbers: Mapping[SvgElement, int], frame: Sequence[Change]) -> None:
        self._numbers, self._frame = numbers, frame

    def element(self, element: SvgElement, root: bool = False) -> str:
        attributes, number = dict(element.attributes), self._numbers.get(element)
        if root:
            attributes |= {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "class": "state-picture"}
            attributes.setdefault("viewBox", f"0 0 {attributes.get('width', '300')} {attributes.get('height', '150')}")
        if number is None:
            return written(element.tag, attributes, self._inside(element))
        change = self._frame[number]
        attributes["data-part"] = str(number)
        if change["hidden"]:
            attributes["visibility"] = "hidden"
        if change.get("fill"):
            attributes["fill"] = change["fill"]
        text = written(element.tag, attributes, self._bound_inside(element, change))
        if "x" not in change:
            return text
        place = f"translate({change['x']:g} {change['y']:g})"
        return written("g", {"data-place": str(number), "transform": place}, text)

    def _inside(self, element: SvgElement) -> str:
        return "".join(
            self.element(child) if isinstance(child, SvgElement) else escape(child) for child in element.children
        )

    def _bound_inside(self, element: SvgElement, change: Change) -> str:
        if "lines" in change:
            x = element.attributes.get("x", "0")
            lines = enumerate(change["lines"])
            return "".join(
                written("tspan", {"x": x, "dy": "1.2em" if n else "0"}, str(escape(line))) for n, line in lines
            )
        return str(escape(change["text"])) if "text" in change else self._inside(element)


class _BindingReader:
    """Reads the bindings of one element."""

    def __init__(self, element: SvgElement) -> None:
        self._element = element

    def read(self) -> BoundElement:
        given, place, fill = self._element.bindings, None, None
        for name in ("data-observer", "data-list"):
            if name in given and self._element.tag not in ("text", "tspan"):
                raise self._problem(f"{name} needs a text, and this is {self._element.tag}")
        if "data-at" in given:
            if self._element.tag == "tspan":
                raise self._problem("data-at cannot move a part of a text")
            place = self._table("data-at", 2)
            for _, numbers in place.rows:
                if not all(re.fullmatch(r"-?\d+(\.\d+)?", number) for number in numbers):
                    raise self._problem(f"not a place: {' '.join(numbers)}", "write VALUE X Y, as in cs 120 40")
        if "data-fill" in given:
            fill = self._table("data-fill", 1)
            for _, (colour,) in fill.rows:
                if not is_harmless(colour):
                    raise self._problem(f"not a colour: {colour}")
        return BoundElement(
            None if "data-observer" not in given else _plain(given["data-observer"]),
            None if "data-list" not in given else _plain(given["data-list"]),
            tuple(self._conditions(given.get("data-if", ""))),
            place,
            fill,
        )

    def _conditions(self, text: str) -> Iterator[PictureCondition]:
        for part in re.split(r"\band\b", text) if text.strip() else ():
            negated, rest = part.strip().startswith("not "), part.strip().removeprefix("not ")
            found = _CONDITION.match(rest)
            if found is None or (negated and found["relation"]):
                hint = "write OBSERVER = VALUE, OBSERVER != VALUE, OBSERVER has ELEMENT, or OBSERVER alone"
                raise self._problem(f"not a condition: {part.strip()}", hint)
            value = "true" if found["value"] is None else found["value"]
            relation = "!=" if negated else found["relation"] or "="
            yield PictureCondition(_plain(found["observer"]), relation, _plain(value))

    def _table(self, name: str, width: int) -> ValueTable:
        observer, colon, rest = self._element.bindings[name].partition(":")
        rows = []
        for part in rest.split(";"):
            words = part.split()
            if words:
                value, given = " ".join(words[:-width]), tuple(words[-width:])
                if not value:
                    raise self._problem(f"not an entry of a table: {part.strip()}", _TABLE_HINTS[name])
                rows.append((_plain(value), given))
        if not colon or not rows:
            raise self._problem(f"not a table: {self._element.bindings[name]}", _TABLE_HINTS[name])
        return ValueTable(_plain(observer), tuple(rows))

    def _problem(self, message: str, hint: str | None = None) -> SyntaxProblem:
        return SyntaxProblem("E132", message, self._element.span, hint)


_TABLE_HINTS = {
    "data-at": "write OBSERVER: VALUE X Y; VALUE X Y",
    "data-fill": "write OBSERVER: VALUE COLOUR; * COLOUR",
}


def elements_of(value: str) -> list[str]:
    """The elements of a collection as it is written: what stands between its separators, outside of all brackets.

    >>> elements_of("(f(a,b) , c)"), elements_of("empty")
    (['f(a,b)', 'c'], ['empty'])
    >>> elements_of("(p1 ; (p2 ; empty))")
    ['p1', 'p2']
    """
    inner = value.strip()
    if inner.startswith("(") and inner.endswith(")") and _split(inner[1:-1], ",") is not None:
        inner = inner[1:-1].strip()
    for separator in _SEPARATORS:
        parts = _split(inner, separator)
        if parts is not None and len(parts) > 1:
            return _flat(parts, separator)
    return [inner] if inner else []


def _flat(parts: list[str], separator: str) -> list[str]:
    """A list that is nested in its last element, as in `(a ; (b ; empty))`, without its end."""
    found: list[str] = []
    while len(parts) > 1:
        *first, last = parts
        found += first
        nested = last.startswith("(") and last.endswith(")")
        parts = (_split(last[1:-1], separator) if nested else None) or [last]
    return found if parts[0] in _ENDS else [*found, *parts]


def _split(text: str, separator: str) -> list[str] | None:
    """The parts between separators that stand in no bracket; None if the brackets do not match."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return None
        if character == separator and not depth:
            parts.append(text[start:position].strip())
            start = position + 1
    return None if depth else [*parts, text[start:].strip()]


def _names(bound: BoundElement) -> Iterator[str]:
    yield from (name for name in (bound.text, bound.list) if name is not None)
    yield from (condition.observer for condition in bound.conditions)
    yield from (table.observer for table in (bound.place, bound.fill) if table is not None)


def _plain(text: str) -> str:
    """A text without spaces, so that `pc( p1 )` is `pc(p1)`."""
    return _SPACE.sub("", text)
