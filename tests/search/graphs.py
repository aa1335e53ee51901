"""Labelled graphs R<=k of an instance: by our engine, straight from the equations, and by Maude."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from otsrw.ots import Instance, Stepper
from otsrw.ots.stepping import Values
from otsrw.search import translate
from otsrw.search.reading import SoupReader

Edge = tuple[Values | None, str | None, Values]
"""Source, transition, target; an initial state has neither source nor transition."""

_SCRIPT = Path(__file__).with_name("maude_graph.py")


def graph_by_rewriting(instance: Instance, depth: int, enough: int = 60) -> tuple[set[Edge], int]:
    """The graph, and the depth it was made to: no level is begun once there are enough states."""
    stepper = Stepper(instance)
    level = stepper.initial_states()
    edges: set[Edge] = {(None, None, state.values) for state in level}
    seen = {state.values for state in level}
    for done in range(depth):
        if len(seen) > enough:
            return edges, done
        following = []
        for state in level:
            for action, after in stepper.successors(state):
                edges.add((state.values, action.transition.name, after.values))
                if after.values not in seen:
                    seen.add(after.values)
                    following.append(after)
        level = following
    return edges, depth


def graph_by_maude(instance: Instance, depth: int) -> set[Edge]:
    module = translate(instance, [])
    request = {"text": module.text, "name": module.name, "initials": module.initials, "depth": depth}
    answer = subprocess.run(
        [sys.executable, str(_SCRIPT)], input=json.dumps(request), capture_output=True, text=True, check=False
    )
    assert (answer.returncode, answer.stderr) == (0, ""), module.text
    reader = SoupReader(instance, module)
    terms, found = json.loads(answer.stdout)
    reader.learn(terms)
    edges: set[Edge] = set()
    for source, rule, target in found:
        before = None if source is None else reader.values(source)
        after = reader.values(target)
        if before != after:
            edges.add((before, reader.transition(rule), after))
    return edges
