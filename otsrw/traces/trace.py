"""One run of a system: states with their observers, and the transition that led to each.

The document of a trace is part of the contract of the command line (`to_document`). A lasso (Definition 4 of
*Counterexample Simplification for Liveness Property Violation*) ends in the state it returns to: the last state equals
state `loop`, and its label is that of the transition which closes the loop.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from otsrw.display import Displayed
from otsrw.records import dataclass
from otsrw.syntax.diagnostics import SyntaxProblem

Value = str | int | bool


@dataclass(frozen=True, slots=True)
class Label:
    """A transition with its arguments."""

    transition: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.transition}({','.join(self.arguments)})" if self.arguments else self.transition

    @classmethod
    def read(cls, text: str) -> Label:
        """The label a text stands for: `send(p1,intr)`, or `SEND !p1 !intr` as CADP writes it."""
        opening = text.find("(")
        if opening > 0 and text.endswith(")") and " !" not in text[:opening]:
            arguments = split_at_commas(text[opening + 1 : -1])
            if arguments is not None:
                return cls(text[:opening].rstrip(), tuple(arguments))
        gate, *offers = _OFFER.split(text)
        return cls(gate, tuple(offers)) if gate else cls(text)


_OFFER = re.compile(r"\s+[!?]\s*")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def split_at_commas(text: str) -> list[str] | None:
    """The parts between commas that stand in no bracket; nothing if the brackets do not match."""
    parts: list[str] = []
    expected: list[str] = []
    start = 0
    for position, character in enumerate(text):
        if character in _CLOSING:
            expected.append(_CLOSING[character])
        elif character in ")]}":
            if not expected or expected.pop() != character:
                return None
        elif character == "," and not expected:
            parts.append(text[start:position].strip())
            start = position + 1
    if expected:
        return None
    last = text[start:].strip()
    return [*parts, last] if parts or last else []


@dataclass(frozen=True, slots=True)
class TraceState:
    """A state of a trace: how it was reached, what is observed there, and which observers differ from before."""

    index: int
    label: Label | None
    observers: Mapping[str, Value]
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trace(Displayed):
    """A run as labels and observed values; with `loop`, the last state is followed by that one for ever.

    >>> trace = Trace.of([(None, {"pc": "rs"}), (Label("try", ("p1",)), {"pc": "cs"})])
    >>> str(trace.states[1].label), trace.states[1].changed
    ('try(p1)', ('pc',))
    """

    vars: tuple[str, ...]
    states: tuple[TraceState, ...]
    loop: int | None = None

    @classmethod
    def of(
        cls,
        steps: Iterable[tuple[Label | None, Mapping[str, Value]]],
        loop: int | None = None,
        names: Iterable[str] | None = None,
    ) -> Trace:
        """A trace from labels and observers alone; `names` fixes the order of the observers."""
        states: list[TraceState] = []
        seen: dict[str, None] = dict.fromkeys(names or ())
        before: Mapping[str, Value] | None = None
        for index, (label, observers) in enumerate(steps):
            seen.update(dict.fromkeys(observers))
            states.append(TraceState(index, label, observers, _changed(before, observers)))
            before = observers
        if loop is not None and not 0 <= loop < len(states):
            raise SyntaxProblem("E125", f"a trace of {len(states)} states cannot return to state {loop}")
        return cls(tuple(seen), tuple(states), loop)

    def to_document(self) -> dict[str, Any]:
        return {
            "vars": list(self.vars),
            "states": [
                {
                    "index": state.index,
                    "label": label_document(state.label),
                    "observers": dict(state.observers),
                    "changed": list(state.changed),
                }
                for state in self.states
            ],
            "loop": self.loop,
        }

    @classmethod
    def from_document(cls, document: object) -> Trace:
        """The inverse of `to_document`; what changed is computed anew."""
        fields = object_field(document, "a trace")
        names = [text_field(name, "a name in 'vars'") for name in list_field(fields.get("vars"), "'vars'")]
        steps: list[tuple[Label | None, dict[str, Value]]] = []
        for state in list_field(fields.get("states"), "'states'"):
            entries = object_field(state, "a state")
            observers = object_field(entries.get("observers"), "'observers'")
            values = {name: value_field(value, name) for name, value in observers.items()}
            steps.append((label_from_document(entries.get("label")), values))
        return cls.of(steps, loop_field(fields.get("loop")), names)


def label_document(label: Label | None) -> dict[str, Any] | None:
    return None if label is None else {"transition": label.transition, "arguments": list(label.arguments)}


def label_from_document(document: object) -> Label | None:
    if document is None:
        return None
    fields = object_field(document, "a label")
    arguments = list_field(fields.get("arguments", []), "'arguments'")
    return Label(
        text_field(fields.get("transition"), "'transition'"), tuple(text_field(a, "an argument") for a in arguments)
    )


def object_field(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        _wrong(what, "an object", value)
    return value


def list_field(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        _wrong(what, "a list", value)
    return value


def text_field(value: object, what: str) -> str:
    if not isinstance(value, str):
        _wrong(what, "a string", value)
    return value


def value_field(value: object, what: str) -> Value:
    if not isinstance(value, str | int):
        _wrong(f"the value of {what!r}", "a string or a number", value)
    return value


def loop_field(value: object) -> int | None:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        _wrong("'loop'", "the index of a state", value)
    return value


def _wrong(what: str, expected: str, value: object) -> NoReturn:
    found = "nothing" if value is None else type(value).__name__
    raise SyntaxProblem("E125", f"not a trace: {what} has to be {expected}, not {found}")


def _changed(before: Mapping[str, Value] | None, after: Mapping[str, Value]) -> tuple[str, ...]:
    if before is None:
        return ()
    return tuple(name for name, value in after.items() if name not in before or not _same(before[name], value))


def _same(one: Value, other: Value) -> bool:
    """Equality that keeps `true` and 1 apart."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)
