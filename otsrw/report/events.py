"""What a session tells, as lines: the one place that knows how an event looks, and in which colour."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from otsrw.proofs.answers import Naming, TermCommandKind
from otsrw.proofs.events import (
    ConditionDecided,
    Echoed,
    EventListener,
    Matched,
    ModuleShown,
    Parsed,
    PartShown,
    ProblemFound,
    Reduced,
    Reducing,
    RulesMatched,
    SessionEvent,
    Stepped,
    TermShown,
    Traced,
)
from otsrw.report.console import Console
from otsrw.report.modules import axiom_line, describe_module, show_tree
from otsrw.rewriting.search import SearchNote
from otsrw.theory.morphisms import Substitution, substitute
from otsrw.theory.printing import show, show_with_sort

_TITLES = {
    TermCommandKind.REDUCE: "reduce",
    TermCommandKind.EXECUTE: "execute",
    TermCommandKind.BEHAVIOURAL_REDUCE: "behavioural reduce",
}
_STYLES = {"true": "green", "false": "red"}


class StyledLine(NamedTuple):
    """A piece of text, which may have several lines, and its style; None is plain."""

    text: str
    style: str | None = None


E = TypeVar("E", bound=SessionEvent)
Layout = Callable[[E], Iterator[StyledLine]]

_LAYOUTS: dict[type, Layout[Any]] = {}


def layout(kind: type[E]) -> Callable[[Layout[E]], Layout[E]]:
    """Register how events of a kind are shown; events of other kinds are not shown."""

    def register(function: Layout[E]) -> Layout[E]:
        _LAYOUTS[kind] = function
        return function

    return register


def lines_of(event: SessionEvent) -> Iterator[StyledLine]:
    """The lines that show an event; a problem has none, it goes another way."""
    found = _LAYOUTS.get(type(event))
    return iter(()) if found is None else found(event)


def telling(console: Console) -> EventListener:
    """A listener that prints what happens, when it happens."""

    def tell(event: SessionEvent) -> None:
        if isinstance(event, ProblemFound):
            console.problem(event.problem)
        elif console.tells:
            for line in lines_of(event):
                console.line(line.text, line.style)

    return tell


# --- reductions


@layout(Reducing)
def _(event: Reducing) -> Iterator[StyledLine]:
    shown = Naming.of(event.module).with_sort(event.term)
    yield StyledLine(f"-- {_TITLES[event.command]} in {event.module.name} : {shown}", "dim")


@layout(Reduced)
def _(event: Reduced) -> Iterator[StyledLine]:
    answer = event.answer
    for note in answer.notes:
        yield from _search_lines(note, answer.naming)
    yield StyledLine(answer.shown_result, _STYLES.get(answer.result or ""))
    yield StyledLine(f"({answer.seconds:.4f} sec for {answer.rewrites} rewrites)")


@layout(Parsed)
def _(event: Parsed) -> Iterator[StyledLine]:
    yield StyledLine(event.answer.shown_result)


def _search_lines(note: SearchNote, naming: Naming) -> Iterator[StyledLine]:
    if note.state is None:
        yield StyledLine(note.text)
        return
    bindings = ", ".join(f"{v.op.name}:{v.sort.name} |-> {naming.text(t)}" for v, t in note.bindings)
    yield StyledLine(f"** Found [state 0-{note.number}] {show_with_sort(note.state, naming.variables)}")
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


# --- rewriting by hand


@layout(Stepped)
def _(event: Stepped) -> Iterator[StyledLine]:
    title = f"-- condition({event.conditions})" if event.conditions else "result"
    yield StyledLine(f"{title} {event.naming.text(event.term)} : {event.naming.sort(event.term)}")


@layout(ConditionDecided)
def _(event: ConditionDecided) -> Iterator[StyledLine]:
    yield from lines_of(event.condition)
    holds = "condition is satisfied, applying rule"
    yield StyledLine(f"-- {holds if event.holds else 'condition is not satisfied, rule not applied'}")


@layout(PartShown)
def _(event: PartShown) -> Iterator[StyledLine]:
    yield StyledLine(f"term {event.naming.text(event.part)} : {event.naming.sort(event.part)}")
    yield StyledLine(show_tree(event.part))


@layout(Matched)
def _(event: Matched) -> Iterator[StyledLine]:
    for bindings in event.found:
        yield StyledLine(f"-- match success.\n substitution : {_values(bindings, event.naming)}")
    yield StyledLine("-- No more match" if event.found else "-- no match")


@layout(RulesMatched)
def _(event: RulesMatched) -> Iterator[StyledLine]:
    naming = Naming.of(event.module)
    subject = naming.text(event.subject)
    yield StyledLine(f"{'== matching rules to' if event.found else 'no rules found for'} term : {subject}")
    for sign, number, axiom, bindings in event.found:
        yield StyledLine(f"{sign}{event.module.name}.{number} is {axiom_line(axiom, naming.variables)}")
        yield StyledLine(f" substitution : {_values(bindings, naming)}")


def _values(bindings: Substitution, naming: Naming) -> str:
    values = ", ".join(f"{naming.text(v)} |-> {naming.text(t)}" for v, t in bindings.items())
    return f"{{ {values} }}" if values else "{}"
