"""Lemmas that are close to a violation come first, and all have their turn."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from specifications import instance_of, ots_of, ots_of_file

from otsrw.induction import Options, igf
from otsrw.induction.cases import Predicate
from otsrw.induction.clauses import Clause
from otsrw.induction.closeness import IMPOSSIBLE, Closeness
from otsrw.induction.conjunctions import Conjunctions
from otsrw.induction.proof import TURNS, Proof
from otsrw.induction.relaxation import RelaxedSteps, fresh_observers
from otsrw.induction.results import Node, NodeKind
from otsrw.ots import Instance
from otsrw.ots.formulas import unfold
from otsrw.reasoning.connectives import Connectives, Literal
from otsrw.rewriting.budget import Budget
from otsrw.search import MaudeSpace
from otsrw.theory.terms import variable

CHAIN = """
mod! LETTER { [Letter] ops a b c d e : -> Letter {constr} op first : Letter -> Bool eq first(a) = true . }
mod! BOX { pr(LETTER) [Letter < Box] op empty : -> Box {constr} op _,_ : Box Box -> Box {constr assoc comm id: empty}
  op _\\in_ : Letter Box -> Bool  vars X Y : Letter  var B : Box
  eq X \\in empty = false . eq X \\in (Y , B) = (X = Y) or (X \\in B) . }
mod* CHAIN {
  pr(BOX)
  *[Sys]*
  op init : -> Sys
  bop box : Sys -> Box
  bops one two three : Sys -> Sys
  ops no-b no-c no-d no-e no-c-d : Sys -> Bool
  ops c-two c-three : Sys -> Bool
  var S : Sys
  eq box(init) = a .
  eq box(one(S)) = (b , box(S)) .
  eq c-two(S) = b \\in box(S) .
  ceq box(two(S)) = (c , box(S)) if c-two(S) .
  ceq two(S) = S if not c-two(S) .
  eq c-three(S) = (b \\in box(S)) and (c \\in box(S)) .
  ceq box(three(S)) = (d , box(S)) if c-three(S) .
  ceq three(S) = S if not c-three(S) .
  eq no-b(S) = not (b \\in box(S)) .
  eq no-c(S) = not (c \\in box(S)) .
  eq no-d(S) = not (d \\in box(S)) .
  eq no-e(S) = not (e \\in box(S)) .
  eq no-c-d(S) = not ((c \\in box(S)) and (d \\in box(S)) and (a \\in box(S))) .
}
"""


def conjunctions_of(instance: Instance, depth: int) -> Conjunctions:
    with MaudeSpace(instance) as space:
        return Conjunctions(instance, [kept.values for kept in space.reachable(depth).states], Budget())


def clause_named(instance: Instance, name: str) -> Clause:
    invariant = next(i for i in instance.ots.invariants if i.name == name)
    (literals,) = instance.connectives.clauses(unfold(invariant.formula, instance.ots), positive=False)
    return Clause(instance.ots.state, literals, invariant.parameters)


@pytest.mark.parametrize(
    ("name", "at_start", "after_a_step"),
    [("no-b", 1, 0), ("no-c", 2, 1), ("no-d", 3, 2), ("no-e", 4, 4), ("no-c-d", 3, 2)],
)
def test_a_distance_counts_steps_as_if_nothing_were_lost(name: str, at_start: int, after_a_step: int) -> None:
    """Nothing leads to e, so it is far away; a step that two literals need is counted once."""
    instance = instance_of(ots_of(CHAIN))
    clause = clause_named(instance, name)
    initial = conjunctions_of(instance, 0).states
    measures = [Closeness.from_initial(conjunctions_of(instance, depth), initial) for depth in (0, 1)]
    assert [measure.distance(clause) for measure in measures] == [at_start, after_a_step]


def test_which_steps_lead_to_a_literal() -> None:
    instance = instance_of(ots_of(CHAIN))
    relaxed = RelaxedSteps(instance, conjunctions_of(instance, 0).states)
    literals = [clause_named(instance, name).literals[0] for name in ("no-b", "no-c", "no-d", "no-e")]
    assert [relaxed.ways(relaxed.facts(literal)) for literal in literals] == [[0], [1], [2], []]
    assert [len(step.needs) for step in relaxed.steps] == [0, 1, 2]
    assert all(relaxed.is_lost(Literal(literal.atom, False)) for literal in literals), "nothing leaves the box"


def test_what_no_values_of_the_instance_violate_is_farthest() -> None:
    """Three processes that are all different: there are two."""
    ots = ots_of_file("tas.cafe")
    instance = Instance(ots, {"Pid": ("p1", "p2")})
    conjunctions = conjunctions_of(instance, 1)
    initial = conjunctions_of(instance, 0).states
    pid = ots.invariants[0].parameters[0].sort
    three = [variable(name, pid) for name in ("I", "J", "K")]
    equal = Connectives(ots.module.signature).equal
    different = tuple(Literal(equal(one, other), False) for one, other in combinations(three, 2))
    measure = Closeness.from_initial(conjunctions, initial)
    assert measure.distance(Clause(ots.state, different, tuple(three))) == IMPOSSIBLE
    assert measure.distance(Clause(ots.state, different[:1], tuple(three))) == 0


def test_the_next_random_number_is_fresh_and_a_lemma_about_it_far_away() -> None:
    instance = instance_of(ots_of_file("nspk.cafe"))
    conjunctions = conjunctions_of(instance, 2)
    fresh = fresh_observers(instance, conjunctions.states)
    assert [symbol.name for symbol in fresh] == ["rand"]


def test_what_is_part_of_other_values_is_not_fresh() -> None:
    instance = instance_of(ots_of_file("ticket.cafe"))
    assert fresh_observers(instance, conjunctions_of(instance, 4).states) == frozenset()


def test_the_attack_on_nspk_takes_few_lemmas_from_depth_1_on() -> None:
    ots = ots_of_file("nspk.cafe")
    with MaudeSpace(instance_of(ots)) as space:
        result = igf(ots, space, ots.invariants[0], Options(depth=1, strengthen=False))
    assert result.run is not None
    assert len(result.run.actions) == 4
    assert len(result.nodes) <= 8


def test_every_predicate_of_the_queue_has_its_turn() -> None:
    """However many lemmas come that are closer, the one that waits longest is taken."""
    ots = ots_of_file("tas.cafe")
    invariant = ots.invariants[0]
    predicate = Predicate(invariant.name, invariant.parameters, invariant.formula, ())
    proof = Proof(ots, predicate)
    far = Node(predicate, NodeKind.GIVEN, invariant.name, "enter", distance=9)
    taken = []
    for number in range(2 * TURNS):
        near = replace(far, distance=1)
        names = [f"far{number}", f"near{number}"]
        proof.nodes.update(zip(names, (far, near), strict=True))
        proof.agenda.queue += names
        taken.append(proof._next_predicate())
        proof.agenda.take(taken[-1])
    assert taken[1] == "near0"
    assert [name for name in taken if name is not None and name.startswith("far")] == ["far0", "far1"]
