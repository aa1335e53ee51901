"""Order-sorted unification in Python: free and commutative operators, and collections of the usual shape.

Most left sides are made of these, so most specifications never start Maude. A unifier is found as usual, sorts aside;
then the variables that are left are lowered to subsorts until every variable stands for a term of its sort. There may
be several ways to do that, and all maximal ones are given.

Collections (associative and commutative) are unified here if each has at most one variable that stands for a
collection, as in `X , Y , S`: elements of both sides are paired off in all ways, and what is left of one side belongs
to the variable of the other. If one side is an element and such a variable, the other may have several of them, also
the same one twice, and an identity: the element is one of the other side, or in one of its variables. That is what the
idempotence of sets, `X , X = X`, asks for; as for Maude, it is an equation here and no part of the theory, and only a
term of the answer is written as the set that it is. Everything else needs Maude.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, count, permutations, product
from math import prod

from otsrw.records import NamedTuple
from otsrw.rewriting.rules import highest_rank
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort, SortOrder
from otsrw.theory.terms import LiteralTerm, Symbol, Term, subterms, variable, variables_of

Unifier = dict[Term, Term]
Equations = list[tuple[Term, Term]]
Problem = tuple[tuple[Term, Term], ...]
"""Pairs of terms that must become equal at once."""

MAX_SORTINGS = 512
MAX_PAIRINGS = 2_000


class TooManyUnifiers(Exception):
    """There are more unifiers than anybody wants to look at."""


class NeedsMaude(Exception):
    """The problem has theories that are not unified here."""


def is_plain_operator(symbol: Symbol) -> bool:
    """Is the operator free or commutative?"""
    return not (symbol.assoc or symbol.idem or symbol.identity is not None)


def unify(problem: Problem, order: SortOrder, limit: int) -> list[Unifier]:
    """A complete set of order-sorted unifiers.

    Raises `TooManyUnifiers` beyond the limit, and `NeedsMaude` if there may be others than those found here.
    """
    variables = list(dict.fromkeys(v for pair in problem for side in pair for v in variables_of(side)))
    found: dict[tuple[Term, ...], Unifier] = {}
    solver = _Solver()
    for solved in solver.solutions(list(problem), {}):
        resolved = {v: _resolved(v, solved) for v in variables}
        for unifier in _well_sorted(resolved, order):
            found.setdefault(tuple(unifier.values()), unifier)
            if len(found) > limit:
                raise TooManyUnifiers
    return list(found.values())


class _Solver:
    """Triangular unifiers of one problem, sorts aside."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def solutions(self, todo: Equations, solved: Unifier) -> Iterator[Unifier]:
        """Every order of commutative arguments and every pairing of elements is tried."""
        while todo:
            left, right = todo.pop()
            left, right = _walk(left, solved), _walk(right, solved)
            if left is right:
                continue
            if _clash(left, right):
                return
            collecting = next((t.op for t in (left, right) if not is_plain_operator(t.op)), None)
            if collecting is not None and not any(_stands_for(t, collecting) for t in (left, right)):
                yield from self._collections(collecting, left, right, todo, solved)
                return
            if right.op.variable:
                left, right = right, left
            if left.op.variable:
                if _occurs(left, right, solved):
                    if any(not is_plain_operator(part.op) for part in subterms(_resolved(right, solved))):
                        raise NeedsMaude  # S = (S , T) has a solution
                    return
                solved = {**solved, left: right}
                continue
            if left.op is not right.op or not left.args:
                return
            if left.op.comm:
                swapped = list(zip(left.args, right.args[::-1], strict=True))
                yield from self.solutions([*todo, *swapped], solved)
            todo = [*todo, *zip(left.args, right.args, strict=True)]
        yield solved

    def _collections(self, op: Symbol, left: Term, right: Term, todo: Equations, solved: Unifier) -> Iterator[Unifier]:
        one, other = _collection(op, left, solved), _collection(op, right, solved)
        if not set(one.rests).isdisjoint(other.rests):
            raise NeedsMaude
        if len(one.rests) > 1 or len(other.rests) > 1:
            several, single = (one, other) if len(one.rests) > 1 else (other, one)
            for equations in self._one_element(op, single, several):
                yield from self.solutions([*todo, *equations], solved)
            return
        for paired, mine, theirs in _pairings(one.elements, other.elements):
            for rests in self._rests(op, one.rest, other.rest, mine, theirs):
                yield from self.solutions([*todo, *rests, *paired], solved)

    def _one_element(self, op: Symbol, single: _Collection, several: _Collection) -> Iterator[Equations]:
        """`x , S` and any collection: where x is in the other one, and that S is all that is left of it."""
        rank = highest_rank(op)
        if op.identity is None or rank is None or len(single.elements) != 1 or len(single.rests) != 1:
            raise NeedsMaude
        (element,), (rest,) = single
        for index, other in enumerate(several.elements):
            left = [*several.elements[:index], *several.elements[index + 1 :], *several.rests]
            yield [(element, other), (rest, _collected(op, left))]
        for holder in dict.fromkeys(several.rests):
            more = variable(f"Z#{next(self._numbers)}", rank.coarity)
            inside = [part for each in several.rests for part in ((element, more) if each is holder else (each,))]
            inside.remove(element)
            yield [(holder, _collected(op, [element, more])), (rest, _collected(op, [*several.elements, *inside]))]

    def _rests(
        self, op: Symbol, mine: Term | None, theirs: Term | None, left: list[Term], right: list[Term]
    ) -> Iterator[Equations]:
        """What the variables for the rest stand for: elements of the other side, and a part that both share."""
        shared: list[list[Term]] = [[]]
        if mine is not None and theirs is not None:
            rank = highest_rank(op)
            assert rank is not None
            both = [variable(f"Z#{next(self._numbers)}", rank.coarity)]
            shared = [both] if op.identity is not None else [both, []]
        for part in shared:
            sides = [(mine, right), (theirs, left)]
            if all(rest is not None or not elements for rest, elements in sides):
                values = [(rest, [*elements, *part]) for rest, elements in sides if rest is not None]
                if all(elements or op.identity is not None for _, elements in values):
                    yield [(rest, _collected(op, elements)) for rest, elements in values]


