"""Terms, sorts and observed values as Maude text.

`=` becomes Maude's `==` on normal forms, except for kinds whose equality the user defines: there the user's equations
come first, as a function `equals`. Boolean connectives become the short-circuit ones, so that a recursive predicate
stops where it can.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.ots.binding import Theory
from otsrw.ots.model import Ots, StateOperator
from otsrw.search.names import Names, spelled
from otsrw.search.partiality import Partiality
from otsrw.search.soup import SoupElement, SoupRule
from otsrw.search.strict import StrictOperators
from otsrw.search.strings import quoted
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import LITERAL_SORTS, SYNTACTIC_TESTS, Builtin, QuotedId
from otsrw.theory.sorts import Kind, Sort
from otsrw.theory.terms import LiteralTerm, Symbol, Term

_COMPARISONS = frozenset((Builtin.EQUALS, *SYNTACTIC_TESTS))
_BYTEWISE = frozenset(
    (
        Builtin.LENGTH,
        Builtin.UPCASE,
        Builtin.DOWNCASE,
        Builtin.LESS,
        Builtin.LESS_EQUAL,
        Builtin.GREATER,
        Builtin.GREATER_EQUAL,
    )
)
"""What Maude does byte by byte on strings."""


class Writer:
    """Writes terms of one instance; remembers which equalities and which missing values it has mentioned."""

    def __init__(self, theory: Theory, names: Names) -> None:
        self.theory = theory
        self.instance = theory.instance
        self.ots = theory.instance.ots
        self.order = theory.instance.module.signature.order
        self.names = names
        self.soup = Soup(names, self.ots.observers)
        self.partiality = Partiality(theory)
        self.strict = StrictOperators(names, self.order)
        self.equalities: dict[Kind, Sort] = {}
        self.rule: SoupRule | None = None
        """The rule being written: its left side stands for the current state."""
        self._open: dict[str, str] = {}
        self._wide = False
        """Is there a string with a character that is more than one byte?"""
        self._bytewise = False
        """Is there an operator that would look at the bytes of strings?"""

    def sort(self, sort: Sort) -> str:
        if sort is self.ots.sort:
            return self.soup.states
        if sort.is_error:
            kind = self.order.kind[sort]
            return f"[{self.names.sort(kind.sorts[0])}]"
        return self.names.sort(sort)

    def kind(self, kind: Kind) -> str:
        return f"[{self.names.sort(kind.sorts[0])}]"

    def term(self, term: Term) -> str:
        if isinstance(term, LiteralTerm):
            self._check_strings(wide=isinstance(term.value, str) and not term.value.isascii())
            return _literal(term)
        if term.op.variable:
            if term is self.ots.state and self.rule is not None:
                return self.elements(self.rule.before)
            return self.names.variable(term)
        observer = self.ots.observer(term.op)
        if observer is not None and is_open(self.ots, term):
            return self.no_value(self.sort(observer.value))
        if observer is not None:
            indexes = [self.term(i) for i in observer.indexes_of(term)]
            return self.observation(observer, self.state(observer, observer.state_of(term)), indexes)
        native = term.op.native
        if native is not None and native in _COMPARISONS:
            return self.comparison(native, term)
        if native is Builtin.IS:
            tested = term.args[1]
            assert isinstance(tested, LiteralTerm) and isinstance(tested.value, Sort)
            return f"({self.term(term.args[0])} :: {self.sort(tested.value)})"
        if native is not None:
            return self.native(native, term)
        if self.is_truth(term.op):
            return term.op.name
        return self.application(term.op, term.args)

    def state(self, observer: StateOperator, state: Term) -> str:
        if state is self.ots.state and self.rule is not None:
            return self.elements(e for e in self.rule.before if e.slot.observer is observer)
        return self.term(state)

    def comparison(self, comparison: Builtin, term: Term) -> str:
        left, right = term.args
        kind = self.order.kind.get(left.sort)
        if comparison is Builtin.EQUALS and kind is not None and self.theory.has_own_equality(left.sort):
            self.equalities.setdefault(kind, left.sort)
            return f"equals({self.term(left)}, {self.term(right)})"
        if kind is not None and self._may_lack_value(left, right):
            same = f"{self.strict.equality(kind)}({self.term(left)}, {self.term(right)})"
            return f"(not {same})" if comparison is Builtin.DIFFERENT else same
        return self.native(comparison, term)

    def _may_lack_value(self, *terms: Term) -> bool:
        return any(self.partiality.may_lack_value(term) for term in terms)

    def has_value(self, term: Term) -> str:
        """The condition that a term is of some sort."""
        text = self.term(term)
        greatest = self.strict.greatest(self.order.kind[term.sort])
        return "(" + " or-else ".join(f"({text} :: {self.sort(sort)})" for sort in greatest) + ")"

    def native(self, builtin: Builtin, term: Term) -> str:
        template = builtin.maude
        if template is None:
            raise OtsrwError("E516", f"the built-in operator {term.op.name} is not translated to Maude")
        is_text = any(arg.sort is LITERAL_SORTS.get("String") for arg in term.args)
        self._check_strings(bytewise=is_text and builtin in _BYTEWISE)
        args = [self.term(arg) for arg in term.args]
        if builtin.connective and self._may_lack_value(*term.args):
            return self.strict.connective(builtin, args, self.order.kind[term.sort])
        result = args[0]
        if len(args) > 2 and term.op.assoc:
            for arg in args[1:]:
                result = template.format(result, arg)
            return result
        return template.format(*args)

    def _check_strings(self, wide: bool = False, bytewise: bool = False) -> None:
        self._wide |= wide
        self._bytewise |= bytewise
        if self._wide and self._bytewise:
            raise OtsrwError(
                "E516",
                "strings with other than ASCII characters are not measured and not ordered in Maude as they are here",
            )

    def application(self, symbol: Symbol, args: tuple[Term, ...]) -> str:
        words = self.names.operator(symbol)
        texts = [self.term(arg) for arg in args]
        is_flat = len(texts) > symbol.nargs
        if symbol in self.names.padded:
            texts.append(self.names.pad)
        if len(words) == 1:
            if is_flat:
                result = texts[-1]
                for text in reversed(texts[:-1]):
                    result = f"{words[0]}({text}, {result})"
                return result
            return f"{words[0]}({', '.join(texts)})" if texts else words[0]
        if is_flat:
            middle = " ".join(w for w in words if w != "_")
            return "(" + (f" {middle} " if middle else " ").join(texts) + ")"
        remaining = iter(texts)
        return "(" + " ".join(next(remaining) if word == "_" else word for word in words) + ")"

    def elements(self, elements: Iterable[SoupElement]) -> str:
        return " ".join(
            self.soup.element(e.slot.observer, [self.term(i) for i in e.indexes], self.term(e.value)) for e in elements
        )

    def observation(self, observer: StateOperator, state: str, indexes: list[str]) -> str:
        arguments = [*indexes[: observer.place], state, *indexes[observer.place :]]
        return f"{self.soup.lookup(observer)}({', '.join(arguments)})"

    def no_value(self, sort: str) -> str:
        """A constant of the kind of a sort, but of no sort."""
        if sort not in self._open:
            self._open[sort] = self.names.fresh(f"no-{sort}".lower())
        return self._open[sort]

    def undeclared(self) -> list[str]:
        return [f"  op {name} : -> [{sort}] ." for sort, name in self._open.items()]

    def is_truth(self, symbol: Symbol) -> bool:
        return symbol in (self.instance.connectives.true.op, self.instance.connectives.false.op)

    def condition_text(self, condition: Term) -> str:
        if condition.op.native is Builtin.CONJUNCTION:
            return " /\\ ".join(self.condition_text(arg) for arg in condition.args)
        if condition.op.native is Builtin.MATCH:
            return f"{self.term(condition.args[0])} := {self.term(condition.args[1])}"
        return f"{self.term(condition)} = true"

    def variable_declarations(self, rest: Term) -> list[str]:
        self.term(rest)
        groups: dict[str, list[str]] = {}
        for term, name in self.names.variables().items():
            groups.setdefault(self.sort(term.sort), []).append(name)
        return [f"  var{'s' * (len(names) > 1)} {' '.join(names)} : {sort} ." for sort, names in groups.items()]


def is_open(ots: Ots, term: Term) -> bool:
    """Is this what an observer is after a transition, in a case that no equation describes?"""
    observer = ots.observer(term.op)
    if observer is None:
        return False
    after = observer.state_of(term).op
    return any(after is transition.operator.symbol for transition in ots.transitions)


def soup_operator(states: str) -> str:
    """The declaration of the operator that makes soups."""
    return f"op __ : {states} {states} -> {states} [ctor assoc comm id: none]"


class Soup:
    """How observed values are written."""

    def __init__(self, names: Names, observers: tuple[StateOperator, ...]) -> None:
        self.states = names.fresh_sort("Sys")
        self.observed = names.fresh_sort("Obs")
        self._names = {o: names.fresh(spelled(o.name)) for o in observers}
        self._lookups = {o: names.fresh(f"{self._names[o]}-of") for o in observers}
        self.observers = observers

    def lookup(self, observer: StateOperator) -> str:
        return self._lookups[observer]

    def element_name(self, observer: StateOperator) -> str:
        name = self._names[observer]
        holes = ",".join("_" for _ in observer.indexes)
        return f"{name}[{holes}]:_" if holes else f"{name}:_"

    def declarations(self, sort: object) -> list[str]:
        assert callable(sort)
        lines = [
            f"  sorts {self.observed} {self.states} .",
            f"  subsort {self.observed} < {self.states} .",
            f"  op none : -> {self.states} [ctor] .",
            f"  {soup_operator(self.states)} .",
        ]
        for observer in self.observers:
            name = self._names[observer]
            holes = ",".join("_" for _ in observer.indexes)
            indexes = f"[{holes}]" if holes else ""
            arity = " ".join(map(sort, (*observer.indexes, observer.value)))
            lines.append(f"  op {name}{indexes} :_ : {arity} -> {self.observed} [ctor] .")
        return lines

    def element(self, observer: StateOperator, indexes: list[str], value: str) -> str:
        inside = f"[{', '.join(indexes)}]" if indexes else ""
        return f"({self._names[observer]}{inside} : {value})"


def _literal(term: LiteralTerm) -> str:
    value = term.value
    if isinstance(value, QuotedId):
        return str(value) if str(value).startswith("'") else f"'{value}"
    if isinstance(value, str):
        return quoted(value)
    from fractions import Fraction  # here, because few specifications need it

    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return f"({value})" if value < 0 else str(value)
    raise OtsrwError("E516", f"the built-in constant {value!r} is not translated to Maude")
