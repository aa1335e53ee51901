"""The terminal application starts from the command line and ends with `q`."""

from __future__ import annotations

import os
import pty
import select
import sys
import time

import pytest
from support import ROOT

pytest.importorskip("textual")


def test_the_application_runs_on_a_terminal() -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS="120", LINES="30")
        command = [sys.executable, "-m", "otsrw", "explore", str(ROOT / "specs" / "hotel.cafe"), "--inv", "safe"]
        os.execv(sys.executable, command)
    shown, end, asked = b"", time.monotonic() + 60, False
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:
                break
        elif b"occupant" in shown and not asked:
            os.write(terminal, b"q")
            asked = True
    assert os.waitpid(pid, 0)[1] == 0
    assert b"check-in(g0, r0, k1)" in shown
    assert b"Traceback" not in shown
