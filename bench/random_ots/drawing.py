"""Draws random systems, clean ones and ones with a planted defect; the same seed gives the same system."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from itertools import product

from random_ots.model import (
    FALSE,
    PHASES,
    TRUE,
    ZERO,
    Effect,
    Equation,
    Function,
    Invariant,
    Node,
    Observer,
    Parameter,
    System,
    Transition,
    conjunction,
    equal,
    negation,
)

PLANTS = (
    "clean",
    "clean",
    "clean",
    "clean",
    "overlap-function",
    "overlap-effect",
    "gap-function",
    "gap-effect",
    "junk-ex",
    "junk-pr",
    "subsort-overlap",
    "subsort-gap",
    "quotient",
    "pick-from-set",
    "size-of-set",
    "key-twice",
)
LATER_SEEDS = 1_000_000
"""From here on systems may have what was added later; the systems of earlier seeds stay what they are."""
LATER_PLANTS = ("owise", "owise", "clean", "clean")
LABELS = ("a", "b", "c")
LATE = 0.4
"""How often the first transition waits for the last phase, so that a short search sees nothing of it."""
INDEX, J, K, L, A = (Parameter(n, s) for n, s in zip("IJKLA", ("Pid", "Pid", "Pid", "Label", "Admin"), strict=True))


def constant(name: str) -> Node:
    return Node("const", name)


def draw(seed: int) -> System:
    """The system of a seed."""
    return _Drawing(random.Random(seed), seed).system()


@dataclass
class _Scope:
    """The terms in reach: observers at S, functions, and variables."""

    observers: tuple[Observer, ...]
    functions: tuple[Function, ...]
    labels: tuple[str, ...]
    variables: tuple[Parameter, ...]
    has_arithmetic: bool = False

    def basic(self, sort: str) -> list[Node]:
        """Variables and observations of a sort."""
        found = [v.node for v in self.variables if v.sort == sort or (sort == "Pid" and v.sort == "Admin")]
        pids = [v.node for v in self.variables if v.sort in ("Pid", "Admin")]
        for observer in self.observers:
            if observer.sort == sort:
                indexes: list[tuple[Node, ...]] = [(pid,) for pid in pids] if observer.per_pid else [()]
                found += [Node("obs", observer.name, index) for index in indexes]
        return found

    def applied(self, sort: str) -> list[Node]:
        """Functions with values of a sort, applied to variables and observations."""
        found = []
        for function in self.functions:
            if function.result == sort:
                choices = [self.basic(argument) for argument in function.arity]
                found += [Node("fn", function.name, args) for args in product(*choices)]
        return found

    def terms(self, sort: str) -> list[Node]:
        return [*self.basic(sort), *self.applied(sort)]

    def atoms(self) -> list[Node]:
        labels, pids, numbers = self.terms("Label"), self.terms("Pid"), self.terms("Nat")
        found = [equal(term, constant(label)) for term in labels for label in self.labels]
        found += [equal(x, y) for terms in (labels, pids) for x in terms for y in terms if x < y]
        found += self.terms("Bool")
        for collection in [*self.basic("Bag"), *self.basic("Set")]:
            found += [Node("in", "", (pid, collection)) for pid in pids]
        found += [equal(number, value) for number in numbers for value in (ZERO, Node("s", "", (ZERO,)))]
        if self.has_arithmetic:
            found += [Node("<", "", (number, bound)) for number in numbers for bound in BOUNDS]
            found += [Node("<", "", (x, y)) for x in numbers for y in numbers if x < y]
        return found or [TRUE]


ONE = Node("s", "", (ZERO,))
BOUNDS = (ONE, Node("s", "", (ONE,)), Node("s", "", (Node("s", "", (ONE,)),)))
PHASE = Observer("phase", "Phase", False, constant(PHASES[0]))
_IN_PHASE = Node("obs", "phase")
TICK = Transition("tick", (), TRUE, {"phase": (Effect(None, Node("fn", "next", (_IN_PHASE,))),)})


def _next_phase() -> Function:
    pairs = zip(PHASES, (*PHASES[1:], PHASES[-1]), strict=True)
    return Function("next", ("Phase",), "Phase", tuple(Equation((constant(x),), constant(y)) for x, y in pairs))


def _late(transition: Transition) -> Transition:
    """The transition, in the last phase only."""
    return replace(transition, guard=conjunction([equal(_IN_PHASE, constant(PHASES[-1])), transition.guard]))


def _uses(node: Node, name: str) -> bool:
    return any(inner.kind == "fn" and inner.name == name for inner in node.nodes())


class _Drawing:
    """The choices for one system."""

    def __init__(self, rng: random.Random, seed: int) -> None:
        self.rng = rng
        self.seed = seed
        is_later = seed >= LATER_SEEDS
        self.plant = rng.choice((*PLANTS, *LATER_PLANTS) if is_later else PLANTS)
        self.labels = LABELS[: rng.choice((2, 3))]
        self.junk = "d" if self.plant.startswith("junk") else ""
        self.has_admins = self.plant.startswith("subsort") or (self.plant == "clean" and rng.random() < 0.15)
        self.collection = {"pick-from-set": "Set", "size-of-set": "Set", "key-twice": "Map"}.get(self.plant, "")
        if self.plant in ("clean", "overlap-effect") and rng.random() < 0.4:
            self.collection = rng.choice(("Bag", "Set"))
        self.is_late = rng.random() < LATE
        self.has_numbers = self.plant == "size-of-set" or (not self.junk and rng.random() < 0.25)
        self.has_arithmetic = is_later and self.plant != "size-of-set" and not self.junk and rng.random() < 0.3
        self.has_numbers |= self.has_arithmetic

    def system(self) -> System:
        functions = self._functions()
        observers = self._observers()
        transitions = [self._transition(f"t{n}", observers, functions, n) for n in range(self.rng.randint(1, 3))]
        invariants = tuple(self._invariant(f"inv{n}", observers, functions) for n in range(2))
        if self.is_late:
            functions, observers = (*functions, _next_phase()), (*observers, PHASE)
            transitions = [_late(transitions[0]), *transitions[1:], TICK]
        return System(
            seed=self.seed,
            plant=self.plant,
            labels=self.labels,
            junk=self.junk,
            junk_import=self.plant.removeprefix("junk-"),
            same=(self.labels[0], self.labels[1]) if self.plant == "quotient" else None,
            has_unequal=self.plant == "quotient" or self.rng.random() < 0.8,
            has_admins=self.has_admins,
            collection=self.collection,
            has_numbers=self.has_numbers,
            has_arithmetic=self.has_arithmetic,
            functions=functions,
            observers=observers,
            transitions=tuple(transitions),
            invariants=invariants,
        )

    # --- functions

    def _functions(self) -> tuple[Function, ...]:
        found = []
        if self.plant == "owise":
            found.append(self._for_all_others())
        elif self.plant in ("overlap-function", "gap-function", "quotient") or self.junk or self.rng.random() < 0.6:
            by_number = self.has_numbers and not self.has_arithmetic and self.rng.random() < 0.5
            found.append(self._on_numbers() if by_number else self._on_labels())
        if self.plant.startswith("subsort"):
            equations = [Equation((A.node,), self._label())]
            if self.plant == "subsort-overlap":
                equations.append(Equation((J.node,), self._label()))
            found.append(Function("kind", ("Pid",), "Label", tuple(equations)))
        item, rest = Node("var", "X"), Node("var", "B")
        added, nothing = Node("add", "", (item, rest)), Node("empty", self.collection)
        if self.plant == "pick-from-set":
            found.append(Function("pick", ("Set",), "Pid", (Equation((added,), item),)))
        elif self.plant == "key-twice":
            found.append(self._lookup())
        elif self.plant == "size-of-set" or (self.collection == "Bag" and self.has_numbers and not self.has_arithmetic):
            more = Node("s", "", (Node("fn", "size", (rest,)),))
            equations = [Equation((nothing,), ZERO), Equation((added,), more)]
            found.append(Function("size", (self.collection,), "Nat", tuple(equations)))
        return tuple(found)

    def _lookup(self) -> Function:
        entry = Node("entry", "", (Node("var", "X"), L.node))
        rest = Node("var", "B")
        other = Node("fn", "lookup", (J.node, rest))
        value = Node("if", "", (equal(J.node, Node("var", "X")), L.node, other))
        nothing = Equation((J.node, Node("empty", "Map")), self._label())
        return Function(
            "lookup", ("Pid", "Map"), "Label", (nothing, Equation((J.node, Node("add", "", (entry, rest))), value))
        )

    def _label(self) -> Node:
        return constant(self.rng.choice(self.labels))

    def _result(self, sort: str) -> Node:
        return self._label() if sort == "Label" else self.rng.choice((TRUE, FALSE))

    def _damaged(self, equations: list[Equation], others: list[Equation]) -> tuple[Equation, ...]:
        """The equations of a total function without overlaps, with the planted defect."""
        if self.plant == "gap-function":
            equations.pop(self.rng.randrange(len(equations)))
        elif self.plant == "overlap-function":
            equations.append(self.rng.choice(others))
        return tuple(equations)

    def _on_labels(self) -> Function:
        result = self.rng.choice(("Label", "Label", "Bool"))
        arity = self.rng.choice((1, 1, 1, 2))
        constants = [constant(label) for label in self.labels]
        shape = self.rng.randrange(3) if arity == 1 else 0
        if shape == 0:
            equations = [Equation(args, self._result(result)) for args in product(constants, repeat=arity)]
        else:
            test = equal(L.node, self.rng.choice(constants))
            yes, no = self._result(result), self._result(result)
            equations = [Equation((L.node,), yes, test), Equation((L.node,), no, negation(test))]
            if shape == 1 and self.plant != "gap-function":
                equations = [Equation((L.node,), Node("if", "", (test, yes, no)))]
        patterns = (L.node, *(self.rng.choice(constants) for _ in range(arity - 1)))
        other = equal(L.node, self.rng.choice(constants))
        others = [
            Equation(patterns, self._result(result)),
            Equation(patterns, self._result(result), self.rng.choice((other, negation(other)))),
            Equation((self.rng.choice(constants), *patterns[1:]), self._result(result)),
        ]
        return Function("f", ("Label",) * arity, result, self._damaged(equations, others))

    def _for_all_others(self) -> Function:
        """A function with an equation for one or two labels, perhaps on a condition, and one for all others."""
        result = self.rng.choice(("Label", "Bool"))
        few = self.rng.sample([constant(label) for label in self.labels], self.rng.choice((1, 1, 2)))
        equations = [Equation((label,), self._result(result)) for label in few]
        if self.rng.random() < 0.3:
            equations.append(Equation((L.node,), equations[0].value, equal(L.node, few[0])))
        return Function("f", ("Label",), result, (*equations, Equation((L.node,), self._result(result), None, True)))

    def _on_numbers(self) -> Function:
        result = self.rng.choice(("Label", "Bool"))
        number = Node("var", "N")
        one, more = Node("s", "", (ZERO,)), Node("s", "", (Node("s", "", (number,)),))
        deep = self.rng.choice((self._result(result), Node("fn", "g", (number,))))
        equations = [Equation((p,), self._result(result)) for p in (ZERO, one)] + [Equation((more,), deep)]
        after = Node("s", "", (number,))
        others = [Equation((p,), self._result(result)) for p in (number, after, Node("s", "", (one,)))]
        return Function("g", ("Nat",), result, self._damaged(equations, others))

    # --- observers, transitions, invariants

    def _observers(self) -> tuple[Observer, ...]:
        found = [Observer("pc", "Label", True, self._label())]
        optional = [
            Observer("mode", "Label", False, self._label()),
            Observer("flag", "Bool", True, self._result("Bool")),
            Observer("lock", "Bool", False, self._result("Bool")),
            Observer("turn", "Pid", False, Node("var", "P")),
        ]
        found += self.rng.sample(optional, self.rng.randint(0, 2))
        if self.has_numbers:
            found.append(Observer("count", "Nat", False, ZERO))
        if self.collection:
            found.append(Observer("data", self.collection, False, Node("empty", self.collection)))
        return tuple(found)

    def _literal(self, scope: _Scope, needed: str = "") -> Node:
        atoms = scope.atoms()
        wanted = [atom for atom in atoms if _uses(atom, needed)] if needed else []
        atom = self.rng.choice(wanted or atoms)
        return atom if self.rng.random() < 0.6 else negation(atom)

    def _new_value(self, scope: _Scope, observer: Observer) -> Node:
        rng, sort = self.rng, observer.sort
        old = Node("obs", observer.name, (INDEX.node,) if observer.per_pid else ())
        pids = [v.node for v in scope.variables if v.sort in ("Pid", "Admin")]
        match sort:
            case "Label":
                labels = [constant(label) for label in self.labels]
                return rng.choice([*labels, *labels, *scope.terms("Label")])
            case "Bool":
                return rng.choice([TRUE, FALSE, TRUE, FALSE, *scope.terms("Bool"), self._literal(scope)])
            case "Pid":
                return rng.choice([*scope.terms("Pid"), old])
            case "Nat":
                return rng.choice([ZERO, Node("s", "", (old,)), Node("s", "", (old,))])
        items = pids
        if sort == "Map":
            labels = [constant(label) for label in self.labels]
            items = [Node("entry", "", (pid, label)) for pid in pids for label in labels]
        grown = [Node("add", "", (item, old)) for item in items]
        return rng.choice([Node("empty", sort), *grown, *grown])

    def _transition(
        self, name: str, observers: tuple[Observer, ...], functions: tuple[Function, ...], number: int
    ) -> Transition:
        rng = self.rng
        choices = [(J,), (J,), (J,), (J, K), (), (J, L), (L,)]
        choices += [(A,), (J, A)] * 2 if self.has_admins else []
        parameters = rng.choice(choices)
        scope = _Scope(observers, functions, (*self.labels, *self.junk), parameters, self.has_arithmetic)
        literals = [self._literal(scope) for _ in range(rng.randint(0, 2))]
        if number == 0 and functions:
            literals.append(self._literal(scope, functions[-1].name))
        changed = rng.sample(observers, min(len(observers), rng.randint(1, 2)))
        if number == 0:
            changed += [observer for observer in observers if observer.name == "data" and observer not in changed]
        inner = scope
        effects = {observer.name: self._effects(inner, observer) for observer in changed}
        if self.plant in ("overlap-effect", "gap-effect") and number == 0:
            self._damage(inner, changed[0], effects)
        return Transition(name, parameters, conjunction(literals), effects)

    def _effects(self, scope: _Scope, observer: Observer) -> tuple[Effect, ...]:
        value = self._new_value(scope, observer)
        if not observer.per_pid:
            return (Effect(None, value),)
        pids = [v.node for v in scope.variables if v.sort in ("Pid", "Admin")]
        test = (
            equal(INDEX.node, self.rng.choice(pids))
            if pids
            else self._literal(_Scope(scope.observers, (), scope.labels, (INDEX,)))
        )
        same = Node("obs", observer.name, (INDEX.node,))
        match self.rng.randrange(4):
            case 0:
                return (Effect(None, value),)
            case 1:
                return (Effect(test, value), Effect(negation(test), same))
        return (Effect(None, Node("if", "", (test, value, same))),)

    def _damage(self, scope: _Scope, observer: Observer, effects: dict[str, tuple[Effect, ...]]) -> None:
        """One more effect on the observer, or one that is there only under a condition."""
        first, *others = effects[observer.name]
        condition = self._literal(scope)
        if self.plant == "gap-effect":
            both = condition if first.condition is None else conjunction([first.condition, condition])
            effects[observer.name] = (Effect(both, first.value), *others)
        else:
            extra = Effect(self.rng.choice((None, condition)), self._new_value(scope, observer))
            effects[observer.name] = (first, *others, extra)

    def _invariant(self, name: str, observers: tuple[Observer, ...], functions: tuple[Function, ...]) -> Invariant:
        rng = self.rng
        choices = [(INDEX,), (INDEX, J), (INDEX, J), (INDEX, J), (INDEX, L)] + (
            [(A,), (INDEX, A)] if self.has_admins else []
        )
        parameters = rng.choice(choices)
        scope = _Scope(observers, functions, (*self.labels, *self.junk), parameters, self.has_arithmetic)
        parts = [self._literal(scope) for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.2:
            parts = [Node(rng.choice(("or", "implies", "iff", "xor")), "", (parts[0], parts[-1])), *parts[1:-1]]
        if rng.random() < 0.6:
            return Invariant(name, parameters, negation(conjunction(parts)))
        return Invariant(name, parameters, Node("implies", "", (conjunction(parts), self._literal(scope))))
