"""A system as CafeOBJ text; the equations of every module are in random order."""

from __future__ import annotations

import random

from random_ots.model import PHASES, TRUE, Function, Node, System, Transition

NUMBERS = """mod! NUM {
  [Nat]
  op 0 : -> Nat {constr}
  op s : Nat -> Nat {constr}
  vars M N : Nat
  eq (0 = s(N)) = false .
  eq (N = s(N)) = false .
  eq (s(M) = s(N)) = (M = N) .
}"""
_WORDS = {"Bag": "empty", "Set": "empty", "Map": "none"}


def shown(node: Node) -> str:
    """A term, with all its parentheses."""
    args = [shown(arg) for arg in node.args]
    match node.kind:
        case "const" | "var":
            return node.name
        case "zero":
            return "0"
        case "empty":
            return _WORDS[node.name]
        case "obs":
            return f"{node.name}({', '.join(['S', *args])})"
        case "fn":
            return f"{node.name}({', '.join(args)})"
        case "entry" | "s":
            return f"{node.kind}({', '.join(args)})"
        case "not":
            return f"(not {args[0]})"
        case "if":
            return f"(if {args[0]} then {args[1]} else {args[2]} fi)"
        case "in":
            return f"({args[0]} \\in {args[1]})"
        case "add":
            return f"({args[0]} , {args[1]})"
    return f"({args[0]} {node.kind} {args[1]})"


def printed(system: System) -> str:
    """The text of the system."""
    rng = random.Random(system.seed)
    lines = [*_labels(system, rng), f"mod* PID {{ [{'Admin < ' * system.has_admins}Pid] }}"]
    imports = ["EXTRA" if system.junk else "LABELS", "PID"]
    if system.has_arithmetic:
        imports.append("NAT")
    elif system.has_numbers:
        lines.append(NUMBERS)
        imports.append("NUM")
    if system.has_phases:
        lines += _phases(rng)
        imports.append("PHASE")
    if system.collection:
        lines += _collection(system.collection)
        imports.append("ITEMS")
    early = [function for function in system.functions if function.arity[0] == "Label" and system.junk]
    if early:
        at = lines.index("mod! EXTRA {")
        lines[at:at] = [*_functions("EARLY", ["LABELS"], early, rng), ""]
        lines[lines.index("mod! EXTRA {") + 1] = f"  {system.junk_import}(EARLY)"
    late = [function for function in system.functions if function not in early]
    if late:
        lines += _functions("FUNCTIONS", imports, late, rng)
        imports = ["FUNCTIONS"]
    return "\n".join([*lines, *_system(system, imports, rng), "}"]) + "\n"


def _labels(system: System, rng: random.Random) -> list[str]:
    lines = ["mod! LABELS {", "  [Label]", f"  ops {' '.join(system.labels)} : -> Label {{constr}}"]
    names = system.labels
    apart = [(x, y) for x in names for y in names if x < y and (x, y) != system.same]
    equations = [f"  eq ({x} = {y}) = false ." for x, y in apart if system.has_unequal]
    if system.same:
        equations.append(f"  eq ({system.same[0]} = {system.same[1]}) = true .")
    rng.shuffle(equations)
    lines += [*equations, "}"]
    if system.junk:
        lines += ["mod! EXTRA {", f"  {system.junk_import}(LABELS)", f"  op {system.junk} : -> Label {{constr}}"]
        lines += [f"  eq ({x} = {system.junk}) = false ." for x in system.labels if system.has_unequal] + ["}"]
    return lines


def _phases(rng: random.Random) -> list[str]:
    apart = [f"  eq ({x} = {y}) = false ." for x in PHASES for y in PHASES if x < y]
    rng.shuffle(apart)
    return ["mod! PHASE {", "  [Phase]", f"  ops {' '.join(PHASES)} : -> Phase {{constr}}", *apart, "}"]


