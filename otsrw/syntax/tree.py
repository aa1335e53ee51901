"""The tree of a file: declarations and commands with their spans; terms are still bubbles of words."""

from __future__ import annotations

from otsrw.records import NamedTuple
from otsrw.syntax.source import Source, Span


class Bubble:
    """A run of words whose grammar only a module's signature knows."""

    __slots__ = ("anchor", "ends", "source", "starts", "words")

    def __init__(
        self, source: Source, words: list[str], starts: list[int], ends: list[int], anchor: int | None = None
    ) -> None:
        self.source = source
        self.anchor = anchor if anchor is not None else starts[0] if starts else 0
        self.words = words
        self.starts = starts
        self.ends = ends

    def __len__(self) -> int:
        return len(self.words)

    def part(self, start: int, end: int) -> Bubble:
        anchor = self.starts[start] if start < len(self.starts) else self.ends[-1] if self.ends else self.anchor
        return Bubble(self.source, self.words[start:end], self.starts[start:end], self.ends[start:end], anchor)

    @property
    def span(self) -> Span:
        return Span(
            self.source, self.starts[0] if self.words else self.anchor, self.ends[-1] if self.words else self.anchor
        )

    def span_of(self, index: int) -> Span:
        if not self.words:
            return self.span
        index = min(index, len(self.words) - 1)
        return Span(self.source, self.starts[index], self.ends[index])

    @property
    def text(self) -> str:
        return " ".join(self.words)

    def __str__(self) -> str:
        return ""


class Named(NamedTuple):
    """A name and where it stands."""

    text: str
    span: Span

    def __str__(self) -> str:
        return self.text


# --- module expressions


class ModuleName(NamedTuple):
    name: Named

    @property
    def span(self) -> Span:
        return self.name.span


class Sum(NamedTuple):
    parts: tuple[ModuleExpression, ...]

    @property
    def span(self) -> Span:
        return self.parts[0].span


class Mapping(NamedTuple):
    """One item of a renaming or a view: `sort A -> B`, `op f -> g`, or variables for op patterns."""

    kind: str  # 'sort', 'op', 'param', 'var'
    source: Bubble
    target: Bubble


class Renaming(NamedTuple):
    module: ModuleExpression
    mappings: tuple[Mapping, ...]

    @property
    def span(self) -> Span:
        return self.module.span


class Argument(NamedTuple):
    """An actual parameter: a view name or a module, with the mappings of an in-line view."""

    parameter: Named | None
    target: ModuleExpression
    mappings: tuple[Mapping, ...] | None


class Instantiation(NamedTuple):
    module: ModuleExpression
    arguments: tuple[Argument, ...]

    @property
    def span(self) -> Span:
        return self.module.span


ModuleExpression = ModuleName | Sum | Renaming | Instantiation


# --- declarations


class ImportDeclaration(NamedTuple):
    mode: str
    alias: Named | None
    module: ModuleExpression
    span: Span


class SortDeclaration(NamedTuple):
    """Groups of `A B < C < D`, each a list of levels."""

    groups: tuple[tuple[tuple[Named, ...], ...], ...]
    hidden: bool
    span: Span


class OperatorDeclaration(NamedTuple):
    """`op` and its kin; `coarity` is None for predicates, `several` splits the name into one operator a group."""

    name: Bubble
    arity: tuple[Named, ...]
    coarity: Named | None
    attributes: Bubble | None
    several: bool
    behavioural: bool
    span: Span


class AttributeDeclaration(NamedTuple):
    name: Bubble
    attributes: Bubble
    span: Span


class VariableDeclaration(NamedTuple):
    names: tuple[Named, ...]
    sort: Named
    span: Span


class AxiomDeclaration(NamedTuple):
    keyword: str
    body: Bubble
    span: Span


class LetDeclaration(NamedTuple):
    body: Bubble
    span: Span


class PassageMark(NamedTuple):
    """`:id(name)`: CiMPG of CafeInMaude takes the passages with one name for one proof."""

    name: str
    span: Span


Item = (
    ImportDeclaration
    | SortDeclaration
    | OperatorDeclaration
    | AttributeDeclaration
    | VariableDeclaration
    | AxiomDeclaration
    | LetDeclaration
)


class Parameter(NamedTuple):
    name: Named
    theory: ModuleExpression
    mode: str


class ModuleDeclaration(NamedTuple):
    keyword: str
    name: Named
    parameters: tuple[Parameter, ...]
    principal: Named | None
    items: tuple[Item, ...]
    span: Span


class ViewDeclaration(NamedTuple):
    name: Named
    source: ModuleExpression
    target: ModuleExpression
    mappings: tuple[Mapping, ...]
    span: Span


# --- commands


class Open(NamedTuple):
    """`open ME .`; `open .` opens the selected module."""

    module: ModuleExpression | None
    span: Span


class Close(NamedTuple):
    span: Span


class Select(NamedTuple):
    """`select ME`; `select .` selects nothing."""

    module: ModuleExpression | None
    span: Span


class TermCommand(NamedTuple):
    """red, exec, parse, apply, ...: a keyword, a module expression if one is named, and a term or more words."""

    keyword: str
    module: ModuleExpression | None
    term: Bubble
    span: Span


class LineCommand(NamedTuple):
    """show, set, in, ...: a keyword and the words after it."""

    keyword: str
    body: Bubble
    span: Span

    @property
    def line(self) -> str:
        """What stands after the keyword, as it is written."""
        return self.body.span.text if self.body.words else ""

    @property
    def line_span(self) -> Span:
        """The place of what stands after the keyword, or of the keyword if nothing does."""
        return self.body.span if self.body.words else self.span


class UnsupportedCommand(NamedTuple):
    """A command that otsrw refuses; what belongs to it has been skipped."""

    keyword: str
    span: Span


class Echo(NamedTuple):
    """A `-->` or `**>` comment, which CafeOBJ prints."""

    text: str
    span: Span


Command = Open | Close | Select | TermCommand | LineCommand | UnsupportedCommand | Echo
Statement = ModuleDeclaration | ViewDeclaration | Item | PassageMark | Command
