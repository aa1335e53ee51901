"""The explorer on a terminal, as a Textual application (extra `tui`): the run, two states side by side, event types.

Every verb has a key and can be typed by its name after `:`. The application shows what `Explorer` answers and knows
nothing else.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Header, Input, OptionList, Static
from textual.widgets.option_list import Option

from otsrw.report.explore import SIGNS, answer_line, view_table
from otsrw.report.simplify import Claim
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.exploration import Answer, Explorer, Possibility, View
from otsrw.traces.formats import write_itf
from otsrw.traces.verbs import VERBS, perform

KEYS = {
    "forward": ("right,f", "→ f"),
    "back": ("left,b", "← b"),
    "outcome": ("o", "o"),
    "parameters": ("p", "p"),
    "next": ("n", "n"),
    "previous": ("N", "N"),
    "undo": ("u", "u"),
    "pick": ("t", "t or 1-9"),
    "mark": ("m", "m"),
    "return": ("r", "r"),
    "look": ("l", "l"),
}
_STYLES = {Possibility.POSSIBLE: "bold green", Possibility.IMPOSSIBLE: "dim", Possibility.UNKNOWN: "italic yellow"}


def run_application(explorer: Explorer, claim: Claim, file: str, export: str | None) -> None:
    ExplorerApp(explorer, claim, file, export or "trace.itf.json").run()


class HelpScreen(ModalScreen[None]):
    """What every verb means, and its key."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark", "dismiss", "close")]
    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    #help { width: 76; height: auto; border: round $primary; padding: 1 2; background: $surface; }
    """

    def compose(self) -> ComposeResult:
        text = Text()
        for name, (_, shown) in KEYS.items():
            verb = VERBS[name]
            usage = f"{name} {verb.argument}" if verb.argument else name
            text.append(f"{shown:10}", "bold").append(f"{usage:14}").append(f"{verb.meaning}\n")
        text.append(f"{':':10}", "bold").append(f"{'':14}type a verb by its name\n")
        text.append(f"{'e':10}", "bold").append(f"{'':14}write the run as an ITF trace\n")
        text.append(f"{'q':10}", "bold").append(f"{'':14}leave\n\n")
        text.append("Event types: + possible, - impossible, ? unknown within the bound.\n")
        text.append("The run: > focus, # neighbourhood, ! violated.")
        yield Static(text, id="help")


class ExplorerApp(App[None]):
    """The state of the exploration is in `explorer`; each key performs a verb and shows the answer."""

    CSS = """
    #run { width: 28%; border: round $primary; }
    #types { width: 24%; border: round $primary; }
    #states { width: 1fr; border: round $primary; }
    #command { display: none; }
    #command.open { display: block; }
    #message { height: 1; padding: 0 1; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(keys, f"verb('{name}')", name, show=name in ("forward", "back", "outcome", "parameters", "undo"))
            for name, (keys, _) in KEYS.items()
        ),
        *(Binding(str(number), f"type({number})", show=False) for number in range(1, 10)),
        Binding("colon", "command('')", "verb"),
        Binding("e", "export", "export"),
        Binding("question_mark", "help", "help"),
        Binding("escape", "close", show=False),
        Binding("q", "quit", "quit"),
    ]

    def __init__(self, explorer: Explorer, claim: Claim, file: str, export: str) -> None:
        super().__init__()
        self.explorer = explorer
        self.title = f"{claim} in {file}" if claim else file
        self.sub_title = f"{explorer.lts.states} states"
        self._export = export

    def compose(self) -> ComposeResult:
        yield Header()
        with Horizontal():
            yield OptionList(id="run")
            with VerticalScroll(id="states"):
                yield Static(id="observers")
            yield OptionList(id="types")
        yield Static(id="message")
        yield Input(id="command", placeholder="a verb, as 'pick TYPE' or 'mark NAME'", select_on_focus=False)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#run").border_title = "run"
        self.query_one("#types").border_title = "event types"
        self.query_one("#states").border_title = "states"
        self.show(self.explorer.look())
        self.query_one("#states").focus()

    # Keys

    def action_verb(self, name: str) -> None:
        if VERBS[name].argument is None:
            self.perform(name)
        elif name == "pick":
            self.query_one("#types").focus()
        else:
            self.action_command(f"{name} ")

    def action_type(self, number: int) -> None:
        if number <= len(self.explorer.types):
            self.perform(f"pick {self.explorer.types[number - 1]}")

    def action_command(self, text: str) -> None:
        line = self.query_one("#command", Input)
        line.add_class("open")
        line.value = text
        line.cursor_position = len(text)
        line.focus()

    def action_close(self) -> None:
        self.query_one("#command").remove_class("open")
        self.query_one("#states").focus()

    def action_help(self) -> None:
        self.push_screen(HelpScreen())

    def action_export(self) -> None:
        try:
            Path(self._export).write_text(write_itf(self.explorer.export()), "utf-8")
            self.say(f"written to {self._export}")
        except OSError as error:
            self.say(f"cannot write {self._export}: {error.strerror}")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_close()
        if event.value.strip():
            self.perform(event.value)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_list.id == "types":
            self.perform(f"pick {self.explorer.types[event.option_index]}")
        else:
            self.move_to(event.option_index)
        self.query_one("#states").focus()

    # What they do

    def perform(self, command: str) -> None:
        try:
            self.show(perform(self.explorer, command))
        except OtsrwError as error:
            hint = f" ({error.problem.hint})" if error.problem.hint else ""
            self.say(f"{error.problem.message}{hint}")

    def move_to(self, index: int) -> None:
        """Focus on a state of the run that was chosen in the list."""
        answer = self.explorer.look()
        while answer and answer.view.focus != index:
            answer = self.explorer.forward() if answer.view.focus < index else self.explorer.back()
        self.show(answer)

    def show(self, answer: Answer) -> None:
        self.say(answer_line(answer))
        view = answer.view
        self._show_run(view)
        self.query_one("#observers", Static).update(view_table(view))
        self._show_types(view)

    def say(self, text: str) -> None:
        self.query_one("#message", Static).update(Text(text))

    def _show_run(self, view: View) -> None:
        path, trace = self.explorer.path, self.explorer.export()
        run = self.query_one("#run", OptionList)
        run.clear_options()
        for index, state in enumerate(trace.states):
            focus = ">" if index == view.focus else " "
            mark = "#" if path.states[index] in self.explorer.neighbourhoods else " "
            violated = "!" if index == view.focus and view.violated else " "
            label = "initially" if state.label is None else str(state.label)
            run.add_option(Option(Text(f"{focus}{mark}{violated}{index} {label}", "bold" if focus == ">" else "")))
        run.highlighted = view.focus

    def _show_types(self, view: View) -> None:
        types = self.query_one("#types", OptionList)
        types.clear_options()
        for number, (kind, how) in enumerate(view.types.items(), 1):
            types.add_option(Option(Text(f"{number} {SIGNS[how]} {kind}: {how}", _STYLES[how])))
