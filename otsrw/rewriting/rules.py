"""Axioms prepared for rewriting: which symbol they rewrite, what they bind, and how arguments are to be evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import combinations

from otsrw.records import NamedTuple
from otsrw.rewriting.matching import Matcher
from otsrw.theory.axioms import bound_by_matching as binds
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Kind, Sort
from otsrw.theory.terms import LiteralTerm, OpDecl, Symbol, Term, subterms, symbols_of, variables_of


class Rule:
    """An executable axiom."""

    def __init__(self, axiom: Axiom, lhs: Term, rhs: Term, condition: Term | None) -> None:
        self.axiom = axiom
        self.lhs = lhs
        self.rhs = rhs
        self.condition = condition

    @classmethod
    def of(cls, axiom: Axiom) -> Rule:
        return cls(axiom, axiom.lhs, axiom.rhs, axiom.condition)

    @property
    def symbol(self) -> Symbol:
        return self.lhs.op

    @property
    def is_usable(self) -> bool:
        """CafeOBJ never rewrites a variable, a literal, `true` or `false`."""
        # test_engine.py: "5 true and false are never rewritten"
        lhs = self.lhs
        truth = not lhs.args and lhs.op.is_constructor and lhs.sort.module == "TRUTH-VALUE"
        return not (lhs.op.variable or isinstance(lhs, LiteralTerm) or truth)

    @cached_property
    def variables(self) -> list[Term]:
        return variables_of(self.lhs)

    @cached_property
    def is_ground(self) -> bool:
        """A plain assumption: a look-up decides whether it applies."""
        return self.lhs.ground and self.condition is None and not self.axiom.behavioural

    @cached_property
    def is_free(self) -> bool:
        """Can the left side's arguments be matched symbol by symbol?"""
        return all(is_free_pattern(arg) for arg in self.lhs.args)


MAX_IDENTITY_VARIABLES = 6


def completions(rule: Rule) -> list[Rule]:
    """Instances of a rule in which variables of a collection stand for its identity element.

    `eq f(X + a) = b .` also means `f(a) = b` if `+` has an identity. Instances that would rewrite a variable or their
    own right side are left out, as CafeOBJ does: they would loop.
    """
    choices: dict[Term, Term] = {}
    todo = [rule.lhs]
    while todo:
        term = todo.pop()
        op = term.op
        if op.identity_matches and op.identity is not None:
            # test_engine.py: "instances for identities: later variables first"
            for arg in reversed(term.args) if op.assoc != op.comm else term.args:
                if arg.op.variable and op.order.leq(op.identity.sort, arg.sort):
                    choices[arg] = op.identity
        todo += term.args
    variables = list(choices)[:MAX_IDENTITY_VARIABLES]
    found: dict[tuple[Term, Term, Term | None], Rule] = {}
    for size in range(1, len(variables) + 1):
        for chosen in combinations(variables, size):
            bindings = {v: choices[v] for v in chosen}
            condition = None if rule.condition is None else substitute(rule.condition, bindings)
            lhs, rhs = substitute(rule.lhs, bindings), substitute(rule.rhs, bindings)
            # test_engine.py: "instances for identities: those that would loop are left out"
            loops = applies_within(lhs, rhs) or (condition is not None and applies_within(lhs, condition))
            if not lhs.op.variable and not loops:
                found.setdefault((lhs, rhs, condition), Rule(rule.axiom, lhs, rhs, condition))
    return [r for r in found.values() if r.is_usable and r.lhs is not rule.lhs]


def with_completions(rules: list[Rule]) -> list[Rule]:
    """Rules in order, each followed by itself for lower ranks that are another symbol, and for identity elements.

    Instances for operators that are commutative but not associative follow all rules of the module.
    """
    ordered: list[Rule] = []
    pending: list[Rule] = []
    for index, rule in enumerate(rules):
        ordered.append(rule)
        lower = rule.symbol.lower
        if lower is not None and (lower.assoc or len(rule.lhs.args) == 2):
            ordered.append(Rule(rule.axiom, lower.pattern(rule.lhs.args), rule.rhs, rule.condition))
        if not rule.lhs.ground:
            # test_engine.py: "instances for identity elements stand where their equation stands"
            late = any(op.identity_matches and op.comm and not op.assoc for op in symbols_of(rule.lhs))
            (pending if late else ordered).extend(completions(rule))
        if index + 1 == len(rules) or rules[index + 1].axiom.module != rule.axiom.module:
            ordered += pending
            pending = []
    return ordered


