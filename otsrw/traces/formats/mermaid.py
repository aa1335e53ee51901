"""Mermaid flowcharts, for small systems in Markdown: a correct transition is a thick arrow, an incorrect one dotted."""

from __future__ import annotations

from otsrw.traces.colours import Colour, Tags
from otsrw.traces.lts import Lts

_ARROWS = {Colour.CORRECT: "==>", Colour.INCORRECT: "-.->"}
_STROKES = {Colour.CORRECT: "#1a7f37", Colour.INCORRECT: "#cf222e"}


def write_mermaid(lts: Lts, tags: Tags) -> str:
    lines = ["flowchart LR"]
    for state in range(lts.states):
        if state in tags.neighbourhoods:
            lines.append(f'  s{state}((("{state} {tags.neighbourhoods[state]}")))')
        else:
            lines.append(f'  s{state}(("{state}"))')
    for state in lts.initial:
        lines += [f"  start{state}[ ] --> s{state}"]
    links = len(lts.initial)
    styles = []
    labels = [_quoted(label) for label in lts.labels]
    for number, source in enumerate(lts.sources):
        colour = tags.colour(number)
        label = labels[lts.actions[number]]
        lines.append(f"  s{source} {_ARROWS.get(colour, '-->')}|{label}| s{lts.targets[number]}")
        if colour in _STROKES:
            styles.append(f"  linkStyle {links + number} stroke:{_STROKES[colour]}")
    return "\n".join([*lines, *styles, ""])


def _quoted(text: str) -> str:
    """Mermaid reads entities, written with # for &."""
    for character, entity in (("#", "#35;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;"), ("\n", " ")):
        text = text.replace(character, entity)
    return f'"{text}"'
