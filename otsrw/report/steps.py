"""How the events of rewriting by hand look."""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.proofs.answers import Naming
from otsrw.proofs.steps import ConditionDecided, Matched, PartShown, RulesMatched, Stepped
from otsrw.report.events import StyledLine, layout, lines_of
from otsrw.report.modules import axiom_line, show_tree
from otsrw.theory.morphisms import Substitution


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
