"""Random systems with a few states, and random formulas; the same ones for the same seed. Nothing here is of otsrw."""

from __future__ import annotations

import random
from typing import NamedTuple

EVENTS = ("a", "b", "c")
ATOMS = ("p", "n = 1", "n < 2", '"a"', '"b"')

Formula = tuple[object, ...]
"""An operator and its parts: `("until", ("true",), ("atom", "p"))`."""
TRUE: Formula = ("true",)
FALSE: Formula = ("false",)

_MOST_TEMPORAL = 4
_UNARY = ("not", "next")
_BINARY = ("and", "or", "until", "release")


class RandomSystem(NamedTuple):
    """Each state has a truth value `p` and a number `n`; what follows the states of `frontier` is not known."""

    states: int
    initial: tuple[int, ...]
    edges: tuple[tuple[int, str, int], ...]
    values: tuple[tuple[bool, int], ...]
    frontier: frozenset[int] = frozenset()


def drawn_system(choose: random.Random, bounded: bool) -> RandomSystem:
    """Some states may be deadlocks; at most two are not expanded."""
    states = choose.randint(1, 5)
    numbers = range(states)
    unexpanded = frozenset(choose.sample(numbers, min(states, choose.randint(1, 2)))) if bounded else frozenset()
    drawn = {
        (choose.choice(numbers), choose.choice(EVENTS), choose.choice(numbers)) for _ in range(choose.randint(0, 9))
    }
    edges = sorted(edge for edge in drawn if edge[0] not in unexpanded)
    choose.shuffle(edges)
    initial = tuple(sorted({0, *choose.sample(numbers, choose.randint(0, 1))}))
    values = tuple((choose.random() < 0.5, choose.randint(0, 2)) for _ in numbers)
    return RandomSystem(states, initial, tuple(edges), values, unexpanded)


def drawn_formula(choose: random.Random) -> Formula:
    """A formula with at least one atom and few temporal operators."""
    while True:
        formula = _formula(choose, choose.randint(1, 4))
        if 0 < len(temporal_parts(formula)) <= _MOST_TEMPORAL and atoms_of(formula):
            return formula


def _formula(choose: random.Random, size: int) -> Formula:
    if size <= 1:
        return choose.choice((TRUE, FALSE)) if choose.random() < 0.1 else ("atom", choose.choice(ATOMS))
    kind = choose.choice((*_UNARY, *_BINARY, "always", "eventually"))
    if kind == "always":
        return ("release", FALSE, _formula(choose, size - 1))
    if kind == "eventually":
        return ("until", TRUE, _formula(choose, size - 1))
    if kind in _UNARY:
        return (kind, _formula(choose, size - 1))
    left = choose.randint(1, size - 1)
    return (kind, _formula(choose, left), _formula(choose, size - left))


def parts_of(formula: Formula) -> list[Formula]:
    """The formula and all its parts, each after its own parts, none twice."""
    found: dict[Formula, None] = {}

    def visit(part: Formula) -> None:
        if part[0] != "atom":
            for inner in part[1:]:
                assert isinstance(inner, tuple)
                visit(inner)
        found.setdefault(part)

    visit(formula)
    return list(found)


def temporal_parts(formula: Formula) -> list[Formula]:
    return [part for part in parts_of(formula) if part[0] in ("next", "until", "release")]


def atoms_of(formula: Formula) -> list[str]:
    return [str(part[1]) for part in parts_of(formula) if part[0] == "atom"]


def formula_text(formula: Formula) -> str:
    """As it may be written after `--ltl`."""
    match formula[0]:
        case "atom":
            return str(formula[1])
        case "true" | "false":
            return str(formula[0])
    texts = [f"({formula_text(part)})" for part in formula[1:] if isinstance(part, tuple)]
    sign = {"not": "not", "next": "X", "and": "and", "or": "or", "until": "U", "release": "R"}[str(formula[0])]
    return f"{sign} {texts[0]}" if len(texts) == 1 else f"{texts[0]} {sign} {texts[1]}"
