"""The terminal application starts from the command line and ends with `q`."""

from __future__ import annotations

import pytest
from support import ROOT
from terminals import on_terminal

pytest.importorskip("textual")


def test_the_application_runs_on_a_terminal() -> None:
    hotel = str(ROOT / "specs" / "hotel.cafe")
    size = {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "30"}
    with on_terminal("explore", hotel, "--inv", "safe", **size) as terminal:
        terminal.wait_for(b"check-in(g0, r0, k1)")
        assert terminal.leave(b"q") == 0
        assert b"Traceback" not in terminal.shown
