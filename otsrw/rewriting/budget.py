"""Budgets: how many rewrites and how much time one reduction may take before it is stopped with an error."""

from __future__ import annotations

import time

from otsrw.syntax.diagnostics import BudgetExceeded

DEFAULT_REWRITES = 200_000_000
TICK = 1_000
"""Rewrites between two looks at the clock."""

SWEEP_EVERY = 100
"""Looks at the clock between two looks at the memory."""

MAX_DEPTH = 1_000_000
"""Python frames one reduction may nest; a term of depth 100 000 needs some 300 000."""


class Budget:
    """What a session may spend; `deadline` is in the time of `time.monotonic`."""

    def __init__(self, max_rewrites: int = DEFAULT_REWRITES, deadline: float | None = None) -> None:
        self.max_rewrites = max_rewrites
        self.deadline = deadline

    @classmethod
    def of(cls, max_rewrites: int | None = None, timeout: float | None = None) -> Budget:
        deadline = None if timeout is None else time.monotonic() + timeout
        return cls(max_rewrites or DEFAULT_REWRITES, deadline)

    def check_time(self) -> None:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise BudgetExceeded("E402", "the time budget is spent", hint="give more with --timeout")

    def check_rewrites(self, spent: int) -> None:
        if spent > self.max_rewrites:
            raise BudgetExceeded(
                "E401",
                f"the rewrite budget is spent ({self.max_rewrites} rewrites)",
                hint="an equation may loop; give more with --max-rewrites, or look with --trace",
            )
