"""The benchmark of kept specifications runs systems in several files, and says what is not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import ROOT

assert (ROOT / "bench").is_dir()
from kept_apart import KeptRow, claims_of  # noqa: E402


def test_several_files_are_taken_in_by_one(tmp_path: Path) -> None:
    home = tmp_path / "owner+name"
    home.mkdir()
    for name in ("a.cafe", "b.cafe"):
        (home / name).write_text("", encoding="utf-8")
    rows = [KeptRow("owner/name", ("a.cafe", "b.cafe"), "safe"), KeptRow("owner/name", ("b.cafe",), "safe")]
    (_, both), (_, one) = claims_of(tmp_path, rows, tmp_path)
    assert both.file.read_text(encoding="utf-8") == f"in {home}/a.cafe\nin {home}/b.cafe\n"
    assert one.file == home / "b.cafe" and one.invariant == "safe"


def test_a_file_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(claims_of(tmp_path, [KeptRow("owner/name", ("a.cafe",), "safe")], tmp_path)) == []
    assert "left out, not there" in capsys.readouterr().err
