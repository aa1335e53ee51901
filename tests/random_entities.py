"""Random systems with a loose sort of processes, in which the number of processes may matter."""

from __future__ import annotations

import random

STAGES = ("a", "b", "c", "d")


def random_system(seed: int) -> str:
    """Processes that bring a system from stage to stage, some steps only if they are other ones than before."""
    draw = random.Random(seed)
    equations = []
    names = []
    for number in range(draw.randint(2, 4)):
        name = f"t{number}"
        names.append(name)
        stage = draw.randrange(3)
        guards = [f"(stage(S) = {STAGES[stage]})"]
        guards += draw.sample(
            ["not done(S, P)", "done(S, P)", "not (P = last(S))", "(P = last(S))"], draw.randint(0, 2)
        )
        after = draw.choice([STAGES[stage + 1], STAGES[stage + 1], "stage(S)"])
        done = draw.choice(["true", "true", "false", "done(S, Q)"])
        last = draw.choice(["P", "P", "last(S)"])
        condition = f"c-{name}(S, P)"
        equations += [
            f"op c-{name} : Sys Pid -> Bool",
            f"eq {condition} = {' and '.join(guards)} .",
            f"ceq stage({name}(S, P)) = {after} if {condition} .",
            f"ceq done({name}(S, P), Q) = (if Q = P then {done} else done(S, Q) fi) if {condition} .",
            f"ceq last({name}(S, P)) = {last} if {condition} .",
            f"ceq {name}(S, P) = S if not {condition} .",
        ]
    claims = [
        "not (stage(S) = d)",
        "not (stage(S) = d)",
        "not ((stage(S) = d) and done(S, P))",
        "(not (P = Q) and done(S, P)) implies not done(S, Q)",
    ]
    steps = "\n".join(f"bop {name} : Sys Pid -> Sys" for name in names)
    lines = "\n".join(equations)
    return f"""
mod! STAGE {{ [Stage] ops a b c d : -> Stage {{constr}} }}
mod* PID {{ [Pid] op boss : -> Pid }}
mod* RANDOM {{ pr(STAGE + PID)
  *[Sys]*
  op init : -> Sys
  bop stage : Sys -> Stage   bop done : Sys Pid -> Bool   bop last : Sys -> Pid
  {steps}
  op claim : Sys Pid Pid -> Bool
  var S : Sys   vars P Q : Pid
  eq stage(init) = {draw.choice("abcc")} .   eq done(init, P) = false .   eq last(init) = boss .
  {lines}
  eq claim(S, P, Q) = {draw.choice(claims)} .
}}"""
