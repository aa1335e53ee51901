"""A line that shows on a terminal how far a long piece of work is; silent when nobody looks."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from otsrw.induction.results import News
    from otsrw.search.results import Progress


class ProgressView:
    """Does nothing: the output is not a terminal, or nobody wants to see it."""

    def task(self, title: str) -> None:
        """What is being done now."""

    def search_progress(self, progress: Progress) -> None:
        """How far a search is."""

    def igf_progress(self, news: News) -> None:
        """How far induction-guided falsification is."""
        self.say(f"{news.doing}; {news.lemmas} lemmas, {news.queue} waiting, {news.cases} cases, {news.states} states")

    def graph_progress(self, progress: Progress) -> None:
        """How far the making of a graph is."""
        rate = progress.states / progress.seconds if progress.seconds else 0.0
        self.say(f"depth {progress.depth}, {progress.states:,} states, {rate:,.0f} a second")

    def say(self, text: str) -> None:
        """Any other news."""


class _Live(ProgressView):
    """Is itself what is shown, made anew several times a second: the seconds go on when there is no news."""

    def __init__(self) -> None:
        self._title = self._news = ""
        self._started = time.monotonic()

    def __rich__(self) -> str:
        return f"{self._title}  {time.monotonic() - self._started:.0f} s  {self._news}"

    def task(self, title: str) -> None:
        self._title, self._news = title, ""

    def search_progress(self, progress: Progress) -> None:
        rate = progress.states / progress.seconds if progress.seconds else 0.0
        self.say(
            f"depth {progress.depth}, {progress.states:,} states, {rate:,.0f} a second, {progress.memory / 1e6:.0f} MB"
            f"{f'; {progress.doing}' if progress.doing else ''}"
        )

    def say(self, text: str) -> None:
        self._news = text


@contextmanager
def progress_view(wanted: bool) -> Iterator[ProgressView]:
    """A spinner on standard error while the work lasts."""
    if not wanted or not sys.stderr.isatty():
        yield ProgressView()
        return
    from rich.console import Console

    view = _Live()
    with Console(stderr=True).status(view):
        yield view
