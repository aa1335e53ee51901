"""What is shown about a word: its rank, its sort, its equations, its part in an OTS, the value of a reduction."""

from __future__ import annotations

from otsrw.editor.evaluating import is_reduction, value_of
from otsrw.editor.meaning import EntityKind, Meanings, TextEntity
from otsrw.editor.places import WordInText
from otsrw.editor.roles import ots_of, role_of
from otsrw.editor.words import WordRole
from otsrw.ots.model import Ots
from otsrw.proofs import CommandResult
from otsrw.syntax import tree
from otsrw.theory.modules import Axiom, Module, equations_by_symbol
from otsrw.theory.opened import OpenModule
from otsrw.theory.printing import show_plainly
from otsrw.theory.terms import OpDecl, Symbol

MOST_EQUATIONS = 12
LONGEST_VALUE = 2_000


def description(meanings: Meanings, found: WordInText) -> str | None:
    """Markdown about a word; None if there is nothing to say."""
    statement = found.word.standing.statement
    if found.word.role is WordRole.KEYWORD and isinstance(statement, tree.TermCommand) and is_reduction(statement):
        return _value(meanings, found, statement)
    entity = meanings.entity(found)
    if entity is None:
        return None
    match entity.kind:
        case EntityKind.OPERATOR:
            return _operator(entity)
        case EntityKind.SORT:
            return _sort(entity)
        case EntityKind.VARIABLE:
            return _variable(entity, found)
        case EntityKind.MODULE:
            return _module(entity)
        case _:
            return f"{entity.kind.value} `{entity.name}`"


def _code(lines: list[str]) -> str:
    return "\n".join(["```cafeobj", *lines, "```"])


def _value(meanings: Meanings, found: WordInText, command: tree.TermCommand) -> str | None:
    answer = value_of(meanings.project, found.file, found.chunk, command)
    if answer is None:
        return None
    if not isinstance(answer, CommandResult):
        return f"{answer.code}: {answer.message}"
    shown = answer.shown_result
    text = shown if len(shown) <= LONGEST_VALUE else shown[:LONGEST_VALUE] + " ..."
    return f"{_code([text])}\n{answer.rewrites} rewrites"


def _operator(entity: TextEntity) -> str:
    scope = entity.scope
    assert scope is not None
    decls = [decl for symbol in entity.symbols for decl in symbol.decls]
    lines = list(dict.fromkeys(rank_of(decl) for decl in decls))
    equations = [line for symbol in entity.symbols for line in _equations(symbol, scope)]
    parts = [_code(lines)]
    role = role_of(entity.symbols[0], scope) if entity.symbols else None
    homes = ", ".join(dict.fromkeys(decl.module for decl in decls))
    parts.append(f"{role.value} of {homes}" if role is not None else f"of {homes}")
    if equations:
        left = len(equations) - MOST_EQUATIONS
        parts.append(_code(equations[:MOST_EQUATIONS]) + (f"\nand {left} more" if left > 0 else ""))
    return "\n\n".join(parts)


def rank_of(decl: OpDecl) -> str:
    """The declaration of an operator without its attributes, but for those that matter to its meaning."""
    attributes = decl.attributes
    flags = [
        word
        for word, holds in (
            ("assoc", attributes.assoc),
            ("comm", attributes.comm),
            ("idem", attributes.idem),
            ("constr", attributes.constructor),
        )
        if holds
    ]
    rank = " ".join([*(sort.name for sort in decl.arity), "->", decl.coarity.name])
    keyword = "bop" if decl.behavioural else "op"
    return f"{keyword} {decl.text} : {rank}{' { ' + ' '.join(flags) + ' }' if flags else ''} ."


def _equations(symbol: Symbol, scope: Module) -> list[str]:
    """The equations of an operator; a passage has those of the module it opens and its own."""
    base = scope.base if isinstance(scope, OpenModule) else scope
    axioms = base.derived(equations_by_symbol).get(symbol, []) if base.signature.symbol_of(symbol.decls[0]) else []
    own = [axiom for axiom in scope.axioms if axiom.lhs.op is symbol] if scope is not base else []
    return [_equation(axiom) for axiom in (*own, *axioms)]


def _equation(axiom: Axiom) -> str:
    condition = "" if axiom.condition is None else f" if {show_plainly(axiom.condition)}"
    keyword = "ceq" if condition else "eq"
    return f"{keyword} {show_plainly(axiom.lhs)} = {show_plainly(axiom.rhs)}{condition} ."


def _sort(entity: TextEntity) -> str:
    scope = entity.scope
    assert scope is not None
    lines = []
    for sort in scope.visible_sorts().get(entity.name, ()):
        order = scope.signature.order
        below = sorted(s.name for s in order.below[sort] if s is not sort)
        above = sorted(s.name for s in order.above[sort] if s is not sort)
        brackets = ("*[", "]*") if sort.hidden else ("[", "]")
        chain = " < ".join(part for part in (" ".join(below), sort.name, " ".join(above)) if part)
        lines.append(f"{brackets[0]} {chain} {brackets[1]}")
        made = [decl for inner in scope.closure() for decl in inner.decls if decl.coarity is sort]
        lines += [rank_of(decl) for decl in made if decl.attributes.constructor][:MOST_EQUATIONS]
    homes = ", ".join(sort.module for sort in scope.visible_sorts().get(entity.name, ()))
    return f"{_code(lines)}\n\nof {homes}"


def _variable(entity: TextEntity, found: WordInText) -> str | None:
    scope = entity.scope
    known = None if scope is None else scope.variables.get(entity.name)
    sort = known.sort.name if known is not None else ""
    statement = found.word.standing.statement
    if isinstance(statement, tree.VariableDeclaration):
        sort = statement.sort.text
    bubble = statement.term if isinstance(statement, tree.TermCommand) else getattr(statement, "body", None)
    for word in bubble.words if bubble is not None else ():
        if word.startswith(entity.name + ":") and word[-1] != ":":
            sort = word.partition(":")[2]
    return _code([f"var {entity.name} : {sort} ."]) if sort else None


def _module(entity: TextEntity) -> str:
    module = entity.scope
    assert module is not None
    imports = " ".join(f"{each.mode}({each.module.name})" for each in module.imports)
    lines = [f"{module.kind} {module.name} {{ {imports} }}".replace("  ", " ")]
    ots = ots_of(module)
    text = f"{len(module.sorts)} sorts, {len(module.decls)} operators, {len(module.axioms)} axioms of its own"
    return f"{_code(lines)}\n\n{text}{'' if ots is None else '; ' + _ots(ots)}"


def _ots(ots: Ots) -> str:
    groups = (
        ("observers", [each.name for each in ots.observers]),
        ("transitions", [each.name for each in ots.transitions]),
        ("invariants", [each.name for each in ots.invariants]),
    )
    return "an OTS with " + "; ".join(f"{what} {', '.join(names)}" for what, names in groups if names)
