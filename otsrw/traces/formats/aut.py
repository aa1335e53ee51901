"""`.aut`, the Aldebaran format of CADP and mCRL2.

The header `des (initial, transitions, states)` is followed by a line `(source, "label", target)` for each transition.
A label is what stands between the first and the last comma of its line, without the quotes around it; quotes and commas
inside it are part of it, nothing is escaped. Reading is one regular expression a line.
"""

from __future__ import annotations

import re
from array import array

from otsrw.syntax.diagnostics import Diagnostic, SeveralProblems
from otsrw.syntax.source import Source, Span
from otsrw.traces.lts import Lts
from otsrw.traces.trace import Label

_HEADER = re.compile(r"\s*des\s*\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*\Z")
_TRANSITION = re.compile(r'\s*\(\s*(\d+)\s*,\s*(?:"(.*)"|([^"\s].*?))\s*,\s*(\d+)\s*\)\s*\Z')
_MAX_STATES = 100_000_000
_MAX_PROBLEMS = 20


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


def read_aut(source: Source) -> Lts:
    """The system in a text, or an `LtsProblem` with everything that is wrong in it."""
    return _AutReader(source).read()


class _AutReader:
    def __init__(self, source: Source) -> None:
        self.source = Source(source.name, source.text.replace("\r\n", "\n").replace("\r", "\n"), source.folder)
        self.problems: list[Diagnostic] = []

    def read(self) -> Lts:
        lines = self.source.text.split("\n")
        first = next((number for number, line in enumerate(lines) if line.strip()), None)
        header = _HEADER.match(lines[first]) if first is not None else None
        if first is None or header is None:
            hint = "the first line has to be des (initial state, number of transitions, number of states)"
            message = "the file is empty" if first is None else "not a header of an .aut file"
            raise LtsProblem([Diagnostic("E120", message, self._line_span(first or 0), hint)])
        initial, announced, states = (int(number) for number in header.groups())
        if states > _MAX_STATES:
            self._problem("E122", f"more than {_MAX_STATES} states", first, header.span(3))
            raise LtsProblem(self.problems)
        if initial >= states:
            self._problem(
                "E122", f"the initial state {initial} is not among the {states} states", first, header.span(1)
            )
        lts = self._transitions(lines, first + 1, initial, states)
        if not self.problems and len(lts.sources) != announced:
            hint = "the second number of the header counts the lines that follow; is the file complete?"
            message = f"the header announces {announced} transitions, but there are {len(lts.sources)}"
            self._problem("E123", message, first, header.span(2), hint)
        if self.problems:
            raise LtsProblem(self.problems)
        return lts

    def _transitions(self, lines: list[str], start: int, initial: int, states: int) -> Lts:
        numbers: dict[str, int] = {}
        sources, actions, targets = array("l"), array("l"), array("l")
        match = _TRANSITION.match
        for number in range(start, len(lines)):
            line = lines[number]
            found = match(line)
            if found is None:
                if line.strip():
                    self._bad_line(number, line)
                continue
            source, quoted, plain, target = found.groups()
            source_state, target_state = int(source), int(target)
            if source_state >= states or target_state >= states:
                group, state = (1, source_state) if source_state >= states else (4, target_state)
                message = f"state {state} is not among the {states} states of the header"
                self._problem("E122", message, number, found.span(group), f"states are 0 to {states - 1}")
                continue
            label = quoted if quoted is not None else plain
            sources.append(source_state)
            actions.append(numbers.setdefault(label, len(numbers)))
            targets.append(target_state)
        labels = tuple(numbers)
        return Lts(states, (initial,), labels, tuple(Label.read(x) for x in labels), sources, actions, targets)

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

    def _line_span(self, line: int) -> Span:
        start = self.source.line_starts[line]
        return Span(self.source, start, start + max(1, len(self.source.line_text(line + 1))))
