"""CaseSplit leaves nothing out: every ground state, with arguments, is in exactly one leaf, and its outcome is right.

A split that takes an element out of a bag or a set is not exclusive: any of its elements may be the one. There a state
is in at least one leaf.
"""

from __future__ import annotations

import random
from dataclasses import replace as replace_leaf

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from induction.generated import System, systems
from induction.ground import Ground, Valuation
from specifications import instance_of, ots_of, ots_of_file

from otsrw.induction.cases import InductionCase
from otsrw.induction.clauses import replace
from otsrw.induction.scheme import Induction
from otsrw.ots import Instance, Ots
from otsrw.ots.stepping import Values
from otsrw.reasoning import splitting
from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.shapes import shapes_of
from otsrw.reasoning.splitting import POLICIES, Leaf
from otsrw.reasoning.workbench import Equation, Workbench
from otsrw.rewriting.matching import Matcher
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.terms import Term, variable

SPECS = (
    "tas.cafe",
    "qlock.cafe",
    "ticket.cafe",
    "ticket-atomic.cafe",
    "peterson.cafe",
    "flag-turn.cafe",
    "bakery-flawed.cafe",
    "two-phase-commit.cafe",
)


def is_excluded(leaf: Leaf, valuation: Valuation, bindings: dict[Term, Term]) -> bool:
    """Is the premise that excludes the leaf really false here, for all constants that were introduced on the way?"""
    if leaf.premise is None:
        return False
    bench = leaf.assumptions.bench
    kept = Equation(leaf.premise.formula, bench.connectives.true)
    return not valuation.satisfies(replace_leaf(leaf, assumptions=with_rule(leaf.assumptions, kept)), bindings)


def with_rule(assumptions: Assumptions, rule: Equation) -> Assumptions:
    return Assumptions(assumptions.bench, (*assumptions.equations, rule))


def misplaced(
    instance: Instance, ground: Ground, step: InductionCase, leaves: list[Leaf], states: list[Values], choices: int
) -> list[str]:
    """Ground states that are in no leaf, in two leaves, in a contradictory one, or in one with another outcome."""
    wrong = []
    collections = any(e.right.op.assoc for leaf in leaves for e in leaf.assumptions.equations)
    for values in states:
        valuation = Valuation(instance, step, values)
        for _ in range(choices):
            sorts = [constant.sort for constant in (*step.arguments, *step.values)]
            choice = tuple(ground.chance.choice(ground.pool(sort)) for sort in sorts)
            bindings = valuation.bindings(choice)
            inside = [
                leaf for leaf in leaves if leaf.outcome != "contradiction" and valuation.satisfies(leaf, bindings)
            ]
            goal = str(valuation.value(step.goal, bindings))
            outcomes = {str(leaf.outcome) for leaf in inside if not is_excluded(leaf, valuation, bindings)}
            if not inside or (len(inside) > 1 and not collections) or not outcomes <= {goal, "undecided"}:
                where = "initially" if step.transition is None else step.transition.name
                wrong.append(
                    f"{step.predicate.name} {where} {choice} in {values}: in {len(inside)} leaves {outcomes},"
                    f" the goal is {goal}"
                )
    return wrong


def check(ots: Ots, instance: Instance, chance: random.Random, policy: str, states: int, choices: int) -> int:
    """Every step of every invariant splits soundly; how many leaves there were."""
    induction = Induction(ots, POLICIES[policy])
    ground = Ground(instance, chance)
    seen = [*ground.reachable(states), *(ground.arbitrary() for _ in range(states))]
    count = 0
    known = [induction.predicate(each.name, each.parameters, each.formula) for each in ots.invariants]
    for predicate in known:
        for transition in ots.transitions:
            step = induction.induction_case(predicate, transition)
            leaves = list(induction.leaves(step))
            count += len(leaves)
            wrong = misplaced(instance, ground, step, leaves, seen, choices)
            assert not wrong, wrong[0]
            step = induction.induction_case(predicate, transition)
            parts = [part for refined in induction.refined(step, known) for part in refined.parts]
            wrong = misplaced(instance, ground, step, parts, seen, choices)
            assert not wrong, wrong[0]
    return count


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", SPECS)
def test_cases_of_a_case_study_cover_every_ground_state_once(name: str, policy: str) -> None:
    ots = ots_of_file(name)
    instance = instance_of(ots)
    assert check(ots, instance, random.Random(name), policy, states=6, choices=4) > 0


