"""Rules that are interpreted, not compiled: those of passages, of strategies, and of the Boolean ring."""

from __future__ import annotations

from otsrw.rewriting.rulebase import RuleBase
from otsrw.rewriting.rules import Rule, conjuncts
from otsrw.rewriting.runtime import Runtime
from otsrw.theory.builtins import Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Symbol, Term

_MATCH = Builtin.MATCH


class Interpreter:
    """Applies rules under substitutions."""

    def __init__(self, rulebase: RuleBase, runtime: Runtime) -> None:
        self.rulebase = rulebase
        self.runtime = runtime
        self._count = runtime.count
        self._normalise = runtime.normalise

    def instance(self, rule: Rule, found: dict[Term, Term]) -> Term | None:
        """The normal form of the rule's right side under a match; None if its condition does not hold."""
        if rule.axiom.behavioural and not self.runtime.namespace["G"]:
            return None
        if rule.condition is not None:
            extended = self.satisfies(rule.condition, found)
            if extended is None:
                return None
            found = extended
        self._count()
        if self.runtime.tracer is not None:
            self.runtime.trace(rule, found)
        return self._normalise(substitute(rule.rhs, found))

    def satisfies(self, condition: Term, found: dict[Term, Term]) -> dict[Term, Term] | None:
        """The match extended by `:=` conditions; None if some part of the condition does not hold."""
        return self._satisfy(conjuncts(condition), found)

    def _satisfy(self, parts: list[Term], found: dict[Term, Term]) -> dict[Term, Term] | None:
        if not parts:
            return found
        first, rest = parts[0], parts[1:]
        if first.op.native is not _MATCH:
            holds = self.runtime.in_green(substitute(first, found)) is self.rulebase.true
            return self._satisfy(rest, found) if holds else None
        subject = self.runtime.in_green(substitute(first.args[1], found))
        for extended in self.runtime.matcher.match(first.args[0], subject, found):
            result = self._satisfy(rest, extended)
            if result is not None:
                return result
        return None

    def rewritten(self, symbol: Symbol, term: Term) -> Term | None:
        """The normal form by the first rule on `symbol` that applies at the top; None if none does."""
        if term.op is not symbol:
            return self._normalise(term)
        for rule in [*self.runtime.overlay.rules.get(symbol, []), *self.rulebase.rules_of(symbol)]:
            for found in self.runtime.rule_matcher.match(rule.lhs, term, {}):
                result = self.instance(rule, found)
                if result is not None:
                    return result
        return None
