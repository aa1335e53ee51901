"""Sums of observed numbers that do not change are found, and are lemmas."""

from __future__ import annotations

from specifications import instance_of, ots_of

from otsrw.induction import Options, igf
from otsrw.search import MaudeSpace
from otsrw.theory.printing import show_plainly

TILLS = """
mod* TILLS { pr(NAT) *[Sys]* op init : -> Sys
  bops a b way lost : Sys -> Nat  bops send recv burn : Sys -> Sys  op inv : Sys -> Bool  var S : Sys
  eq a(init) = 4 .  eq b(init) = 0 .  eq way(init) = 0 .  eq lost(init) = 0 .
  ceq a(send(S)) = sd(a(S),1) if a(S) > 0 .  ceq way(send(S)) = s(way(S)) if a(S) > 0 .
  eq b(send(S)) = b(S) .  eq lost(send(S)) = lost(S) .  bceq send(S) = S if not (a(S) > 0) .
  eq a(recv(S)) = a(S) .  eq b(recv(S)) = b(S) + way(S) .  eq way(recv(S)) = 0 .  eq lost(recv(S)) = lost(S) .
  eq a(burn(S)) = a(S) .  eq b(burn(S)) = b(S) .  eq way(burn(S)) = way(S) .  eq lost(burn(S)) = s(lost(S)) .
  eq inv(S) = b(S) <= 4 . }
"""


def test_a_bound_follows_from_a_sum_that_is_conserved() -> None:
    ots = ots_of(TILLS)
    with MaudeSpace(instance_of(ots)) as space:
        result = igf(ots, space, ots.invariants[0], Options(depth=3))
    assert result.verdict == "verified", result.reason
    lemmas = [show_plainly(node.predicate.formula) for name, node in result.nodes.items() if name != "inv"]
    assert lemmas == ["((a(S) + (b(S) + way(S))) = 4)"]
