"""A scripted editor: a real client that talks to `otsrw lsp` over its standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.client import LanguageClient

Result = TypeVar("Result")


class ScriptedEditor:
    """An editor with some texts open."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.told: dict[str, list[types.Diagnostic]] = {}
        self._news = asyncio.Event()

        def hear(params: types.PublishDiagnosticsParams) -> None:
            self.told[params.uri] = list(params.diagnostics)
            self._news.set()

        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(hear)
        client.feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda _: None)
        client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)(lambda _: None)
        client.feature(types.WINDOW_SHOW_MESSAGE)(lambda _: None)

    def open(self, path: Path, text: str | None = None) -> str:
        uri = path.resolve().as_uri()
        self.texts[uri] = path.read_text("utf-8") if text is None else text
        self.versions[uri] = 1
        item = types.TextDocumentItem(uri, "cafeobj", 1, self.texts[uri])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def replace(self, uri: str, old: str, new: str) -> None:
        """Type something else for the first occurrence of a text."""
        text = self.texts[uri]
        start = text.index(old)
        place = types.Range(position(text, start), position(text, start + len(old)))
        self.texts[uri] = text[:start] + new + text[start + len(old) :]
        self.versions[uri] += 1
        change = types.TextDocumentContentChangePartial(range=place, text=new)
        document = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def problems(self, uri: str) -> list[str]:
        """What the server tells next about a text, as `line: code message`."""
        self.told.pop(uri, None)
        while uri not in self.told:
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 20)
        return [f"{d.range.start.line + 1}: {d.code} {d.message.splitlines()[0]}" for d in self.told[uri]]

    def at(self, uri: str, mark: str, inside: int = 0) -> dict[str, Any]:
        """The parameters of a question about the first occurrence of a text."""
        text = self.texts[uri]
        return {
            "text_document": types.TextDocumentIdentifier(uri),
            "position": position(text, text.index(mark) + inside),
        }

    def shown(self, locations: Any) -> list[str]:
        """The lines that locations point to, `name:line: text`."""
        found = []
        for location in locations:
            path = Path(location.uri.removeprefix("file://"))
            text = self.texts.get(location.uri) or path.read_text("utf-8")
            line = location.range.start.line
            start, end = location.range.start.character, location.range.end.character
            found.append(f"{path.name}:{line + 1}: {text.splitlines()[line][start:end]}")
        return found


def position(text: str, offset: int) -> types.Position:
    before = text[:offset]
    line = before.count("\n")
    last = before[before.rfind("\n") + 1 :]
    return types.Position(line, len(last.encode("utf-16-le")) // 2)


def in_editor(work: Callable[[ScriptedEditor], Awaitable[Result]]) -> Result:
    """Start a server, do some work with it, and end it."""

    async def session() -> Result:
        client = LanguageClient("scripted", "1")
        editor = ScriptedEditor(client)
        await client.start_io(sys.executable, "-m", "otsrw", "lsp")
        workspace = types.WorkspaceClientCapabilities(
            code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True),
            inlay_hint=types.InlayHintWorkspaceClientCapabilities(refresh_support=True),
        )
        capabilities = types.ClientCapabilities(workspace=workspace)
        await client.initialize_async(types.InitializeParams(capabilities))
        client.initialized(types.InitializedParams())
        try:
            return await work(editor)
        finally:
            await client.shutdown_async(None)
            client.exit(None)
            stop: Any = client.stop
            await stop()

    return asyncio.run(session())
