"""A ground term that two equations give different values, for a critical pair that was not joined.

Unknown are the constants of the pair and what observers say about its states. They get small values one by one, as
they are needed to decide the conditions and to evaluate the two sides; a case that the joiner could not close says
which values to try first. A state is described by what is observed in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import islice, product

from otsrw.reasoning.assumptions import atoms_of
from otsrw.reasoning.workbench import Equation, Workbench
from otsrw.records import dataclass
from otsrw.rewriting.ring import RingTerm
from otsrw.soundness.cone import Cone
from otsrw.soundness.pairs import Grounded, Joined, Side
from otsrw.soundness.small_values import SmallValues
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import COMPUTE, Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show_plainly
from otsrw.theory.terms import LiteralTerm, Symbol, Term, literal_of, subterms, variables_of

MAX_NODES = 300
"""Assignments that are tried for one side of a pair."""
MAX_SAMPLED = 8
"""Values of one variable of an equation that can only be tested."""

Assignment = dict[Term, Term]


@dataclass(frozen=True, eq=False, slots=True)
class Disagreement:
    """`term` has the values `left` and `right`, if observers say `where`."""

    term: Term
    left: Term
    right: Term
    where: tuple[tuple[Term, Term], ...]

    def text(self, left: str, right: str) -> str:
        """In words; `left` and `right` say where the values come from."""
        values = f"{shown(self.term)} is {shown(self.left)} {left} and {shown(self.right)} {right}"
        conditions = " and ".join(f"{shown(seen)} = {shown(value)}" for seen, value in self.where)
        return f"{values}, where {conditions}" if conditions else values


def shown(term: Term) -> str:
    """The term as users write it, without parentheses around the whole."""
    text = show_plainly(term)
    return text[1:-1] if text.startswith("(") and _closes_at_end(text) else text


def _closes_at_end(text: str) -> bool:
    depth = 0
    for index, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return index == len(text) - 1
    return False


def find_witness(cone: Cone, joined: Joined) -> Disagreement | None:
    """Values that show a difference; None if no small ones do."""
    if joined.grounded is None:
        return None
    sides = [joined.side] if joined.side is not None else list(joined.grounded.sides)
    hints = {} if joined.failed is None else {e.left: e.right for e in joined.failed.assumptions.equations}
    values = SmallValues(cone, joined.grounded.bench)
    for side, preferred in product(sides, ({}, hints)):  # without hints first: what they name may be large
        try:
            found = _Attempt(cone, joined.grounded, side, preferred, values).run()
        except BudgetExceeded:
            found = None
        if found is not None:
            return found
    return None


def sampled(cone: Cone, bench: Workbench, axiom: Axiom) -> Disagreement | None:
    """Values for which evaluating the arguments of a left side first gives something else than its right side.

    That is how an equation is tested whose left side contains built-in operators; None if no small values show it.
    """
    values = SmallValues(cone, bench)
    variables = variables_of(axiom.lhs)
    choices = [values.of(v.sort)[:MAX_SAMPLED] for v in variables]
    places = sorted(product(*[range(len(c)) for c in choices]), key=lambda p: (sum(p), p))
    for place in islice(places, MAX_NODES):
        bindings = {v: c[i] for v, c, i in zip(variables, choices, place, strict=True)}
        try:
            found = _tested(cone, values, axiom, bindings)
        except BudgetExceeded:
            continue
        if found is not None:
            return found
    return None


def _tested(cone: Cone, values: SmallValues, axiom: Axiom, bindings: Assignment) -> Disagreement | None:
    bench = values.bench
    rewriter = bench.rewriter(())
    if axiom.condition is not None:
        condition = bench.reduce(rewriter, substitute(axiom.condition, bindings))
        if condition is not cone.connectives.true:
            return None
    term = substitute(axiom.lhs, bindings)
    args = tuple([bench.reduce(rewriter, arg) for arg in term.args])
    left, right = bench.reduce(rewriter, substitute(axiom.rhs, bindings)), _computed(cone, term.op, args)
    if not args:
        right = bench.reduce(rewriter, term)  # `X + 1` is a numeral at once if X is 0
    elif right is None:
        right = bench.reduce(rewriter, term.op.make(args))
    if left is right or not (values.is_value(left) and values.is_value(right)):
        return None
    return Disagreement(term, left, right, ())


def _computed(cone: Cone, symbol: Symbol, args: tuple[Term, ...]) -> Term | None:
    """What a built-in operator gives for numbers and the like; None if it is none, or does not apply."""
    compute = None if symbol.native is None else COMPUTE.get(symbol.native)
    known = [arg.value for arg in args if isinstance(arg, LiteralTerm)]
    if compute is None or len(known) < len(args) or not args:
        return None
    try:
        value = reduce(compute, known) if symbol.assoc else compute(*known)
    except (TypeError, ValueError, ArithmeticError):
        return None
    if value is None or isinstance(value, bool):
        return {True: cone.connectives.true, False: cone.connectives.false}.get(value) if value is not None else None
    return literal_of(value)


class _Attempt:
    """Looks for a difference on one side of a pair."""

    def __init__(self, cone: Cone, grounded: Grounded, side: Side, hints: Assignment, values: SmallValues) -> None:
        self.cone = cone
        self.bench = grounded.bench
        self.conditions = grounded.conditions
        self.side = side
        self.hints = hints
        self.values = values
        self.state_sort = None if cone.ots is None else cone.ots.sort
        self.nodes = 0

    def run(self) -> Disagreement | None:
        return self._step({})

    def _step(self, known: Assignment) -> Disagreement | None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            return None
        stuck: Term | None = None
        for condition in self.conditions:
            value = self._evaluated(condition, known)
            if value is self.cone.connectives.false:
                return None
            if value is not self.cone.connectives.true:
                stuck = stuck or value
        if stuck is not None:
            return self._guess([stuck], known)
        left, right = self._evaluated(self.side.left, known), self._evaluated(self.side.right, known)
        if self.values.is_value(left) and self.values.is_value(right):
            return self._difference(left, right, known)
        return self._guess([left, right], known)

    def _difference(self, left: Term, right: Term, known: Assignment) -> Disagreement | None:
        if left is right or self._evaluated(self.cone.connectives.equal(left, right), known, decide=False) is (
            self.cone.connectives.true
        ):
            return None
        term = self._instance(self.side.peak, known)
        if any(self._is_unknown(part) and part.sort is not self.state_sort for part in _parts(term) if not part.args):
            return self._guess([term], known)
        where = [(self._instance(u, known), self._instance(v, known)) for u, v in known.items() if u.args]
        return Disagreement(term, left, right, tuple(where))

    def _guess(self, stuck: list[Term], known: Assignment) -> Disagreement | None:
        """Give the first unknown of a term that is not evaluated a value."""
        # What a conditional equation waits for does not show in the term; the case that was not closed knows it.
        waiting = (part for term in (*stuck, *self.hints) for part in self._unknowns(term) if part not in known)
        unknown = next(waiting, None)
        if unknown is None:
            return None
        candidates: dict[Term, None] = {}
        if unknown in self.hints and not any(part is unknown for part in subterms(self.hints[unknown])):
            candidates[self.hints[unknown]] = None
        candidates.update(dict.fromkeys(self._collection(unknown)))
        candidates.update(dict.fromkeys(self.values.of(unknown.sort)))
        order = self.cone.module.signature.order
        for value in candidates:
            if not order.leq(value.sort, unknown.sort):
                continue
            found = self._step({**known, unknown: value})
            if found is not None or self.nodes > MAX_NODES:
                return found
        return None

    def _collection(self, unknown: Term) -> Iterator[Term]:
        """The collection of all that the case says is a member of the unknown one."""
        true = self.cone.connectives.true
        said = [atom for atom, value in self.hints.items() if value is true and unknown in atom.args]
        members = [arg for atom in said for arg in atom.args if arg is not unknown and len(atom.args) == 2]
        for symbol in self.cone.functions if len(members) > 1 else ():
            if symbol.assoc and symbol.is_constructor and symbol.kind is unknown.op.kind:
                yield symbol.make(tuple(dict.fromkeys(members)))

    # --- unknowns

    def _unknowns(self, term: Term) -> Iterator[Term]:
        for part in _parts(term):
            if self._is_unknown(part):
                yield part

    def _is_unknown(self, part: Term) -> bool:
        """A constant of the pair, an observation of a state or a loose function, whose arguments are values."""
        if part.op in self.bench.constants:
            return part.sort is not self.state_sort and not self.values.is_value(part)
        if self.values.is_loose_call(part):
            return not self.cone.is_state_operator(part.op)
        if self.state_sort is None or not part.args or part.sort is self.state_sort:
            return False
        states = [arg for arg in part.args if arg.sort is self.state_sort]
        others = [arg for arg in part.args if arg.sort is not self.state_sort]
        fresh = [arg for arg in states if arg.op in self.bench.constants]
        return bool(states) and len(fresh) == len(states) and all(map(self.values.is_value, others))

    # --- evaluation

    def _evaluated(self, term: Term, known: Assignment, decide: bool = True) -> Term:
        """The value under the assignment; different values are not equal."""
        false = self.cone.connectives.false
        equations = [Equation(unknown, value) for unknown, value in known.items()]
        value = self.bench.reduce(self.bench.rewriter(equations), term)
        while decide:
            wrong = [part for part in _parts(value) if part.op.native is Builtin.EQUALS and self._differ(*part.args)]
            if not wrong:
                break
            equations += [Equation(part, false) for part in dict.fromkeys(wrong)]
            value = self.bench.reduce(self.bench.rewriter(equations), term)
        return value

    def _differ(self, left: Term, right: Term) -> bool:
        return left is not right and self.values.is_value(left) and self.values.is_value(right)

    def _instance(self, term: Term, known: Assignment) -> Term:
        """The term with values for constants, but not for what is observed, and otherwise as it is written."""
        found = known.get(term)
        if found is not None and not term.args:
            return self._instance(found, known)
        if not term.args:
            return term
        return term.op.make(tuple([self._instance(arg, known) for arg in term.args]))


def _parts(term: Term) -> Iterator[Term]:
    """The terms inside a term, innermost first; a formula consists of its atoms."""
    inside = atoms_of(term) if isinstance(term, RingTerm) else term.args
    for arg in inside:
        yield from _parts(arg)
    if not isinstance(term, RingTerm):
        yield term
