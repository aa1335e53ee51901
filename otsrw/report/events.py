"""What a session tells, as lines: the one place that knows how an event looks, and in which colour."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, TypeVar

from otsrw.proofs.answers import Naming, TermCommandKind
from otsrw.proofs.events import (
    Answered,
    Echoed,
    EventListener,
    ModuleShown,
    ProblemFound,
    Reducing,
    SessionEvent,
    TermShown,
    Traced,
)
from otsrw.records import NamedTuple
from otsrw.report.console import Console
from otsrw.report.modules import describe_module, show_tree
from otsrw.rewriting.search import SearchNote
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show, show_with_sort, with_sort

_TITLES = {
    TermCommandKind.REDUCE: "reduce",
    TermCommandKind.EXECUTE: "execute",
    TermCommandKind.BEHAVIOURAL_REDUCE: "bhavioral reduce",  # as CafeOBJ spells it
}
_STYLES = {"true": "green", "false": "red"}


class StyledLine(NamedTuple):
    """A piece of text, which may have several lines, and its style; None is plain."""

    text: str
    style: str | None = None


E = TypeVar("E", bound=SessionEvent)
Layout = Callable[[E], Iterator[StyledLine]]

_LAYOUTS: dict[type, Layout[Any]] = {}

_LAID_OUT_ELSEWHERE = {
    "otsrw.proofs.steps": "otsrw.report.steps",
    "otsrw.proofs.requests": "otsrw.report.requests",
    "otsrw.proofs.citp.events": "otsrw.report.citp",
    "otsrw.proofs.citp.inspecting": "otsrw.report.inspecting",
}
"""Families with events of their own: the module of the events, and the one that says how they look."""


def layout(kind: type[E]) -> Callable[[Layout[E]], Layout[E]]:
    """Register how events of a kind are shown; events of other kinds are not shown."""

    def register(function: Layout[E]) -> Layout[E]:
        _LAYOUTS[kind] = function
        return function

    return register


def lines_of(event: SessionEvent) -> Iterator[StyledLine]:
    """The lines that show an event; a problem has none, it goes another way."""
    found = _LAYOUTS.get(type(event)) or _loaded_layout(type(event))
    return iter(()) if found is None else found(event)


def _loaded_layout(kind: type) -> Layout[Any] | None:
    """The layout of an event whose layouts are not loaded before one is needed; None if there is none."""
    home = _LAID_OUT_ELSEWHERE.get(kind.__module__)
    if home is not None:
        import_module(home)
    return _LAYOUTS.get(kind)


def telling(console: Console) -> EventListener:
    """A listener that prints what happens, when it happens."""

    tells, line = console.tells, console.line

    def tell(event: SessionEvent) -> None:
        if isinstance(event, ProblemFound):
            console.problem(event.problem)
        elif tells:
            for text, style in lines_of(event):
                line(text, style)

    return tell


# --- reductions


@layout(Reducing)
def _(event: Reducing) -> Iterator[StyledLine]:
    module, term = event.module, event.term
    shown = with_sort(show(term, module.variables), term, module.signature.sort_names)
    yield StyledLine(f"-- {_TITLES[event.command]} in {module.name} : {shown}", "dim")


@layout(Answered)
def _(event: Answered) -> Iterator[StyledLine]:
    answer = event.answer
    if answer.normal_form is None:
        return
    if answer.command is TermCommandKind.PARSE:
        yield StyledLine(answer.shown_result)
        return
    for note in answer.notes:
        yield from search_lines(note, answer.naming)
    yield StyledLine(answer.shown_result, _STYLES.get(answer.result or ""))
    yield StyledLine(f"({answer.seconds:.4f} sec for {answer.rewrites} rewrites)")


def search_lines(note: SearchNote, naming: Naming) -> Iterator[StyledLine]:
    """What a search found, or why it ended."""
    if note.state is None or note.pattern is None:
        yield StyledLine(note.text)
        return
    bindings = ", ".join(f"{v.op.name}:{v.sort.name} |-> {naming.text(t)}" for v, t in note.bindings)
    yield StyledLine(f"** Found [state 0-{note.number}] {show_with_sort(note.state, naming.variables)}")
    yield StyledLine(f"-- target: {naming.text(note.pattern)}")
    yield StyledLine(f"    {{ {bindings} }}" if bindings else "    {}")


@layout(Traced)
def _(event: Traced) -> Iterator[StyledLine]:
    rule, number, naming = event.rule, event.number, event.naming
    label = f"[{rule.axiom.label}] " if rule.axiom.label else ""
    where = ".".join(str(i + 1) for i in event.place) or "top"
    condition = "" if rule.condition is None else f" if {show(rule.condition)}"
    yield StyledLine(f"{number}> at {where}: {label}{show(rule.lhs)} = {show(rule.rhs)}{condition}")
    values = ", ".join(f"{v.op.name} |-> {naming.text(value)}" for v, value in event.bindings.items())
    yield StyledLine(f"{number}  {{ {values} }}" if values else f"{number}  {{ }}")
    redex, contracted = (naming.text(substitute(side, event.bindings)) for side in (rule.lhs, rule.rhs))
    yield StyledLine(f"{number}< {redex} --> {contracted}")


# --- what is shown


@layout(Echoed)
def _(event: Echoed) -> Iterator[StyledLine]:
    yield StyledLine(event.text)


@layout(ModuleShown)
def _(event: ModuleShown) -> Iterator[StyledLine]:

    yield StyledLine(describe_module(event.module, event.aspect, event.name))


@layout(TermShown)
def _(event: TermShown) -> Iterator[StyledLine]:

    yield StyledLine(show_tree(event.term) if event.as_tree else show_with_sort(event.term))