class _Collection(NamedTuple):
    """The elements of a term, and the variables that stand for collections, as often as they occur."""

    elements: list[Term]
    rests: list[Term]

    @property
    def rest(self) -> Term | None:
        """The only such variable, if there is one."""
        return self.rests[0] if self.rests else None


def _collection(op: Symbol, term: Term, solved: Unifier) -> _Collection:
    if not (op.assoc and op.comm) or op.lower is not None or op.upper is not None:
        raise NeedsMaude
    elements: list[Term] = []
    rests: list[Term] = []
    todo = [term]
    while todo:
        current = _walk(todo.pop(), solved)
        if current.op is op:
            todo += reversed(current.args)
        elif current is not op.identity:
            (rests if _stands_for(current, op) else elements).append(current)
    return _Collection(elements, rests)


def _clash(left: Term, right: Term) -> bool:
    """Are they certainly different, because one of them is no variable and no theory makes it anything else?

    An application of an operator without identity and idempotence has the sort of one of its ranks.
    """
    if left.op.variable:
        left, right = right, left
    op, other = left.op, right.op
    if op.variable or isinstance(left, LiteralTerm) or not op.decls or op.polymorphic or _may_collapse(op):
        return False
    if not other.variable:
        return op is not other and not _may_collapse(other)
    below = op.order.below.get(right.sort)
    return below is not None and not any(decl.partial or decl.coarity in below for decl in op.decls)


def _may_collapse(op: Symbol) -> bool:
    """May a term of the operator be one of its arguments, or a term of another operator?"""
    return op.idem or op.identity is not None or op.lower is not op.upper


def _stands_for(term: Term, op: Symbol) -> bool:
    """Is the term a variable that may stand for any collection? One for some collections only needs Maude."""
    if not term.op.variable:
        return False
    leq, rank = op.order.leq, highest_rank(op)
    possible = [decl.coarity for decl in op.decls] + ([op.identity.sort] if op.identity is not None else [])
    if not any(leq(sort, term.sort) for sort in possible):
        return False
    if rank is None or not leq(rank.coarity, term.sort):
        raise NeedsMaude
    return True


def _collected(op: Symbol, elements: list[Term]) -> Term:
    if len(elements) > 1 and op.idem:  # a term with repeated elements, which `make` would leave out
        rank = highest_rank(op)
        assert rank is not None
        return Term(op, tuple(elements), rank.coarity, False)
    if len(elements) > 1:
        return op.make(tuple(elements))
    if elements:
        return elements[0]
    assert op.identity is not None
    return op.identity


