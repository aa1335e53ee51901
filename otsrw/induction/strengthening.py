"""Stronger lemmas: the smallest part of a case that no reachable state of a sample satisfies.

A necessary lemma excludes one case and is often not inductive. A subset of the case's literals that never holds
together in the sample is a stronger claim, which excludes the case as well, and usually many others. It is a guess:
if it turns out to be false, the next one is taken.
"""

from __future__ import annotations

from collections.abc import Container
from itertools import chain, combinations, islice

from otsrw.induction.clauses import Clause, renamed
from otsrw.induction.conjunctions import CannotTell
from otsrw.induction.evidence import Evidence
from otsrw.induction.vocabulary import NamedIndexes
from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.order import size_and_text
from otsrw.records import NamedTuple
from otsrw.theory.builtins import Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Symbol, Term, subterms, variables_of

MAX_LITERALS = 20
MAX_SIZE = 5
MAX_SETS = 12_000
"""Sets of literals that are looked for."""
MAX_VALUES = 20_000
"""Values of terms that are computed for one case: where it says much about large terms, each set costs thousands."""


def stronger_clauses(
    described: NamedIndexes, evidence: Evidence, banned: Container[frozenset[Literal]] = ()
) -> list[Clause]:
    """Clauses made of fewer literals that no reachable state of the evidence violates, the most promising first.

    No clause has all literals of another one. A banned clause is left out, but larger ones with its literals are not.
    """
    return sorted(_Parts(described, evidence, banned).found(), key=cost)


def _is_exception(literal: Literal) -> bool:
    """Does it say that a variable is not a certain constant?"""
    if literal.positive or literal.atom.op.native is not Builtin.EQUALS:
        return False
    return sorted((side.op.variable, len(side.args)) for side in literal.atom.args) == [(False, 0), (True, 0)]


def _is_order(relation: Symbol) -> bool:
    """May it be an order, which says little about a value that it compares with another one?"""
    if relation.native is Builtin.EQUALS or not relation.decls:
        return False
    arity = relation.decls[0].arity
    return len(arity) == 2 and arity[0] is arity[1]


def _units(clause: Clause) -> list[tuple[Literal, ...]]:
    """The literals of a clause; those that say which constants one observation is not are taken together."""
    found: dict[object, list[Literal]] = {}
    for literal in clause.literals:
        key: object = literal
        if not literal.positive and literal.atom.op.native is Builtin.EQUALS:
            constants = [side for side in literal.atom.args if side.ground and not side.args]
            if len(constants) == 1:
                key = next(side for side in literal.atom.args if side is not constants[0])
        found.setdefault(key, []).append(literal)
    return [tuple(unit) for unit in found.values()]


class _Words(NamedTuple):
    """The variables of some literals, as bits."""

    spoken: int
    """All but the state."""
    told: int
    """Those that are entities, or whose values the state tells."""
    is_observed: bool
    """Do they say something about the state, and not only name an observation?"""


