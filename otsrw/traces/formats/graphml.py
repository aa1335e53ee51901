"""GraphML: labels, colours, neighbourhood types and observers as data of nodes and edges."""

from __future__ import annotations

import re

from otsrw.traces.colours import Tags
from otsrw.traces.lts import Lts

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_ESCAPES = str.maketrans({character: f"&#{ord(character)};" for character in '&<>"\t\n\r'})


def write_graphml(lts: Lts, tags: Tags) -> str:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        '  <key id="initial" for="node" attr.name="initial" attr.type="boolean"/>',
        '  <key id="frontier" for="node" attr.name="frontier" attr.type="boolean"/>',
        '  <key id="neighbourhood" for="node" attr.name="neighbourhood" attr.type="string"/>',
    ]
    for number, name in enumerate(lts.observers):
        lines.append(f'  <key id="o{number}" for="node" attr.name="{_escaped(name)}" attr.type="string"/>')
    lines += [
        '  <key id="label" for="edge" attr.name="label" attr.type="string"/>',
        '  <key id="colour" for="edge" attr.name="colour" attr.type="string"/>',
        '  <graph edgedefault="directed">',
    ]
    initial = frozenset(lts.initial)
    lines += [_node(lts, tags, state, state in initial) for state in range(lts.states)]
    labels = [_data("label", label) for label in lts.labels]
    for number, source in enumerate(lts.sources):
        colour = _data("colour", tags.colour(number).word) if tags.colours else ""
        label = labels[lts.actions[number]]
        lines.append(f'    <edge source="{source}" target="{lts.targets[number]}">{label}{colour}</edge>')
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _node(lts: Lts, tags: Tags, state: int, initial: bool) -> str:
    data = _data("initial", "true") if initial else ""
    if state in lts.frontier:
        data += _data("frontier", "true")
    if state in tags.neighbourhoods:
        data += _data("neighbourhood", tags.neighbourhoods[state])
    if lts.observers:
        data += "".join(_data(f"o{number}", str(value)) for number, value in enumerate(lts.valuations[state]))
    return f'    <node id="{state}">{data}</node>'


def _data(key: str, text: str) -> str:
    return f'<data key="{key}">{_escaped(text)}</data>'


def _escaped(text: str) -> str:
    """XML has no way to write some control characters."""
    return _NOT_XML.sub("\ufffd", text).translate(_ESCAPES)
