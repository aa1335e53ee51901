"""Which operators of a module make an OTS, in either style people write.

Hidden style: a sort `*[Sys]*`, observers and transitions usually declared by `bop`. Visible style: a sort `[Sys]` whose
constructors are the initial states and the transitions. In both, an operator with one argument of the state sort is

* a *transition* if it gives a state, unless its equations only abbreviate other transitions;
* an *observer* if equations define it on initial states and transitions;
* *defined* if equations define it for any state: effective conditions, invariant candidates, auxiliary functions.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.ots.hints import Hint, hints_of
from otsrw.ots.model import Case, Definition, Effect, Invariant, Ots, StateOperator, Transition
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError, did_you_mean
from otsrw.syntax.source import NOWHERE
from otsrw.theory.builtins import EQUALITIES, Builtin
from otsrw.theory.library import Library
from otsrw.theory.modules import Axiom, Module, translated
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, symbols_of, variable, variables_of

_USUAL_NAMES = ("Sys", "State", "System", "Protocol", "Hotel")


def find_ots(library: Library, module: str | None = None, invariants: Iterable[str] = ()) -> Ots:
    """The OTS of a file: in the module named, else in the last module that has one and sees the invariants named.

    >>> from otsrw.proofs import load
    >>> ots = find_ots(load("specs/tas.cafe"))
    >>> ots.name, [transition.name for transition in ots.transitions]
    ('TAS', ['enter', 'leave'])
    """
    wanted = tuple(invariants)
    if module is not None:
        chosen = library.find(module)
        if chosen is None:
            raise OtsrwError("E502", f"there is no module {module!r}", hint=did_you_mean(module, library.modules))
        return recognise(chosen)
    found: Ots | None = None
    failure: OtsrwError | None = None
    for candidate in reversed(list(library.modules.values())):
        if candidate.is_system or candidate.all_parameters():
            continue
        try:
            ots = recognise(candidate)
        except OtsrwError as error:
            failure = failure or error
            continue
        if all(any(i.name == name for i in ots.invariants) for name in wanted):
            return ots
        found = found or ots
    if found is not None:
        return found
    raise failure or OtsrwError(
        "E503",
        "no module here is an observational transition system",
        hint="an OTS has a state sort with an initial state, transitions 'Sys ... -> Sys' and observers 'Sys ... -> D'",
    )


def recognise(module: Module) -> Ots:
    """The OTS that a module specifies; raises if there is none."""
    return _Recogniser(module).result()


class _Recogniser:
    def __init__(self, module: Module) -> None:
        self.module = module
        self.signature = module.signature
        memo: dict[Term, Term] = {}
        self.axioms: list[Axiom] = [
            translated(axiom, owner, self.signature, memo)
            for owner, axiom in module.flat_axioms()
            if not axiom.is_transition
        ]
        self.by_symbol: dict[Symbol, list[Axiom]] = {}
        for axiom in self.axioms:
            self.by_symbol.setdefault(axiom.lhs.op, []).append(axiom)
        self.hints = _hints_for(module)
        self.findings: list[Diagnostic] = []
        self.sort = self._state_sort()
        self.state = variable("S", self.sort)
        self.operators = self._operators()

    # --- the state sort

    def _state_sort(self) -> Sort:
        named = [hint for hint in self.hints if hint.kind == "state"]
        candidates = [sort for sort in self.signature.order.sorts if self._may_be_state(sort)]
        if named:
            hinted = [sort for sort in self.signature.order.sorts if sort.name == named[-1].name]
            if not hinted:
                raise OtsrwError("E502", f"there is no sort {named[-1].name!r}", named[-1].span)
            return hinted[-1]
        if not candidates:
            raise OtsrwError(
                "E503",
                f"module {self.module.name} is not an observational transition system",
                self.module.span,
                "it needs a state sort with an initial state, transitions 'Sys ... -> Sys' and observers 'Sys ... -> D'"
                " with equations; '-- @ state Sort' names the sort",
            )
        return max(candidates, key=self._likelihood)

    def _may_be_state(self, sort: Sort) -> bool:
        initial = moving = observed = False
        for symbol in self.signature.symbols():
            decl = symbol.decls[0] if symbol.decls else None
            if decl is None or symbol.native is not None:
                continue
            states = decl.arity.count(sort)
            if decl.coarity is sort:
                initial = initial or states == 0
                moving = moving or (states == 1 and not symbol.assoc)
            elif states == 1:
                observed = observed or any(
                    argument.op.decls and argument.op.decls[0].coarity is sort and not argument.op.variable
                    for axiom in self.by_symbol.get(symbol, ())
                    for argument in axiom.lhs.args
                )
        return initial and moving and observed

    def _likelihood(self, sort: Sort) -> tuple[bool, bool, bool, bool, int]:
        own = sort in self.module.sorts
        home = next((m for m in self.module.closure() if sort in m.sorts), self.module)
        return sort.hidden, sort.name in _USUAL_NAMES, not home.is_tight, own, sort.number

    def _operators(self) -> list[StateOperator]:
        found = []
        for symbol in self.signature.symbols():
            if symbol.native is not None or not symbol.decls:
                continue
            decl = symbol.decls[0]
            if decl.arity.count(self.sort) == 1:
                place = decl.arity.index(self.sort)
                indexes = decl.arity[:place] + decl.arity[place + 1 :]
                found.append(StateOperator(symbol, place, indexes, decl.coarity))
        return found

    # --- roles

    def result(self) -> Ots:
        initials = self._initials()
        moving = [op for op in self.operators if op.value is self.sort and not self._abbreviates(op)]
        anchors = {op.symbol for op in moving} | set(initials)
        others = [op for op in self.operators if op.value is not self.sort]
        observers = tuple(op for op in others if self._is_observer(op, anchors))
        definitions = {
            op.symbol: definition
            for op in self.operators
            if op not in observers and (definition := self._definition(op)) is not None
        }
        transitions = tuple(self._transition(op, observers) for op in moving)
        guards = [t.condition for t in transitions]
        guards += [case.guard for t in transitions for effect in t.effects for case in effect.cases]
        conditions = {symbol for guard in guards if guard is not None for symbol in symbols_of(guard)}
        invariants = self._invariants(others, definitions, conditions)
        self._check(initials, observers, transitions, others, conditions)
        return Ots(
            self.module,
            self.sort,
            self.state,
            initials,
            observers,
            transitions,
            invariants,
            definitions,
            tuple(self.findings),
            {hint.name: hint.words for hint in self.hints if hint.kind == "with"},
            tuple(hint.name for hint in self.hints if hint.kind == "invariant"),
            tuple(hint.name for hint in self.hints if hint.kind == "lemma"),
        )

    def _initials(self) -> tuple[Symbol, ...]:
        """Constants of the state sort; arbitrary states that a proof module adds without equations are none."""
        constants = [
            symbol
            for symbol in self.signature.symbols()
            if symbol.decls
            and symbol.native is None
            and symbol.decls[0].coarity is self.sort
            and self.sort not in symbol.decls[0].arity
            and symbol not in self.by_symbol
        ]
        observed = {op.state_of(axiom.lhs).op for op in self.operators for axiom in self.by_symbol.get(op.symbol, ())}
        return tuple(s for s in constants if s in observed or s.decls[0].module == self.sort.module)

    def _abbreviates(self, op: StateOperator) -> bool:
        """Is every equation of this state-valued operator an abbreviation, such as t3(S) = t1(t2(S))?"""
        axioms = self.by_symbol.get(op.symbol, [])
        return bool(axioms) and all(
            op.state_of(a.lhs).op.variable and a.rhs is not op.state_of(a.lhs) and a.condition is None for a in axioms
        )

    def _is_observer(self, op: StateOperator, anchors: set[Symbol]) -> bool:
        return any(op.state_of(axiom.lhs).op in anchors for axiom in self.by_symbol.get(op.symbol, ()))

    def _definition(self, op: StateOperator) -> Definition | None:
        axioms = self.by_symbol.get(op.symbol, [])
        if len(axioms) != 1 or axioms[0].condition is not None:
            return None
        lhs = axioms[0].lhs
        if not _distinct_variables(lhs.args):
            return None
        renaming = {op.state_of(lhs): self.state}
        return Definition(op, op.indexes_of(lhs), substitute(axioms[0].rhs, renaming))

    def _invariants(
        self, others: list[StateOperator], definitions: dict[Symbol, Definition], conditions: set[Symbol]
    ) -> tuple[Invariant, ...]:
        named = {hint.name for hint in self.hints if hint.kind in ("invariant", "lemma")}
        found = []
        for op in others:
            definition = definitions.get(op.symbol)
            if definition is None or op.value.name != "Bool":
                continue
            if op.name in named or (op.symbol not in conditions and not op.name.startswith("c-")):
                span = self.by_symbol[op.symbol][0].span
                found.append(Invariant(op, definition.parameters, definition.body, span))
        for hint in self.hints:
            if hint.kind in ("invariant", "lemma") and hint.name not in {i.name for i in found}:
                known = [i.name for i in found]
                self.findings.append(
                    Diagnostic(
                        "E504",
                        f"{hint.name!r} is no state predicate with one defining equation",
                        hint.span,
                        did_you_mean(hint.name, known) or "write 'op inv : Sys ... -> Bool' and 'eq inv(S, ...) = ...'",
                    )
                )
        return tuple(found)

    # --- transitions

    def _transition(self, op: StateOperator, observers: tuple[StateOperator, ...]) -> Transition:
        parameters = self._parameters(op, observers)
        stated = [
            axiom
            for axiom in self.by_symbol.get(op.symbol, ())
            if _distinct_variables(axiom.lhs.args) and axiom.rhs is op.state_of(axiom.lhs)
        ]
        effects = tuple(self._effect(op, parameters, observer) for observer in observers)
        condition: Term | None = None
        span = op.symbol.decls[0].span
        if stated and all(axiom.condition is not None for axiom in stated):
            idle = []
            for axiom in stated:
                assert axiom.condition is not None
                renaming = {
                    op.state_of(axiom.lhs): self.state,
                    **dict(zip(op.indexes_of(axiom.lhs), parameters, strict=True)),
                }
                idle.append(substitute(axiom.condition, renaming))
            condition = self._conjunction([self._negation(each) for each in idle])
            span = stated[0].span
        elif not stated:
            condition = self._implied_condition(effects)
        return Transition(op, parameters, condition, bool(stated), effects, span)

    def _parameters(self, op: StateOperator, observers: tuple[StateOperator, ...]) -> tuple[Term, ...]:
        """Variables for the parameters, named as the equations name them."""
        for axiom in self.by_symbol.get(op.symbol, ()):
            if _distinct_variables(axiom.lhs.args):
                return op.indexes_of(axiom.lhs)
        for observer in observers:
            for axiom in self.by_symbol.get(observer.symbol, ()):
                after = observer.state_of(axiom.lhs)
                if after.op is op.symbol and _distinct_variables(after.args):
                    return op.indexes_of(after)
        return tuple(variable(f"Y{number}", sort) for number, sort in enumerate(op.indexes, 1))

    def _effect(self, op: StateOperator, parameters: tuple[Term, ...], observer: StateOperator) -> Effect:
        indexes = tuple(variable(f"X{number}#", sort) for number, sort in enumerate(observer.indexes, 1))
        cases = []
        for axiom in self.by_symbol.get(observer.symbol, ()):
            after = observer.state_of(axiom.lhs)
            if after.op is not op.symbol:
                continue
            places = (
                *zip(op.indexes_of(after), parameters, strict=True),
                *zip(observer.indexes_of(axiom.lhs), indexes, strict=True),
            )
            case = self._case(axiom, op.state_of(after), places)
            if case is None:
                self.findings.append(
                    Diagnostic(
                        "E505",
                        f"this equation for {observer.name} after {op.name} is not understood",
                        axiom.span,
                        f"write {observer.name}({op.name}({show(self.state)}, ...), ...) with variables as arguments",
                    )
                )
            else:
                cases.append(case)
        return Effect(observer, indexes, tuple(cases))

    def _case(self, axiom: Axiom, before: Term, places: tuple[tuple[Term, Term], ...]) -> Case | None:
        """An equation with its own variables replaced by the canonical ones; other arguments become guards."""
        if not before.op.variable:
            return None
        renaming: dict[Term, Term] = {before: self.state}
        guards: list[Term] = []
        later: list[tuple[Term, Term]] = []
        for own, canonical in places:
            if own.op.variable and own not in renaming and self.signature.order.leq(canonical.sort, own.sort):
                renaming[own] = canonical
            else:
                later.append((own, canonical))
        for own, canonical in later:
            if any(v not in renaming for v in variables_of(own)):
                return None
            guards.append(self.signature.native(Builtin.EQUALS).make((canonical, substitute(own, renaming))))
        if axiom.condition is not None:
            guards.append(substitute(axiom.condition, renaming))
        return Case(self._conjunction(guards), substitute(axiom.rhs, renaming), axiom.span)

    def _implied_condition(self, effects: tuple[Effect, ...]) -> Term | None:
        """Without an equation t(S) = S: the transition is effective when some observer changes."""
        guards: dict[Term, None] = {}
        for effect in effects:
            unchanged = effect.observer.apply(self.state, effect.indexes)
            for case in effect.cases:
                if case.value is unchanged:
                    continue
                if case.guard is None or any(v in effect.indexes for v in variables_of(case.guard)):
                    return None
                guards[case.guard] = None
        if not guards:
            return None
        result, *others = guards
        for other in others:
            result = self.signature.native(Builtin.OR).make((result, other))
        return result

    def _negation(self, term: Term) -> Term:
        false = self.signature.constants_named("false")[0].make(())
        if term.op.native is Builtin.NOT:
            return term.args[0]
        if term.op.native in EQUALITIES and false in term.args:
            return term.args[1] if term.args[0] is false else term.args[0]
        return self.signature.native(Builtin.NOT).make((term,))

    def _conjunction(self, terms: list[Term]) -> Term | None:
        if not terms:
            return None
        result = terms[0]
        for term in terms[1:]:
            result = self.signature.native(Builtin.AND).make((result, term))
        return result

    # --- checks

    def _check(
        self,
        initials: tuple[Symbol, ...],
        observers: tuple[StateOperator, ...],
        transitions: tuple[Transition, ...],
        others: list[StateOperator],
        conditions: set[Symbol],
    ) -> None:
        self._check_state_operators(transitions)
        if not initials:
            self._find("E506", f"there is no initial state: no constant of sort {self.sort.name}")
        for observer in observers:
            defined = {observer.state_of(a.lhs).op for a in self.by_symbol[observer.symbol]}
            for initial in initials:
                if initial not in defined:
                    self._find(
                        "W502", f"{observer.name} has no equation for the initial state {initial.name}", observer
                    )
        for transition in transitions:
            for effect in transition.effects:
                if not effect.cases:
                    self._find(
                        "E507",
                        f"{transition.name} does not define {effect.observer.name}",
                        transition.operator,
                        f"add 'eq {effect.observer.name}({transition.name}(...)) = ...', if it does not change:"
                        f" '= {effect.observer.name}({show(self.state)}, ...)'",
                    )
                self._check_disagreement(transition, effect)
        for op in others:
            if op.name.startswith("c-") and op.symbol not in conditions:
                self._find("W503", f"the effective condition {op.name} is never used", op)
            if op not in observers and op.symbol not in self.by_symbol:
                self._find("W504", f"{op.name} has no equation at all", op)

    def _check_state_operators(self, transitions: tuple[Transition, ...]) -> None:
        """Every operator that gives a state must be an initial state, a transition, or an abbreviation of some."""
        kind = self.signature.order.kind
        moving = {transition.operator.symbol for transition in transitions}
        for symbol in self.signature.symbols():
            if symbol.native is not None or symbol.kind is not kind[self.sort] or symbol in moving:
                continue
            decl = symbol.decls[0]
            states = sum(kind.get(sort) is symbol.kind for sort in decl.arity)
            if states > 1 or (states == 1 and not (decl.coarity is self.sort and self.sort in decl.arity)):
                self.findings.append(
                    Diagnostic(
                        "E522",
                        f"{symbol.name} is no transition: it must take one {self.sort.name} and give one",
                        decl.span,
                    )
                )
            elif states == 1:
                self.findings.append(
                    Diagnostic("W506", f"{symbol.name} abbreviates transitions: it is no step of its own", decl.span)
                )

    def _check_disagreement(self, transition: Transition, effect: Effect) -> None:
        for number, case in enumerate(effect.cases):
            for earlier in effect.cases[:number]:
                if earlier.guard is case.guard and earlier.value is not case.value:
                    self.findings.append(
                        Diagnostic(
                            "E508",
                            f"two equations disagree about {effect.observer.name} after {transition.name}",
                            case.span,
                            "give them conditions that exclude each other",
                            (f"the other one: {earlier.span}",),
                        )
                    )

    def _find(self, code: str, message: str, op: StateOperator | None = None, hint: str | None = None) -> None:
        span = op.symbol.decls[0].span if op is not None else self.module.span
        self.findings.append(Diagnostic(code, message, span, hint))


def _distinct_variables(terms: tuple[Term, ...]) -> bool:
    return all(term.op.variable for term in terms) and len(set(terms)) == len(terms)


def _hints_for(module: Module) -> list[Hint]:
    """The hints of the modules this one sees, a module's own last, then those after the last module of a text."""
    found: list[Hint] = []
    trailing: dict[Hint, None] = {}
    for inner in module.closure():
        if inner.span is NOWHERE or inner.is_system:
            continue
        source = inner.span.source
        ends = [m.span.end for m in module.closure() if m.span.source is source]
        for hint in hints_of(source):
            home = min((end for end in ends if end > hint.span.start), default=None)
            if home is None:
                trailing[hint] = None
            elif home == inner.span.end:
                found.append(hint)
    return [*found, *trailing]
