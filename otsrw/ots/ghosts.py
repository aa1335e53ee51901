"""Ghost observers: the entities that a number counts, as an observer of their own.

For `nr(S)`, the number of threads T with `loc(S,T) = rd`, a module over the specification gets an observer whose value
is a list of these threads. Equations say what it is initially, and after each transition in terms of the state before;
no other observer looks at it. So the module gives a name to something that every run of the specification has, and
changes nothing: whatever holds of the other observers there holds here. Whether the list has just these entities is
not taken for granted. It is a lemma, as is that the number counts them.

How often an entity stands in a list, and where, does not matter: the words for lists are those of sets.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from itertools import combinations

from otsrw.ots.auxiliary import AuxiliaryModule, free_name
from otsrw.ots.counting import CountedGroup, CountingLaw, NumberSort
from otsrw.ots.formulas import unfold
from otsrw.ots.model import Effect, Invariant, Ots, Transition
from otsrw.reasoning.connectives import Connectives
from otsrw.records import NamedTuple
from otsrw.rewriting.rewriter import Rewriter
from otsrw.theory.builtins import Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term, variable, variables_of

MAX_DISTINCT = 3
"""Different entities that a law about the size of a group speaks of."""


class GhostModule(NamedTuple):
    """Modules with ghost observers, as text; the one that is named is an OTS like the one it was made for."""

    module: AuxiliaryModule
    """Its predicates are the ghost observers."""
    lemmas: tuple[str, ...]
    """Operators that say what is known of groups: laws about data first, then lemmas about states."""


def ghost_module(
    ots: Ots, laws: Sequence[CountingLaw], taken: Container[str], invariant: Invariant
) -> GhostModule | None:
    """The module for some laws, with a name that is not taken; None if no group of them can be followed.

    Laws about sizes speak of as many different entities as the invariant does.
    """
    writer = _GhostWriter(ots, invariant)
    for law in laws:
        writer.add(law)
    if not writer.ghosts:
        return None
    data, name = free_name(f"{ots.module.name}-GROUPS", taken), free_name(f"{ots.module.name}-COUNTED", taken)
    texts = (f"mod! {data} {{\n  pr({ots.module.name})\n", *_indented(writer.data), "}\n")
    texts += (f"mod* {name} {{\n  pr({data})\n", *_indented(writer.lines), "}\n")
    return GhostModule(AuxiliaryModule(name, "".join(texts), tuple(writer.ghosts.values())), tuple(writer.lemmas))


def _indented(lines: list[str]) -> Iterator[str]:
    return (f"  {line}\n" for line in lines)


class _GroupWords(NamedTuple):
    """The names of what is said about groups of one sort that numbers of one sort count."""

    sort: str
    nobody: str
    join: str
    among: str
    size: str
    without: str


class _CannotFollow(Exception):
    """A transition may change an observer for entities that nothing names."""


class _GhostWriter:
    """Collects the lines of both modules."""

    def __init__(self, ots: Ots, invariant: Invariant) -> None:
        self._spoken = [parameter.sort for parameter in invariant.parameters]
        self.data: list[str] = []
        self.lines: list[str] = []
        self.lemmas: list[str] = []
        self.ghosts: dict[CountedGroup, str] = {}
        """The ghost observers, and what they observe."""
        self._ots = ots
        self._rewriter = Rewriter(ots.module)
        self._words: dict[tuple[Sort, Sort], _GroupWords] = {}
        signature = ots.module.signature
        self._connectives = Connectives(signature)
        self._taken = {symbol.name for symbol in signature.symbols()} | {sort.name for sort in signature.order.below}

    def add(self, law: CountingLaw) -> None:
        """Write what a law needs; nothing if its group cannot be followed."""
        group = law.group
        element, numbers = group.observer.indexes[0], law.numbers
        names = [sort.name for sort in self._ots.module.signature.order.below]
        if any(names.count(sort.name) != 1 for sort in (element, numbers.sort, self._ots.sort)):
            return
        if group not in self.ghosts:
            try:
                changes = [self._change(group, transition) for transition in self._ots.transitions]
            except _CannotFollow:
                return
            self._declare(group, self._said_of(element, numbers), changes)
        self._state_law(law)

    def _named(self, stem: str) -> str:
        name = free_name(stem, self._taken)
        self._taken.add(name)
        return name

    # --- data

    def _said_of(self, element: Sort, numbers: NumberSort) -> _GroupWords:
        found = self._words.get((element, numbers.sort))
        if found is None:
            stems = (f"{element.name}Group", "nobody", "join", "is-among", "number-of", "without")
            found = self._words[element, numbers.sort] = _GroupWords(*map(self._named, stems))
            self._define(found, element, numbers)
            self._state_data(found, element, numbers)
        return found

    def _define(self, w: _GroupWords, element: Sort, numbers: NumberSort) -> None:
        e = element.name
        larger = _successor(numbers, f"{w.size}(L)")
        self.data += [
            f"[{w.sort}]",
            f"op {w.nobody} : -> {w.sort} {{constr}}",
            f"op {w.join} : {e} {w.sort} -> {w.sort} {{constr}}",
            f"op {w.among} : {e} {w.sort} -> Bool",
            f"op {w.size} : {w.sort} -> {numbers.sort.name}",
            f"op {w.without} : {e} {w.sort} -> {w.sort}",
            f"eq {w.among}(X:{e}, {w.nobody}) = false .",
            f"eq {w.among}(X:{e}, {w.join}(Y:{e}, L:{w.sort})) = (X = Y) or {w.among}(X, L) .",
            f"eq {w.size}({w.nobody}) = {show(numbers.zero)} .",
            f"eq {w.size}({w.join}(X:{e}, L:{w.sort})) = (if {w.among}(X, L) then {w.size}(L) else {larger} fi) .",
            f"eq {w.without}(X:{e}, {w.nobody}) = {w.nobody} .",
            f"eq {w.without}(X:{e}, {w.join}(Y:{e}, L:{w.sort})) ="
            f" (if X = Y then {w.without}(X, L) else {w.join}(Y, {w.without}(X, L)) fi) .",
        ]

    def _state_data(self, w: _GroupWords, element: Sort, numbers: NumberSort) -> None:
        """Laws about groups, each of which may use those before it."""
        e, group = element.name, w.sort
        rest = f"{w.without}(Y, L)"
        smaller = f"({_successor(numbers, f'{w.size}({rest})')} = {w.size}(L))"
        self._lemma(
            self.data,
            "left-among",
            (f"X:{e}", f"Y:{e}", f"L:{group}"),
            f"{w.among}(X, {rest}) = ({w.among}(X, L) and not (X = Y))",
        )
        pair = (f"Y:{e}", f"L:{group}")
        self._lemma(self.data, "left-alone", pair, f"{w.among}(Y, L) or ({w.size}({rest}) = {w.size}(L))")
        self._lemma(self.data, "one-less", pair, f"{w.among}(Y, L) implies {smaller}")
        for count in range(1, min(max(self._spoken.count(element), 1), MAX_DISTINCT) + 1):
            names = [f"X{number}" for number in range(1, count + 1)]
            members = " and ".join(f"{w.among}({name}, L)" for name in names)
            few = f"({members} and ({w.size}(L) = {_numeral(numbers, count - 1)}))"
            same = " or ".join(f"({a} = {b})" for a, b in combinations(names, 2))
            variables = (*(f"{name}:{e}" for name in names), f"L:{group}")
            says = f"{few} implies ({same})" if same else f"not {few}"
            self._lemma(self.data, f"more-than-{count - 1}", variables, says)

    def _lemma(self, lines: list[str], stem: str, variables: tuple[str, ...], formula: str) -> None:
        name = self._named(stem)
        arity = " ".join(variable.partition(":")[2] for variable in variables)
        lines += [f"op {name} : {arity} -> Bool", f"eq {name}({', '.join(variables)}) = ({formula}) ."]
        self.lemmas.append(name)

    # --- states

    def _declare(self, group: CountedGroup, w: _GroupWords, changes: list[_Change]) -> None:
        """The observer of a group, and the lemma that it has the entities of the group."""
        ots, observer = self._ots, group.observer
        words = "-".join((observer.name, *map(show, group.values)))
        ghost = self.ghosts[group] = self._named(re.sub(r"[^A-Za-z0-9]+", "-", words).strip("-"))
        state = f"{ots.state.op.name}:{ots.sort.name}"
        keyword = "bop" if ots.sort.hidden else "op"  # `bceq t(S) = S` applies below a bop only
        self.lines.append(f"{keyword} {ghost} : {ots.sort.name} -> {w.sort}")
        self.lines += [f"eq {ghost}({show(initial.make(()))}) = {w.nobody} ." for initial in ots.initials]
        for change in changes:
            self.lines += change.equations(ots, ghost, w)
        entity = variable("X", observer.indexes[0])
        observed = _is_one_of(_plain(observer.apply(ots.state, (entity,))), group)
        member = f"{w.among}(X, {ghost}({ots.state.op.name}))"
        self._lemma(self.lines, f"who-{ghost}", (state, f"X:{entity.sort.name}"), f"{member} iff {observed}")

    def _state_law(self, law: CountingLaw) -> None:
        """The lemma that the number counts the group."""
        ots = self._ots
        w = self._words[law.group.observer.indexes[0], law.numbers.sort]
        size = f"{w.size}({self.ghosts[law.group]}({ots.state.op.name}))"
        number = _plain(law.observer.apply(ots.state, ()))
        says = f"{size} = {number}" if law.total is None else f"({size} + {number}) = {law.total}"
        self._lemma(self.lines, f"counts-{self.ghosts[law.group]}", (f"{ots.state.op.name}:{ots.sort.name}",), says)

    def _change(self, group: CountedGroup, transition: Transition) -> _Change:
        """What a transition does to a group; `_CannotFollow` if that cannot be told."""
        effect = next((each for each in transition.effects if each.observer is group.observer), None)
        if effect is None:
            raise _CannotFollow
        before = group.observer.apply(self._ots.state, effect.indexes)
        named: dict[Term, None] = {}
        for case in effect.cases:
            for term in (case.value, *(() if case.guard is None else (case.guard,))):
                _collect_named(term, effect.indexes[0], before, named)
        if all(case.value is before for case in effect.cases):
            named.clear()
        members = [(entity, self._membership(group, transition, effect, entity)) for entity in named]
        known = self._known_before(group, transition)
        return _Change(transition, tuple(each for each in members if known.get(each[0]) != each[1]))

    def _is_apart(self, value: Term, group: CountedGroup) -> bool:
        """Do the equations say that a value is none of the group's?"""
        equal, false = self._connectives.equal, self._connectives.false
        return all(self._rewriter.reduce(equal(value, each)).term is false for each in group.values)

    def _said_by(self, formula: Term) -> tuple[tuple[Term, ...], ...]:
        """Pairs of terms that a formula says to be equal."""
        if formula.op.native is Builtin.EQUALS:
            return formula.args, formula.args[::-1]
        if formula.op.native is Builtin.NOT:
            return ((formula.args[0], self._connectives.false),)
        return ((formula, self._connectives.true),)

    def _known_before(self, group: CountedGroup, transition: Transition) -> dict[Term, str]:
        """For entities whose value the effective condition tells: are they in the group before the transition?"""
        found: dict[Term, str] = {}
        todo = [] if transition.condition is None else [unfold(transition.condition, self._ots)]
        while todo:
            formula = todo.pop()
            if formula.op.native is Builtin.AND:
                todo += formula.args
                continue
            for observed, value in self._said_by(formula):
                if observed.op is group.observer.symbol:
                    entity = group.observer.indexes_of(observed)[0]
                    if value in group.values:
                        found[entity] = "true"
                    elif self._is_apart(value, group):
                        found[entity] = "false"
        return found

    def _membership(self, group: CountedGroup, transition: Transition, effect: Effect, entity: Term) -> str:
        """Is an entity in the group after the transition? `true` and `false` where that is known."""
        if len(effect.cases) == 1:
            here = substitute(effect.cases[0].value, {effect.indexes[0]: entity})
            value = self._rewriter.reduce(here).term
            if value in group.values:
                return "true"
            if self._is_apart(value, group):
                return "false"
        after = transition.operator.apply(self._ots.state, transition.parameters)
        return _is_one_of(_plain(group.observer.apply(after, (entity,))), group)


