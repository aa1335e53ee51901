"""Cases that leave much undecided, split for a proof score.

The hypothesis of a step that changes nothing is its conclusion: our engine sees that at once. CafeOBJ makes a
polynomial of each first, over all atoms that are undecided, and multiplies them; with ten atoms it does not come to an
end. So such a case is written as several passages, in each of which few atoms are left. It makes a polynomial of every
part of a formula, too, whatever the formula makes of it: a condition that is long is told apart by its atoms as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from otsrw.induction.results import Closed
from otsrw.reasoning.assumptions import Assumed, Assumptions, inner_atoms
from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.splitting import Leaf, LeafOutcome
from otsrw.reasoning.workbench import Equation, Workbench
from otsrw.records import replace
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Term, subterms

MOST_ATOMS = 6
"""Atoms that a passage may leave undecided if the hypothesis and the conclusion have the same ones."""

MOST_TOGETHER = 5
"""Atoms that it may leave undecided otherwise, of both together: with six CafeOBJ takes seconds, with seven minutes."""

_MOST_PARTS = 64
"""Passages that one case becomes at most; a case with more is left whole."""


def small_parts(closed: Closed) -> list[Closed]:
    """The case, or parts of it that leave nothing out."""
    if closed.case.transition is None or closed.leaf.assumptions.contradiction is not None:
        return [closed]
    found: list[Closed] = []
    try:
        for part in _parts(closed):
            if part is None or len(found) == _MOST_PARTS:
                return [closed]
            found.append(part)
    except BudgetExceeded:
        return [closed]
    return found


def _parts(closed: Closed) -> Iterator[Closed | None]:
    """The parts in order; None if one cannot be written as equations."""
    assumptions = closed.leaf.assumptions
    sides = [_undecided(side, assumptions) for side in closed.case.goal.args]
    atoms = list(dict.fromkeys(chain.from_iterable(sides)))
    is_same = all(set(side) == set(atoms) for side in sides)
    if len(atoms) <= (MOST_ATOMS if is_same else MOST_TOGETHER):
        yield closed
        return
    atom = min(_conditions(atoms, assumptions) or atoms, key=size_and_text)
    for positive in (True, False):
        more = assumptions.assuming((Assumed(atom, positive),))
        if more.contradiction is not None:
            yield Closed(closed.case, Leaf(more, closed.case.bench.connectives.false, LeafOutcome.CONTRADICTION))
        elif more.open or more.reduce(atom) is atom:
            yield None
        else:
            yield from _parts(replace(closed, leaf=replace(closed.leaf, assumptions=more)))


def small_cases(bench: Workbench, formula: Term) -> list[tuple[Equation, ...]]:
    """What is assumed in passages that reduce a formula, so that no part of it has many undecided atoms.

    The passages are for the truth values of some atoms, so they leave nothing out. There is one, which assumes nothing,
    if that is enough or would take too many.
    """
    true, false = bench.connectives.true, bench.connectives.false
    todo: list[tuple[Equation, ...]] = [()]
    found: list[tuple[Equation, ...]] = []
    while todo:
        assumed = todo.pop()
        rewriter = bench.rewriter(assumed)
        try:
            parts = [inner_atoms(bench.reduce(rewriter, part)) for part in _formulas(formula)]
        except BudgetExceeded:
            return [()]
        if max(map(len, parts)) <= MOST_ATOMS:
            found.append(assumed)
            continue
        uses = Counter(chain.from_iterable(parts))
        atom = min(uses, key=lambda each: (-uses[each], *size_and_text(each)))
        todo += ((*assumed, Equation(atom, value)) for value in (false, true))
        if len(found) + len(todo) > _MOST_PARTS:
            return [()]
    return found


def _formulas(formula: Term) -> Iterator[Term]:
    """A formula and all its parts that are formulas."""
    yield formula
    for arg in formula.args:
        if arg.sort is formula.sort and formula.op.native is not None:
            yield from _formulas(arg)


def _undecided(formula: Term, assumptions: Assumptions) -> list[Term]:
    """The atoms of a formula that are undecided by themselves, whatever the formula makes of them."""
    found: dict[Term, None] = {}
    todo = [formula]
    while todo:
        part = todo.pop()
        if part.args and all(arg.sort is formula.sort for arg in part.args):
            todo += part.args
        else:
            found.update(dict.fromkeys(inner_atoms(assumptions.reduce(part))))
    return list(found)


def _conditions(atoms: Iterable[Term], assumptions: Assumptions) -> list[Term]:
    """What conditionals inside the atoms depend on and nobody knows; a branch that is not taken yet is not reduced."""
    choices = (part for atom in atoms for part in subterms(atom) if part.op.native is Builtin.IF)
    found = [atom for choice in choices for atom in inner_atoms(choice.args[0])]
    return [atom for atom in found if assumptions.reduce(atom) is atom]
