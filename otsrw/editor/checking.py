"""What is wrong with a chunk where it stands: its statements are run as in a session, but nothing is reduced.

A result is kept by the text of the chunk and by what the names in it meant. So an edit of a module costs its own
elaboration and that of what depends on it, and an edit of a passage costs that passage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from otsrw.application.frames import asks_for_frames, idle_frames, own_frames
from otsrw.editor.chunks import ReadChunk
from otsrw.editor.roles import ots_of
from otsrw.proofs import Session, Settings
from otsrw.proofs.events import ProblemFound, SessionEvent
from otsrw.proofs.families import FAMILIES, CommandFamily, CommandHandler, Quit
from otsrw.proofs.reducing import TERM_COMMANDS, TermCommands
from otsrw.proofs.requests import RequestCommands
from otsrw.proofs.switches import set_switch
from otsrw.proofs.workspace import Workspace
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.syntax.reader import read
from otsrw.syntax.source import Source
from otsrw.theory.elaborate import declare, new_library
from otsrw.theory.library import Library, View
from otsrw.theory.modules import Module

KEPT_RESULTS = 4
"""Results that are kept of one text: it may stand in several places."""


class Switches(NamedTuple):
    """What `set` has changed."""

    include_bool: bool = True
    auto_context: bool = False
    accepts_proofs: bool = False
    library_path: tuple[str, ...] = ()


class Surroundings(NamedTuple):
    """What names mean at a place of a text."""

    modules: Mapping[str, Module]
    views: Mapping[str, View]
    selected: Module | None = None
    switches: Switches = Switches()
    has_ended: bool = False
    """Is this after a `quit`?"""


NOTHING_DECLARED = Surroundings({}, {})


class OpenedPassage(NamedTuple):
    """A passage as it is at its end."""

    start: int
    """The offset of its `open` in the source of the chunk."""
    module: Module


class LoadedText(NamedTuple):
    """A file and the text that it had when it was loaded."""

    path: str
    text: str


class CheckedChunk(NamedTuple):
    """What a chunk means: its problems, and what holds after it."""

    chunk: ReadChunk
    problems: tuple[Diagnostic, ...]
    before: Surroundings
    after: Surroundings
    passages: tuple[OpenedPassage, ...]
    loaded: tuple[LoadedText, ...]
    """The files that it loads, and those that they load."""

    def holds_in(self, surroundings: Surroundings) -> bool:
        """Would checking again say the same?"""
        known = self.before
        if known is surroundings:
            return True
        if self.problems or self.loaded:
            return known == surroundings
        return (
            known.switches == surroundings.switches
            and known.selected is surroundings.selected
            and known.has_ended == surroundings.has_ended
            and all(
                known.modules.get(name) is surroundings.modules.get(name)
                and known.views.get(name) is surroundings.views.get(name)
                for name in self.chunk.names
            )
        )

    def defined(self) -> tuple[dict[str, Module], dict[str, View]]:
        """The modules and views that the chunk declares or loads."""
        before, after = self.before, self.after
        modules = {name: module for name, module in after.modules.items() if before.modules.get(name) is not module}
        views = {name: view for name, view in after.views.items() if before.views.get(name) is not view}
        return modules, views

    def moved_to(self, surroundings: Surroundings) -> CheckedChunk:
        """The same in surroundings that differ in nothing that matters to the chunk."""
        if surroundings is self.before:
            return self
        if self.before is self.after:
            return self._replace(before=surroundings, after=surroundings)
        modules, views = self.defined()
        after = self.after._replace(modules={**surroundings.modules, **modules}, views={**surroundings.views, **views})
        return self._replace(before=surroundings, after=after)


class ReadTerms(TermCommands):
    """Term commands that only read their terms."""

    def _reduce(self, *_: object) -> None:
        """Nothing is rewritten while somebody types."""


class Checker:
    """Checks chunks, and keeps the results."""

    def __init__(self, text_of: Callable[[str], str | None]) -> None:
        self._text_of = text_of
        """The text of a file as it is now; None if it cannot be had."""
        self._library = new_library()
        self._known: dict[ReadChunk, list[CheckedChunk]] = {}

    def known(self, chunk: ReadChunk, surroundings: Surroundings) -> CheckedChunk | None:
        """An earlier result that holds here; None if there is none."""
        for result in self._known.get(chunk, ()):
            if result.holds_in(surroundings) and all(self._text_of(path) == text for path, text in result.loaded):
                return result.moved_to(surroundings)
        return None

    def check(self, chunk: ReadChunk, surroundings: Surroundings, load: FileRunner) -> CheckedChunk:
        """The problems of a chunk and what it declares. `load` runs the files that it loads."""
        known = self.known(chunk, surroundings)
        if known is not None:
            return known
        result = _Visit(self._library, chunk, surroundings, load).result()
        self._known.setdefault(chunk, []).append(result)
        del self._known[chunk][:-KEPT_RESULTS]
        return result

    def library(self, surroundings: Surroundings) -> Library:
        """A library for questions about terms at a place."""
        return self._library.naming(surroundings.modules, surroundings.views)

    def forget_all_but(self, chunks: set[ReadChunk]) -> None:
        """Drop what is known of texts that are gone, and of the modules that only they had."""
        for chunk in [chunk for chunk in self._known if chunk not in chunks]:
            del self._known[chunk]
        living = {m for results in self._known.values() for r in results for m in r.after.modules.values()}
        self._library.forget_instances(living)


FileRunner = Callable[[str, tree.LineCommand, Surroundings], tuple[list[LoadedText], Surroundings, list[Diagnostic]]]
"""Runs a file by its name: what was loaded, what holds after it, and what is wrong with it."""


class _Visit:
    """One run through the statements of a chunk."""

    def __init__(self, library: Library, chunk: ReadChunk, surroundings: Surroundings, load: FileRunner) -> None:
        self.chunk = chunk
        self.before = surroundings
        self.load = load
        self.problems: list[Diagnostic] = list(chunk.problems)
        self.passages: list[OpenedPassage] = []
        self.loaded: list[LoadedText] = []
        self.has_ended = surroundings.has_ended
        self.settings = Settings()
        switches = surroundings.switches
        self.settings.auto_context = switches.auto_context
        self.settings.accepts_proofs = switches.accepts_proofs
        self.settings.library_path = list(switches.library_path)
        self.library = library.naming(surroundings.modules, surroundings.views)
        self.library.include_bool = switches.include_bool
        self.session = Session(self.settings, self._hear, self._families(), self.library)
        self.session.selected = surroundings.selected

    def result(self) -> CheckedChunk:
        opened = 0
        try:
            for statement in self.chunk.statements if not self.has_ended else ():
                if isinstance(statement, (tree.Open, tree.Close)):
                    self._note_passage(opened)
                    opened = statement.span.start
                self.session.execute(statement)
                if isinstance(statement, tree.ModuleDeclaration):
                    self._add_frames(statement)
        except Quit:
            self.has_ended = True
        self._note_passage(opened)
        if self.session.passage is not None:
            self._leave_open()
            self.session.execute(tree.Close(self.chunk.statements[-1].span))
        after = self._after() if self.chunk.defines else self.before
        problems = tuple(sorted(self.problems, key=lambda problem: problem.span.start))
        return CheckedChunk(self.chunk, problems, self.before, after, tuple(self.passages), tuple(self.loaded))

    def _leave_open(self) -> None:
        """Warn that the last passage of the chunk is not closed."""
        opened = [statement for statement in self.chunk.statements if isinstance(statement, tree.Open)]
        if opened:
            hint = "end it with 'close'"
            self.problems.append(Diagnostic("W304", "this passage is never closed", opened[-1].span, hint))

    def _add_frames(self, declaration: tree.ModuleDeclaration) -> None:
        """Give a module the frame equations that its text asks for."""
        source = self.chunk.source
        module = self.library.modules.get(declaration.name.text)
        ots = ots_of(module) if module is not None and asks_for_frames(source.text) else None
        if module is None or ots is None:
            if module is not None and asks_for_frames(source.text):
                self.problems += idle_frames(source, module.name)
            return
        for equation in own_frames(ots, declaration, len(source.text)):
            for item in read(Source("<frame>", equation))[0]:
                if isinstance(item, tree.AxiomDeclaration):
                    declare(item, module, self.library)

    def _after(self) -> Surroundings:
        settings = self.settings
        switches = Switches(
            self.library.include_bool,
            settings.auto_context,
            settings.accepts_proofs,
            tuple(settings.library_path),
        )
        selected = self.session.selected
        return Surroundings(dict(self.library.modules), dict(self.library.views), selected, switches, self.has_ended)

    def _note_passage(self, start: int) -> None:
        passage = self.session.passage
        if passage is not None:
            self.passages.append(OpenedPassage(start, passage.module))

    def _hear(self, event: SessionEvent) -> None:
        if isinstance(event, ProblemFound):
            self.problems.append(event.problem)

    # --- commands

    def _families(self) -> tuple[CommandFamily, ...]:
        def start(run: Callable[[Workspace], CommandHandler], words: str) -> CommandFamily:
            return CommandFamily(tuple(words.split()), run)

        known = (
            CommandFamily(tuple(TERM_COMMANDS), lambda workspace: ReadTerms(workspace).run),
            start(lambda workspace: lambda command: set_switch(command, workspace), "set"),
            start(lambda workspace: RequestCommands(workspace).run, "ipsgopen inv generate"),
            start(lambda _: self._load, "in input load require provide"),
            start(lambda _: self._quit, "quit q"),
        )
        taken = {keyword for family in known for keyword in family.keywords}
        others = (keyword for family in FAMILIES for keyword in family.keywords if keyword not in taken)
        return (*known, CommandFamily(tuple(others), lambda _: lambda _: None))

    def _quit(self, _: tree.LineCommand) -> None:
        raise Quit

    def _load(self, command: tree.LineCommand) -> None:
        words = [word for word in command.line.split() if word != "."]
        if not words or command.keyword == "provide":
            return
        loaded, after, problems = self.load(words[-1], command, self._after())
        self.problems += problems
        self.loaded += loaded
        self.library.modules.update(after.modules)
        self.library.views.update(after.views)
        self.session.selected = after.selected
