"""Commands that an editor starts: each is an `otsrw` of its own, so the server stays free to answer.

The text goes through standard input as it is in the editor, saved or not. What a command says is kept with what it
was said of, and forgotten when that changes.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from enum import Enum
from pathlib import Path
from typing import Any

from otsrw.editor.checking import CheckedChunk
from otsrw.editor.chunks import ReadChunk
from otsrw.editor.project import TextFile, TextProject
from otsrw.records import NamedTuple
from otsrw.theory.modules import Module

MOST_SECONDS = 120
LONGEST_TITLE = 60


class AskedCommand(Enum):
    """What is asked about an invariant; the value is the command."""

    SEARCH = "search"
    IGF = "igf"


class Finding(NamedTuple):
    """What a command said about an invariant of a module that may have changed since."""

    module: Module
    verdict: str
    document: dict[str, Any]


class RunFailed(Exception):
    """A command gave no answer; the message says why."""


class RunResults:
    """What commands have said, as long as it still holds."""

    def __init__(self, project: TextProject) -> None:
        self.project = project
        self._values: dict[tuple[ReadChunk, int], tuple[CheckedChunk, str]] = {}
        self._findings: dict[tuple[str, str, str, AskedCommand], Finding] = {}

    def value(self, file: TextFile, index: int, start: int) -> str | None:
        """The value of the reduction that starts at an offset of a chunk; None if it was not run."""
        known = self._values.get((file.placed[index].chunk, start))
        return known[1] if known is not None and known[0].holds_in(file.placed[index].surroundings) else None

    def finding(self, file: TextFile, module: Module, invariant: str, question: AskedCommand) -> Finding | None:
        """The answer about an invariant; None if it was not asked since its module last changed."""
        known = self._findings.get((file.path, module.name, invariant, question))
        return known if known is not None and known.module is module else None

    def findings(self, file: TextFile) -> list[tuple[str, Finding]]:
        """The answers about the invariants of a text that still hold, with the names of the invariants."""
        ended = file.checked[max(file.checked)].after.modules if file.checked else {}
        return [
            (key[2], finding)
            for key, finding in self._findings.items()
            if key[0] == file.path and ended.get(key[1]) is finding.module
        ]

    async def reduce(self, file: TextFile, line: int | None) -> int:
        """Run the reduction on a line, or all of them; gives the number of values. Raises `RunFailed`."""
        wanted = None if line is None else file.index_at(file.lines.offset(line, 0))
        text = file.text if wanted is None else _only(file, wanted)
        before = list(file.placed)
        document = await _ask(["run", "-"], text, file.folder)
        if file.placed != before:
            raise RunFailed("the text was changed meanwhile")
        values = {entry["line"]: _shown(entry) for entry in document.get("commands", [])}
        for error in document.get("errors", []):
            values.setdefault(error["line"], f"{error['code']}: {error['message']}")
        count = 0
        for index, placed in enumerate(file.placed):
            if wanted is not None and index != wanted:
                continue
            for statement in placed.chunk.statements:
                found = values.get(file.lines.position(statement.span.start + placed.shift)[0] + 1)
                if found is not None:
                    checked = self.project.checked_at(file, index)
                    self._values[placed.chunk, statement.span.start] = (checked, found)
                    count += 1
        return count

    async def ask(self, file: TextFile, module: Module, invariant: str, question: AskedCommand) -> Finding:
        """Ask a command about an invariant. Raises `RunFailed`."""
        words = [question.value, "-", "--module", module.name, "--inv", invariant]
        document = await _ask(words, _only(file, None), file.folder)
        finding = Finding(module, verdict_of(document), document)
        self._findings[file.path, module.name, invariant, question] = finding
        return finding

    async def page(self, file: TextFile, module: str, invariant: str, question: AskedCommand) -> str:
        """The page that a command writes about an invariant: its verdict and its trace. Raises `RunFailed`."""
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "page.html"
            words = [question.value, "-", "--module", module, "--inv", invariant, "--html", str(target)]
            await _ask(words, _only(file, None), file.folder)
            return target.read_text("utf-8") if target.exists() else ""


def _only(file: TextFile, wanted: int | None) -> str:
    """The text with blank lines for all passages but one: what it declares, on the same lines."""
    parts = []
    for index, placed in enumerate(file.placed):
        end = file.placed[index + 1].start if index + 1 < len(file.placed) else len(file.text)
        text = file.text[placed.start : end]
        keep = index == wanted or placed.chunk.defines or not placed.chunk.statements
        parts.append(text if keep else "\n" * text.count("\n"))
    return "".join(parts)


async def _ask(words: list[str], text: str, folder: str) -> dict[str, Any]:
    """The document of a command of otsrw on a text."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "otsrw", *words, "--json", "--timeout", str(MOST_SECONDS),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        cwd=folder if Path(folder).is_dir() else None,
    )  # fmt: skip
    try:
        output, said = await process.communicate(text.encode("utf-8"))
    except asyncio.CancelledError:
        process.kill()
        raise
    try:
        document: dict[str, Any] = json.loads(output)
    except ValueError:
        raise RunFailed(said.decode("utf-8", "replace").strip() or "otsrw gave no answer") from None
    if "verdict" not in document and "commands" not in document:
        errors = document.get("errors") or [{"message": "otsrw gave no answer", "code": "", "line": 0}]
        raise RunFailed(_failure(errors[0]))
    return document


def _failure(error: dict[str, Any]) -> str:
    hint = error.get("hint")
    return f"line {error['line']}: {error['code']}: {error['message']}" + (f" ({hint})" if hint else "")


def _shown(entry: dict[str, Any]) -> str:
    return str(entry.get("result") if entry.get("result") is not None else "no value")


def verdict_of(document: dict[str, Any]) -> str:
    """The verdict of a document in a few words."""
    verdict = str(document["verdict"])
    trace = document.get("trace")
    if trace:
        return f"{verdict} in {len(trace['states']) - 1} steps"
    if verdict == "holds":
        return f"holds up to depth {document['depth']}" + (" (all states)" if document.get("exhausted") else "")
    reason = document.get("reason")
    return f"{verdict}: {reason}" if verdict == "unknown" and reason else verdict


def title(text: str) -> str:
    """A text that fits above a line."""
    return text if len(text) <= LONGEST_TITLE else text[:LONGEST_TITLE] + " ..."
