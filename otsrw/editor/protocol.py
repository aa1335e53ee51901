"""What the server says, in the records of the protocol."""

from __future__ import annotations

from lsprotocol import types

from otsrw.editor.completing import Offer
from otsrw.editor.kinds import NameKind
from otsrw.editor.mending import Mend
from otsrw.editor.outline import OutlineEntry
from otsrw.editor.project import TextFile
from otsrw.syntax.diagnostics import Diagnostic

_SYMBOLS = {
    NameKind.MODULE: types.SymbolKind.Module,
    NameKind.VIEW: types.SymbolKind.Interface,
    NameKind.PASSAGE: types.SymbolKind.Namespace,
    NameKind.SORT: types.SymbolKind.Class,
    NameKind.OPERATOR: types.SymbolKind.Function,
    NameKind.OBSERVER: types.SymbolKind.Property,
    NameKind.TRANSITION: types.SymbolKind.Method,
    NameKind.INVARIANT: types.SymbolKind.Event,
    NameKind.CONSTRUCTOR: types.SymbolKind.Constructor,
}
_OFFERS = {
    NameKind.MODULE: types.CompletionItemKind.Module,
    NameKind.SORT: types.CompletionItemKind.Class,
    NameKind.VARIABLE: types.CompletionItemKind.Variable,
    NameKind.OPERATOR: types.CompletionItemKind.Function,
    NameKind.OBSERVER: types.CompletionItemKind.Property,
    NameKind.TRANSITION: types.CompletionItemKind.Method,
    NameKind.INVARIANT: types.CompletionItemKind.Event,
    NameKind.CONSTRUCTOR: types.CompletionItemKind.EnumMember,
    NameKind.KEYWORD: types.CompletionItemKind.Keyword,
}


def as_range(file: TextFile, start: int, end: int) -> types.Range:
    lines = file.lines
    return types.Range(types.Position(*lines.position(start)), types.Position(*lines.position(end)))


def as_offset(file: TextFile, position: types.Position) -> int:
    return file.lines.offset(position.line, position.character)


def as_diagnostic(file: TextFile, problem: Diagnostic, shift: int) -> types.Diagnostic:
    """A problem of a chunk, with its hint and its notes."""
    start = problem.span.start + shift
    end = max(problem.span.end + shift, start + 1)
    lines = [problem.message, *problem.notes, *([f"hint: {problem.hint}"] if problem.hint else [])]
    severity = types.DiagnosticSeverity.Error if problem.is_error else types.DiagnosticSeverity.Warning
    return types.Diagnostic(
        as_range(file, start, end), "\n".join(lines), severity=severity, code=problem.code, source="otsrw"
    )


def as_symbol(file: TextFile, entry: OutlineEntry) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        entry.name,
        _SYMBOLS[entry.kind],
        as_range(file, entry.start, entry.end),
        as_range(file, entry.name_start, entry.name_end),
        detail=entry.detail,
        children=[as_symbol(file, child) for child in entry.children],
    )


def as_item(offer: Offer) -> types.CompletionItem:
    return types.CompletionItem(offer.name, kind=_OFFERS[offer.kind], detail=offer.detail or None)


def as_action(file: TextFile, uri: str, mend: Mend) -> types.CodeAction:
    edits = [types.TextEdit(as_range(file, change.start, change.end), change.new) for change in mend.changes]
    kind = types.CodeActionKind.QuickFix if mend.problem is not None else types.CodeActionKind.RefactorRewrite
    return types.CodeAction(mend.title, kind=kind, edit=types.WorkspaceEdit(changes={uri: edits}))


def whole_edit(file: TextFile, text: str) -> list[types.TextEdit]:
    """The edit that makes a text of another, without the lines that both have at their start and end."""
    old, new = file.text.splitlines(keepends=True), text.splitlines(keepends=True)
    start = end = 0
    most = min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    if start == len(old) == len(new):
        return []
    first = sum(map(len, old[:start]))
    last = len(file.text) - sum(map(len, old[len(old) - end :]))
    return [types.TextEdit(as_range(file, first, last), "".join(new[start : len(new) - end]))]
