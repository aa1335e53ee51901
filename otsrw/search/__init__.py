"""The reachable states of an OTS: the contract `StateSpace`, by Maude and by rewriting; the translation to Maude."""

from otsrw.search.fallback import FallbackSpace, maude_or_rewriting
from otsrw.search.maude_space import MaudeSpace
from otsrw.search.module import MaudeModule, translate
from otsrw.search.results import KeptState, Progress, Reachable, SearchResult
from otsrw.search.rewriting_space import RewritingSpace
from otsrw.search.space import Limits, OutOfLimits, SearchListener, StateSpace

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
