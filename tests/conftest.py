"""Property tests are the same on every run; `HYPOTHESIS_PROFILE=explore` lets them look elsewhere."""

from __future__ import annotations

import gc
import os

from hypothesis import settings

gc.set_threshold(200_000, 20, 20)  # as the command line does: terms hold no cycles, and a test session holds many terms

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", derandomize=False, deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def pytest_sessionfinish() -> None:
    """Pytest looks for garbage five times when it ends.

    With the terms of a whole session that takes longer than xdist waits for a process before it interrupts it.
    """
    gc.freeze()
