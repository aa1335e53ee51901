"""`show` and `describe`: which module or term is meant, and what of it."""

from __future__ import annotations

from otsrw.proofs.events import ModuleShown, TermShown
from otsrw.proofs.workspace import Workspace
from otsrw.syntax import tree
from otsrw.syntax.lexer import Words
from otsrw.syntax.reader import read_module_expression
from otsrw.syntax.source import Source, Span

_ASPECTS = frozenset(
    ("sorts", "sort", "ops", "op", "eqs", "axioms", "rules", "vars", "module", "mod", "sign", "signature", "sig")
) | {"params", "param", "subs"}
"""What may be shown of a module; a sort and an operator by name."""

_SHOWN_ELSEWHERE = frozenset(
    ("path", "state", "switch", "switches", "let", "context", "modules", "views", "view", "search", "graph", "bindings")
) | {"memo", "time", "limit", "features", "selection", "subst", "pending", "stop", "rule", "loaded", "modes", "subterm"}
"""What CafeOBJ can show of itself, and otsrw does not."""


def show_command(command: tree.LineCommand, workspace: Workspace) -> None:
    """Show a module, an aspect of it, or the last term."""
    words = [word for word in command.line.split() if word != "."]
    if words[:1] and words[0] in _SHOWN_ELSEWHERE:
        workspace.library.warn("W106", f"'show {words[0]}' has no effect in otsrw", command.span)
        return
    if words[:1] in (["term"], ["tree"]):
        if workspace.last_term is not None:
            workspace.emit(TermShown(workspace.last_term, "tree" in words))
        return
    if words[:1] == ["all"]:
        words = words[1:]
    aspect = words[0] if words and words[0] in _ASPECTS else ""
    rest = words[1:] if aspect else words
    if aspect in ("sort", "op"):
        module = workspace.context(None, command.span)
        workspace.emit(ModuleShown(module, aspect + "s", rest[0] if rest else None))
        return
    expression = read_module_expression(_bubble(" ".join(rest), command.span)) if rest else None
    module = workspace.context(expression, command.span)
    workspace.prepare(module)
    workspace.emit(ModuleShown(module, aspect))


def _bubble(text: str, span: Span) -> tree.Bubble:
    """Words of a command line as a bubble; their place is the command's."""
    words = Words(Source(span.source.name, text)).texts
    return tree.Bubble(span.source, words, [span.start] * len(words), [span.end] * len(words))