class _Change(NamedTuple):
    """Which entities a transition takes into a group, or out of it, and on which condition: a formula as text."""

    transition: Transition
    members: tuple[tuple[Term, str], ...]

    def equations(self, ots: Ots, ghost: str, w: _GroupWords) -> list[str]:
        """What the ghost observer is after the transition."""
        operator, condition = self.transition.operator, self.transition.condition
        left = f"{ghost}({show(operator.apply(ots.state, self.transition.parameters))})"
        before = after = f"{ghost}({ots.state.op.name})"
        for entity, is_in in self.members:
            joined, without = f"{w.join}({_plain(entity)}, {after})", f"{w.without}({_plain(entity)}, {after})"
            known = {"true": joined, "false": without}
            after = known.get(is_in, f"(if {is_in} then {joined} else {without} fi)")
        if condition is None or after == before:
            return [f"eq {left} = {after} ."]
        lines = [f"ceq {left} = {after} if {_plain(condition)} ."]
        if not self.transition.stated:
            lines.append(f"ceq {left} = {before} if not ({_plain(condition)}) .")
        return lines


def _collect_named(term: Term, index: Term, before: Term, named: dict[Term, None]) -> None:
    """The terms that an index is compared with; `_CannotFollow` if it occurs in any other way.

    It may occur in the value that the observer had before.
    """
    if term is before:
        return
    if term is index:
        raise _CannotFollow
    if term.op.native is Builtin.EQUALS and index in term.args:
        other = next(arg for arg in (*term.args, index) if arg is not index or arg is term.args[-1])
        if index in variables_of(other):
            raise _CannotFollow
        named[other] = None
        return
    for arg in term.args:
        _collect_named(arg, index, before, named)


def _is_one_of(observed: str, group: CountedGroup) -> str:
    """The formula that an observed value is one of the group's, as text."""
    texts = {"true": observed, "false": f"(not {observed})"}
    parts = [texts.get(show(value), f"({observed} = {show(value)})") for value in group.values]
    return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"


def _plain(term: Term) -> str:
    """The text of a term whose variables occurred before."""
    return show(term, {each.op.name: each for each in variables_of(term)})


def _successor(numbers: NumberSort, text: str) -> str:
    hole = variable("HOLE", numbers.sort)
    return _plain(numbers.successor.make((hole,))).replace("HOLE", text)


def _numeral(numbers: NumberSort, count: int) -> str:
    if numbers.is_built_in:
        return str(count)
    text = show(numbers.zero)
    for _ in range(count):
        text = _successor(numbers, text)
    return text
