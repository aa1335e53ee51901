"""Text to tree: `read(source)` gives the statements of a file and every syntax error in it.

An LALR automaton parses the declarations; its stacks are cut back to the last item boundary after an error, so one
broken line costs one message. Cost: linear, some tens of microseconds a statement.
"""

from __future__ import annotations

from typing import Any, cast

from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError, ProblemKind, SyntaxProblem, did_you_mean
from otsrw.syntax.fastlane import read_plain_statements
from otsrw.syntax.grammar import tables
from otsrw.syntax.lalr import END, Automaton, Token, UnexpectedToken
from otsrw.syntax.lexer import KEYWORDS, CafeLexer, Reading, Words
from otsrw.syntax.source import Source, Span

MAX_ERRORS = 50
_JUNK_SHARE = 0.02


def read(source: Source) -> tuple[list[tree.Statement], list[Diagnostic]]:
    """All statements of `source` in order, and all its syntax errors."""
    junk = _binary_junk(source)
    if junk:
        return [], [junk]
    reading = Reading(Words(source))
    reading.shortcut = read_plain_statements
    automaton = Automaton(tables(), "file", _BUILDER)
    errors: list[Diagnostic] = []
    while True:
        try:
            return _in_order(_parsed(reading, automaton), reading), errors
        except (UnexpectedToken, OtsrwError) as error:
            if isinstance(error, UnexpectedToken) and _closes_module(error, reading):
                errors.append(_unclosed(error, reading))
                _close_module(automaton, reading)
            else:
                if len(errors) < MAX_ERRORS:
                    errors.append(_problem(error, reading))
                _recover(automaton, reading, at_end=reading.index >= len(reading.words.texts))
            reading.depth = sum(isinstance(v, Token) and v.type == "LBRACE" for v in automaton.value_stack)


def read_module_expression(bubble: tree.Bubble) -> tree.ModuleExpression:
    """A module expression on its own, as in `red in ME : t .`"""
    reading = Reading(Words.of_bubble(bubble))
    try:
        return cast(tree.ModuleExpression, _parsed(reading, Automaton(tables(), "modexp", _BUILDER)))
    except UnexpectedToken:
        raise SyntaxProblem("E101", f"not a module expression: {bubble.text!r}", bubble.span) from None


def read_axioms(bubble: tree.Bubble) -> list[tree.AxiomDeclaration]:
    """The axioms in the braces of a command, each with its period."""
    reading = Reading(Words.of_bubble(bubble))
    try:
        items = _in_order(_parsed(reading, Automaton(tables(), "file", _BUILDER)), reading)
    except UnexpectedToken as error:
        raise _unexpected(error, reading) from None
    found = []
    for item in items:
        if isinstance(item, tree.AxiomDeclaration):
            found.append(item)
        elif not isinstance(item, tree.Echo):
            raise SyntaxProblem("E101", "only equations and transitions can stand here", item.span)
    return found


def is_incomplete(text: str) -> bool:
    """Does `text` stop in the middle of a statement? The prompt of an interactive session asks."""
    _, errors = read(Source("<input>", text))
    return bool(errors) and errors[-1].kind is ProblemKind.UNFINISHED


def _parsed(reading: Reading, automaton: Automaton) -> Any:
    """Feed the automaton from where it is up to the end of the text."""
    lexer = CafeLexer(automaton.tables.punctuation)
    while (token := lexer.next(reading, automaton)) is not None:
        automaton.feed(token)
    return automaton.finish()


def _in_order(statements: list[tree.Statement], reading: Reading) -> list[tree.Statement]:
    """Statements read by the grammar and by the short cut, and comments to be echoed, as they stand in the text."""
    echoes: list[tree.Statement] = [tree.Echo(text, reading.words.span(index)) for index, text in reading.echoes]
    return sorted([*statements, *reading.plain, *echoes], key=lambda s: s.span.start)