def applies_within(lhs: Term, whole: Term) -> bool:
    """Does a left side match a part of a term?"""
    matcher = Matcher(lhs.op.order)
    return any(next(matcher.match(lhs, part, {}), None) is not None for part in subterms(whole))


def is_free_pattern(pattern: Term) -> bool:
    todo = [pattern]
    while todo:
        term = todo.pop()
        op = term.op
        if op.variable or isinstance(term, LiteralTerm):
            continue
        if op.has_theory or op.native is not None or op.lower is not None:
            return False
        todo += term.args
    return True


def conjuncts(condition: Term) -> list[Term]:
    """The parts of a condition joined by `/\\`, or by `and` if it matches with `:=`."""
    native = condition.op.native
    if native is Builtin.CONJUNCTION or (native is Builtin.AND and binds(condition)):
        return [part for arg in condition.args for part in conjuncts(arg)]
    return [condition]


def rank_order(symbol: Symbol, rules: Iterable[Rule]) -> list[Rule]:
    """Rules of lower ranks of an overloaded operator come first, otherwise the given order is kept."""
    rules = list(rules)
    if len(rules) < 2:
        return rules
    if symbol.upper is not None:
        rules.sort(key=lambda rule: not symbol.takes(rule.lhs.args))
    if len(symbol.decls) < 2 or symbol.polymorphic or len({d.arity for d in symbol.decls}) < 2:
        return rules
    # test_engine.py: "6 the lower rank's equations come first"
    leq = symbol.order.leq
    depth = {}
    for decl in symbol.decls:
        depth[decl] = sum(
            1
            for other in symbol.decls
            if other.arity != decl.arity and all(leq(a, b) for a, b in zip(other.arity, decl.arity, strict=True))
        )
    if symbol.assoc:
        return rules
    return sorted(rules, key=lambda rule: depth[symbol.decl_of(rule.lhs.args)])


# --- evaluation strategies


def delayed_positions(symbol: Symbol, rules: list[Rule]) -> frozenset[int]:
    """Arguments that CafeOBJ's default strategy evaluates only after the top was tried.

    Those that are a plain variable of the full argument sort in every left side; operators with an equational theory
    and built-in operators evaluate all arguments first. Of an overloaded operator only the highest rank delays.
    """
    # test_engine.py: "5 arguments that no pattern looks at are evaluated late"
    if not rules or symbol.has_theory or symbol.native is not None or symbol.strategy is not None:
        return frozenset()
    highest = highest_rank(symbol)
    if highest is None:
        return frozenset()
    delayed = set(range(symbol.nargs))
    for rule in rules:
        for index, arg in enumerate(rule.lhs.args):
            if not arg.op.variable or not symbol.order.leq(highest.arity[index], arg.sort):
                delayed.discard(index)
    return frozenset(delayed)


class Choice(NamedTuple):
    """An operator defined as a conditional: which argument is tested, and which are the results for true and false."""

    test: int
    yes: int
    no: int

    @classmethod
    def of(cls, rules: list[Rule], true: Term | None, false: Term | None) -> Choice | None:
        """The conditional that two equations `f(true, X, Y) = X` and `f(false, X, Y) = Y` define."""
        if len(rules) != 2 or any(rule.condition is not None or rule.axiom.behavioural for rule in rules):
            return None
        chosen: dict[Term, tuple[int, int]] = {}
        for rule in rules:
            args = rule.lhs.args
            tests = [i for i, arg in enumerate(args) if not arg.op.variable]
            if len(tests) != 1 or args[tests[0]] not in (true, false) or len(set(args)) < len(args):
                return None
            if rule.rhs not in args or rule.rhs is args[tests[0]]:
                return None
            chosen[args[tests[0]]] = (tests[0], args.index(rule.rhs))
        if len(chosen) != 2 or true is None or false is None:
            return None
        (test, yes), (other, no) = chosen[true], chosen[false]
        return cls(test, yes, no) if test == other else None


def highest_rank(symbol: Symbol) -> OpDecl | None:
    """The declaration whose arity is above all others."""
    leq = symbol.order.leq
    for decl in symbol.decls:
        if all(leq(a, b) for other in symbol.decls for a, b in zip(other.arity, decl.arity, strict=True)):
            return decl
    return None


