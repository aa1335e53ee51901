"""The states after some states, one step away, for a search that is kept elsewhere.

A state is told as text: its elements, sorted, one a line. Its fingerprint is a hash of this text. With interchangeable
entities, every state is replaced by the one that stands for its orbit.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from typing import Any

import maude
from maude import _maude

from .loaded import memory
from .messages import Expand, Expanded, ExpansionEnd, Follow, Followed, Load, SoupText, SymmetryGroups
from .orbits import Orbits
from .packing import fingerprint, packed, unpacked
from .terms import TermTable, arguments

_MOST_ELEMENTS = 20_000
"""Elements whose terms are remembered."""


class Expander:
    """Steps from states of the module that is loaded; its soups have to be printed one element a line."""

    def __init__(self, module: Load, violation: str | None, symmetry: SymmetryGroups | None) -> None:
        self._loaded = maude.getModule(module.name)
        self._any = self._loaded.parseTerm(f"X:[{module.states}]")
        self._sort = next(sort for sort in self._loaded.getSorts() if str(sort) == module.states)
        self._soup: Any = self._loaded.parseTerm(f"X:{module.states} Y:{module.states}").symbol()
        self._initials = module.initials
        self._false = self._loaded.parseTerm("false")
        self._true = self._loaded.parseTerm("true")
        self._violates: Any = None
        if violation is not None:
            self._violates = self._loaded.parseTerm(f"{violation}(X:{module.states})").symbol()
        self._orbits: Orbits | None = None
        if symmetry is not None and symmetry.groups:  # without a group every orbit is one state
            self._orbits = Orbits(self._loaded, symmetry.groups, symmetry.commutative)
        self._elements: dict[str, Any] = {}
        self._known: dict[str, str] = {}
        self.rewrites = 0
        """Of all steps that were taken."""

    # --- states as terms and as text

    def has_value(self, term: Any) -> bool:
        """Is it a state? Otherwise some observer has no value."""
        return bool(term.getSort() <= self._sort)

    def text(self, term: Any) -> str:
        """The state that stands for a soup."""
        printed = str(term)
        known = self._known.get(printed)
        if known is None:
            elements = [line[1:-1] if line.startswith("(") else line for line in printed.split("\n")]
            if self._orbits is None:
                elements.sort()
            else:
                elements = self._orbits.canonical(elements, arguments(term) if len(elements) > 1 else [term])
            known = self._known[printed] = "\n".join(elements)
        return known

    def _term(self, text: str) -> Any:
        if len(self._elements) > _MOST_ELEMENTS:
            self._elements.clear()
        terms = []
        for element in text.split("\n"):
            term = self._elements.get(element)
            if term is None:
                term = self._elements[element] = self._loaded.parseTerm(element)
                term.reduce()
            terms.append(term)
        if len(terms) == 1:
            return terms[0]
        state = self._soup.makeTerm(terms)
        state.reduce()
        return state

    def starts(self) -> Iterator[Any]:
        for name in self._initials:
            term = self._loaded.parseTerm(name)
            term.reduce()
            yield term

    def successors(self, term: Any) -> Iterator[Any]:
        search = term.search(maude.ONE_STEP, self._any)
        step = _maude.RewriteSequenceSearch___next
        state_of, number_of = _maude.RewriteSequenceSearch_getStateTerm, _maude.RewriteSequenceSearch_getStateNr
        before = self.rewrites
        while step(search) is not None:
            self.rewrites = before + _maude.RewriteSequenceSearch_getRewriteCount(search)
            yield state_of(search, number_of(search))

    # --- one step from many states

    def expand(self, request: Expand) -> Expanded:
        """What follows the states of a request, each once; without states, the initial ones.

        It ends with the first state that violates the predicate or that has no value.
        """
        begin = time.process_time()
        self._known.clear()
        parents: list[int] = []
        texts: dict[str, None] = {}
        end, at = ExpansionEnd.COMPLETE, 0
        for parent, term in self._following(request.states):
            at = parent
            if not self.has_value(term):
                end = ExpansionEnd.NO_NEXT_VALUE
                break
            text = self.text(term)
            if text in texts:
                continue
            texts[text] = None
            parents.append(parent)
            if self._violates is not None and not self._is_fine(term):
                end = ExpansionEnd.VIOLATION if self._is_bad(term) else ExpansionEnd.NO_VERDICT
                break
        prints = base64.b64encode(b"".join(map(fingerprint, texts))).decode()
        told = packed(texts) if request.tell else ""
        return Expanded(prints, parents, told, end.value, at, memory(), time.process_time() - begin)

    def _following(self, states: str | None) -> Iterator[tuple[int, Any]]:
        if states is None:
            yield from ((0, term) for term in self.starts())
            return
        for parent, text in enumerate(unpacked(states)):
            for term in self.successors(self._term(text)):
                yield parent, term

    def _verdict(self, term: Any) -> Any:
        verdict = self._violates.makeTerm([term])
        verdict.reduce()
        return verdict

    def _is_fine(self, term: Any) -> bool:
        return bool(self._verdict(term).equal(self._false))

    def _is_bad(self, term: Any) -> bool:
        return bool(self._verdict(term).equal(self._true))

    # --- a run through given fingerprints

    def follow(self, request: Follow) -> Followed:
        """A run whose states have the fingerprints given: of a symmetric search, a run without renamings."""
        wanted = [bytes.fromhex(word) for word in request.fingerprints]
        table = TermTable()
        path: list[tuple[str | None, SoupText]] = []
        here = next((term for term in self.starts() if fingerprint(self.text(term)) == wanted[0]), None)
        if here is not None:
            path.append((None, table.soup(here)))
        for number in wanted[1:]:
            if here is None:
                break
            rule, here = self._step(here, number)
            if here is not None:
                path.append((rule, table.soup(here)))
        return Followed(table.news(), path)

    def _step(self, before: Any, wanted: bytes) -> tuple[str | None, Any]:
        search = before.search(maude.ONE_STEP, self._any)
        while _maude.RewriteSequenceSearch___next(search) is not None:
            number = _maude.RewriteSequenceSearch_getStateNr(search)
            term = search.getStateTerm(number)
            if self.has_value(term) and fingerprint(self.text(term)) == wanted:
                return str(search.getRule(number).getLabel()), term
        return None, None
