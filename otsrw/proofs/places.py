"""Parts of a term by name: argument numbers `(1 2)`, a part of a list `[2 .. 3]` or of a collection `{1, 3}`.

Associative operators count as binary ones that nest to the right, so `(2 1)` of `a + b + c` is `b`.
"""

from __future__ import annotations

from otsrw.records import NamedTuple
from otsrw.theory.terms import Symbol, Term

WHOLE = ("top", "term")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Frame(NamedTuple):
    """What stands around a part of a term: the operator above it and its other arguments."""

    op: Symbol
    before: tuple[Term, ...]
    after: tuple[Term, ...]


class Place(NamedTuple):
    """A part of a term, with the frames around it from the outside in."""

    frames: tuple[Frame, ...]
    part: Term

    def filled(self, part: Term) -> Term:
        """The whole term with another part here."""
        for frame in reversed(self.frames):
            part = frame.op.make((*frame.before, part, *frame.after))
        return part

    def inner(self, before: tuple[Term, ...], part: Term, after: tuple[Term, ...]) -> Place:
        return Place((*self.frames, Frame(self.part.op, before, after)), part)

    def argument(self, number: int) -> Place | None:
        """The argument of this number, counted from 1; 0 is the part itself."""
        args, op = self.part.args, self.part.op
        if number == 0:
            return self
        if op.assoc and number == 2 and len(args) > 2:
            return self.inner(args[:1], op.make(args[1:]), ())
        if number > (2 if op.assoc else len(args)) or not args:
            return None
        return self.inner(args[: number - 1], args[number - 1], args[number:])

    def stretch(self, first: int, last: int) -> Place | None:
        """Elements `first` to `last` of a list."""
        args, op = self.part.args, self.part.op
        if not op.assoc or not 1 <= first <= last <= len(args):
            return None
        if (first, last) == (1, len(args)):
            return self
        chosen = args[first - 1 : last]
        return self.inner(args[: first - 1], chosen[0] if len(chosen) == 1 else op.make(chosen), args[last:])

    def subset(self, numbers: list[int]) -> Place | None:
        """Some elements of a collection."""
        args, op = self.part.args, self.part.op
        if not (op.assoc and op.comm) or not numbers or not all(1 <= n <= len(args) for n in numbers):
            return None
        chosen = tuple(args[n - 1] for n in dict.fromkeys(numbers))
        rest = tuple(arg for n, arg in enumerate(args, 1) if n not in numbers)
        return self.inner((), chosen[0] if len(chosen) == 1 else op.make(chosen), rest) if rest else self


def select(place: Place, words: list[str]) -> Place | None:
    """The place that selectors joined by `of` name, seen from another; the outermost selector stands last."""
    found: Place | None = place
    for selector in reversed(_selectors(words)):
        found = None if found is None else _selected(found, selector)
    return found


def _selectors(words: list[str]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for word in words:
        if word == "of":
            found.append([])
        elif word != ".":
            found[-1].append(word)
    return found


def _selected(place: Place, selector: list[str]) -> Place | None:
    opening = selector[0] if selector else ""
    numbers = [int(word) for word in selector if word.isdecimal()]
    if opening not in _CLOSING or selector[-1] != _CLOSING[opening]:
        return None
    if opening == "(":
        found: Place | None = place
        for number in numbers:
            found = None if found is None else found.argument(number)
        return found
    if opening == "[":
        return place.stretch(numbers[0], numbers[-1]) if numbers else None
    return place.subset(numbers)
