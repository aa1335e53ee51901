"""`.aut`, the Aldebaran format of CADP and mCRL2, and `.autx`, which CLEAR makes of it.

The header `des (initial, transitions, states)` is followed by a line `(source, "label", target)` for each transition.
A label is what stands between the first and the last comma of its line, without the quotes around it; quotes and commas
inside it are part of it, nothing is escaped. In `.autx` a source may be followed by `:N:` and the type of a
neighbourhood, a label by the colour of the transition, and -1 stands for all that lies behind correct transitions:
nothing is known of what follows there. Reading is one regular expression for many lines.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator

from otsrw.syntax.diagnostics import Diagnostic, SeveralProblems, Tell
from otsrw.syntax.source import Source, Span
from otsrw.traces.lts import Lts
from otsrw.traces.trace import Label

_HEADER = re.compile(r"\s*des\s*\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*\Z")
_PLAIN = r'^[ \t]*\([ \t]*(\d+)[ \t]*,[ \t]*(?:"(.*)"|([^"\s].*?))[ \t]*,[ \t]*(\d+)[ \t]*\)[ \t]*$'
_COLOURED = (
    r'^[ \t]*\([ \t]*(\d+)(?::N:\w+)?[ \t]*,[ \t]*(?:"(.*)"|([^"\s].*?))(?::(?:GREEN|RED|BLACK))?'
    r"[ \t]*,[ \t]*(-1|\d+)(?::N:\w+)?[ \t]*\)[ \t]*$"
)
_TRANSITION = {False: re.compile(_PLAIN, re.MULTILINE), True: re.compile(_COLOURED, re.MULTILINE)}
_MAX_STATES = 100_000_000
_MAX_PROBLEMS = 20
_CHUNK = 1 << 20
_ROOM = 1_000
_SINK = -1


class LtsProblem(SeveralProblems):
    """A file is not a labelled transition system."""


def write_aut(lts: Lts) -> str:
    """The system as text. The format has one initial state: several are reached from a new one by the hidden `i`."""
    several = len(lts.initial) > 1
    start = lts.states if several else lts.initial[0]
    count = len(lts.sources) + (len(lts.initial) if several else 0)
    lines = [f"des ({start}, {count}, {lts.states + several})"]
    if several:
        lines += [f'({start}, "i", {state})' for state in lts.initial]
    quoted = quoted_labels(lts)
    lines += [
        f"({source}, {quoted[action]}, {target})"
        for source, action, target in zip(lts.sources, lts.actions, lts.targets, strict=True)
    ]
    return "\n".join(lines) + "\n"


def quoted_labels(lts: Lts) -> list[str]:
    """A label takes one line and one pair of quotes."""
    return [f'"{" ".join(label.splitlines())}"' for label in lts.labels]


def read_aut(source: Source, tell: Tell | None = None, coloured: bool = False) -> Lts:
    """The system in a text, or an `LtsProblem` with everything that is wrong in it.

    A header with wrong counts is a warning, given to `tell`. `coloured` text is `.autx`.
    """
    return _AutReader(source, tell, coloured).read()


class _AutReader:
    def __init__(self, source: Source, tell: Tell | None, coloured: bool) -> None:
        text = source.text
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.source = source if text is source.text else Source(source.name, text, source.folder)
        self.problems: list[Diagnostic] = []
        self._tell = tell
        self._pattern = _TRANSITION[coloured]
        self._labels: dict[str, int] = {}
        self._sources, self._actions, self._targets = array("l"), array("l"), array("l")

    def read(self) -> Lts:
        text = self.source.text
        start = len(text) - len(text.lstrip())
        first = text.count("\n", 0, start)
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        header = _HEADER.match(text[start:end])
        if header is None:
            hint = "the first line has to be des (initial state, number of transitions, number of states)"
            empty = start == len(text)
            message = "the file is empty" if empty else "not a header of an .aut file"
            raise LtsProblem([Diagnostic("E120", message, self._line_span(0 if empty else first), hint)])
        begin = start - self.source.line_starts[first]
        spans = [(begin + one, begin + other) for one, other in map(header.span, (1, 2, 3))]
        initial, announced, states = (int(number) for number in header.groups())
        if states > _MAX_STATES:
            self._problem("E122", f"more than {_MAX_STATES} states", first, spans[2])
            raise LtsProblem(self.problems)
        if initial >= states:
            self._problem("E122", f"the initial state {initial} is not among the {states} states", first, spans[0])
        self._read_transitions(end + 1, first + 1)
        if not self.problems:
            states = self._counted(first, spans, announced, states)
        if self.problems:
            raise LtsProblem(self.problems)
        return self._system(initial, states)

    def _system(self, initial: int, states: int) -> Lts:
        labels = tuple(self._labels)
        events = tuple(map(Label.read, labels))
        frontier: frozenset[int] = frozenset()
        if _SINK in self._targets:
            frontier = frozenset([states])
            for position, target in enumerate(self._targets):
                if target == _SINK:
                    self._targets[position] = states
            states += 1
        return Lts(states, (initial,), labels, events, self._sources, self._actions, self._targets, frontier=frontier)

    def _counted(self, line: int, spans: list[tuple[int, int]], announced: int, states: int) -> int:
        """The number of states; warnings, and problems beyond reason, where the header counts wrong."""
        found = len(self._sources)
        if found != announced:
            hint = "the second number of the header counts the lines that follow; is the file complete?"
            self._warn(f"the header announces {announced} transitions, but there are {found}", line, spans[1], hint)
        most = max(max(self._sources, default=0), max(self._targets, default=0)) + 1
        if most <= states:
            return states
        message = f"the header announces {states} states, but there is a state {most - 1}"
        if most > states + _ROOM + 20 * found or most > _MAX_STATES:
            self._problem("E122", message, line, spans[2], f"states are 0 to {states - 1}")
            return states
        self._warn(message, line, spans[2], f"taken as {most} states; numbers that do not occur are unreachable states")
        return most

    def _chunks(self, start: int) -> Iterator[tuple[int, int]]:
        """Stretches of whole lines: where each begins and ends."""
        text = self.source.text
        while start < len(text):
            end = text.find("\n", min(start + _CHUNK, len(text)))
            end = len(text) if end < 0 else end + 1
            yield start, end
            start = end

    def _read_transitions(self, start: int, line: int) -> None:
        text = self.source.text
        for begin, end in self._chunks(start):
            lines = text.count("\n", begin, end)
            found = self._pattern.findall(text[begin:end])
            if len(found) != lines + (not text.endswith("\n", begin, end)):
                found = self._line_by_line(text[begin:end], line)
            line += lines
            if found:
                sources, quoted, plain, targets = zip(*found, strict=True)
                self._sources.extend(map(int, sources))
                self._targets.extend(map(int, targets))
                number = self._labels.setdefault
                labels = self._labels
                self._actions.extend([number(q or p, len(labels)) for q, p in zip(quoted, plain, strict=True)])

    def _line_by_line(self, text: str, first: int) -> list[tuple[str, str, str, str]]:
        """The transitions of lines some of which are none: they are empty, or a problem."""
        found = []
        for number, line in enumerate(text.split("\n"), first):
            match = self._pattern.match(line)
            if match is not None:
                source, quoted, plain, target = match.groups("")
                found.append((source, quoted, plain, target))
            elif line.strip():
                self._bad_line(number, line)
        return found

    def _bad_line(self, number: int, line: str) -> None:
        hint = 'a transition is (source, "label", target)'
        if line.lstrip().startswith("des"):
            hint = "there is one header, in the first line"
        start = len(line) - len(line.lstrip())
        self._problem("E121", "not a transition", number, (start, len(line.rstrip())), hint)

    def _problem(self, code: str, message: str, line: int, columns: tuple[int, int], hint: str | None = None) -> None:
        start = self.source.line_starts[line]
        span = Span(self.source, start + columns[0], start + columns[1])
        self.problems.append(Diagnostic(code, message, span, hint))
        if len(self.problems) >= _MAX_PROBLEMS:
            raise LtsProblem(self.problems)

    def _warn(self, message: str, line: int, columns: tuple[int, int], hint: str) -> None:
        if self._tell is not None:
            start = self.source.line_starts[line]
            span = Span(self.source, start + columns[0], start + columns[1])
            self._tell(Diagnostic("W123", message, span, hint))

    def _line_span(self, line: int) -> Span:
        start = self.source.line_starts[line]
        return Span(self.source, start, start + max(1, len(self.source.line_text(line + 1))))
