"""Rules and violations of an instance as Maude text.

A condition that may be neither true nor false is watched: Maude would not apply the rule and say nothing, so a second
rule leads to a soup without a sort, which the search notices.
"""

from __future__ import annotations

from otsrw.reasoning.connectives import Literal
from otsrw.search.events import EventWriter
from otsrw.search.soup import Among, Condition, Matching, SoupRule
from otsrw.search.writing import Writer
from otsrw.theory.sorts import Kind
from otsrw.theory.terms import Symbol, Term, variable, variables_of


class MaudeRuleWriter:
    """Writes rules; remembers for which collections it needs a function that gives their elements."""

    def __init__(
        self,
        writer: Writer,
        labels: dict[str, str],
        declared: list[Symbol],
        events: EventWriter | None,
    ) -> None:
        self.writer = writer
        self.events = events
        self.theory = writer.theory
        self.order = writer.order
        self.labels = labels
        self._declared = declared
        self._elements_of: dict[tuple[Kind, Kind, Symbol | None], tuple[str, str, str, str]] = {}
        self._left = 0

    def rules(self, rule: SoupRule) -> list[str]:
        return [self._rule(rule), *self._watches(rule)]

    def violations(self, name: str, rules: list[SoupRule], rest: Term) -> list[str]:
        """Equations that say when a soup violates an invariant, and then when it is not known whether it does."""
        certain = [self._violation(name, rule, rest) for rule in rules]
        return certain + [line for rule in rules for line in self._violation_watches(name, rule, rest)]

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
        found = self._undecided(rule)
        before = self.writer.elements(rule.before)
        return [
            f"  crl {before} => {self.writer.no_value(self.writer.soup.states)}\n    if {text} ."
            for text in dict.fromkeys(found)
        ]

    def _violation_watches(self, name: str, rule: SoupRule, rest: Term) -> list[str]:
        soup = f"{self.writer.elements(rule.before)} {self.writer.term(rest)}"
        return [f"  ceq {name}({soup}) = {self.writer.no_value('Bool')} if {text} ." for text in self._undecided(rule)]

    def _undecided(self, rule: SoupRule) -> list[str]:
        """For each condition that depends on a term without a value: that it does, and that no other one fails."""
        self.writer.rule = rule
        found = []
        for place, condition in enumerate(rule.conditions):
            if not self.writer.partiality.may_lack_value(_subject(condition)):
                continue
            others = self._others(rule, place)
            if isinstance(condition, Literal):
                text = _neither(self.writer.term(condition.atom))
            else:
                text = f"{self.writer.has_value(_subject(condition))} = false"
            found.append(" /\\ ".join([*others, text]))
        return found

    def _others(self, rule: SoupRule, place: int) -> list[str]:
        """That no condition but the one at this place fails, as far as they can be asked without it."""
        doubtful = rule.conditions[place]
        unknown = set() if isinstance(doubtful, Literal) else set(variables_of(doubtful.pattern))
        unknown -= {v for element in rule.before for v in variables_of(element.value)}
        found = []
        for number, condition in enumerate(rule.conditions):
            if number == place:
                continue
            if self._cannot_be_asked(condition, doubtful, unknown):
                unknown.update(() if isinstance(condition, Literal) else variables_of(condition.pattern))
                continue
            found.append(self._unfailing(condition))
        return found

    def _cannot_be_asked(self, condition: Condition, doubtful: Condition, unknown: set[Term]) -> bool:
        """Does a condition need what is not known, or may it be a match that is as doubtful as another one?"""
        subject = _subject(condition)
        if unknown.intersection(variables_of(subject)):
            return True
        both_match = not isinstance(condition, Literal) and not isinstance(doubtful, Literal)
        return both_match and self.writer.partiality.may_lack_value(subject)

    def _unfailing(self, condition: Condition) -> str:
        if isinstance(condition, Literal) and self.writer.partiality.may_lack_value(condition.atom):
            return f"({self.writer.term(condition.atom)} == {'false' if condition.positive else 'true'}) = false"
        return self._condition(condition)

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


def _subject(condition: Condition) -> Term:
    """The term whose value a condition looks at."""
    match condition:
        case Matching(_, subject) | Among(_, subject, _):
            return subject
        case Literal(atom, _):
            return atom


def _neither(formula: str) -> str:
    return f"(({formula} == true) or-else ({formula} == false)) = false"
