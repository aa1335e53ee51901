"""CiMPA's dialect: other orders and names than CITP's, hypotheses through `:imp`, a list of goals."""

from __future__ import annotations

import pytest
from support import error_codes, told
from support import run as outcome_of

LOCK = """
mod! PROCESS { [ Pid ] }
mod! LOCK { pr(PROCESS) [ Sys Label ]
  ops rs cs : -> Label {constr} .   eq (rs = cs) = false .
  op init : -> Sys {constr} .   op enter : Sys Pid -> Sys {constr} .   op leave : Sys Pid -> Sys {constr} .
  op pc : Sys Pid -> Label .   op free : Sys -> Bool .
  vars S : Sys   vars P Q : Pid
  eq pc(init,P) = rs .   eq free(init) = true .
  ceq pc(enter(S,P),Q) = (if P = Q then cs else pc(S,Q) fi) if free(S) .   ceq free(enter(S,P)) = false if free(S) .
  ceq enter(S,P) = S if not free(S) .
  ceq pc(leave(S,P),Q) = (if P = Q then rs else pc(S,Q) fi) if pc(S,P) = cs .
  ceq free(leave(S,P)) = true if pc(S,P) = cs .
  ceq leave(S,P) = S if not (pc(S,P) = cs) .
  op one : Sys Pid Pid -> Bool .   op taken : Sys Pid -> Bool .
  eq one(S,P,Q) = (pc(S,P) = cs and pc(S,Q) = cs) implies P = Q .
  eq taken(S,P) = pc(S,P) = cs implies not free(S) .
}
"""

SCRIPT = """
:goal{
 eq [b :nonexec] : taken(S:Sys, P:Pid) = true .
 eq [a :nonexec] : one(S:Sys, P:Pid, Q:Pid) = true .
}
:ind on (S:Sys)
:apply(si)
:sel(2)
  :apply(tc)
  :apply (rd)
  :apply (rd)
:sel(1)
  :apply(tc)
  :def c1 = :ctf [free(S#Sys) .]
  :apply(c1)
  :def c2 = :ctf {eq P@Pid = P#Pid .}
  :apply(c2)
  :def c3 = :ctf {eq Q@Pid = P#Pid .}
  :apply(c3)
  :apply (rd)
  :imp [b] by {P:Pid <- Q@Pid ;}
  :apply (rd)
  :def c4 = :ctf {eq Q@Pid = P#Pid .}
  :apply(c4)
  :imp [b] by {P:Pid <- P@Pid ;}
  :apply (rd)
  :imp [a] by {P:Pid <- P@Pid ; Q:Pid <- Q@Pid ;}
  :apply (rd)
  :imp [a] by {P:Pid <- P@Pid ; Q:Pid <- Q@Pid ;}
  :apply (rd)
  :def c5 = :ctf [free(S#Sys) .]
  :apply(c5)
  :apply (rd)
  :imp [b] by {P:Pid <- P@Pid ;}
  :apply (rd)
"""


def lines(text: str) -> list[str]:
    return [line for line in told(text) if not line.startswith("  ")]


def test_a_script_runs_to_its_next_goal() -> None:
    shown = lines(LOCK + SCRIPT)
    assert [line for line in shown if line.startswith("Next goal")][-1] == "Next goal is 3."
    (proof,) = outcome_of(LOCK + SCRIPT).proofs
    assert proof.open_goals == ("3",)


def test_goals_are_in_the_order_of_names() -> None:
    shown = told(LOCK + SCRIPT + ":sel(3)\n:desc .")
    start = shown.index(":goal { ** 3 -----------------------------------------")
    targets = shown[shown.index("  -- sentences to be proved", start) + 1 :]
    assert [line.split(":")[0].strip() for line in targets if " eq " in line] == ["eq [a", "eq [b"]
    assert any("leave(S#Sys,P#Pid)" in line for line in targets)


def test_hypotheses_are_not_rules() -> None:
    text = LOCK + ":goal{ eq [a :nonexec] : taken(S:Sys, P:Pid) = true . }\n:ind on (S:Sys)\n:apply(si)\n:postpone .\n"
    outcome = outcome_of(text + ":sel(2)\n:apply(tc)\n:apply(rd)\n:sel(1)\n:apply(tc)\n:apply(rd)")
    assert outcome.errors == []
    assert outcome.proofs[0].open_goals == ("1-1", "3")


def test_postponed_goals_come_last() -> None:
    text = LOCK + ":goal{ eq [a :nonexec] : taken(S:Sys, P:Pid) = true . }\n:ind on (S:Sys)\n:apply(si)\n:postpone .\n"
    assert outcome_of(text).proofs[0].open_goals == ("2", "3", "1")