def _binary_junk(source: Source) -> Diagnostic | None:
    sample = source.text[:100_000]
    odd = sum(1 for c in sample if c == "\ufffd" or (c < " " and c not in "\t\n\r\f\x1a\x1b"))
    if "\0" not in sample and odd <= _JUNK_SHARE * len(sample):
        return None
    return Diagnostic("E107", "this is not a text file", Span(source, 0, 0), hint="otsrw reads CafeOBJ source in UTF-8")


def _problem(error: UnexpectedToken | OtsrwError, reading: Reading) -> Diagnostic:
    if isinstance(error, OtsrwError):
        return error.problem
    return _unexpected(error, reading).problem


def _unexpected(error: UnexpectedToken, reading: Reading) -> SyntaxProblem:
    words = reading.words
    if error.token.type == END:
        if "RBRACE" in error.expected:
            place = _open_module(words)
            return SyntaxProblem(
                "E104", "the file ends inside a module", place, "add the missing '}'", kind=ProblemKind.UNFINISHED
            )
        last = words.span(min(reading.item_start, len(words.texts) - 1))
        return SyntaxProblem("E104", "the file ends inside a declaration", last, kind=ProblemKind.UNFINISHED)
    named = cast(tree.Named, error.token.value)
    word, span = named.text, named.span
    start_of_item = "AXIOM" in error.expected
    if start_of_item and word not in KEYWORDS:
        hint = did_you_mean(word, KEYWORDS) or _starting_hint(word)
        return SyntaxProblem("E105", f"no such command or declaration: {word!r}", span, hint)
    if start_of_item and "RBRACE" in error.expected:
        return SyntaxProblem(
            "E101", f"{word!r} cannot stand inside a module", span, hint="close the module with '}' first"
        )
    wanted = _wanted(error.expected)
    return SyntaxProblem("E101", f"unexpected {word!r}", span, hint=f"expected {wanted}" if wanted else None)


_TOP_LEVEL = frozenset(("MODULE", "VIEW", "MAKE", "OPEN", "CLOSE", "SELECT", "TERM_COMMAND", "LINE_COMMAND"))


def _closes_module(error: UnexpectedToken, reading: Reading) -> bool:
    """Does a command or another module start where a module body goes on?"""
    inside = "RBRACE" in error.expected and reading.at_boundary
    return inside and error.token.type in _TOP_LEVEL and reading.words.starts_line(reading.item_start)


def _unclosed(error: UnexpectedToken, reading: Reading) -> Diagnostic:
    named = cast(tree.Named, error.token.value)
    span = _last_module(reading.words, reading.item_start)
    hint = f"add the missing '}}' before line {named.span.line}"
    return Diagnostic("E104", f"this module is not closed before the next {named.text!r}", span, hint)


def _close_module(automaton: Automaton, reading: Reading) -> None:
    """Supply the missing braces and read the offending word again."""
    brace = Token("RBRACE", tree.Named("}", reading.words.span(reading.item_start)))
    while "RBRACE" in automaton.accepts:
        automaton.feed(brace)
    reading.index = reading.item_start
    reading.at_boundary = False


def _starting_hint(word: str) -> str | None:
    if word == "}":
        return "there is no module to close here"
    if word in ("(", ")"):
        return "a statement starts with a keyword; CafeInMaude's (command) form is written without parentheses"
    return None


def _last_module(words: Words, end: int) -> Span:
    """The opening brace of the last module that starts before word `end`."""
    for index in range(end - 1, -1, -1):
        if KEYWORDS.get(words.texts[index]) == "MODULE" and words.starts_line(index) and "{" in words.texts[index:end]:
            return words.span(words.texts.index("{", index, end))
    return words.span(end)


def _open_module(words: Words) -> Span:
    """The brace that is still open at the end of the text."""
    stack = []
    for index, word in enumerate(words.texts):
        if word == "{":
            stack.append(index)
        elif word == "}" and stack:
            stack.pop()
    return words.span(stack[0] if stack else len(words.texts) - 1)


