"""`.autx`, the tagged format of the CLEAR tool: `(source[:N:type], "label":COLOUR, target)`."""

from __future__ import annotations

from otsrw.traces.colours import Colour, Tags
from otsrw.traces.formats.aut import quoted_labels
from otsrw.traces.lts import Lts

_WORDS = {Colour.CORRECT: "GREEN", Colour.INCORRECT: "RED"}


def write_autx(lts: Lts, tags: Tags) -> str:
    quoted = quoted_labels(lts)
    names = {state: f"{state}:N:{kind}" for state, kind in tags.neighbourhoods.items()}
    lines = [f"des ({lts.initial[0]}, {len(lts.sources)}, {lts.states})"]
    for number, source in enumerate(lts.sources):
        label = f"{quoted[lts.actions[number]]}:{_WORDS.get(tags.colour(number), 'BLACK')}"
        lines.append(f"({names.get(source, source)}, {label}, {lts.targets[number]})")
    return "\n".join(lines) + "\n"
