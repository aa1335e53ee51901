"""A case that leaves much of its hypothesis undecided is written as several passages, which leave nothing out."""

from __future__ import annotations

import pytest

from induction.test_data import proved
from otsrw.induction import IgfVerdict
from otsrw.induction.score import check_score
from otsrw.induction.small_passages import MOST_ATOMS

LABELS = [f"l{number}" for number in range(1, 11)]
"""More labels than a passage may leave undecided."""


def ring(labels: list[str]) -> str:
    """Processes that go round: one with any label but the first has been started."""
    steps = [
        f"  eq pc(step{here}(S,I),J) = (if I = J and pc(S,I) = {here} then {there} else pc(S,J) fi) ."
        f"  eq on(step{here}(S,I),J) = (if I = J and pc(S,I) = {here} then true else on(S,J) fi) ."
        for here, there in zip(labels, [*labels[1:], labels[1]], strict=True)
    ]
    named = [f"(pc(S,I) = {label})" for label in labels[1:]]
    different = [f"  eq ({a} = {b}) = false ." for n, a in enumerate(labels) for b in labels[n + 1 :]]
    return "\n".join(
        [
            f"mod! LABEL {{ [Label] ops {' '.join(labels)} : -> Label {{constr}}",
            *different,
            "}",
            "mod* RING { pr(LABEL) [Pid] *[Sys]*",
            "  op init : -> Sys  bop pc : Sys Pid -> Label  bop on : Sys Pid -> Bool",
            f"  bops {' '.join(f'step{label}' for label in labels)} : Sys Pid -> Sys",
            "  op started : Sys Pid -> Bool  var S : Sys  vars I J : Pid",
            f"  eq pc(init,I) = {labels[0]} .  eq on(init,I) = false .",
            *steps,
            f"  eq started(S,I) = ({' or '.join(named)}) implies on(S,I) .",
            "}",
        ]
    )


def test_many_atoms_are_split_on_in_the_score() -> None:
    result, score = proved(ring(LABELS), "started")
    assert result.verdict is IgfVerdict.VERIFIED
    assert score.text.count("-- started, ") > sum(len(node.cases) for node in result.nodes.values())
    assert check_score(score) == []


@pytest.mark.parametrize("labels", [LABELS[:2], LABELS[:MOST_ATOMS]])
def test_few_atoms_are_left_as_they_are(labels: list[str]) -> None:
    result, score = proved(ring(labels), "started")
    assert score.text.count("-- started, ") == sum(len(node.cases) for node in result.nodes.values())
