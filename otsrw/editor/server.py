"""The language server on standard input and output.

Everything runs in one thread: work that takes long is done in slices, and other messages are answered in between. What
takes really long (`search`, `igf`, `run`) is another process.
"""

from __future__ import annotations

import asyncio
import functools
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from otsrw import __version__
from otsrw.editor import answers
from otsrw.editor.answers import EditorState
from otsrw.editor.lenses import ASK, RUN
from otsrw.editor.project import TextFile
from otsrw.editor.running import AskedCommand, RunFailed
from otsrw.editor.tokens import LEGEND, MODIFIERS

SLICE = 0.02
"""Seconds of work after which other messages get their turn."""
PAUSE = 0.15
"""Seconds without an edit before a text is checked."""

TRACE = "otsrw.trace"
RUN_ALL = "otsrw.runAll"

_LEGEND = types.SemanticTokensLegend(LEGEND, MODIFIERS)
_QUESTIONS: tuple[tuple[str, Callable[..., Any], object], ...] = (
    (types.TEXT_DOCUMENT_HOVER, answers.hover, None),
    (types.TEXT_DOCUMENT_DEFINITION, answers.definition, None),
    (types.TEXT_DOCUMENT_REFERENCES, answers.all_references, None),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, answers.highlights, None),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, answers.prepare_rename, None),
    (types.TEXT_DOCUMENT_RENAME, answers.rename, types.RenameOptions(prepare_provider=True)),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, answers.symbols, None),
    (types.TEXT_DOCUMENT_COMPLETION, answers.completion, None),
    (types.TEXT_DOCUMENT_CODE_LENS, answers.code_lenses, None),
    (types.TEXT_DOCUMENT_INLAY_HINT, answers.inlay_hints, None),
    (types.TEXT_DOCUMENT_CODE_ACTION, answers.code_actions, None),
    (types.TEXT_DOCUMENT_FORMATTING, answers.formatting, None),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, answers.tokens_in_range, _LEGEND),
    (
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA,
        answers.all_tokens,
        types.SemanticTokensRegistrationOptions(_LEGEND, full=types.SemanticTokensFullDelta(delta=True), range=True),
    ),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, answers.all_tokens, _LEGEND),
)


def serve() -> None:
    """Answer an editor on standard input and output until it says `exit`."""
    EditorServer().server.start_io()


