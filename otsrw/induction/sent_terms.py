"""Terms as numbers, so that another process can make the same terms.

Terms, symbols and sorts are objects of one process. Two processes that have loaded the same text number the symbols and
the sorts of a module alike, in the order of its signature; `ModuleNumbers.digest` tells whether they did.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from otsrw.records import NamedTuple
from otsrw.theory.modules import Module, equations_by_symbol
from otsrw.theory.printing import sentence_line
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, OpDecl, Symbol, Term, literal_of, variable


class SentTerm(NamedTuple):
    """A term: a symbol with its arguments, a constant of a case, a variable with its sort, or a literal.

    Arguments are places in the list of terms that this one belongs to. A literal has the name of its type, because
    Python takes 1 and 1.0 as equal; one that stands for a sort has the number of the sort only.
    """

    symbol: int | None
    args: tuple[int, ...] = ()
    constant: int | None = None
    variable: str | None = None
    sort: int = 0
    literal: tuple[str, object] | None = None


class ModuleNumbers:
    """The numbers of the symbols and sorts of a module. Made once a module, by `numbers_of`."""

    def __init__(self, module: Module) -> None:
        signature = module.signature
        self.symbols: Sequence[Symbol] = signature.symbols()
        self.sorts: Sequence[Sort] = signature.order.sorts
        self.of_symbol = {symbol: number for number, symbol in enumerate(self.symbols)}
        self.of_sort = {sort: number for number, sort in enumerate(self.sorts)}
        self._errors = {kind.error: self.of_sort[kind.sorts[0]] for kind in signature.order.kind.values()}
        self.digest = self._digest(module)
        """The same in every process in which the module has the same operators and equations, in the same order."""

    def sort_number(self, sort: Sort) -> int:
        """The number of a sort; the error sort of a kind has the number of the first sort of it, less one, negated."""
        return self.of_sort[sort] if sort in self.of_sort else -1 - self._errors[sort]

    def sort(self, number: int, module: Module) -> Sort:
        """The sort of a number."""
        return self.sorts[number] if number >= 0 else module.signature.order.kind[self.sorts[-1 - number]].error

    def _digest(self, module: Module) -> str:
        found = hashlib.sha256()
        for sort in self.sorts:
            found.update(f"sort {sort!r} {sorted(map(repr, module.signature.order.above[sort]))}\n".encode())
        for symbol in self.symbols:
            found.update("".join(_rank(decl) for decl in symbol.decls).encode())
        for axioms in equations_by_symbol(module).values():
            for axiom in axioms:
                found.update(f"{sentence_line(axiom)}\n".encode())
        return found.hexdigest()


def _rank(decl: OpDecl) -> str:
    theory = [name for name in ("assoc", "comm", "idem", "constructor") if getattr(decl.attributes, name)]
    return f"op {decl.text} : {decl.arity!r} -> {decl.coarity!r} {theory} {decl.module}\n"


def numbers_of(module: Module) -> ModuleNumbers:
    return module.derived(ModuleNumbers)


class TermWriter:
    """Writes terms of a module with some fresh constants; equal terms are written once."""

    def __init__(self, module: Module, constants: dict[Symbol, int] | None = None) -> None:
        self._numbers = numbers_of(module)
        self._constants = constants or {}
        self.terms: list[SentTerm] = []
        self._places: dict[Term, int] = {}

    def place(self, term: Term) -> int:
        """The place of a term among those that are written."""
        place = self._places.get(term)
        if place is None:
            sent = self._written(term)
            place = self._places[term] = len(self.terms)
            self.terms.append(sent)
        return place

    def write_in_turn(self, terms: Iterable[Term]) -> None:
        """Write terms and all their parts in the order in which they were made.

        Who reads them makes them in this order, so arguments of commutative operators stand as they stand here.
        """
        parts: dict[Term, None] = {}
        todo = list(terms)
        while todo:
            term = todo.pop()
            if term not in parts:
                parts[term] = None
                todo += term.args
        for part in sorted(parts, key=lambda each: each.serial):
            self.place(part)

    def places(self, terms: Iterable[Term]) -> tuple[int, ...]:
        return tuple([self.place(term) for term in terms])

    def _written(self, term: Term) -> SentTerm:
        if isinstance(term, LiteralTerm):
            value = term.value
            if isinstance(value, Sort):
                return SentTerm(None, sort=self._numbers.sort_number(value))
            return SentTerm(None, literal=(type(value).__name__, value))
        if term.op in self._constants:
            return SentTerm(None, constant=self._constants[term.op])
        if term.op.variable:
            return SentTerm(None, variable=term.op.name, sort=self._numbers.sort_number(term.sort))
        return SentTerm(self._numbers.of_symbol[term.op], self.places(term.args))


def read_terms(sent: Iterable[SentTerm], module: Module, constants: Sequence[Term] = ()) -> list[Term]:
    """The terms that were written, in the same order."""
    numbers = numbers_of(module)
    terms: list[Term] = []
    for each in sent:
        if each.symbol is not None:
            terms.append(numbers.symbols[each.symbol].make(tuple([terms[place] for place in each.args])))
        elif each.constant is not None:
            terms.append(constants[each.constant])
        elif each.variable is not None:
            terms.append(variable(each.variable, numbers.sort(each.sort, module)))
        else:
            terms.append(literal_of(each.literal[1] if each.literal else numbers.sort(each.sort, module)))
    return terms
