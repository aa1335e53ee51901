"""The explorer on a terminal, as a Textual application (extra `tui`): the run, event types, two states side by side.

Every verb has a key and can be typed by its name after `:`. The application shows what `apply` answers and
knows nothing else. On a narrow terminal the states stand below the run, not next to it.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from otsrw.report.charts import Chart, chart_text
from otsrw.report.exhibit import (
    KEYS,
    LEGEND,
    OTHER_KEYS,
    Exhibit,
    ObserverRow,
    RunStep,
    key_names,
    place_line,
    refusal,
    rows_of,
)
from otsrw.report.explore import SIGNS
from otsrw.report.traces import Cell
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.exploration import Answer, FocusView, Possibility, apply
from otsrw.traces.formats import write_itf
from otsrw.traces.verbs import VERBS, Verb, VerbName, read_verb

IN_FOOTER = ("forward", "back", "outcome", "parameters", "undo")
WIDE = 110
_STYLES = {
    Possibility.POSSIBLE: "bold green",
    Possibility.IMPOSSIBLE: "dim",
    Possibility.UNKNOWN: "italic yellow",
    Possibility.UNKNOWN_YET: "italic yellow",
}


def run_application(exhibit: Exhibit, export: str | None) -> Answer:
    """Run until the user leaves; returns the answer that was on display at the end."""
    application = ExplorerApp(exhibit, export or "trace.itf.json")
    application.run()
    return apply(application.exhibit.tables, application.situation, Verb(VerbName.LOOK))


class HelpOverlay(ModalScreen[None]):
    """A text above everything else, which scrolls if it has to."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,question_mark,c", "dismiss", "close")]
    DEFAULT_CSS = """
    HelpOverlay { align: center middle; }
    #overlay { width: auto; max-width: 100%; height: auto; max-height: 100%; border: round $primary; padding: 0 1;
        background: $surface; overflow: auto auto; }
    #overlay Static { width: auto; }
    """

    def __init__(self, title: str, text: Text) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="overlay") as overlay:
            overlay.border_title = self._title
            overlay.border_subtitle = "escape closes"
            yield Static(self._text)


def help_text() -> Text:
    """What every verb means, and its key."""
    text = Text(no_wrap=True)
    for name in KEYS:
        verb = VERBS[name]
        usage = f"{name} {verb.argument}" if verb.argument else name
        text.append(f"{key_names(name):5}", "bold").append(f"{usage:12}").append(f"{verb.meaning}\n")
    for key, meaning in (OTHER_KEYS | {"q": "leave"}).items():
        text.append(f"{key:5}", "bold").append(f"{'':12}{meaning}\n")
    text.append("\n".join(LEGEND))
    return text


