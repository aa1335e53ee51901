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


QUORUM = """
mod! ACCEPTOR {
  [ Acceptor ]
  ops a1 a2 a3 : -> Acceptor {constr}
  eq (a1 = a2) = false .  eq (a1 = a3) = false .  eq (a2 = a3) = false .
}
mod! VALUE {
  [ Value ]
  ops none v1 v2 : -> Value {constr}
  eq (none = v1) = false .  eq (none = v2) = false .  eq (v1 = v2) = false .
}
mod* QUORUM {
  pr(ACCEPTOR + VALUE)
  [ Sys ]
  op init : -> Sys {constr}
  op promised : Sys Acceptor -> Bool
  ops voted kept : Sys Acceptor -> Value
  op chosen : Sys -> Value
  op choose : Sys Value -> Sys {constr}
  op allows : Sys Acceptor Value -> Bool
  op majority : Sys -> Bool
  op c-choose : Sys Value -> Bool
  op same : Sys Acceptor -> Bool
  var S : Sys  var A : Acceptor  var V : Value
  eq promised(init, A) = false .
  eq voted(init, A) = none .
  eq kept(init, A) = none .
  eq chosen(init) = none .
  eq promised(choose(S, V), A) = promised(S, A) .
  eq voted(choose(S, V), A) = voted(S, A) .
  eq kept(choose(S, V), A) = kept(S, A) .
  eq majority(S) = (promised(S, a1) and promised(S, a2)) or (promised(S, a1) and promised(S, a3))
                   or (promised(S, a2) and promised(S, a3)) .
  eq allows(S, A, V) = promised(S, A) implies (voted(S, A) = none or voted(S, A) = V) .
  eq c-choose(S, V) = chosen(S) = none and majority(S) and allows(S, a1, V) and allows(S, a2, V) and allows(S, a3, V) .
  ceq chosen(choose(S, V)) = V if c-choose(S, V) .
  ceq choose(S, V) = S if not c-choose(S, V) .
  eq same(S, A) = (voted(S, A) = kept(S, A)) .
}
"""


def test_a_long_effective_condition_is_told_apart_by_its_atoms() -> None:
    result, score = proved(QUORUM, "same")
    assert result.verdict is IgfVerdict.VERIFIED
    assert score.text.count("  red (not c-choose(s,v)) or (") == 6
    assert check_score(score) == []


def test_a_short_effective_condition_has_one_passage() -> None:
    short = QUORUM.replace(" and allows(S, a1, V) and allows(S, a2, V) and allows(S, a3, V)", "")
    score = proved(short, "same")[1]
    assert score.text.count("  red (not c-choose(s,v)) or (") == 1
