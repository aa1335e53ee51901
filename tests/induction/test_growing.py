"""Lemmas of one shape that become larger and larger are seen."""

from __future__ import annotations

import pytest
from support import module_of, term_of

from otsrw.induction.clauses import Clause
from otsrw.induction.growing import generalised, growing_family
from otsrw.reasoning.connectives import Literal
from otsrw.theory.printing import show_plainly
from otsrw.theory.terms import variables_of

MODULE = module_of(
    """mod* M { [State Num Pid Label] ops cs rs : -> Label op s : Num -> Num  op zero : -> Num
      op array : State Num -> Bool  op place : State Pid -> Num  op pc : State Pid -> Label }""",
    "M",
)
STATE = term_of("S:State", MODULE)


def clause(*texts: str) -> Clause:
    """The clause of literals that are given as text; `not` before a text negates it."""
    literals = tuple(Literal(term_of(t.removeprefix("not "), MODULE), not t.startswith("not ")) for t in texts)
    variables = dict.fromkeys(v for literal in literals for v in variables_of(literal.atom) if v is not STATE)
    return Clause(STATE, literals, tuple(variables))


def towers(count: int) -> list[Clause]:
    """`s(place)`, `s(s(place))`, and so on."""
    found = []
    for n in range(1, count + 1):
        tower = f"{'s(' * n}place(S:State, P{n}:Pid){')' * n}"
        found.append(clause(f"array(S:State, {tower})", f"pc(S:State, P{n}:Pid) = cs"))
    return found


def test_towers_are_a_family() -> None:
    chain = towers(4)
    assert growing_family(chain) == chain
    assert growing_family(chain[:2]) == []


def test_a_family_may_have_others_between_its_members() -> None:
    other = clause("pc(S:State, P:Pid) = rs")
    chain = [each for tower in towers(4) for each in (other, tower)]
    assert [each.literals for each in growing_family(chain)] == [each.literals for each in towers(4)]


def test_lemmas_about_more_and_more_processes_are_a_family() -> None:
    chain = [clause(*(f"pc(S:State, P{k}:Pid) = cs" for k in range(n + 1))) for n in range(5)]
    assert growing_family(chain) == chain


@pytest.mark.parametrize(
    "chain",
    [
        pytest.param(list(reversed(towers(5))), id="it shrinks"),
        pytest.param([towers(1)[0]] * 6, id="it stays"),
        pytest.param([clause(f"pc(S:State, P:Pid) = {label}") for label in ("cs", "rs") * 3], id="other constants"),
        pytest.param([clause(*["not array(S:State, zero)", "array(S:State, s(zero))"][:n]) for n in (1, 2)], id="few"),
    ],
)
def test_no_family(chain: list[Clause]) -> None:
    assert growing_family(chain) == []


def test_what_two_members_have_in_common() -> None:
    older, newer = towers(3)[1:]
    found = generalised(older, newer)
    assert found is not None
    assert [show_plainly(literal.atom) for literal in found.literals] == ["array(S,s(s(S1)))", "(pc(S,P3) = cs)"]
    assert [v.sort.name for v in found.parameters] == ["Num", "Pid"]
    assert generalised(newer, older) is None
    assert generalised(older, clause("pc(S:State, P:Pid) = rs")) is None
