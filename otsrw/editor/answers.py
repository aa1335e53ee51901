"""Questions of the protocol about one text, answered at once: a function for each."""

from __future__ import annotations

from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcInvalidParams

from otsrw.application.formatting import arranged
from otsrw.editor.completing import offers
from otsrw.editor.describing import description
from otsrw.editor.lenses import Lens, is_system, lenses, stated_invariants, values
from otsrw.editor.meaning import Meanings
from otsrw.editor.mending import mends
from otsrw.editor.outline import outline_of
from otsrw.editor.project import TextFile, TextProject, TextStretch
from otsrw.editor.protocol import as_action, as_diagnostic, as_item, as_offset, as_range, as_symbol, whole_edit
from otsrw.editor.references import RefusedRename, references, renamed_name, renamed_places, renaming
from otsrw.editor.roles import ots_of
from otsrw.editor.running import RunResults, title
from otsrw.editor.tokens import ChunkTokens, TokenMaker, difference, joined
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import ProblemKind


class EditorState:
    """What the server knows."""

    def __init__(self) -> None:
        self.project = TextProject()
        self.meanings = Meanings(self.project)
        self.results = RunResults(self.project)
        self.tokens = TokenMaker(self.meanings)
        self.uris: dict[str, str] = {}
        """What the editor calls a text, by its path."""
        self.sent_tokens: dict[str, tuple[int, list[ChunkTokens]]] = {}
        """The tokens that an editor has, by path, with the number of the answer."""

    def uri(self, path: str) -> str:
        return self.uris.get(path) or uris.from_fs_path(path) or path

    def location(self, stretch: TextStretch) -> types.Location:
        file = self.project.file(stretch.path)
        return types.Location(self.uri(stretch.path), as_range(file, stretch.start, stretch.end))


# --- what is wrong


def diagnostics(state: EditorState, file: TextFile) -> list[types.Diagnostic]:
    """The problems of a text as far as they are known, those of its OTS, and the verdicts that are bad news."""
    found = []
    for index, checked in sorted(file.checked.items()):
        placed = file.placed[index]
        for problem in checked.problems:
            if problem.span.source is placed.chunk.source:
                found.append(as_diagnostic(file, problem, placed.shift))
    return [*found, *_findings(state, file), *_verdicts(state, file)]


def _findings(state: EditorState, file: TextFile) -> list[types.Diagnostic]:
    """What is wrong with the last module that is an OTS, told once it has no other errors."""
    for index in range(len(file.placed) - 1, -1, -1):
        placed = file.placed[index]
        for statement in reversed(placed.chunk.statements):
            if not isinstance(statement, tree.ModuleDeclaration):
                continue
            checked = state.project.checked_at(file, index)
            module = checked.after.modules.get(statement.name.text)
            ots = None if module is None else ots_of(module)
            if ots is None or not is_system(ots):
                continue
            if any(problem.is_error for problem in checked.problems):
                return []
            told = [f for f in ots.findings if f.is_error or f.kind is ProblemKind.LEFT_OUT]
            here = [f for f in told if f.span.source is placed.chunk.source]
            return [as_diagnostic(file, finding, placed.shift) for finding in here]
    return []


def _verdicts(state: EditorState, file: TextFile) -> list[types.Diagnostic]:
    """Invariants that a command has found violated."""
    places = {(s.ots.module.name, s.invariant.name): s for s in stated_invariants(state.project, file)}
    found = []
    for name, finding in state.results.findings(file):
        stated = places.get((finding.module.name, name))
        trace = finding.document.get("trace")
        if stated is None or not trace:
            continue
        labels = [state["label"] for state in trace["states"] if state["label"]]
        steps = [f"{label['transition']}({', '.join(label['arguments'])})" for label in labels]
        message = f"{name} is {finding.verdict}:\n" + "\n".join(steps)
        place = as_range(file, stated.start, stated.end)
        found.append(types.Diagnostic(place, message, types.DiagnosticSeverity.Warning, source="otsrw"))
    return found


# --- questions


def hover(state: EditorState, file: TextFile, params: types.HoverParams) -> types.Hover | None:
    found = state.meanings.word_at(file, as_offset(file, params.position))
    text = None if found is None else description(state.meanings, found)
    if found is None or text is None:
        return None
    place = as_range(file, found.stretch.start, found.stretch.end)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), place)


def definition(state: EditorState, file: TextFile, params: types.DefinitionParams) -> list[types.Location]:
    found = state.meanings.word_at(file, as_offset(file, params.position))
    entity = None if found is None else state.meanings.entity(found)
    return [] if entity is None else [state.location(stretch) for stretch in entity.declared]


def all_references(state: EditorState, file: TextFile, params: types.ReferenceParams) -> list[types.Location]:
    found = state.meanings.word_at(file, as_offset(file, params.position))
    if found is None:
        return []
    entity = state.meanings.entity(found)
    declared = () if entity is None or params.context.include_declaration else entity.declared
    return [state.location(stretch) for stretch in references(state.meanings, found) if stretch not in declared]


