"""Searching in a worker process that can be stopped at any time."""

from __future__ import annotations

import importlib.util
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant, StateOperator
from otsrw.ots.run import ReplayMismatch, Run, replay
from otsrw.ots.stepping import Stepper, Values
from otsrw.search.module import MaudeModule, translate
from otsrw.search.results import SearchResult
from otsrw.search.strings import unquoted
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import QuotedId
from otsrw.theory.terms import Term, literal_of

MAX_FIRST_STEPS = 20
_POLL = 0.1
_WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True, slots=True)
class Progress:
    """What a search has seen so far."""

    depth: int
    states: int
    seconds: float
    memory: int
    levels: tuple[int, ...] = ()
    """States of R<=k, for the levels that are complete."""


def _most_memory() -> int | None:
    """Three quarters of what the machine has, so that a search is stopped before the machine is."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4
    except (ValueError, OSError, AttributeError):
        return None


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may take: seconds, bytes."""

    timeout: float | None = None
    memory: int | None = field(default_factory=_most_memory)


USUAL_LIMITS = Limits()

Listener = Callable[[Progress], None]


@dataclass(frozen=True, eq=False, slots=True)
class KeptState:
    """A state of R<=n, the state it was first reached from, and by which transition."""

    number: int
    parent: int
    transition: str | None
    values: Values


class OutOfLimits(Exception):
    """The time or the memory is spent; the message says which."""


def search(
    instance: Instance,
    invariant: Invariant | None,
    depth: int,
    limits: Limits = USUAL_LIMITS,
    listener: Listener | None = None,
) -> SearchResult:
    """Is the invariant violated within `depth` steps? Without an invariant: how many states are there?"""
    try_first_steps(instance)
    module = translate(instance, [] if invariant is None else [invariant])
    start = time.monotonic()
    seen = Progress(0, 0, 0.0, 0)

    def listen(progress: Progress) -> None:
        nonlocal seen
        seen = progress
        if listener is not None:
            listener(progress)

    def result(verdict: Any, **found: Any) -> SearchResult:
        defaults: dict[str, Any] = {"run": None, "exhausted": False, "reason": ""}
        seconds = time.monotonic() - start
        return SearchResult(verdict, invariant, instance.given, seconds=seconds, **{**defaults, **found})

    try:
        for message in conversation({**request_for(module, invariant), "depth": depth, "keep": False}, limits, listen):
            levels = tuple(message.get("levels", ()))
            known = {"states": message["states"], "levels": levels, "memory": message["memory"]}
            if message["kind"] == "stuck":
                _explain(instance, module, message)
            if message["kind"] == "violation":
                reader = StateReader(instance, module)
                steps = [(reader.transition(rule), reader.values(term)) for rule, term in message["path"]]
                run = replay(Stepper(instance), steps, invariant)
                return result("violated", depth=message["depth"], run=run, **known)
            if message["kind"] == "done":
                return result("holds", depth=depth, exhausted=message["exhausted"], **known)
    except OutOfLimits as stop:
        return unfinished(instance, invariant, replace(seen, seconds=time.monotonic() - start), str(stop))
    raise AssertionError("the worker ended without a verdict")


def unfinished(instance: Instance, invariant: Invariant | None, seen: Progress, reason: str) -> SearchResult:
    """The result of a search that was stopped: what it had seen, and why it ended."""
    depth = max(len(seen.levels) - 1, 0)
    return SearchResult(
        "unknown",
        invariant,
        instance.given,
        seen.states,
        depth,
        seen.levels,
        False,
        None,
        seen.seconds,
        seen.memory,
        reason,
    )


def reachable(
    instance: Instance, depth: int, limits: Limits = USUAL_LIMITS, listener: Listener | None = None
) -> tuple[list[KeptState], bool]:
    """All states of R<=depth in breadth-first order, and whether there are no others."""
    try_first_steps(instance)
    module = translate(instance, [])
    reader = StateReader(instance, module)
    kept: list[KeptState] = []
    request = {**request_for(module, None), "depth": depth, "keep": True}
    for message in conversation(request, limits, listener or (lambda progress: None)):
        if message["kind"] == "stuck":
            _explain(instance, module, message)
        elif message["kind"] == "state":
            values = reader.values(message["term"])
            kept.append(KeptState(message["number"], message["parent"], reader.transition(message["rule"]), values))
        elif message["kind"] == "done":
            return kept, message["exhausted"]
    raise AssertionError("the worker ended without an answer")


def _explain(instance: Instance, module: MaudeModule, message: dict[str, Any]) -> NoReturn:
    """Maude met something that has no value: our engine meets it, too, and says what it is."""
    reader = StateReader(instance, module)
    stepper = Stepper(instance)
    steps = [(reader.transition(rule), reader.values(term)) for rule, term in message["path"]]
    for _ in stepper.successors(replay(stepper, steps).states[-1]):
        pass
    raise ReplayMismatch("Maude finds no value where the equations give one")


def try_first_steps(instance: Instance) -> None:
    """Equations that loop are found here, within our budgets: Maude would never come back."""
    stepper = Stepper(instance)
    for state in stepper.initial_states()[:1]:
        for _ in islice(stepper.successors(state), MAX_FIRST_STEPS):
            pass


