"""The rules of a module by the symbol they rewrite, and what follows from them for evaluating its arguments."""

from __future__ import annotations

from functools import cached_property

from otsrw.rewriting.rules import Rule, Strictness, rank_order, total_kinds, with_completions
from otsrw.rewriting.values import GroundValues
from otsrw.theory.builtins import RING_CONNECTIVES, SYNTACTIC_TESTS, Builtin
from otsrw.theory.modules import Module, identity_axioms, translated
from otsrw.theory.signature import Signature
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, subterms

_ON_UNEVALUATED_TERMS = frozenset(
    (
        Builtin.MATCH,
        Builtin.CONJUNCTION,
        Builtin.SEARCH,
        Builtin.IS,
        Builtin.AND_ALSO,
        Builtin.OR_ELSE,
        Builtin.BEHAVES,
    )
)
_ON_NORMAL_FORMS = RING_CONNECTIVES | {Builtin.IF, *SYNTACTIC_TESTS}


class RuleBase:
    """The rules of a module. It does not change; passages put their rules in front of it (rewriting/overlays.py)."""

    def __init__(self, module: Module, transitions: bool = False) -> None:
        self.signature: Signature = module.signature
        self.values = module.derived(GroundValues) if module.decided_equality else None
        """What `=`, `==` and `owise` take for values if equality is decided by comparing values; None if not."""
        self.true: Term | None = None
        self.false: Term | None = None
        if "Bool" in self.signature.sort_names:
            self.true = self.signature.constants_named("true")[0].make(())
            self.false = self.signature.constants_named("false")[0].make(())
        usable = with_completions(_usable_rules(module))
        self.transitions = [rule for rule in usable if rule.axiom.is_transition]
        self.rules = _by_symbol(usable, transitions)
        self._lazy = Strictness(self.rules).lazy
        self._total = total_kinds(self.signature.symbols())

    @property
    def has_behavioural_rules(self) -> bool:
        return any(rule.axiom.behavioural for rules in self.rules.values() for rule in rules)

    @cached_property
    def has_ill_sorted_terms(self) -> bool:
        """Can evaluating a well-sorted term lead to one that is not?"""
        axioms = (rule.axiom for rules in self.rules.values() for rule in rules)
        sides = (side for a in axioms for side in (a.lhs, a.rhs, a.condition) if side is not None)
        return any(part.sort.is_error for side in sides for part in subterms(side))

    def has_rules(self, symbol: Symbol) -> bool:
        return symbol in self.rules

    def rules_of(self, symbol: Symbol) -> list[Rule]:
        return self.rules.get(symbol, [])

    def lazy_positions(self, symbol: Symbol) -> frozenset[int]:
        """Arguments that are evaluated only after the rules were tried."""
        return frozenset(self._lazy.get(symbol, ()))

    def by_strategy(self, symbol: Symbol) -> bool:
        """Is the symbol evaluated by an explicit strategy, or by special code on the unevaluated term?"""
        native = symbol.native
        if native in _ON_UNEVALUATED_TERMS:
            return True
        if native in _ON_NORMAL_FORMS:
            return self.has_rules(symbol)
        if native is not None or symbol.strategy is None:
            return False
        return symbol.strategy != (*range(1, symbol.nargs + 1), 0)

    def evaluated_positions(self, symbol: Symbol) -> frozenset[int]:
        """Which arguments of a normal form with this symbol are in normal form themselves."""
        if symbol.native is Builtin.IF:
            return frozenset((0,))
        if self.by_strategy(symbol) and symbol.strategy is not None:
            return frozenset(i - 1 for i in symbol.strategy if i > 0)
        return frozenset(range(symbol.nargs))

    def sort_test(self, sort: Sort, of_any_kind: bool = False) -> frozenset[Sort] | None:
        """The sorts a value for a variable may have; None if every value that can be there fits."""
        order = self.signature.order
        kind = order.kind.get(sort)
        if kind is None:
            return None
        if sort is kind.error:
            return frozenset((*kind.sorts, sort)) if of_any_kind else None
        if kind.top is sort and kind in self._total and not of_any_kind:
            return None
        return order.below[sort]


def _usable_rules(module: Module) -> list[Rule]:
    memo: dict[Term, Term] = {}
    axioms = [translated(a, owner, module.signature, memo) for owner, a in module.flat_axioms() if a.executable]
    rules = [rule for rule in map(Rule.of, axioms) if rule.is_usable]
    return [*rules, *map(Rule.of, identity_axioms(module.signature))]


def _by_symbol(usable: list[Rule], transitions: bool) -> dict[Symbol, list[Rule]]:
    """Equations in the order in which they are tried; if `transitions` are taken, too, they come first."""
    found: dict[Symbol, list[Rule]] = {}
    moving: dict[Symbol, list[Rule]] = {}
    for rule in usable:
        (moving if rule.axiom.is_transition else found).setdefault(rule.symbol, []).append(rule)
    if transitions:
        for symbol, rules in moving.items():
            found[symbol] = rules + found.get(symbol, [])
    for symbol, rules in found.items():
        # test_engine.py: "owise equations come last"
        rules.sort(key=lambda rule: rule.axiom.otherwise)
        found[symbol] = rank_order(symbol, rules)
    return found
