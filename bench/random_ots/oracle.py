"""The oracle: explicit states in plain Python. It imports the data of a system and nothing of otsrw.

Where several equations, or several matches of one, give different values, a resolution takes one of them; where none
applies, it takes any value of the sort. What is true of a system is true in all its resolutions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from random_ots.model import (
    PHASES,
    Entities,
    Equation,
    Function,
    Invariant,
    Node,
    Observer,
    Parameter,
    System,
    Transition,
)

Value = Any
"""A label or process (str), Bool, number (int), bag (sorted tuple) or set (frozenset)."""
Env = dict[str, Value]
State = tuple[Value, ...]

RESOLUTIONS = ("least", "greatest", "mixed-1", "mixed-2", "own")
"""In `own` the value of a function where it has none is itself, a new one, as in the initial model; not for Bool."""


@dataclass
class Seen:
    """What exploring an instance has shown; `levels[k]` is the number of states within k steps."""

    levels: list[int]
    violated: dict[str, int]
    exhausted: bool
    depth: int


@dataclass
class Oracle:
    """One instance of a system in one resolution; `identify` makes labels one that an equation on `=` makes equal."""

    system: System
    entities: Entities
    resolution: str = "least"
    identify: bool = False
    ambiguous: set[str] = field(default_factory=set)
    gaps: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._functions = {function.name: function for function in self.system.functions}
        self._known: dict[tuple[str, tuple[Value, ...]], tuple[Value, ...]] = {}
        pids = self.domain("Pid")
        self._slots: list[tuple[Observer, Value]] = [
            (observer, index) for observer in self.system.observers for index in (pids if observer.per_pid else (None,))
        ]
        self._place = {(observer.name, index): number for number, (observer, index) in enumerate(self._slots)}

    # --- values

    def domain(self, sort: str) -> tuple[Value, ...]:
        """The values of a sort; some of them if there are infinitely many."""
        match sort:
            case "Label":
                return tuple(dict.fromkeys(self._label(name) for name in self.system.all_labels))
            case "Pid":
                return (*self.entities["Pid"], *self.entities.get("Admin", ()))
            case "Admin":
                return self.entities["Admin"]
            case "Bool":
                return (False, True)
            case "Nat":
                return (0, 1, 2, 3)
            case "Phase":
                return PHASES
        pids = self.domain("Pid")
        if sort == "Set":
            return (frozenset(), *(frozenset({x}) for x in pids), *(frozenset({x, pids[0]}) for x in pids[1:]))
        items = pids if sort == "Bag" else tuple(product(pids, self.domain("Label")))
        return ((), *((x,) for x in items), *(tuple(sorted((x, y), key=repr)) for x in items for y in items))

    def _label(self, name: str) -> str:
        same = self.system.same
        return same[0] if self.identify and same and name == same[1] else name

    def _are_equal(self, left: Value, right: Value) -> bool:
        same = self.system.same
        return bool(left == right) or (same is not None and {left, right} == set(same))

    # --- functions

    def all_values(self, name: str, args: tuple[Value, ...]) -> tuple[Value, ...]:
        """Every value that some order of equations and some match gives."""
        key = name, args
        if key not in self._known:
            self._known[key] = ()
            equations = self._functions[name].equations
            usual = [equation for equation in equations if not equation.is_owise and self._applies(equation, args)]
            used = usual or [equation for equation in equations if equation.is_owise]
            found = {value for equation in used for value in self._by(equation, args)}
            self._known[key] = tuple(sorted(found, key=repr))
        return self._known[key]

    def _applies(self, equation: Equation, args: tuple[Value, ...]) -> bool:
        return any(
            equation.condition is None or True in self._values(equation.condition, env)
            for env in self._matches(equation.patterns, args, {})
        )

    def _by(self, equation: Equation, args: tuple[Value, ...]) -> Iterator[Value]:
        for env in self._matches(equation.patterns, args, {}):
            if equation.condition is None or True in self._values(equation.condition, env):
                yield from self._values(equation.value, env)

    def _matches(self, patterns: tuple[Node, ...], args: tuple[Value, ...], env: Env) -> Iterator[Env]:
        if not patterns:
            yield env
            return
        pattern, value = patterns[0], args[0]
        for found in self._match(pattern, value, env):
            yield from self._matches(patterns[1:], args[1:], found)

    def _match(self, pattern: Node, value: Value, env: Env) -> Iterator[Env]:
        match pattern.kind:
            case "var":
                if pattern.name != "A" or value in self.domain("Admin"):
                    yield {**env, pattern.name: value}
            case "s":
                if isinstance(value, int) and value > 0:
                    yield from self._match(pattern.args[0], value - 1, env)
            case "add":
                for item in sorted(set(value), key=repr):
                    for inner in self._match(pattern.args[0], item, env):
                        yield from self._match(pattern.args[1], _without(value, item), inner)
            case "entry":
                yield from self._matches(pattern.args, value, env)
            case _:
                if value == self._built_in(pattern, (), env, ()):
                    yield env

    def _values(self, node: Node, env: Env) -> set[Value]:
        """All values of the right side of an equation."""
        if node.kind == "if":
            return {
                value for test in self._values(node.args[0], env) for value in self._values(node.args[2 - test], env)
            }
        found: set[Value] = set()
        for args in product(*(self._values(arg, env) for arg in node.args)):
            if node.kind == "fn":
                found.update(self.all_values(node.name, args))
            else:
                found.add(self._built_in(node, args, env, ()))
        return found

    def _chosen(self, found: tuple[Value, ...], subject: str, args: tuple[Value, ...], sort: str) -> Value:
        """One of the values found; any value of the sort if there is none."""
        if len(found) == 1:
            return found[0]
        (self.ambiguous if found else self.gaps).add(subject)
        if self.resolution == "own" and not found and sort != "Bool" and subject in self._functions:
            return ("?", subject, args)
        values = sorted(found or self.domain(sort), key=repr)
        if self.resolution == "least":
            return values[0]
        if self.resolution == "greatest":
            return values[-1]
        return random.Random(f"{self.resolution} {subject} {args!r}").choice(values)

    def _applied(self, function: Function, args: tuple[Value, ...]) -> Value:
        if function.name == "size" and function.arity == ("Set",) and args[0]:
            self.ambiguous.add(function.name)  # {x} is (x , {x}), too
        return self._chosen(self.all_values(function.name, args), function.name, args, function.result)

    def probe(self) -> None:
        """Find ambiguous values and gaps of the functions that the system uses, for reachable arguments or not."""
        used = self.system.used_functions
        for function in self.system.functions:
            if function.name not in used:
                continue
            for args in product(*map(self.domain, function.arity)):
                self._applied(function, args)

    # --- terms in a state

    def value(self, node: Node, env: Env, state: State) -> Value:
        args = tuple(self.value(arg, env, state) for arg in node.args)
        if node.kind == "fn":
            return self._applied(self._functions[node.name], args)
        return self._built_in(node, args, env, state)

    def _built_in(self, node: Node, args: tuple[Value, ...], env: Env, state: State) -> Value:
        match node.kind:
            case "const":
                return node.name == "true" if node.name in ("true", "false") else self._label(node.name)
            case "var":
                return env[node.name]
            case "obs":
                return state[self._place[node.name, args[0] if args else None]]
            case "zero":
                return 0
            case "s":
                return args[0] + 1 if isinstance(args[0], int) else ("?", "s", args)
            case "empty":
                return frozenset() if node.name == "Set" else ()
            case "add":
                one, others = args
                return others | {one} if isinstance(others, frozenset) else tuple(sorted((*others, one), key=repr))
            case "entry":
                return args
            case "in":
                return args[0] in args[1]
            case "=" | "<":
                return self._are_equal(*args) if node.kind == "=" else bool(args[0] < args[1])
            case "if":
                return args[1] if args[0] else args[2]
        return _connective(node.kind, *args)

    # --- states

    def initial_states(self) -> list[State]:
        starts = self.domain("Pid") if self.system.starts_with_pid else (None,)
        return [tuple(self.value(o.initial, {"P": start}, ()) for o, _ in self._slots) for start in starts]

    def _bindings(self, parameters: tuple[Parameter, ...]) -> Iterator[Env]:
        for values in product(*(self.domain(parameter.sort) for parameter in parameters)):
            yield {parameter.name: value for parameter, value in zip(parameters, values, strict=True)}

    def successors(self, state: State) -> Iterator[State]:
        for transition in self.system.transitions:
            for env in self._bindings(transition.parameters):
                if self.value(transition.guard, env, state):
                    yield self._after(transition, env, state)

    def _after(self, transition: Transition, env: Env, state: State) -> State:
        after = list(state)
        for number, (observer, index) in enumerate(self._slots):
            effects = transition.effects.get(observer.name)
            if effects is None:
                continue
            inner = {**env, "I": index}
            found = {
                self.value(effect.value, inner, state)
                for effect in effects
                if effect.condition is None or self.value(effect.condition, inner, state)
            }
            subject = f"{observer.name} after {transition.name}"
            chosen = self._chosen(tuple(found), subject, (index, *env.values()), observer.sort)
            after[number] = chosen
        return tuple(after)

    def is_violated(self, invariant: Invariant, state: State) -> bool:
        return any(not self.value(invariant.formula, env, state) for env in self._bindings(invariant.parameters))

    def explore(self, depth: int, most: int) -> Seen:
        """Breadth-first, to a depth or until there are too many states."""
        level = list(dict.fromkeys(self.initial_states()))
        known = set(level)
        seen = Seen([], {}, False, 0)
        while True:
            for invariant in self.system.invariants:
                if invariant.name not in seen.violated and any(self.is_violated(invariant, s) for s in level):
                    seen.violated[invariant.name] = seen.depth
            seen.levels.append(len(known))
            following = [after for state in level for after in self.successors(state)]
            level = [state for state in dict.fromkeys(following) if state not in known]
            if not level or seen.depth == depth or len(known) + len(level) > most:
                seen.exhausted = not level
                return seen
            known.update(level)
            seen.depth += 1


def _without(value: Value, item: Value) -> Value:
    if isinstance(value, frozenset):
        return value - {item}
    place = value.index(item)
    return (*value[:place], *value[place + 1 :])


def _connective(kind: str, *args: bool) -> bool:
    match kind:
        case "not":
            return not args[0]
        case "and":
            return args[0] and args[1]
        case "or":
            return args[0] or args[1]
        case "implies":
            return not args[0] or args[1]
        case "iff":
            return args[0] == args[1]
        case "xor":
            return args[0] != args[1]
    raise AssertionError(kind)
