"""What a specification leaves open, as far as values can be chosen for it.

Of functions of data there are those that no equation about data speaks of, which may be any function, and functions
and relations that such equations speak of without deciding them. A constant of a sort whose values are known may be any
of them. A function of the state that no equation describes may have any value in any state, and an observer that
nothing describes in the initial state any value there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from otsrw.ots.equations import ModuleEquations, equations_of
from otsrw.ots.instance import is_open
from otsrw.ots.model import Ots, StateOperator
from otsrw.ots.statesort import state_operators
from otsrw.records import dataclass
from otsrw.theory.modules import Axiom, Module, equations_by_symbol, translated
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, subterms


@dataclass(frozen=True, slots=True)
class OpenParts:
    """What a specification leaves open, as far as values can be chosen for it."""

    functions: tuple[Symbol, ...]
    """Functions of data that no equation about data speaks of."""
    constrained: tuple[Symbol, ...]
    """What such equations speak of and do not define: functions, those that no equation begins with first, relations
    and constants."""
    constants: tuple[Symbol, ...]
    """Constants of sorts whose values are known, `op window : -> Nat`, that no equation about data speaks of."""
    of_states: tuple[StateOperator, ...]
    """Functions of states that no equation describes."""
    initial: tuple[Sort, ...]
    """The loose sorts of observed values that the initial state leaves open."""

    @property
    def mappings(self) -> tuple[Symbol, ...]:
        """The functions among those that equations speak of, from entities to entities."""
        return tuple(symbol for symbol in self.constrained if symbol.nargs and not _is_bool(symbol))

    @property
    def sorts(self) -> Iterator[Sort]:
        """The loose sorts whose elements these parts speak of."""
        for symbol in (*self.functions, *self.constrained):
            if symbol.nargs:
                yield from _sorts(symbol)
        for operator in self.of_states:
            yield from operator.indexes
            if not _is_bool(operator.symbol):
                yield operator.value
        yield from self.initial


def open_parts(ots: Ots) -> OpenParts:
    """What values can be chosen for."""
    rules = equations_by_symbol(ots.module)
    spoken_of = _in_data(ots)
    of_data = [symbol for symbol in ots.module.signature.symbols() if _is_loose(ots, symbol)]
    constrained = {symbol for symbol in of_data if symbol in spoken_of}
    constants = [symbol for symbol in ots.module.signature.symbols() if _is_open_constant(ots, symbol, rules)]
    return OpenParts(
        tuple(symbol for symbol in of_data if symbol not in rules and symbol not in constrained),
        (
            *sorted(
                (symbol for symbol in of_data if _is_of_entities(ots, symbol, constrained)), key=rules.__contains__
            ),
            *(symbol for symbol in of_data if symbol in constrained and _is_relation(ots, symbol)),
            *(symbol for symbol in constants if symbol in spoken_of),
        ),
        tuple(symbol for symbol in constants if symbol not in spoken_of),
        tuple(_undescribed(ots, rules)),
        tuple(_left_open_initially(ots)),
    )


def _is_loose(ots: Ots, symbol: Symbol) -> bool:
    """Is it a function that a loose module declares, of loose sorts alone, to a loose sort or truth values?"""
    if not symbol.nargs or symbol.native is not None or len(symbol.decls) != 1 or symbol.has_theory:
        return False
    decl = symbol.decls[0]
    if decl.module not in _loose_modules(ots) or decl.attributes.constructor or ots.sort in (*decl.arity, decl.coarity):
        return False
    return all(is_open(ots.module, sort) for sort in _sorts(symbol))


def _loose_modules(ots: Ots) -> set[str]:
    return {module.name for module in ots.module.closure() if not module.is_tight and not module.is_system}


def _is_open_constant(ots: Ots, symbol: Symbol, rules: Mapping[Symbol, object]) -> bool:
    """Is it a constant that a loose module declares, of which one knows only that it is some value of its sort?"""
    if symbol.nargs or symbol.native is not None or len(symbol.decls) != 1 or symbol in rules:
        return False
    decl = symbol.decls[0]
    if decl.module not in _loose_modules(ots) or decl.attributes.constructor or decl.coarity.hidden:
        return False
    return not is_open(ots.module, decl.coarity)


def _is_of_entities(ots: Ots, symbol: Symbol, among: Set[Symbol]) -> bool:
    if symbol not in among or _is_bool(symbol):
        return False
    order = ots.module.signature.order
    alone = (not any(order.leq(other, sort) for other in order.sorts if other is not sort) for sort in _sorts(symbol))
    return all(alone) and all(_is_atomic(ots, sort) for sort in _sorts(symbol))


def _is_relation(ots: Ots, symbol: Symbol) -> bool:
    return _is_bool(symbol) and all(_is_atomic(ots, sort) for sort in symbol.decls[0].arity)


def _is_atomic(ots: Ots, sort: Sort) -> bool:
    """Is it a loose sort whose elements are not built of others? Then a few entities may stand for them."""
    rules = equations_by_symbol(ots.module)
    built = (s for s in ots.module.signature.symbols() if s.nargs and s not in rules and s.is_constructor)
    return is_open(ots.module, sort) and not any(decl.coarity is sort for s in built for decl in s.decls)


def _is_bool(symbol: Symbol) -> bool:
    return symbol.decls[0].coarity.name == "Bool"


def _sorts(symbol: Symbol) -> list[Sort]:
    decl = symbol.decls[0]
    return [*decl.arity, *([] if _is_bool(symbol) else [decl.coarity])]


def _undescribed(ots: Ots, rules: Mapping[Symbol, object]) -> Iterator[StateOperator]:
    """The functions of a state and of entities that no equation describes."""
    equations = equations_of(ots.module)
    if not _has_idle_steps_alone(ots, equations):
        return
    for operator in state_operators(equations, ots.sort):
        symbol = operator.symbol
        if operator.value is not ots.sort and symbol not in rules and len(symbol.decls) == 1:
            sorts = [*operator.indexes, *([] if _is_bool(symbol) else [operator.value])]
            if all(_is_atomic(ots, sort) for sort in sorts):
                yield operator


def _has_idle_steps_alone(ots: Ots, equations: ModuleEquations) -> bool:
    """Are states equal by no other equations than those of steps that change nothing?"""
    places = {transition.operator.symbol: transition.operator for transition in ots.transitions}
    between = [axiom for axioms in equations.by_symbol.values() for axiom in axioms if axiom.lhs.sort is ots.sort]
    return all(axiom.lhs.op in places and axiom.rhs is places[axiom.lhs.op].state_of(axiom.lhs) for axiom in between)


def _left_open_initially(ots: Ots) -> Iterator[Sort]:
    described = equations_of(ots.module)
    for observer in ots.observers:
        starts = {observer.state_of(axiom.lhs).op for axiom in described.of(observer.symbol)}
        if not starts.intersection(ots.initials) and _is_atomic(ots, observer.value):
            yield observer.value


def _in_data(ots: Ots) -> set[Symbol]:
    """The symbols of equations in which no state occurs, those included that are not rewritten with."""
    return {part.op for axiom in data_axioms(ots, ots.module) for part in parts_of(axiom)}


def data_axioms(ots: Ots, module: Module) -> list[Axiom]:
    """The equations of the OTS in which no state occurs, in terms of a module that has them."""
    memo: dict[Term, Term] = {}
    moved = [translated(stated, owner, module.signature, memo) for owner, stated in ots.module.flat_axioms()]
    return [axiom for axiom in moved if not any(part.sort is ots.sort for part in parts_of(axiom))]


def parts_of(axiom: Axiom) -> list[Term]:
    sides = [axiom.lhs, axiom.rhs, *([] if axiom.condition is None else [axiom.condition])]
    return [part for side in sides for part in subterms(side)]
