"""Transitions and violations as patterns on a soup of observed values, for given entities.

One `SoupRule` for each transition, each case of its effective condition and each choice of the parameters that must be
enumerated; what the condition says of single observed values goes into the pattern. Rules that differ only in one
entity are folded into one rule with a variable, so that for most specifications there is one rule a transition, as
people write it by hand. A rule may also say which event it is: the transition with its arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product

from otsrw.ots.binding import BindingStep, Enumerate, Member, PatternMatch, Plan, Rest, Test, Theory
from otsrw.ots.effects import knowing, next_value
from otsrw.ots.instance import Instance, Slot
from otsrw.ots.model import Invariant, Transition
from otsrw.ots.stepping import transition_plans, violation_plans
from otsrw.reasoning.connectives import DnfClause, Literal
from otsrw.records import dataclass
from otsrw.theory.builtins import EQUALITIES, Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, variable, variables_of


@dataclass(frozen=True, eq=False, slots=True)
class Matching:
    """The condition `pattern := subject`."""

    pattern: Term
    subject: Term


@dataclass(frozen=True, eq=False, slots=True)
class Among:
    """The condition that a pattern is one of the elements of a collection that cannot be matched with one pattern.

    With a constructor the elements are its arguments; without, the parts along all constructors of the collection.
    """

    pattern: Term
    collection: Term
    constructor: Symbol | None


Condition = Matching | Among | Literal


@dataclass(frozen=True, eq=False, slots=True)
class SoupElement:
    """An observer at indexes with a value; an index may be a variable once rules are folded."""

    slot: Slot
    indexes: tuple[Term, ...]
    value: Term


@dataclass(frozen=True, eq=False, slots=True)
class SoupRule:
    """If the soup has these elements and the conditions hold, the elements become `after`.

    The arguments of the event are there if they were asked for; one that nothing depends on is None.
    """

    label: str
    before: tuple[SoupElement, ...]
    conditions: tuple[Condition, ...]
    after: tuple[SoupElement, ...]
    arguments: tuple[Term | None, ...] = ()

    def key(self, rename: dict[Term, Term]) -> tuple[object, ...]:
        """What the rule says, with constants and variables renamed; equal keys mean equal rules."""
        image = _Renaming(rename).image
        before = [(e.slot.observer, tuple(map(image, e.indexes)), image(e.value)) for e in self.before]
        after = [(e.slot.observer, tuple(map(image, e.indexes)), image(e.value)) for e in self.after]
        conditions = [_condition_key(c, image) for c in self.conditions]
        arguments = tuple(None if a is None else image(a) for a in self.arguments)
        return self.label, frozenset(before), tuple(conditions), frozenset(after), arguments


class _Renaming:
    def __init__(self, rename: dict[Term, Term]) -> None:
        self.rename = rename

    def image(self, term: Term) -> Term:
        found = self.rename.get(term)
        if found is not None:
            return found
        if not term.args:
            return term
        return term.op.make(tuple([self.image(arg) for arg in term.args]))


def _condition_key(condition: Condition, image: object) -> tuple[object, ...]:
    assert callable(image)
    match condition:
        case Matching(pattern, subject):
            return "matching", image(pattern), image(subject)
        case Among(pattern, collection, constructor):
            return "among", image(pattern), image(collection), constructor
        case Literal(atom, positive):
            return "literal", image(atom), positive


class SoupMaker:
    """Makes the rules of one instance."""

    def __init__(self, instance: Instance, events: bool = False) -> None:
        self.instance = instance
        self.events = events
        self.ots = instance.ots
        self.theory = Theory(instance)
        self.connectives = instance.connectives

    def transition_rules(self, transition: Transition) -> list[SoupRule]:
        rules = []
        for clause, plan in transition_plans(self.theory, transition):
            for choice in self._choices(plan):
                rule = self._instance_rule(transition, clause, plan, choice)
                if rule is not None and (rule.after or self.events):
                    rules.append(rule)
        return self._folded(rules)

    def violation_rules(self, invariant: Invariant) -> list[SoupRule]:
        """Rules with nothing after: a soup that has the elements violates the invariant."""
        rules: dict[object, SoupRule] = {}
        for _, plan in violation_plans(self.theory, invariant):
            for choice in self._choices(plan):
                shape = _Shape(self, plan, choice)
                if shape.possible:
                    rule = shape.rule(invariant.name, {})
                    rules.setdefault(rule.key({}), rule)
        return self._folded(list(rules.values()))

    def _choices(self, plan: Plan) -> Iterator[dict[Term, Term]]:
        chosen = [step.variable for step in plan.steps if isinstance(step, Enumerate)]
        for values in product(*[self.instance.domain(v.sort) or () for v in chosen]):
            yield dict(zip(chosen, values, strict=True))

    def _instance_rule(
        self, transition: Transition, clause: DnfClause, plan: Plan, choice: dict[Term, Term]
    ) -> SoupRule | None:
        shape = _Shape(self, plan, choice)
        if not shape.possible:
            return None
        known = knowing(self.connectives, clause)
        changes: dict[Slot, Term] = {}
        for effect in transition.effects:
            value = next_value(self.ots, self.connectives, transition, effect, known)
            for slot in self.instance.slots:
                if slot.observer is effect.observer:
                    at = {**choice, **dict(zip(effect.indexes, slot.indexes, strict=True))}
                    after = self.simplified(substitute(value, at))
                    if after is not slot.variable:
                        changes[slot] = after
        if not self.events:
            return shape.rule(transition.name, changes)
        return shape.rule(transition.name, changes, [substitute(p, choice) for p in transition.parameters])

    # --- terms over slots

    def simplified(self, term: Term) -> Term:
        """Observations at ground indexes become slot variables, ground subterms of sort Bool are evaluated."""
        return self.connectives.simplified(term, self._known)

    def _known(self, term: Term) -> Term | None:
        observer = self.ots.observer(term.op)
        if observer is not None and term.ground:
            return self.instance.normal_form(term)
        if observer is not None and observer.state_of(term) is self.ots.state:
            indexes = tuple(
                self.instance.normal_form(i) if i.ground else self.simplified(i) for i in observer.indexes_of(term)
            )
            slot = self.instance.slot_of.get((observer.symbol, *indexes))
            return None if slot is None else slot.variable
        if term.ground and term.args and term.sort is self.connectives.true.sort:
            value = self.instance.normal_form(term)
            return value if value in (self.connectives.true, self.connectives.false) else None
        return None

    # --- folding rules that differ only in entities

    def _folded(self, rules: list[SoupRule]) -> list[SoupRule]:
        """Replace families of rules, one for each entity, by one rule with a variable."""
        for sort, elements in self._entity_domains():
            rules = self._fold_over(rules, sort, elements)
        return rules

    def _entity_domains(self) -> list[tuple[Sort, tuple[Term, ...]]]:
        found = []
        for name in self.instance.given:
            sort = self.instance.module.visible_sorts()[name][-1]
            domain = self.instance.domain(sort) or ()
            if len(domain) > 1:
                found.append((sort, domain))
        return found

    def _fold_over(self, rules: list[SoupRule], sort: Sort, elements: tuple[Term, ...]) -> list[SoupRule]:
        remaining = {rule.key({}): rule for rule in rules}
        result: list[SoupRule] = []
        while remaining:
            rule = next(iter(remaining.values()))
            general = self._general(rule, sort, elements, remaining)
            if general is None:
                del remaining[rule.key({})]
                result.append(rule)
            else:
                result.append(general)
        return result

    def _general(
        self, rule: SoupRule, sort: Sort, elements: tuple[Term, ...], remaining: dict[tuple[object, ...], SoupRule]
    ) -> SoupRule | None:
        """The rule with one entity replaced by a variable, if all its instances are there; they are taken out."""
        for element in elements:
            indexing = [e for e in rule.before if element in e.indexes]
            if not indexing or any(other in _entities_in(rule) for other in elements if other is not element):
                continue
            swaps = [self._swap(element, other) for other in elements]
            keys = [rule.key(swap) for swap in swaps if swap is not None]
            if len(keys) == len(elements) and all(key in remaining for key in keys):
                for key in keys:
                    del remaining[key]
                index = _unused(sort, rule)
                return _renamed(rule, {element: index, **self._slot_variables(element)})
        return None

    def _swap(self, element: Term, other: Term) -> dict[Term, Term] | None:
        """Renaming of an entity, and of the variables of the slots it indexes; None if the other one has none."""
        renaming = {element: other}
        if other is not element:
            for slot in self.instance.slots:
                if element in slot.indexes:
                    indexes = tuple(other if i is element else i for i in slot.indexes)
                    swapped = self.instance.slot_of.get((slot.observer.symbol, *indexes))
                    if swapped is None:
                        return None
                    renaming[slot.variable] = swapped.variable
        return renaming

    def _slot_variables(self, element: Term) -> dict[Term, Term]:
        found = {}
        for slot in self.instance.slots:
            if element in slot.indexes:
                name = slot.variable.op.name.replace(f"[{element.op.name}", "[", 1).replace(f",{element.op.name}", ",")
                found[slot.variable] = variable(name.replace("[]", ""), slot.variable.sort)
        return found


def _unused(sort: Sort, rule: SoupRule) -> Term:
    """An index variable whose name no variable of the rule has."""
    taken = {leaf.op.name for leaf in _entities_in(rule) if leaf.op.variable}
    names = (sort.name[0].upper() + "'" * primes for primes in count())
    return variable(next(name for name in names if name not in taken), sort)


def _entities_in(rule: SoupRule) -> set[Term]:
    found: set[Term] = set()
    todo = [t for e in (*rule.before, *rule.after) for t in (*e.indexes, e.value)]
    todo += [argument for argument in rule.arguments if argument is not None]
    for condition in rule.conditions:
        match condition:
            case Matching(pattern, subject) | Among(pattern, subject, _):
                todo += [pattern, subject]
            case Literal(atom, _):
                todo.append(atom)
    while todo:
        term = todo.pop()
        if not term.args:
            found.add(term)
        todo += term.args
    return found


def _renamed(rule: SoupRule, rename: dict[Term, Term]) -> SoupRule:
    image = _Renaming(rename).image

    def condition(old: Condition) -> Condition:
        match old:
            case Matching(pattern, subject):
                return Matching(image(pattern), image(subject))
            case Among(pattern, collection, constructor):
                return Among(image(pattern), image(collection), constructor)
            case Literal(atom, positive):
                return Literal(image(atom), positive)

    def element(old: SoupElement) -> SoupElement:
        return SoupElement(old.slot, tuple(map(image, old.indexes)), image(old.value))

    return SoupRule(
        rule.label,
        tuple(map(element, rule.before)),
        tuple(map(condition, rule.conditions)),
        tuple(map(element, rule.after)),
        tuple(None if a is None else image(a) for a in rule.arguments),
    )


class _Shape:
    """The left side and the conditions of a rule, from a plan."""

    def __init__(self, maker: SoupMaker, plan: Plan, choice: dict[Term, Term]) -> None:
        self.maker = maker
        self.connectives = maker.connectives
        self.inlined: dict[Term, Term] = {}
        self.conditions: list[Condition] = []
        self.possible = True
        self._rests = count(1)
        self._apart: set[frozenset[Term]] = set()
        self._slot_variables = {slot.variable for slot in maker.instance.slots}
        self._unequal = {
            frozenset(step.literal.atom.args)
            for step in plan.steps
            if isinstance(step, Test) and not step.literal.positive and step.literal.atom.op.native in EQUALITIES
        }
        for step in plan.steps:
            self._take(step, choice)

    def _term(self, term: Term, choice: dict[Term, Term]) -> Term:
        return self._inline(self.maker.simplified(substitute(term, choice)))

    def _inline(self, term: Term) -> Term:
        for _ in range(len(self.inlined) + 1):
            after = substitute(term, self.inlined)
            if after is term:
                break
            term = after
        return term

    def _take(self, step: BindingStep, choice: dict[Term, Term]) -> None:
        match step:
            case PatternMatch(pattern, subject):
                self._match(self._inline(substitute(pattern, choice)), self._term_of(subject, choice))
            case Member(pattern, collection, constructor):
                self._member(self._inline(substitute(pattern, choice)), self._term_of(collection, choice), constructor)
            case Test(literal):
                self._test(literal, choice)
            case Rest(rest, collection, _, constructor):
                self._rest(rest, self._term_of(collection, choice), constructor)
            case Enumerate():
                pass

    def _term_of(self, term: Term, choice: dict[Term, Term]) -> Term:
        """A slot variable that has no pattern yet stays; everything else is written out."""
        return self.maker.simplified(substitute(term, choice))

    def _match(self, pattern: Term, subject: Term) -> None:
        if subject in self._slot_variables and subject not in self.inlined and not self._occurs(subject, pattern):
            self.inlined[subject] = pattern
        else:
            self.conditions.append(Matching(pattern, self._inline(subject)))

    def _fresh(self, symbol: Symbol) -> Term:
        return variable(f"Rest{next(self._rests)}", symbol.decls[0].coarity)

    def _occurs(self, var: Term, pattern: Term) -> bool:
        return var in variables_of(pattern)

    def _member(self, pattern: Term, collection: Term, symbol: Symbol | None) -> None:
        if symbol is None or symbol.identity is None:
            self.conditions.append(Among(pattern, self._inline(collection), symbol))
            return
        known = self.inlined.get(collection)
        usual = not self.maker.theory.has_own_equality(pattern.sort)
        if known is not None and usual and self.maker.theory.is_set(symbol) and known.op is symbol:
            apart = [e for e in known.args if frozenset((e, pattern)) in self._unequal]
            rest = [e for e in known.args if e.op.variable and e.op.name.startswith("Rest")]
            if len(rest) == 1 and len(apart) == len(known.args) - 1:
                others = tuple(e for e in known.args if e is not rest[0])
                self._apart.update(frozenset((e, pattern)) for e in others)
                self.inlined[collection] = symbol.make((*others, pattern, self._fresh(symbol)))
                return
        self._match(symbol.make((pattern, self._fresh(symbol))), collection)

    def _rest(self, rest: Term, collection: Term, symbol: Symbol) -> None:
        """What a pattern leaves of a collection has a name already, so that events can tell it."""
        known = self.inlined.get(collection)
        left = [e for e in known.args if e.op.variable and e.op.name.startswith("Rest")] if known is not None else []
        if known is not None and known.op is symbol and len(left) == 1:
            self.inlined[rest] = left[0]

    def _test(self, literal: Literal, choice: dict[Term, Term]) -> None:
        atom = self.maker.simplified(substitute(literal.atom, choice))
        positive = literal.positive
        if atom.op.native is Builtin.NOT:
            atom, positive = atom.args[0], not positive
        if atom is self.connectives.true or atom is self.connectives.false:
            self.possible = self.possible and (atom is self.connectives.true) is positive
            return
        if atom.op.native in EQUALITIES and (
            self._equate(*atom.args) if positive else frozenset(atom.args) in self._apart
        ):
            return
        if atom in self._slot_variables and atom not in self.inlined:
            self.inlined[atom] = self.connectives.true if positive else self.connectives.false
            return
        self.conditions.append(Literal(self._inline(atom), positive))

    def _equate(self, left: Term, right: Term) -> bool:
        """Put `slot = value` into the left side of the rule, if comparing is matching."""
        for var, other in ((left, right), (right, left)):
            if var not in self._slot_variables or var in self.inlined:
                continue
            if self.maker.theory.has_own_equality(var.sort) or not self.maker.theory.is_pattern(other):
                continue
            value = self._inline(other)
            bound = value.ground or value in self._slot_variables
            fits = self.maker.instance.module.signature.order.leq(value.sort, var.sort)
            if bound and fits and not self._occurs(var, value):
                self.inlined[var] = value
                return True
        return False

    def rule(self, label: str, changes: dict[Slot, Term], arguments: list[Term] | None = None) -> SoupRule:
        changes = {slot: self._inline(value) for slot, value in changes.items()}
        conditions = tuple(self._settled(condition) for condition in self.conditions)
        mentioned: set[Term] = set(self.inlined)
        for value in (*changes.values(), *self.inlined.values()):
            mentioned.update(variables_of(value))
        for condition in conditions:
            match condition:
                case Matching(pattern, subject) | Among(pattern, subject, _):
                    mentioned.update((*variables_of(pattern), *variables_of(subject)))
                case Literal(atom, _):
                    mentioned.update(variables_of(atom))
        everything = self.maker.ots.state in mentioned
        before = []
        after = []
        for slot in self.maker.instance.slots:
            if slot in changes or slot.variable in mentioned or everything:
                value = self._inline(slot.variable)
                before.append(SoupElement(slot, slot.indexes, value))
                if slot in changes:
                    after.append(SoupElement(slot, slot.indexes, changes[slot]))
                else:
                    after.append(SoupElement(slot, slot.indexes, value))
        changed = any(a.value is not b.value for a, b in zip(after, before, strict=True))
        kept = tuple(after) if changed or arguments is not None else ()
        bound = {v for e in before for v in variables_of(e.value)}
        bound |= {v for c in conditions if not isinstance(c, Literal) for v in variables_of(c.pattern)}
        given = [self._inline(argument) for argument in arguments or ()]
        known = tuple(a if bound.issuperset(variables_of(a)) else None for a in given)
        return SoupRule(label, tuple(before), conditions, kept, known)

    def _settled(self, condition: Condition) -> Condition:
        """A condition with values that were inlined after it."""
        match condition:
            case Matching(pattern, subject):
                return Matching(self._inline(pattern), self._inline(subject))
            case Among(pattern, collection, constructor):
                return Among(self._inline(pattern), self._inline(collection), constructor)
            case Literal(atom, positive):
                return Literal(self._inline(atom), positive)
