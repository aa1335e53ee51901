"""OTS to Maude: translation, bounded search in a worker process, replay."""

from otsrw.search.module import MaudeModule, translate
from otsrw.search.results import SearchResult
from otsrw.search.session import KeptState, Limits, Progress, confirm, reachable, search

__all__ = [
    "KeptState",
    "Limits",
    "MaudeModule",
    "Progress",
    "SearchResult",
    "confirm",
    "reachable",
    "search",
    "translate",
]
