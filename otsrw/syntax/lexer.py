"""Words of a file, and the lexer that groups them as the grammar asks.

CafeOBJ's words are separated by blanks, except for ( ) [ ] { } , ; which stand alone, and strings. One regular
expression cuts a whole file; `#| |#` comments vanish here. Line comments are statements in CafeOBJ: they are only
recognised where the grammar expects a declaration, since `--` may also be an operator.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from otsrw.syntax import tree
from otsrw.syntax.commands import EXTENTS, UNSUPPORTED, Extent
from otsrw.syntax.diagnostics import ProblemKind, SyntaxProblem
from otsrw.syntax.lalr import Automaton, Token
from otsrw.syntax.source import Source, Span

_WORD = re.compile(
    r'#\|.*?(?:\|#|\Z)|"(?:[^"\\\n]|\\.)*+"|[()\[\]{},;]|[^\s()\[\]{},;"][^\s()\[\]{},;]*|"[^\s()\[\]{},;]*', re.DOTALL
)

KEYWORDS: dict[str, str] = {}
"""The terminal of the grammar that a word is where a statement may start."""

_COMMAND_TERMINALS = {Extent.TERM: "TERM_COMMAND", Extent.STEP: "STEP_COMMAND"}


def _keywords(terminal: str, words: str) -> None:
    KEYWORDS.update((word, terminal) for word in words.split())


_keywords("MODULE", "mod mod! mod* module module! module* sys:mod sys:mod! sys:mod* sys:module sys:module! sys:module*")
_keywords("PSORT", "principal-sort psort p-sort")
_keywords("MODE", "pr protecting ex extending inc including us using")
_keywords("MAKE", "make")
_keywords("VIEW", "view")
_keywords("SECTION", "signature sig imports import axioms axiom axs")
_keywords("OP", "op ops bop bops")
_keywords("PRED", "pred preds bpred bpreds pd pds bpd bpds")
_keywords("ATTR", "attr")
_keywords("VAR", "var vars pvar pvars")
_keywords(
    "AXIOM",
    "eq ceq cq beq bceq bq bcq trans tr rule rl ctrans ctr crule crl btrans btr brule brl bctrans bctr bcrule bcrl",
)
_keywords("LET", "let")
_keywords("SENTENCE", "ax bax fax bfax goal bgoal")
_keywords("MARK", ":id")
_keywords("OPEN", "open")
_keywords("CLOSE", "close")
_keywords("SELECT", "select")
KEYWORDS.update(dict.fromkeys(UNSUPPORTED, "UNSUPPORTED"))
KEYWORDS.update((word, _COMMAND_TERMINALS.get(extent, "LINE_COMMAND")) for word, extent in EXTENTS.items())

# A line that starts with one of these inside a term is a new statement: the term lacks its period.
_STARTERS = frozenset(
    w for w, t in KEYWORDS.items() if t in ("AXIOM", "MODULE", "OP", "PRED", "VAR", "OPEN", "CLOSE")
) | {
    "red",
    "reduce",
}


_LINE_STARTERS = _STARTERS | {"["} | {w for w, t in KEYWORDS.items() if t == "MODE"}
_ATTRIBUTES = frozenset(
    ("assoc", "comm", "idem", "constr", "ctor", "memo", "prec:", "strat:", "id:", "idr:", "l-assoc", "r-assoc")
)


def _separator(keyword: str) -> str | None:
    """The word between the sides of an axiom: a lone period before it belongs to the left side."""
    if KEYWORDS.get(keyword) != "AXIOM":
        return None
    return "=" if keyword.endswith("q") else "=>"


def _following(keyword: str, separator: str) -> str | None:
    """The word after the next part of an axiom: a conditional one has its condition after `if`."""
    conditional = keyword.removeprefix("b").startswith("c")
    return "if" if conditional and separator != "if" else None


_BUBBLES = ("TERM", "OPNAME", "LINE", "STEP")
_OPENING = {"(": ")", "[": "]", "{": "}"}


class Words:
    """All words of a source with their offsets."""

    __slots__ = ("ends", "source", "starts", "texts")

    def __init__(self, source: Source) -> None:
        self.source = source
        found = list(_WORD.finditer(source.text))
        if "#|" in source.text:
            found = [word for word in found if not word[0].startswith("#|")]
        self.texts: list[str] = [word[0] for word in found]
        self.starts: list[int] = [word.start() for word in found]
        self.ends: list[int] = [word.end() for word in found]
        if "_:" in source.text:
            self._part_colons()

    def _part_colons(self) -> None:
        """`op _+_: S S -> S`: the colon after a name that ends with a place for an argument is a word of its own."""
        for index in range(len(self.texts) - 1, 0, -1):
            word = self.texts[index]
            if word.endswith("_:") and KEYWORDS.get(self.texts[index - 1]) in ("OP", "PRED"):
                self.texts[index : index + 1] = [word[:-1], ":"]
                self.starts.insert(index + 1, self.ends[index] - 1)
                self.ends[index : index + 1] = [self.ends[index] - 1, self.ends[index]]

    @classmethod
    def of_bubble(cls, bubble: tree.Bubble) -> Words:
        words = cls.__new__(cls)
        words.source = bubble.source
        words.texts, words.starts, words.ends = bubble.words, bubble.starts, bubble.ends
        return words

    def span(self, start: int, end: int | None = None) -> Span:
        """The stretch of words from `start` up to, not including, `end`."""
        if not self.texts:
            return Span(self.source, 0, 0)
        if start >= len(self.texts):
            return Span(self.source, self.ends[-1], self.ends[-1])
        last = start if end is None else max(start, end - 1)
        return Span(self.source, self.starts[start], self.ends[min(last, len(self.ends) - 1)])

    def bubble(self, start: int, end: int) -> tree.Bubble:
        anchor = self.starts[start] if start < len(self.starts) else len(self.source.text)
        return tree.Bubble(self.source, self.texts[start:end], self.starts[start:end], self.ends[start:end], anchor)

    def starts_line(self, index: int) -> bool:
        """Is this the first word of its line?"""
        if index == 0:
            return True
        return "\n" in self.source.text[self.ends[index - 1] : self.starts[index]]

    def next_line(self, index: int) -> int:
        """The first word after the line on which word `index` starts."""
        newline = self.source.text.find("\n", self.starts[index])
        if newline < 0:
            return len(self.texts)
        index += 1
        while index < len(self.texts) and self.starts[index] < newline:
            index += 1
        return index

    def matching(self, start: int) -> int:
        """The index after the bracket that closes the one at `start`, or the end of the words."""
        texts = self.texts
        opening, closing = texts[start], _OPENING[texts[start]]
        depth = 0
        for index in range(start, len(texts)):
            if texts[index] == opening:
                depth += 1
            elif texts[index] == closing:
                depth -= 1
                if depth == 0:
                    return index + 1
        return len(texts)

    def opens(self, index: int) -> bool:
        """Is this an opening bracket?"""
        return index < len(self.texts) and self.texts[index] in _OPENING

    def closes(self, start: int, end: int) -> bool:
        """Is the word before `end` the bracket that fits the one at `start`?"""
        return self.texts[end - 1] == _OPENING[self.texts[start]]


def is_comment(word: str) -> bool:
    return word.startswith(("--", "**"))


class CafeLexer:
    """Feeds the automaton: which token a word becomes depends on what is accepted in its present state.

    A token's value is a `Named` or a `Bubble`. `Reading.mark` remembers how deep the stacks were where the present
    item started, so that the reader can drop a broken item and go on with the next.
    """

    def __init__(self, punctuation: dict[str, str]) -> None:
        self.punctuation = punctuation

    def next(self, reading: Reading, automaton: Automaton) -> Token | None:
        """The next token, None at the end of the text."""
        words = reading.words
        accepts = automaton.accepts
        if reading.at_boundary:
            reading.at_boundary = False
            reading.mark = (len(automaton.state_stack) - 1, len(automaton.value_stack) - 1)
        for terminal in _BUBBLES:
            if terminal in accepts:
                return reading.bubble(terminal)
        if reading.depth == 0 and "AXIOM" in accepts and reading.shortcut is not None:
            reading.shortcut(reading)
        index = reading.skip_comments(boundary="AXIOM" in accepts)
        if "AXIOM" in accepts:
            reading.at_boundary = True
            reading.item_start = index
        if index >= len(words.texts):
            return None
        word = words.texts[index]
        if word == "{" and "BLOCK" in accepts:
            return reading.block()
        terminal = self._terminal(word, accepts)
        if terminal == "LINE_COMMAND" and word == "eof":
            reading.index = len(words.texts)
            return None
        reading.depth += (terminal == "LBRACE") - (terminal == "RBRACE")
        reading.index = index + 1
        return Token(terminal, tree.Named(word, words.span(index)))

    def _terminal(self, word: str, accepts: dict[str, int]) -> str:
        known = KEYWORDS.get(word)
        if known in accepts:
            return str(known)
        punctuation = self.punctuation.get(word)
        if punctuation is not None and (punctuation in accepts or word in "(){}[],."):
            return punctuation
        if "NAME" in accepts:
            return "NAME"
        if word.startswith(":") and "UNSUPPORTED" in accepts and len(word) > 1:
            return "UNSUPPORTED"
        return known or punctuation or "NAME"


class Reading:
    """Where the lexer is in the words of one source."""

    __slots__ = (
        "at_boundary",
        "depth",
        "echoes",
        "index",
        "item_start",
        "mark",
        "plain",
        "retried",
        "shortcut",
        "words",
    )

    def __init__(self, words: Words, index: int = 0) -> None:
        self.words = words
        self.index = index
        self.mark = (1, 0)
        self.item_start = index
        self.at_boundary = False
        self.retried = -1
        self.depth = 0
        """How many modules and sections are open."""
        self.plain: list[tree.Statement] = []
        """Statements read by the short cut."""
        self.shortcut: Callable[[Reading], None] | None = None
        """Called where a statement may start outside modules: reads what needs no grammar."""
        self.echoes: list[tuple[int, str]] = []

    def skip_comments(self, boundary: bool) -> int:
        texts = self.words.texts
        while self.index < len(texts) and (
            is_comment(texts[self.index]) or (boundary and texts[self.index].startswith('"'))
        ):
            start = self.index
            if texts[start].startswith('"'):
                self.index = self._after_string(start)
                continue
            self.index = self._after_block_comment(start)
            if boundary and texts[start] in ("-->", "**>"):
                self.echoes.append((start, self.words.span(start, self.index).text))
        return self.index

    def _after_string(self, start: int) -> int:
        """Past a string between statements, which CafeOBJ skips; it may go over several lines."""
        word = self.words.texts[start]
        if len(word) > 1 and word.endswith('"'):
            return start + 1
        closing = self.words.source.text.find('"', self.words.starts[start] + 1)
        if closing < 0:
            return start + 1
        return bisect_right(self.words.starts, closing)

    def _after_block_comment(self, start: int) -> int:
        """Past a comment that starts at `start`; CafeInMaude's `***( ... )` goes to its closing parenthesis."""
        texts = self.words.texts
        if texts[start] == "***" and start + 1 < len(texts) and texts[start + 1] == "(":
            adjacent = self.words.starts[start + 1] == self.words.ends[start]
            if adjacent:
                return self.words.matching(start + 1)
        return self.words.next_line(start)

    def block(self) -> Token:
        start = self.index
        self.index = self.words.matching(start)
        if self.words.texts[start + 1 : start + 2] and self.words.texts[start + 1] in _ATTRIBUTES:
            for index in range(start + 1, self.index):
                if self._starts_statement(index):
                    self.index = index
                    hint = "add the missing '}' after the attributes"
                    raise self.open_bracket("this '{' is not closed", start, hint)
        if self.words.texts[self.index - 1] != "}":
            raise self.open_bracket("this '{' is never closed", start, "add the missing '}'")
        return Token("BLOCK", self.words.bubble(start + 1, self.index - 1))

    def open_bracket(self, message: str, start: int, hint: str) -> SyntaxProblem:
        """The problem of a bracket at `start` that has no partner."""
        return SyntaxProblem("E104", message, self.words.span(start), hint, kind=ProblemKind.UNFINISHED)

    def bubble(self, terminal: str) -> Token:
        start = self.index
        if terminal == "LINE":
            end = self._line_end(start)
        elif terminal == "TERM":
            end = self.term_end(start)
        elif terminal == "STEP":
            end = self._step_end(start)
        else:
            end = self._name_end(start)
        self.index = end
        return Token(terminal, self.words.bubble(start, end))

    def _line_end(self, start: int) -> int:
        """The end of the line, or of what else the command before `start` extends to."""
        texts = self.words.texts
        end = self.words.next_line(start - 1)
        extent = EXTENTS.get(texts[start - 1], Extent.BRACKETS)
        if extent is Extent.TACTIC:
            from otsrw.syntax.tactics import tactic_end

            return tactic_end(self, start)
        if extent is Extent.FILE and "." in texts[start:end]:
            return texts.index(".", start, end)
        if extent is not Extent.BRACKETS:
            return end
        index = start
        while index < end:
            index = self.words.matching(index) if texts[index] in "({" else index + 1
            end = max(end, index)
        return end

    def _step_end(self, start: int) -> int:
        """The end of the place that ends `apply RULE at PLACE` or `choose PLACE`; without one, the end of the line."""
        texts = self.words.texts
        index = start
        if texts[start - 1] == "apply":
            while index < len(texts) and texts[index - 1] not in ("at", "within"):
                if texts[index] == "." or self._starts_statement(index):
                    return min(index, self._line_end(start))
                index += 1
        while index < len(texts) and texts[index] != ".":
            index = self.words.matching(index) if texts[index] in _OPENING else index + 1
            if texts[index : index + 1] != ["of"]:
                break
            index += 1
        return index

    def _name_end(self, start: int) -> int:
        """The colon (or attribute block) after an operator's name, which may hold colons in parentheses."""
        texts = self.words.texts
        depth = 0
        for index in range(start, len(texts)):
            word = texts[index]
            if depth == 0 and index > start and (word == ":" or (word == "{" and texts[start - 1] == "attr")):
                return index
            if depth == 0 and word in ("->", "."):
                return index
            if word in _STARTERS and self.words.starts_line(index):
                return index
            depth += (word == "(") - (word == ")")
        return len(texts)

    def term_end(self, start: int) -> int:
        """The period that ends a term: a word of its own, outside parentheses, after the `=` of an axiom."""
        texts = self.words.texts
        depth = braces = 0
        opened = start
        separator = _separator(texts[start - 1])
        for index in range(start, len(texts)):
            word = texts[index]
            if word == "." and depth == 0 and (separator is None or (separator == "if" and self._ends_here(index))):
                return index
            if word == "(":
                if depth == 0:
                    opened = index
                depth += 1
            elif word == ")":
                depth = max(0, depth - 1)
            elif word == separator and depth == 0:
                separator = _following(texts[start - 1], separator)
            elif word == "{":
                braces += 1
            elif word == "}":
                braces -= 1
                if braces < 0:
                    self._unfinished(start, index, depth, opened)
            elif index > start and self._starts_statement(index):
                self._unfinished(start, index, depth, opened)
        if start < len(texts):
            self._unfinished(start, len(texts), depth, opened)
        return len(texts)

    def plain_term_end(self, start: int) -> int:
        """As `term_end`, or -1 where that would complain."""
        texts = self.words.texts
        depth = 0
        separator = _separator(texts[start - 1])
        for index in range(start, len(texts)):
            word = texts[index]
            if word == ".":
                if depth == 0 and (separator is None or (separator == "if" and self._ends_here(index))):
                    return index if index > start else -1
            elif word == "(":
                depth += 1
            elif word == ")":
                depth -= 1
            elif word == separator:
                if depth == 0:
                    separator = _following(texts[start - 1], separator)
            elif word in "{}" or (word in _LINE_STARTERS and self._starts_statement(index)):
                return -1
        return -1

    def _ends_here(self, index: int) -> bool:
        """Is this period the end of a conditional axiom that lacks its condition, and no operator?"""
        following = self.words.texts[index + 1 : index + 2]
        return not following or following[0] in KEYWORDS or following[0] == "}" or self.words.starts_line(index + 1)

    def _starts_statement(self, index: int) -> bool:
        word = self.words.texts[index]
        if not self.words.starts_line(index):
            return False
        if word == "[":
            return self._is_sort_list(index)
        imports = KEYWORDS.get(word) == "MODE" and self.words.texts[index + 1 : index + 2] == ["("]
        return word in _STARTERS or imports

    def _is_sort_list(self, index: int) -> bool:
        """`[ A B < C ]` on its own, followed by another declaration: not part of a term."""
        texts = self.words.texts
        close = next((i for i in range(index, min(index + 30, len(texts))) if texts[i] == "]"), None)
        if close is None or close + 1 >= len(texts) or not self.words.starts_line(close + 1):
            return False
        plain = all(word not in "(){}[;." for word in texts[index + 1 : close])
        return plain and (texts[close + 1] in _STARTERS or texts[close + 1] == "}")

    def _unfinished(self, start: int, end: int, depth: int, opened: int) -> None:
        self.index = end
        keyword = self.words.texts[start - 1]
        if depth > 0:
            raise SyntaxProblem(
                "E103",
                f"this parenthesis is not closed before the next statement ({depth} open)",
                self.words.span(opened),
                hint=f"close it, and end the '{keyword}' with a period that stands alone",
                kind=None if self.words.source.text.rstrip().endswith(".") else ProblemKind.UNFINISHED,
            )
        if _separator(keyword) is not None and "." in self.words.texts[start:end]:
            end = self.words.texts.index(".", start, end)
            self.index = end + 1
            message = f"this '{keyword}' has no {_separator(keyword)!r} between its sides"
            raise SyntaxProblem("E101", message, self.words.span(start, end))
        comments = (i for i in range(start, end) if is_comment(self.words.texts[i]) and self.words.starts_line(i))
        last = self.words.span(next(comments, end) - 1)
        glued = last.text.endswith(".") and last.text != "."
        hint = (
            f"write {last.text[:-1]!r} and '.' as two words"
            if glued
            else f"end the '{keyword}' with a period that stands alone: ' .'"
        )
        kind = ProblemKind.UNFINISHED if last.end >= len(self.words.source.text.rstrip()) else None
        raise SyntaxProblem("E102", f"missing period after this '{keyword}'", last, hint, kind=kind)
