"""Worker processes that run Maude, and the conversation with them."""

from __future__ import annotations

import importlib.util
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from otsrw.search.maude_worker.messages import (
    PARTS,
    Accepted,
    Ended,
    Load,
    Message,
    Rejected,
    Request,
    Seen,
    WorkerAnswer,
    decode_message,
    encode,
)
from otsrw.search.results import Progress
from otsrw.search.space import Limits, SearchListener, resident_memory
from otsrw.syntax.diagnostics import OtsrwError

_POLL = 0.1
_FOLDER = Path(__file__).parent


class WorkerDied(OtsrwError):
    """The process that was asked ended without an answer."""


class MaudeWorker(Protocol):
    """What answers requests about a Maude module."""

    def send(self, request: Request) -> None: ...

    def receive(self, seconds: float) -> Message | None:
        """The next message, or None if there is none in time."""
        ...

    def memory(self) -> int:
        """Resident bytes; 0 if that is not known."""
        ...

    def close(self) -> None:
        """End it at once, whatever it is doing."""
        ...


class MaudeProcess:
    """A Maude process and a thread that reads from it."""

    def __init__(self) -> None:
        if importlib.util.find_spec("maude") is None:
            raise OtsrwError("E530", "the Python package 'maude' is not installed", hint="pip install maude")
        # the folder comes last: its other modules must not hide anything
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*filter(None, sys.path), str(_FOLDER)])}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "maude_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=environment,
            start_new_session=True,
        )
        self._messages: queue.Queue[Message] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.endswith("\n"):  # a process that is killed may leave a part of a line behind
                self._messages.put(decode_message(line))
        self._messages.put(Ended(self._process.wait()))

    def send(self, request: Request) -> None:
        """Send a request; if the process is gone, `receive` tells."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(encode(request) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass

    def receive(self, seconds: float) -> Message | None:
        try:
            return self._messages.get(timeout=seconds)
        except queue.Empty:
            return None

    def memory(self) -> int:
        return resident_memory(self._process.pid)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):  # what was not sent yet is lost with the process
                    pipe.close()


class Conversation:
    """Questions to a worker, one after the other.

    While it is held, the worker stays for the next question. A question that was not answered to its end costs the
    worker its life, because Maude gives wrong answers after an interrupt; the next question starts another one.
    """

    def __init__(self, start: Callable[[], MaudeWorker]) -> None:
        self._start = start
        self._worker: MaudeWorker | None = None
        self._loaded: Load | None = None
        self._held = False

    def hold(self) -> None:
        self._held = True

    def release(self) -> None:
        """End the worker, and from now on each one after its question."""
        self._held = False
        self._drop()

    def ask(
        self, module: Load, request: Request, limits: Limits, listener: SearchListener | None
    ) -> Generator[WorkerAnswer, None, None]:
        """The answers to a request about a module, the last one last; what is seen meanwhile goes to the listener."""
        start = time.monotonic()
        finished = False
        try:
            worker = self._ready(module)
            worker.send(request)
            while not finished:
                message = worker.receive(_POLL)
                seconds = time.monotonic() - start
                if message is None:
                    limits.check(seconds, worker.memory())
                elif isinstance(message, Seen):
                    if listener is not None:
                        listener(progress_of(message, seconds))
                    limits.check(seconds, max(message.memory, worker.memory()))
                elif isinstance(message, Rejected | Ended):
                    raise _trouble(message)
                elif not isinstance(message, Accepted):
                    finished = not isinstance(message, PARTS)
                    yield message
        finally:
            if not (finished and self._held):
                self._drop()

    def _ready(self, module: Load) -> MaudeWorker:
        """A worker with the module."""
        if self._worker is None:
            self._worker = self._start()
        if self._loaded != module:
            self._worker.send(module)
            self._loaded = module
        return self._worker

    def _drop(self) -> None:
        worker, self._worker, self._loaded = self._worker, None, None
        if worker is not None:
            worker.close()


def progress_of(seen: Seen, seconds: float) -> Progress:
    return Progress(seen.depth, seen.states, seconds, seen.memory, tuple(seen.levels))


def _trouble(message: Rejected | Ended) -> OtsrwError:
    if isinstance(message, Rejected):
        return OtsrwError(
            "E517",
            "Maude does not accept the translation of this specification",
            hint="'otsrw translate' shows it; please report this as a defect of otsrw",
            notes=message.complaints.strip().splitlines()[:6],
        )
    return WorkerDied(
        "E518",
        f"Maude stopped unexpectedly (exit status {message.status})",
        hint="an equation may not terminate, or the machine's memory is spent; try a smaller --depth",
    )
