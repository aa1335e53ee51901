"""Formulas of linear temporal logic over observers and events.

They are read with `grammar/ltl.lark`. A position of a run is a state and the event that led to it; a run that ends in a
deadlock stays there for ever, and no event happens any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from otsrw.records import dataclass
from otsrw.syntax.diagnostics import SyntaxProblem
from otsrw.syntax.grammar import grammar_text
from otsrw.syntax.source import Source, Span

if TYPE_CHECKING:
    from lark import Lark, Token

MAX_LENGTH = 4_000
MAX_PARTS = 200


@dataclass(frozen=True, slots=True)
class Atom:
    """What may be true at a position: an event, a comparison, or a word that is one or the other."""

    kind: str
    """`event`, `name`, `comparison`, `enabled`, `deadlock`"""
    name: str = ""
    relation: str = ""
    value: str = ""
    span: Span | None = None

    def __str__(self) -> str:
        match self.kind:
            case "event":
                return f'"{self.name}"'
            case "comparison":
                return f"{self.name} {self.relation} {self.value}"
            case "enabled":
                return f"enabled({self.name})"
        return self.name or self.kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, ...]:
        return self.kind, self.name, self.relation, self.value


@dataclass(frozen=True, slots=True)
class Formula:
    """An operator with its parts: true, false, atom, not, and, or, next, until, release."""

    op: str
    parts: tuple[Formula, ...] = ()
    atom: Atom | None = None

    def atoms(self) -> Iterator[Atom]:
        if self.atom is not None:
            yield self.atom
        for part in self.parts:
            yield from part.atoms()

    def __str__(self) -> str:
        """The formula as it may be written after `--ltl`."""
        return formula_text(self)

    def __invert__(self) -> Formula:
        return Formula("not", (self,))

    def __and__(self, other: Formula) -> Formula:
        return Formula("and", (self, other))

    def __or__(self, other: Formula) -> Formula:
        return Formula("or", (self, other))


TRUE, FALSE = Formula("true"), Formula("false")


def always(part: Formula) -> Formula:
    return Formula("release", (FALSE, part))


def eventually(part: Formula) -> Formula:
    return Formula("until", (TRUE, part))


def following(part: Formula) -> Formula:
    return Formula("next", (part,))


_SIGNS = {"and": "and", "or": "or", "until": "U", "release": "R"}


def formula_text(formula: Formula) -> str:
    """A formula as text that `parse` reads; what stands below an operator is in brackets unless it is one word."""
    parts = formula.parts
    match formula.op:
        case "atom":
            return str(formula.atom)
        case "true" | "false":
            return formula.op
        case "not" | "next":
            return f"{'not' if formula.op == 'not' else 'X'} {_bracketed(parts[0])}"
        case "until" if parts[0] == TRUE:
            return f"<> {_bracketed(parts[1])}"
        case "release" if parts[0] == FALSE:
            return f"[] {_bracketed(parts[1])}"
        case "or" if parts[0].op == "not":
            return f"{_bracketed(parts[0].parts[0])} -> {_bracketed(parts[1])}"
        case "release" if parts[1].op == "or" and parts[1].parts[1] == parts[0]:
            return f"{_bracketed(parts[1].parts[0])} W {_bracketed(parts[0])}"
    return f" {_SIGNS[formula.op]} ".join(map(_bracketed, parts))


def _bracketed(formula: Formula) -> str:
    text = formula_text(formula)
    return text if formula.op in ("atom", "true", "false") and " " not in text else f"({text})"


_DUAL = {"and": "or", "or": "and", "until": "release", "release": "until", "next": "next"}


def normal(formula: Formula, positive: bool = True) -> Formula:
    """The formula, or its negation, with `not` only before atoms."""
    match formula.op:
        case "not":
            return normal(formula.parts[0], not positive)
        case "true" | "false":
            return TRUE if (formula.op == "true") is positive else FALSE
        case "atom":
            return formula if positive else ~formula
    op = formula.op if positive else _DUAL[formula.op]
    return Formula(op, tuple(normal(part, positive) for part in formula.parts))


def parse(text: str) -> Formula:
    """The formula that a text stands for; raises `SyntaxProblem` with the place of an error."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

    source = Source("--ltl", text)
    if len(text) > MAX_LENGTH:
        raise SyntaxProblem("E128", f"a formula of more than {MAX_LENGTH} characters")
    try:
        formula: Formula = _FormulaReading(source).formula(_parser().parse(text))
    except UnexpectedInput as error:
        start = error.pos_in_stream if error.pos_in_stream is not None and error.pos_in_stream >= 0 else len(text)
        span = Span(source, start, start + 1)
        if isinstance(error, UnexpectedCharacters):
            raise SyntaxProblem("E128", f"{text[start]!r} cannot stand in a formula", span, _HINT) from None
        if isinstance(error, UnexpectedToken) and error.token.type != "$END":
            raise SyntaxProblem("E128", f"{str(error.token)!r} is not expected here", span, _HINT) from None
        raise SyntaxProblem("E128", "the formula ends too early", Span(source, len(text), len(text)), _HINT) from None
    return formula


_HINT = "operators are [] <> X U W R, not, and, or, ->, <->; an event that is no plain word stands in quotes"


@cache
def _parser() -> Lark:
    from lark import Lark

    return Lark(
        grammar_text("ltl"), parser="lalr", lexer="contextual", propagate_positions=True, maybe_placeholders=False
    )


class _FormulaReading:
    """Builds the formula bottom up, with a stack of its own."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def formula(self, tree: Any) -> Formula:
        made: dict[int, Formula] = {}
        sizes: dict[int, int] = {}
        for node in tree.iter_subtrees():
            parts = [made[id(child)] for child in node.children if id(child) in made]
            made[id(node)] = self._made(str(node.data), parts, [c for c in node.children if id(c) not in made])
            sizes[id(node)] = 1 + sum(sizes.get(id(c), 0) for c in node.children) * (1 + (node.data == "iff"))
            if sizes[id(node)] > MAX_PARTS:
                raise SyntaxProblem("E128", f"a formula of more than {MAX_PARTS} parts, with <-> written out")
        return made[id(tree)]

    def _made(self, rule: str, parts: list[Formula], words: list[Token]) -> Formula:
        match rule:
            case "iff":
                left, right = parts
                return (~left | right) & (~right | left)
            case "implies":
                return ~parts[0] | parts[1]
            case "either":
                return parts[0] | parts[1]
            case "both":
                return parts[0] & parts[1]
            case "until" | "release":
                return Formula(rule, tuple(parts))
            case "unless":
                return Formula("release", (parts[1], parts[0] | parts[1]))
            case "negation":
                return ~parts[0]
            case "always":
                return always(parts[0])
            case "eventually":
                return eventually(parts[0])
            case "following":
                return following(parts[0])
            case "constant":
                return TRUE if words[0] == "true" else FALSE
        return Formula("atom", atom=self._atom(rule, words))

    def _atom(self, rule: str, words: list[Token]) -> Atom:
        if not words:
            return Atom(rule)
        first, last = words[0], words[-1]
        span = Span(self.source, first.start_pos or 0, last.end_pos or 0)
        texts = [word[1:-1] if word.startswith('"') else str(word) for word in words]
        if rule == "comparison":
            return Atom(rule, texts[0], texts[1], texts[2], span)
        return Atom(rule, texts[0], span=span)