def _collection(name: str) -> list[str]:
    if name == "Map":
        return [
            "mod! ITEMS {",
            "  pr(PID + LABELS)",
            "  [Entry < Map]",
            "  op entry : Pid Label -> Entry {constr}",
            "  op none : -> Map {constr}",
            "  op _,_ : Map Map -> Map {constr assoc comm id: none}",
            "}",
        ]
    return [f"in data/{name.lower()}", f"mod! ITEMS {{ pr({name.upper()}(PID {{ sort Elt -> Pid }})) }}"]


def _functions(module: str, imports: list[str], functions: list[Function], rng: random.Random) -> list[str]:
    variables = {"L": "Label", "M": "Label", "J": "Pid", "X": "Pid", "N": "Nat", "A": "Admin", "B": ""}
    used = {node.name for f in functions for e in f.equations for p in (*e.patterns, e.value) for node in p.nodes()}
    sorts = {sort for function in functions for sort in function.arity}
    lines = [f"mod! {module} {{", f"  pr({' + '.join(imports)})"]
    lines += [f"  op {f.name} : {' '.join(f.arity)} -> {f.result}" for f in functions]
    for name, sort in variables.items():
        if name in used:
            home = sort or next(s for s in ("Bag", "Set", "Map") if s in sorts)
            lines.append(f"  var {name} : {home}")
    equations = []
    for function in functions:
        for patterns, value, condition, is_owise in function.equations:
            left = f"{function.name}({', '.join(map(shown, patterns))})"
            right = shown(value) + " {owise}" * is_owise
            equations.append(_equation(left, right, [] if condition is None else [shown(condition)]))
    rng.shuffle(equations)
    return [*lines, *equations, "}"]


def _equation(left: str, right: str, conditions: list[str]) -> str:
    if not conditions:
        return f"  eq {left} = {right} ."
    return f"  ceq {left} = {right} if {' and '.join(conditions)} ."


def _system(system: System, imports: list[str], rng: random.Random) -> list[str]:
    init = "init(P)" if system.starts_with_pid else "init"
    lines = ["mod* RANDOM {", f"  pr({' + '.join(imports)})", "  *[Sys]*"]
    lines.append(f"  op init : {'Pid ' * system.starts_with_pid}-> Sys")
    lines += [f"  bop {o.name} : Sys{' Pid' * o.per_pid} -> {o.sort}" for o in system.observers]
    lines += ["  var S : Sys", "  vars I J K P : Pid", "  var L : Label"]
    lines += ["  var A : Admin"] * system.has_admins
    equations = [f"  eq {o.name}({init}{', I' * o.per_pid}) = {shown(o.initial)} ." for o in system.observers]
    for transition in system.transitions:
        sorts = "".join(f" {parameter.sort}" for parameter in transition.parameters)
        lines += [f"  bop {transition.name} : Sys{sorts} -> Sys", f"  op c-{transition.name} : Sys{sorts} -> Bool"]
        equations += _transition(system, transition)
    for invariant in system.invariants:
        sorts = "".join(f" {parameter.sort}" for parameter in invariant.parameters)
        given = ", ".join(["S", *(parameter.name for parameter in invariant.parameters)])
        lines.append(f"  op {invariant.name} : Sys{sorts} -> Bool")
        equations.append(_equation(f"{invariant.name}({given})", shown(invariant.formula), []))
    rng.shuffle(equations)
    return [*lines, *equations]


def _transition(system: System, transition: Transition) -> list[str]:
    """The equations of a transition: its guard, what is observed after it, and that it is idle otherwise."""
    given = ", ".join(["S", *(parameter.name for parameter in transition.parameters)])
    after, guard = f"{transition.name}({given})", f"c-{transition.name}({given})"
    is_free = transition.guard == TRUE
    equations = [_equation(guard, shown(transition.guard), [])]
    for observer in system.observers:
        left = f"{observer.name}({after}{', I' * observer.per_pid})"
        if observer.name not in transition.effects:
            equations.append(_equation(left, f"{observer.name}(S{', I' * observer.per_pid})", []))
        for condition, value in transition.effects.get(observer.name, ()):
            conditions = [] if condition is None else [shown(condition)]
            equations.append(_equation(left, shown(value), [guard] * (not is_free) + conditions))
    if not is_free:
        equations.append(_equation(after, "S", [f"not {guard}"]))
    return equations