@pytest.mark.parametrize("most", [1, 2, 5])
def test_cases_beyond_the_limit_are_leaves_of_their_own(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "MAX_CASES", most)
    ots = ots_of_file("qlock.cafe")
    assert check(ots, instance_of(ots), random.Random(most), "conditions-first", states=6, choices=4) > 0


@pytest.mark.parametrize("family", (None, "Bag", "Set", "Queue", "Nat"), ids=lambda family: family or "labels")
def test_cases_of_random_systems_cover_every_ground_state_once(family: str | None) -> None:
    @settings(max_examples=settings.default.max_examples // 10, suppress_health_check=list(HealthCheck))  # type: ignore[union-attr]
    @given(systems(family), st.sampled_from(sorted(POLICIES)), st.randoms(use_true_random=False))
    def covered(system: System, policy: str, chance: random.Random) -> None:
        ots = ots_of(system.text)
        try:
            check(ots, instance_of(ots, system.entities(2)), chance, policy, states=4, choices=3)
        except OtsrwError:
            reject()

    covered()


_PID = "mod* PID { [Pid] op boss : -> Pid {constr} }"
_SYSTEM = """mod* M { pr({name}) *[Sys]* op init : -> Sys bop o : Sys -> {sort} bop t : Sys -> Sys
  eq o(init) = {value} . eq o(t(S:Sys)) = o(S) . }"""
_THEORY = "{constr assoc comm id: empty}"

DATA = {
    "numbers": ("Nat", "0", "mod! D { pr(PID) [Nat] op 0 : -> Nat {constr} op s : Nat -> Nat {constr} }"),
    "an entity or nothing": ("Pid?", "none", "mod! D { pr(PID) [Pid < Pid?] op none : -> Pid? {constr} }"),
    "a bag of entities": (
        "Bag",
        "empty",
        f"mod! D {{ pr(PID) [Pid < Bag] op empty : -> Bag {{constr}} op _,_ : Bag Bag -> Bag {_THEORY} }}",
    ),
    "a bag of two sorts, one below the other": (
        "Hand",
        "empty",
        "mod! D { pr(PID) [Joker < Card < Hand] op joker : -> Joker {constr} op card : Pid -> Card {constr}"
        f" op empty : -> Hand {{constr}} op _,_ : Hand Hand -> Hand {_THEORY} }}",
    ),
    "a bag of two sorts side by side": (
        "Box",
        "empty",
        "mod! D { pr(PID) [Red Blue < Box] op red : Pid -> Red {constr} op blue : -> Blue {constr}"
        f" op empty : -> Box {{constr}} op _,_ : Box Box -> Box {_THEORY} }}",
    ),
    "a bag with a constructor of its own": (
        "Bag",
        "empty",
        "mod! D { pr(PID) [Pid < Bag] op two : Pid -> Bag {constr} op empty : -> Bag {constr}"
        f" op _,_ : Bag Bag -> Bag {_THEORY} }}",
    ),
    "a constant that is no constructor": (
        "Nat",
        "0",
        "mod! D { pr(PID) [Nat] op 0 : -> Nat {constr} op bad : -> Nat }",
    ),
}


@pytest.mark.parametrize("name", DATA)
def test_every_value_has_one_of_the_shapes(name: str) -> None:
    sort, first, data = DATA[name]
    ots = ots_of(
        "\n".join([_PID, data, _SYSTEM.replace("{name}", "D").replace("{sort}", sort).replace("{value}", first)])
    )
    instance = instance_of(ots, {"Pid": ["boss", "p1", "p2"]})
    bench = Workbench(ots.module)
    value = bench.constant("value", ots.observers[0].value)
    shapes = shapes_of(value, bench)
    variables = {c.make(()): variable(f"{c.name}#", c.decls[0].coarity) for c in bench.constants}
    patterns = [instance.module.signature.translate(replace(shape, variables), {}) for shape in shapes]
    matcher = Matcher(instance.module.signature.order)
    values = Ground(instance, random.Random(name)).pool(ots.observers[0].value)
    assert len(values) > 1
    left_out = [
        v for v in values if patterns and not any(next(matcher.match(p, v, {}), None) is not None for p in patterns)
    ]
    assert left_out == []
    assert bool(shapes) is not name.startswith(("a bag with a constructor", "a constant"))
