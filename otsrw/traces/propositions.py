"""What the atoms of a formula mean in a system: at which states they are true, or after which events."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from otsrw.records import dataclass
from otsrw.syntax.diagnostics import Diagnostic, SyntaxProblem, did_you_mean
from otsrw.syntax.source import NOWHERE
from otsrw.traces.ltl import Atom, Formula
from otsrw.traces.lts import Lts
from otsrw.traces.matching import Match, label_test
from otsrw.traces.trace import Label, Value

_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Letters:
    """The atoms that are true at a position, as bits: those of its state and those of the event that led there."""

    atoms: tuple[Atom, ...]
    of_state: tuple[int, ...]
    of_action: tuple[int, ...]

    def at(self, action: int, state: int) -> int:
        """`action` is -1 if no event led there."""
        return self.of_state[state] | (self.of_action[action] if action >= 0 else 0)


def letters_of(lts: Lts, formulas: Iterable[Formula], match: Match = Match.EXACT) -> Letters:
    atoms = tuple(dict.fromkeys(atom for formula in formulas for atom in formula.atoms()))
    meaning = _Meaning(lts, match)
    of_state, of_action = [0] * lts.states, [0] * len(lts.labels)
    for number, atom in enumerate(atoms):
        found, of_events = meaning.of(atom)
        bits = of_action if of_events else of_state
        for index, holds in enumerate(found):
            bits[index] |= holds << number
    return Letters(atoms, tuple(of_state), tuple(of_action))


def suspects(lts: Lts, formulas: Iterable[Formula], match: Match = Match.EXACT) -> list[Diagnostic]:
    """Warnings for values that no state has and for events that no transition is: a slip there makes a formula hold."""
    meaning = _Meaning(lts, match)
    found = []
    for atom in dict.fromkeys(atom for formula in formulas for atom in formula.atoms()):
        truth = meaning.of(atom)[0]
        if atom.relation == "!=":
            truth = [not holds for holds in truth]
        if any(truth) or atom.relation not in ("", "=", "!=") or atom.kind == "deadlock":
            continue
        known = meaning.values(atom.name) if atom.kind == "comparison" else meaning.happening
        word = atom.value or atom.name
        hint = did_you_mean(word, known) or (f"there are {', '.join(known[:12])}" if known else None)
        if atom.kind != "comparison" and word in lts.declared:
            hint = "it is declared, but no transition of the graph is one"
        what = f"never has the value {word}" if atom.kind == "comparison" else "never happens"
        found.append(Diagnostic("W129", f"{atom.name} {what}, as far as the graph goes", atom.span or NOWHERE, hint))
    return found


def looks_ahead(atom: Atom) -> bool:
    """Whether an atom is about the transitions that leave a state: nothing is known of that at a frontier."""
    return atom.kind in ("enabled", "deadlock")


class _Meaning:
    def __init__(self, lts: Lts, match: Match) -> None:
        self.lts = lts
        self.match = match
        self.types = dict.fromkeys((*(event.transition for event in lts.events), *lts.declared))
        self.observers = {name: column for column, name in enumerate(lts.observers)}

    @property
    def happening(self) -> list[str]:
        """Types and labels of events that happen."""
        return [*dict.fromkeys(event.transition for event in self.lts.events), *self.lts.labels]

    def of(self, atom: Atom) -> tuple[list[bool], bool]:
        """For each action or each state whether the atom holds, and whether it is about actions."""
        match atom.kind:
            case "deadlock":
                return [not self.lts.outgoing.degree(state) for state in range(self.lts.states)], False
            case "enabled":
                return self._enabled(atom), False
            case "comparison":
                return self._compared(atom), False
            case "event":
                return self._events(atom, self.match), True
        observer, event = atom.name in self.observers, self._is_event(atom.name)
        if observer and event:
            raise SyntaxProblem(
                "E129",
                f"{atom.name} is an observer and an event",
                atom.span or NOWHERE,
                f'write "{atom.name}" for the event, or {atom.name} = true',
            )
        if observer:
            return self._compared(Atom("comparison", atom.name, "=", "true", atom.span)), False
        if event:
            return self._events(atom, None), True
        known = [*self.types, *self.observers, *self.lts.labels]
        raise SyntaxProblem(
            "E129",
            f"neither an observer nor an event is called {atom.name}",
            atom.span or NOWHERE,
            did_you_mean(atom.name, known) or f"there are {', '.join([*self.types, *self.observers][:12])}",
        )

    def values(self, observer: str) -> list[str]:
        """What an observer is seen to have, as text."""
        column = self.observers[observer]
        return sorted({str(row[column]) for row in self.lts.valuations})

    def _is_event(self, name: str) -> bool:
        return name in self.types or name in self.lts.labels or Label.read(name).transition in self.types

    def _events(self, atom: Atom, match: Match | None) -> list[bool]:
        """A word is a type of events, a label, or a label in which `_` stands for any argument."""
        if match is not None:
            test = label_test(atom.name, match)
            return [test(label) for label in self.lts.labels]
        if atom.name in self.types:
            return [event.transition == atom.name for event in self.lts.events]
        wanted = Label.read(atom.name)
        found = [
            label == atom.name or _fits(wanted, event)
            for label, event in zip(self.lts.labels, self.lts.events, strict=True)
        ]
        if not any(found):
            size = {len(e.arguments) for e in self.lts.events if e.transition == wanted.transition}
            size = size or {n for name, n in self.lts.declared.items() if name == wanted.transition}
            if size and len(wanted.arguments) not in size:
                raise SyntaxProblem(
                    "E129",
                    f"{wanted.transition} has {size.pop()} arguments, not {len(wanted.arguments)}",
                    atom.span or NOWHERE,
                )
        return found

    def _enabled(self, atom: Atom) -> list[bool]:
        if not self._is_event(atom.name):
            self.of(Atom("name", atom.name, span=atom.span))
            raise SyntaxProblem(
                "E129", f"{atom.name} is no event", atom.span or NOWHERE, f"there are {', '.join(self.types)}"
            )
        wanted = self._events(atom, None)
        found = [False] * self.lts.states
        for source, action in zip(self.lts.sources, self.lts.actions, strict=True):
            found[source] = found[source] or wanted[action]
        return found

    def _compared(self, atom: Atom) -> list[bool]:
        column = self.observers.get(atom.name)
        if column is None:
            hint = did_you_mean(atom.name, self.observers) or (
                f"there are {', '.join(list(self.observers)[:12])}" if self.observers else "there are only events here"
            )
            raise SyntaxProblem("E129", f"no observer is called {atom.name}", atom.span or NOWHERE, hint)
        values = {_told_apart(row[column]) for row in self.lts.valuations}
        truth = {value: self._holds(atom, value) for value in values}
        return [truth[_told_apart(row[column])] for row in self.lts.valuations]

    def _holds(self, atom: Atom, value: tuple[Value, bool]) -> bool:
        seen, is_truth = value
        if is_truth:
            if atom.relation not in ("=", "!=") or atom.value not in ("true", "false"):
                self._refuse(atom, "is a truth value")
            return (seen == (atom.value == "true")) is (atom.relation == "=")
        if isinstance(seen, int):
            try:
                return _RELATIONS[atom.relation](seen, int(atom.value))
            except ValueError:
                self._refuse(atom, "is a number")
        if atom.relation not in ("=", "!="):
            self._refuse(atom, "is neither a number nor a truth value, so it has no order")
        if atom.value in ("true", "false"):
            self._refuse(atom, "is no truth value")
        return ("".join(str(seen).split()) == "".join(atom.value.split())) is (atom.relation == "=")

    def _refuse(self, atom: Atom, why: str) -> NoReturn:
        raise SyntaxProblem("E129", f"{atom.name} {why}: {atom}", atom.span or NOWHERE)


def _told_apart(value: Value) -> tuple[Value, bool]:
    """1 and true are different keys."""
    return value, isinstance(value, bool)


def _fits(wanted: Label, event: Label) -> bool:
    return (
        wanted.transition == event.transition
        and len(wanted.arguments) == len(event.arguments)
        and all(w in ("_", a) for w, a in zip(wanted.arguments, event.arguments, strict=True))
    )
