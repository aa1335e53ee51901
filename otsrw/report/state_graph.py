"""The whole graph of a small system as SVG: a row for each distance from the initial states, transitions in colours.

Transitions between the same two states are one line. Labels are written if there are few, and shown under the pointer
in any case.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot

from markupsafe import Markup, escape

from otsrw.records import dataclass
from otsrw.report.traces import shown
from otsrw.traces.colours import Colour
from otsrw.traces.lts import Lts
from otsrw.traces.simplification import Simplification
from otsrw.traces.trace import Value

MAX_STATES = 40
MAX_LINES = 120
MAX_LABELLED = 30
"""How many lines have their labels written next to them."""
_RADIUS = 16
_CHARACTER = 6.7
_ROW = 92
_STRONGEST = (Colour.INCORRECT, Colour.CORRECT, Colour.UNKNOWN, Colour.NEUTRAL, Colour.UNREACHED)
"""Of several transitions between two states, the line has the colour that comes first here."""

Spot = tuple[float, float]
Curve = tuple[Spot, Spot, Spot]
"""From the first place to the last, bent towards the one between them."""


def state_graph(result: Simplification) -> Markup | None:
    """The graph with its colours; None if it is not small."""
    lts = result.coloured
    lines = _lines(lts, result.colours)
    if lts.states > MAX_STATES or len(lines) > MAX_LINES:
        return None
    return _GraphDrawing(result, lines).markup()


@dataclass(frozen=True, slots=True)
class GraphLine:
    """All transitions from one state to another."""

    source: int
    target: int
    labels: tuple[str, ...]
    colour: str


def _lines(lts: Lts, colours: bytes) -> list[GraphLine]:
    between: dict[tuple[int, int], list[int]] = {}
    for transition, ends in enumerate(zip(lts.sources, lts.targets, strict=True)):
        between.setdefault(ends, []).append(transition)
    return [
        GraphLine(
            source,
            target,
            tuple(map(lts.label, found)),
            min((Colour(colours[transition]) for transition in found), key=_STRONGEST.index).word,
        )
        for (source, target), found in between.items()
    ]


def layers_of(lts: Lts) -> list[list[int]]:
    """States by their distance from the initial ones, each row in an order that makes lines short."""
    layers, seen = [list(dict.fromkeys(lts.initial))], set(lts.initial)
    while layers[-1]:
        following = [lts.targets[t] for state in layers[-1] for t in lts.outgoing.of(state)]
        layers.append([state for state in dict.fromkeys(following) if state not in seen])
        seen.update(layers[-1])
    layers.pop()
    rest = [state for state in range(lts.states) if state not in seen]
    if rest:
        layers.append(rest)
    for number in range(1, len(layers)):
        above = {state: index / len(layers[number - 1]) for index, state in enumerate(layers[number - 1])}
        layers[number].sort(key=lambda state: _middle(lts, state, above))
    return layers


def _middle(lts: Lts, state: int, above: Mapping[int, float]) -> float:
    """Where the states above that lead to a state stand on the average."""
    places = [above[lts.sources[t]] for t in lts.incoming.of(state) if lts.sources[t] in above]
    return sum(places) / len(places) if places else 1.0


class _GraphDrawing:
    def __init__(self, result: Simplification, lines: list[GraphLine]) -> None:
        self._result, self._lines, self._lts = result, lines, result.coloured
        self._labelled = len(lines) <= MAX_LABELLED
        layers = layers_of(self._lts)
        widest = max(len(layer) for layer in layers)
        longest = max((len(self._text(line)) for line in lines), default=0) if self._labelled else 0
        self._column = max(70.0, _CHARACTER * longest / 0.62 + 20)
        self._width = self._column * (widest + 1.2) + 90
        self._height = _ROW * (len(layers) - 1) + 80
        self._taken: list[tuple[float, float, float]] = []
        """The middles of the texts that are written, and half their widths."""
        self._rows = {state: number for number, layer in enumerate(layers) for state in layer}
        self._places = {
            state: (self._width / 2 + (index - (len(layer) - 1) / 2) * self._column, 40.0 + _ROW * number)
            for number, layer in enumerate(layers)
            for index, state in enumerate(layer)
        }

    def markup(self) -> Markup:
        paths = "".join(map(self._line, self._lines))
        labels = "".join(map(self._label, self._lines)) if self._labelled else ""
        states = "".join(map(self._state, range(self._lts.states)))
        return Markup(
            f'<svg class="graph" role="img" aria-label="the graph of all states" width="{self._width:.0f}"'
            f' height="{self._height:.0f}">{paths}{states}{labels}</svg>'
        )

    def _text(self, line: GraphLine) -> str:
        more = f" +{len(line.labels) - 1}" if len(line.labels) > 1 else ""
        first = line.labels[0]
        return (first if len(first) <= 24 else first[:23] + "…") + more

    def _line(self, line: GraphLine) -> str:
        title = f"<title>{escape('; '.join(line.labels))}</title>"
        curve = self._curve(line)
        dx, dy = _unit(curve[2][0] - curve[1][0], curve[2][1] - curve[1][1])
        corners = "L".join(f"{px:.1f} {py:.1f}" for px, py in self._head(line, dx, dy))
        (x1, y1), (cx, cy), (x2, y2) = curve
        path = f"M{x1:.1f} {y1:.1f}Q{cx:.1f} {cy:.1f} {x2:.1f} {y2:.1f}"
        if line.source == line.target:
            path = f"M{x1 + 8:.1f} {y1 - 14:.1f}c12 -26 38 0 7 9"
        head = f'<path class="head {line.colour}" d="M{corners}Z"/>'
        return f'<g>{title}<path class="line {line.colour}" d="{path}"/>{head}</g>'

    def _curve(self, line: GraphLine) -> Curve:
        """A line down to the next row is straight; others bulge to the side on which they are."""
        (x1, y1), (x2, y2) = self._places[line.source], self._places[line.target]
        middle = ((x1 + x2) / 2, (y1 + y2) / 2)
        rows = self._rows[line.target] - self._rows[line.source]
        if line.source == line.target:
            return (x1, y1), (x1 + 80, y1 - 60), (x1, y1)
        if rows == 1:
            return (x1, y1), middle, (x2, y2)
        side = 1 if x1 + x2 >= self._width else -1
        bulge = side * self._column * (0.4 + 0.35 * abs(rows))
        return (x1, y1), (middle[0] + bulge, middle[1] + (0 if rows else 50)), (x2, y2)

    def _label(self, line: GraphLine) -> str:
        """The text of a line, at the first place on it where nothing else is written."""
        half, curve = _CHARACTER * len(self._text(line)) / 2, self._curve(line)
        places = [_on(curve, at) for at in (0.5, 0.6, 0.4, 0.68, 0.32, 0.75, 0.25, 0.82, 0.18)]
        x, y = min(places, key=lambda place: self._crowd(place, half))
        self._taken.append((x, y, half))
        text = f'x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{escape(self._text(line))}</text>'
        return f'<text class="{line.colour}" {text}'

    def _crowd(self, place: Spot, half: float) -> int:
        """How many states and texts a text of this width would cover at a place."""
        x, y = place
        return sum(abs(x - ox) < half + wide and abs(y - oy) < 13 for ox, oy, wide in self._taken) + sum(
            abs(x - ox) < half + _RADIUS and abs(y - oy) < _RADIUS + 8 for ox, oy in self._places.values()
        )

    def _head(self, line: GraphLine, dx: float, dy: float) -> tuple[Spot, Spot, Spot]:
        """The three corners of an arrow head at the rim of the target."""
        x, y = self._places[line.target]
        tip = (x + 15, y - 5) if line.source == line.target else (x - dx * _RADIUS, y - dy * _RADIUS)
        back = (tip[0] - dx * 9, tip[1] - dy * 9)
        return tip, (back[0] - dy * 4.5, back[1] + dx * 4.5), (back[0] + dy * 4.5, back[1] - dx * 4.5)

    def _state(self, state: int) -> str:
        x, y = self._places[state]
        lts, number = self._lts, self._result.state_name(state)
        observed = "; ".join(f"{name} = {shown(value)}" for name, value in self._observed(state))
        ring = f'<circle class="ring" cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS + 4}"/>'
        start = f'<path class="rail" d="M{x - 44:.1f} {y:.1f}h20m-7 -5l7 5l-7 5"/>'
        kind = "state frontier" if state in lts.frontier else "state"
        small = fitted(number, 2 * _RADIUS - 6)
        return (
            f"<g><title>state {escape(number)}{': ' if observed else ''}{escape(observed)}</title>"
            f"{ring if state in self._result.tags.neighbourhoods else ''}{start if state in lts.initial else ''}"
            f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}"/>'
            f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle"{small}>{escape(number)}</text></g>'
        )

    def _observed(self, state: int) -> list[tuple[str, Value]]:
        result = self._result
        if not result.lts.observers:
            return []
        number = state if result.unfolding is None else result.unfolding.states[state]
        return list(result.lts.observation(number).items())


def fitted(text: str, width: float, size: float = 13) -> str:
    """An attribute that makes a text as small as its place needs; nothing if it fits."""
    needed = 0.6 * size * len(text)
    return "" if needed <= width else f' style="font-size: {size * width / needed:.1f}px"'


def _on(curve: Curve, at: float) -> Spot:
    """A place on a curve, 0 its beginning and 1 its end."""
    (x1, y1), (cx, cy), (x2, y2) = curve
    one, two, three = (1 - at) ** 2, 2 * at * (1 - at), at**2
    return one * x1 + two * cx + three * x2, one * y1 + two * cy + three * y2


def _unit(x: float, y: float) -> Spot:
    length = hypot(x, y) or 1.0
    return x / length, y / length
