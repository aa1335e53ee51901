"""The state space of an instance as Maude sees it.

What Maude says is not believed: the run of a violation is replayed by rewriting, and where Maude finds no value, the
rewriting engine has to find none, too, and says what it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing
from functools import wraps
from itertools import islice
from typing import Concatenate, NoReturn, ParamSpec, TypeVar

from otsrw.ots.graph import StateGraph
from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant
from otsrw.ots.run import ReplayMismatch, Run, replay
from otsrw.ots.stepping import State, Stepper, Values
from otsrw.ots.symmetry import Symmetry
from otsrw.records import replace
from otsrw.search.groups import groups_in
from otsrw.search.maude_worker.messages import (
    Explore,
    Finished,
    GraphDone,
    GraphPart,
    GraphStuck,
    Load,
    MakeGraph,
    Request,
    StatesPart,
    Stuck,
    TellSample,
    TellStates,
    Violation,
    Walk,
    Walked,
    WorkerAnswer,
)
from otsrw.search.module import MaudeModule, translate
from otsrw.search.process import Conversation, MaudeProcess, MaudeWorker
from otsrw.search.reading import SoupReader
from otsrw.search.results import KeptState, Progress, Reachable, SampledStates, SearchResult, unfinished
from otsrw.search.rewriting_space import RewritingSpace
from otsrw.search.space import USUAL_LIMITS, Limits, OutOfLimits, SearchListener
from otsrw.soundness import has_one_meaning
from otsrw.syntax.diagnostics import OtsrwError

_FIRST_STEPS = 20

_P = ParamSpec("_P")
_T = TypeVar("_T")


class DecidedByRewriting(Exception):
    """Maude finds no value where the equations give one."""


def _or_rewriting(ask: Callable[Concatenate[MaudeSpace, _P], _T]) -> Callable[Concatenate[MaudeSpace, _P], _T]:
    """A question that the rewriting engine answers where Maude gives no answer, or another one.

    Maude's connectives decide less than ours: `f(x) or not f(x)` in an equation, where f(x) has no value. And Maude may
    try equations and matches in another order: what it says of a specification whose values depend on that is not used.
    """

    @wraps(ask)
    def answered(space: MaudeSpace, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return ask(space, *args, **kwargs)
        except (DecidedByRewriting, ReplayMismatch) as reason:
            if isinstance(reason, ReplayMismatch) and has_one_meaning(space.instance.base):
                raise
            answer: _T = getattr(RewritingSpace(space.instance), ask.__name__)(*args, **kwargs)
            return with_care(space.instance, answer)

    return answered


def with_care(instance: Instance, answer: _T) -> _T:
    """An answer of the rewriting engine, to which states are one state if they differ only outside of the entities."""
    if not instance.incomplete:
        return answer
    if isinstance(answer, SearchResult):
        return replace(answer, merged=True)
    if isinstance(answer, StateGraph):
        names = ", ".join(sort.name for sort in instance.incomplete)
        raise OtsrwError(
            "E544",
            f"the states cannot be told apart: what happens may depend on elements of {names} that are no entities",
            hint=f"give more of them, --with {instance.incomplete[0].name}=..., all that the specification names",
        )
    return answer


class MaudeSpace:
    """Asks Maude, in a process that can be stopped at any time.

    In a `with` block one process answers all questions, and it lives, with the memory it has taken, to the end of the
    block; otherwise each question has its own. The module is translated once, and again only for the violations of an
    invariant that was not asked for before.
    """

    def __init__(
        self,
        instance: Instance,
        start: Callable[[], MaudeWorker] = MaudeProcess,
        conversation: Conversation | None = None,
    ) -> None:
        self.instance = instance
        self._conversation = conversation or Conversation(start)
        self._searched = _Translation(instance, events=False)
        self._graphed = _Translation(instance, events=True)
        self._tried = False

    def of(self, instance: Instance) -> MaudeSpace:
        """The space of another instance, which the same process answers for."""
        return MaudeSpace(instance, conversation=self._conversation)

    def __enter__(self) -> MaudeSpace:
        self._conversation.hold()
        return self

    def __exit__(self, *exception: object) -> None:
        self._conversation.release()

    @_or_rewriting
    def search(
        self,
        invariant: Invariant | None,
        depth: int,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
    ) -> SearchResult:
        self._try_first_steps()
        module = self._searched.module(invariant)
        start = time.monotonic()
        seen = Progress(0, 0, 0.0, 0)

        def listen(progress: Progress) -> None:
            nonlocal seen
            seen = progress
            if listener is not None:
                listener(progress)

        try:
            with closing(self._ask(module, Explore(depth, _predicate(module, invariant)), limits, listen)) as answers:
                for answer in answers:
                    if isinstance(answer, Violation | Stuck | Finished):
                        break
                else:
                    raise AssertionError("the worker ended without a verdict")
            found = search_result(self.instance, module, invariant, depth, answer)
            return replace(found, seconds=time.monotonic() - start)
        except OutOfLimits as stop:
            return unfinished(self.instance, invariant, replace(seen, seconds=time.monotonic() - start), str(stop))

    @_or_rewriting
    def reachable(self, depth: int, limits: Limits = USUAL_LIMITS, listener: SearchListener | None = None) -> Reachable:
        self._try_first_steps()
        module = self._searched.module(None)
        reader = SoupReader(self.instance, module)
        kept: list[KeptState] = []
        with closing(self._ask(module, TellStates(depth), limits, listener)) as answers:
            for answer in answers:
                if isinstance(answer, Stuck):
                    explain(self.instance, module, answer, None)
                elif isinstance(answer, StatesPart):
                    reader.learn(answer.terms)
                    kept += [
                        KeptState(number, parent, reader.transition(rule), reader.values(soup))
                        for number, parent, rule, soup in answer.states
                    ]
                elif isinstance(answer, Finished):
                    return Reachable(kept, answer.exhausted)
        raise AssertionError("the worker ended without an answer")

    @_or_rewriting
    def sample(
        self,
        states: int,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
        symmetry: Symmetry | None = None,
    ) -> SampledStates:
        self._try_first_steps()
        module = self._searched.module(None)
        reader = SoupReader(self.instance, module)
        found: dict[Values, None] = {}
        request = TellSample(states, None if symmetry is None else groups_in(module, symmetry))
        with closing(self._ask(module, request, limits, listener)) as answers:
            for answer in answers:
                if isinstance(answer, Stuck):
                    explain(self.instance, module, answer, None)
                elif isinstance(answer, StatesPart):
                    reader.learn(answer.terms)
                    found.update(dict.fromkeys(reader.values(soup) for *_, soup in answer.states))
                elif isinstance(answer, Finished):
                    return SampledStates(list(found), answer.exhausted)
        raise AssertionError("the worker ended without an answer")

    @_or_rewriting
    def graph(
        self,
        depth: int | None = None,
        invariant: Invariant | None = None,
        max_states: int | None = None,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
    ) -> StateGraph:
        self._try_first_steps()
        module = self._graphed.module(invariant)
        reader = SoupReader(self.instance, module)
        found = StateGraph(self.instance, initial=list(range(len(module.initials))))
        request = MakeGraph(depth, max_states, _predicate(module, invariant))
        with closing(self._ask(module, request, limits, listener)) as answers:
            for answer in answers:
                if isinstance(answer, GraphPart):
                    undecided = reader.add_to(found, answer)
                    if undecided is not None:
                        self._explain_state(found, undecided, invariant)
                elif isinstance(answer, GraphStuck):
                    self._explain_state(found, answer.state, invariant)
                elif isinstance(answer, GraphDone):
                    return replace(found, depth=answer.depth, expanded=answer.expanded, cut=answer.cut)
        raise AssertionError("the worker ended without an answer")

    def confirm(self, run: Run, invariant: Invariant, limits: Limits = USUAL_LIMITS) -> bool:
        module = self._searched.module(invariant)
        labels = {transition: label for label, transition in module.labels.items()}
        names = [None, *(labels[action.transition.name] for action in run.actions)]
        steps = [(name, module.write(state.values)) for name, state in zip(names, run.states, strict=True)]
        with closing(self._ask(module, Walk(steps, module.violations[invariant.name]), limits, None)) as answers:
            return any(isinstance(answer, Walked) and answer.fine for answer in answers)

    def _ask(
        self, module: MaudeModule, request: Request, limits: Limits, listener: SearchListener | None
    ) -> Generator[WorkerAnswer, None, None]:
        in_lines = isinstance(request, TellSample) and request.symmetry is not None
        text = module.in_lines if in_lines else module.text
        loaded = Load(module.name, text, module.states, list(module.initials))
        return self._conversation.ask(loaded, request, limits, listener)

    def _try_first_steps(self) -> None:
        if not self._tried:
            try_first_steps(self.instance)
            self._tried = True

    def _explain_state(self, graph: StateGraph, number: int, invariant: Invariant | None) -> NoReturn:
        find_missing_value(self.instance, State(graph.states[number], graph.histories[number]), invariant)


def search_result(
    instance: Instance,
    module: MaudeModule,
    invariant: Invariant | None,
    depth: int,
    answer: Violation | Stuck | Finished,
) -> SearchResult:
    """The result of a search that ended with this answer; the run of a violation is replayed."""
    if isinstance(answer, Stuck):
        explain(instance, module, answer, invariant)
    run = None
    if isinstance(answer, Violation):
        reader = SoupReader(instance, module)
        reader.learn(answer.terms)
        run = replay(Stepper(instance), reader.path(answer.path), invariant, by_first=True)
    return SearchResult(
        verdict="holds" if run is None else "violated",
        invariant=invariant,
        entities=instance.given,
        states=answer.seen.states,
        depth=answer.depth if isinstance(answer, Violation) else depth,
        levels=tuple(answer.seen.levels),
        exhausted=isinstance(answer, Finished) and answer.exhausted,
        run=run,
        seconds=0.0,
        memory=answer.seen.memory,
    )


def explain(instance: Instance, module: MaudeModule, stuck: Stuck, invariant: Invariant | None) -> NoReturn:
    """Maude met something that has no value: our engine meets it, too, and says what it is."""
    reader = SoupReader(instance, module)
    reader.learn(stuck.terms)
    run = replay(Stepper(instance), reader.path(stuck.path), by_first=True)
    find_missing_value(instance, run.states[-1], invariant)


def try_first_steps(instance: Instance) -> None:
    """Equations that loop are found here, within our budgets: Maude would never come back."""
    stepper = Stepper(instance)
    for state in stepper.initial_states()[:1]:
        for _ in islice(stepper.successors(state), _FIRST_STEPS):
            pass


def find_missing_value(instance: Instance, state: State, invariant: Invariant | None) -> NoReturn:
    """Raise the error that says what has no value in a state; `DecidedByRewriting` if everything has one."""
    stepper = Stepper(instance)
    if invariant is not None:
        next(stepper.violations(invariant, state), None)
    for transition in instance.ots.transitions:
        for action in stepper.actions(transition, state):
            stepper.apply(action, state)
    raise DecidedByRewriting


class _Translation:
    """The module of an instance with the violations that were asked for so far."""

    def __init__(self, instance: Instance, events: bool) -> None:
        self._instance = instance
        self._events = events
        self._invariants: dict[str, Invariant] = {}
        self._module: MaudeModule | None = None

    def module(self, invariant: Invariant | None) -> MaudeModule:
        """The module with the violations of this invariant, and perhaps of others; without one, any will do."""
        asked = self._invariants
        if invariant is not None and asked.get(invariant.name) is not invariant:
            asked = {**asked, invariant.name: invariant}
        elif self._module is not None:
            return self._module
        self._module = translate(self._instance, asked.values(), events=self._events)
        self._invariants = asked
        return self._module


def _predicate(module: MaudeModule, invariant: Invariant | None) -> str | None:
    return None if invariant is None else module.violations[invariant.name]