def highlights(
    state: EditorState, file: TextFile, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    found = state.meanings.word_at(file, as_offset(file, params.position))
    stretches = [] if found is None else references(state.meanings, found)
    return [types.DocumentHighlight(as_range(file, s.start, s.end)) for s in stretches if s.path == file.path]


def prepare_rename(
    state: EditorState, file: TextFile, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    offset = as_offset(file, params.position)
    found = state.meanings.word_at(file, offset)
    if found is None:
        return None
    try:
        renamed = renamed_name(state.meanings, found, offset)
    except RefusedRename as refusal:
        raise JsonRpcInvalidParams(str(refusal)) from None
    places = renamed_places(state.meanings, found, renamed)
    here = [s for s in places if s.path == file.path and s.start <= offset <= s.end]
    return types.PrepareRenamePlaceholder(as_range(file, here[0].start, here[0].end), renamed.name) if here else None


def rename(state: EditorState, file: TextFile, params: types.RenameParams) -> types.WorkspaceEdit | None:
    offset = as_offset(file, params.position)
    found = state.meanings.word_at(file, offset)
    if found is None:
        return None
    try:
        places = renaming(state.meanings, found, offset, params.new_name)
    except RefusedRename as refusal:
        raise JsonRpcInvalidParams(str(refusal)) from None
    changes: dict[str, list[types.TextEdit]] = {}
    for stretch in places:
        other = state.project.file(stretch.path)
        edit = types.TextEdit(as_range(other, stretch.start, stretch.end), params.new_name)
        changes.setdefault(state.uri(stretch.path), []).append(edit)
    return types.WorkspaceEdit(changes=changes)


def symbols(state: EditorState, file: TextFile, _: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    return [as_symbol(file, entry) for entry in outline_of(state.project, file)]


def completion(state: EditorState, file: TextFile, params: types.CompletionParams) -> list[types.CompletionItem]:
    return [as_item(offer) for offer in offers(state.meanings, file, as_offset(file, params.position))]


def code_lenses(state: EditorState, file: TextFile, _: types.CodeLensParams) -> list[types.CodeLens]:
    return [_as_lens(state, file, lens) for lens in lenses(state.project, state.results, file)]


def _as_lens(state: EditorState, file: TextFile, lens: Lens) -> types.CodeLens:
    line = file.lines.position(lens.start)[0]
    place = types.Range(types.Position(line, 0), types.Position(line, 0))
    path, *others = lens.arguments
    command = types.Command(lens.title, lens.command, arguments=[state.uri(str(path)), *others])
    return types.CodeLens(place, command=command)


def inlay_hints(state: EditorState, file: TextFile, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The values of reductions that were run, behind them."""
    found = []
    for start, value in values(state.results, file):
        line = file.lines.position(start)[0]
        if params.range.start.line <= line <= params.range.end.line:
            end = file.text.find("\n", start)
            position = types.Position(*file.lines.position(end if end >= 0 else len(file.text)))
            found.append(types.InlayHint(position, f"= {title(value)}", padding_left=True))
    return found


def code_actions(state: EditorState, file: TextFile, params: types.CodeActionParams) -> list[types.CodeAction]:
    start, end = as_offset(file, params.range.start), as_offset(file, params.range.end)
    return [as_action(file, state.uri(file.path), mend) for mend in mends(state.project, file, start, end)]


def formatting(_: EditorState, file: TextFile, __: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """The parts that can be read are laid out; the others stay as they are."""
    parts = []
    for index, placed in enumerate(file.placed):
        end = file.placed[index + 1].start if index + 1 < len(file.placed) else len(file.text)
        text = file.text[placed.start : end]
        laid_out = text if placed.chunk.problems else arranged(placed.chunk.source, placed.chunk.statements)
        blank = text[len(text.rstrip()) :].count("\n") > 1 and end < len(file.text)
        parts.append(laid_out + "\n" * blank if laid_out.strip() else "\n" * bool(blank))
    return whole_edit(file, "".join(parts))


def tokens_in_range(
    state: EditorState, file: TextFile, params: types.SemanticTokensRangeParams
) -> types.SemanticTokens:
    first = file.index_at(as_offset(file, params.range.start))
    last = file.index_at(as_offset(file, params.range.end))
    parts = [state.tokens.of_chunk(file, index) for index in range(first, last + 1)] if file.placed else []
    data = joined(parts)
    if data:
        data[0] += file.lines.position(file.placed[first].start)[0]
    return types.SemanticTokens(data)


def all_tokens(
    state: EditorState, file: TextFile, params: types.SemanticTokensParams | types.SemanticTokensDeltaParams
) -> types.SemanticTokens | types.SemanticTokensDelta:
    parts = [state.tokens.of_chunk(file, index) for index in range(len(file.placed))]
    number, known = state.sent_tokens.get(file.path, (0, []))
    state.sent_tokens[file.path] = (number + 1, parts)
    state.tokens.forget_all_but({placed.chunk for other in state.project.files() for placed in other.placed})
    name = str(number + 1)
    if isinstance(params, types.SemanticTokensDeltaParams) and params.previous_result_id == str(number):
        start, gone, data = difference(known, parts)
        return types.SemanticTokensDelta([types.SemanticTokensEdit(start, gone, data)], name)
    return types.SemanticTokens(joined(parts), name)