class ExplorerApp(App[None]):
    """Each key performs a verb and shows the answer; `situation` is the one on display."""

    CSS = """
    #title { height: 1; padding: 0 1; background: $panel; }
    #panes { height: 1fr; layout: horizontal; }
    #side { width: 1fr; height: 100%; layout: vertical; }
    #run, #types, #states { border: round $primary; background: $background; padding: 0; }
    #run, #types { width: 100%; height: 1fr; }
    #states { width: 2fr; height: 100%; }
    #run:focus, #types:focus, #states:focus { border: round $accent; }
    .-narrow #panes { layout: vertical; }
    .-narrow #side { width: 100%; height: 2fr; min-height: 5; layout: horizontal; }
    .-narrow #run { width: 2fr; height: 100%; }
    .-narrow #types { width: 1fr; height: 100%; }
    .-narrow #states { width: 100%; height: 3fr; }
    #command { display: none; height: 3; }
    #command.open { display: block; }
    #place, #notice { height: auto; max-height: 3; padding: 0 1; }
    #place { text-style: bold; }
    #notice { color: $text-warning; min-height: 1; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 (an attribute of instances in Textual)
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(",".join(keys), f"verb('{name}')", name, show=name in IN_FOOTER) for name, keys in KEYS.items()),
        *(Binding(str(number), f"type({number})", show=False) for number in range(1, 10)),
        Binding("colon", "command('')", "verb", show=False),
        Binding("e", "export", "export", show=False),
        Binding("c", "chart", "chart", show=False),
        Binding("question_mark", "help", "help"),
        Binding("escape", "close", show=False),
        Binding("q", "quit", "quit"),
    ]

    def __init__(self, exhibit: Exhibit, export: str) -> None:
        super().__init__()
        self.exhibit = exhibit
        self.situation = exhibit.tables.start
        self.title = exhibit.title
        self._export = export

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Container(id="panes"):
            with Container(id="side"):
                yield OptionList(id="run")
                yield OptionList(id="types")
            with VerticalScroll(id="states"):
                yield Static(id="observers")
        yield Static(id="place")
        yield Static(id="notice")
        yield Input(id="command", placeholder="a verb, as 'pick TYPE' or 'mark NAME'", select_on_focus=False)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#title", Static).update(Text(self.title, "bold", no_wrap=True, overflow="ellipsis"))
        self.query_one("#run").border_title = "run"
        self.query_one("#types").border_title = "event types"
        self.perform(VerbName.LOOK)
        self.query_one("#states").focus()
        if self.exhibit.fills:
            self.run_worker(self._prepare, thread=True)

    # Keys

    def action_verb(self, name: str) -> None:
        if VERBS[name].argument is None:
            self.perform(name)
        elif name == "pick":
            self.query_one("#types").focus()
        else:
            self.action_command(f"{name} ")

    def action_type(self, number: int) -> None:
        types = self.exhibit.tables.types
        if number <= len(types):
            self.perform(f"pick {types[number - 1]}")

    def action_command(self, text: str) -> None:
        line = self.query_one("#command", Input)
        line.add_class("open")
        marks = ", ".join(self.situation.bookmarks)
        line.border_title = f"bookmarks: {marks}" if marks else "verb"
        line.value = text
        line.cursor_position = len(text)
        line.focus()

    def action_close(self) -> None:
        self.query_one("#command").remove_class("open")
        self.query_one("#states").focus()

    def action_help(self) -> None:
        self.push_screen(HelpOverlay("help", help_text()))

    def action_chart(self) -> None:
        with self.exhibit.alone():
            chart: Chart | None = self.exhibit.chart(self.exhibit.run(self.situation.scene))
        if chart is None:
            self.say("there is no chart: labels do not name who acts")
        else:
            self.push_screen(HelpOverlay("who does what to whom", chart_text(chart)))

    def action_export(self) -> None:
        try:
            Path(self._export).write_text(write_itf(self.exhibit.trace(self.situation.scene)), "utf-8")
            self.say(f"written to {self._export}")
        except OSError as error:
            self.say(f"cannot write {self._export}: {error.strerror}")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_close()
        if event.value.strip():
            self.perform(event.value)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_list.id == "types":
            self.perform(f"pick {self.exhibit.tables.types[event.option_index]}")
        else:
            self.perform(f"go {event.option_index}")
        self.query_one("#states").focus()

    # What they do

    def perform(self, command: str) -> None:
        try:
            with self.exhibit.alone():
                self.show(apply(self.exhibit.tables, self.situation, read_verb(command)))
        except OtsrwError as error:
            hint = f" ({error.problem.hint})" if error.problem.hint else ""
            self.say(f"{error.problem.message}{hint}")

    def _prepare(self) -> None:
        """Make one level after the other in a thread of its own, and show each when it is ready."""
        for _ in self.exhibit.levels(lambda: not self.is_running):
            self.call_from_thread(self.perform, VerbName.GROW)

    def show(self, answer: Answer) -> None:
        self.situation = answer.situation
        self.exhibit = self.exhibit.at(answer.tables)
        view, scene = answer.view, answer.situation.scene
        run = self.exhibit.run(scene)
        steps = self.exhibit.steps(scene, run)
        event = None if view.event is None else steps[view.focus + 1].label
        self.query_one("#place", Static).update(Text(place_line(view, event)))
        self.say(refusal(answer))
        self._show_run(view, steps)
        states = self.query_one("#states")
        states.border_subtitle = self.exhibit.size
        states.border_title = f"state {view.focus}" + ("" if event is None else f", and after {event}")
        self.query_one("#observers", Static).update(states_table(view, rows_of(view, run)))
        self._show_types(view)

    def say(self, text: str) -> None:
        """A line below the states: why something was not done, or what was done elsewhere."""
        self.query_one("#notice", Static).update(Text(text))

    def _show_run(self, view: FocusView, steps: list[RunStep]) -> None:
        run = self.query_one("#run", OptionList)
        run.clear_options()
        digits = len(str(len(steps) - 1))
        for step in steps:
            focus = ">" if step.index == view.focus else " "
            back = "  (the run comes back here)" if step.loops else ""
            text = Text(
                f"{focus}{step.signs}{step.index:>{digits}} {step.label}{back}", no_wrap=True, overflow="ellipsis"
            )
            text.stylize("bold" if focus == ">" else "")
            run.add_option(Option(text))
        run.highlighted = view.focus
        marks = ", ".join(self.situation.bookmarks)
        run.border_subtitle = f"bookmarks: {marks}" if marks else "# neighbourhood  ! violated"

    def _show_types(self, view: FocusView) -> None:
        types = self.query_one("#types", OptionList)
        types.clear_options()
        for number, (kind, how) in enumerate(view.types.items(), 1):
            types.add_option(
                Option(Text(f"{number} {SIGNS[how]} {kind}: {how}", _STYLES[how], no_wrap=True, overflow="ellipsis"))
            )


def states_table(view: FocusView, rows: list[ObserverRow]) -> Table:
    """Two states side by side; what differs has a star and is bold, in collections with a sign for each element."""
    table = Table(box=SIMPLE_HEAD, expand=True, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("", width=1)
    table.add_column("observer", overflow="fold", ratio=2)
    table.add_column(f"state {view.focus}", overflow="fold", ratio=5)
    table.add_column("" if view.event is None else f"state {view.focus + 1}", overflow="fold", ratio=5)
    for row in rows:
        mark, style = ("*", "bold") if row.changed else ("", "")
        table.add_row(mark, Text(row.observer, style), _cell(row, row.now), _cell(row, row.then))
    return table


def _cell(row: ObserverRow, cell: Cell) -> Text:
    text = Text()
    for number, (sign, line) in enumerate(cell):
        style = "bold" if row.changed and (sign or row.whole) else ""
        text.append(("\n" if number else "") + sign + line, style)
    return text
