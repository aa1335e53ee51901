"""Random equation systems over finite sorts, and what they mean by brute force.

Nothing here uses otsrw: a system is plain data, printed as CafeOBJ, and evaluated with every equation and every match.
Functions call only functions before them, or themselves on a smaller collection, so that evaluation ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, permutations, product
from random import Random

LOW, HIGH = ("l1", "l2"), ("l1", "l2", "h1")
LABELS = ("a", "b", "c")

Value = str | tuple[str, ...] | bool
Bindings = dict[str, Value]


@dataclass(frozen=True)
class Pattern:
    """Of an argument: a variable `X:High` or `L:Low`, a constant, or a collection of such with an optional rest."""

    kind: str
    name: str = ""
    parts: tuple[Pattern, ...] = ()
    before: str = ""
    after: str = ""

    def text(self) -> str:
        if self.kind in ("high", "low"):
            return f"{self.name}:{'High' if self.kind == 'high' else 'Low'}"
        if self.kind == "constant":
            return self.name
        sort, sign, empty = ("Set", ",", "mt") if self.kind == "set" else ("List", ";", "nil")
        pieces = [p.text() for p in self.parts]
        pieces = [f"{self.before}:{sort}"] * bool(self.before) + pieces + [f"{self.after}:{sort}"] * bool(self.after)
        return f"({f' {sign} '.join(pieces)})" if len(pieces) > 1 else pieces[0] if pieces else empty

    def elements(self) -> list[str]:
        if self.parts:
            return [name for part in self.parts for name in part.elements()]
        return [self.name] if self.kind in ("high", "low") else []


@dataclass(frozen=True)
class Formula:
    """`equal` of two terms, or its negation; a term is a variable, a constant, or a call."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    positive: bool

    def text(self) -> str:
        inside = f"({term_text(self.left)} = {term_text(self.right)})"
        return inside if self.positive else f"not {inside}"


@dataclass(frozen=True)
class RandomEquation:
    function: str
    patterns: tuple[Pattern, ...]
    result: tuple[str, ...]
    condition: Formula | None

    def text(self) -> str:
        head = f"{self.function}({', '.join(p.text() for p in self.patterns)}) = {term_text(self.result)}"
        return f"eq {head} ." if self.condition is None else f"ceq {head} if {self.condition.text()} ."


def term_text(term: tuple[str, ...]) -> str:
    name, *arguments = term
    return f"{name}({', '.join(arguments)})" if arguments else name


ARGUMENTS = {"f": ("high",), "k": ("high", "high"), "m": ("high", "high"), "g": ("set",), "t": ("list",)}
"""The functions; m is commutative."""


STYLES = {
    "unit": "collections may be empty",
    "plain": "collections have no empty one",
    "idem": "an element of a set counts once, by the attribute",
    "once": "an element of a set counts once, by an equation",
}


