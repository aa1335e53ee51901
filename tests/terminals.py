"""A command of otsrw on a terminal, as a person meets it: keys go in, what it shows comes out."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import sys
import time
from collections.abc import Iterator

PATIENCE = 120
"""Seconds until a test gives up; machines may be slow."""


class Terminal:
    def __init__(self, pid: int, master: int) -> None:
        self.pid = pid
        self.shown = b""
        self._master = master

    def press(self, keys: bytes) -> None:
        with contextlib.suppress(OSError):  # the command has ended
            os.write(self._master, keys)

    def wait_for(self, text: bytes, again: bytes = b"") -> None:
        """Wait until a text is shown, and forget what was shown up to it; while it is not, press keys now and then."""
        end = time.monotonic() + PATIENCE
        while text not in self.shown and time.monotonic() < end:
            if not self._read(1):
                self.press(again)
        assert text in self.shown
        self.shown = self.shown[self.shown.index(text) + len(text) :]

    def leave(self, keys: bytes) -> int:
        """Press keys until the command ends; its wait status."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.press(keys)
            self._read(0.5)
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                return status
        raise AssertionError("the command does not end")

    def _read(self, seconds: float) -> bool:
        """Take in what is shown within some seconds; was anything?"""
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        try:
            self.shown += os.read(self._master, 65536)
        except OSError:  # the command has ended
            return False
        return True


@contextlib.contextmanager
def on_terminal(*words: str, **environment: str) -> Iterator[Terminal]:
    """A command that obeys Ctrl-C even where the tests run in the background, and does not outlive its test."""
    pid, master = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.environ.update(environment)
        os.execv(sys.executable, [sys.executable, "-m", "otsrw", *words])
    try:
        yield Terminal(pid, master)
    finally:
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        os.close(master)
