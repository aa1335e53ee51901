"""Maude's answers as our terms, states and actions."""

from __future__ import annotations

from fractions import Fraction

from otsrw.ots.graph import StateGraph
from otsrw.ots.instance import Instance
from otsrw.ots.stepping import Action, Values
from otsrw.search.maude_worker.messages import GraphPart, SoupText, TermEntry
from otsrw.search.module import MaudeModule
from otsrw.search.strings import unquoted
from otsrw.theory.builtins import QuotedId
from otsrw.theory.terms import Term, literal_of


class SoupReader:
    """Reads one answer: terms are told by number, each once, and are made when they are needed."""

    def __init__(self, instance: Instance, module: MaudeModule) -> None:
        self._instance = instance
        self._module = module
        self._transitions = {transition.name: transition for transition in instance.ots.transitions}
        self._keys = [(slot.observer.symbol, *slot.indexes) for slot in instance.slots]
        self._entries: list[TermEntry] = []
        self._terms: dict[int, Term] = {}
        self._observed: dict[int, tuple[tuple[object, ...], Term]] = {}
        self._actions: dict[int, Action] = {}

    def learn(self, terms: list[TermEntry]) -> None:
        """Take terms that are mentioned from now on."""
        self._entries += terms

    def transition(self, rule: str | None) -> str | None:
        return None if rule is None else self._module.labels[rule]

    def values(self, soup: SoupText) -> Values:
        """The observed values of a state, slot by slot."""
        ready = self._module.ready
        found = dict([self._element(number) for number in soup if self._entries[number][0] != ready])
        return tuple([found[key] for key in self._keys])

    def path(self, steps: list[tuple[str | None, SoupText]]) -> list[tuple[str | None, Values]]:
        return [(self.transition(rule), self.values(soup)) for rule, soup in steps]

    def action(self, number: int) -> Action:
        """The event that a term stands for."""
        known = self._actions.get(number)
        if known is None:
            name, arguments = self._entries[number]
            event = self._module.events[name]
            values = dict(zip(event.variables, map(self._term, arguments), strict=True))
            known = self._actions[number] = Action(self._transitions[event.transition], event.at(values))
        return known

    def add_to(self, graph: StateGraph, part: GraphPart) -> int | None:
        """Add a part to a graph; the first state in which the invariant has no truth value, or None."""
        self.learn(part.terms)
        undecided = None
        for soup, violates in part.states:
            number = len(graph.states)
            graph.states.append(self.values(soup))
            if violates == "true":
                graph.bad.add(number)
            elif violates != "false" and undecided is None:
                undecided = number
        graph.steps.extend([(source, self.action(event), target) for source, event, target in part.steps])
        return undecided

    def _element(self, number: int) -> tuple[tuple[object, ...], Term]:
        """An observer with its indexes, and the value."""
        known = self._observed.get(number)
        if known is None:
            name, arguments = self._entries[number]
            *indexes, value = map(self._term, arguments)
            observer = self._module.elements[name]
            known = self._observed[number] = (observer.symbol, *indexes), value
        return known

    def _term(self, number: int) -> Term:
        known = self._terms.get(number)
        if known is None:
            name, arguments = self._entries[number]
            ours = [each for each in arguments if self._entries[each][0] != self._module.pad]
            known = self._terms[number] = self._applied(name, tuple(map(self._term, ours)))
        return known

    def _applied(self, name: str, args: tuple[Term, ...]) -> Term:
        """The operator, number, string or identifier that Maude calls so, with its arguments."""
        kind = self._instance.module.signature.order.kind
        for symbol in self._module.symbols.get(name, ()):
            count = 2 if symbol.assoc else len(args)
            if symbol.nargs == count and all(kind[a.sort] is k for a, k in zip(args, symbol.arg_kinds, strict=False)):
                return symbol.make(args)
        return literal_of(_literal_value(name))


def _literal_value(text: str) -> object:
    if text.startswith('"'):
        return unquoted(text)
    if text.startswith("'"):
        return QuotedId(text)
    return Fraction(text)
