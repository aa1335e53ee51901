"""A random observational transition system as plain data; nothing here knows otsrw or CafeOBJ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Node(NamedTuple):
    """A term: its kind, the name that the kind needs, and its arguments.

    Kinds: const, var, obs (in the state before), fn, and the built-in ones: = < and or not implies iff xor if in add
    entry s zero empty.
    """

    kind: str
    name: str = ""
    args: tuple[Node, ...] = ()

    def nodes(self) -> Iterator[Node]:
        """The term and everything in it."""
        yield self
        for arg in self.args:
            yield from arg.nodes()


class Parameter(NamedTuple):
    """A variable with its sort."""

    name: str
    sort: str

    @property
    def node(self) -> Node:
        return Node("var", self.name)


TRUE = Node("const", "true")
FALSE = Node("const", "false")
ZERO = Node("zero")
PHASES = ("f0", "f1", "f2", "f3")
"""A system that has phases goes through them one by one."""


def equal(left: Node, right: Node) -> Node:
    return Node("=", "", (left, right))


def negation(inner: Node) -> Node:
    return Node("not", "", (inner,))


def conjunction(parts: list[Node]) -> Node:
    """All of them; true if there are none."""
    found = parts[0] if parts else TRUE
    for part in parts[1:]:
        found = Node("and", "", (found, part))
    return found


class Equation(NamedTuple):
    """An equation of a data function."""

    patterns: tuple[Node, ...]
    value: Node
    condition: Node | None = None
    is_owise: bool = False
    """Is it for arguments that no other equation of the function takes?"""


@dataclass(frozen=True)
class Function:
    """A data function; several equations may apply to the same arguments, or none."""

    name: str
    arity: tuple[str, ...]
    result: str
    equations: tuple[Equation, ...]


class Observer(NamedTuple):
    """An observer; it has a value for every process if `per_pid`."""

    name: str
    sort: str
    per_pid: bool
    initial: Node


class Effect(NamedTuple):
    """A new value, where its condition holds; the index of the observer is the variable I."""

    condition: Node | None
    value: Node


@dataclass(frozen=True)
class Transition:
    """A guarded step; an observer without effects keeps its value."""

    name: str
    parameters: tuple[Parameter, ...]
    guard: Node
    effects: dict[str, tuple[Effect, ...]]


@dataclass(frozen=True)
class Invariant:
    """A formula for all values of its parameters."""

    name: str
    parameters: tuple[Parameter, ...]
    formula: Node


Entities = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class System:
    """A whole system, and what was planted in it."""

    seed: int
    plant: str
    labels: tuple[str, ...]
    junk: str
    """A label that a later module adds; empty if there is none."""
    junk_import: str
    same: tuple[str, str] | None
    """Two labels that an equation on `=` makes equal."""
    has_unequal: bool
    """Do equations say that labels differ?"""
    has_admins: bool
    collection: str
    has_numbers: bool
    has_arithmetic: bool
    """Are the numbers those of the built-in module NAT?"""
    functions: tuple[Function, ...]
    observers: tuple[Observer, ...]
    transitions: tuple[Transition, ...]
    invariants: tuple[Invariant, ...]

    @property
    def all_labels(self) -> tuple[str, ...]:
        return (*self.labels, self.junk) if self.junk else self.labels

    @property
    def has_phases(self) -> bool:
        return any(observer.sort == "Phase" for observer in self.observers)

    @property
    def starts_with_pid(self) -> bool:
        """Has the initial state a process as its argument?"""
        return any(observer.sort == "Pid" for observer in self.observers)

    @property
    def used_functions(self) -> set[str]:
        """Functions that guards, effects and invariants apply; the functions drawn apply none but themselves."""
        terms = [invariant.formula for invariant in self.invariants]
        for transition in self.transitions:
            terms.append(transition.guard)
            for effect in (each for effects in transition.effects.values() for each in effects):
                terms += [effect.value] if effect.condition is None else [effect.value, effect.condition]
        return {node.name for term in terms for node in term.nodes() if node.kind == "fn"}

    def sizes(self) -> tuple[Entities, ...]:
        """Entities of the instances that are compared, smaller ones first."""
        if self.has_admins:
            return ({"Pid": ("p1",), "Admin": ("q1",)}, {"Pid": ("p1", "p2"), "Admin": ("q1",)})
        return tuple({"Pid": ("p1", "p2", "p3")[:count]} for count in (1, 2, 3))
