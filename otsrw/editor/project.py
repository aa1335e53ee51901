"""The texts that an editor has open and the files they load, always as they are now.

`TextProject.steps` brings what is known of a text up to date in small steps: whoever runs them can answer questions in
between. After its first part (`is_ready`) every name is known, and only passages are still to be looked through.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from otsrw.editor.checking import NOTHING_DECLARED, CheckedChunk, Checker, LoadedText, Surroundings
from otsrw.editor.chunks import Chunk, ChunkSource, ReadChunk, cut, opening_of
from otsrw.editor.positions import TextLines
from otsrw.proofs.files import find_file, load_source
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError
from otsrw.syntax.source import Source, Span
from otsrw.theory.modules import Module

MOST_READINGS = 4
"""Chunks that are kept, as a multiple of those that are in use."""


class TextStretch(NamedTuple):
    """A stretch of a text that has a path."""

    path: str
    start: int
    end: int


class PlacedChunk(NamedTuple):
    """A chunk where it stands now."""

    start: int
    chunk: ReadChunk
    surroundings: Surroundings
    """What names mean before it."""

    @property
    def shift(self) -> int:
        """What is added to an offset of the chunk's source to get one of the text."""
        return self.start - self.chunk.source.pad

    @property
    def end(self) -> int:
        return len(self.chunk.source.text) + self.shift


