"""Files that a session runs, and the commands that load them: `in`, `input`, `load`, `require`, `provide`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from otsrw.proofs.files import find_file, load_source
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError, SyntaxProblem
from otsrw.syntax.source import Source, Span

if TYPE_CHECKING:
    from otsrw.proofs.workspace import Workspace


class LoadedFile(NamedTuple):
    """A file that was run: where it is, and by which name it was asked for from which folder.

    The name is None for a file that the user named, not another file.
    """

    path: str
    name: str | None
    folder: str
    text: str


class SourceFiles:
    """The files that are being run, the outermost first."""

    def __init__(self, report: Callable[[Diagnostic], None], run: Callable[[Source], None]) -> None:
        self._report = report
        self._run = run
        self._loading: list[str] = []
        self.loaded: list[LoadedFile] = []
        """Every file that was run so far, each time it was run."""

    def run_file(self, path: str, shown: str | None = None, asked: tuple[str, str] | None = None) -> None:
        """Run a file, which messages call `shown`; that it cannot be read is reported.

        `asked` is the name that another file gave it, and the folder of that file.
        """
        name = shown or path
        try:
            source = load_source(path, name)
        except OtsrwError as error:
            self._report(error.at(Span(Source(name, ""), 0, 0)).problem)
            return
        word, folder = asked or (None, os.getcwd())
        real_path = os.path.realpath(path)
        self.loaded.append(LoadedFile(real_path, word, folder, source.text))
        self._loading.append(real_path)
        try:
            self._run(source)
        finally:
            self._loading.pop()

    def load(self, name: str, library_path: list[str], span: Span) -> None:
        """Run the file that a command at `span` names, unless it is being run already."""
        path = find_file(name, span.source.folder, library_path, span)
        if os.path.realpath(path) in self._loading:
            self._report(Diagnostic("W303", f"{name!r} is being loaded already: cyclic load skipped", span))
            return
        self.run_file(path, asked=(name, span.source.folder))


class FileCommands:
    """Loads files, and remembers which features were provided."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._provided: set[str] = set()

    def run(self, command: tree.LineCommand) -> None:
        words = [word for word in command.line.split() if word != "."]
        if command.keyword == "provide":
            self._provided.update(words)
        elif command.keyword == "require":
            known = not words or words[0] in self._provided
            if not known and not self.workspace.library.is_system_name(words[0].upper()):
                self._load(words[-1], command)
        elif words:
            self._load(words[0], command)
        else:
            raise SyntaxProblem("E101", f"'{command.keyword}' needs a file name", command.span)

    def _load(self, name: str, command: tree.LineCommand) -> None:
        self.workspace.files.load(name, self.workspace.settings.library_path, command.line_span)
