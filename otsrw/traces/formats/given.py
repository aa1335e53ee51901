"""Runs that users bring: an ITF trace, a list of events, or a path in an `.aut` file; the text tells which.

A list has one event a line, or semicolons between them: `send1(p1,intr)`, or `send1` for any arguments. What follows
`--` or `#` in a line is a comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from otsrw.syntax.diagnostics import SyntaxProblem
from otsrw.syntax.source import Source, Span
from otsrw.traces.formats.aut import read_aut
from otsrw.traces.formats.itf import read_itf
from otsrw.traces.given import GivenRun, GivenStep
from otsrw.traces.lts import Lts
from otsrw.traces.trace import Label

_STATES = re.compile(r'"states"\s*:\s*\[\s*')
_BETWEEN = re.compile(r"\s*,?\s*")
_EVENT = re.compile(r"[^;\n]+")
_COMMENT = re.compile(r"(?:^|(?<=\s))(?:--|#).*$")


def read_given(source: Source) -> GivenRun:
    """The run in a text; raises a problem at the place where it is none."""
    start = source.text.lstrip()
    if start.startswith("{"):
        return _from_itf(source)
    if re.match(r"des\s*\(", start):
        return _from_aut(source)
    return GivenRun(tuple(_events(source)))


def _events(source: Source) -> Iterator[GivenStep]:
    for number, line in enumerate(source.text.split("\n")):
        for found in _EVENT.finditer(_COMMENT.sub("", line)):
            text = found[0].strip()
            if text:
                start = source.line_starts[number] + found.start() + found[0].index(text)
                yield GivenStep(Span(source, start, start + len(text)), Label.read(text))


def _from_itf(source: Source) -> GivenRun:
    trace = read_itf(source)
    places = _places(source)
    spans = [next(places, Span(source, 0, 1)) for _ in trace.states]
    if not spans:
        raise SyntaxProblem("E125", "the trace has no states", Span(source, 0, 1))
    steps = [
        GivenStep(span, state.label, dict(state.observers)) for span, state in zip(spans, trace.states, strict=True)
    ]
    return GivenRun(tuple(steps[1:]), steps[0], trace.loop)


def _places(source: Source) -> Iterator[Span]:
    """Where the states of an ITF trace stand in its text."""
    found = _STATES.search(source.text)
    position = len(source.text) if found is None else found.end()
    decoder = json.JSONDecoder()
    while position < len(source.text) and source.text[position] == "{":
        _, end = decoder.raw_decode(source.text, position)
        yield Span(source, position, position + 1)
        between = _BETWEEN.match(source.text, end)
        position = end if between is None else between.end()


def _from_aut(source: Source) -> GivenRun:
    """The only run of a system: one transition leaves each state, until one is met again or nothing follows."""
    lts = read_aut(source)
    state, seen = lts.initial[0], dict[int, int]()
    steps = list[GivenStep]()
    while state not in seen and lts.outgoing.degree(state):
        seen[state] = len(steps)
        leaving = lts.outgoing.of(state)
        span = _line(source, leaving[0])
        if len(leaving) > 1:
            hint = f"the next one is {_other(source, lts, leaving[1])}; give a file with one transition a state"
            raise SyntaxProblem("E125", f"not a path: {len(leaving)} transitions leave state {state}", span, hint)
        steps.append(GivenStep(span, lts.event(leaving[0])))
        state = lts.targets[leaving[0]]
    return GivenRun(tuple(steps), loop=seen.get(state))


def _other(source: Source, lts: Lts, transition: int) -> str:
    return f"{lts.label(transition)}, line {_line(source, transition).line}"


def _line(source: Source, transition: int) -> Span:
    """The line of a transition: they stand in lines of their own, in order, after the header."""
    written = [number for number, line in enumerate(source.text.split("\n")) if line.strip()]
    start = source.line_starts[written[transition + 1]]
    return Span(source, start, start + max(1, len(source.line_text(written[transition + 1] + 1))))
