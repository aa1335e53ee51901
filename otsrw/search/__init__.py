"""The reachable states of an OTS: the contract `StateSpace`, by Maude and by rewriting; the translation to Maude."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otsrw.on_demand import entries

if TYPE_CHECKING:
    from otsrw.search.fallback import FallbackSpace, maude_or_rewriting
    from otsrw.search.maude_space import MaudeSpace
    from otsrw.search.module import MaudeModule, translate
    from otsrw.search.results import KeptState, Progress, Reachable, SearchResult
    from otsrw.search.rewriting_space import RewritingSpace
    from otsrw.search.space import Limits, OutOfLimits, SearchListener, StateSpace
else:
    __getattr__ = entries(
        __name__,
        fallback="FallbackSpace maude_or_rewriting",
        maude_space="MaudeSpace",
        module="MaudeModule translate",
        results="KeptState Progress Reachable SearchResult",
        rewriting_space="RewritingSpace",
        space="Limits OutOfLimits SearchListener StateSpace",
    )

__all__ = [
    "FallbackSpace",
    "KeptState",
    "Limits",
    "MaudeModule",
    "MaudeSpace",
    "OutOfLimits",
    "Progress",
    "Reachable",
    "RewritingSpace",
    "SearchListener",
    "SearchResult",
    "StateSpace",
    "maude_or_rewriting",
    "translate",
]
