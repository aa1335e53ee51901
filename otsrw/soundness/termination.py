"""Evaluating a function ends, conditions included.

Each obligation is about the calls by which a function may come back to itself; functions that it calls and that do not
call it have obligations of their own. All of them together mean that rewriting with the equations ends, in any order
and modulo associativity, commutativity and identity. The built-in operators are taken to end.
"""

from __future__ import annotations

from collections.abc import Mapping

from otsrw.records import dataclass
from otsrw.soundness.calls import Call, Function, calls_of, cycles, function_of, only_takes_away
from otsrw.soundness.cone import Cone
from otsrw.soundness.descent import Parts
from otsrw.soundness.obligations import Obligation, ObligationKind, Status
from otsrw.soundness.recursion import Comparison, changes_size, descends
from otsrw.soundness.values import SortValues
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import show_plainly
from otsrw.theory.terms import Symbol, Term, subterms, symbols_of, variables_of


@dataclass(frozen=True, slots=True)
class _Finding:
    status: Status
    text: str
    """How it was shown, what shows the opposite, or what is missing."""
    rule: Axiom | None = None


def termination_obligations(cone: Cone) -> list[Obligation]:
    """One obligation for each function with equations, those outside the cone included."""
    rules = {f: axioms for table in (cone.functions, cone.outside) for f, axioms in _by_function(cone, table).items()}
    inside = _by_function(cone, cone.functions)
    findings = _Prover(cone, rules).findings()
    return [_obligation(function, axioms, findings[function], function in inside) for function, axioms in rules.items()]


def _by_function(cone: Cone, table: Mapping[Symbol, tuple[Axiom, ...]]) -> dict[Function, list[Axiom]]:
    found: dict[Function, list[Axiom]] = {}
    order = cone.module.signature.order
    for axioms in table.values():
        for axiom in axioms:
            found.setdefault(function_of(axiom.lhs, order), []).append(axiom)
    return found


def _obligation(function: Function, axioms: list[Axiom], finding: _Finding, decisive: bool) -> Obligation:
    name = function.symbol.name
    subject = f"{name} of {function.kind.sorts[0].name}" if function.kind is not None else name
    place = (finding.rule or axioms[0]).span
    status, text = finding.status, finding.text
    return Obligation(
        ObligationKind.TERMINATING,
        subject,
        status,
        place,
        witness=text if status is Status.REFUTED else "",
        missing=text if status is Status.OPEN else "",
        evidence=text if status is Status.PROVED else "",
        decisive=decisive,
    )


class _Prover:
    """Looks at the cycles of calls among all functions of a module."""

    def __init__(self, cone: Cone, rules: dict[Function, list[Axiom]]) -> None:
        self.rules = rules
        self.parts = Parts(cone.module.signature.order, cone.rules)
        self.comparison = Comparison(self.parts)
        self.by_symbol = cone.rules
        self.known: dict[Function, _Finding] = {}
        self.values = SortValues(cone)

    def is_inhabited(self, place: Term) -> bool:
        return bool(self.values.ground(place.sort))

    def findings(self) -> dict[Function, _Finding]:
        called = [f for f, axioms in self.rules.items() if not self._is_settled(f, axioms)]
        axioms = [axiom for f in called for axiom in self.rules[f]]
        calls = calls_of(axioms, frozenset(called), self.parts)
        for cycle in cycles(calls):
            members = frozenset(cycle)
            own = [call for call in calls if call.caller in members and call.callee in members]
            self._judge(cycle, own)
        return {f: self.known.get(f, _Finding(Status.PROVED, "not recursive")) for f in self.rules}

    def _is_settled(self, function: Function, axioms: list[Axiom]) -> bool:
        """Equations on collections and on built-in operators are judged one by one."""
        op = function.symbol
        if any(symbol.native is Builtin.SEARCH for axiom in axioms for symbol in _symbols(axiom)):
            self.known[function] = _Finding(Status.OPEN, "a search may have no end", axioms[0])
            return True
        if not op.assoc and op.lower is op.upper and (op.native is None or op.native is Builtin.EQUALS):
            return False
        from otsrw.soundness.weights import makes_lighter

        if makes_lighter(op, axioms, self.by_symbol):
            self.known[function] = _Finding(Status.PROVED, "every equation makes the term lighter")
            return True
        for axiom in axioms:
            if not self._is_harmless(axiom):
                what = "built-in operator" if op.native is not None else "collection"
                text = f"{_shown(axiom)} rewrites a {what}, and its right side is no part of it"
                self.known[function] = _Finding(Status.OPEN, text, axiom)
                return True
        self.known[function] = _Finding(Status.PROVED, "takes elements away" if op.assoc else "no call")
        return True

    def _is_harmless(self, axiom: Axiom) -> bool:
        op = axiom.lhs.op
        if axiom.lhs is axiom.rhs:
            return False
        if op.assoc and only_takes_away(axiom, self.parts):
            return True
        plain = axiom.condition is None and not op.assoc
        return plain and all(part.op.variable or not part.args for part in subterms(axiom.rhs))

    def _judge(self, cycle: list[Function], calls: list[Call]) -> None:
        finding = self._shown_to_end(calls) or self._shown_to_loop(calls)
        for function in cycle:
            if finding is not None:
                self.known[function] = finding
            else:
                self.known[function] = self._open(function, calls)

    def _shown_to_end(self, calls: list[Call]) -> _Finding | None:
        if descends(calls, self.comparison):
            return _Finding(Status.PROVED, "an argument becomes smaller")
        if changes_size(calls, self.comparison):
            return _Finding(Status.PROVED, "an argument becomes smaller on every way round")
        from otsrw.soundness.pathorder import is_ordered

        if is_ordered(calls, self.by_symbol):
            return _Finding(Status.PROVED, "calls go down in a path order")
        return None

    def _shown_to_loop(self, calls: list[Call]) -> _Finding | None:
        from otsrw.soundness.loops import find_loop

        found = find_loop(calls, self.parts)
        if found is None:
            return None
        call, start, again = found
        if not all(map(self.is_inhabited, variables_of(start))):
            return None
        return _Finding(Status.REFUTED, f"{show_plainly(start)} needs the value of {show_plainly(again)}", call.rule)

    def _open(self, function: Function, calls: list[Call]) -> _Finding:
        """Name a call of this function that does not descend."""
        own = [call for call in calls if call.caller == function]
        worst = min(own, key=lambda call: sum(self.comparison.arcs(call).values()))
        text = (
            f"{show_plainly(worst.left)} calls {show_plainly(worst.right)}, and no argument is seen to become smaller"
        )
        return _Finding(Status.OPEN, text, worst.rule)


def _symbols(axiom: Axiom) -> set[Symbol]:
    sides = (axiom.rhs, axiom.condition)
    return {symbol for side in sides if side is not None for symbol in symbols_of(side)}


def _shown(axiom: Axiom) -> str:
    return f"'{show_plainly(axiom.lhs)} = {show_plainly(axiom.rhs)}'"