def test_what_is_proven_elsewhere_is_taken_for_granted() -> None:
    text = (
        ":proven(taken(S:Sys, P:Pid))\n:goal{ eq [a :nonexec] : one(S:Sys, P:Pid, Q:Pid) = true . }\n:ind on (S:Sys)\n"
    )
    text += ":apply(si)\n:sel(1)\n:apply(tc)\n:imp [proven-goal0] by {P:Pid <- P@Pid ;}"
    (proof,) = outcome_of(LOCK + text).proofs
    assert proof.assumed == ("taken(S:Sys,P:Pid) is an invariant (:proven)",)


QUEUE = """
mod! ITEM { [ Item ] ops i1 i2 : -> Item {constr} . op succ : Item -> Item {constr} . }
mod! SEQ { pr(ITEM) [ Item < Seq ]
  op nil : -> Seq {constr} .   op _,_ : Seq Seq -> Seq {constr assoc id: nil} .   op s : -> Seq .   pred p : Seq .
}
"""


@pytest.mark.parametrize(
    ("kind", "values"),
    [(":cvs", ["nil", "(I0EVSItem , S0#EVSSeq)", "(succ(I#EVSSubItem) , S0#EVSSeq)"]),
     (":csv", ["nil", "(S#ESVSeq , I0ESVItem)", "(S#ESVSeq , succ(I#ESVSubItem))"])],
)  # fmt: skip
def test_sequences_are_split(kind: str, values: list[str]) -> None:
    text = (
        QUEUE + f":goal{{ eq [a] : p(s) = true . }}\n:def c = {kind} [s .]\n:apply(c)\n:imp [nosuch] .\n:show proof ."
    )
    outcome = outcome_of(text)
    assert outcome.proofs[0].open_goals == ("1", "2", "3")
    shown = [block for block in _goals(text, 3) if "eq [c]:" in block]
    assert [line.partition(" = ")[2].removesuffix(" .") for line in shown] == values


def _goals(text: str, count: int) -> list[str]:
    plain = text.replace(":imp [nosuch] .\n", "")
    shown = [":desc ." if k == 0 else ":postpone .\n:desc ." for k in range(count)]
    return told(plain.replace(":show proof .", "\n".join(shown)))


def test_operators_may_be_written_as_in_maude() -> None:
    text = QUEUE + "mod! Q { pr(SEQ) pred q : Seq . eq [h :nonexec]: q(S:Seq) = true . }\n"
    text += ":goal{ eq [a] : q((i1 , s)) = true . }\n:imp [h] by {S:Seq <- _`,_(i1, s) ;}\n:apply(rd)"
    outcome = outcome_of(text)
    assert outcome.errors == []
    assert outcome.open_proofs == []


@pytest.mark.parametrize(
    "script",
    [
        ":sel(1)",
        ":goal{ eq [a] : init = init . }\n:apply(si)\n:postpone .",
        ":goal{ eq [a] : init = init . }\n:imp [nosuch] .",
        ":goal{ eq [a] : init = init . }\n:sel(4)",
        ":goal{ eq [a] : init = init . }\n:apply(nosuch)\n:postpone .",
    ],
)
def test_mistakes_are_told(script: str) -> None:
    assert error_codes(LOCK + script)[0] in ("E309", "E106")


OLD_NAMES = """mod! SYS { [ Bit ]  ops o i : -> Bit {constr} .
  [ Cell ]  op e : -> Cell {constr} .  op c : Bit -> Cell {constr} .
  [ Sys ]  op init : -> Sys {constr} .  op cell : Sys -> Cell .  op bit : Sys -> Bit .  pred p : Sys .
}
select SYS .
:goal{ eq [g :nonexec] : p(S:Sys) = true . }
:ind on (S:Sys)
:apply(si)
:apply(tc)
:def a = :ctf [cell(init) .]
:apply(a)
:def d = :ctf {eq bit(init) = NAME .}
:postpone .
"""


@pytest.mark.parametrize("name", ["B#CS1-1.Bit", "B#CS11Bit", "B#CSBit"])
def test_old_names_of_constants_are_read(name: str) -> None:
    """Older versions of CiMPA named the constants of a split without the goal, or without the marks in its name."""
    assert outcome_of(OLD_NAMES.replace("NAME", name)).errors == []


def test_an_old_name_is_that_of_a_constant() -> None:
    assert error_codes(OLD_NAMES.replace("NAME", "B#CS12Bit")) == ["E111"]
