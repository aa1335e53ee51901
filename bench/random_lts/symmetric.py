"""Random systems of a few processes that do the same, some with a difference planted, as a model and as CafeOBJ text.

A process is at a place, and a holder may be one of the processes. A rule moves a process from one place to another if
the holder is as the rule asks. Nothing here is of otsrw.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

PROCESSES = ("q1", "q2", "q3")
PLACES = ("l0", "l1", "l2")
NOBODY = "nobody"
CRITICAL = "l2"
ASKED = ("any", NOBODY, "mine", "others")
LEFT = ("same", NOBODY, "mine")
DIFFERENCES = ("none", "none", "guard", "start")

State = tuple[str, ...]
"""The place of each process, and the holder."""
Step = tuple[State, str, str, State]
"""A state, a rule, a process, the state after it."""


class Rule(NamedTuple):
    """From one place to another; what the holder has to be, and what it is afterwards."""

    name: str
    source: str
    target: str
    asked: str
    left: str


class SymmetricSystem(NamedTuple):
    """`difference` says what makes q1 differ: nothing, the guard of the first rule, or where q1 starts."""

    rules: tuple[Rule, ...]
    difference: str

    @property
    def start(self) -> State:
        return ("l1" if self.difference == "start" else "l0", "l0", "l0", NOBODY)

    def steps(self, state: State) -> Iterator[Step]:
        for number, rule in enumerate(self.rules):
            for index, process in enumerate(PROCESSES):
                if self.difference == "guard" and not number and process == "q1":
                    continue
                if state[index] == rule.source and _fits(rule.asked, state[-1], process):
                    holder = {"same": state[-1], "mine": process}.get(rule.left, NOBODY)
                    places = [*state[:index], rule.target, *state[index + 1 : -1]]
                    yield state, rule.name, process, (*places, holder)

    def graph(self, depth: int) -> tuple[set[State], set[Step]]:
        """The states within so many steps, and the steps that lead to them."""
        states, steps, layer = {self.start}, set[Step](), [self.start]
        for _ in range(depth):
            leaving = [step for state in layer for step in self.steps(state)]
            steps.update(leaving)
            layer = list({step[-1] for step in leaving} - states)
            states.update(layer)
        return states, steps


def is_bad(state: State) -> bool:
    return state[:-1].count(CRITICAL) > 1


def renamed(state: State, renaming: dict[str, str]) -> State:
    places = dict(zip((renaming.get(process, process) for process in PROCESSES), state, strict=False))
    return (*(places[process] for process in PROCESSES), renaming.get(state[-1], state[-1]))


def interchangeable(system: SymmetricSystem, depth: int) -> set[frozenset[str]]:
    """Groups of processes: exchanging any two of a group takes the graph up to a depth to itself."""
    states, steps = system.graph(depth)
    groups: list[set[str]] = [{process} for process in PROCESSES]
    for one, other in combinations(PROCESSES, 2):
        swap = {one: other, other: one}
        same_steps = {(renamed(s, swap), rule, swap.get(p, p), renamed(t, swap)) for s, rule, p, t in steps} == steps
        if same_steps and {renamed(s, swap) for s in states} == states and renamed(system.start, swap) == system.start:
            joined = [group for group in groups if one in group or other in group]
            groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    return {frozenset(group) for group in groups if len(group) > 1}


def drawn_symmetric(choose: random.Random) -> SymmetricSystem:
    rules = []
    for number in range(choose.randint(2, 4)):
        source, target = choose.sample(PLACES, 2)
        rules.append(Rule(f"r{number}", source, target, choose.choice(ASKED), choose.choice(LEFT)))
    return SymmetricSystem(tuple(rules), choose.choice(DIFFERENCES))


def _fits(asked: str, holder: str, process: str) -> bool:
    if asked == "any":
        return True
    if asked == "others":
        return holder not in (NOBODY, process)
    return holder == (NOBODY if asked == NOBODY else process)


def cafeobj_text(system: SymmetricSystem) -> str:
    """The same system as a specification."""
    lines = [
        *_sort("PLACE", "Place", PLACES),
        f"-- @ with Pid = {' '.join(PROCESSES)}",
        "mod* PID { [Pid] op q1 : -> Pid }",
        "mod! HOLDER { pr(PID) [Holder] op nobody : -> Holder {constr} op by : Pid -> Holder {constr}",
        "  vars I J : Pid",
        "  eq (nobody = by(I)) = false . eq (by(I) = by(J)) = (I = J) . }",
        "mod* SYSTEM { pr(PLACE + HOLDER) *[Sys]*",
        "  op init : -> Sys bop at : Sys Pid -> Place bop holder : Sys -> Holder",
        "  var S : Sys vars I J : Pid",
        f"  eq holder(init) = {NOBODY} .",
        "  eq at(init, I) = (if I = q1 then l1 else l0 fi) ."
        if system.difference == "start"
        else "  eq at(init, I) = l0 .",
    ]
    for number, rule in enumerate(system.rules):
        guarded = system.difference == "guard" and not number
        lines += _rule_text(rule, " and not (J = q1)" if guarded else "")
    lines += [
        "  op mutex : Sys Pid Pid -> Bool",
        "  eq mutex(S, I, J) = ((at(S, I) = l2) and (at(S, J) = l2)) implies (I = J) .",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _sort(module: str, sort: str, names: tuple[str, ...]) -> Iterator[str]:
    yield f"mod! {module} {{ [{sort}] ops {' '.join(names)} : -> {sort} {{constr}}"
    for one, other in combinations(names, 2):
        yield f"  eq ({one} = {other}) = false ."
    yield "}"


def _rule_text(rule: Rule, more: str) -> Iterator[str]:
    asked = {
        "any": "",
        NOBODY: f" and (holder(S) = {NOBODY})",
        "mine": " and (holder(S) = by(J))",
        "others": f" and not (holder(S) = {NOBODY}) and not (holder(S) = by(J))",
    }[rule.asked]
    condition = f"(at(S, J) = {rule.source}){asked}{more}"
    holder = {"same": "holder(S)", "mine": "by(J)"}.get(rule.left, NOBODY)
    yield f"  bop {rule.name} : Sys Pid -> Sys"
    yield f"  ceq at({rule.name}(S, J), I) = (if I = J then {rule.target} else at(S, I) fi) if {condition} ."
    yield f"  ceq holder({rule.name}(S, J)) = {holder} if {condition} ."
    yield f"  ceq {rule.name}(S, J) = S if not ({condition}) ."
