"""How much work a proof takes, counted so that every machine counts the same.

The unit is the reduction. A step of the search for lemmas in sampled states is a fraction of one. A normal form that is
known already counts as many reductions as it took at first, so neither caches nor other processes change the count.
What other processes do only where they are there, such as the evaluation of a lemma in kept states, is not counted.
"""

from __future__ import annotations

from otsrw.syntax.diagnostics import BudgetExceeded

OUT_OF_WORK = "the budget of work is spent"
LOOKS = 20
"""Steps in sampled states that cost about as much as one reduction."""


class Effort:
    """The reductions of a proof so far, and at most so many; None: as many as it takes."""

    def __init__(self, most: int | None = None) -> None:
        self.most = most
        self.spent = 0
        self._looks = 0

    def add(self, reductions: int) -> None:
        """Count reductions of cases that were split."""
        self.spent += reductions

    def look(self, steps: int = 1) -> None:
        """Count steps in sampled states. Raises `BudgetExceeded`: one case may take very many of them."""
        self._looks += steps
        if self._looks >= LOOKS:
            self.spent += self._looks // LOOKS
            self._looks %= LOOKS
            self.check()

    def check(self) -> None:
        """Raise `BudgetExceeded` if there was too much work."""
        if self.most is not None and self.spent > self.most:
            raise BudgetExceeded("E401", OUT_OF_WORK, hint="give more with --max-work")
