"""Functions that the specification leaves open on values without end, given one plain meaning for all of them.

`op quorum : Nodes -> Bool`, of which two laws speak, cannot be listed value by value. It is taken to be false, or true,
of everything; `op id : Nat -> Nat` gives its argument, or always the same. Such a meaning is taken only if what every
equation that speaks of the function says becomes true by it without any other equation: then each model of the other
equations is a model of all of them with this meaning. So no equation is used to show itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from otsrw.ots.instance import is_open
from otsrw.ots.model import Ots
from otsrw.ots.openness import open_parts, parts_of
from otsrw.reasoning.connectives import Connectives
from otsrw.records import dataclass
from otsrw.theory.modules import Axiom, translated
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Symbol, Term, subterms, variable


@dataclass(frozen=True, eq=False, slots=True)
class UniformMeaning:
    """What a function gives: a truth value, one of its arguments, or some element, which the variable stands for."""

    symbol: Symbol
    arguments: tuple[Term, ...]
    body: Term

    @property
    def is_some_element(self) -> bool:
        return self.body.op.variable and self.body not in self.arguments

    def of(self, args: tuple[Term, ...]) -> Term:
        return substitute(self.body, dict(zip(self.arguments, args, strict=True)))


def uniform_meanings(ots: Ots) -> tuple[UniformMeaning, ...]:
    """A meaning for each function that can have one and whose values are not chosen one by one.

    A function to a loose sort that no equation speaks of is left alone: it may well be meant to build elements.
    """
    memo: dict[Term, Term] = {}
    module = ots.module
    waiting = [symbol for symbol in module.signature.symbols() if _is_left_open(ots, symbol)]
    if not waiting:
        return ()
    axioms = [translated(stated, owner, module.signature, memo) for owner, stated in module.flat_axioms()]
    laws = [each for each in axioms if not any(part.sort is ots.sort for part in subterms(each.lhs))]
    spoken_of = {part.op for law in laws for part in parts_of(law)}
    parts = open_parts(ots)
    listed = {*parts.functions, *parts.constrained}
    waiting = [
        symbol
        for symbol in waiting
        if symbol not in listed and (symbol in spoken_of or not is_open(module, symbol.decls[0].coarity))
    ]
    connectives = Connectives(module.signature)
    found: dict[Symbol, UniformMeaning] = {}
    before = -1
    while len(found) > before:
        before = len(found)
        for symbol in [each for each in waiting if each not in found]:
            choices = ({**found, symbol: meaning} for meaning in _choices(symbol, connectives))
            found = next((each for each in choices if _is_model(ots, axioms, each, connectives)), found)
    return tuple(found.values())


def _is_left_open(ots: Ots, symbol: Symbol) -> bool:
    """Is it a function of data that a loose module declares?"""
    if not symbol.nargs or symbol.native is not None or len(symbol.decls) != 1 or symbol.has_theory:
        return False
    decl = symbol.decls[0]
    home = next((each for each in ots.module.closure() if decl in each.decls), None)
    if home is None or home.is_tight or home.is_system or decl.attributes.constructor:
        return False
    sorts = (*decl.arity, decl.coarity)
    return ots.sort not in sorts and not any(sort.hidden for sort in sorts)


def _choices(symbol: Symbol, connectives: Connectives) -> Iterator[UniformMeaning]:
    decl = symbol.decls[0]
    arguments = tuple(variable(f"X{number}", sort) for number, sort in enumerate(decl.arity, 1))
    bodies = [each for each in arguments if each.sort is decl.coarity]
    if decl.coarity is connectives.true.sort:
        bodies = [connectives.false, connectives.true]
    elif not bodies:
        bodies = [variable("E", decl.coarity)]
    return (UniformMeaning(symbol, arguments, body) for body in bodies)


def _is_model(
    ots: Ots, axioms: Iterable[Axiom], meanings: Mapping[Symbol, UniformMeaning], connectives: Connectives
) -> bool:
    """Does every equation that demands something of these functions become true?

    One about states does not, unless its left side speaks of them: it defines what is observed.
    """
    for axiom in axioms:
        about_states = any(part.sort is ots.sort for part in parts_of(axiom))
        defines = about_states and axiom.executable and axiom.lhs.op.native is None
        parts = subterms(axiom.lhs) if defines else parts_of(axiom)
        if any(part.op in meanings for part in parts) and not _holds(axiom, meanings, connectives):
            return False
    return True


def _holds(axiom: Axiom, meanings: Mapping[Symbol, UniformMeaning], connectives: Connectives) -> bool:
    """Is the condition false, or are both sides the same, by the meanings and the truth tables alone?"""

    def value(term: Term) -> Term:
        return connectives.simplified(_unfolded(term, meanings), lambda _: None)

    if axiom.condition is not None and value(axiom.condition) is connectives.false:
        return True
    return value(axiom.lhs) is value(axiom.rhs)


def _unfolded(term: Term, meanings: Mapping[Symbol, UniformMeaning]) -> Term:
    if not term.args:
        return term
    args = tuple(_unfolded(arg, meanings) for arg in term.args)
    meaning = meanings.get(term.op)
    return term.op.make(args) if meaning is None else meaning.of(args)
