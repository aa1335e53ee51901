"""What a case says, in the words that lemmas may use.

A case assumes a few literals. More follow from them: comparisons of what is observed by the relations of the
specification, what its predicates on data say of an observation (`I \\in readers(S)`), which elements a collection has,
and which of the values that it names an observation is not. An observation that is an index of another one, as in
`vote(S, I, term(S, J))`, gets a name of its own, so that a lemma may speak of any such index. So does an index that is
computed, as in `array(S, s(next(S)))`, in a second description of the case.
"""

from __future__ import annotations

from itertools import combinations, permutations, product

from otsrw.induction.cases import InductionCase
from otsrw.induction.clauses import Clause, clause_of, renamed, replace
from otsrw.induction.free_indexes import computed_indexes, with_free_indexes
from otsrw.induction.patterns import elements_of, patterns_of
from otsrw.ots.model import Ots
from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.connectives import Connectives, Literal
from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.workbench import Equation
from otsrw.records import NamedTuple
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Module, equations_by_symbol
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, subterms, variable

MAX_COMPARED = 5
"""Values of one sort that are compared with each other."""
MAX_FREE = 2
"""Computed indexes that are compared with what is observed."""


PartNames = dict[Literal, tuple[Term, Term]]
"""For the literal that says what a variable is: the variable, and what it is."""


class NamedIndexes(NamedTuple):
    """A clause whose indexes are variables, and what these variables stand for."""

    clause: Clause
    names: PartNames


class CaseVocabulary:
    """Describes the cases of one OTS."""

    def __init__(self, ots: Ots, connectives: Connectives) -> None:
        self._ots = ots
        self._connectives = connectives
        self._relations = relations_of(ots.module, connectives.true.sort)
        self._predicates = predicates_of(ots, connectives.true.sort)

    def described(self, case: InductionCase, assumptions: Assumptions) -> NamedIndexes:
        """The clause that excludes a case, with all that is known to follow from its assumptions."""
        return self.with_named_indexes(self._clause(case, assumptions, []))

    def described_freely(self, case: InductionCase, assumptions: Assumptions) -> NamedIndexes | None:
        """The same with variables for computed indexes, of which only the relations to what is observed are told.

        None if no index of a sort with a relation is computed from observations.
        """
        computed = self._ordered_indexes(case, assumptions)[:MAX_FREE]
        if not computed:
            return None
        return self.with_named_indexes(with_free_indexes(self._clause(case, assumptions, computed)))

    def _ordered_indexes(self, case: InductionCase, assumptions: Assumptions) -> list[Term]:
        """The computed indexes whose sort has a relation."""
        kind = case.bench.module.signature.order.kind
        related = {relation.arg_kinds[0] for relation in self._relations}
        sides = [side for equation in assumptions.equations for side in (equation.left, equation.right)]
        return [index for index in computed_indexes(sides, case.state) if kind.get(index.sort) in related]

    def _clause(self, case: InductionCase, assumptions: Assumptions, computed: list[Term]) -> Clause:
        """What is known to follow from assumptions, also about relations between what is computed and observed."""
        observed = _observed(case, assumptions)
        known = list(assumptions.equations)
        known += self._comparisons(case, assumptions, [*computed, *observed])
        known += self._differences(case, assumptions, observed)
        known += self._properties(case, assumptions, observed) + self._patterns(case, assumptions, observed)
        return clause_of(case.bench, (case.state, self._ots.state), known)

    def _with_named_parts(self, clause: Clause, taken: set[str]) -> tuple[list[Literal], PartNames]:
        """The literals, where observations inside of what predicates are told of are variables of their own.

        `before(< b , next(S) >, e, queue(S))` may be true of any number in the place of `next(S)`.
        """
        names: PartNames = {}
        images: dict[Term, Term] = {}
        said = [literal.atom for literal in clause.literals if literal.atom.op in self._predicates]
        for element in dict.fromkeys(part for atom in said for part in atom.args):
            inner = [p for p in dict.fromkeys(subterms(element)) if p is not element and self._is_observed(p, clause)]
            named = {part: renamed(variable(part.sort.name[0], part.sort), taken) for part in inner}
            if named:
                images[element] = replace(element, named)
                names.update((Literal(self._connectives.equal(p, n), True), (n, p)) for p, n in named.items())
        return [Literal(replace(each.atom, images), each.positive) for each in clause.literals], names

    def _comparisons(self, case: InductionCase, assumptions: Assumptions, observed: list[Term]) -> list[Equation]:
        """What the relations of the specification, such as an order, say about observed values."""
        kind = case.bench.module.signature.order.kind
        truth = (self._connectives.true, self._connectives.false)
        truth_sorts = {value.sort for value in truth}
        found = []
        for relation in self._relations:
            values = [term for term in observed if kind[term.sort] is relation.arg_kinds[0]][:MAX_COMPARED]
            for left, right in permutations(values, 2):
                atom = relation.make((left, right))
                value = assumptions.reduce(atom)
                if value in truth:
                    found.append(Equation(atom, value))
        for left, right in combinations(observed, 2):
            if (
                kind[left.sort] is kind[right.sort]
                and left.sort not in truth_sorts
                and not case.bench.constants_of(left.sort)
            ):
                if assumptions.reduce(left) is assumptions.reduce(right):
                    found.append(Equation(left, right))
        return found

    def _properties(self, case: InductionCase, assumptions: Assumptions, observed: list[Term]) -> list[Equation]:
        """What predicates say about an observation, or about an entity or another value that the case names and it."""
        order = case.bench.module.signature.order
        truth = (self._connectives.true, self._connectives.false)
        named = [t for t in map(assumptions.reduce, (*case.values, *case.arguments)) if case.bench.is_constant(t)]
        for term in observed:
            named += elements_of(assumptions.reduce(term), case.bench.constructors)
        named += self._told(assumptions, observed)
        values = [*observed, *dict.fromkeys(named)]
        known = {equation.left for equation in assumptions.equations}
        found = []
        for predicate in self._predicates:
            arity = predicate.decls[0].arity
            fitting = [[v for v in values if order.leq(v.sort, sort)][:MAX_COMPARED] for sort in arity]
            for arguments in product(*fitting):
                atom = predicate.make(arguments)
                if atom in known or not any(each in observed for each in arguments):
                    continue
                value = assumptions.reduce(atom)
                if value in truth:
                    found.append(Equation(atom, value))
        return found

    def _told(self, assumptions: Assumptions, observed: list[Term]) -> list[Term]:
        """What predicates are assumed of, as of `e` in `e \\in rest`, but for the rests of what is observed."""
        values = [assumptions.reduce(term) for term in observed]
        rests = {part for value in values if value.args for part in subterms(value) if part.sort is value.sort}
        said = [e.left for e in assumptions.equations if e.left.op in self._predicates]
        return [part for atom in said for part in atom.args if part not in rests]

    def _patterns(self, case: InductionCase, assumptions: Assumptions, observed: list[Term]) -> list[Equation]:
        """What follows about the elements of collections that are observed."""
        equal, true = self._connectives.equal, self._connectives.true
        return [
            Equation(equal(term, pattern), true)
            for term in observed
            for pattern in patterns_of(assumptions.reduce(term), case.bench)
        ]

    def _differences(self, case: InductionCase, assumptions: Assumptions, observed: list[Term]) -> list[Equation]:
        """Which arguments and parameters an observation is not, if the case says what it is."""
        kind = case.bench.module.signature.order.kind
        named = dict.fromkeys(t for t in (*case.values, *case.arguments) if case.bench.is_constant(t))
        assumed = {equation.left for equation in assumptions.equations}
        found = []
        for term in observed:
            if assumptions.reduce(term) is term:
                continue
            for other in list(named)[: 2 * MAX_COMPARED]:
                if kind[other.sort] is kind[term.sort]:
                    atom = self._connectives.equal(term, other)
                    if atom not in assumed and assumptions.reduce(atom) is self._connectives.false:
                        found.append(Equation(atom, self._connectives.false))
        return found

    def with_named_indexes(self, clause: Clause) -> NamedIndexes:
        """The clause with a variable for each observation that is an index of another one."""
        atoms = [literal.atom for literal in clause.literals]
        inner = dict.fromkeys(
            part
            for atom in atoms
            for outer in subterms(atom)
            if self._is_observed(outer, clause)
            for index in outer.args
            for part in subterms(index)
            if self._is_observed(part, clause)
        )
        taken = {clause.state.op.name, *(parameter.op.name for parameter in clause.parameters)}
        literals, names = self._with_named_parts(clause, taken)
        for term in sorted(inner, key=size_and_text):
            name = renamed(term, taken)
            literals = [Literal(replace(each.atom, {term: name}), each.positive) for each in literals]
            says = Literal(self._connectives.equal(term, name), True)
            names[says] = (name, term)
        kept = tuple(dict.fromkeys([*literals, *names]))
        parameters = (*clause.parameters, *(name for name, _ in names.values()))
        return NamedIndexes(Clause(clause.state, kept, parameters), names)

    def _is_observed(self, term: Term, clause: Clause) -> bool:
        return clause.state in term.args and self._ots.observer(term.op) is not None


