"""Rules and violations of an instance as Maude text.

A condition that may be neither true nor false is watched: Maude would not apply the rule and say nothing, so a second
rule leads to a soup without a sort, which the search notices.
"""

from __future__ import annotations

from otsrw.ots.completeness import Completeness
from otsrw.reasoning.connectives import Literal
from otsrw.search.events import EventWriter
from otsrw.search.soup import Among, Condition, Matching, SoupRule
from otsrw.search.writing import Writer
from otsrw.theory.builtins import Builtin
from otsrw.theory.sorts import Kind
from otsrw.theory.terms import Symbol, Term, variable, variables_of


class MaudeRuleWriter:
    """Writes rules; remembers for which collections it needs a function that gives their elements."""

    def __init__(
        self,
        writer: Writer,
        completeness: Completeness,
        labels: dict[str, str],
        declared: list[Symbol],
        events: EventWriter | None,
    ) -> None:
        self.writer = writer
        self.events = events
        self.theory = writer.theory
        self.order = writer.order
        self.completeness = completeness
        self.labels = labels
        self._declared = declared
        self._elements_of: dict[tuple[Kind, Kind, Symbol | None], tuple[str, str, str, str]] = {}
        self._left = 0

    def rules(self, rule: SoupRule) -> list[str]:
        return [self._rule(rule), *self._watches(rule)]

    def violations(self, name: str, rule: SoupRule, rest: Term) -> list[str]:
        return [self._violation(name, rule, rest), *self._violation_watches(name, rule, rest)]

    def _rule(self, rule: SoupRule) -> str:
        self.writer.rule = rule
        before, after = self.writer.elements(rule.before), self.writer.elements(rule.after)
        if self.events is not None:
            before, after = f"{before} {self.events.ready}", f"{after} {self.events.element(rule)}"
        conditions = self._conditions(rule)
        keyword = "crl" if conditions else "rl"
        suffix = f"\n    if {conditions}" if conditions else ""
        return f"  {keyword} [{self.labels[rule.label]}] :\n    {before}\n    => {after}{suffix} ."

    def _violation(self, name: str, rule: SoupRule, rest: Term) -> str:
        self.writer.rule = rule
        soup = (
            f"{self.writer.elements(rule.before)} {self.writer.term(rest)}" if rule.before else self.writer.term(rest)
        )
        conditions = self._conditions(rule)
        keyword = "ceq" if conditions else "eq"
        return f"  {keyword} {name}({soup}) = true{f' if {conditions}' if conditions else ''} ."

    def _conditions(self, rule: SoupRule) -> str:
        return " /\\ ".join(self._condition(condition) for condition in rule.conditions)

    def _condition(self, condition: Condition) -> str:
        match condition:
            case Matching(pattern, subject):
                return f"{self.writer.term(pattern)} := {self.writer.term(subject)}"
            case Among():
                return self._among(condition)
            case Literal(atom, positive):
                return f"{self.writer.term(atom)} = {'true' if positive else 'false'}"

    def _watches(self, rule: SoupRule) -> list[str]:
        """Rules that lead to a soup without a sort, which the search notices, if a condition is undecided."""
        before = self.writer.elements(rule.before)
        given = [self._condition(condition) for condition in rule.conditions]
        found = self._undecided(rule)
        for element in rule.after:
            found += self._undecided_choices(element.value, rule, given)
        return [
            f"  crl {before} => {self.writer.no_value(self.writer.soup.states)}\n    if {text} ."
            for text in dict.fromkeys(found)
        ]

    def _undecided_choices(self, value: Term, rule: SoupRule, given: list[str]) -> list[str]:
        """For each choice in a value: that its condition is neither true nor false where it matters."""
        if value.op.native is not Builtin.IF:
            return [text for arg in value.args for text in self._undecided_choices(arg, rule, given)]
        condition, then, other = value.args
        text = self.writer.term(condition)
        found = []
        if self._may_be_undecided(condition, rule):
            found.append(" /\\ ".join([*given, _neither(text)]))
        found += self._undecided_choices(then, rule, [*given, f"{text} = true"])
        return found + self._undecided_choices(other, rule, [*given, f"{text} = false"])

    def _violation_watches(self, name: str, rule: SoupRule, rest: Term) -> list[str]:
        soup = f"{self.writer.elements(rule.before)} {self.writer.term(rest)}"
        return [f"  ceq {name}({soup}) = {self.writer.no_value('Bool')} if {text} ." for text in self._undecided(rule)]

    def _undecided(self, rule: SoupRule) -> list[str]:
        """For each literal that may be neither true nor false: the conditions before it, and that it is neither."""
        self.writer.rule = rule
        found = []
        before: list[str] = []
        for condition in rule.conditions:
            if isinstance(condition, Literal) and self._may_be_undecided(condition.atom, rule):
                atom = self.writer.term(condition.atom)
                found.append(" /\\ ".join([*before, _neither(atom)]))
            before.append(self._condition(condition))
        return found

    def _may_be_undecided(self, atom: Term, rule: SoupRule) -> bool:
        inside = set(variables_of(atom))
        observed = [e.slot.observer.symbol for e in rule.before if inside.intersection(variables_of(e.value))]
        return self.completeness.may_be_undecided(atom, observed)

    def element_functions(self) -> list[str]:
        """For collections that no single pattern takes apart: their elements, as a soup."""
        return [line for key in self._elements_of for line in self._element_function(*key)]

    def _element_function(self, element: Kind, collection: Kind, constructor: Symbol | None) -> list[str]:
        sort, function, some, none = self._elements_of[element, collection, constructor]
        lines = [
            f"  sort {sort} .",
            f"  op {some} : {self.writer.kind(element)} -> {sort} [ctor] .",
            f"  op {none} : -> {sort} [ctor] .",
            f"  op _|_ : {sort} {sort} -> {sort} [ctor assoc comm id: {none}] .",
            f"  op {function} : {self.writer.kind(collection)} -> {sort} .",
        ]
        for symbol in self._declared:
            if symbol.kind is collection and self._may_collect(symbol, constructor):
                lines.append(self._element_equation(symbol, element, collection, constructor))
        whole = f"{some}(One:{self.writer.kind(collection)})" if element is collection else none
        lines.append(f"  eq {function}(One:{self.writer.kind(collection)}) = {whole} [owise] .")
        return lines

    def _may_collect(self, symbol: Symbol, constructor: Symbol | None) -> bool:
        if constructor is not None:
            return symbol is constructor
        free = self.theory.is_constructor(symbol) or self.theory.is_set(symbol)
        return free and symbol.native is None and not symbol.polymorphic and bool(symbol.decls[0].arity)

    def _element_equation(self, symbol: Symbol, element: Kind, collection: Kind, constructor: Symbol | None) -> str:
        _, function, some, none = self._elements_of[element, collection, constructor]
        arguments = tuple(variable(f"Part{n}", s) for n, s in enumerate(symbol.decls[0].arity, 1))
        shape = self.writer.application(symbol, arguments)
        found = [f"{some}({shape})"] if element is collection and not symbol.assoc else []
        for argument in arguments:
            kind = self.order.kind[argument.sort]
            if kind is collection:
                found.append(f"{function}({self.writer.term(argument)})")
            elif kind is element:
                found.append(f"{some}({self.writer.term(argument)})")
        given = ""
        if symbol.identity is not None:
            identity = self.writer.term(symbol.identity)
            given = " if " + " /\\ ".join(f"{self.writer.term(a)} =/= {identity} = true" for a in arguments)
        return f"  {'ceq' if given else 'eq'} {function}({shape}) = {' | '.join(found) or none}{given} ."

    def _among(self, among: Among) -> str:
        key = self.order.kind[among.pattern.sort], self.order.kind[among.collection.sort], among.constructor
        if key not in self._elements_of:
            stem = f"{self.writer.names.sort(key[0].sorts[0])}-{self.writer.names.sort(key[1].sorts[0])}"
            fresh = self.writer.names.fresh
            names = fresh(f"elements-{stem}"), fresh(f"some-{stem}"), fresh(f"none-{stem}")
            self._elements_of[key] = (self.writer.names.fresh_sort(f"Elements-{stem}"), *names)
        sort, function, some, _ = self._elements_of[key]
        self._left += 1
        found = f"{some}({self.writer.term(among.pattern)}) | Left{self._left}:{sort}"
        return f"{found} := {function}({self.writer.term(among.collection)})"


def _neither(formula: str) -> str:
    return f"(({formula} == true) or-else ({formula} == false)) = false"
