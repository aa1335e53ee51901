"""Which operators of a module make an OTS, in either style people write.

Hidden style: a sort `*[Sys]*`, observers and transitions usually declared by `bop`. Visible style: a sort `[Sys]` whose
constructors are the initial states and the transitions. In both, an operator with one argument of the state sort is

* a *transition* if it gives a state, unless its equations only abbreviate other transitions;
* an *observer* if equations define it on initial states and transitions;
* *defined* if equations define it for any state: effective conditions, invariant candidates, auxiliary functions.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.ots.definitions import definitions_of, invariants_of, unknown_names
from otsrw.ots.equations import ModuleEquations, equations_of
from otsrw.ots.findings import findings_of
from otsrw.ots.model import Ots, StateOperator, Transition
from otsrw.ots.statesort import state_operators, state_sort
from otsrw.ots.transitions import TransitionReader
from otsrw.records import replace
from otsrw.syntax.diagnostics import OtsrwError, did_you_mean
from otsrw.theory.library import Library
from otsrw.theory.modules import Module
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, symbols_of, variable


def find_ots(library: Library, module: str | None = None, invariants: Iterable[str] = ()) -> Ots:
    """The OTS of a file: in the module named, else in the last module that has one and sees the invariants named.

    Loose modules with parameters come after all others: their parameters are then loose sorts like any other. Tight
    ones are data.

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
    own = [each for each in reversed(list(library.modules.values())) if not each.is_system]
    candidates = [each for each in own if not (each.is_tight and each.all_parameters())]
    for candidate in sorted(candidates, key=lambda each: bool(each.all_parameters())):
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
    equations = equations_of(module)
    sort = state_sort(equations)
    operators = state_operators(equations, sort)
    state = variable("S", sort)
    initials = _initials(equations, sort, operators)
    moving = [op for op in operators if op.value is sort and not _abbreviates(equations, op)]
    functions = [op for op in operators if op.value is not sort]
    anchors = {op.symbol for op in moving} | set(initials)
    observers = tuple(op for op in functions if _is_observer(equations, op, anchors))
    definitions = definitions_of(equations, state, [op for op in operators if op not in observers])
    reader = TransitionReader(equations, state, observers)
    transitions = tuple(reader.read(op) for op in moving)
    conditions = _symbols_in_conditions(transitions)
    invariants = invariants_of(equations, functions, definitions, conditions)
    ots = Ots(
        module,
        sort,
        state,
        initials,
        observers,
        transitions,
        invariants,
        definitions,
        entities={hint.name: hint for hint in equations.hints if hint.kind == "with"},
        suggested=tuple(hint.name for hint in equations.hints if hint.kind == "invariant"),
        lemmas=tuple(hint.name for hint in equations.hints if hint.kind == "lemma"),
    )
    findings = [*reader.findings, *unknown_names(equations, invariants)]
    return replace(ots, findings=(*findings, *findings_of(equations, ots, functions, conditions)))


def _initials(equations: ModuleEquations, sort: Sort, operators: list[StateOperator]) -> tuple[Symbol, ...]:
    """Constants of the state sort; arbitrary states that a proof module adds without equations are none."""
    constants = [
        symbol
        for symbol in equations.signature.symbols()
        if symbol.decls
        and symbol.native is None
        and symbol.decls[0].coarity is sort
        and sort not in symbol.decls[0].arity
        and symbol not in equations.by_symbol
    ]
    observed = {op.state_of(axiom.lhs).op for op in operators for axiom in equations.of(op.symbol)}
    return tuple(s for s in constants if s in observed or s.decls[0].module == sort.module)


def _abbreviates(equations: ModuleEquations, op: StateOperator) -> bool:
    """Is every equation of this state-valued operator an abbreviation, such as t3(S) = t1(t2(S))?"""
    axioms = equations.of(op.symbol)
    return bool(axioms) and all(
        op.state_of(a.lhs).op.variable and a.rhs is not op.state_of(a.lhs) and a.condition is None for a in axioms
    )


def _is_observer(equations: ModuleEquations, op: StateOperator, anchors: set[Symbol]) -> bool:
    """Does some equation define the operator on an initial state or after a transition?"""
    return any(op.state_of(axiom.lhs).op in anchors for axiom in equations.of(op.symbol))


def _symbols_in_conditions(transitions: tuple[Transition, ...]) -> set[Symbol]:
    guards = [transition.condition for transition in transitions]
    guards += [case.guard for t in transitions for effect in t.effects for case in effect.cases]
    return {symbol for guard in guards if guard is not None for symbol in symbols_of(guard)}
