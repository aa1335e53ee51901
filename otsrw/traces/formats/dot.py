"""DOT of Graphviz: colours of transitions are also line styles, neighbourhoods are double circles with their type."""

from __future__ import annotations

from otsrw.traces.colours import Colour, Tags
from otsrw.traces.lts import Lts

_STYLES = {
    Colour.CORRECT: 'color="#1a7f37", style=bold',
    Colour.INCORRECT: 'color="#cf222e", style=dashed',
    Colour.NEUTRAL: 'color="#57606a", style=solid',
    Colour.UNREACHED: 'color="#afb8c1", style=dotted',
    Colour.UNKNOWN: 'color="#57606a", style=dotted',
}


def write_dot(lts: Lts, tags: Tags) -> str:
    lines = ["digraph lts {", "  rankdir=LR;", "  node [shape=circle];"]
    for state in lts.initial:
        lines += [f"  start{state} [shape=point];", f"  start{state} -> {state};"]
    for state in range(lts.states):
        attributes = [f"label={_quoted(_state_text(lts, tags, state))}"]
        if state in tags.neighbourhoods:
            attributes.append("shape=doublecircle")
        if state in lts.frontier:
            attributes.append("style=dashed")
        lines.append(f"  {state} [{', '.join(attributes)}];")
    labels = [_quoted(label) for label in lts.labels]
    for number, source in enumerate(lts.sources):
        style = f", {_STYLES[tags.colour(number)]}" if tags.colours else ""
        lines.append(f"  {source} -> {lts.targets[number]} [label={labels[lts.actions[number]]}{style}];")
    return "\n".join([*lines, "}", ""])


def _state_text(lts: Lts, tags: Tags, state: int) -> str:
    parts = [str(state)]
    if state in tags.neighbourhoods:
        parts.append(tags.neighbourhoods[state])
    if lts.observers:
        parts += [f"{name} = {value}" for name, value in lts.observation(state).items()]
    return "\n".join(parts)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
