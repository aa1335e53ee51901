"""ITF, the trace format of Apalache (its ADR 015): JSON with one object a state.

Labels are kept in the `#meta` of the state they lead to, so that a trace survives being written and read. Values that
otsrw does not have (sets, records, functions of TLA+) are read as text.
"""

from __future__ import annotations

import json
from typing import Any

from otsrw.syntax.diagnostics import OtsrwError, SyntaxProblem
from otsrw.syntax.source import Source, Span
from otsrw.traces.trace import (
    Label,
    Trace,
    Value,
    label_document,
    label_from_document,
    list_field,
    loop_field,
    object_field,
    text_field,
)

_META = "#meta"
_SAFE_INTEGER = 2**53


def to_itf(trace: Trace) -> dict[str, Any]:
    document: dict[str, Any] = {
        _META: {"format": "ITF", "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html"},
        "vars": list(trace.vars),
        "states": [
            {_META: {"index": state.index, "label": label_document(state.label)}}
            | {name: _encoded(value) for name, value in state.observers.items()}
            for state in trace.states
        ],
    }
    if trace.loop is not None:
        document["loop"] = trace.loop
    return document


def from_itf(document: object) -> Trace:
    fields = object_field(document, "an ITF trace")
    names = [text_field(name, "a name in 'vars'") for name in list_field(fields.get("vars"), "'vars'")]
    steps: list[tuple[Label | None, dict[str, Value]]] = []
    for state in list_field(fields.get("states"), "'states'"):
        entries = object_field(state, "a state")
        meta = object_field(entries.get(_META, {}), "'#meta'")
        observers = {name: _decoded(value) for name, value in entries.items() if name != _META}
        steps.append((label_from_document(meta.get("label")), observers))
    return Trace.of(steps, loop_field(fields.get("loop")), names)


def write_itf(trace: Trace) -> str:
    return json.dumps(to_itf(trace), indent=1, ensure_ascii=False) + "\n"


def read_itf(source: Source) -> Trace:
    try:
        document = json.loads(source.text)
    except json.JSONDecodeError as error:
        span = Span(source, error.pos, error.pos + 1)
        raise SyntaxProblem("E125", f"not JSON: {error.msg}", span, "an ITF trace is one JSON object") from None
    except RecursionError:
        raise SyntaxProblem("E125", "not a trace: nested too deep", Span(source, 0, 1)) from None
    try:
        return from_itf(document)
    except OtsrwError as error:
        raise error.at(Span(source, 0, 1)) from None


def _encoded(value: Value) -> object:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _SAFE_INTEGER:
        return {"#bigint": str(value)}
    return value


def _decoded(value: object) -> Value:
    if isinstance(value, str | int):
        return value
    if isinstance(value, dict) and set(value) == {"#bigint"}:
        try:
            return int(value["#bigint"])
        except (TypeError, ValueError):
            raise SyntaxProblem("E125", f"not a number: {value['#bigint']!r}") from None
    return _text(value)


def _text(value: object) -> str:
    """How a value of TLA+ reads."""
    match value:
        case bool():
            return "true" if value else "false"
        case {"#bigint": number, **rest} if not rest:
            return str(number)
        case {"#set": list(members), **rest} if not rest:
            return "{" + ", ".join(_text(member) for member in members) + "}"
        case {"#tup": list(members), **rest} if not rest:
            return "<<" + ", ".join(_text(member) for member in members) + ">>"
        case {"#map": list(pairs), **rest} if not rest:
            return "(" + ", ".join(" -> ".join(_text(part) for part in pair) for pair in pairs) + ")"
        case {"#unserializable": text, **rest} if not rest:
            return str(text)
        case dict():
            return "[" + ", ".join(f"{name}: {_text(field)}" for name, field in value.items()) + "]"
        case list():
            return "<<" + ", ".join(_text(member) for member in value) + ">>"
    return str(value)
