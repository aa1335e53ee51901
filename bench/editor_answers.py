"""How long `otsrw lsp` thinks about the questions of an editor that has a long proof score open.

    .venv/bin/python bench/editor_answers.py [LINES]

The score is that of proofs/nspk-send2-lemma.cafe, its passages repeated with other names of their constants up to
28 000 lines. A scripted editor opens it, then types and asks. What is measured is the processor time that the server
takes from one answer to the next, in milliseconds, the least and the most of several times.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from lsprotocol import types
from scripted_editor import ScriptedEditor, in_editor
from sections import table

ROOT = Path(__file__).parents[1]
SCORE = ROOT / "proofs" / "nspk-send2-lemma.cafe"
TIMES = 5
_CONSTANTS = re.compile(r"(?<![\w'-])(p|q|m|m1|m2|nw0)(?![\w'-])")


def long_score(lines: int) -> str:
    """A proof score of at least so many lines that declares and proves the same thing again and again."""
    text = SCORE.read_text("utf-8")
    start = text.index("-- Base case.")
    parts, passages = [text[:start]], text[start:]
    count = parts[0].count("\n")
    while count < lines:
        parts.append(_CONSTANTS.sub(rf"\1-{len(parts)}", passages))
        count += passages.count("\n")
    return "".join(parts)


def processor_time(process: int) -> float:
    """The seconds that a process has used so far, user and system."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Measured:
    """Processor times of a server, by what it was asked."""

    def __init__(self, process: int) -> None:
        self.process = process
        self.rows: list[tuple[str, str, str]] = []

    async def ask(self, name: str, question: Callable[[], Awaitable[Any]], times: int = TIMES) -> None:
        """Ask several times in a row: the clock of the system ticks a hundred times a second."""
        await question()
        found = []
        for _ in range(times):
            before = processor_time(self.process)
            for _ in range(5):
                await question()
            found.append((processor_time(self.process) - before) / 5)
        self.rows.append((name, f"{min(found) * 1000:.0f}", f"{max(found) * 1000:.0f}"))


class Typist:
    """Somebody who changes a text again and again."""

    def __init__(self, editor: ScriptedEditor, uri: str, tokens: str) -> None:
        self.editor = editor
        self.uri = uri
        self.tokens = tokens
        self._turn = False

    def _type(self, before: str, after: str) -> None:
        self._turn = not self._turn
        old, new = (before, after) if self._turn else (after, before)
        self.editor.replace(self.uri, old, new)

    async def type_and_be_told(self) -> None:
        self._type("m-20 = x .\n", "m-20 = x  .\n")
        await self.editor.problems(self.uri)

    async def type_and_colour(self) -> None:
        self._type("m-20 = x .\n", "m-20 = x  .\n")
        params = types.SemanticTokensDeltaParams(types.TextDocumentIdentifier(self.uri), self.tokens)
        answer = await self.editor.client.text_document_semantic_tokens_full_delta_async(params)
        self.tokens = answer.result_id if answer and answer.result_id else ""

    async def type_in_the_module(self) -> None:
        self._type("op istep : Prin Nonce -> Bool\n", "op istep : Prin Nonce -> Bool .\n")
        place = self.editor.at(self.uri, "istep(Q, N)")
        await self.editor.client.text_document_hover_async(types.HoverParams(**place))


async def measure(editor: ScriptedEditor, lines: int) -> list[tuple[str, str, str]]:
    client = editor.client
    server: Any = client._server  # noqa: SLF001
    process = server.pid
    text = long_score(lines)
    measured = Measured(process)
    before = processor_time(process)
    uri = editor.open(SCORE.with_name("long.cafe"), text)
    problems = await editor.problems(uri)
    assert not problems, problems[:3]
    loaded = f"{(processor_time(process) - before) * 1000:.0f}"
    measured.rows.append((f"first load, {text.count(chr(10))} lines", loaded, loaded))
    document = types.TextDocumentIdentifier(uri)
    before = processor_time(process)
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    first = f"{(processor_time(process) - before) * 1000:.0f}"
    measured.rows.append(("first semantic tokens", first, first))
    typist = Typist(editor, uri, tokens.result_id or "" if tokens else "")
    await measured.ask("an edit of a passage, up to the new diagnostics", typist.type_and_be_told)
    await measured.ask("an edit of a passage, and the change of the semantic tokens", typist.type_and_colour)
    await measured.ask("an edit of the module that all passages open, up to a hover in it", typist.type_in_the_module)
    await editor.problems(uri)
    for name, question in questions(editor, uri):
        await measured.ask(name, question)
    return measured.rows


def questions(editor: ScriptedEditor, uri: str) -> Iterator[tuple[str, Callable[[], Awaitable[Any]]]]:
    """What is asked about the text as it is."""
    client = editor.client
    text = editor.texts[uri]
    document = types.TextDocumentIdentifier(uri)
    middle = text.rindex("send3(", 0, len(text) // 2)
    place = editor.at(uri, text[middle : text.index("\n", middle)])
    yield "hover", lambda: client.text_document_hover_async(types.HoverParams(**place))
    reduction = editor.at(uri, "red istep", 1)
    yield "value of a `red`", lambda: client.text_document_hover_async(types.HoverParams(**reduction))
    yield "definition", lambda: client.text_document_definition_async(types.DefinitionParams(**place))
    context = types.ReferenceContext(True)
    local = types.ReferenceParams(context, **editor.at(uri, "m-20"))
    yield "references of a constant", lambda: client.text_document_references_async(local)
    everywhere = types.ReferenceParams(context, **place)
    yield "references of a transition, some hundred", lambda: client.text_document_references_async(everywhere)
    yield "completion", lambda: client.text_document_completion_async(types.CompletionParams(**place))
    outline = types.DocumentSymbolParams(document)
    yield "outline", lambda: client.text_document_document_symbol_async(outline)
    lenses = types.CodeLensParams(document)
    yield "code lenses", lambda: client.text_document_code_lens_async(lenses)
    window = types.Range(types.Position(14000, 0), types.Position(14060, 0))
    ranged = types.SemanticTokensRangeParams(document, window)
    yield "semantic tokens of a window", lambda: client.text_document_semantic_tokens_range_async(ranged)
    actions = types.CodeActionParams(document, window, types.CodeActionContext([]))
    yield "code actions", lambda: client.text_document_code_action_async(actions)
    layout = types.DocumentFormattingParams(document, types.FormattingOptions(2, True))
    yield "format", lambda: client.text_document_formatting_async(layout)


def main() -> None:
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 28_000
    rows = in_editor(lambda editor: measure(editor, lines))
    print("\n".join(table(("question", "least ms", "most ms"), rows)))


if __name__ == "__main__":
    main()
