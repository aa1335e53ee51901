"""The process that asks Maude may end at any time, even in the middle of a line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from otsrw.search.maude_worker.messages import Accepted, Ended, encode
from otsrw.search.process import MaudeProcess


@pytest.mark.parametrize("rest", ["", '["Acc'], ids=["between lines", "in the middle of a line"])
def test_that_it_has_ended_is_told_wherever_it_stopped(
    rest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = tmp_path / "worker"
    worker.write_text(f"#!/bin/sh\nprintf '%s\\n%s' '{encode(Accepted())}' '{rest}'\nexit 7\n", "utf-8")
    worker.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(worker))
    process = MaudeProcess()
    try:
        assert process.receive(60) == Accepted()
        assert process.receive(60) == Ended(7)
    finally:
        process.close()
