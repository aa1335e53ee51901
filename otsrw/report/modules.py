"""Modules, sorts, operators, equations and term trees as text, as `show` prints them."""

from __future__ import annotations

from otsrw.theory.modules import Axiom, Module
from otsrw.theory.printing import show, show_literal
from otsrw.theory.signature import level_of
from otsrw.theory.terms import LiteralTerm, OpDecl, Term


def describe_module(module: Module, aspect: str = "", name: str | None = None) -> str:
    """The whole module, or only one aspect of it."""
    if aspect == "sorts":
        return "\n".join(_sort_lines(module, name))
    if aspect == "ops":
        return "\n".join(_op_lines(module, name))
    if aspect in ("eqs", "axioms", "rules"):
        return "\n".join(_axiom_lines(module))
    if aspect == "vars":
        return "\n".join(_variable_lines(module))
    if aspect in ("sign", "signature", "sig"):
        return "\n".join([*_sort_lines(module), *_op_lines(module)])
    if aspect in ("params", "param"):
        return "\n".join(f"{p.name} :: {p.theory.name}" for p in module.parameters)
    if aspect == "subs":
        return "\n".join(_import_lines(module))
    body = [
        *_import_lines(module),
        *_sort_lines(module),
        *_op_lines(module),
        *_variable_lines(module),
        *_axiom_lines(module),
    ]
    parameters = ", ".join(f"{p.name} :: {p.theory.name}" for p in module.parameters)
    head = f"{module.kind} {module.name}" + (f" ({parameters})" if parameters else "")
    return head + " {\n" + "\n".join(f"  {line}" for line in body) + "\n}"


def _import_lines(module: Module) -> list[str]:
    return [f"{i.mode}({i.module.name})" for i in module.imports]


def _sort_lines(module: Module, name: str | None = None) -> list[str]:
    lines = []
    for sort in module.sorts:
        if name is None or sort.name == name:
            lines.append(f"*[ {sort.name} ]*" if sort.hidden else f"[ {sort.name} ]")
    if name is None:
        lines += [f"[ {low.name} < {high.name} ]" for low, high in module.subsorts]
    elif not lines:
        for sort in module.visible_sorts().get(name, ()):
            lines.append(f"[ {sort.name} ] of {sort.module}")
    return lines


def _op_lines(module: Module, name: str | None = None) -> list[str]:
    decls = module.decls if name is None else [d for inner in module.closure() for d in inner.decls if d.text == name]
    return [operator_line(decl) for decl in decls]


def operator_line(decl: OpDecl) -> str:
    a = decl.attributes
    words = [
        *(["assoc"] if a.assoc else []),
        *(["comm"] if a.comm else []),
        *(["idem"] if a.idem else []),
        *([f"{'idr' if a.identity_rules_only else 'id'}: {show(a.identity)}"] if a.identity is not None else []),
        *(["constr"] if a.constructor else []),
        *(["memo"] if a.memo else []),
        *(["coherent"] if a.coherent else []),
        *([f"strat: ({' '.join(map(str, a.strategy))})"] if a.strategy is not None else []),
        *([f"prec: {level_of(decl)}"] if decl.is_mixfix else []),
        *([f"{a.associativity[0]}-assoc"] if a.associativity else []),
    ]
    keyword = "bop" if decl.behavioural else "op"
    rank = " ".join([*(s.name for s in decl.arity), "->", decl.coarity.name])
    return f"{keyword} {decl.text} : {rank}" + (f" {{ {' '.join(words)} }}" if words else "")


def _variable_lines(module: Module) -> list[str]:
    return [f"var {name} : {v.sort.name}" for name, v in module.variables.items()]


def axiom_line(axiom: Axiom, declared: dict[str, Term] | None = None) -> str:
    label = f"[{' '.join(axiom.labels)}] : " if axiom.labels else ""
    conditional = "" if axiom.condition is None else f" if {show(axiom.condition, declared)}"
    keyword = ("c" if conditional else "") + ("trans" if axiom.is_transition else "eq")
    arrow = "=>" if axiom.is_transition else "="
    return f"{keyword} {label}{show(axiom.lhs, declared)} {arrow} {show(axiom.rhs, declared)}{conditional} ."


def _axiom_lines(module: Module) -> list[str]:
    return [axiom_line(axiom, module.variables) for axiom in module.axioms]


def show_tree(term: Term) -> str:
    """A term as an indented tree."""
    lines: list[str] = []
    todo: list[tuple[Term, str, str]] = [(term, "", "")]
    while todo:
        current, indent, branch = todo.pop()
        name = show_literal(current.value) if isinstance(current, LiteralTerm) else current.op.name
        lines.append(f"{indent}{branch}{name}:{current.sort.name}")
        below = indent + ("   " if branch == "└─ " else "│  " if branch else "")
        for index in range(len(current.args) - 1, -1, -1):
            last = index == len(current.args) - 1
            todo.append((current.args[index], below, "└─ " if last else "├─ "))
    return "\n".join(lines)
