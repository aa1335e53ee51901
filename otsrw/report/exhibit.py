"""What the terminal application and the page of the explorer have in common: keys, and what there is to see.

An exploration works on numbers and labels. If they come from a specification, the terms behind them tell more: the
elements of sets and bags, labels without what else there is, who sends what to whom.
"""

from __future__ import annotations

from dataclasses import dataclass

from otsrw.ots.run import Run
from otsrw.report.charts import Chart, chart_of
from otsrw.report.explore import ending
from otsrw.report.traces import Cell, compared, short_labels, shown
from otsrw.traces.claims import Claim
from otsrw.traces.exploration import Answer, Explorer, View
from otsrw.traces.observed import ObservedGraph

KEYS: dict[str, tuple[str, ...]] = {
    "forward": ("right", "f"),
    "back": ("left", "b"),
    "outcome": ("o",),
    "parameters": ("p",),
    "pick": ("t",),
    "next": ("n",),
    "previous": ("N",),
    "undo": ("u",),
    "mark": ("m",),
    "return": ("r",),
    "go": ("g",),
    "look": ("l",),
}
"""The keys of each verb; a type is also picked by its number."""
OTHER_KEYS = {
    "1-9": "pick the event type with this number",
    "c": "who does what to whom, as a chart",
    "e": "export the run as an ITF trace",
    ":": "type a verb by its name",
    "?": "this help",
}
LEGEND = (
    "Event types: + possible, - impossible, ? unknown within the bound.",
    "The run: > focus, # neighbourhood (a choice here decides), ! violated.",
    "States: * differs; in sets and bags, + came and - went.",
)
_NAMES = {"right": "→", "left": "←"}


def key_names(verb: str) -> str:
    return " ".join(_NAMES.get(key, key) for key in KEYS[verb])


@dataclass(frozen=True, slots=True)
class Step:
    """A state of the run on display, with the label that led to it."""

    index: int
    label: str
    neighbourhood: bool
    violated: bool
    loops: bool
    """Whether the last state of the run is this one again."""

    @property
    def signs(self) -> str:
        return f"{'#' if self.neighbourhood else ' '}{'!' if self.violated else ' '}"


@dataclass(frozen=True, slots=True)
class Row:
    """An observer in two states."""

    observer: str
    now: Cell
    then: Cell
    changed: bool

    @property
    def whole(self) -> bool:
        """Whether values differ as a whole, not by elements that came or went."""
        return not any(sign for sign, _ in (*self.now, *self.then))


class Exhibit:
    """An exploration, what it is about, and the terms behind it if there are some."""

    def __init__(self, explorer: Explorer, claim: Claim, file: str, graph: ObservedGraph | None = None) -> None:
        self.explorer = explorer
        self.graph = graph
        asked = claim.labels or claim.invariant
        self.title = f"{file}: runs that violate {claim}" if asked else f"{file}: all runs"
        states, frontier = explorer.lts.states, len(explorer.lts.frontier)
        self.size = f"{states:,} states" + (f", {frontier:,} of them not expanded" if frontier else "")

    def run(self) -> Run | None:
        return None if self.graph is None else self.graph.run(self.explorer.path)

    def steps(self, run: Run | None) -> list[Step]:
        """The states of the run on display."""
        path, trace = self.explorer.path, self.explorer.export()
        labels = short_labels(run) if run is not None else [str(state.label) for state in trace.states[1:]]
        return [
            Step(
                index,
                label,
                path.states[index] in self.explorer.neighbourhoods,
                self.explorer.violated_at(index),
                index == path.loop,
            )
            for index, label in enumerate(["initially", *labels])
        ]

    def chart(self, run: Run | None) -> Chart | None:
        """Who does what to whom, if there are two of them."""
        found = None if run is None else chart_of(run)
        return found if found is not None and len(found.lanes) > 1 else None


def rows_of(view: View, run: Run | None) -> list[Row]:
    """Each observer in the state in focus and in the one after it."""
    after = view.outcome or {}
    elements = {} if run is None else compared(run, view.focus)
    rows = []
    for name, value in view.observers.items():
        then: Cell = (("", shown(after[name])),) if name in after else ()
        now, then = elements.get(name, ((("", shown(value)),), then))
        rows.append(Row(name, now, then, name in view.changed))
    return rows


def place_line(view: View, event: str | None) -> str:
    """Where the focus is, and what comes next."""
    marks = [text for text, wanted in (("violated", view.violated), ("neighbourhood", view.neighbourhood)) if wanted]
    end = ending(view) if event is None else f"next: {event}"
    return "; ".join([f"state {view.focus} of {view.length}", *marks, end])


def refusal(answer: Answer) -> str:
    """Why a verb could not be done; nothing if it could."""
    return "" if answer else f"{answer.possibility}: {answer.reason}"