def _observed(case: InductionCase, assumptions: Assumptions) -> list[Term]:
    """Observations of the state before the transition that the case, or what it leads to, speaks of."""
    found: dict[Term, None] = {}
    todo = [t for e in assumptions.equations for t in (e.left, e.right)]
    while todo:
        term = todo.pop()
        if case.state in term.args and not case.bench.is_constant(term):
            found[term] = None
        todo += term.args
    return sorted(found, key=size_and_text)


def predicates_of(ots: Ots, boolean: Sort) -> list[Symbol]:
    """Defined predicates on data: on one value, or on two of different sorts, such as an element and a collection."""
    defined = equations_by_symbol(ots.module)
    return [
        symbol
        for symbol in ots.module.signature.symbols()
        if symbol in defined
        and symbol.native is None
        and symbol.decls
        and symbol.decls[0].coarity is boolean
        and ots.sort not in symbol.decls[0].arity
        and (symbol.nargs == 1 or (symbol.nargs in (2, 3) and len(set(symbol.decls[0].arity)) == 2))
    ]


def relations_of(module: Module, boolean: Sort) -> list[Symbol]:
    """Predicates on two values of one kind."""
    return [
        symbol
        for symbol in module.signature.symbols()
        if symbol.nargs == 2
        and symbol.decls
        and symbol.decls[0].coarity is boolean
        and symbol.arg_kinds[0] is symbol.arg_kinds[1]
        and symbol.arg_kinds[0] is not None
        and symbol.decls[0].arity[0] is not boolean
        and symbol.native in (None, Builtin.LESS, Builtin.LESS_EQUAL)
    ]
