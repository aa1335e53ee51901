"""Declarations to modules.

A module body is evaluated as CafeOBJ does: imports and signature first, in order, then variables and axioms in order,
so an equation may use what is declared after it. Problems are collected item by item; a module with a bad item still
exists, so that one mistake gives one message.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from otsrw.syntax import tree
from otsrw.syntax.diagnostics import (
    Diagnostic,
    OtsrwError,
    SeveralProblems,
    SortProblem,
    SyntaxProblem,
    TheoryProblem,
    UnknownSort,
    UnknownWord,
    did_you_mean,
)
from otsrw.theory.axioms import is_transition, read_axiom
from otsrw.theory.builtins import LITERAL_SORT_NAMES, LITERAL_SORTS, WORDS, Builtin
from otsrw.theory.library import Library, operator_words
from otsrw.theory.modules import FormalParameter, Imported, Module
from otsrw.theory.parsing import Scope, parse_term, readings_of, scope_of
from otsrw.theory.slips import home_of_sort
from otsrw.theory.sorts import COSMOS, Sort, SortOrder
from otsrw.theory.terms import PLAIN, Attributes, OpDecl, Term, variable

_SIGNATURE_ITEMS = (tree.ImportDeclaration, tree.SortDeclaration, tree.OperatorDeclaration, tree.AttributeDeclaration)
_UNIVERSAL = ("*Cosmos*", "*Universal*", "*HUniversal*")


class ModuleErrors(SeveralProblems):
    """All problems of one module declaration."""


def elaborate(declaration: tree.ModuleDeclaration, library: Library) -> Module:
    """Evaluate a module declaration; raises `ModuleErrors` after the whole body was tried."""
    name = declaration.name.text
    module = Module(name, declaration.keyword.replace("module", "mod"), span=declaration.span)
    module.is_system = declaration.span.source.name == "<prelude>"
    problems: list[Diagnostic] = []
    library.in_progress.append(name)
    try:
        _parameters(declaration, module, library, problems)
        if not module.is_system and library.include_bool and _wants_bool(declaration):
            bool_module = library.system("BOOL")
            assert bool_module is not None
            module.add_import(Imported("pr", bool_module))
        _items(declaration.items, module, library, problems)
        _principal(declaration, module, problems)
    finally:
        library.in_progress.remove(name)
    if module.is_system:
        _register_literal_sorts(module)
    if problems:
        library.modules[name] = module
        raise ModuleErrors(sorted(problems, key=lambda problem: problem.span.start))
    return module


def _wants_bool(declaration: tree.ModuleDeclaration) -> bool:
    return bool(declaration.items) or bool(declaration.parameters)


def _import_once(module: Module, imported: Module | None) -> None:
    assert imported is not None
    if all(existing.module is not imported for existing in module.imports):
        module.add_import(Imported("pr", imported))


def _register_literal_sorts(module: Module) -> None:
    for sort in module.sorts:
        if sort.name in LITERAL_SORT_NAMES:
            LITERAL_SORTS[sort.name] = sort


def _parameters(
    declaration: tree.ModuleDeclaration, module: Module, library: Library, problems: list[Diagnostic]
) -> None:
    for parameter in declaration.parameters:
        try:
            theory = library.evaluate(parameter.theory, module)
            copy = library.parameter_copy(parameter.name.text, theory, module.parameters)
            module.parameters.append(FormalParameter(parameter.name.text, theory, copy))
            module.add_import(Imported(parameter.mode, copy))
        except OtsrwError as error:
            problems.append(error.at(parameter.name.span).problem)


def _items(items: Iterable[tree.Item], module: Module, library: Library, problems: list[Diagnostic]) -> None:
    items = list(items)
    lost = _LostWords(problems)
    for item in items:
        if isinstance(item, _SIGNATURE_ITEMS) and not _try(item, module, library, problems, lost):
            lost.update(_declared_words(item))
            lost.anything = lost.anything or isinstance(item, tree.ImportDeclaration)
    if any(isinstance(i, tree.AxiomDeclaration) and is_transition(i.keyword) for i in items):
        _import_once(module, library.system("RWL"))
    for item in items:
        if isinstance(item, tree.LineCommand):
            problems.append(Diagnostic("E106", f"the declaration {item.keyword!r} is not supported", item.span))
        if isinstance(item, tree.VariableDeclaration) and not _try(item, module, library, problems, lost):
            lost.update(_declared_words(item))
    for item in items:
        if isinstance(item, (tree.LetDeclaration, tree.AxiomDeclaration)):
            _try(item, module, library, problems, lost)


class _LostWords(set[str]):
    """Words that a module would know if all its declarations were right.

    After an import, or a parameter, that failed it might be any word.
    """

    def __init__(self, problems: list[Diagnostic]) -> None:
        super().__init__()
        self.anything = bool(problems)

    def explain(self, error: OtsrwError) -> bool:
        """Is an error only a consequence of another one?"""
        return error.problem.span.text in self or (self.anything and isinstance(error, (UnknownSort, UnknownWord)))


def _try(item: tree.Item, module: Module, library: Library, problems: list[Diagnostic], lost: _LostWords) -> bool:
    """Declare an item; False if it is wrong. That a word is unknown whose declaration is wrong is not told again."""
    if not module.is_system:
        library.warn_of_unportable(item)
    try:
        declare(item, module, library)
    except OtsrwError as error:
        problem = error.at(item.span).problem
        if not lost.explain(error):
            problems.append(problem)
        return False
    return True


def _declared_words(item: tree.Item) -> list[str]:
    """The words that an item brings into the module."""
    match item:
        case tree.OperatorDeclaration():
            words = (part for word in item.name.words for part in word.split("_"))
            return [word for word in words if word and word not in "(),[]{}"]
        case tree.VariableDeclaration():
            return [name.text for name in item.names]
        case _:
            return []


def _principal(declaration: tree.ModuleDeclaration, module: Module, problems: list[Diagnostic]) -> None:
    if declaration.principal is None:
        return
    try:
        module.declared_principal = find_sort(declaration.principal, module)
    except OtsrwError as error:
        problems.append(error.problem)


def declare(item: tree.Item, module: Module, library: Library) -> None:
    """Evaluate one declaration in a module that is being made or is open."""
    match item:
        case tree.ImportDeclaration():
            _import(item, module, library)
        case tree.SortDeclaration():
            declare_sorts(item, module)
        case tree.OperatorDeclaration():
            for decl in operator_declarations(item, module, library):
                module.add_operator(decl)
        case tree.AttributeDeclaration():
            _add_attributes(item, module)
        case tree.VariableDeclaration():
            declare_variables(item, module, library)
        case tree.LetDeclaration():
            declare_let(item, module)
        case tree.AxiomDeclaration():
            axiom = read_axiom(item, module, library)
            if axiom is not None:
                module.add_axioms((axiom,))


def _import(item: tree.ImportDeclaration, module: Module, library: Library) -> None:
    imported = library.evaluate(item.module, module)
    alias = item.alias.text if item.alias else None
    if all(existing.module is not imported or alias for existing in module.imports):
        module.add_import(Imported(item.mode, imported, alias))


# --- sorts


def find_sort(name: tree.Named, module: Module) -> Sort:
    """The sort of this name as the module sees it, without forcing the whole signature."""
    if module.is_system and name.text in _UNIVERSAL:
        return COSMOS
    visible = module.visible_sorts()
    found = visible.get(name.text)
    if found is not None and len(found) == 1:
        return found[0]
    try:
        sort = Scope(module.signature, {}, {}, module).find_sort(name.text)
    except SortProblem as problem:
        raise problem.at(name.span) from None
    if sort is None:
        hint = home_of_sort(name.text) or did_you_mean(name.text, visible) or _sort_hint(name.text)
        raise UnknownSort("E201", f"no such sort: {name.text!r}", name.span, hint)
    return sort


def _sort_hint(name: str) -> str | None:
    if name.endswith(".") and len(name) > 1:
        return f"a period that ends a declaration stands alone: '{name[:-1]} .'"
    return "declare it before it is used, as in [ " + name + " ]"


def declare_sorts(item: tree.SortDeclaration, module: Module) -> None:
    for group in item.groups:
        levels = [[_sort(name, module, item.hidden) for name in level] for level in group]
        for lower, upper in itertools.pairwise(levels):
            for small in lower:
                for large in upper:
                    if small is large:
                        raise SortProblem("E206", f"sort {small.name!r} cannot be below itself", item.span)
                    module.add_subsort(small, large)
    _check_acyclic(item, module)


def _check_acyclic(item: tree.SortDeclaration, module: Module) -> None:
    pairs = [pair for inner in module.closure() for pair in inner.subsorts]
    order = SortOrder((s for inner in module.closure() for s in inner.sorts), pairs)
    for low, high in list(module.subsorts):
        if low in order.above[high]:
            module.remove_subsort(low, high)
            raise SortProblem("E206", f"sorts {low.name!r} and {high.name!r} are below each other", item.span)


def _sort(name: tree.Named, module: Module, hidden: bool) -> Sort:
    existing = module.visible_sorts().get(name.text)
    if existing is not None or "." in name.text:
        return find_sort(name, module)
    sort = Sort(name.text, module.name, hidden)
    module.add_sort(sort)
    return sort


# --- operators


def operator_declarations(item: tree.OperatorDeclaration, module: Module, library: Library) -> list[OpDecl]:
    """The operators of one `op` or `ops`, evaluated but not yet added."""
    arity = tuple(_rank_sort(name, module) for name in item.arity)
    coarity = _rank_sort(item.coarity, module) if item.coarity else _bool_sort(module)
    attributes = _attributes(item.attributes, module, coarity) if item.attributes is not None else PLAIN
    for step in attributes.strategy or ():
        if abs(step) > len(arity) and item.attributes is not None:
            message = f"the strategy names argument {abs(step)}, but there are {len(arity)}"
            raise SyntaxProblem("E101", message, item.attributes.span)
    names = _several_names(item.name) if item.several else [operator_words(item.name.words)]
    decls = []
    for name in names:
        places = name.count("_")
        if places and places != len(arity):
            raise SyntaxProblem(
                "E205",
                f"operator {''.join(name)!r} has {places} underscores but {len(arity)} argument sorts",
                item.name.span,
                hint="one underscore stands for one argument",
            )
        if not name or name == ("_",):
            raise SyntaxProblem("E205", "this operator has no name", item.name.span)
        checked = _checked(attributes, name, arity, library, item)
        if item.behavioural and sum(sort.hidden for sort in arity) > 1:
            library.warn("W118", "CafeOBJ wants one hidden sort in the arity of a 'bop'", item.name.span, "write 'op'")
        partial = item.coarity is not None and item.coarity.text.startswith("?") and item.coarity.text != coarity.name
        decls.append(OpDecl(name, arity, coarity, checked, module.name, item.span, item.behavioural, partial))
    return [d for d in decls if not _is_equality(d)]


def _rank_sort(name: tree.Named, module: Module) -> Sort:
    """A sort in a rank; an error sort `?S` stands for S there, since every operator extends to error sorts."""
    if name.text.startswith("?") and len(name.text) > 1 and name.text not in module.visible_sorts():
        name = tree.Named(name.text[1:], name.span)
    return find_sort(name, module)


def _checked(
    attributes: Attributes,
    name: tuple[str, ...],
    arity: tuple[Sort, ...],
    library: Library,
    item: tree.OperatorDeclaration,
) -> Attributes:
    has_axioms = attributes.assoc or attributes.comm or attributes.idem or attributes.identity is not None
    if len(arity) != 2 and has_axioms:
        library.warn(
            "W205",
            f"assoc, comm, idem and id: mean nothing for {''.join(name)!r}, which is not binary",
            item.name.span,
        )
    return attributes


def _is_equality(decl: OpDecl) -> bool:
    """A user-declared `_=_` is the built-in equality: proof scores written for CafeOBJ 1.4 declare their own."""
    return decl.name == ("_", "=", "_") and decl.coarity.name == "Bool" and decl.attributes.native is None


def _bool_sort(module: Module) -> Sort:
    found = module.visible_sorts().get("Bool")
    if not found:
        raise SortProblem("E201", "a predicate needs the sort Bool, but BOOL is not imported")
    return found[0]


def _several_names(bubble: tree.Bubble) -> list[tuple[str, ...]]:
    names = []
    index = 0
    words = bubble.words
    while index < len(words):
        if words[index] == "(":
            end = index + 1
            depth = 1
            while end < len(words) and depth:
                depth += (words[end] == "(") - (words[end] == ")")
                end += 1
            names.append(operator_words(words[index:end]))
            index = end
        else:
            names.append(operator_words([words[index]]))
            index += 1
    return names


_FLAGS = {
    "assoc": "assoc", "associative": "assoc", "comm": "comm", "commutative": "comm", "idem": "idem",
    "idempotent": "idem", "constr": "constructor", "ctor": "constructor", "constructor": "constructor", "memo": "memo",
    "coherent": "coherent", "beh-coherent": "coherent",
}  # fmt: skip
_IGNORED_ATTRIBUTES = ("demod", "metadata")


def _attributes(block: tree.Bubble, module: Module, coarity: Sort | None = None) -> Attributes:
    """The attributes in a block; the coarity of the operator, if it is given, says which identity element is meant."""
    values: dict[str, Any] = {}
    words = block.words
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word in _FLAGS:
            values[_FLAGS[word]] = True
        elif word in ("l-assoc", "r-assoc"):
            values["associativity"] = "left" if word == "l-assoc" else "right"
        elif word in ("id:", "idr:"):
            index = _identity(block, index, module, values, coarity)
            values["identity_rules_only"] = word == "idr:"
        elif word in ("prec:", "prec", "precedence", "precedence:"):
            values["precedence"] = _number(block, index)
            index += 1
        elif word in ("strat:", "strat", "strategy:", "strategy", "("):
            index = _strategy(block, index - (word == "("), values)
        elif word == "native:" and module.is_system:
            values["native"] = _builtin(block, index)
            index += 1
        elif word in _IGNORED_ATTRIBUTES:
            index += word == "metadata"
        elif word not in (",", "."):
            raise SyntaxProblem(
                "E114", f"unknown operator attribute: {word!r}", block.span_of(index - 1), did_you_mean(word, _FLAGS)
            )
    return Attributes(**values)


def _builtin(block: tree.Bubble, index: int) -> Builtin:
    word = block.words[index] if index < len(block) else ""
    if word not in WORDS:
        raise SyntaxProblem("E114", f"unknown built-in operator: {word!r}", block.span_of(index))
    return WORDS[word]


def _number(block: tree.Bubble, index: int) -> int:
    word = block.words[index] if index < len(block) else ""
    if not (word.isdecimal() and len(word) <= 3 and int(word) <= 127):
        raise SyntaxProblem("E101", "a precedence is a number from 0 to 127", block.span_of(index))
    return int(word)


def _strategy(block: tree.Bubble, index: int, values: dict[str, Any]) -> int:
    words = block.words
    try:
        close = words.index(")", index)
        numbers = tuple(int(word) for word in words[index + 1 : close] if word != ",")
    except ValueError:
        raise SyntaxProblem("E101", "a strategy is a list of numbers: strat: (1 0)", block.span_of(index)) from None
    values["strategy"] = numbers if 0 in numbers else (*numbers, 0)
    return close + 1


def _identity(block: tree.Bubble, index: int, module: Module, values: dict[str, Any], coarity: Sort | None) -> int:
    """The identity element, parsed with what has been declared so far."""
    words = block.words
    end = index + 1
    if index < len(words) and words[index] == "(":
        depth = 1
        while end < len(words) and depth:
            depth += (words[end] == "(") - (words[end] == ")")
            end += 1
    element = block.part(index, end)
    scope = Scope(module.signature, {}, {}, module)
    expected = None if coarity is None else module.signature.order.kind.get(coarity)
    readings, _ = readings_of(element, scope, expected) if element.words else ([], None)
    if not readings:
        raise SyntaxProblem(
            "E111", f"unknown identity element: {element.text!r}", element.span, "declare it before the operator"
        )
    values["identity"] = readings[0]
    return end


def _add_attributes(item: tree.AttributeDeclaration, module: Module) -> None:
    name = operator_words(item.name.words)
    attributes = _attributes(item.attributes, module)
    found = [d for inner in module.closure() for d in inner.decls if d.name == name]
    if not found:
        raise TheoryProblem("E304", f"no such operator: {item.name.text!r}", item.name.span)
    changed = {name: value for name, value in attributes._asdict().items() if value != getattr(PLAIN, name)}
    for decl in found:
        if decl in module.decls:
            module.change_attributes(decl, decl.attributes._replace(**changed))
        else:
            module.add_operator(OpDecl(decl.name, decl.arity, decl.coarity, attributes, module.name, item.span))


# --- variables, lets


def declare_variables(item: tree.VariableDeclaration, module: Module, library: Library) -> None:
    """Declare variables. The table is replaced, not changed: answers keep the one they are printed with."""
    sort = find_sort(item.sort, module)
    fresh: dict[str, Term] = {}
    for name in item.names:
        known = module.variables.get(name.text)
        if known is not None and known.sort is not sort:
            library.warn(
                "W208", f"variable {name.text} is already declared as sort {known.sort.name}, ignored", name.span
            )
        else:
            fresh[name.text] = variable(name.text, sort)
    module.variables = module.variables | fresh


def declare_let(item: tree.LetDeclaration, module: Module) -> None:
    words = item.body.words
    if "=" not in words or words.index("=") < 1:
        raise SyntaxProblem("E101", "write 'let name = term .'", item.body.span)
    equals = words.index("=")
    module.lets[words[0]] = parse_term(item.body.part(equals + 1, len(words)), scope_of(module))


def new_library() -> Library:
    """An empty session with the built-in modules at hand."""
    return Library(elaborate)
