"""Small random OTSs as CafeOBJ text, with several invariant candidates each.

Data are labels, Booleans, process identifiers, and at most one collection or number. Whatever is drawn is a valid
specification whose instances can be searched exhaustively or to some depth.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

LABELS = ("a", "b", "c")

PNAT = """mod! NUM {
  [Nat]
  op 0 : -> Nat {constr}
  op s : Nat -> Nat {constr}
  op p : Nat -> Nat
  op _<_ : Nat Nat -> Bool
  vars M N : Nat
  eq (0 = s(N)) = false .
  eq (N = s(N)) = false .
  eq (s(M) = s(N)) = (M = N) .
  eq p(0) = 0 .
  eq p(s(N)) = N .
  eq (N < 0) = false .
  eq (0 < s(N)) = true .
  eq (s(M) < s(N)) = (M < N) .
}"""

# `big` has no value for `one`; and a machine that observes a number.
GAP = """
mod! NUM { [Num] ops zero one two : -> Num {constr} op big : Num -> Bool eq big(zero) = false . eq big(two) = true . }
mod* GAP {
  pr(NUM)
  *[Sys]*
  op init : -> Sys
  bop at : Sys -> Num
  bop go : Sys -> Sys
"""


@dataclass(frozen=True)
class Observer:
    """An observer: `per_pid` if it has a value for every process."""

    name: str
    sort: str
    per_pid: bool
    initial: str

    def at(self, state: str, index: str = "") -> str:
        return f"{self.name}({state}, {index})" if self.per_pid else f"{self.name}({state})"


@dataclass(frozen=True)
class System:
    """A specification, and how to make instances of it."""

    text: str
    invariants: tuple[str, ...]
    pids: tuple[str, ...]
    """Process identifiers the text itself declares."""
    is_fixed: bool
    """Are these all there are?"""

    def entities(self, count: int) -> dict[str, tuple[str, ...]]:
        if self.is_fixed:
            return {"Pid": self.pids}
        fresh = tuple(name for name in ("p1", "p2", "p3") if name not in self.pids)
        return {"Pid": (*self.pids, *fresh)[:count]}

    @property
    def sizes(self) -> tuple[int, ...]:
        return (len(self.pids),) if self.is_fixed else (1, 2, 3)


# --- terms over what is in scope


@dataclass(frozen=True)
class Scope:
    """The observers, and the terms of sort Pid that may occur: variables, constants, observed ones."""

    observers: tuple[Observer, ...]
    pids: tuple[str, ...]
    rests: tuple[str, ...] = ()
    """Variables over collections that the guard binds."""

    def observed(self, sort: str) -> list[str]:
        found = []
        for observer in self.observers:
            if observer.sort == sort:
                found += [observer.at("S", pid) for pid in self.pids] if observer.per_pid else [observer.at("S")]
        return found


def atoms(scope: Scope) -> st.SearchStrategy[str]:
    """Atomic formulas; equations between observations among them."""
    found: list[str] = []
    labels = scope.observed("Label")
    found += [f"({term} = {label})" for term in labels for label in LABELS]
    found += [f"({one} = {other})" for one in labels for other in labels if one < other]
    found += scope.observed("Bool")
    pids = [*scope.pids, *scope.observed("Pid")]
    found += [f"({one} = {other})" for one in pids for other in pids if one < other]
    for bag in [*scope.observed("Bag"), *scope.observed("Set")]:
        found += [f"({pid} \\in {bag})" for pid in pids] + [f"({bag} = empty)"]
    for queue in scope.observed("Queue"):
        found += [f"(top({queue}) = {pid})" for pid in pids] + [f"({queue} = empty)"]
    numbers = scope.observed("Nat")
    found += [f"({number} = {value})" for number in numbers for value in ("0", "s(0)")]
    found += [f"({one} {relation} {two})" for one in numbers for two in numbers if one < two for relation in ("=", "<")]
    return st.sampled_from(found or ["true"])


def literals(scope: Scope) -> st.SearchStrategy[str]:
    return st.builds(lambda atom, positive: atom if positive else f"not {atom}", atoms(scope), st.booleans())


def conjunctions(scope: Scope, least: int, most: int) -> st.SearchStrategy[str]:
    return st.lists(literals(scope), min_size=least, max_size=most, unique=True).map(" and ".join)


def formulas(scope: Scope) -> st.SearchStrategy[str]:
    """Any Boolean combination of a few atoms."""
    return st.recursive(
        literals(scope),
        lambda inner: st.builds(
            "({} {} {})".format, inner, st.sampled_from(("and", "or", "implies", "iff", "xor")), inner
        ),
        max_leaves=4,
    )


def values(scope: Scope, observer: Observer) -> st.SearchStrategy[str]:
    """New values of an observer."""
    old = scope.observed(observer.sort)
    match observer.sort:
        case "Label":
            return st.sampled_from([*LABELS, *LABELS, *old])
        case "Bool":
            return st.sampled_from(["true", "false", "true", "false", *old]) | literals(scope)
        case "Pid":
            return st.sampled_from([*scope.pids, *old] or ["I"])
        case "Bag" | "Set":
            grown = [f"({pid} , {bag})" for pid in scope.pids for bag in old]
            return st.sampled_from(["empty", *grown, *grown, *scope.rests, *scope.rests])
        case "Queue":
            grown = [f"put({queue}, {pid})" for pid in scope.pids for queue in old]
            return st.sampled_from(["empty", *grown, *[f"get({queue})" for queue in old]])
        case _:
            return st.sampled_from(["0", *(f"{f}({number})" for number in old for f in "sp"), *old])


# --- the parts of a specification


@st.composite
def observers(draw: st.DrawFn, extra: str | None, constants: tuple[str, ...]) -> tuple[Observer, ...]:
    found = [Observer("pc", "Label", True, draw(st.sampled_from(LABELS)))]
    optional = [
        Observer("flag", "Bool", True, draw(st.sampled_from(("true", "false")))),
        Observer("lock", "Bool", False, draw(st.sampled_from(("true", "false")))),
        Observer("mode", "Label", False, draw(st.sampled_from(LABELS))),
    ]
    start = constants[0] if constants else "P"
    optional += [Observer("turn", "Pid", False, start), Observer("next", "Pid", True, start)]
    initial = {"Bag": "empty", "Set": "empty", "Queue": "empty", "Nat": "0"}
    chosen = draw(st.lists(st.sampled_from(optional), max_size=1 if extra else 2, unique_by=lambda o: o.name))
    found += sorted(chosen, key=lambda o: o.name)
    if extra is not None:
        found.append(Observer("data", extra, draw(st.booleans()) if extra == "Nat" else False, initial[extra]))
    if draw(st.booleans()) and len(found) > 2:
        found.pop(0)
    return tuple(found)


@st.composite
def transitions(draw: st.DrawFn, name: str, scope: Scope) -> list[str]:
    arity = draw(st.sampled_from((1, 1, 1, 2, 0)))
    parameters = ("J", "K")[:arity]
    pids = (*parameters, *scope.pids)
    conjuncts = []
    rests: tuple[str, ...] = ()
    bag = next((o for o in scope.observers if o.sort in ("Bag", "Set")), None)
    if bag is not None and arity == 1 and draw(st.booleans()):
        rests = ("R",)
        conjuncts.append(f"({bag.at('S')} = (J , R))")
    inner = Scope(scope.observers, pids, rests)
    conjuncts += draw(st.lists(literals(inner), max_size=2, unique=True))
    if draw(st.integers(0, 5)) == 0:
        conjuncts.append(draw(formulas(inner)))
    sorts = "".join([" Pid" * arity, f" {bag.sort}" if rests and bag else ""])
    arguments = ", ".join(["S", *parameters, *rests])
    after = f"{name}({arguments})"
    lines = [f"bop {name} : Sys{sorts} -> Sys", f"op c-{name} : Sys{sorts} -> Bool"]
    lines.append(f"eq c-{name}({arguments}) = {' and '.join(conjuncts) or 'true'} .")
    changed = draw(st.lists(st.sampled_from(scope.observers), min_size=1, max_size=2, unique=True))
    for observer in scope.observers:
        left, same = observer.at(after, "I"), observer.at("S", "I")
        if observer not in changed:
            lines.append(f"eq {left} = {same} .")
            continue
        value = draw(values(inner, observer))
        if observer.per_pid and draw(st.integers(0, 5)) > 0:
            place = draw(st.sampled_from([*pids, *parameters, *inner.observed("Pid")] or ["I"]))
            condition = f"I = {place}" if draw(st.integers(0, 4)) else draw(literals(Scope(inner.observers, ("I",))))
            value = f"(if {condition} then {value} else {same} fi)"
        lines.append(f"ceq {left} = {value} if c-{name}({arguments}) .")
    lines.append(f"ceq {after} = S if not c-{name}({arguments}) .")
    return lines


@st.composite
def invariants(draw: st.DrawFn, name: str, scope: Scope) -> list[str]:
    arity = draw(st.sampled_from((1, 2, 2, 2, 3)))
    parameters = ("I", "J", "K")[:arity]
    inner = Scope(scope.observers, (*parameters, *scope.pids))
    shape = draw(st.integers(0, 9))
    if shape < 4:
        formula = f"not ({draw(conjunctions(inner, 1, 3))})"
    elif shape < 6:
        apart = [f"not ({x} = {y})" for x in parameters for y in parameters if x < y]
        per_pid = Scope(scope.observers, (parameters[0],))
        first = draw(literals(per_pid))
        others = [
            first.replace(", I)", f", {p})").replace("(I ", f"({p} ").replace("= I)", f"= {p})") for p in parameters[1:]
        ]
        formula = f"not ({' and '.join([first, *others, *apart])})"
    elif shape < 8:
        formula = f"({draw(conjunctions(inner, 1, 2))}) implies {draw(literals(inner))}"
    else:
        formula = draw(formulas(inner))
    sorts = " Pid" * arity
    return [f"op {name} : Sys{sorts} -> Bool", f"eq {name}({', '.join(['S', *parameters])}) = {formula} ."]


@st.composite
def systems(draw: st.DrawFn, extra: str | None = None) -> System:
    """A system with the kind of data given, if any."""
    is_fixed = draw(st.integers(0, 4)) == 0
    pids = ("p1", "p2") if is_fixed else draw(st.sampled_from(((), ("p1",), ("p1", "p2"))))
    chosen = draw(observers(extra, pids))
    scope = Scope(chosen, pids if draw(st.booleans()) else ())
    unequal = draw(st.sampled_from((True, True, False)))
    lines = [*_labels(unequal), *_pids(pids, is_fixed, unequal), *_data(extra)]
    needs_argument = any(observer.initial == "P" for observer in chosen)
    first, init = ("Pid -> Sys", "init(P)") if needs_argument else ("-> Sys", "init")
    imports = " + ".join(["PID", "LABELS", *([_HOMES[extra]] if extra else [])])
    lines += ["mod* RANDOM {", f"pr({imports})", "*[Sys]*", f"op init : {first}"]
    lines += [f"bop {o.name} : Sys{' Pid' * o.per_pid} -> {o.sort}" for o in chosen]
    lines += ["var S : Sys", "vars I J K P : Pid", *([f"var R : {extra}"] if extra in ("Bag", "Set") else [])]
    lines += [f"eq {observer.at(init, 'I')} = {observer.initial} ." for observer in chosen]
    for number in range(draw(st.integers(1, 3))):
        lines += draw(transitions(f"t{number}", scope))
    names = tuple(f"inv{number}" for number in range(3))
    for name in names:
        lines += draw(invariants(name, scope))
    return System("\n".join([*lines, "}"]) + "\n", names, pids, is_fixed)


def _labels(unequal: bool) -> list[str]:
    apart = [f"eq ({x} = {y}) = false ." for x in LABELS for y in LABELS if x < y] if unequal else []
    return ["mod! LABELS {", "[Label]", f"ops {' '.join(LABELS)} : -> Label {{constr}}", *apart, "}"]


def _pids(pids: tuple[str, ...], is_fixed: bool, unequal: bool) -> list[str]:
    declared = [f"op {pid} : -> Pid {'{constr}' if is_fixed else ''}" for pid in pids]
    apart = ["eq (p1 = p2) = false ."] if len(pids) == 2 and unequal else []
    return ["mod! PID {" if is_fixed else "mod* PID {", "[Pid]", *declared, *apart, "}"]


_HOMES = {"Bag": "PIDS", "Set": "PIDS", "Queue": "PIDS", "Nat": "NUM"}


def _data(extra: str | None) -> list[str]:
    match extra:
        case "Nat":
            return [PNAT]
        case "Bag" | "Set":
            return [f"in data/{extra.lower()}", f"mod! PIDS {{ pr({extra.upper()}(PID {{ sort Elt -> Pid }})) }}"]
        case "Queue":
            return ["in data/queue", "mod! PIDS { pr(QUEUE(PID { sort Item -> Pid })) }"]
        case _:
            return []