class _Parts:
    """Sets of literals of a clause, smaller ones first, as bits.

    A state in which some literals hold together speaks against all sets of them, so few sets have to be looked for.
    """

    def __init__(self, described: NamedIndexes, evidence: Evidence, banned: Container[frozenset[Literal]]) -> None:
        self._clause = clause = described.clause
        self._names = described.names
        self._evidence = evidence
        self._banned = banned
        self._units = _units(clause)[:MAX_LITERALS]
        self._literals = tuple(chain.from_iterable(self._units))
        self._words = [self._words_of(unit) for unit in self._units]
        self._bits = [sum(1 << self._literals.index(literal) for literal in unit) for unit in self._units]
        self._together: list[int] = []
        """Literals that hold together somewhere."""
        self._never: list[int] = []
        """Sets that were taken."""

    def found(self) -> list[Clause]:
        if not self._evidence.can_tell(()):
            return []
        places = range(len(self._units))
        sets = chain.from_iterable(combinations(places, size) for size in range(1, MAX_SIZE + 1))
        candidates = []
        most = self._evidence.computed + MAX_VALUES
        for chosen in islice(sets, MAX_SETS):
            if self._evidence.computed > most:
                break
            self._evidence.look()
            bits = sum(self._bits[place] for place in chosen)
            if not any(never & bits == never for never in self._never):
                candidate = self._candidate(chosen, bits)
                if candidate is not None:
                    self._never.append(bits)
                    candidates.append(candidate)
        return candidates

    def _candidate(self, places: tuple[int, ...], bits: int) -> Clause | None:
        """The clause of some of the literals, if it says something and nothing speaks against it."""
        literals = tuple(literal for place in places for literal in self._units[place])
        if not self._says_something(places) or self._hold_together(literals, bits):
            return None
        candidate = _clause(self._clause, self._spelled_out((*literals, *self._exceptions(literals))))
        if not self._evidence.can_tell(candidate.parameters) or frozenset(candidate.literals) in self._banned:
            return None
        return candidate

    def _exceptions(self, literals: tuple[Literal, ...]) -> list[Literal]:
        """What the case says of variables of these literals alone: that each is not a certain constant.

        `not (B = intruder)` stays true whatever happens. A lemma without it may hold as well, but for other reasons.
        """
        used = {v for literal in literals for v in variables_of(literal.atom)}
        found = [each for each in self._clause.literals if each not in literals and _is_exception(each)]
        return [each for each in found if used.issuperset(variables_of(each.atom))]

    def _says_something(self, places: tuple[int, ...]) -> bool:
        """Is every variable the index of something observed, or compared with it, and not only put into an order?

        There is always a number that is greater than another one, whatever the entities of the evidence are.
        """
        spoken = told = 0
        is_observed = False
        for place in places:
            each = self._words[place]
            spoken |= each.spoken
            told |= each.told
            is_observed = is_observed or each.is_observed
        return is_observed and spoken & ~told == 0

    def _words_of(self, unit: tuple[Literal, ...]) -> _Words:
        """The variables of literals that are taken together."""
        state, parameters = self._clause.state, self._clause.parameters
        spoken = told = 0
        for literal in unit:
            own = [v for v in variables_of(literal.atom) if v is not state]
            spoken |= sum(1 << parameters.index(v) for v in own)
            if state in variables_of(literal.atom):
                tells = literal.positive and not _is_order(literal.atom.op)
                inside = {v for part in subterms(literal.atom) if state in part.args for v in variables_of(part)}
                clear = [v for v in own if tells or v in inside or self._evidence.is_entity(v)]
                told |= sum(1 << parameters.index(v) for v in clear)
        is_observed = any(state in variables_of(each.atom) and each not in self._names for each in unit)
        return _Words(spoken, told, is_observed)

    def _spelled_out(self, literals: tuple[Literal, ...]) -> tuple[Literal, ...]:
        """The literals, with the observation in place of a variable that stands for it."""
        named = [self._names[literal] for literal in literals if literal in self._names]
        kept = [literal for literal in literals if literal not in self._names]
        for name, term in reversed(named):
            kept = [Literal(substitute(each.atom, {name: term}), each.positive) for each in kept]
        return tuple(kept)

    def _hold_together(self, literals: tuple[Literal, ...], bits: int) -> bool:
        """Do the literals hold together in some state? They are taken to if that cannot be told."""
        if any(bits & together == bits for together in self._together):
            return True
        try:
            for conjunctions in self._evidence.instances:
                row = conjunctions.together(literals)
                if row is not None:
                    self._together.append(bits | conjunctions.holding(self._literals, row))
                    return True
        except CannotTell:
            return True
        return False


def _clause(clause: Clause, literals: tuple[Literal, ...]) -> Clause:
    """The clause of some of the literals, its variables named as if the others had never been there."""
    used = dict.fromkeys(v for literal in literals for v in variables_of(literal.atom) if v is not clause.state)
    taken = {clause.state.op.name}
    renaming = {variable: renamed(variable, taken) for variable in used}
    kept = tuple(Literal(substitute(literal.atom, renaming), literal.positive) for literal in literals)
    return Clause(clause.state, kept, tuple(renaming.values()))


def cost(clause: Clause) -> tuple[int, int, int, int, int, int, str]:
    """Fewer literals that compute with observed values, or compare them, fewer variables, fewer observers first."""
    observers: set[Symbol] = set()
    size = computing = 0
    compared = sum(_compares(literal.atom, clause.state) for literal in clause.literals)
    for literal in clause.literals:
        todo = list(literal.atom.args) if clause.state not in literal.atom.args else [literal.atom]
        computing += any(clause.state not in term.args and clause.state in variables_of(term) for term in todo)
        while todo:
            term = todo.pop()
            size += 1
            if clause.state in term.args:
                observers.add(term.op)
            todo += term.args
    text = "".join(size_and_text(literal.atom)[1] for literal in clause.literals)
    return computing, len(_units(clause)), compared, len(clause.parameters), len(observers), size, text


def _compares(atom: Term, state: Term) -> bool:
    return atom.op.native is not Builtin.EQUALS and len(atom.args) == 2 and all(state in arg.args for arg in atom.args)
