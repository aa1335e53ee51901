"""The case studies of specs/ have the verdicts and numbers of states that specs/otsrw.toml says."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import Any

import pytest
from specifications import SPECS, instance_of, invariant_named, ots_of_file

from otsrw.search import MaudeSpace


@dataclass(frozen=True)
class Row:
    file: str
    entities: dict[str, list[str]]
    states: list[int]
    exhausted: bool
    falsified: dict[str, int] = field(default_factory=dict)
    holds: list[str] = field(default_factory=list)
    slow: bool = False

    @property
    def id(self) -> str:
        sizes = ",".join(f"{name}={len(words)}" for name, words in self.entities.items())
        return f"{self.file} {sizes} R<={len(self.states) - 1}"


def _rows() -> list[Any]:
    table = tomllib.loads((SPECS / "otsrw.toml").read_text(encoding="utf-8"))
    rows = [Row(entities=entry.pop("with", {}), **entry) for entry in table["test"]]
    return [pytest.param(row, id=row.id, marks=[pytest.mark.slow] if row.slow else []) for row in rows]


@pytest.mark.parametrize("row", _rows())
def test_a_case_study_has_its_verdicts_and_its_states(row: Row) -> None:
    instance = instance_of(ots_of_file(row.file), row.entities)
    depth = len(row.states) - 1
    for name in row.holds:
        result = MaudeSpace(instance).search(invariant_named(instance, name), depth)
        assert (result.verdict, list(result.levels), result.exhausted) == ("holds", row.states, row.exhausted), name
    if not row.holds:
        result = MaudeSpace(instance).search(None, depth)
        assert (list(result.levels), result.exhausted) == (row.states, row.exhausted)
    for name, least in row.falsified.items():
        result = MaudeSpace(instance).search(invariant_named(instance, name), depth)
        assert (result.verdict, result.depth) == ("violated", least), name
        assert list(result.levels[:least]) == row.states[:least], name
        assert row.states[least - 1] < result.states <= row.states[least], name


def test_every_specification_has_a_verdict() -> None:
    listed = {row.values[0].file for row in _rows()}
    assert listed == {path.name for path in SPECS.glob("*.cafe")}
