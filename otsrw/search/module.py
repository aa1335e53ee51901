"""The Maude module of an instance: sorts, operators, equations on data, the soup, rules, violations.

Only what the rules and invariants need is declared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from otsrw.ots.formulas import unfold
from otsrw.ots.instance import Instance, Slot
from otsrw.ots.model import Invariant, StateOperator
from otsrw.ots.stepping import Stepper, Values
from otsrw.reasoning.connectives import Literal
from otsrw.records import dataclass
from otsrw.search.data import DataWriter, own_equations
from otsrw.search.events import EventWriter, RuleEvent
from otsrw.search.names import Names, is_built_in, spelled
from otsrw.search.rules import MaudeRuleWriter
from otsrw.search.soup import Among, Condition, Matching, SoupElement, SoupMaker, SoupRule
from otsrw.search.writing import Writer, is_open, soup_operator
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.printing import show_briefly
from otsrw.theory.sorts import Kind, Sort
from otsrw.theory.terms import Symbol, Term, variable

_NUMBERS = {"Zero": 1, "NzNat": 1, "Nat": 1, "NzInt": 2, "Int": 2, "NzRat": 3, "Rat": 3}
_NUMBER_MODULES = {1: "NAT", 2: "INT", 3: "RAT"}
_BROUGHT = {
    "NAT": ("Zero", "NzNat", "Nat"),
    "INT": ("Zero", "NzNat", "Nat", "NzInt", "Int"),
    "RAT": ("Zero", "NzNat", "Nat", "NzInt", "Int", "PosRat", "NzRat", "Rat"),
    "STRING": ("String", "Char", "FindResult", "Zero", "NzNat", "Nat"),
    "QID": ("Qid", "String", "Char", "FindResult", "Zero", "NzNat", "Nat"),
}


@dataclass(frozen=True, eq=False)
class MaudeModule:
    """The text, and what is needed to ask Maude about it and to read its answers."""

    name: str
    text: str
    states: str
    """The sort of soups."""
    initials: tuple[str, ...]
    violations: dict[str, str]
    """Invariant to the predicate that tells whether a soup violates it."""
    symbols: dict[str, tuple[Symbol, ...]]
    """Our operators by their Maude names."""
    elements: dict[str, StateOperator]
    """Observers by the Maude names of soup elements."""
    labels: dict[str, str]
    """Transitions by the labels of rules."""
    write: Callable[[Values], str]
    """A state as Maude text."""
    events: dict[str, RuleEvent]
    """By the Maude names of the elements that stand for them, if the rules tell events."""
    ready: str
    """The element of a soup in which the last event was forgotten."""
    pad: str
    """The argument that operators have in Maude only."""

    @property
    def in_lines(self) -> str:
        """The text of a module that prints every element of a soup on a line of its own."""
        soup = soup_operator(self.states)
        return self.text.replace(soup, soup.replace("]", " format (d n d)]"), 1)


def translate(instance: Instance, invariants: Iterable[Invariant] | None = None, events: bool = False) -> MaudeModule:
    """The Maude module of an instance with the given invariants (default: all that can be searched for).

    With events, every step takes two rewrites: one that leaves an element which says what happened, and one that
    makes the soup ready again.
    """
    return _Translator(instance, events).module(invariants)


class _Translator:
    def __init__(self, instance: Instance, events: bool) -> None:
        self.instance = instance
        self.ots = instance.ots
        self.maker = SoupMaker(instance, events)
        self.theory = self.maker.theory
        self.order = instance.module.signature.order
        self.labels: dict[str, str] = {}
        for transition in self.ots.transitions:
            self.labels[transition.name] = _label(transition.name, self.labels.values())

    def module(self, invariants: Iterable[Invariant] | None) -> MaudeModule:
        rules = [rule for t in self.ots.transitions for rule in self.maker.transition_rules(t)]
        violations: dict[str, list[SoupRule]] = {}
        for invariant in self.ots.invariants if invariants is None else invariants:
            try:
                violations[invariant.name] = self.maker.violation_rules(invariant)
            except OtsrwError:
                if invariants is not None:
                    raise
        initials = self._initials()
        everything = rules + [rule for group in violations.values() for rule in group]
        used = self._needed(everything, initials)
        self.imports, built_in_sorts = self._imported(used)
        truths = (self.instance.connectives.true.op, self.instance.connectives.false.op)
        names = Names([s for s in used if s not in truths], built_in_sorts, frozenset(filter(self._is_nested, used)))
        self.writer = Writer(self.theory, names)
        self.events = EventWriter(self.writer) if self.maker.events else None
        body = self._body(used, rules, violations, initials)
        name = self.writer.names.fresh(spelled(self.ots.name).upper() + "-SYSTEM")
        symbols: dict[str, tuple[Symbol, ...]] = {symbol.name: (symbol,) for symbol in truths}
        for symbol in used:
            if self.writer.is_truth(symbol):
                continue
            shown = "".join(self.writer.names.operator(symbol))
            symbols[shown] = (*symbols.get(shown, ()), symbol)
        return MaudeModule(
            name,
            f"mod {name} is\n{body}endm\n",
            self.writer.soup.states,
            tuple(self.initial_names),
            {invariant: self.violation_names[invariant] for invariant in violations},
            symbols,
            {self.writer.soup.element_name(o): o for o in self.ots.observers},
            {label: name for name, label in self.labels.items()},
            self._state_text,
            {} if self.events is None else self.events.known,
            "" if self.events is None else self.events.ready,
            names.pad,
        )

    def _is_nested(self, symbol: Symbol) -> bool:
        """Does the operator build values whose last part may be built by it again?"""
        is_free = symbol.native is None and not symbol.has_theory and self.theory.is_constructor(symbol)
        return is_free and symbol.nargs > 0 and symbol.arg_kinds[-1] is symbol.kind

    def _body(
        self,
        used: list[Symbol],
        rules: list[SoupRule],
        violations: dict[str, list[SoupRule]],
        initials: list[tuple[tuple[Slot, Term], ...]],
    ) -> str:
        write = self.writer
        data = DataWriter(write, used)
        text = MaudeRuleWriter(write, self.labels, used, self.events)
        ready = "" if self.events is None else f" {self.events.ready}"
        equations = data.equations()
        self.initial_names = [write.names.fresh("init") if n else "init" for n in range(len(initials))]
        starts = [
            f"  eq {name} = {write.elements(SoupElement(s, s.indexes, v) for s, v in initial) or 'none'}{ready} ."
            for name, initial in zip(self.initial_names, initials, strict=True)
        ]
        rest = variable("Others", self.ots.sort)
        rule_texts = [line for rule in rules for line in text.rules(rule)]
        self.violation_names = {name: write.names.fresh(f"violates-{spelled(name)}") for name in violations}
        violation_texts = []
        for name, group in violations.items():
            predicate = self.violation_names[name]
            violation_texts += text.violations(predicate, group, rest)
            violation_texts.append(f"  eq {predicate}({write.term(rest)}) = false [owise] .")
        equations += data.equalities() + self._lookups(rules, violations, data.own) + text.element_functions()
        sections = [
            ("", [f"  protecting {module} ." for module in self.imports]),
            ("", data.sorts()),
            ("so that Maude's hash of a list depends on its order", _pad(write.names)),
            ("data", data.declarations()),
            ("what happened", [] if self.events is None else self.events.declarations()),
            ("a state is a soup of observed values", self.writer.soup.declarations(self.writer.sort)),
            ("", [f"  op {name} : -> {self.writer.soup.states} ." for name in self.initial_names]),
            ("", [f"  op {name} : [{self.writer.soup.states}] -> Bool ." for name in self.violation_names.values()]),
            ("", data.equality_declarations()),
            ("what has no value", [*self.writer.undeclared(), *self.writer.strict.lines()]),
            ("", self.writer.variable_declarations(rest)),
            ("", equations),
            ("initial states", starts),
            ("transitions", rule_texts),
            ("what happened is forgotten", [] if self.events is None else self.events.rules()),
            ("violations of invariants", violation_texts),
        ]
        lines: list[str] = []
        for title, content in sections:
            if content:
                lines += ["", *([f"  --- {title}"] if title else []), *content]
        return "\n".join(lines[1:]) + "\n"

    def _imported(self, used: list[Symbol]) -> tuple[list[str], frozenset[str]]:
        """Maude's modules for the built-in sorts in use, and the names of the sorts that come with them."""
        sorts = {s.name for symbol in used for d in symbol.decls for s in (*d.arity, d.coarity) if is_built_in(s)}
        sorts |= {s.name for o in self.ots.observers for s in (*o.indexes, o.value) if is_built_in(s)}
        level = max((_NUMBERS.get(name, 0) for name in sorts), default=0)
        modules = ["EXT-BOOL", *([_NUMBER_MODULES[level]] if level else [])]
        modules += [module for name, module in (("String", "STRING"), ("Qid", "QID")) if name in sorts]
        for name in sorted(sorts & {"Float", "Character"}):
            raise OtsrwError("E516", f"the built-in sort {name} is not translated to Maude")
        brought = {"Bool"}.union(*(_BROUGHT.get(module, ()) for module in modules))
        return modules, frozenset(brought)

    def _state_text(self, values: Values) -> str:
        pairs = zip(self.instance.slots, values, strict=True)
        return self.writer.elements(SoupElement(slot, slot.indexes, value) for slot, value in pairs)

    def _initials(self) -> list[tuple[tuple[Slot, Term], ...]]:
        states = Stepper(self.instance).initial_states()
        return [tuple(zip(self.instance.slots, state.values, strict=True)) for state in states]

    def _needed(self, rules: list[SoupRule], initials: list[tuple[tuple[Slot, Term], ...]]) -> list[Symbol]:
        """Operators in rules and initial states, and those their equations lead to."""
        todo = self._mentioned(rules, initials)
        found: dict[Symbol, None] = {}
        observed = {o.symbol for o in self.ots.observers}
        compared: set[Kind | None] = set()
        while todo:
            term = todo.pop()
            if is_open(self.ots, term):
                continue
            todo += term.args
            if term.op.native is Builtin.EQUALS:
                kind = self.order.kind.get(term.args[0].sort)
                if kind not in compared:
                    compared.add(kind)
                    todo += self._equality_terms(term.args[0].sort)
            elif term.op not in found and not term.op.variable and term.op.decls:
                self._check_no_state(term)
                self._check_computed(term.op)
                found[term.op] = None
                todo += [] if term.op.identity is None else [term.op.identity]
                todo += [] if term.op in observed else self._equation_terms(term.op)
        return sorted((s for s in found if s not in observed), key=lambda s: s.number)

    def _mentioned(self, rules: list[SoupRule], initials: list[tuple[tuple[Slot, Term], ...]]) -> list[Term]:
        """The terms in rules and initial states, and the identities of what is observed."""
        terms: list[Term] = [value for initial in initials for slot, value in initial]
        terms += [i for slot in self.instance.slots for i in slot.indexes]
        terms += [t for rule in rules for t in _rule_terms(rule)]
        for observer in self.ots.observers:
            for sort in (*observer.indexes, observer.value):
                terms += self._identities(sort)
        return terms

    def _check_no_state(self, term: Term) -> None:
        if term.op.decls[0].coarity is self.ots.sort:
            raise OtsrwError(
                "E516",
                f"a rule or an invariant mentions the state {show_briefly(term)}, which is not translated to Maude",
                term.op.decls[0].span,
                "say what is observed there instead",
            )

    def _check_computed(self, symbol: Symbol) -> None:
        """Maude computes a built-in operator by itself; an equation may decide it for values that users add."""
        rules = [rule for rule in self.instance.rules.get(symbol, ()) if rule.module]
        if symbol.native is None or not rules:
            return
        sorts = {sort for decl in symbol.decls for sort in decl.arity}
        for other in self.instance.module.signature.symbols():
            if other.native is None and any(self.order.leq(d.coarity, s) for d in other.decls for s in sorts):
                if self.instance.values.builds(other):
                    raise OtsrwError(
                        "E516",
                        f"an equation on the built-in operator {symbol.name} may be about {other.name},"
                        " which is not translated to Maude",
                        rules[0].span,
                        f"declare {other.name} of a sort above, and an operator of its own for that sort",
                    )

    def _identities(self, sort: Sort) -> list[Term]:
        """Collections of an observed sort are declared even if no rule mentions them."""
        kind = self.order.kind.get(sort)
        symbols = self.instance.module.signature.symbols()
        return [s.identity for s in symbols if s.kind is kind and s.identity is not None and s.native is None]

    def _equation_terms(self, symbol: Symbol) -> list[Term]:
        if symbol.native is not None:
            return []
        terms = []
        for axiom in self.instance.rules.get(symbol, ()):
            terms += [unfold(t, self.ots) for t in (axiom.lhs, axiom.rhs, axiom.condition) if t is not None]
        return terms

    def _equality_terms(self, sort: Sort) -> list[Term]:
        if not self.theory.has_own_equality(sort):
            return []
        return [
            t
            for axiom in own_equations(self.instance, sort)
            for t in (*axiom.lhs.args, axiom.rhs, axiom.condition)
            if t
        ]

    def _lookups(self, rules: list[SoupRule], violations: dict[str, list[SoupRule]], own: list[Symbol]) -> list[str]:
        observed = {o.symbol: o for o in self.ots.observers}
        called: dict[Symbol, None] = {}
        todo = [t for r in rules for t in _rule_terms(r)]
        todo += [t for group in violations.values() for r in group for t in _rule_terms(r)]
        todo += [t for symbol in own for t in self._equation_terms(symbol)]
        while todo:
            term = todo.pop()
            if term.op in observed:
                called[term.op] = None
            todo += term.args
        lines = []
        for symbol in called:
            observer = observed[symbol]
            indexes = [variable(f"At{n}", sort) for n, sort in enumerate(observer.indexes, 1)]
            value, others = variable("Seen", observer.value), variable("Others", self.ots.sort)
            element = self.writer.soup.element(
                observer, [self.writer.term(i) for i in indexes], self.writer.term(value)
            )
            call = self.writer.observation(
                observer, f"{element} {self.writer.term(others)}", [self.writer.term(i) for i in indexes]
            )
            lines.append(f"  eq {call} = {self.writer.term(value)} .")
            sorts = [*map(self.writer.sort, observer.indexes[: observer.place]), self.writer.soup.states]
            sorts += map(self.writer.sort, observer.indexes[observer.place :])
            lines.insert(
                0,
                f"  op {self.writer.soup.lookup(observer)} : {' '.join(sorts)} ~> {self.writer.sort(observer.value)} .",
            )
        return lines


def _pad(names: Names) -> list[str]:
    """The declaration of the argument that operators have in Maude only, if one has it."""
    return [f"  sort {names.pad_sort} .", f"  op {names.pad} : -> {names.pad_sort} [ctor] ."] if names.padded else []


def _label(name: str, taken: Collection[str]) -> str:
    label, number = spelled(name), 1
    while label in taken:
        number += 1
        label = f"{spelled(name)}-{number}"
    return label


def _terms_of(condition: Condition) -> list[Term]:
    match condition:
        case Matching(pattern, subject) | Among(pattern, subject, _):
            return [pattern, subject]
        case Literal(atom, _):
            return [atom]


def _rule_terms(rule: SoupRule) -> list[Term]:
    terms = [t for e in (*rule.before, *rule.after) for t in (*e.indexes, e.value)]
    return terms + [t for condition in rule.conditions for t in _terms_of(condition)]
