"""The hot path of the reader: the plain statements that proof passages are made of.

`open M .`, `op s : -> Sys .`, `eq l = r .`, `red t .` and `close` are nine tenths of all statements in proof scores, by
the hundred thousand. They are recognised here word by word, three times as fast as by Lark's tables. Whatever is not
exactly of these shapes, and every mistake, is left to the grammar; so is everything inside a module.
"""

from __future__ import annotations

from otsrw.syntax import tree
from otsrw.syntax.lexer import KEYWORDS, Reading

_LONGEST_RANK = 40


def read_plain_statements(reading: Reading) -> None:
    """Read plain statements from where `reading` is, up to the first that is not plain."""
    texts = reading.words.texts
    size = len(texts)
    while True:
        index = reading.skip_comments(boundary=True)
        if index >= size:
            return
        word = texts[index]
        if word == ".":
            reading.index = index + 1
            continue
        end = _plain_statement(reading, index, word)
        if end < 0:
            return
        reading.index = end


def _plain_statement(reading: Reading, index: int, word: str) -> int:
    """Read one statement; the index after it, or -1 if it is not plain."""
    words = reading.words
    texts = words.texts
    terminal = KEYWORDS.get(word)
    if terminal == "AXIOM":
        end = reading.plain_term_end(index + 1)
        if end > 0:
            reading.plain.append(tree.AxiomDeclaration(word, words.bubble(index + 1, end), words.span(index)))
        return end
    if word in ("red", "reduce"):
        end = reading.plain_term_end(index + 1) if texts[index + 1 : index + 2] != ["in"] else -1
        if end > 0:
            reading.plain.append(tree.TermCommand(word, None, words.bubble(index + 1, end), words.span(index)))
        return end
    if terminal == "OP":
        return _plain_operator(reading, index, word)
    if word == "close":
        reading.plain.append(tree.Close(words.span(index)))
        return index + 1
    if word == "open" and texts[index + 2 : index + 3] == ["."] and texts[index + 1] not in "(.[{":
        name = tree.Named(texts[index + 1], words.span(index + 1))
        reading.plain.append(tree.Open(tree.ModuleName(name), words.span(index)))
        return index + 3
    return -1


def _plain_operator(reading: Reading, index: int, keyword: str) -> int:
    """`op name : A B -> C .` without attributes and brackets."""
    words = reading.words
    window = words.texts[index + 1 : index + _LONGEST_RANK]
    if "." not in window or ":" not in window or "->" not in window:
        return -1
    colon, arrow, stop = window.index(":"), window.index("->"), window.index(".")
    if not (0 < colon < arrow and arrow + 2 == stop) or any(word in "(){}[],;" for word in window[:stop]):
        return -1
    first = index + 1
    names = [tree.Named(window[i], words.span(first + i)) for i in range(colon + 1, arrow)]
    coarity = tree.Named(window[arrow + 1], words.span(first + arrow + 1))
    reading.plain.append(
        tree.OperatorDeclaration(
            words.bubble(first, first + colon),
            tuple(names),
            coarity,
            None,
            several=keyword.endswith("s"),
            behavioural=keyword.startswith("b"),
            span=words.span(index),
        )
    )
    return first + stop