def confirm(run: Run, invariant: Invariant, limits: Limits = USUAL_LIMITS) -> bool:
    """Does Maude, too, see every step of the run, and the violation at its end?"""
    module = translate(run.instance, [invariant])
    labels = {transition: label for label, transition in module.labels.items()}
    names = [None, *(labels[action.transition.name] for action in run.actions)]
    walk = [(name, module.write(state.values)) for name, state in zip(names, run.states, strict=True)]
    request = {**request_for(module, invariant), "walk": walk}
    return any(m["kind"] == "walked" and m["fine"] for m in conversation(request, limits, lambda progress: None))


def request_for(module: MaudeModule, invariant: Invariant | None) -> dict[str, Any]:
    return {
        "text": module.text,
        "name": module.name,
        "states": module.states,
        "initials": module.initials,
        "violation": None if invariant is None else module.violations[invariant.name],
    }


def conversation(request: dict[str, Any], limits: Limits, listener: Listener) -> Iterator[dict[str, Any]]:
    """Messages of a worker; progress goes to the listener."""
    if importlib.util.find_spec("maude") is None:
        raise OtsrwError("E530", "the Python package 'maude' is not installed", hint="pip install maude")
    start = time.monotonic()
    with _Worker(request) as worker:
        while True:
            message = worker.receive(_POLL)
            seconds = time.monotonic() - start
            if message is None:
                _check(worker, limits, seconds)
            elif message["kind"] == "progress":
                levels = tuple(message["levels"])
                listener(Progress(message["depth"], message["states"], seconds, message["memory"], levels))
                _check(worker, limits, seconds, message["memory"])
            elif message["kind"] == "rejected":
                raise OtsrwError(
                    "E517",
                    "Maude does not accept the translation of this specification",
                    hint="'otsrw translate' shows it; please report this as a defect of otsrw",
                    notes=message["complaints"].strip().splitlines()[:6],
                )
            elif message["kind"] == "ended":
                raise OtsrwError(
                    "E518",
                    f"Maude stopped unexpectedly (exit status {message['status']})",
                    hint="an equation may not terminate, or the machine's memory is spent; try a smaller --depth",
                )
            elif message["kind"] != "ready":
                yield message
                if message["kind"] not in ("state", "part"):
                    return


def _check(worker: _Worker, limits: Limits, seconds: float, memory: int = 0) -> None:
    if limits.timeout is not None and seconds > limits.timeout:
        raise OutOfLimits(f"the time is spent ({limits.timeout:g} s)")
    if limits.memory is not None and max(memory, worker.memory()) > limits.memory:
        raise OutOfLimits(f"the memory is spent ({limits.memory // 1_000_000} MB)")


class _Worker:
    """A Maude process and a thread that reads from it."""

    def __init__(self, request: dict[str, Any]) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment,
            start_new_session=True,
        )
        self._messages: queue.Queue[dict[str, Any]] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._messages.put(json.loads(line))
        self._messages.put({"kind": "ended", "status": self.process.wait()})

    def receive(self, seconds: float) -> dict[str, Any] | None:
        """The next message, or None if there is none in time."""
        try:
            return self._messages.get(timeout=seconds)
        except queue.Empty:
            return None

    def memory(self) -> int:
        """Resident bytes, where the system tells."""
        try:
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        except (OSError, IndexError, ValueError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *exception: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stderr):
            if pipe is not None:
                pipe.close()


class StateReader:
    """Maude's terms as ours."""

    def __init__(self, instance: Instance, module: MaudeModule) -> None:
        self.instance = instance
        self.module = module
        self._known: dict[str, Term] = {}

    def transition(self, rule: str | None) -> str | None:
        return None if rule is None else self.module.labels[rule]

    def values(self, dumped: list[Any]) -> Values:
        elements = dumped[1:] if dumped[0] == "__" else [dumped]
        found: dict[tuple[object, ...], Term] = {}
        for name, *arguments in elements:
            observer: StateOperator = self.module.elements[name]
            *indexes, value = [self._term(argument) for argument in arguments]
            found[(observer.symbol, *indexes)] = value
        return tuple(found[(slot.observer.symbol, *slot.indexes)] for slot in self.instance.slots)

    def _term(self, dumped: list[Any]) -> Term:
        key = json.dumps(dumped)
        term = self._known.get(key)
        if term is None:
            term = self._known[key] = self._built(dumped)
        return term

    def _built(self, dumped: list[Any]) -> Term:
        name, *arguments = dumped
        return self.applied(name, tuple([self._term(argument) for argument in arguments]))

    def applied(self, name: str, args: tuple[Term, ...]) -> Term:
        """The operator, number, string or identifier that Maude calls so, with its arguments."""
        kind = self.instance.module.signature.order.kind
        for symbol in self.module.symbols.get(name, ()):
            count = 2 if symbol.assoc else len(args)
            if symbol.nargs == count and all(kind[a.sort] is k for a, k in zip(args, symbol.arg_kinds, strict=False)):
                return symbol.make(args)
        return literal_of(_number(name))


def _number(text: str) -> object:
    if text.startswith('"'):
        return unquoted(text)
    if text.startswith("'"):
        return QuotedId(text)
    return Fraction(text)