@dataclass(frozen=True)
class System:
    equations: tuple[RandomEquation, ...]
    style: str = "unit"
    _known: dict[tuple[str, tuple[Value, ...]], frozenset[Value]] = field(default_factory=dict, compare=False)

    def text(self) -> str:
        empty = self.style != "plain"
        set_theory = "assoc comm" + " idem" * (self.style == "idem") + " id: mt" * empty
        list_theory = "assoc" + " id: nil" * empty
        return "\n".join(
            [
                "mod! BASE { [Low < High] ops l1 l2 : -> Low {constr} op h1 : -> High {constr} }",
                "mod! LABELS { [Lab] ops a b c : -> Lab {constr} }",
                f"mod! SETS {{ pr(BASE) [High < Set] {'op mt : -> Set {constr}' * empty}",
                f"  op _,_ : Set Set -> Set {{constr {set_theory}}}",
                "  eq (X:High , X:High) = X:High . }" if self.style == "once" else "  }",
                f"mod! LISTS {{ pr(BASE) [High < List] {'op nil : -> List {constr}' * empty}",
                f"  op _;_ : List List -> List {{constr {list_theory}}} }}",
                "mod! M { pr(LABELS + SETS + LISTS) op f : High -> Lab op k : High High -> Lab",
                "  op m : High High -> Lab {comm} op g : Set -> Lab op t : List -> Lab",
                *(f"  {equation.text()}" for equation in self.equations),
                "}",
            ]
        )

    # --- meaning

    def values(self, function: str, arguments: tuple[Value, ...]) -> frozenset[Value]:
        """All values that some choice of equations and matches gives."""
        if function == "m":
            arguments = tuple(sorted(arguments, key=str))
        key = (function, arguments)
        if key not in self._known:
            found: set[Value] = set()
            for equation in self.equations:
                if equation.function == function:
                    orders = set(permutations(arguments)) if function == "m" else {arguments}
                    for order in sorted(orders, key=str):
                        found |= self._results(equation, order)
            self._known[key] = frozenset(found)
        return self._known[key]

    def _results(self, equation: RandomEquation, arguments: tuple[Value, ...]) -> set[Value]:
        found: set[Value] = set()
        for bindings in matches(equation.patterns, arguments, self.style):
            if equation.condition is None or self._holds(equation.condition, bindings):
                found |= self._term(equation.result, bindings)
        return found

    def _holds(self, formula: Formula, bindings: Bindings) -> bool:
        pairs = product(self._term(formula.left, bindings), self._term(formula.right, bindings))
        return any((left == right) is formula.positive for left, right in pairs)

    def _term(self, term: tuple[str, ...], bindings: Bindings) -> set[Value]:
        name, *arguments = term
        if name in ARGUMENTS:
            choices = [self._term((argument,), bindings) for argument in arguments]
            return {value for chosen in product(*choices) for value in self.values(name, chosen)}
        return {bindings.get(name, name)}

    def calls(self, function: str) -> list[tuple[Value, ...]]:
        """All small arguments of a function."""
        least = 1 if self.style == "plain" else 0
        sets = combinations if self.style in ("idem", "once") else combinations_with_replacement
        domains: dict[str, list[Value]] = {
            "high": list(HIGH),
            "set": [c for n in range(least, 4) for c in sets(HIGH, n)],
            "list": [c for n in range(least, 4) for c in product(HIGH, repeat=n)],
        }
        return list(product(*[domains[kind] for kind in ARGUMENTS[function]]))

    def is_complete(self) -> bool:
        return all(self.values(f, call) for f in ARGUMENTS for call in self.calls(f))

    def disagreement(self, function: str) -> tuple[Value, ...] | None:
        """Arguments for which the function has two values."""
        return next((call for call in self.calls(function) if len(self.values(function, call)) > 1), None)


def matches(patterns: tuple[Pattern, ...], values: tuple[Value, ...], style: str) -> list[Bindings]:
    found: list[Bindings] = [{}]
    for pattern, value in zip(patterns, values, strict=True):
        found = [{**known, **new} for known in found for new in _matches(pattern, value, style) if _agree(known, new)]
    return found


def _agree(one: Bindings, other: Bindings) -> bool:
    return all(other.get(name, value) == value for name, value in one.items())


def _matches(pattern: Pattern, value: Value, style: str) -> list[Bindings]:
    if pattern.kind == "high":
        return [{pattern.name: value}]
    if pattern.kind == "low":
        return [{pattern.name: value}] if value in LOW else []
    if pattern.kind == "constant":
        return [{}] if value == pattern.name else []
    assert isinstance(value, tuple)
    found: list[Bindings] = []
    for chosen, before, after in _ways(pattern, value, style):
        rests = [(pattern.before, before), (pattern.after, after)]
        if any(bool(rest) and not name for name, rest in rests):
            continue
        if style == "plain" and any(name and not rest for name, rest in rests):
            continue
        new = {name: rest for name, rest in rests if name}
        found += [{**bindings, **new} for bindings in matches(pattern.parts, chosen, style)]
    return found