def fits_lower_rank(symbol: Symbol) -> Callable[[tuple[Term, ...]], bool] | None:
    """Tells whether arguments fit a declaration below the highest; None if there is only one rank."""
    highest = highest_rank(symbol)
    lower = [d for d in symbol.decls if highest is not None and d.arity != highest.arity]
    if not lower:
        return None
    leq = symbol.order.leq
    known: dict[tuple[Sort, ...], bool] = {}

    def fits(args: tuple[Term, ...]) -> bool:
        sorts = tuple([arg.sort for arg in args])
        if sorts not in known:
            known[sorts] = any(all(leq(s, a) for s, a in zip(sorts, d.arity, strict=True)) for d in lower)
        return known[sorts]

    return fits


def fits_built_in_rank(symbol: Symbol) -> Callable[[tuple[Sort, ...]], bool] | None:
    """Tells whether a built-in operator means something on arguments of these sorts; None if it does on all.

    It does not where it is ill-sorted, and where the user has declared it for a sort above.
    """
    ranks = [d.arity for d in symbol.decls if d.attributes.native is not None]
    if tuple([kind and kind.top for kind in symbol.arg_kinds]) in ranks:
        return None
    leq = symbol.order.leq
    known: dict[tuple[Sort, ...], bool] = {}

    def fits(sorts: tuple[Sort, ...]) -> bool:
        if sorts not in known:
            known[sorts] = any(
                all(leq(sort, rank[min(i, len(rank) - 1)]) for i, sort in enumerate(sorts)) for rank in ranks
            )
        return known[sorts]

    return fits


class Strictness:
    """Delayed arguments that are evaluated sooner or later whatever rule applies, so that we may as well do it first.

    The greatest fixpoint of: the argument's variable is evaluated by every right side. What both branches of a
    conditional evaluate stays as it is where the condition is undecided, and is shown so; only accumulators, which
    recursion would pile up otherwise, count as evaluated then.
    """

    def __init__(self, rules: dict[Symbol, list[Rule]]) -> None:
        self.rules = rules
        self.delayed = {symbol: set(delayed_positions(symbol, own)) for symbol, own in rules.items()}
        self.accumulating = {symbol: _changing_positions(symbol, own) for symbol, own in rules.items()}
        self.lazy: dict[Symbol, set[int]] = {symbol: set() for symbol in rules}
        changed = True
        while changed:
            changed = False
            for symbol, positions in self.delayed.items():
                for position in positions - self.lazy[symbol]:
                    if not self._strict(symbol, position):
                        self.lazy[symbol].add(position)
                        changed = True

    def _strict(self, symbol: Symbol, position: int) -> bool:
        branches = position in self.accumulating[symbol]
        return all(self._evaluates(rule.rhs, rule.lhs.args[position], branches) for rule in self.rules[symbol])

    def _evaluates(self, term: Term, variable: Term, branches: bool) -> bool:
        if term is variable:
            return True
        if term.ground or not term.args:
            return False
        op = term.op
        if op.native is Builtin.IF:
            condition, *results = (self._evaluates(arg, variable, branches) for arg in term.args)
            return condition or (branches and all(results))
        if op.strategy is not None and op.native is None:
            first = op.strategy.index(0) if 0 in op.strategy else len(op.strategy)
            early = [term.args[i - 1] for i in op.strategy[:first] if 0 < i <= op.nargs]
            return any(self._evaluates(arg, variable, branches) for arg in early)
        lazy = self.lazy.get(op, set())
        return any(self._evaluates(arg, variable, branches) for i, arg in enumerate(term.args) if i not in lazy)


def _changing_positions(symbol: Symbol, rules: list[Rule]) -> set[int]:
    """Arguments for which a recursive call passes on something else than a variable."""
    calls = [part for rule in rules for part in subterms(rule.rhs) if part.op is symbol]
    return {i for call in calls for i, arg in enumerate(call.args) if not arg.op.variable}


def total_kinds(symbols: Iterable[Symbol]) -> set[Kind]:
    """Kinds in which no ill-sorted term can exist, so that variables of their top sort need no sort check."""
    symbols = [s for s in symbols if not s.polymorphic]
    kinds = {s.kind for s in symbols if s.kind is not None and s.kind.top is not None}
    while True:
        partial = {
            s.kind
            for s in symbols
            if s.kind in kinds
            and not any(
                all(k in kinds and k.top is a for k, a in zip(s.arg_kinds, d.arity, strict=True)) for d in s.decls
            )
        }
        if not partial:
            return {kind for kind in kinds if kind is not None}
        kinds -= partial
