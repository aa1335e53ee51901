"""Instances of specifications for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from support import ROOT

from otsrw.ots import Instance, Invariant, Ots, entities_of, find_ots
from otsrw.proofs.session import Session
from otsrw.syntax.source import Source

SPECS = ROOT / "specs"


@cache
def ots_of_file(name: str) -> Ots:
    """The OTS of a file in specs/."""
    return ots_of(SPECS.joinpath(name).read_text(encoding="utf-8"), SPECS)


def ots_of(text: str, folder: Path = SPECS) -> Ots:
    """The OTS of a text without errors."""
    return loaded(text, folder)[0]


def loaded(text: str, folder: Path = SPECS) -> tuple[Ots, tuple[str, ...]]:
    """The OTS of a text without errors, and the declarations it consists of."""
    session = Session()
    session.run_source(Source("<spec>", text, folder))
    assert [problem.render() for problem in session.outcome.errors] == []
    return find_ots(session.library), tuple(span.text for span in session.declarations)


def instance_of(ots: Ots, entities: Mapping[str, Sequence[str]] | None = None) -> Instance:
    """The OTS with the given entities, or with those its file names."""
    return Instance(ots, entities_of(ots) if entities is None else {k: tuple(v) for k, v in entities.items()})


def invariant_named(instance: Instance, name: str) -> Invariant:
    return next(invariant for invariant in instance.ots.invariants if invariant.name == name)