class TextFile:
    """One text: open in the editor, or read from the disk because another one loads it."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.placed: list[PlacedChunk] = []
        self.checked: dict[int, CheckedChunk] = {}
        """Results by the index of the chunk."""
        self.is_ready = False
        """Are all names of the text known?"""
        self._lines: TextLines | None = None

    @property
    def folder(self) -> str:
        return os.path.dirname(self.path)

    @property
    def lines(self) -> TextLines:
        if self._lines is None:
            self._lines = TextLines(self.text)
        return self._lines

    def change(self, text: str) -> None:
        """Give the text another content; what is known of it has to be brought up to date then."""
        self.text = text
        self._lines = None
        self.is_ready = False

    def index_at(self, offset: int) -> int:
        """The index of the chunk that holds an offset."""
        from bisect import bisect_right

        return max(0, bisect_right(self.placed, offset, key=lambda placed: placed.start) - 1)

    def place_of(self, source: Source) -> PlacedChunk | None:
        """Where a chunk of this text stands; None if it is gone."""
        return next((placed for placed in self.placed if placed.chunk.source is source), None)


class TextProject:
    """All texts, by their real paths."""

    def __init__(self) -> None:
        self.checker = Checker(self.text_of)
        self._open: dict[str, TextFile] = {}
        self._read_files: dict[str, tuple[float, TextFile]] = {}
        self._readings: dict[tuple[object, ...], ReadChunk] = {}
        self._loading: list[str] = []
        self._last: dict[tuple[str, str], Module] = {}

    # --- texts

    def open(self, path: str, text: str) -> TextFile:
        """An editor shows a text; from now on the file on the disk does not count."""
        file = self._open[path] = TextFile(path, text)
        return file

    def close(self, path: str) -> None:
        self._open.pop(path, None)

    def opened(self) -> list[TextFile]:
        """The texts that are open."""
        return list(self._open.values())

    def files(self) -> list[TextFile]:
        """All texts, open or loaded."""
        loaded = [file for path, (_, file) in self._read_files.items() if path not in self._open]
        return [*self._open.values(), *loaded]

    def file(self, path: str) -> TextFile:
        """The text of a path: as open, else from the disk; raises if it cannot be read."""
        found = self._open.get(path)
        if found is not None:
            return found
        try:
            changed = os.stat(path).st_mtime
        except OSError:
            changed = -1.0
        kept = self._read_files.get(path)
        if kept is None or kept[0] != changed:
            kept = self._read_files[path] = (changed, TextFile(path, load_source(path).text))
        return kept[1]

    def text_of(self, path: str) -> str | None:
        """What a file says now; None if it cannot be read."""
        try:
            return self.file(path).text
        except OtsrwError:
            return None

    # --- bringing up to date

    def steps(self, file: TextFile) -> Iterator[None]:
        """Bring what is known of a text up to date; every step is short."""
        yield from self.placing(file)
        for index, placed in enumerate(file.placed):
            if index not in file.checked:
                file.checked[index] = self._check(placed.chunk, placed.surroundings)
                yield
        self._forget()

    def ready(self, file: TextFile) -> TextFile:
        """The text with all its names known; passages may still be unchecked."""
        if not file.is_ready:
            for _ in self.placing(file):
                pass
        return file

    def complete(self, file: TextFile) -> TextFile:
        """The text with everything known."""
        for _ in self.steps(file):
            pass
        return file

    def checked_at(self, file: TextFile, index: int) -> CheckedChunk:
        """What is known of a chunk; it is checked now if that was not done before."""
        found = file.checked.get(index)
        if found is None:
            placed = file.placed[index]
            found = file.checked[index] = self._check(placed.chunk, placed.surroundings)
        return found

    def last_known(self, path: str, name: str) -> Module | None:
        """A module as it was when its text could last be read; None if it never could."""
        return self._last.get((path, name))

    def placing(self, file: TextFile) -> Iterator[None]:
        """Find out what the names of a text mean, in short steps."""
        if file.is_ready:
            return
        text = file.text
        chunks = cut(text)
        placed: list[PlacedChunk] = []
        checked: dict[int, CheckedChunk] = {}
        surroundings = NOTHING_DECLARED
        line = 0
        for index, chunk in enumerate(chunks):
            following = chunks[index + 1].text if index + 1 < len(chunks) else ""
            is_new, reading = self._read(file, chunk, following, line)
            placed.append(PlacedChunk(chunk.start, reading, surroundings))
            result = self.checker.known(reading, surroundings)
            if result is None and reading.defines:
                result = self._check(reading, surroundings)
                is_new = True
            if result is not None:
                checked[index] = result
                surroundings = result.after
            line += reading.lines
            if is_new:
                yield
        if file.text == text:
            file.placed, file.checked, file.is_ready = placed, checked, True
            self._last.update({(file.path, name): module for name, module in surroundings.modules.items()})

    def _read(self, file: TextFile, chunk: Chunk, following: str, line: int) -> tuple[bool, ReadChunk]:
        """A chunk as read, and whether it was read just now."""
        key: tuple[object, ...] = (file.path, chunk.text)
        reading = self._readings.get(key)
        is_new = reading is None
        if reading is None:
            source = ChunkSource(file.path, file.folder, chunk.text)
            reading = self._readings[key] = ReadChunk(source, len(chunk.text))
        if not reading.problems:
            return is_new, reading
        # what the reader says about a broken module depends on what comes next, and it may name a line
        tail = opening_of(following)
        key = (file.path, chunk.text, tail, line)
        padded = self._readings.get(key)
        is_new = padded is None
        if padded is None:
            source = ChunkSource(file.path, file.folder, chunk.text + tail, line)
            padded = ReadChunk(source, len(chunk.text))
            if not padded.problems:
                padded = ReadChunk(ChunkSource(file.path, file.folder, chunk.text, line), len(chunk.text))
            self._readings[key] = padded
        return is_new, padded

    def _check(self, chunk: ReadChunk, surroundings: Surroundings) -> CheckedChunk:
        return self.checker.check(chunk, surroundings, self.run_file)

    def _forget(self) -> None:
        """Drop what was known of texts that are gone."""
        living = {placed.chunk for file in self.files() for placed in file.placed}
        if len(self._readings) > MOST_READINGS * len(living) + 100:
            self._readings = {key: chunk for key, chunk in self._readings.items() if chunk in living}
        self.checker.forget_all_but(living)

    # --- files that are loaded

    def run_file(
        self, name: str, command: tree.LineCommand, surroundings: Surroundings
    ) -> tuple[list[LoadedText], Surroundings, list[Diagnostic]]:
        """Run the file that a command loads: what was loaded, what holds after it, and what is wrong with it."""
        span = command.line_span
        path = os.path.realpath(find_file(name, span.source.folder, list(surroundings.switches.library_path), span))
        if path in self._loading:
            return [], surroundings, [Diagnostic("W303", f"{name!r} is being loaded already", span)]
        file = self.file(path)
        self._loading.append(path)
        problems: list[Diagnostic] = []
        loaded = [LoadedText(path, file.text)]
        line = 0
        try:
            chunks = cut(file.text)
            file.placed.clear()
            for index, chunk in enumerate(chunks):
                following = chunks[index + 1].text if index + 1 < len(chunks) else ""
                _, reading = self._read(file, chunk, following, line)
                file.placed.append(PlacedChunk(chunk.start, reading, surroundings))
                result = self._check(reading, surroundings)
                surroundings = result.after
                loaded += result.loaded
                problems += [_from_loaded(problem, line, span) for problem in result.problems if problem.is_error]
                line += reading.lines
        finally:
            self._loading.pop()
        return loaded, surroundings, problems[:1]


def _from_loaded(problem: Diagnostic, line: int, span: Span) -> Diagnostic:
    """A problem of a file, told where it is loaded."""
    source = problem.span.source
    pad = source.pad if isinstance(source, ChunkSource) else 0
    name = os.path.basename(source.name)
    message = f"{name}:{problem.span.line - pad + line}:{problem.span.column}: {problem.message}"
    return Diagnostic(problem.code, message, span, problem.hint)
