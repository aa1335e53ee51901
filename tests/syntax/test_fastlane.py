"""The short cut for plain statements gives the same nodes as the grammar."""

from __future__ import annotations

from pathlib import Path

import pytest

from otsrw.syntax import reader, tree
from otsrw.syntax.fastlane import read_plain_statements
from otsrw.syntax.lexer import Reading
from otsrw.syntax.source import Source, Span

_ROOT = Path(__file__).parents[2]
FILES = sorted([*(_ROOT / "specs").rglob("*.cafe"), *(_ROOT / "proofs").rglob("*.cafe")])

PLAIN = """open M .
op s : -> Sys .
ops i j : -> Pid .
bop o : Sys Pid -> Nat .
op _+_ : A B -> C .
-- a comment
eq pc(s,i) = l1 .
ceq a = b if (c = d) .
eq [lab] : a . b = c .
eq (a . b) = c .
red inv(s) implies inv(t(s)) .
red in M : a .
close
open M(N) .
op f : A -> B {comm} .
eq a = b
red c .
trans a => b .
close .
"""


def plain(node: object) -> object:
    """A node as nested tuples, to compare."""
    if isinstance(node, Span):
        return (node.start, node.end)
    if isinstance(node, tree.Bubble):
        return (tuple(node.words), tuple(node.starts), tuple(node.ends))
    if isinstance(node, (tuple, list)):
        return (type(node).__name__, *(plain(part) for part in node))
    return node


@pytest.mark.parametrize(
    "text", [PLAIN, *(f.read_text("utf-8") for f in FILES)], ids=["plain", *(f.name for f in FILES)]
)
def test_with_and_without_the_short_cut_the_tree_is_the_same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("t", text)
    quick, quick_errors = reader.read(source)
    monkeypatch.setattr(reader, "read_plain_statements", lambda reading: None)
    slow, slow_errors = reader.read(source)
    assert quick_errors == slow_errors
    assert plain(quick) == plain(slow)


def test_the_short_cut_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []

    def counting(reading: Reading) -> None:
        read_plain_statements(reading)
        taken.append(len(reading.plain))

    monkeypatch.setattr(reader, "read_plain_statements", counting)
    reader.read(Source("t", PLAIN))
    assert max(taken) >= 10
