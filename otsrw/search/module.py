"""The Maude module of an instance: sorts, operators, equations on data, the soup, rules, violations.

Only what the rules and invariants need is declared. `=` becomes Maude's `==` on normal forms, except for kinds whose
equality the user defines: there the user's equations come first, as a function `equals`. Boolean connectives become
the short-circuit ones, so that a recursive predicate stops where it can.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction

from otsrw.ots.formulas import Literal as FormulaLiteral
from otsrw.ots.formulas import unfold
from otsrw.ots.instance import Instance, Slot
from otsrw.ots.model import Invariant, StateOperator
from otsrw.ots.stepping import Stepper, Values
from otsrw.search.names import Names, is_built_in, spelled
from otsrw.search.soup import Among, Condition, Matching, SoupElement, SoupMaker, SoupRule
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import show_briefly
from otsrw.theory.sorts import Kind, Sort
from otsrw.theory.terms import Literal, QuotedId, Symbol, Term, variable, variables_of

_TEMPLATES = {
    "and": "({} and-then {})", "or": "({} or-else {})", "and-also": "({} and-then {})", "or-else": "({} or-else {})",
    "xor": "({} xor {})", "not": "(not {})", "implies": "((not {}) or-else {})", "iff": "({} == {})",
    "equals": "({} == {})", "same": "({} == {})", "different": "({} =/= {})", "if": "(if {} then {} else {} fi)",
    "add": "({} + {})", "times": "({} * {})", "minus": "({} - {})", "negate": "(- {})", "successor": "({} + 1)",
    "predecessor": "sd({}, 1)", "quotient": "({} quo {})", "remainder": "({} rem {})", "less": "({} < {})",
    "less-equal": "({} <= {})", "greater": "({} > {})", "greater-equal": "({} >= {})", "divides": "({} divides {})",
    "distance": "sd({}, {})", "nonzero-distance": "sd({}, {})", "nonzero-quotient": "({} quo {})",
    "divide": "({} / {})", "concat": "({} + {})", "length": "length({})",
}  # fmt: skip
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


def translate(instance: Instance, invariants: Iterable[Invariant] | None = None) -> MaudeModule:
    """The Maude module of an instance with the given invariants (default: all that can be searched for)."""
    return _Translator(instance).module(invariants)


class _Translator:
    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.ots = instance.ots
        self.maker = SoupMaker(instance)
        self.theory = self.maker.theory
        self.order = instance.module.signature.order

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
        self.names = Names([s for s in used if not self._is_truth(s)], built_in_sorts)
        self.soup = _Soup(self.names, self.ots.observers)
        body = self._body(used, rules, violations, initials)
        name = self.names.fresh(spelled(self.ots.name).upper() + "-SYSTEM")
        truths = (self.instance.connectives.true.op, self.instance.connectives.false.op)
        symbols: dict[str, tuple[Symbol, ...]] = {symbol.name: (symbol,) for symbol in truths}
        for symbol in used:
            if self._is_truth(symbol):
                continue
            shown = "".join(self.names.operator(symbol))
            symbols[shown] = (*symbols.get(shown, ()), symbol)
        return MaudeModule(
            name,
            f"mod {name} is\n{body}endm\n",
            self.soup.states,
            tuple(self.initial_names),
            {invariant: self.violation_names[invariant] for invariant in violations},
            symbols,
            {self.soup.element_name(o): o for o in self.ots.observers},
            {label: name for name, label in self.labels.items()},
            self._state_text,
        )

    def _state_text(self, values: Values) -> str:
        pairs = zip(self.instance.slots, values, strict=True)
        return self._elements(SoupElement(slot, slot.indexes, value) for slot, value in pairs)

    # --- what is needed

    def _initials(self) -> list[tuple[tuple[Slot, Term], ...]]:
        states = Stepper(self.instance).initial_states()
        return [tuple(zip(self.instance.slots, state.values, strict=True)) for state in states]

    def _needed(self, rules: list[SoupRule], initials: list[tuple[tuple[Slot, Term], ...]]) -> list[Symbol]:
        """Operators in rules and initial states, and those their equations lead to."""
        todo: list[Term] = [value for initial in initials for slot, value in initial]
        todo += [i for slot in self.instance.slots for i in slot.indexes]
        for rule in rules:
            todo += [t for e in (*rule.before, *rule.after) for t in (*e.indexes, e.value)]
            for condition in rule.conditions:
                todo += _terms_of(condition)
        for observer in self.ots.observers:
            for sort in (*observer.indexes, observer.value):
                todo += self._identities(sort)
        found: dict[Symbol, None] = {}
        observed = {o.symbol for o in self.ots.observers}
        compared: set[Kind | None] = set()
        while todo:
            term = todo.pop()
            if self._is_open(term):
                continue
            todo += term.args
            if term.op.native == "equals":
                kind = self.order.kind.get(term.args[0].sort)
                if kind not in compared:
                    compared.add(kind)
                    todo += self._equality_terms(term.args[0].sort)
                continue
            if term.op in found or term.op.variable or not term.op.decls:
                continue
            if term.op.decls[0].coarity is self.ots.sort:
                raise OtsrwError(
                    "E516",
                    f"a rule or an invariant mentions the state {show_briefly(term)}, which is not translated to Maude",
                    term.op.decls[0].span,
                    "say what is observed there instead",
                )
            found[term.op] = None
            if term.op.identity is not None:
                todo.append(term.op.identity)
            if term.op not in observed:
                todo += self._equation_terms(term.op)
        return sorted((s for s in found if s not in observed), key=lambda s: s.number)

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
            terms += [self._unfolded(t) for t in (axiom.lhs, axiom.rhs, axiom.condition) if t is not None]
        return terms

    def _unfolded(self, term: Term) -> Term:
        return unfold(term, self.ots)

    def _equality_terms(self, sort: Sort) -> list[Term]:
        if not self.theory.has_own_equality(sort):
            return []
        return [t for axiom in self._own_equations(sort) for t in (*axiom.lhs.args, axiom.rhs, axiom.condition) if t]

    def _own_equations(self, sort: Sort) -> list[Axiom]:
        kind = self.order.kind[sort]
        equals = self.instance.connectives.symbol("equals")
        return [a for a in self.instance.rules.get(equals, ()) if self.order.kind.get(a.lhs.args[0].sort) is kind]

    # --- text

    def _body(
        self,
        used: list[Symbol],
        rules: list[SoupRule],
        violations: dict[str, list[SoupRule]],
        initials: list[tuple[tuple[Slot, Term], ...]],
    ) -> str:
        self.equalities: dict[Kind, Sort] = {}
        self._declared = used
        self._elements_of: dict[tuple[Kind, Kind, Symbol | None], tuple[str, str, str, str]] = {}
        self._left = 0
        self._open: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        for transition in self.ots.transitions:
            self.labels[transition.name] = _label(transition.name, self.labels.values())
        own = [symbol for symbol in used if symbol.native is None and not self._is_truth(symbol)]
        equations = [self._equation(axiom) for symbol in own for axiom in self.instance.rules.get(symbol, ())]
        equations += [text for symbol in own for text in self._idempotence(symbol)]
        self.initial_names = [self.names.fresh("init") if n else "init" for n in range(len(initials))]
        starts = [
            f"  eq {name} = {self._elements(SoupElement(s, s.indexes, v) for s, v in initial)} ."
            for name, initial in zip(self.initial_names, initials, strict=True)
        ]
        rest = variable("Others", self.ots.sort)
        rule_texts = [text for rule in rules for text in (self._rule(rule), *self._watches(rule))]
        self.violation_names = {name: self.names.fresh(f"violates-{spelled(name)}") for name in violations}
        violation_texts = []
        for name, group in violations.items():
            for rule in group:
                violation_texts.append(self._violation(self.violation_names[name], rule, rest))
                violation_texts += self._violation_watches(self.violation_names[name], rule, rest)
            violation_texts.append(f"  eq {self.violation_names[name]}({self._term(rest)}) = false [owise] .")
        equality_texts = [text for kind in list(self.equalities) for text in self._equality(kind)]
        lookups = self._lookups(rules, violations, own)
        elements = self._element_functions()
        sections = [
            ("", [f"  protecting {module} ." for module in self.imports]),
            ("", self._sorts(used)),
            ("data", [line for symbol in own for line in self._declarations(symbol)]),
            ("a state is a soup of observed values", self.soup.declarations(self._sort)),
            ("", [f"  op {name} : -> {self.soup.states} ." for name in self.initial_names]),
            ("", [f"  op {name} : [{self.soup.states}] -> Bool ." for name in self.violation_names.values()]),
            ("", self._equality_declarations()),
            ("what has no value", self._open_declarations()),
            ("", self._variable_declarations(rest)),
            ("", equations + equality_texts + lookups + elements),
            ("initial states", starts),
            ("transitions", rule_texts),
            ("violations of invariants", violation_texts),
        ]
        lines: list[str] = []
        for title, content in sections:
            if content:
                lines += ["", *([f"  --- {title}"] if title else []), *content]
        return "\n".join(lines[1:]) + "\n"

    def _is_truth(self, symbol: Symbol) -> bool:
        return symbol in (self.instance.connectives.true.op, self.instance.connectives.false.op)

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

    def _sorts(self, used: list[Symbol]) -> list[str]:
        sorts: dict[Sort, None] = {}
        seen = [s for symbol in used for d in symbol.decls for s in (*d.arity, d.coarity)]
        seen += [s for o in self.ots.observers for s in (*o.indexes, o.value)]
        for sort in seen:
            kind = self.order.kind.get(sort)
            if kind is not None:
                sorts.update(dict.fromkeys(kind.sorts))
        own = [s for s in sorts if not is_built_in(s) and s is not self.ots.sort and s.name != "*Condition*"]
        lines = [f"  sorts {' '.join(self.names.sort(s) for s in own)} ."] if own else []
        for lower in sorts:
            uppers = [u for u in self.order.above[lower] if u is not lower and u in own]
            for upper in uppers:
                between = any(m is not lower and m is not upper and upper in self.order.above[m] for m in uppers)
                if not between and lower.name != "*Condition*":
                    lines.append(f"  subsort {self.names.sort(lower)} < {self.names.sort(upper)} .")
        return lines

    def _sort(self, sort: Sort) -> str:
        if sort is self.ots.sort:
            return self.soup.states
        if sort.is_error:
            kind = self.order.kind[sort]
            return f"[{self.names.sort(kind.sorts[0])}]"
        return self.names.sort(sort)

    def _declarations(self, symbol: Symbol) -> list[str]:
        words = self.names.operator(symbol)
        name = "".join(f" {w} " if w in "{}[]," else w for w in words).strip() if len(words) > 1 else words[0]
        attributes = self._attributes(symbol)
        lines = []
        for decl in symbol.decls:
            arity = " ".join(map(self._sort, decl.arity))
            arrow = "~>" if decl.partial else "->"
            lines.append(f"  op {name} : {arity}{' ' if arity else ''}{arrow} {self._sort(decl.coarity)}{attributes} .")
        return lines

    def _attributes(self, symbol: Symbol) -> str:
        found = ["ctor"] if self.theory.is_constructor(symbol) or self.theory.is_set(symbol) else []
        found += [word for word, has in (("assoc", symbol.assoc), ("comm", symbol.comm)) if has]
        if symbol.idem and not symbol.assoc:
            found.append("idem")
        if symbol.identity is not None:
            found.append(f"id: {self._term(symbol.identity)}")
        return f" [{' '.join(found)}]" if found else ""

    def _idempotence(self, symbol: Symbol) -> list[str]:
        """Maude has no associative and idempotent operators: an equation on elements says it."""
        if not (symbol.idem and symbol.assoc):
            return []
        sorts = [symbol.decls[0].coarity] if symbol.identity is None else self._element_sorts(symbol, symbol.identity)
        same = [variable("Same", sort) for sort in sorts]
        return [f"  eq {self._term_with(symbol, (each, each))} = {self._term(each)} ." for each in same]

    def _element_sorts(self, symbol: Symbol, identity: Term) -> list[Sort]:
        """The greatest sorts of elements: an equation on the identity, too, would rewrite it for ever."""
        whole = symbol.decls[0].coarity
        below = [s for s in self.order.kind[whole].sorts if s is not whole and self.order.leq(s, whole)]
        below = [s for s in below if not self.order.leq(identity.sort, s)]
        for maker in self._declared:
            inside = maker is not symbol and maker is not identity.op and self.theory.is_constructor(maker)
            for decl in maker.decls if inside and not maker.polymorphic else ():
                if self.order.leq(decl.coarity, whole) and not any(self.order.leq(decl.coarity, s) for s in below):
                    raise OtsrwError(
                        "E516",
                        f"the idempotent operator {symbol.name} is not translated to Maude: {maker.name} is an element"
                        f" of the same sort {whole.name} as its identity",
                        decl.span,
                        "give elements a sort of their own, below that of collections",
                    )
        return [s for s in below if not any(s is not other and self.order.leq(s, other) for other in below)]

    def _equation(self, axiom: Axiom) -> str:
        lhs, rhs = self._term(axiom.lhs), self._term(self._unfolded(axiom.rhs))
        owise = " [owise]" if axiom.otherwise else ""
        if axiom.condition is None:
            return f"  eq {lhs} = {rhs}{owise} ."
        return f"  ceq {lhs} = {rhs} if {self._condition_text(self._unfolded(axiom.condition))}{owise} ."

    def _condition_text(self, condition: Term) -> str:
        if condition.op.native == "conjunction":
            return " /\\ ".join(self._condition_text(arg) for arg in condition.args)
        if condition.op.native == "match":
            return f"{self._term(condition.args[0])} := {self._term(condition.args[1])}"
        return f"{self._term(condition)} = true"

    # --- own equalities

    def _equality_declarations(self) -> list[str]:
        return [f"  op equals : {self._kind(kind)} {self._kind(kind)} -> Bool [comm] ." for kind in self.equalities]

    def _kind(self, kind: Kind) -> str:
        return f"[{self.names.sort(kind.sorts[0])}]"

    def _equality(self, kind: Kind) -> list[str]:
        lines = []
        for axiom in self._own_equations(kind.sorts[0]):
            left, right = map(self._term, axiom.lhs.args)
            keyword, condition = (
                ("eq", "") if axiom.condition is None else ("ceq", self._condition_text(axiom.condition))
            )
            suffix = f" if {condition}" if condition else ""
            lines.append(f"  {keyword} equals({left}, {right}) = {self._term(axiom.rhs)}{suffix} .")
        top = kind.top or kind.sorts[0]
        one, other = variable("Left", top), variable("Right", top)
        lines.append(
            f"  eq equals({self._term(one)}, {self._term(other)}) = {self._term(one)} == {self._term(other)} [owise] ."
        )
        return lines

    # --- observers as functions, and parts of collections

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
            element = self.soup.element(observer, [self._term(i) for i in indexes], self._term(value))
            call = self._observation(observer, f"{element} {self._term(others)}", [self._term(i) for i in indexes])
            lines.append(f"  eq {call} = {self._term(value)} .")
            sorts = [*map(self._sort, observer.indexes[: observer.place]), self.soup.states]
            sorts += map(self._sort, observer.indexes[observer.place :])
            lines.insert(0, f"  op {self.soup.lookup(observer)} : {' '.join(sorts)} ~> {self._sort(observer.value)} .")
        return lines

    def _observation(self, observer: StateOperator, state: str, indexes: list[str]) -> str:
        arguments = [*indexes[: observer.place], state, *indexes[observer.place :]]
        return f"{self.soup.lookup(observer)}({', '.join(arguments)})"

    def _element_functions(self) -> list[str]:
        """For collections that no single pattern takes apart: their elements, as a soup."""
        return [line for key in self._elements_of for line in self._element_function(*key)]

    def _element_function(self, element: Kind, collection: Kind, constructor: Symbol | None) -> list[str]:
        sort, function, some, none = self._elements_of[element, collection, constructor]
        lines = [
            f"  sort {sort} .",
            f"  op {some} : {self._kind(element)} -> {sort} [ctor] .",
            f"  op {none} : -> {sort} [ctor] .",
            f"  op _|_ : {sort} {sort} -> {sort} [ctor assoc comm id: {none}] .",
            f"  op {function} : {self._kind(collection)} -> {sort} .",
        ]
        for symbol in self._declared:
            if symbol.kind is collection and self._may_collect(symbol, constructor):
                lines.append(self._element_equation(symbol, element, collection, constructor))
        whole = f"{some}(One:{self._kind(collection)})" if element is collection else none
        lines.append(f"  eq {function}(One:{self._kind(collection)}) = {whole} [owise] .")
        return lines

    def _may_collect(self, symbol: Symbol, constructor: Symbol | None) -> bool:
        if constructor is not None:
            return symbol is constructor
        free = self.theory.is_constructor(symbol) or self.theory.is_set(symbol)
        return free and symbol.native is None and not symbol.polymorphic and bool(symbol.decls[0].arity)

    def _element_equation(self, symbol: Symbol, element: Kind, collection: Kind, constructor: Symbol | None) -> str:
        _, function, some, none = self._elements_of[element, collection, constructor]
        arguments = tuple(variable(f"Part{n}", s) for n, s in enumerate(symbol.decls[0].arity, 1))
        shape = self._term_with(symbol, arguments)
        found = [f"{some}({shape})"] if element is collection and not symbol.assoc else []
        for argument in arguments:
            kind = self.order.kind[argument.sort]
            if kind is collection:
                found.append(f"{function}({self._term(argument)})")
            elif kind is element:
                found.append(f"{some}({self._term(argument)})")
        given = ""
        if symbol.identity is not None:
            identity = self._term(symbol.identity)
            given = " if " + " /\\ ".join(f"{self._term(a)} =/= {identity} = true" for a in arguments)
        return f"  {'ceq' if given else 'eq'} {function}({shape}) = {' | '.join(found) or none}{given} ."

    def _among(self, among: Among) -> str:
        key = self.order.kind[among.pattern.sort], self.order.kind[among.collection.sort], among.constructor
        if key not in self._elements_of:
            stem = f"{self.names.sort(key[0].sorts[0])}-{self.names.sort(key[1].sorts[0])}"
            fresh = self.names.fresh
            names = fresh(f"elements-{stem}"), fresh(f"some-{stem}"), fresh(f"none-{stem}")
            self._elements_of[key] = (self.names.fresh_sort(f"Elements-{stem}"), *names)
        sort, function, some, _ = self._elements_of[key]
        self._left += 1
        found = f"{some}({self._term(among.pattern)}) | Left{self._left}:{sort}"
        return f"{found} := {function}({self._term(among.collection)})"

    # --- rules

    def _rule(self, rule: SoupRule) -> str:
        self._current = rule
        before, after = self._elements(rule.before), self._elements(rule.after)
        conditions = self._conditions(rule)
        keyword = "crl" if conditions else "rl"
        suffix = f"\n    if {conditions}" if conditions else ""
        return f"  {keyword} [{self.labels[rule.label]}] :\n    {before}\n    => {after}{suffix} ."

    def _violation(self, name: str, rule: SoupRule, rest: Term) -> str:
        self._current = rule
        soup = f"{self._elements(rule.before)} {self._term(rest)}" if rule.before else self._term(rest)
        conditions = self._conditions(rule)
        keyword = "ceq" if conditions else "eq"
        return f"  {keyword} {name}({soup}) = true{f' if {conditions}' if conditions else ''} ."

    def _conditions(self, rule: SoupRule) -> str:
        return " /\\ ".join(self._condition(condition) for condition in rule.conditions)

    # --- conditions without a truth value, observers without a value

    def _watches(self, rule: SoupRule) -> list[str]:
        """Rules that lead to a soup without a sort, which the search notices, if a condition is undecided."""
        before = self._elements(rule.before)
        given = [self._condition(condition) for condition in rule.conditions]
        found = self._undecided(rule)
        for element in rule.after:
            found += self._undecided_choices(element.value, rule, given)
        return [
            f"  crl {before} => {self._no_value(self.soup.states)}\n    if {text} ." for text in dict.fromkeys(found)
        ]

    def _undecided_choices(self, value: Term, rule: SoupRule, given: list[str]) -> list[str]:
        """For each choice in a value: that its condition is neither true nor false where it matters."""
        if value.op.native != "if":
            return [text for arg in value.args for text in self._undecided_choices(arg, rule, given)]
        condition, then, other = value.args
        text = self._term(condition)
        found = []
        if self._may_be_undecided(condition, rule):
            found.append(" /\\ ".join([*given, _neither(text)]))
        found += self._undecided_choices(then, rule, [*given, f"{text} = true"])
        return found + self._undecided_choices(other, rule, [*given, f"{text} = false"])

    def _violation_watches(self, name: str, rule: SoupRule, rest: Term) -> list[str]:
        soup = f"{self._elements(rule.before)} {self._term(rest)}"
        return [f"  ceq {name}({soup}) = {self._no_value('Bool')} if {text} ." for text in self._undecided(rule)]

    def _undecided(self, rule: SoupRule) -> list[str]:
        """For each literal that may be neither true nor false: the conditions before it, and that it is neither."""
        self._current = rule
        found = []
        before: list[str] = []
        for condition in rule.conditions:
            if isinstance(condition, FormulaLiteral) and self._may_be_undecided(condition.atom, rule):
                atom = self._term(condition.atom)
                found.append(" /\\ ".join([*before, _neither(atom)]))
            before.append(self._condition(condition))
        return found

    def _may_be_undecided(self, atom: Term, rule: SoupRule) -> bool:
        inside = set(variables_of(atom))
        observed = [e.slot.observer.symbol for e in rule.before if inside.intersection(variables_of(e.value))]
        return self.maker.completeness.may_be_undecided(atom, observed)

    def _no_value(self, sort: str) -> str:
        """A constant of the kind of a sort, but of no sort."""
        if sort not in self._open:
            self._open[sort] = self.names.fresh(f"no-{sort}".lower())
        return self._open[sort]

    def _open_declarations(self) -> list[str]:
        return [f"  op {name} : -> [{sort}] ." for sort, name in self._open.items()]

    def _condition(self, condition: Condition) -> str:
        match condition:
            case Matching(pattern, subject):
                return f"{self._term(pattern)} := {self._term(subject)}"
            case Among():
                return self._among(condition)
            case FormulaLiteral(atom, positive):
                return f"{self._term(atom)} = {'true' if positive else 'false'}"

    def _elements(self, elements: Iterable[SoupElement]) -> str:
        return " ".join(
            self.soup.element(e.slot.observer, [self._term(i) for i in e.indexes], self._term(e.value))
            for e in elements
        )

    def _variable_declarations(self, rest: Term) -> list[str]:
        self._term(rest)
        groups: dict[str, list[str]] = {}
        for term, name in self.names.variables().items():
            groups.setdefault(self._sort(term.sort), []).append(name)
        return [f"  var{'s' * (len(names) > 1)} {' '.join(names)} : {sort} ." for sort, names in groups.items()]

    # --- terms

    def _term(self, term: Term) -> str:
        if isinstance(term, Literal):
            return _literal(term)
        if term.op.variable:
            if term is self.ots.state and self._current is not None:
                return self._elements(self._current.before)
            return self.names.variable(term)
        observer = self.ots.observer(term.op)
        if observer is not None and self._is_open(term):
            return self._no_value(self._sort(observer.value))
        if observer is not None:
            indexes = [self._term(i) for i in observer.indexes_of(term)]
            return self._observation(observer, self._state(observer, observer.state_of(term)), indexes)
        native = term.op.native
        if native in ("equals", "same", "different"):
            return self._comparison(term)
        if native == "is":
            sort = term.args[1].value  # type: ignore[attr-defined]
            return f"({self._term(term.args[0])} :: {self._sort(sort)})"
        if native is not None:
            return self._native(term)
        if self._is_truth(term.op):
            return term.op.name
        return self._term_with(term.op, term.args)

    def _is_open(self, term: Term) -> bool:
        """Is this what an observer is after a transition, in a case that no equation describes?"""
        observer = self.ots.observer(term.op)
        if observer is None:
            return False
        after = observer.state_of(term).op
        return any(after is transition.operator.symbol for transition in self.ots.transitions)

    def _state(self, observer: StateOperator, state: Term) -> str:
        if state is self.ots.state and self._current is not None:
            return self._elements(e for e in self._current.before if e.slot.observer is observer)
        return self._term(state)

    _current: SoupRule | None = None

    def _comparison(self, term: Term) -> str:
        left, right = term.args
        kind = self.order.kind.get(left.sort)
        if term.op.native == "equals" and kind is not None and self.theory.has_own_equality(left.sort):
            self.equalities.setdefault(kind, left.sort)
            return f"equals({self._term(left)}, {self._term(right)})"
        sign = "=/=" if term.op.native == "different" else "=="
        return f"({self._term(left)} {sign} {self._term(right)})"

    def _native(self, term: Term) -> str:
        template = _TEMPLATES.get(term.op.native or "")
        if template is None:
            raise OtsrwError("E516", f"the built-in operator {term.op.name} is not translated to Maude")
        args = [self._term(arg) for arg in term.args]
        result = args[0]
        if len(args) > 2 and term.op.assoc:
            for arg in args[1:]:
                result = template.format(result, arg)
            return result
        return template.format(*args)

    def _term_with(self, symbol: Symbol, args: tuple[Term, ...]) -> str:
        words = self.names.operator(symbol)
        texts = [self._term(arg) for arg in args]
        if len(words) == 1:
            if len(texts) > symbol.nargs:
                result = texts[-1]
                for text in reversed(texts[:-1]):
                    result = f"{words[0]}({text}, {result})"
                return result
            return f"{words[0]}({', '.join(texts)})" if texts else words[0]
        if len(texts) > symbol.nargs:
            middle = " ".join(w for w in words if w != "_")
            return "(" + (f" {middle} " if middle else " ").join(texts) + ")"
        remaining = iter(texts)
        return "(" + " ".join(next(remaining) if word == "_" else word for word in words) + ")"


class _Soup:
    """How observed values are written."""

    def __init__(self, names: Names, observers: tuple[StateOperator, ...]) -> None:
        self.states = names.fresh_sort("Sys")
        self.observed = names.fresh_sort("Obs")
        self._names = {o: names.fresh(spelled(o.name)) for o in observers}
        self.observers = observers

    def lookup(self, observer: StateOperator) -> str:
        return f"{self._names[observer]}-of"

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
            f"  op __ : {self.states} {self.states} -> {self.states} [ctor assoc comm id: none] .",
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


def _label(name: str, taken: Collection[str]) -> str:
    label, number = spelled(name), 1
    while label in taken:
        number += 1
        label = f"{spelled(name)}-{number}"
    return label


def _neither(formula: str) -> str:
    return f"(({formula} == true) or-else ({formula} == false)) = false"


def _terms_of(condition: Condition) -> list[Term]:
    match condition:
        case Matching(pattern, subject) | Among(pattern, subject, _):
            return [pattern, subject]
        case FormulaLiteral(atom, _):
            return [atom]


def _rule_terms(rule: SoupRule) -> list[Term]:
    terms = [t for e in (*rule.before, *rule.after) for t in (*e.indexes, e.value)]
    return terms + [t for condition in rule.conditions for t in _terms_of(condition)]


def _literal(term: Literal) -> str:
    value = term.value
    if isinstance(value, QuotedId):
        return str(value) if str(value).startswith("'") else f"'{value}"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return f"({value})" if value < 0 else str(value)
    raise OtsrwError("E516", f"the built-in constant {value!r} is not translated to Maude")
