"""Order independence: does every function of a cone have one value, whichever equation is tried first?

All overlaps of the equations are unified, and all critical pairs are joined (`overlaps.py`, `unifiers.py`,
`pairs.py`). Each function with equations gets one obligation: proved if all its pairs are joined or cannot occur,
refuted if small values show a difference, open otherwise.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from otsrw.reasoning.workbench import Why
from otsrw.records import dataclass
from otsrw.rewriting.rules import Rule
from otsrw.soundness.cone import Cone
from otsrw.soundness.deeper import DeeperJoiner
from otsrw.soundness.obligations import Obligation, ObligationKind, Status
from otsrw.soundness.overlaps import Overlap, Overlaps, obstacle
from otsrw.soundness.pairs import CriticalPair, Joined, Joiner, PairOutcome
from otsrw.soundness.unifiers import UnifierSet, UnifyingMaude, solve
from otsrw.syntax.source import NOWHERE, Span
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.printing import show_plainly
from otsrw.theory.terms import Symbol, Term, subterms

if TYPE_CHECKING:
    from otsrw.soundness.witnesses import Disagreement

MAX_WITNESSES = 4
"""Pairs of one function for which values are sought."""
MAX_NOTES = 4


@dataclass(frozen=True, eq=False, slots=True)
class OrderDoubt:
    """Why a function may depend on the order: a witness, or what is missing."""

    span: Span
    missing: str
    witness: str = ""
    hint: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class FunctionOrder:
    """What is known about the equations of one function."""

    symbol: Symbol
    equations: tuple[Axiom, ...]
    overlaps: int
    joined: tuple[Joined, ...]
    doubts: tuple[OrderDoubt, ...]

    def count(self, outcome: PairOutcome) -> int:
        return sum(joined.outcome is outcome for joined in self.joined)


def order_obligations(cone: Cone, maude: UnifyingMaude | None = None) -> list[Obligation]:
    """One obligation for each function of the cone that has equations; None means the Maude that is installed.

    >>> from otsrw.ots import find_ots
    >>> from otsrw.proofs import load
    >>> from otsrw.soundness.cone import cone_of
    >>> cone = cone_of(find_ots(load("specs/tas.cafe")))
    >>> {obligation.status.value for obligation in order_obligations(cone)}
    {'proved'}
    """
    return [obligation_of(found) for found in check_order(cone, maude)]


def check_order(cone: Cone, maude: UnifyingMaude | None = None) -> list[FunctionOrder]:
    """All critical pairs of a cone, by function."""
    return _Check(cone).run(maude)


class KnownOrders:
    """What was found out about functions of a module; all cones of the module share it.

    A cone that has a function has all operators that its pairs mention. So the answer is the same in every cone in
    which the function overlaps with the same equations, and in which the same ones cannot be overlapped with it; pairs
    of states are compared by the observers of a cone, so functions with such pairs are not kept.
    """

    def __init__(self, _module: Module) -> None:
        self.by_key: dict[tuple[object, ...], FunctionOrder] = {}


class _Check:
    def __init__(self, cone: Cone) -> None:
        self.cone = cone
        self.joiner = Joiner(cone)
        self.deeper = DeeperJoiner(cone)
        builtin = [a for s, axioms in cone.builtin.items() if s.native is None for a in axioms]
        self.equations = [*cone.equations, *builtin]
        defined = {axiom.lhs.op for axiom in self.equations}
        self.obstacles = {id(axiom): reason for axiom in self.equations if (reason := obstacle(axiom, defined))}
        self.hidden = [axiom for axiom in self.equations if id(axiom) in self.obstacles]
        fine = [axiom for axiom in self.equations if id(axiom) not in self.obstacles]
        self.overlaps = Overlaps(fine, cone.connectives)
        self.place = cone.module.span.source

    def run(self, maude: UnifyingMaude | None) -> list[FunctionOrder]:
        functions = {symbol: axioms for symbol, axioms in self.cone.functions.items() if axioms}
        found = {symbol: tuple(self.overlaps.of(symbol)) for symbol in self._tops(functions)}
        known = self.cone.module.derived(KnownOrders).by_key
        keys = {symbol: self._key(symbol, functions.get(symbol, ()), found[symbol]) for symbol in found}
        new = [symbol for symbol, key in keys.items() if key is None or key not in known or maude is not None]
        everything = [overlap for symbol in new for overlap in found[symbol]]
        answers = iter(solve([o.problem for o in everything], self.cone.module.signature, maude))
        results = {symbol: known[key] for symbol, key in keys.items() if key in known}
        for symbol in new:
            pairs = [(overlap, next(answers)) for overlap in found[symbol]]
            results[symbol] = self._function(symbol, tuple(functions.get(symbol, ())), pairs)
            key = keys[symbol]
            if key is not None and maude is None:
                known[key] = results[symbol]
        return [results[symbol] for symbol in found if results[symbol].equations or results[symbol].doubts]

    def _key(
        self, symbol: Symbol, equations: tuple[Axiom, ...], overlaps: tuple[Overlap, ...]
    ) -> tuple[object, ...] | None:
        """All that the answer about a function depends on; None if that is more than its overlaps."""
        state = self.joiner.state_sort
        if any(overlap.left.sort is state or overlap.right.sort is state for overlap in overlaps):
            return None
        inside = {part.op for axiom in equations for part in subterms(axiom.lhs)}
        hidden = tuple((axiom, self.obstacles[id(axiom)]) for axiom in self.hidden if axiom.lhs.op in inside)
        return (symbol, state, equations, overlaps, hidden)

    def _tops(self, functions: Iterable[Symbol]) -> list[Symbol]:
        """The functions, and operators that instances of equations have on top."""
        return list(dict.fromkeys([*functions, *(s for s in self.overlaps.collapsed if not s.variable)]))

    def _function(
        self, symbol: Symbol, equations: tuple[Axiom, ...], overlaps: list[tuple[Overlap, UnifierSet]]
    ) -> FunctionOrder:
        doubts = [doubt for axiom in equations for doubt in self._obstacles_of(axiom)]
        joined: list[Joined] = []
        seen: set[tuple[Term, ...]] = set()
        for overlap, answer in overlaps:
            if answer.missing:
                doubts.append(OrderDoubt(_span(overlap), f"{self._lines(overlap)}: {answer.missing}"))
            for unifier in answer.unifiers:
                pair = CriticalPair.of(overlap, unifier)
                key = pair.key
                if key not in seen:
                    seen.add(key)
                    joined.append(self._joined(pair))
        wanted = [one for one in joined if one.outcome is PairOutcome.OPEN]
        doubts += [self._doubt(one, look=index < MAX_WITNESSES) for index, one in enumerate(wanted)]
        return FunctionOrder(symbol, equations, len(overlaps), tuple(joined), tuple(doubts))

    def _joined(self, pair: CriticalPair) -> Joined:
        outer, inner = pair.overlap.outer, pair.overlap.inner
        if inner is not None and pair.overlap.at_top and outer.otherwise != inner.otherwise:
            # An equation marked owise is only used where no other equation of the function applies.
            return Joined(pair, PairOutcome.INFEASIBLE)
        joined = self.joiner.join(pair)
        if joined.outcome is not PairOutcome.OPEN:
            return joined
        if self.deeper.compares_values(pair):
            return Joined(pair, PairOutcome.COMPARED)
        if not joined.missing and self.deeper.by_induction(pair):
            return Joined(pair, PairOutcome.INDUCTIVE)
        return joined

    # --- doubts

    def _obstacles_of(self, axiom: Axiom) -> list[OrderDoubt]:
        """Equations that could not be overlapped with this one, itself among them."""
        own = self.obstacles.get(id(axiom))
        if own:
            witness = self._sampled(axiom)
            return [OrderDoubt(axiom.span, f"{self._line(axiom)}: {own}", witness)]
        inside = {part.op for arg in axiom.lhs.args for part in subterms(arg)}
        hidden = [a for a in self.hidden if a.lhs.op in inside]
        return [
            OrderDoubt(axiom.span, f"{self._line(axiom)} with {self._line(a)}: {self.obstacles[id(a)]}") for a in hidden
        ]

    def _sampled(self, axiom: Axiom) -> str:
        """Values for which the left side is evaluated to something else than the right side says."""
        from otsrw.soundness.witnesses import sampled

        witness = sampled(self.cone, self.joiner.bench(), axiom) if Rule.of(axiom).is_usable else None
        return "" if witness is None else witness.text(f"by {self._line(axiom)}", "when its arguments are evaluated")

    def _doubt(self, joined: Joined, look: bool) -> OrderDoubt:
        from otsrw.soundness.witnesses import find_witness

        pair = joined.pair
        outer, inner = pair.overlap.outer, pair.overlap.inner
        # Values do not show where an equation marked owise applies: not where another equation of its function does.
        is_owise = outer.otherwise or (inner is not None and inner.otherwise)
        witness = find_witness(self.cone, joined) if look and not is_owise else None
        if witness is not None:
            return OrderDoubt(_span(pair.overlap), "", self._words(pair.overlap, witness), self._hint(pair.overlap))
        if joined.missing:
            return OrderDoubt(_span(pair.overlap), f"{self._lines(pair.overlap)}: {joined.missing}")
        return OrderDoubt(_span(pair.overlap), f"{self._lines(pair.overlap)}: {_residue(joined)}")

    def _words(self, overlap: Overlap, witness: Disagreement) -> str:
        if overlap.inner is None:
            reason = "because everything equals itself" if overlap.peak.op.native is Builtin.EQUALS else "as it stands"
            return witness.text(f"by {self._line(overlap.outer)}", reason)
        if overlap.inner is overlap.outer:
            return witness.text("", f"by {self._line(overlap.outer)} alone").replace("  ", " ")
        return witness.text(*(f"by {line}" for line in self._both_lines(overlap.outer, overlap.inner)))

    def _hint(self, overlap: Overlap) -> str:
        """What to do about two equations that disagree."""
        from otsrw.soundness.witnesses import shown

        inner, ots = overlap.inner, self.cone.ots
        if inner is None or ots is None or inner.rhs.sort is not ots.sort or not inner.rhs.op.variable:
            return _EXCLUDE if inner is not overlap.outer else _NO_ORDER
        if overlap.outer.condition is not None:
            return _EXCLUDE
        name, idle = inner.lhs.op.name, inner.condition
        when = "" if idle is None else f" if {shown(idle)}"
        mend = f"the condition under which {name} is effective"
        if idle is not None and idle.op.native is Builtin.NOT:
            mend = f"the condition {shown(idle.args[0])}"
        return (
            f"{self._line(inner)} says that {name} leaves the state as it is{when}: "
            f"give {self._line(overlap.outer)} {mend}"
        )

    def _lines(self, overlap: Overlap) -> str:
        if overlap.inner is None or overlap.inner is overlap.outer:
            return self._line(overlap.outer)
        return " and ".join(self._both_lines(overlap.outer, overlap.inner))

    def _both_lines(self, outer: Axiom, inner: Axiom) -> tuple[str, str]:
        first, second = self._line(outer), self._line(inner)
        if first == second:
            return f"{first}:{outer.span.column}", f"{second}:{inner.span.column}"
        return first, second

    def _line(self, axiom: Axiom) -> str:
        span = axiom.span
        same = span.source is self.place or self.place is NOWHERE.source
        return f"line {span.line}" if same else f"{os.path.basename(span.source.name)}:{span.line}"


def _residue(joined: Joined) -> str:
    """What is not shown: that two sides are equal, and in which case."""
    assert joined.grounded is not None
    side = joined.side or joined.grounded.sides[0]
    equation = f"{show_plainly(side.left)} = {show_plainly(side.right)}"
    if joined.failed is None:
        conditions = [show_plainly(condition) for condition in joined.grounded.conditions]
    else:
        equations = [e for e in joined.failed.assumptions.equations if e.why is not Why.FACT]
        conditions = [f"{show_plainly(e.left)} = {show_plainly(e.right)}" for e in equations]
    return f"{equation} when {' and '.join(conditions)}" if conditions else equation


def _span(overlap: Overlap) -> Span:
    """The later one of two equations: the earlier one may be all that its author had in mind."""
    if overlap.inner is None or overlap.inner.span.source is not overlap.outer.span.source:
        return overlap.outer.span
    return max(overlap.outer.span, overlap.inner.span, key=lambda span: span.line)


# --- obligations


def obligation_of(found: FunctionOrder) -> Obligation:
    """The obligation of a function: the worst doubt decides, the others are notes."""
    refuting = [doubt for doubt in found.doubts if doubt.witness]
    others = [doubt for doubt in found.doubts if not doubt.witness]
    notes = [*(d.witness for d in refuting), *(f"not shown: {d.missing}" for d in others)]
    name = found.symbol.name
    if refuting:
        return Obligation(
            ObligationKind.ORDER, name, Status.REFUTED, refuting[0].span, witness=refuting[0].witness,
            hint=refuting[0].hint, notes=_shortened(notes),
        )  # fmt: skip
    if others:
        return Obligation(
            ObligationKind.ORDER, name, Status.OPEN, others[0].span, missing=others[0].missing,
            notes=_shortened(notes),
        )  # fmt: skip
    span = found.equations[0].span if found.equations else NOWHERE
    return Obligation(ObligationKind.ORDER, name, Status.PROVED, span, evidence=_evidence(found))


_EXCLUDE = "make the equations exclude each other by their conditions, or agree"
_NO_ORDER = "the elements of a collection have no order: the result must not depend on which one is taken first"


def _shortened(notes: list[str]) -> tuple[str, ...]:
    """All notes but the first, which the obligation itself tells."""
    kept = list(dict.fromkeys(notes))[1:]
    more = len(kept) - MAX_NOTES
    return (*kept[:MAX_NOTES], *([f"and {more} more"] if more > 0 else []))


def _evidence(found: FunctionOrder) -> str:
    if not found.overlaps:
        return "its equations do not overlap"
    counts = Counter(joined.outcome for joined in found.joined)
    told = [f"{counts[outcome]} {word}" for outcome, word in _WORDS.items() if counts[outcome]]
    plural = "s" if found.overlaps > 1 else ""
    return f"{found.overlaps} overlap{plural}" + (f": {', '.join(told)}" if told else ", none possible")


_WORDS = {
    PairOutcome.TRIVIAL: "trivial",
    PairOutcome.INFEASIBLE: "excluded by conditions",
    PairOutcome.JOINED: "joined",
    PairOutcome.COMPARED: "compare values",
    PairOutcome.INDUCTIVE: "shown by induction",
}