_READABLE = {
    "NAME": "a name", "COLON": "':'", "RBRACE": "'}'", "LBRACE": "'{'", "LPAR": "'('", "RPAR": "')'", "DOT": "'.'",
    "BLOCK": "'{ ... }'", "COMMA": "','", "RSQB": "']'", "LSQB": "'['", "TERM": "a term", "STAR": "'*'", "_STOP": "'.'",
    "FROM": "'from'", "OF": "'of'", "TO": "'to'", "AS": "'as'",
}  # fmt: skip


def _wanted(expected: set[str]) -> str:
    symbols = {name: repr(word) for word, name in tables().punctuation.items() if name.startswith("__ANON")}
    names = sorted({(_READABLE | symbols)[name] for name in expected if name in _READABLE or name in symbols})
    return " or ".join(names) if 0 < len(names) <= 4 else ""


def _recover(automaton: Automaton, reading: Reading, at_end: bool) -> None:
    """Cut the stacks back to the start of the broken item and go on at the next line that starts a statement."""
    if not reading.at_boundary:
        states, values = reading.mark
        del automaton.state_stack[states:]
        del automaton.value_stack[values:]
    words = reading.words
    index = max(reading.index, reading.item_start + 1)
    if words.texts[index - 1 : index] == ["}"] and index - 1 > reading.item_start and index != reading.retried:
        reading.retried = index
        index -= 1
    while index < len(words.texts) and not _may_resume(words, index, reading.at_boundary):
        index += 1
    reading.index = index
    if index >= len(words.texts) or at_end:
        reading.index = len(words.texts)
        _unwind(automaton)


def _may_resume(words: Words, index: int, any_line: bool) -> bool:
    """Is this a place to go on: a closing brace, or a line that starts a statement (or any line)?"""
    word = words.texts[index]
    return word == "}" or (words.starts_line(index) and (any_line or word in KEYWORDS or word == "["))


def _unwind(automaton: Automaton) -> None:
    """At the end of the text an open module cannot be finished: drop it, keep what came before."""
    while len(automaton.state_stack) > 1 and END not in automaton.accepts:
        del automaton.state_stack[-1]
        del automaton.value_stack[-1]


def _names(tokens: list[Token]) -> tuple[tree.Named, ...]:
    return tuple(cast(tree.Named, token.value) for token in tokens)


def _value(token: Token | None) -> Any:
    return None if token is None else token.value


