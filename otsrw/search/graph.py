"""All states within some steps with the events between them, made by Maude.

The same as `graph_by_rewriting`, which is what it is tested against, in a fraction of the time: Maude makes the states
and tells every term once, by a number.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn

from otsrw.ots.graph import Progress as Told
from otsrw.ots.graph import StateGraph, graph_by_rewriting
from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant
from otsrw.ots.run import ReplayMismatch
from otsrw.ots.stepping import Action, State, Stepper
from otsrw.search.module import MaudeModule, translate
from otsrw.search.session import USUAL_LIMITS, Limits, StateReader, conversation, request_for, try_first_steps
from otsrw.syntax.diagnostics import OtsrwError, ProblemKind
from otsrw.theory.terms import Term

_NOT_FOR_MAUDE = (ProblemKind.NOT_TRANSLATED, ProblemKind.NOT_INSTALLED)


def state_graph(
    instance: Instance,
    depth: int | None = None,
    invariant: Invariant | None = None,
    max_states: int | None = None,
    progress: Told | None = None,
    limits: Limits = USUAL_LIMITS,
) -> StateGraph:
    """R<=depth with its events; by rewriting if Maude is not there or has no word for something.

    Raises `OutOfLimits` when the time or the memory is spent.
    """
    try_first_steps(instance)
    try:
        module = translate(instance, [] if invariant is None else [invariant], events=True)
        return _Reading(instance, module, invariant).graph(depth, max_states, progress, limits)
    except OtsrwError as error:
        if error.problem.kind not in _NOT_FOR_MAUDE:
            raise
        return graph_by_rewriting(instance, depth, invariant, max_states, progress)


class _Reading:
    """Makes our states and actions from the numbered terms."""

    def __init__(self, instance: Instance, module: MaudeModule, invariant: Invariant | None) -> None:
        self.instance = instance
        self.module = module
        self.invariant = invariant
        self.reader = StateReader(instance, module)
        self.transitions = {transition.name: transition for transition in instance.ots.transitions}
        self.entries: list[list[Any]] = []
        self.terms: dict[int, Term] = {}
        self.slots: dict[int, tuple[tuple[object, ...], Term]] = {}
        self.actions: dict[int, Action] = {}
        self.found = StateGraph(instance, initial=list(range(len(module.initials))))

    def graph(self, depth: int | None, max_states: int | None, progress: Told | None, limits: Limits) -> StateGraph:
        request = {
            **request_for(self.module, self.invariant),
            "depth": depth,
            "max_states": max_states,
            "graph": True,
        }
        tell = progress or (lambda *seen: None)
        found = self.found
        for message in conversation(request, limits, lambda seen: tell(seen.depth, seen.states, seen.seconds)):
            if message["kind"] == "part":
                self._read(message)
            elif message["kind"] == "stuck":
                self._explain(message["state"])
            elif message["kind"] == "done":
                return replace(found, depth=message["depth"], expanded=message["expanded"], cut=message["cut"])
        raise AssertionError("the worker ended without an answer")

    def _read(self, message: dict[str, Any]) -> None:
        self.entries += message["terms"]
        found = self.found
        undecided = None
        for elements, violates in message["states"]:
            slots = dict(self._slot(number) for number in elements if self.entries[number][0] != self.module.ready)
            found.states.append(tuple([slots[(slot.observer.symbol, *slot.indexes)] for slot in self.instance.slots]))
            if violates == "true":
                found.bad.add(len(found.states) - 1)
            elif violates != "false" and undecided is None:
                undecided = len(found.states) - 1
        found.steps.extend((source, self._action(event), target) for source, event, target in message["steps"])
        if undecided is not None:
            self._explain(undecided)

    def _slot(self, number: int) -> tuple[tuple[object, ...], Term]:
        """An observer with its indexes, and the value."""
        known = self.slots.get(number)
        if known is None:
            name, *arguments = self.entries[number]
            *indexes, value = map(self._term, arguments)
            known = self.slots[number] = (self.module.elements[name].symbol, *indexes), value
        return known

    def _action(self, number: int) -> Action:
        known = self.actions.get(number)
        if known is None:
            name, *arguments = self.entries[number]
            event = self.module.events[name]
            values = dict(zip(event.variables, map(self._term, arguments), strict=True))
            known = self.actions[number] = Action(self.transitions[event.transition], event.at(values))
        return known

    def _term(self, number: int) -> Term:
        known = self.terms.get(number)
        if known is None:
            name, *arguments = self.entries[number]
            known = self.terms[number] = self.reader.applied(name, tuple(map(self._term, arguments)))
        return known

    def _explain(self, number: int) -> NoReturn:
        """Maude met something that has no value: our engine meets it, too, and says what it is."""
        stepper = Stepper(self.instance)
        state = State(self.found.states[number], self.found.histories[number])
        for _ in stepper.successors(state):
            pass
        if self.invariant is not None:
            for _ in stepper.violations(self.invariant, state):
                pass
        raise ReplayMismatch("Maude finds no value where the equations give one")
