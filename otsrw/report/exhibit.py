"""What the terminal application and the page of the explorer have in common: keys, and what there is to see.

An exploration works on numbers and labels. If they come from a specification, there are terms behind them, and these
show more: the elements of sets and bags, shorter labels, who sends what to whom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext

from otsrw.ots.run import Run
from otsrw.records import dataclass, replace
from otsrw.report.charts import Chart, chart_of
from otsrw.report.explore import STILL_TO_DO, ending, is_remembered_anew
from otsrw.report.pictures import StatePicture
from otsrw.report.traces import Cell, compared, short_labels, shown
from otsrw.report.words import counted, grouped
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.claims import Claim
from otsrw.traces.exploration import Answer, FocusView
from otsrw.traces.observed import ObservedGraph
from otsrw.traces.situations import ExplorationTables, Scene
from otsrw.traces.trace import Trace

KEYS: dict[str, tuple[str, ...]] = {
    "forward": ("right", "f"),
    "back": ("left", "b"),
    "outcome": ("o",),
    "parameters": ("p",),
    "pick": ("t",),
    "next": ("n",),
    "previous": ("N",),
    "most": ("d",),
    "least": ("D",),
    "undo": ("u",),
    "mark": ("m",),
    "return": ("r",),
    "go": ("g",),
    "look": ("l",),
    "grow": ("w",),
    "fill": ("W",),
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
    "Event types: + possible, - impossible, ? unknown within the bound, or yet.",
    "The run: > focus, # neighbourhood (a choice here decides), ! violated.",
    "States: * differs; in sets and bags, + came and - went.",
)
_NAMES = {"right": "→", "left": "←"}


def key_names(verb: str) -> str:
    return " ".join(_NAMES.get(key, key) for key in KEYS[verb])


class _FillingStopped(Exception):
    """Nobody needs more of the tables."""


@dataclass(frozen=True, slots=True)
class RunStep:
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
class ObserverRow:
    """An observer in two states."""

    observer: str
    now: Cell
    then: Cell
    changed: bool

    @property
    def whole(self) -> bool:
        """Whether values differ as a whole, not by elements that came or went."""
        return not any(sign for sign, _ in (*self.now, *self.then))


@dataclass(frozen=True, eq=False, slots=True)
class Exhibit:
    """What there is to explore: the tables, what they are about, and the graph they were made from if there is one."""

    tables: ExplorationTables
    claim: Claim
    file: str
    whole: ObservedGraph | None = None
    """The terms behind the numbers of tables that do not grow; None if there are none."""
    picture: StatePicture | None = None
    """The picture that is played over runs on the page."""

    def at(self, tables: ExplorationTables) -> Exhibit:
        """The same with tables that know more."""
        return replace(self, tables=tables)

    @property
    def graph(self) -> ObservedGraph | None:
        """The terms behind the numbers; None for a system that was read from a file of another tool."""
        return self.whole if self.tables.level is None else self.tables.level.graph

    def alone(self) -> AbstractContextManager[object]:
        """While this is entered, nobody makes tables in the background: terms may be made."""
        return nullcontext() if self.tables.level is None else self.tables.level.system.lock

    @property
    def fills(self) -> bool:
        """Whether tables are to be filled in the background: only those of a property say more when they are full."""
        return not self.tables.complete and self.tables.claimed

    def levels(self, stopped: Callable[[], bool]) -> Iterator[int]:
        """Make one level of the tables after the other; the number of each that is ready.

        Ends when the tables are full, when somebody stops it, or when the time or the memory is spent.
        """

        def look_up(_: object) -> None:
            if stopped():
                raise _FillingStopped

        level = self.tables.level
        while level is not None and not level.complete:
            try:
                level = level.system.level(level.number + 1, look_up)
                level.tables()
                look_up(None)
            except (OtsrwError, _FillingStopped):
                return
            yield level.number

    @property
    def title(self) -> str:
        return f"{self.file}: runs that violate {self.claim}" if self.claim else f"{self.file}: all runs"

    @property
    def size(self) -> str:
        states, frontier = self.tables.lts.states, len(self.tables.lts.frontier)
        so_far = "" if self.tables.complete else " so far"
        rest = f", {grouped(frontier)} of them not expanded" if frontier else ""
        return counted(states, "state") + so_far + rest

    def trace(self, scene: Scene) -> Trace:
        """The run on display with its labels and observers."""
        return self.tables.path(scene).trace(self.tables.lts)

    def run(self, scene: Scene) -> Run | None:
        """The terms behind the run on display; None if there are none."""
        return None if self.graph is None else self.graph.run(self.tables.path(scene))

    def steps(self, scene: Scene, run: Run | None) -> list[RunStep]:
        """The states of the run on display; `run` are the terms behind it."""
        path = self.tables.path(scene)
        events = map(self.tables.lts.event, path.transitions)
        labels = map(str, events) if run is None else short_labels(run)
        return [
            RunStep(
                index,
                label,
                bool(self.tables.is_neighbourhood(scene.run.nodes[index])),
                self.tables.violated_at(scene, index),
                index == path.loop,
            )
            for index, label in enumerate(["initially", *labels])
        ]

    def chart(self, run: Run | None) -> Chart | None:
        """The sequence chart of a run; None if fewer than two take part."""
        found = None if run is None else chart_of(run)
        return found if found is not None and len(found.lanes) > 1 else None


def rows_of(view: FocusView, run: Run | None) -> list[ObserverRow]:
    """Each observer in the state in focus and in the one after it, and what a formula remembers there."""
    after = view.outcome or {}
    elements = {} if run is None else compared(run, view.focus)
    rows = []
    for name, value in view.observers.items():
        then: Cell = (("", shown(after[name])),) if name in after else ()
        now, then = elements.get(name, ((("", shown(value)),), then))
        rows.append(ObserverRow(name, now, then, name in view.changed))
    if view.still_to_do:
        cells: list[Cell] = [(("", text),) for text in view.still_to_do]
        rows.append(ObserverRow(STILL_TO_DO, cells[0], (*cells[1:], ())[0], is_remembered_anew(view)))
    return rows


def place_line(view: FocusView, event: str | None) -> str:
    """Where the focus is, and what comes next."""
    marks = [text for text, wanted in (("violated", view.violated), ("neighbourhood", view.neighbourhood)) if wanted]
    end = ending(view) if event is None else f"next: {event}"
    return "; ".join([f"state {view.focus} of {view.length}", *marks, end])


def refusal(answer: Answer) -> str:
    """Why a verb could not be done; empty if it could."""
    return "" if answer else f"{answer.possibility}: {answer.reason}"
