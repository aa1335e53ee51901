"""The run-time of a compiled theory: the namespace of the generated functions, epochs, counting, budgets, tracing.

Normal forms are cached on terms under an epoch; every change of rules starts a new epoch, so no cache can be stale.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from otsrw.rewriting.budget import SWEEP_EVERY, TICK, Budget
from otsrw.rewriting.contexts import Colours
from otsrw.rewriting.generated import ObjectNames
from otsrw.rewriting.matching import Matcher
from otsrw.rewriting.overlays import Overlay, ReplacementLog
from otsrw.rewriting.rulebase import RuleBase
from otsrw.rewriting.rules import Rule
from otsrw.rewriting.storage import Sweeper
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.printing import show_briefly
from otsrw.theory.terms import Symbol, Term

_CORE = """
def norm(t):
    if t.epoch is E: return t
    m = t.memo_epoch
    if m is E: return t.memo
    if m is B: loop(t)
    t.memo_epoch = B
    r = EV[t.op](t)
    t.memo_epoch = E
    t.memo = r
    return r
"""

Evaluator = Callable[[Term], Term]
Tracer = Callable[[Rule, dict[Term, Term], tuple[int, ...]], None]


class Runtime:
    """What the generated functions of one theory share while they run."""

    def __init__(self, rulebase: RuleBase, tracer: Tracer | None = None, behavioural: bool = False) -> None:
        self.signature = rulebase.signature
        self.tracer = tracer
        """Told of each step; None if nobody looks."""
        self.place: list[int] = []
        """Where in the whole term the evaluation is; kept only if there is a tracer."""
        self.matcher = Matcher(self.signature.order)
        self.rule_matcher = Matcher(self.signature.order, identity=False)
        self.budget = Budget()
        self.sweeper = Sweeper()
        self._spent = 0
        self._ticks = 0
        self.namespace: dict[str, Any] = {}
        in_use = rulebase.has_behavioural_rules
        self.colours = Colours(self.namespace, self.signature.order, behavioural) if in_use else None
        """None if no rule is behavioural: then contexts make no difference."""
        self.names = ObjectNames(self.namespace)
        self.constants: dict[Symbol, str] = {}
        """The names under which generated code mentions constants that no rule of the theory rewrites."""
        self.log = ReplacementLog({}, {})
        """What the overlay in force has replaced; functions of any overlay call what is behind them by it."""
        self.bare = Overlay(self)
        """The theory itself, without the rules of any passage."""
        self.overlay = self.bare
        """The rules that are tried first at present."""
        self.entered: list[Overlay] = []
        self._prepare(rulebase)
        self.normalise: Evaluator = self.namespace["norm"]

    def _prepare(self, rulebase: RuleBase) -> None:
        self.namespace.update(
            n=0,
            L=TICK,
            RC=False,
            loop=_loops,
            TRUE=rulebase.true,
            FALSE=rulebase.false,
            EV={},
            tick=self.tick,
            trace=self.trace,
            down=self.place.append,
            up=self.place.pop,
        )
        self.new_epoch()
        exec(compile(_CORE, "<otsrw core>", "exec"), self.namespace)

    def begin(self, term: Term, budget: Budget) -> None:
        """Get ready for the reduction of a term within a budget."""
        self.budget = budget
        self._spent = self.rewrites
        self.namespace["L"] = self.rewrites + min(TICK, budget.max_rewrites)
        self.matcher.begin(budget)
        self.rule_matcher.begin(budget)
        self.place.clear()
        if self.colours is not None:
            self.colours.begin(term)

    def new_epoch(self) -> None:
        """Forget all normal forms."""
        self.namespace["E"] = self.colours.new_epoch() if self.colours is not None else object()
        self.namespace["B"] = object()

    # --- counting and tracing

    @property
    def rewrites(self) -> int:
        count: int = self.namespace["n"]
        return count

    def count(self, rewrites: int = 1) -> None:
        self.namespace["n"] += rewrites
        if self.namespace["n"] > self.namespace["L"]:
            self.tick()

    def tick(self) -> None:
        """Look at the budget, and now and then at the memory."""
        spent = self.namespace["n"]
        self.namespace["L"] = spent + TICK
        self.budget.check_rewrites(spent - self._spent)
        self.budget.check_time()
        self._ticks += 1
        if self._ticks % SWEEP_EVERY == 0:
            self.sweeper.sweep_if_large(self.signature)

    def trace(self, rule: Rule, bindings: dict[Term, Term]) -> None:
        if self.tracer is not None:
            self.tracer(rule, bindings, tuple(self.place))

    # --- evaluation

    def settled(self, term: Term) -> Term:
        """A term that is in normal form, marked so."""
        term.epoch = self.namespace["E"]
        return term

    def argument(self, op: Symbol, term: Term) -> Term:
        """The normal form of an argument of `op`."""
        colour = self.colours.change(op, term) if self.colours is not None else None
        if self.colours is None or colour is None:
            return self.normalise(term)
        self.namespace[colour]()
        result = self.normalise(term)
        self.colours.back()
        return result

    def in_green(self, term: Term) -> Term:
        """The normal form of a condition, which is visible whatever the term it is about."""
        if self.colours is None:
            return self.normalise(term)
        self.colours.green()
        result = self.normalise(term)
        self.colours.back()
        return result


def _loops(term: Term) -> None:
    """The normal form of a term was asked for while it was being computed."""
    shown = show_briefly(term)
    raise BudgetExceeded(
        "E404",
        f"this does not terminate: the normal form of {shown} depends on itself",
        hint="look at the equations of the operator shown, or use --trace",
    )