def _pairings(left: list[Term], right: list[Term]) -> Iterator[tuple[Equations, list[Term], list[Term]]]:
    """All ways to pair off elements, with what is left over on both sides."""
    tried = 0
    for size in range(min(len(left), len(right)) + 1):
        for chosen in combinations(range(len(left)), size):
            for partners in permutations(range(len(right)), size):
                tried += 1
                if tried > MAX_PAIRINGS:
                    raise NeedsMaude
                paired = [(left[i], right[j]) for i, j in zip(chosen, partners, strict=True)]
                mine = [term for i, term in enumerate(left) if i not in chosen]
                theirs = [term for j, term in enumerate(right) if j not in partners]
                yield paired, mine, theirs


def _walk(term: Term, solved: Unifier) -> Term:
    while term in solved:
        term = solved[term]
    return term


def _occurs(wanted: Term, term: Term, solved: Unifier) -> bool:
    todo = [term]
    while todo:
        current = todo.pop()
        if current.ground:
            continue
        current = _walk(current, solved)
        if current is wanted:
            return True
        todo += current.args
    return False


def _resolved(term: Term, solved: Unifier) -> Term:
    if term.ground:
        return term
    term = _walk(term, solved)
    if not term.args:
        return term
    return term.op.make(tuple([_resolved(arg, solved) for arg in term.args]))


# --- sorts


def _well_sorted(resolved: Unifier, order: SortOrder) -> Iterator[Unifier]:
    """The unifier with its variables lowered as little as possible, so that all sorts fit."""
    wrong = [(value, v.sort) for v, value in resolved.items() if not order.leq(value.sort, v.sort)]
    if not wrong:
        yield resolved
        return
    choices = [_lowerings(group, order) for group in _connected(wrong)]
    if prod(map(len, choices)) > MAX_SORTINGS:
        raise TooManyUnifiers
    for chosen in product(*choices):
        lowered = {v: low for lowering in chosen for v, low in lowering.items()}
        yield {v: substitute(value, lowered) for v, value in resolved.items()}


Wanted = tuple[Term, Sort]
"""A term, and a sort that it must have."""


def _connected(wanted: list[Wanted]) -> list[list[Wanted]]:
    """Groups that share no variable: they are lowered apart from each other."""
    groups: list[tuple[set[Term], list[Wanted]]] = []
    for one in wanted:
        variables, members = set(variables_of(one[0])), [one]
        apart = []
        for group in groups:
            if variables.isdisjoint(group[0]):
                apart.append(group)
            else:
                variables |= group[0]
                members = [*group[1], *members]
        groups = [*apart, (variables, members)]
    return [members for _, members in groups]


def _lowerings(wanted: list[Wanted], order: SortOrder) -> list[Unifier]:
    """Variables of lower sorts for those of the terms, in all maximal ways to give the terms their sorts."""
    free = list(dict.fromkeys(v for value, _ in wanted for v in variables_of(value)))
    bounds = {v: [sort for value, sort in wanted if value is v] for v in free}
    compound = [(value, sort) for value, sort in wanted if not value.op.variable]
    kept: list[tuple[Sort, ...]] = []
    for sorts in _sortings(bounds, order):
        lowered = {v: variable(v.op.name, sort) for v, sort in zip(free, sorts, strict=True)}
        if all(order.leq(substitute(value, lowered).sort, sort) for value, sort in compound):
            if not any(all(map(order.leq, sorts, other)) for other in kept):
                kept = [k for k in kept if not all(map(order.leq, k, sorts))]
                kept.append(sorts)
    return [{v: variable(v.op.name, sort) for v, sort in zip(free, sorts, strict=True)} for sorts in kept]


def _sortings(bounds: dict[Term, list[Sort]], order: SortOrder) -> Iterator[tuple[Sort, ...]]:
    """Sorts for the variables, each below the sort of its variable and below all bounds; higher ones come first."""
    choices = [
        sorted(
            (sort for sort in order.below[v.sort] if all(order.leq(sort, bound) for bound in own)),
            key=lambda s: (-len(order.below[s]), s.number),
        )
        for v, own in bounds.items()
    ]
    if prod(map(len, choices)) > MAX_SORTINGS:
        raise TooManyUnifiers
    return product(*choices)
