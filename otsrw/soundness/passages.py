"""Joined critical pairs as proof passages: CafeOBJ can confirm every reduction that order independence rests on.

A passage opens the module, declares the constants of a pair, states the assumptions of one case as equations and
reduces `left = right`. In a case that cannot occur it reduces the assumption that does not hold, as a premise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.reasoning.splitting import Leaf
from otsrw.reasoning.workbench import Workbench
from otsrw.records import dataclass
from otsrw.soundness.cone import Cone
from otsrw.soundness.order import FunctionOrder
from otsrw.soundness.pairs import Joined, PairOutcome, Side
from otsrw.theory.printing import show, show_plainly, show_sort
from otsrw.theory.terms import Term, subterms


@dataclass(frozen=True, slots=True)
class OrderScore:
    """A text of passages; every reduction in it gives true."""

    text: str
    passages: int


def order_score(cone: Cone, orders: Iterable[FunctionOrder], declarations: Iterable[str]) -> OrderScore:
    """The passages of all pairs that are joined or excluded, after the declarations they need."""
    lines = [
        "-- Written by otsrw: the equations below give the same value in whatever order they are tried.",
        "-- Each passage is a case in which two of them apply to one term; every reduction gives true.",
        "",
        *(text.rstrip() for text in declarations),
    ]
    count = 0
    for order in orders:
        for joined in order.joined:
            passages = list(_passages(cone, joined))
            count += len(passages)
            if passages:
                lines += ["", f"-- {_title(joined)}", *(line for passage in passages for line in passage)]
    return OrderScore("\n".join(lines) + "\n", count)


def _title(joined: Joined) -> str:
    overlap = joined.pair.overlap
    places = [axiom.span.line for axiom in (overlap.outer, overlap.inner) if axiom is not None]
    lines = " and ".join(map(str, dict.fromkeys(places)))
    return f"{show_plainly(joined.pair.peak)}: line{'s' if len(set(places)) > 1 else ''} {lines}"


def _passages(cone: Cone, joined: Joined) -> Iterator[list[str]]:
    if joined.grounded is None or joined.outcome not in (PairOutcome.JOINED, PairOutcome.INFEASIBLE):
        return
    for side, leaves in joined.leaves:
        for leaf in leaves:
            yield _passage(cone, joined.grounded.bench, side, leaf)


def _passage(cone: Cone, bench: Workbench, side: Side, leaf: Leaf) -> list[str]:
    contradiction = leaf.assumptions.contradiction
    goal, used = show(side.goal), [side.goal]
    if contradiction is None:
        equations = leaf.assumptions.with_facts(side.goal)
    else:
        premise = show(contradiction.atom)
        equations = leaf.assumptions.with_facts(contradiction.atom)
        goal = f"({premise if contradiction.positive else f'not {premise}'}) implies {goal}"
        used.append(contradiction.atom)
    used += [term for equation in equations for term in (equation.left, equation.right)]
    return [
        f"open {cone.module.name} .",
        *_constants(cone, bench, used),
        *(f"  eq {show_plainly(e.left)} = {show_plainly(e.right)} ." for e in equations),
        f"  red {goal} .",
        "close",
    ]


def _constants(cone: Cone, bench: Workbench, terms: Iterable[Term]) -> Iterator[str]:
    found = {part for term in terms for part in subterms(term) if part.op in bench.constants}
    groups: dict[str, list[str]] = {}
    for term in sorted(found, key=lambda t: bench.constants[t.op]):
        sort = show_sort(term.op.decls[0].coarity, cone.module.signature.sort_names)
        groups.setdefault(sort, []).append(term.op.name)
    for sort, names in groups.items():
        yield f"  op{'s' * (len(names) > 1)} {' '.join(names)} : -> {sort} ."
