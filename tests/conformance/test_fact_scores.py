"""The real CafeOBJ accepts scores with facts of arithmetic, with lemmas about data, and with ill-sorted Booleans."""

from __future__ import annotations

from pathlib import Path

import pytest
from induction.test_cells import CELL
from induction.test_data import POOL, RANGE
from induction.test_data import proved as proved_with_data
from induction.test_domains import COUNTED, QUEUE
from induction.test_ill_sorted import SPLIT, without_splits
from induction.test_numbers import PROVED, proved
from induction.test_small_passages import QUORUM
from specifications import instance_of, loaded

from otsrw.induction import Options, igf
from otsrw.induction.score import ProofScore, ScoreWriter, check_with_cafeobj
from otsrw.search import MaudeSpace

pytestmark = pytest.mark.oracle


def problems(score: ProofScore, folder: Path) -> list[str]:
    file = folder / "score.cafe"
    file.write_text(score.text, encoding="utf-8")
    return check_with_cafeobj(file, score.passages, 60)


@pytest.mark.parametrize(("text", "name"), PROVED)
def test_cafeobj_accepts_facts_about_numbers(text: str, name: str, cafeobj: str, tmp_path: Path) -> None:
    assert problems(proved(text, name)[1], tmp_path) == []


@pytest.mark.parametrize(("text", "name"), [(POOL, "safe"), (RANGE, "ordered")])
def test_cafeobj_accepts_proofs_of_lemmas_about_data(text: str, name: str, cafeobj: str, tmp_path: Path) -> None:
    result, score = proved_with_data(text, name)
    assert result.data
    assert problems(score, tmp_path) == []


@pytest.mark.parametrize(("text", "name"), [(COUNTED, "exact"), (COUNTED, "safe"), (QUEUE, "fine")])
def test_cafeobj_accepts_proofs_that_terms_stay_in_their_domain(
    text: str, name: str, cafeobj: str, tmp_path: Path
) -> None:
    ots, declarations = loaded(text)
    invariant = next(each for each in ots.invariants if each.name == name)
    with MaudeSpace(instance_of(ots)) as space:
        result = igf(ots, space, invariant, Options(depth=2))
    assert problems(ScoreWriter(ots, result, declarations).write(), tmp_path) == []


def test_cafeobj_accepts_cells_that_are_empty_or_full(cafeobj: str, tmp_path: Path) -> None:
    assert problems(proved_with_data(CELL, "same")[1], tmp_path) == []


@pytest.mark.parametrize(("text", "name", "said"), SPLIT)
def test_cafeobj_needs_to_know_what_an_ill_sorted_boolean_is(
    text: str, name: str, said: str, cafeobj: str, tmp_path: Path
) -> None:
    score = proved_with_data(text, name)[1]
    assert problems(score, tmp_path) == []
    changed = without_splits(score, said)
    assert all(each.endswith(":?*Condition*") for each in problems(ProofScore(changed, score.passages), tmp_path))
    assert problems(ProofScore(changed, score.passages), tmp_path) != []


def test_cafeobj_comes_to_an_end_with_a_long_effective_condition(cafeobj: str, tmp_path: Path) -> None:
    assert problems(proved_with_data(QUORUM, "same")[1], tmp_path) == []
