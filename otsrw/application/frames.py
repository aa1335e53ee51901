"""Specifications with the frame equations that they leave out: for otsrw while it loads, or written into the file.

A module with the hint `-- @ frame` gets the equations it lacks before its closing brace, on the same line, so that
every message still names the right line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from otsrw.ots.frames import frame_equation, missing_frames
from otsrw.ots.hints import Hint, hints_of, without_comments
from otsrw.ots.model import Ots
from otsrw.ots.recognise import recognise
from otsrw.proofs import Session, Settings
from otsrw.proofs.workspace import ExpandedSource
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError
from otsrw.syntax.reader import read
from otsrw.syntax.source import Source, Span

_MARK = re.compile(r"@[ \t]*frame\b")
_LOADING = ("in", "input", "load", "require", "provide", "set")


class FramedModule(NamedTuple):
    """The frame equations that a module lacks, and where they go."""

    name: str
    place: int
    """The offset of the closing brace."""
    equations: list[str]


def asks_for_frames(text: str) -> bool:
    """Does a text have the hint `-- @ frame`?"""
    return _MARK.search(text) is not None


def framed(source: Source) -> ExpandedSource:
    """The source with the frame equations of every module that asks for them; it has as many lines."""
    if not asks_for_frames(source.text):
        return ExpandedSource(source)
    try:
        asked = _AskedFrames(source)
    except OtsrwError:
        return ExpandedSource(source)  # a hint that cannot be read is told by whoever needs it
    text = source.text
    for module in reversed(asked.found(asked_only=True)):
        text = f"{text[: module.place]} {' '.join(module.equations)} {text[module.place :]}"
    made = source if text == source.text else Source(source.name, text, source.folder)
    return ExpandedSource(made, tuple(asked.idle()))


def written_frames(source: Source) -> tuple[str, list[FramedModule]]:
    """The text with all frame equations that its modules lack, a line each, and what was added."""
    found = frames_of(source)
    text = source.text
    for module in reversed(found):
        start = text.rfind("\n", 0, module.place) + 1
        alone = not text[start : module.place].strip()
        place = start if alone else module.place
        lines = "".join(f"  {equation}\n" for equation in ["-- unchanged", *module.equations])
        text = text[:place] + ("" if alone else "\n") + lines + text[place:]
    return text, found


def frames_of(source: Source) -> list[FramedModule]:
    """What the modules of a source lack, in their order."""
    return _AskedFrames(source).found(asked_only=False)


class _AskedFrames:
    """The modules of a source, and which of them ask for frame equations."""

    def __init__(self, source: Source) -> None:
        self._session, self._declared = declared_modules(source)
        self._ends = _ends(source, self._declared)
        self._marks = [hint for hint in hints_of(source) if hint.kind == "frame"]

    def found(self, asked_only: bool) -> list[FramedModule]:
        """What the modules lack, in their order; of those that ask for it, or of all."""
        wanted = {self._home(mark) for mark in self._marks}
        found = []
        for module, end in zip(self._declared, self._ends, strict=True):
            if asked_only and module.name.text not in wanted:
                continue
            ots = _recognised(self._session, module.name.text)
            if ots is not None and end > module.span.start:
                equations = own_frames(ots, module, end)
                if equations:
                    found.append(FramedModule(module.name.text, end, equations))
        return found

    def idle(self) -> Iterator[Diagnostic]:
        """Hints that ask for the frame equations of something that has no transitions."""
        for mark in self._marks:
            name = self._home(mark)
            if name is None or (self._session.library.find(name) and _recognised(self._session, name) is None):
                yield idle_frame(mark.span, name)

    def _home(self, mark: Hint) -> str | None:
        """The module that a hint is about: the one around it or the next one; None if there is none."""
        ends = zip(self._declared, self._ends, strict=True)
        return next((module.name.text for module, end in ends if end > mark.span.start), None)


def idle_frames(source: Source, module: str) -> list[Diagnostic]:
    """Warnings about all hints of a source, whose only module has no transitions."""
    try:
        return [idle_frame(hint.span, module) for hint in hints_of(source) if hint.kind == "frame"]
    except OtsrwError:
        return []  # a hint that cannot be read is told by whoever needs it


def idle_frame(span: Span, module: str | None) -> Diagnostic:
    """A warning that a hint `-- @ frame` has no effect."""
    why = "no module follows" if module is None else f"{module} is no observational transition system"
    hint = "put it above the module that has the transitions, or inside of it"
    return Diagnostic("W508", f"'-- @ frame' does nothing here: {why}", span, hint)


def declared_modules(source: Source) -> tuple[Session, list[tree.ModuleDeclaration]]:
    """The modules of a source, loaded with what they need; no reduction is run."""
    settings = Settings()
    settings.expand = framed
    session = Session(settings)
    statements, _ = read(source)
    declared = []
    for statement in statements:
        is_module = isinstance(statement, tree.ModuleDeclaration)
        loads = isinstance(statement, tree.LineCommand) and statement.keyword in _LOADING
        if is_module or loads or isinstance(statement, tree.ViewDeclaration):
            session.execute(statement)
        if isinstance(statement, tree.ModuleDeclaration):
            declared.append(statement)
    return session, declared


def _ends(source: Source, declared: list[tree.ModuleDeclaration]) -> list[int]:
    """The offset of the closing brace of each module; -1 if it is not found."""
    text = without_comments(source.text)
    following = sorted(statement.span.start for statement in read(source)[0])
    found = []
    for module in declared:
        after = next((start for start in following if start > module.span.start), len(text))
        found.append(text.rfind("}", module.span.start, after))
    return found


def _recognised(session: Session, name: str) -> Ots | None:
    module = session.library.find(name)
    try:
        return None if module is None or module.all_parameters() else recognise(module)
    except OtsrwError:
        return None


def own_frames(ots: Ots, module: tree.ModuleDeclaration, end: int) -> list[str]:
    """The frame equations of the transitions that the module itself declares."""
    variables = _variables(module)
    found = []
    for transition, effect in missing_frames(ots):
        place = transition.operator.symbol.decls[0].span
        if place.source is module.span.source and module.span.start < place.start < end:
            found.append(frame_equation(ots, transition, effect, variables))
    return found


def _variables(module: tree.ModuleDeclaration) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for item in module.items:
        if isinstance(item, tree.VariableDeclaration):
            found.setdefault(item.sort.text, []).extend(name.text for name in item.names)
    return found
