"""States and steps computed with the rewriting engine, straight from the equations of the specification.

A state is kept as its observed values; the term that leads to it from an initial state (its history) is what the
equations are applied to, and the engine remembers the values of histories. This is the reference for the translation
to Maude, and what replays every trace before it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from otsrw.ots.binding import Enumerate, Member, PatternMatch, Plan, Rest, Test, Theory
from otsrw.ots.effects import mentioned
from otsrw.ots.formulas import unfold
from otsrw.ots.instance import Instance, MissingValues
from otsrw.ots.missing import StuckTerm, undecided, unobserved
from otsrw.ots.model import Invariant, Transition
from otsrw.reasoning.connectives import DnfClause
from otsrw.records import dataclass
from otsrw.rewriting.matching import Matcher
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show
from otsrw.theory.terms import Symbol, Term, variables_of

Values = tuple[Term, ...]
Bindings = dict[Term, Term]

_IF = Builtin.IF


@dataclass(frozen=True, eq=False, slots=True)
class Action:
    """A transition with its arguments; an argument nothing depends on may be missing."""

    transition: Transition
    arguments: tuple[Term | None, ...]

    def after(self, state: Term) -> Term:
        """The term of the next state; a missing argument is the parameter itself."""
        pairs = zip(self.arguments, self.transition.parameters, strict=True)
        return self.transition.operator.apply(state, tuple(p if a is None else a for a, p in pairs))

    def __str__(self) -> str:
        inner = ",".join("_" if a is None else show(a) for a in self.arguments)
        return f"{self.transition.name}({inner})" if inner else self.transition.name


@dataclass(frozen=True, eq=False, slots=True)
class State:
    """Observed values, slot by slot, and a term of the state sort that has them."""

    values: Values
    history: Term


class Stepper:
    """Successors of states, and violations of invariants, by rewriting."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.ots = instance.ots
        self.theory = Theory(instance)
        self.matcher = Matcher(instance.module.signature.order)
        self._plans: dict[Transition, list[Plan]] = {}
        self._violation_plans: dict[Invariant, list[Plan]] = {}

    # --- states

    def initial_states(self) -> list[State]:
        found: dict[Values, State] = {}
        for symbol in self.ots.initials:
            domains = [self.instance.domain(sort) for sort in symbol.decls[0].arity]
            for sort, domain in zip(symbol.decls[0].arity, domains, strict=True):
                if domain is None:
                    raise OtsrwError(
                        "E509",
                        f"the initial state {symbol.name} has an argument of sort {sort.name}, which has no entities",
                        symbol.decls[0].span,
                        f"give them with '--with {sort.name}=a,b'",
                    )
            for args in product(*[d for d in domains if d is not None]):
                state = self.observe(symbol.make(args))
                found.setdefault(state.values, state)
        return list(found.values())

    def observe(self, history: Term) -> State:
        """The state a history leads to."""
        values = []
        for slot in self.instance.slots:
            term = slot.observer.apply(history, slot.indexes)
            value = self.instance.normal_form(term)
            if value.op is slot.observer.symbol or not self._is_value(value):
                raise unobserved(self.instance, slot, history, value)
            values.append(value)
        return State(tuple(values), history)

    def _is_value(self, value: Term) -> bool:
        """No state is left inside, and no function that has no value."""
        if not self.instance.values.has(value):
            return False
        todo = [value]
        while todo:
            term = todo.pop()
            if term.sort is self.ots.sort or term.op.native is _IF:
                return False
            todo += term.args
        return True

    # --- steps

    def plans(self, transition: Transition) -> list[Plan]:
        if transition not in self._plans:
            self._plans[transition] = [plan for _, plan in transition_plans(self.theory, transition)]
        return self._plans[transition]

    def successors(self, state: State) -> Iterator[tuple[Action, State]]:
        """Every effective step that changes the state, each pair of transition and target once."""
        for transition in self.ots.transitions:
            seen: set[Values] = set()
            for action in self.actions(transition, state):
                after = self.apply(action, state)
                if after.values != state.values and after.values not in seen:
                    seen.add(after.values)
                    yield action, after

    def actions(self, transition: Transition, state: State) -> Iterator[Action]:
        """Arguments for which the effective condition holds."""
        try:
            for plan in self.plans(transition):
                for bindings in self.solutions(plan, state):
                    yield Action(transition, tuple(bindings.get(p) for p in transition.parameters))
        except StuckTerm as stuck:
            raise undecided(self.instance, transition, stuck, state.history) from None

    def apply(self, action: Action, state: State) -> State:
        """The state after an action; for a missing argument any value will do."""
        pairs = zip(action.arguments, action.transition.parameters, strict=True)
        arguments = tuple(given if given is not None else self._any_value(parameter) for given, parameter in pairs)
        return self.observe(action.transition.operator.apply(state.history, arguments))

    def _any_value(self, parameter: Term) -> Term:
        """A ground term of the parameter's sort if there is a simple one, so that every condition on it is decided."""
        domain = self.instance.domain(parameter.sort)
        if domain:
            return domain[0]
        order = self.instance.module.signature.order
        for symbol in self.instance.module.signature.symbols():
            if symbol.nargs == 0 and self.theory.is_constructor(symbol) and symbol.decls:
                if order.leq(symbol.decls[0].coarity, parameter.sort):
                    return symbol.make(())
        return parameter

    def violations(self, invariant: Invariant, state: State) -> Iterator[Bindings]:
        """Values of the invariant's variables for which it is false in this state."""
        if invariant not in self._violation_plans:
            plans = [plan for _, plan in violation_plans(self.theory, invariant)]
            self._violation_plans[invariant] = plans
        met: StuckTerm | None = None
        for plan in self._violation_plans[invariant]:
            try:
                yield from self.solutions(plan, state)
            except StuckTerm as stuck:
                met = met or stuck
        if met is not None:
            raise undecided(self.instance, invariant, met, state.history)

    # --- solving a plan in a state

    def solutions(self, plan: Plan, state: State) -> Iterator[Bindings]:
        return self._solve(plan.steps, {self.ots.state: state.history})

    def _solve(self, steps: tuple[object, ...], bound: Bindings, stuck: Term | None = None) -> Iterator[Bindings]:
        """Bindings that make all steps succeed, and `StuckTerm` if that depends on a term without a value.

        `stuck` is such a term that was met on the way: it does not matter if a later step fails anyway.
        """
        if not steps:
            if stuck is None:
                yield bound
            else:
                self._doubt(stuck)
            return
        step, rest = steps[0], steps[1:]
        if stuck is not None and not self._is_known(step, bound):
            yield from self._solve(rest, bound, stuck)
            return
        match step:
            case Enumerate(var):
                for element in self.instance.domain(var.sort) or ():
                    yield from self._solve(rest, {**bound, var: element}, stuck)
            case Test(literal):
                value = self._value(literal.atom, bound)
                truth = self.instance.connectives
                if value is not truth.true and value is not truth.false:
                    yield from self._solve(rest, bound, stuck or value)
                elif (value is truth.true) is literal.positive:
                    yield from self._solve(rest, bound, stuck)
            case PatternMatch(subject=subject) | Member(collection=subject) | Rest(collection=subject):
                value = self._value(subject, bound)
                if value.ground and not self.instance.values.has(value):
                    yield from self._solve(rest, bound, stuck or value)
                    return
                for found in self._bindings(step, value, bound):
                    yield from self._solve(rest, found, stuck)

    def _doubt(self, stuck: Term) -> None:
        """All steps succeed, provided that a term without a value is what it should be."""
        raise StuckTerm(stuck)

    def _is_known(self, step: object, bound: Bindings) -> bool:
        """Have all variables that a step looks at a value? Not after a match with a term that has none."""
        match step:
            case Test(literal):
                looked_at = variables_of(literal.atom)
            case PatternMatch(subject=subject) | Member(collection=subject):
                looked_at = variables_of(subject)
            case Rest(_, collection, elements, _):
                looked_at = [*variables_of(collection), *(v for e in elements for v in variables_of(e))]
            case _:
                looked_at = []
        return all(v in bound or v is self.ots.state for v in looked_at)

    def _bindings(self, step: PatternMatch | Member | Rest, value: Term, bound: Bindings) -> Iterator[Bindings]:
        """How a step binds its variables, given the value that it takes apart."""
        match step:
            case PatternMatch(pattern, _):
                yield from self.matcher.match(pattern, value, bound)
            case Member(pattern, _, constructor):
                for element in elements_of(value, constructor):
                    yield from self.matcher.match(pattern, element, bound)
            case Rest(var, _, elements, constructor):
                taken = {substitute(element, bound) for element in elements}
                yield {**bound, var: _without(value, taken, constructor)}

    def _value(self, term: Term, bound: Bindings) -> Term:
        return self.instance.normal_form(substitute(term, bound))