Way = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def _ways(pattern: Pattern, value: tuple[str, ...], style: str) -> list[Way]:
    """Elements for the parts of a collection, and what is left before and after them."""
    size = len(pattern.parts)
    if pattern.kind == "list":
        return [(value[i : i + size], value[:i], value[i + size :]) for i in range(len(value) - size + 1)]
    if style in ("idem", "once"):
        picked = [(c, r) for c in product(value, repeat=size) for n in range(4) for r in combinations(value, n)]
        return [(c, (), r) for c, r in picked if set(c) | set(r) == set(value)]
    places = permutations(range(len(value)), size)
    return [(tuple(value[i] for i in p), (), tuple(v for i, v in enumerate(value) if i not in p)) for p in places]


# --- making


def random_system(seed: int, functions: tuple[str, ...], style: str = "unit") -> System:
    """Some equations for each of the functions; the others are constant."""
    random = Random(seed)
    equations: list[RandomEquation] = []
    for index, function in enumerate(ARGUMENTS):
        if function not in functions:
            names = "XY"
            patterns = tuple(
                Pattern("high", names[i]) if kind == "high" else Pattern(kind, after="R")
                for i, kind in enumerate(ARGUMENTS[function])
            )
            equations.append(RandomEquation(function, patterns, ("a",), None))
            continue
        earlier = [name for name in list(ARGUMENTS)[:index] if name in ("f", "k")]
        equations += [_equation(random, function, earlier, style) for _ in range(random.randint(1, 4))]
        if random.random() < 0.5:
            equations += _completing(random, function)
    return System(tuple(equations), style)


def _equation(random: Random, function: str, earlier: list[str], style: str) -> RandomEquation:
    patterns = tuple(_pattern(random, kind, i, style) for i, kind in enumerate(ARGUMENTS[function]))
    names = sorted({name for p in patterns for name in p.elements()})
    condition = _formula(random, names, earlier) if names and random.random() < 0.5 else None
    result: tuple[str, ...] = (random.choice(LABELS[:2]),)
    rests = [p.after for p in patterns if p.after and p.parts and p.kind in ("set", "list")]
    ends = function == "t" or style in ("unit", "plain")  # else the rest may be the whole set
    if rests and ends and random.random() < 0.4:
        result = (function, rests[0])
    elif names and earlier and random.random() < 0.3:
        result = _call(random, random.choice(earlier), names)
    return RandomEquation(function, patterns, result, condition)


def _completing(random: Random, function: str) -> list[RandomEquation]:
    kinds = ARGUMENTS[function]
    patterns = tuple(
        Pattern("high", "XY"[i]) if kind == "high" else Pattern(kind, after="R") for i, kind in enumerate(kinds)
    )
    return [RandomEquation(function, patterns, (random.choice(LABELS[:2]),), None)]


def _pattern(random: Random, kind: str, index: int, style: str) -> Pattern:
    if kind == "high":
        return _element(random, ("XY"[index], "LK"[index]))
    names = random.choice([("X", "L"), ("X", "L"), ("X", "L", "X")])
    parts = tuple(_element(random, (names[i % len(names)], "K")) for i in range(random.randint(0, 2)))
    after = "R" if random.random() < 0.7 or (style == "plain" and not parts) else ""
    before = "Q" if kind == "list" and random.random() < 0.4 else ""
    return Pattern(kind, parts=parts, before=before, after=after)


def _element(random: Random, names: tuple[str, str]) -> Pattern:
    roll = random.random()
    if roll < 0.5:
        return Pattern("high" if names[0] != "L" else "low", names[0])
    return Pattern("low", names[1] + "o") if roll < 0.65 else Pattern("constant", random.choice(HIGH))


def _formula(random: Random, names: list[str], earlier: list[str]) -> Formula:
    positive = random.random() < 0.6
    if earlier and random.random() < 0.35:
        return Formula(_call(random, random.choice(earlier), names), (random.choice(LABELS[:2]),), positive)
    left = random.choice(names)
    others = [name for name in names if name != left]
    right = random.choice(others) if others and random.random() < 0.4 else random.choice(HIGH)
    return Formula((left,), (right,), positive)


def _call(random: Random, function: str, names: list[str]) -> tuple[str, ...]:
    return (function, *(random.choice(names) for _ in ARGUMENTS[function]))