class _Builder:
    """Reductions of the automaton to nodes of the tree: one method for each rule of the grammar that has a node."""

    def file(self, children: list[Any]) -> list[tree.Statement]:
        return _flatten(children)

    def body(self, children: list[Any]) -> list[tree.Item]:
        return [item for item in cast(list[tree.Item], _flatten(children)) if not isinstance(item, tree.PassageMark)]

    def section(self, children: list[Any]) -> list[tree.Item]:
        return cast(list[tree.Item], children[1])

    def mark(self, children: list[Any]) -> tree.PassageMark:
        keyword, *words = children
        return tree.PassageMark(" ".join(word.value.text for word in words), keyword.value.span)

    def module(self, children: list[Any]) -> tree.ModuleDeclaration:
        keyword, name, params, _, principal, body = children
        return tree.ModuleDeclaration(
            keyword.value.text.removeprefix("sys:"),
            name.value,
            tuple(params or ()),
            _value(principal),
            tuple(body),
            keyword.value.span,
        )

    def params(self, children: list[Any]) -> list[tree.Parameter]:
        return [parameter for group in children for parameter in group]

    def param(self, children: list[Any]) -> list[tree.Parameter]:
        mode, *names, theory = children
        text = mode.value.text if mode else "pr"
        return [tree.Parameter(name, theory, text) for name in _names(names)]

    def make(self, children: list[Any]) -> tree.ModuleDeclaration:
        keyword, name, expression = children
        item = tree.ImportDeclaration("pr", None, expression, keyword.value.span)
        return tree.ModuleDeclaration("module", name.value, (), None, (item,), keyword.value.span)

    def view(self, children: list[Any]) -> tree.ViewDeclaration:
        keyword, name, source, target, block = children
        return tree.ViewDeclaration(name.value, source, target, mappings(block.value), keyword.value.span)

    def view_of(self, children: list[Any]) -> tree.ViewDeclaration:
        keyword, name, target, source, block = children
        return self.view([keyword, name, source, target, block])

    def sorts(self, children: list[Any]) -> tree.SortDeclaration:
        return tree.SortDeclaration(tuple(children), False, children[0][0][0].span)

    def hidden_sorts(self, children: list[Any]) -> tree.SortDeclaration:
        return tree.SortDeclaration(tuple(children[1:-1]), True, children[0].value.span)

    def sort_group(self, children: list[Any]) -> tuple[tuple[tree.Named, ...], ...]:
        levels: list[list[tree.Named]] = [[]]
        for token in children:
            if token.type == "NAME":
                levels[-1].append(token.value)
            else:
                levels.append([])
        return tuple(tuple(level) for level in levels)

    def operator(self, children: list[Any]) -> tree.OperatorDeclaration:
        keyword, name, *arity, coarity, block = children
        return self._operator(keyword, name, arity, coarity.value, block)

    def predicate(self, children: list[Any]) -> tree.OperatorDeclaration:
        keyword, name, *arity, block = children
        return self._operator(keyword, name, arity, None, block)

    def _operator(
        self, keyword: Token, name: Token, arity: list[Token], coarity: tree.Named | None, block: Token | None
    ) -> tree.OperatorDeclaration:
        text = cast(tree.Named, keyword.value).text
        return tree.OperatorDeclaration(
            cast(Any, name.value),
            _names(arity),
            coarity,
            _value(block),
            several=text.endswith("s"),
            behavioural=text.startswith("b"),
            span=cast(Any, keyword.value).span,
        )

    def attribute(self, children: list[Any]) -> tree.AttributeDeclaration:
        keyword, name, block = children
        return tree.AttributeDeclaration(name.value, block.value, keyword.value.span)

    def variables(self, children: list[Any]) -> tree.VariableDeclaration:
        keyword, *names, sort = (child for child in children if child is not None)
        return tree.VariableDeclaration(_names(names), sort.value, keyword.value.span)

    def axiom(self, children: list[Any]) -> tree.AxiomDeclaration:
        keyword, body = children
        return tree.AxiomDeclaration(keyword.value.text, body.value, keyword.value.span)

    def let(self, children: list[Any]) -> tree.LetDeclaration:
        keyword, body = children
        return tree.LetDeclaration(body.value, keyword.value.span)

    def imported(self, children: list[Any]) -> tree.ImportDeclaration:
        mode, alias, expression = children
        return tree.ImportDeclaration(mode.value.text, _value(alias), expression, mode.value.span)

    def modexp(self, children: list[Any]) -> tree.ModuleExpression:
        parts = [c for c in children if not isinstance(c, Token)]
        return cast(tree.ModuleExpression, parts[0]) if len(parts) == 1 else tree.Sum(tuple(parts))

    def module_name(self, children: list[Any]) -> tree.ModuleName:
        return tree.ModuleName(children[0].value)

    def renaming(self, children: list[Any]) -> tree.Renaming:
        expression, _, block = children
        return tree.Renaming(expression, mappings(block.value))

    def instance(self, children: list[Any]) -> tree.Instantiation:
        base, *arguments = children
        return tree.Instantiation(base, tuple(arguments))

    def argument(self, children: list[Any]) -> tree.Argument:
        name, expression = children
        return tree.Argument(_value(name), expression, None)

    def mapped_argument(self, children: list[Any]) -> tree.Argument:
        name, expression, block = children
        return tree.Argument(_value(name), expression, mappings(block.value))

    def inline_view(self, children: list[Any]) -> tree.Argument:
        name, _, _, target, block = children
        return tree.Argument(_value(name), target, mappings(block.value))

    def open(self, children: list[Any]) -> tree.Open:
        return tree.Open(children[1], children[0].value.span)

    def open_current(self, children: list[Any]) -> tree.Open:
        return tree.Open(None, children[0].value.span)

    def close(self, children: list[Any]) -> tree.Close:
        return tree.Close(children[0].value.span)

    def select(self, children: list[Any]) -> tree.Select:
        return tree.Select(children[1], children[0].value.span)

    def deselect(self, children: list[Any]) -> tree.Select:
        return tree.Select(None, children[0].value.span)

    def term_command(self, children: list[Any]) -> tree.TermCommand:
        keyword, body = children
        module, term = _context(body.value)
        return tree.TermCommand(keyword.value.text, module, term, keyword.value.span)

    def step_command(self, children: list[Any]) -> tree.TermCommand:
        keyword, body = children
        return tree.TermCommand(keyword.value.text, None, body.value, keyword.value.span)

    def line_command(self, children: list[Any]) -> tree.LineCommand:
        keyword, line = children
        return tree.LineCommand(keyword.value.text, line.value, keyword.value.span)

    def sentence(self, children: list[Any]) -> tree.LineCommand:
        return self.line_command(children)

    def unsupported(self, children: list[Any]) -> tree.UnsupportedCommand:
        return tree.UnsupportedCommand(children[0].value.text, children[0].value.span)


