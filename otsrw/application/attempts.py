"""Proofs of one invariant in several words: those of the specification, and wider ones if these do not do.

The first proof has the words of the specification. If it is not done soon, lemmas may speak of the elements of lists
that states hold, or of the entities that a number counts (ghost observers). Both are said in modules over the
specification. If none of them decides the invariant, the first proof goes on with all cases that it may have.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from otsrw.application.ghosts import WithGhosts, with_ghosts
from otsrw.application.lists import WithLists, with_lists
from otsrw.application.stages import Decided, Recognised
from otsrw.induction import IgfVerdict
from otsrw.induction.procedure import SecondLook, given_up, out_of_cases
from otsrw.induction.prover import OUT_OF_TIME
from otsrw.induction.results import WANTS_ELEMENTS
from otsrw.records import replace

if TYPE_CHECKING:
    from otsrw.application.deciding import DecisionQuestion

PLAIN_CASES = 400
"""Cases of a proof in the words of the specification before lemmas may speak of elements of lists."""
COUNTING_CASES = 150
"""Cases of such a proof before they may speak of who is counted, where the states show that a number counts."""
WIDER_CASES = 3000
"""Cases of a proof in wider words."""

Induced = Callable[[Recognised, "DecisionQuestion", Sequence[SecondLook]], Decided]
"""Induction for an invariant, within the limits of a question; looks may end it early."""


def attempted(recognised: Recognised, question: DecisionQuestion, induced: Induced) -> Decided:
    """The first proof that decides the invariant; if none does, what the first one leaves open."""
    if not question.options.strengthen or question.keeper is not None:
        return induced(recognised, question, ())
    attempts = _Attempts(recognised, question)
    first = induced(recognised, attempts.plain_question, (attempts.look,))
    if _is_decided(first) or first.result.grounds.missing:
        return first
    further: list[Decided] = []
    for wider, lemmas in attempts.wider():
        options = attempts.within(WIDER_CASES, first, *further).options
        asked = replace(question, options=replace(options, lemmas=(*options.lemmas, *lemmas)))
        found = induced(wider.recognised, asked, ())
        further.append(found)
        if _is_decided(found):
            return replace(found, left_out="; ".join(filter(None, (found.left_out, wider.note))))
    if not attempts.is_cut(first):
        return first
    if attempts.is_late:
        return replace(first, result=replace(first.result, reason=OUT_OF_TIME))
    return induced(recognised, attempts.within(None, *further), ())


def _is_decided(found: Decided) -> bool:
    return found.result.verdict is not IgfVerdict.UNKNOWN or found.result.was_interrupted


class _Attempts:
    """What may be tried for one question, and what is left of its time."""

    def __init__(self, recognised: Recognised, question: DecisionQuestion) -> None:
        self._recognised = recognised
        self._question = question
        self._started = time.monotonic()
        self._lists = with_lists(recognised)

    @cached_property
    def _ghosts(self) -> WithGhosts | None:
        question = self.within(None)
        return with_ghosts(self._recognised, question.invariant, question.entities, question.options.timeout)

    @property
    def look(self) -> SecondLook:
        """Ends the first proof after a while if there are ghost observers."""
        return SecondLook(COUNTING_CASES, lambda: self._ghosts is not None)

    @property
    def plain_question(self) -> DecisionQuestion:
        """The question for the first proof, which ends soon if it may speak of elements of lists later."""
        if self._lists is None:
            return self.within(None)
        short = self.within(PLAIN_CASES)
        return replace(short, options=replace(short.options, stops_for_elements=True))

    def within(self, cases: int | None, *before: Decided) -> DecisionQuestion:
        """The question with at most so many cases, the time that is left, and the work that others have left."""
        options = self._question.options
        most = [each for each in (cases, options.max_cases) if each is not None]
        left = None if options.timeout is None else max(0.1, options.timeout - (time.monotonic() - self._started))
        spent = sum(each.result.effort for each in before)
        work = None if options.max_work is None else max(0, options.max_work - spent)
        limited = replace(options, max_cases=min(most, default=None), max_work=work, timeout=left)
        return replace(self._question, options=limited)

    @property
    def is_late(self) -> bool:
        timeout = self._question.options.timeout
        return timeout is not None and time.monotonic() - self._started >= timeout

    def wider(self) -> Iterator[tuple[WithLists | WithGhosts, tuple[str, ...]]]:
        """The specification in wider words, each with lemmas to begin with, while there is time."""
        if self._lists is not None and not self.is_late:
            yield self._lists, ()
        if not self.is_late and self._ghosts is not None:
            yield self._ghosts, self._ghosts.ghosts.lemmas

    def is_cut(self, first: Decided) -> bool:
        """Was the first proof ended so that another one could be tried?"""
        most, reason = self._question.options.max_cases, first.result.reason
        may_go_on = most is None or most > PLAIN_CASES
        is_short = reason in (WANTS_ELEMENTS, given_up(COUNTING_CASES))
        return is_short or (may_go_on and reason == out_of_cases(PLAIN_CASES))
