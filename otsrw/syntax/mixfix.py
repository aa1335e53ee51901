"""A memoised parser for mixfix terms, driven by tables built from a signature.

For every position it finds the terms that start there, each with its end and its precedence level; left recursion
(infix operators) is unrolled by extending what was found. A reading that can never be completed, because nothing
binds loosely enough after it, is dropped at once: long chains of `and` and long juxtapositions parse in linear time.
The parser knows nothing of sorts: the `build` callback of the caller answers with the terms a production makes.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")
P = TypeVar("P")
Payload_contra = TypeVar("Payload_contra", contravariant=True)

ANY = 127
"""The loosest precedence level."""

MAX_READINGS = 6
"""How many readings of one stretch are kept; more than one is an ambiguity anyhow."""

WORK = 20_000
"""Terms one parse may build, with a hundred more for each word, before it is given up as ambiguous."""


class TooAmbiguous(Exception):
    """A parse was given up: it builds ever more readings."""


class MixfixProduction(Generic[P]):
    """`pattern` has words and None for arguments; `limits` bounds the level of each argument."""

    __slots__ = ("associative", "level", "limits", "pattern", "payload")

    def __init__(
        self,
        pattern: tuple[str | None, ...],
        level: int,
        limits: tuple[int, ...],
        payload: P,
        associative: bool = False,
    ) -> None:
        self.pattern = pattern
        self.level = level
        self.limits = limits
        self.payload = payload
        self.associative = associative


class MixfixTables(Generic[P]):
    """Productions by their first word, or by the word after their first argument; `parent` is searched too."""

    def __init__(self, productions: list[MixfixProduction[P]], parent: MixfixTables[P] | None = None) -> None:
        self._parent = parent
        self._prefix: dict[str, list[MixfixProduction[P]]] = {}
        self._infix: dict[str, list[MixfixProduction[P]]] = {}
        self.adjacent: list[MixfixProduction[P]] = list(parent.adjacent) if parent else []
        self._inner: set[str] = set()
        self._words: set[str] = set()
        self._prefix_cache: dict[str, tuple[MixfixProduction[P], ...]] = {}
        self._infix_cache: dict[str, tuple[MixfixProduction[P], ...]] = {}
        self._limit_cache: dict[str, int] = {}
        for production in productions:
            self._enter(production)

    def _enter(self, production: MixfixProduction[P]) -> None:
        pattern = production.pattern
        head = pattern[0]
        if head is not None:
            self._prefix.setdefault(head, []).append(production)
        elif pattern[1] is not None:
            self._infix.setdefault(pattern[1], []).append(production)
        else:
            self.adjacent.append(production)
        for before, word in pairwise(pattern[1:]):
            if before is None and word is not None:
                self._inner.add(word)
        self._words.update(word for word in pattern if word is not None)

    def prefix(self, word: str) -> tuple[MixfixProduction[P], ...]:
        found = self._prefix_cache.get(word)
        if found is None:
            inherited = self._parent.prefix(word) if self._parent else ()
            found = self._prefix_cache[word] = (*self._prefix.get(word, ()), *inherited)
        return found

    def infix(self, word: str) -> tuple[MixfixProduction[P], ...]:
        found = self._infix_cache.get(word)
        if found is None:
            inherited = self._parent.infix(word) if self._parent else ()
            found = self._infix_cache[word] = (*self._infix.get(word, ()), *inherited)
        return found

    def is_inner(self, word: str) -> bool:
        """May `word` follow an argument inside some production?"""
        return word in self._inner or (self._parent is not None and self._parent.is_inner(word))

    def loosest_left(self, word: str) -> int:
        """The loosest level a term may have if `word` comes next; beyond it the term cannot be continued."""
        found = self._limit_cache.get(word)
        if found is None:
            if word in (")", ",") or self.is_inner(word) or word.startswith(":"):
                found = ANY
            else:
                rules = [*self.infix(word), *self.adjacent]
                found = max((rule.limits[0] for rule in rules), default=-1)
            self._limit_cache[word] = found
        return found

    def words(self) -> set[str]:
        """All words that occur in productions, for hints."""
        return self._words | self._parent.words() if self._parent else self._words


class Builder(Protocol[T, Payload_contra]):
    """What the parser asks of the theory."""

    def atoms(self, word: str) -> list[T]:
        """Constants, variables and literals spelled `word`."""

    def build(self, payload: Payload_contra, args: tuple[T, ...]) -> list[T]:
        """The terms a production makes of these arguments, none if they do not fit.

        An associative binary production may be given more than two.
        """

    def prefer(self, items: list[tuple[int, int, T]]) -> list[tuple[int, int, T]]:
        """Drop readings (end, level, term) of a stretch that give way to another one of the same stretch."""

    def may_start(self, payload: Payload_contra, term: T) -> bool:
        """Can this term be the first argument of what the payload builds?"""

    def qualify(self, term: T, word: str) -> T | None:
        """`(term):Sort`, where `word` is `:Sort`; None if the term is not of the sort."""


ParsedTerm = tuple[int, int, T]


class MixfixParser(Generic[T, P]):
    """One parse of one run of words."""

    def __init__(self, words: list[str], tables: MixfixTables[P], builder: Builder[T, P]) -> None:
        self.words = words
        self.tables = tables
        self.builder = builder
        self.size = len(words)
        self.farthest = 0
        self.work = WORK + 100 * len(words)
        self._memo: dict[tuple[int, int], list[ParsedTerm[T]]] = {}

    def parse(self) -> list[T]:
        """All readings of the whole run."""
        return [term for end, _, term in self.items(0, ANY) if end == self.size]

    def items(self, start: int, limit: int) -> list[ParsedTerm[T]]:
        """Terms from `start` on whose level is at most `limit`, as (end, level, term)."""
        key = (start, limit)
        known = self._memo.get(key)
        if known is not None:
            return known
        found: list[ParsedTerm[T]] = []
        self._memo[key] = found
        if start >= self.size:
            return found
        self.farthest = max(self.farthest, start)
        work = self._primaries(start, limit)
        seen: dict[int, int] = {}
        index = 0
        while index < len(work):
            item = work[index]
            index += 1
            end = item[0]
            count = seen.get(end, 0)
            if count >= MAX_READINGS or item in found:
                continue
            seen[end] = count + 1
            found.append(item)
            if end < self.size:
                self._extend(item, limit, work)
        if any(count > 1 for count in seen.values()):
            found[:] = self.builder.prefer(found)
        return found

    def _primaries(self, start: int, limit: int) -> list[ParsedTerm[T]]:
        word = self.words[start]
        work: list[ParsedTerm[T]] = [(start + 1, 0, term) for term in self.builder.atoms(word)]
        for production in self.tables.prefix(word):
            if production.level <= limit:
                self._complete(production, 1, start + 1, (), work)
        if word == "(":
            for end, _, term in self.items(start + 1, ANY):
                if end < self.size and self.words[end] == ")":
                    self._closed(end + 1, term, work)
        return work

    def _closed(self, end: int, term: T, work: list[ParsedTerm[T]]) -> None:
        """A term in parentheses, perhaps qualified by a sort."""
        if end < self.size and self.words[end].startswith(":"):
            word = self.words[end]
            after = end + 1
            if word == ":" and after < self.size:
                word, after = ":" + self.words[after], after + 1
            qualified = self.builder.qualify(term, word)
            if qualified is not None:
                work.append((after, 0, qualified))
        work.append((end, 0, term))

    def _extend(self, item: ParsedTerm[T], limit: int, work: list[ParsedTerm[T]]) -> None:
        end, level, term = item
        may_start = self.builder.may_start
        infix = self.tables.infix(self.words[end])
        for production in infix:
            if level <= production.limits[0] and production.level <= limit and may_start(production.payload, term):
                alone = production.associative and len(infix) == 1
                if not (alone and self._chain(production, end + 1, term, work)):
                    self._complete(production, 2, end + 1, (term,), work)
        for production in self.tables.adjacent:
            if level <= production.limits[0] and production.level <= limit and may_start(production.payload, term):
                alone = production.associative and len(self.tables.adjacent) == 1
                if not (alone and self._chain(production, end, term, work)):
                    self._complete(production, 1, end, (term,), work)

    def _chain(self, production: MixfixProduction[P], start: int, first: T, work: list[ParsedTerm[T]]) -> bool:
        """Read `a + b + c + ...` in one go if every operand has one reading; False to try the general way."""
        words, size = self.words, self.size
        separator = production.pattern[1]
        operands = [first]
        while True:
            found = [
                item for item in self.items(start, production.limits[0]) if self._ends_operand(item[0], production)
            ]
            if len(found) != 1:
                return False
            end, _, term = found[0]
            operands.append(term)
            if separator is not None and end < size and words[end] == separator:
                start = end + 1
            elif separator is None and end < size and self.items(end, production.limits[0]):
                if self.tables.loosest_left(words[end]) >= production.level:
                    return False
                start = end
            else:
                break
        built = self.builder.build(production.payload, tuple(operands))
        work.extend((end, production.level, term) for term in built)
        return bool(built)

    def _ends_operand(self, end: int, production: MixfixProduction[P]) -> bool:
        if end >= self.size:
            return True
        word = self.words[end]
        separator = production.pattern[1]
        if separator is None:
            return True
        return word == separator or self.tables.loosest_left(word) >= production.level

    def _complete(
        self, production: MixfixProduction[P], position: int, start: int, args: tuple[T, ...], work: list[ParsedTerm[T]]
    ) -> None:
        """Match the rest of a production's pattern from `start`; add what it makes to `work`."""
        pattern = production.pattern
        words = self.words
        size = self.size
        states: list[tuple[int, tuple[T, ...]]] = [(start, args)]
        last = len(pattern) - 1
        while position <= last:
            word = pattern[position]
            following: list[tuple[int, tuple[T, ...]]] = []
            if word is not None:
                for at, got in states:
                    if at < size and words[at] == word:
                        following.append((at + 1, got))
                    elif at > self.farthest:
                        self.farthest = at
            else:
                expected = pattern[position + 1] if position < last else None
                for at, got in states:
                    limit = production.limits[len(got)]
                    for end, _, term in self.items(at, limit):
                        if expected is None or (end < size and words[end] == expected):
                            following.append((end, (*got, term)))
            if not following:
                return
            states = following
            position += 1
        self._build(production, states, work)

    def _build(
        self, production: MixfixProduction[P], states: list[tuple[int, tuple[T, ...]]], work: list[ParsedTerm[T]]
    ) -> None:
        """Add the terms that a production makes of its arguments to `work`; `states` are ends with arguments."""
        words = self.words
        size = self.size
        open_ended = production.pattern[-1] is None
        level = production.level
        for end, got in states:
            if open_ended and end < size and level > self.tables.loosest_left(words[end]):
                continue
            for term in self.builder.build(production.payload, got):
                work.append((end, level, term))
                self.work -= 1
                if self.work < 0:
                    raise TooAmbiguous