class EditorServer:
    """The handlers of the protocol, and the work that is under way."""

    def __init__(self) -> None:
        self.state = EditorState()
        self.server = LanguageServer("otsrw", __version__)
        self._updates: dict[str, asyncio.Task[None]] = {}
        register = self.server.feature
        register(types.TEXT_DOCUMENT_DID_OPEN)(_function(self.opened))
        register(types.TEXT_DOCUMENT_DID_CHANGE)(_function(self.changed))
        register(types.TEXT_DOCUMENT_DID_CLOSE)(_function(self.closed))
        register(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_function(self.saved_elsewhere))
        for name, answer, options in _QUESTIONS:
            register(name, options)(self._answering(answer))
        self.server.command(RUN)(_function(self.run))
        self.server.command(RUN_ALL)(_function(self.run_all))
        self.server.command(TRACE)(_function(self.trace))
        for question, name in ASK.items():
            self.server.command(name)(self._asking(question))

    # --- texts come and go

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        self.state.uris[path] = params.text_document.uri
        self._update(self.state.project.open(path, params.text_document.text), 0)

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        text = self.server.workspace.get_text_document(params.text_document.uri).source
        file = self.state.project.file(path_of(params.text_document.uri))
        file.change(text or "")
        self._update(file, PAUSE)

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        self.state.project.close(path)
        self.state.uris.pop(path, None)
        task = self._updates.pop(path, None)
        if task is not None:
            task.cancel()
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(params.text_document.uri, diagnostics=[])
        )

    def saved_elsewhere(self, _: types.DidChangeWatchedFilesParams) -> None:
        """A file changed on the disk: texts that load it have to be looked at again."""
        for file in self.state.project.opened():
            file.is_ready = False
            self._update(file, PAUSE)

    def _update(self, file: TextFile, pause: float) -> None:
        task = self._updates.get(file.path)
        if task is not None:
            task.cancel()
        self._updates[file.path] = asyncio.ensure_future(self._updated(file, pause))

    async def _updated(self, file: TextFile, pause: float) -> None:
        await asyncio.sleep(pause)
        await _in_slices(self.state.project.steps(file))
        self.publish(file)
        for other in self.state.project.opened():
            loads = any(loaded.path == file.path for checked in other.checked.values() for loaded in checked.loaded)
            if other is not file and loads:
                other.is_ready = False
                await _in_slices(self.state.project.steps(other))
                self.publish(other)

    def publish(self, file: TextFile) -> None:
        """Tell what is wrong with a text."""
        found = answers.diagnostics(self.state, file)
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(self.state.uri(file.path), diagnostics=found)
        )

    # --- questions

    async def current(self, uri: str) -> TextFile | None:
        """A text that is open, with all its names known; None if it is not open."""
        path = path_of(uri)
        file = next((each for each in self.state.project.opened() if each.path == path), None)
        while file is not None and not file.is_ready:
            await _in_slices(self.state.project.placing(file))
        return file

    def _answering(self, answer: Callable[..., Any]) -> Callable[[Any], Any]:
        async def handler(params: Any) -> Any:
            file = await self.current(params.text_document.uri)
            return None if file is None else answer(self.state, file, params)

        return handler

    # --- commands

    async def run(self, uri: str, line: int) -> dict[str, Any]:
        """Run the reduction on a line."""
        return await self._run(uri, line)

    async def run_all(self, uri: str) -> dict[str, Any]:
        """Run all reductions of a text."""
        return await self._run(uri, None)

    async def _run(self, uri: str, line: int | None) -> dict[str, Any]:
        file = await self.current(uri)
        if file is None:
            return {"error": f"{uri} is not open"}
        try:
            count = await self.state.results.reduce(file, line)
        except RunFailed as failure:
            return self._failed(failure)
        self._refresh(file)
        return {"values": count}

    def _asking(self, question: AskedCommand) -> Callable[..., Any]:
        async def handler(uri: str, module: str, invariant: str) -> dict[str, Any]:
            file = await self.current(uri)
            found = None if file is None else file.checked[max(file.checked)].after.modules.get(module)
            if file is None or found is None:
                return {"error": f"there is no module {module} in {uri}"}
            try:
                finding = await self.state.results.ask(file, found, invariant, question)
            except RunFailed as failure:
                return self._failed(failure)
            self._refresh(file)
            return {"verdict": finding.verdict, "document": finding.document}

        return handler

    async def trace(self, uri: str, module: str, invariant: str, command: str) -> dict[str, Any]:
        """The page with the verdict and the trace of an invariant."""
        file = await self.current(uri)
        if file is None:
            return {"error": f"{uri} is not open"}
        try:
            return {"html": await self.state.results.page(file, module, invariant, AskedCommand(command))}
        except RunFailed as failure:
            return self._failed(failure)

    def _failed(self, failure: RunFailed) -> dict[str, Any]:
        self.server.window_show_message(types.ShowMessageParams(types.MessageType.Error, str(failure)))
        return {"error": str(failure)}

    def _refresh(self, file: TextFile) -> None:
        """Results appear in place: above and behind the lines, and as a problem if they are bad news."""
        self.publish(file)
        asked = self.server.client_capabilities.workspace
        if asked is not None and asked.code_lens is not None and asked.code_lens.refresh_support:
            self.server.workspace_code_lens_refresh(None)
        if asked is not None and asked.inlay_hint is not None and asked.inlay_hint.refresh_support:
            self.server.workspace_inlay_hint_refresh(None)


def _function(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method as a function: Pygls marks what it registers, and a bound method cannot be marked."""
    if asyncio.iscoroutinefunction(method):

        @functools.wraps(method)
        async def later(*arguments: Any) -> Any:
            return await method(*arguments)

        return later

    @functools.wraps(method)
    def now(*arguments: Any) -> Any:
        return method(*arguments)

    return now


async def _in_slices(steps: Iterator[None]) -> None:
    """Do work step by step; others get their turn after each slice."""
    began = time.perf_counter()
    for _ in steps:
        if time.perf_counter() - began > SLICE:
            await asyncio.sleep(0)
            began = time.perf_counter()


def path_of(uri: str) -> str:
    """The real path of a document; what has no path is called by its name."""
    path = uris.to_fs_path(uri)
    return uri if path is None or not uri.startswith("file:") else os.path.realpath(path)
