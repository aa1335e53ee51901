"""Predicates and equations as data that another process can read."""

from __future__ import annotations

from otsrw.induction.cases import Predicate
from otsrw.induction.clauses import Clause
from otsrw.induction.sent_terms import SentTerm, TermWriter, read_terms
from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.workbench import Equation, Why
from otsrw.records import NamedTuple
from otsrw.theory.modules import Module


class SentLiteral(NamedTuple):
    atom: int
    positive: bool


class SentClause(NamedTuple):
    state: int
    literals: tuple[SentLiteral, ...]
    parameters: tuple[int, ...]


class SentPredicate(NamedTuple):
    """A predicate; terms are numbers, the places of `terms`."""

    name: str
    terms: tuple[SentTerm, ...]
    parameters: tuple[int, ...]
    formula: int
    clauses: tuple[SentClause, ...]
    about: tuple[int, ...]


class SentFact(NamedTuple):
    """An equation that holds in every case, with its two sides as places of `terms`."""

    terms: tuple[SentTerm, ...]
    left: int
    right: int
    why: Why


def written_predicate(predicate: Predicate, module: Module) -> SentPredicate:
    writer = TermWriter(module)
    parameters, formula = writer.places(predicate.parameters), writer.place(predicate.formula)
    clauses = tuple(
        SentClause(
            writer.place(clause.state),
            tuple(SentLiteral(writer.place(literal.atom), literal.positive) for literal in clause.literals),
            writer.places(clause.parameters),
        )
        for clause in predicate.clauses
    )
    about = writer.places(predicate.about)
    return SentPredicate(predicate.name, tuple(writer.terms), parameters, formula, clauses, about)


def read_predicate(sent: SentPredicate, module: Module) -> Predicate:
    terms = read_terms(sent.terms, module)
    clauses = tuple(
        Clause(
            terms[clause.state],
            tuple(Literal(terms[literal.atom], literal.positive) for literal in clause.literals),
            tuple(terms[place] for place in clause.parameters),
        )
        for clause in sent.clauses
    )
    parameters = tuple(terms[place] for place in sent.parameters)
    about = tuple(terms[place] for place in sent.about)
    return Predicate(sent.name, parameters, terms[sent.formula], clauses, about)


def written_fact(equation: Equation, module: Module) -> SentFact:
    """An equation without those that it follows from: these matter to proof scores only."""
    writer = TermWriter(module)
    left, right = writer.place(equation.left), writer.place(equation.right)
    return SentFact(tuple(writer.terms), left, right, equation.why)


def read_fact(sent: SentFact, module: Module) -> Equation:
    terms = read_terms(sent.terms, module)
    return Equation(terms[sent.left], terms[sent.right], sent.why)
