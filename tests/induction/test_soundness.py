"""Verdicts of igf on random OTSs agree with exhaustive search.

`HYPOTHESIS_PROFILE=explore` looks at five times as many systems, and at other ones every time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from specifications import instance_of, invariant_named, loaded

from induction.generated import System, systems
from induction.oracle import Seen, explored, is_real
from otsrw.induction import evidence
from otsrw.induction.procedure import igf
from otsrw.induction.results import IgfResult, Options
from otsrw.induction.score import ScoreWriter, check_score
from otsrw.ots import Ots
from otsrw.reasoning.splitting import POLICIES
from otsrw.search import RewritingSpace
from otsrw.syntax.diagnostics import OtsrwError

DEPTH = 0
"""Search sees only initial states, so that everything rests on induction."""
DEEPER = 7
STATES = 120
SECONDS = 2.0

OPTIONS = {
    "the paper's procedure": Options(depth=DEPTH, strengthen=False, timeout=SECONDS, max_level=4),
    "with strengthening": Options(depth=DEPTH, timeout=SECONDS),
    "with strengthening, goal first": Options(depth=1, timeout=SECONDS, policy=POLICIES["goal-first"]),
}
FAMILIES = (None, "Bag", "Set", "Queue", "Nat")


def check(system: System, options: Options, told: Counter[str]) -> None:
    """Every verdict on the system is right."""
    ots, declarations = loaded(system.text)
    assert [finding.message for finding in ots.findings if finding.is_error] == []
    try:
        seen = {size: explored(instance_of(ots, system.entities(size)), DEEPER, STATES) for size in system.sizes}
    except OtsrwError as error:
        told[f"refused, {error.problem.code}"] += 1
        reject()
    size = min(2, system.sizes[-1])
    for name in system.invariants:
        space = RewritingSpace(instance_of(ots, system.entities(size)))
        result = igf(ots, space, next(i for i in ots.invariants if i.name == name), options)
        told[result.verdict] += 1
        _check_verdict(ots, declarations, result, seen, size, options)


def _check_verdict(
    ots: Ots, declarations: tuple[str, ...], result: IgfResult, seen: dict[int, Seen], size: int, options: Options
) -> None:
    name = result.invariant.name
    if result.verdict == "verified":
        violations = {n: found.violated[name] for n, found in seen.items() if name in found.violated}
        assert violations == {}, f"{name} is verified, but violated with so many processes at depth"
        assert check_score(ScoreWriter(ots, result, declarations).write()) == []
    if result.verdict == "falsified":
        assert result.run is not None and result.instance is not None
        assert is_real(result.run, invariant_named(result.instance, name))
        assert name in seen[size].violated or not seen[size].exhausted
    if seen[size].violated.get(name, DEEPER) <= options.depth:
        assert result.verdict == "falsified", f"{name} is violated within the depth of the search"


@pytest.fixture(autouse=True, scope="module")
def _small_sample() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evidence, "SAMPLE", 100)
        yield


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family or "labels")
def test_verdicts_on_random_systems_are_right(family: str | None) -> None:
    told: Counter[str] = Counter()

    @settings(max_examples=settings.default.max_examples // 8, suppress_health_check=list(HealthCheck))  # type: ignore[union-attr]
    @given(systems(family), st.sampled_from(sorted(OPTIONS)))
    def verdicts_are_right(system: System, name: str) -> None:
        check(system, OPTIONS[name], told)

    verdicts_are_right()
    assert told["verified"] > 0
    assert told["falsified"] > 0
