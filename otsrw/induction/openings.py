"""Cases that nobody closed, as questions to the user: which state, which step, and what a lemma would have to say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from otsrw.induction.cases import InductionCase, Predicate
from otsrw.induction.clauses import Clause, clause_of
from otsrw.induction.closing import finder_for
from otsrw.induction.results import Node, NodeStatus
from otsrw.ots.model import Ots
from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.splitting import Leaf, LeafOutcome
from otsrw.reasoning.workbench import Equation, Why
from otsrw.records import NamedTuple, dataclass, replace
from otsrw.theory.builtins import Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, distinct_subterms, variables_of

MAX_NEAREST = 2
MAX_COMPARED = 40
"""Predicates that a case is compared with."""


class NearLemma(NamedTuple):
    """A known predicate that nearly excludes a case; `missing` is the one literal without which it does not."""

    name: str
    missing: Literal | None
    """None if more than one literal is missing: it speaks of the same observers, no more."""


@dataclass(frozen=True, eq=False, slots=True)
class Opening:
    """A case that nobody closed: can a state like this be reached? If not, a lemma has to say why."""

    predicate: Predicate
    case: InductionCase
    leaf: Leaf
    observed: tuple[Equation, ...]
    """What the case says about observers in the state before the step."""
    others: tuple[Equation, ...]
    """What else it assumes."""
    rests_on: str | None = None
    """The lemma that excludes the case, if there is one: nobody has looked at its own cases."""

    @property
    def is_stuck(self) -> bool:
        """Is it undecided whether the goal holds in this case? Otherwise the goal is false in it."""
        return self.leaf.outcome is LeafOutcome.UNDECIDED


def openings_of(ots: Ots, nodes: Mapping[str, Node]) -> tuple[Opening, ...]:
    """All open cases: those of the property first, false ones before undecided ones, short ones before long ones.

    If there is none, it is open whether lemmas hold at which nobody has looked: then one case for each of them.
    """
    found = [
        (node.depth, _opening(ots, node.predicate, case, leaf))
        for node in nodes.values()
        for case, leaf in node.undecided
    ]
    ordered = sorted(found, key=lambda each: (each[0], each[1].is_stuck, len(each[1].leaf.assumptions.equations)))
    return tuple(opening for _, opening in ordered) or tuple(_unlooked(ots, nodes))


def _unlooked(ots: Ots, nodes: Mapping[str, Node]) -> Iterator[Opening]:
    """For each lemma at which nobody has looked the first case that it excludes, those near the property first."""
    open_ones = {name for name, node in nodes.items() if node.status is NodeStatus.OPEN}
    for node in sorted(nodes.values(), key=lambda each: each.depth):
        for closed in node.cases:
            wanted = [lemma.name for lemma in closed.lemmas if lemma.name in open_ones and lemma.name != node.name]
            open_ones.difference_update(wanted)
            for name in wanted[:1]:
                yield replace(_opening(ots, node.predicate, closed.case, closed.leaf), rests_on=name)


def _opening(ots: Ots, predicate: Predicate, case: InductionCase, leaf: Leaf) -> Opening:
    assumed = [each for each in leaf.assumptions.equations if each.why is not Why.FACT]
    observers = {observer.symbol for observer in ots.observers}
    observed = tuple(each for each in assumed if each.left.op in observers)
    return Opening(predicate, case, leaf, observed, tuple(each for each in assumed if each not in observed))


def excluding_clause(ots: Ots, opening: Opening) -> Clause:
    """What a lemma has to say at least: no reachable state is in this case."""
    case = opening.case
    return clause_of(case.bench, (case.state, ots.state), opening.leaf.assumptions.equations)


def nearest(opening: Opening, predicates: Iterable[Predicate]) -> tuple[NearLemma, ...]:
    """Predicates that exclude the case but for one literal; else those that speak of most of its observers."""
    others = [each for each in predicates if each is not opening.predicate][:MAX_COMPARED]
    found = [near for each in others if (near := _but_for_one(opening, each)) is not None]
    if not found:
        said = _symbols(term for each in opening.observed for term in (each.left,))
        shared = {each.name: len(said & _symbols([each.formula])) for each in others}
        found = [NearLemma(name, None) for name in sorted(shared, key=lambda n: -shared[n]) if shared[name]]
    return tuple(found[:MAX_NEAREST])


def _but_for_one(opening: Opening, predicate: Predicate) -> NearLemma | None:
    if opening.case.transition is None:
        return None
    finder = finder_for(opening.case, opening.leaf)
    connectives = opening.case.bench.connectives
    for clause in predicate.clauses:
        for left_out in clause.literals:
            rest = tuple(literal for literal in clause.literals if literal is not left_out)
            found = finder.find(replace(clause, literals=rest)) if rest else None
            if found is None or not all(v in found for v in variables_of(left_out.atom)):
                continue
            atom = opening.leaf.assumptions.reduce(substitute(left_out.atom, found))
            if atom not in (connectives.true, connectives.false):
                return NearLemma(predicate.name, Literal(atom, left_out.positive))
    return None


class OtherValue(NamedTuple):
    """A value that a case takes to be none of the constants of its sort."""

    sort: Sort
    constants: tuple[Symbol, ...]


def other_values(ots: Ots, opening: Opening) -> tuple[OtherValue, ...]:
    """Where the case needs a value that no constant of a tight module is, because none of them is declared `constr`."""
    bench, differing = opening.case.bench, dict[Term, set[Term]]()
    for equation in opening.leaf.assumptions.equations:
        if equation.left.op.native is Builtin.EQUALS and equation.right is bench.connectives.false:
            left, right = equation.left.args
            for one, other in ((left, right), (right, left)):
                if bench.is_constant(one) and not other.args:
                    differing.setdefault(one, set()).add(other)
    found = {each.sort: _undeclared(ots, each.sort) for each in differing}
    return tuple(
        OtherValue(sort, constants)
        for sort, constants in found.items()
        if constants
        and any(
            each.sort is sort and {other.op.name for other in others} >= {symbol.name for symbol in constants}
            for each, others in differing.items()
        )
    )


def _undeclared(ots: Ots, sort: Sort) -> tuple[Symbol, ...]:
    """The constants of a sort of a tight module that has nothing else; none if one of them is declared `constr`."""
    home = next((inner for inner in ots.module.closure() if sort in inner.sorts), None)
    building = [
        (symbol, decl)
        for symbol in ots.module.signature.symbols()
        for decl in symbol.decls
        if decl.coarity is sort and symbol.native is None
    ]
    if home is None or not home.is_tight or any(decl.arity or decl.attributes.constructor for _, decl in building):
        return ()
    return tuple(symbol for symbol, _ in building)


def _symbols(terms: Iterable[Term]) -> set[Symbol]:
    return {part.op for term in terms for part in distinct_subterms(term) if part.args and not part.op.native}
