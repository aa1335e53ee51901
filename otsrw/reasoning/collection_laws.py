"""Laws about functions of one collection; testing on small values filters them.

Some predicates say something of all elements: `first(P, N, (e , B)) = good(P, N, e) and first(P, N, B)`. Where such a
predicate holds, what it says is true of an element that is in the collection, and of one that another function looks
up there. Numbers that functions tell of one collection may be bounds of each other: `num(P, B) <= max(B)`.
What a function tells of a collection after an update is often what it told before, unless the update is about the same
value: `not (P = Q) implies num(P, del(Q, B)) = num(P, B)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations, product

from otsrw.reasoning.assumptions import atoms_of
from otsrw.reasoning.building import Builders
from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.integers import Integers
from otsrw.reasoning.relations import law_holds
from otsrw.reasoning.samples import Samples
from otsrw.records import NamedTuple
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import Substitution, substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, distinct_subterms, variable, variables_of


class Descent(NamedTuple):
    """An equation that defines a function of a collection by what it is of the rest."""

    call: Term
    """The function of the rest, with the same other arguments."""
    element: Term
    """The pattern for the first element."""
    rest: Term
    result: Term
    """The right side of the equation."""

    @property
    def others(self) -> tuple[Term, ...]:
        """The other arguments."""
        return tuple(argument for argument in self.call.args if argument is not self.rest)


class CollectionLaw(NamedTuple):
    """A formula that may hold for all values, and what a case must speak of for the law to be of use there."""

    formula: Term
    about: tuple[Term, ...]


class CollectionLaws:
    """Guesses laws about the functions of one module that take collections apart."""

    def __init__(
        self, samples: Samples, builders: Builders, rules: dict[Symbol, list[Axiom]], integers: Integers
    ) -> None:
        self._samples = samples
        self._builders = builders
        self._integers = integers
        self._connectives: Connectives = samples.bench.connectives
        self.descents = {symbol: found for symbol in rules for found in _descents(rules[symbol])[:1]}
        """The first equation by which each function takes a collection apart."""

    # --- what is said of all elements

    def of_elements(self, terms: Iterable[Term]) -> list[CollectionLaw]:
        """What predicates in some terms, which say something of all elements, say of one; no small value refutes it."""
        symbols = operators_of(terms)
        told = [self.descents[symbol] for symbol in symbols if symbol in self.descents]
        laws: list[CollectionLaw] = []
        for each in told:
            said = self._said_of_all(each)
            if said is None:
                continue
            for other in told:
                laws += [CollectionLaw(law, (each.call,)) for law in self._looked_up(each, said, other)]
            for member in self.memberships(each):
                laws += [CollectionLaw(law, (each.call,)) for law in self._without_constants(each, said, member)]
                if member.call.op in symbols:
                    about = each.call, self.is_in(each, member)
                    laws.append(CollectionLaw(self._of_member(each, said, member), about))
        return self.unrefuted(laws)

    def unrefuted(self, laws: Iterable[CollectionLaw]) -> list[CollectionLaw]:
        """The laws that hold for all small values that are tried."""
        return [law for law in dict.fromkeys(laws) if law_holds(law.formula, self._samples)]

    def _said_of_all(self, descent: Descent) -> Term | None:
        """What a predicate says of every element; None if this is no such predicate."""
        parts = _parts(descent.result, Builtin.AND)
        said = [part for part in parts if part is not descent.call]
        if len(said) == len(parts) or not said or any(descent.rest in variables_of(part) for part in said):
            return None
        return said[0] if len(said) == 1 else self._connectives.symbol(Builtin.AND).make(tuple(said))

    def _looked_up(self, descent: Descent, said: Term, other: Descent) -> Iterator[Term]:
        """That it is said of what another function finds, unless that finds nothing."""
        places = _matched(other.element, descent.element) if other.rest.sort is descent.rest.sort else None
        nothing = self.nothing(other)
        if places is None or nothing is None or other.result.op.native is not Builtin.IF:
            return
        condition, found, further = other.result.args
        if condition.op.native is not Builtin.EQUALS or found not in places or further is not other.call:
            return
        own = self._renamed(other, descent)
        value = substitute(other.call, own)
        images: Substitution = {places[found]: value}
        for inside, outside in (condition.args, condition.args[::-1]):
            if inside in places and outside in other.others:
                images[places[inside]] = own[outside]
        is_nothing = self._connectives.equal(value, nothing)
        yield self._implies(
            descent.call, self._connectives.symbol(Builtin.OR).make((is_nothing, substitute(said, images)))
        )

    @staticmethod
    def _renamed(other: Descent, descent: Descent) -> Substitution:
        """Names for the variables of a second function that the first one does not use; the collection is the same."""
        taken = {v.op.name for v in (*variables_of(descent.call), *variables_of(descent.element))}
        images: Substitution = {other.rest: descent.rest}
        images.update((each, _named(each.op.name, each.sort, taken)) for each in other.others)
        return images

    def nothing(self, descent: Descent) -> Term | None:
        """What a function tells of an empty collection, if that is a constant."""
        for empty in self.empty(descent.rest.sort):
            value = self._reduced(substitute(descent.call, {descent.rest: empty}))
            if value is not None and value.ground and not value.args:
                return value
        return None

    def empty(self, sort: Sort) -> Iterator[Term]:
        """The constants that build values of a sort: empty collections."""
        for symbol, decl in self._builders.makers(sort):
            if not decl.arity:
                yield symbol.make(())

    def _reduced(self, term: Term) -> Term | None:
        """The normal form of a term with variables; None if it takes too long."""
        try:
            return self._samples.bench.reduce(self._samples.bench.rewriter(()), term)
        except BudgetExceeded:
            return None

    def memberships(self, descent: Descent) -> list[Descent]:
        """The predicates that tell the elements of the same collections."""
        return [
            other
            for other in self.descents.values()
            if other.rest.sort is descent.rest.sort
            and other.element.op.variable
            and len(other.others) == 1
            and other.result.op.native is Builtin.OR
            and set(other.result.args)
            in (
                {self._connectives.equal(*pair), other.call}
                for pair in ((other.others[0], other.element), (other.element, other.others[0]))
            )
        ]

    @staticmethod
    def is_in(descent: Descent, member: Descent) -> Term:
        """That the element of one equation is in the collection that its function takes apart."""
        return substitute(member.call, {member.others[0]: descent.element, member.rest: descent.rest})

    def _of_member(self, descent: Descent, said: Term, member: Descent) -> Term:
        given = self._connectives.symbol(Builtin.AND).make((descent.call, self.is_in(descent, member)))
        return self._implies(given, said)

    def _without_constants(self, descent: Descent, said: Term, member: Descent) -> Iterator[Term]:
        """That elements with certain constants are not there, where what is said of them becomes simpler."""
        constants = [part for part in distinct_subterms(said) if part.ground and not part.args]
        plain = self._reduced(said)
        for each, constant in product(variables_of(descent.element), constants):
            if plain is None or not self._builders.order.leq(constant.sort, each.sort):
                continue
            claim = self._reduced(substitute(said, {each: constant}))
            if claim is not None and len(atoms_of(claim)) <= 1 < len(atoms_of(plain)):
                special = descent._replace(element=substitute(descent.element, {each: constant}))
                yield self._of_member(special, claim, member)

    def _implies(self, given: Term, claim: Term) -> Term:
        return self._connectives.symbol(Builtin.IMPLIES).make((given, claim))

    # --- bounds

    def bounds(self, terms: Iterable[Term]) -> list[CollectionLaw]:
        """Which numbers that functions in some terms tell of one collection are never greater than others."""
        at_most = self._integers.symbols.get(Builtin.LESS_EQUAL)
        told = [self.descents[symbol] for symbol in operators_of(terms) if symbol in self.descents]
        numbers = [each for each in told if self._integers.is_integer(each.call.sort)]
        laws = []
        for first, second in permutations(numbers, 2):
            if at_most is not None and first.rest.sort is second.rest.sort:
                sides = first.call, substitute(second.call, self._renamed(second, first))
                laws.append(CollectionLaw(at_most.make(sides), sides))
        return self.unrefuted(laws)

    # --- updates

    def after_update(self, left: Term) -> list[CollectionLaw]:
        """Laws that say when the outer function of a left side tells of an updated collection what it did before."""
        update = self._update(left)
        if update is None:
            return []
        whole, inner = update
        same = self._connectives.symbol(Builtin.IFF if left.sort is self._connectives.true.sort else Builtin.EQUALS)
        either = self._connectives.symbol(Builtin.OR)
        laws = []
        for rest in inner.args:
            if not rest.op.variable or rest.sort is not left.op.decl_of(left.args).arity[whole.args.index(inner)]:
                continue
            before = whole.op.make(tuple(rest if argument is inner else argument for argument in whole.args))
            unchanged = same.make((whole, before))
            for mine, theirs in product(_outside(whole, inner), variables_of(inner)):
                if theirs is not rest and theirs.sort is mine.sort and not self._integers.is_integer(mine.sort):
                    law = either.make((self._connectives.equal(mine, theirs), unchanged))
                    laws.append(CollectionLaw(law, (whole,)))
        return self.unrefuted(laws)

    def identified(self, left: Term) -> Term | None:
        """The left side for the value that the update is about; None if it cannot be about the same value."""
        update = self._update(left)
        if update is None:
            return None
        whole, inner = update
        images: Substitution = {}
        for mine in _outside(whole, inner):
            theirs = [v for v in variables_of(inner) if v.sort is mine.sort and v not in images.values()]
            if theirs:
                images[mine] = theirs[0]
        return substitute(whole, images) if images else None

    def _update(self, left: Term) -> tuple[Term, Term] | None:
        """A left side with records for variables of such sorts, and its argument that is an updated collection."""
        inner = next((argument for argument in left.args if argument.args), None)
        if inner is None or left.op.has_theory:
            return None
        taken = {v.op.name for v in variables_of(left)}
        return left.op.make(tuple(a if a is inner else self._opened(a, taken) for a in left.args)), inner

    def _opened(self, argument: Term, taken: set[str]) -> Term:
        """A variable of a record as the record of variables for its parts; other terms as they are."""
        makers = self._builders.makers(argument.sort)
        if not argument.op.variable or self._builders.is_opaque(argument.sort) or len(makers) != 1:
            return argument
        symbol, decl = makers[0]
        if not decl.arity or argument.sort in decl.arity or symbol.has_theory:
            return argument
        return symbol.make(tuple(_named(sort.name[0].upper(), sort, taken) for sort in decl.arity))


def _named(stem: str, sort: Sort, taken: set[str]) -> Term:
    """A variable whose name is not taken."""
    name, number = stem, 0
    while name in taken:
        number += 1
        name = f"{stem}{number}"
    taken.add(name)
    return variable(name, sort)


def _outside(term: Term, inner: Term) -> list[Term]:
    """The variables of the other arguments of a term."""
    return list(dict.fromkeys(v for argument in term.args if argument is not inner for v in variables_of(argument)))


def operators_of(terms: Iterable[Term]) -> list[Symbol]:
    """All operators in some terms, in order of first occurrence."""
    return list(dict.fromkeys(part.op for term in terms for part in distinct_subterms(term)))


def _parts(term: Term, native: Builtin) -> list[Term]:
    """The parts that a connective joins."""
    if term.op.native is not native:
        return [term]
    return [part for argument in term.args for part in _parts(argument, native)]


def _descents(axioms: Iterable[Axiom]) -> list[Descent]:
    """The equations that take an element out of a collection and ask the same of the rest."""
    found = []
    for axiom in axioms:
        patterns = [argument for argument in axiom.lhs.args if argument.args]
        if axiom.condition is not None or axiom.otherwise or len(patterns) != 1 or len(patterns[0].args) != 2:
            continue
        others = [argument for argument in axiom.lhs.args if argument is not patterns[0]]
        if not all(each.op.variable for each in others) or len(set(others)) < len(others):
            continue
        for element, rest in (patterns[0].args, patterns[0].args[::-1]):
            call = axiom.lhs.op.make(tuple(rest if each is patterns[0] else each for each in axiom.lhs.args))
            if rest.op.variable and rest.sort is not element.sort and call in distinct_subterms(axiom.rhs):
                found.append(Descent(call, element, rest, axiom.rhs))
    return found


def _matched(pattern: Term, other: Term) -> dict[Term, Term] | None:
    """The variables of one pattern, each with that of another pattern of the same shape; None if shapes differ."""
    if pattern.op.variable and other.op.variable:
        return {pattern: other} if pattern.sort is other.sort else None
    if pattern.op is not other.op or len(pattern.args) != len(other.args):
        return None
    found: dict[Term, Term] = {}
    for pair in zip(pattern.args, other.args, strict=True):
        inner = _matched(*pair)
        if inner is None:
            return None
        found.update(inner)
    return found