def _without(value: Term, taken: set[Term], constructor: Symbol) -> Term:
    """What is left of a collection."""
    left = [part for part in elements_of(value, constructor) if part not in taken]
    if len(left) > 1:
        return constructor.make(tuple(left))
    return left[0] if left else constructor.identity or value


def elements_of(value: Term, constructor: Symbol | None) -> list[Term]:
    """The elements of a multiset, each once; without a constructor, all subterms."""
    if constructor is not None:
        if value.op is constructor:
            return list(dict.fromkeys(value.args))
        return [] if value is constructor.identity else [value]
    found: dict[Term, None] = {}
    todo = [value]
    while todo:
        term = todo.pop()
        if term not in found:
            found[term] = None
            todo += term.args
    return list(found)


def transition_plans(theory: Theory, transition: Transition) -> list[tuple[DnfClause, Plan]]:
    """One plan for each case of the effective condition; raises if a parameter cannot be bound."""
    condition = transition.condition
    ots = theory.instance.ots
    clauses = [()] if condition is None else theory.connectives.clauses(unfold(condition, ots))
    found = []
    for clause in clauses:
        plan = theory.plan(clause, transition.parameters, mentioned(ots, theory.connectives, transition, clause))
        for missing in plan.unbound:
            raise MissingValues(
                missing.sort,
                "E514",
                f"transition {transition.name}: nothing says which values of {missing.op.name} : {missing.sort.name}"
                " to try",
                transition.span,
                f"bind it in the effective condition, as in 'o(S) = ({missing.op.name} , X)' or '{missing.op.name} \\in"
                f" o(S)', or give entities: --with {missing.sort.name}=a,b",
            )
        found.append((clause, plan))
    return found


def violation_plans(theory: Theory, invariant: Invariant) -> list[tuple[DnfClause, Plan]]:
    """One plan for each way in which the invariant can be false; raises if a variable cannot be bound."""
    formula = unfold(invariant.formula, theory.instance.ots)
    found = []
    for clause in theory.connectives.clauses(formula, positive=False):
        plan = theory.plan(clause, invariant.parameters, ())
        for missing in plan.unbound:
            raise MissingValues(
                missing.sort,
                "E515",
                f"invariant {invariant.name}: nothing says which values of {missing.op.name} : {missing.sort.name}"
                " to try",
                invariant.span,
                f"a violation must pin it down by a positive literal, as '{missing.op.name} \\in o(S)' does, or give"
                f" entities: --with {missing.sort.name}=a,b",
            )
        found.append((clause, plan))
    return found