_BUILDER = _Builder()


def _flatten(children: list[Any]) -> list[Any]:
    flat: list[Any] = []
    for child in children:
        if isinstance(child, list):
            flat += child
        else:
            flat.append(child)
    return flat


def _context(body: tree.Bubble) -> tuple[tree.ModuleExpression | None, tree.Bubble]:
    """Split `in ME : term`."""
    if not body.words or body.words[0] != "in" or ":" not in body.words:
        return None, body
    colon = body.words.index(":")
    return read_module_expression(body.part(1, colon)), body.part(colon + 1, len(body))


_MAPPING_KINDS = {
    "sort": "sort",
    "hsort": "sort",
    "op": "op",
    "bop": "op",
    "param": "param",
    "var": "var",
    "vars": "var",
}


def mappings(block: tree.Bubble) -> tuple[tree.Mapping, ...]:
    """The items of `{ sort A -> B, op f -> g, vars X Y : S }`."""
    found = []
    index = 0
    words = block.words
    while index < len(words):
        if words[index] in (",", "."):
            index += 1
            continue
        kind = _MAPPING_KINDS.get(words[index])
        if kind is None:
            raise SyntaxProblem(
                "E101",
                f"unexpected {words[index]!r} in a list of mappings",
                block.span_of(index),
                hint="write items such as 'sort A -> B' or 'op f -> g', separated by commas",
            )
        end = _mapping_end(words, index + 1, kind)
        arrow = ":" if kind == "var" else "->"
        try:
            middle = words.index(arrow, index + 1, end)
        except ValueError:
            raise SyntaxProblem("E101", f"this mapping has no {arrow!r}", block.part(index, end).span) from None
        found.append(tree.Mapping(kind, block.part(index + 1, middle), block.part(middle + 1, end)))
        index = end
    return tuple(found)


def _mapping_end(words: list[str], start: int, kind: str) -> int:
    depth = 0
    for index in range(start, len(words)):
        word = words[index]
        depth += (word in "([{") - (word in ")]}")
        if depth > 0:
            continue
        named = index == start or words[index - 1] in ("->", ":")  # an operator may be called as a keyword is
        if word == "," or (word in _MAPPING_KINDS and not named and _starts_item(words, index)):
            return index
        if kind == "sort" and words[index - 1] == "->":
            return index + 1
    return len(words)


def _starts_item(words: list[str], index: int) -> bool:
    """A mapping keyword begins a new item if an arrow or colon follows before the next comma."""
    rest = words[index + 1 :]
    end = rest.index(",") if "," in rest else len(rest)
    return "->" in rest[:end] or ":" in rest[:end]
