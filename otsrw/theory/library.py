"""All modules and views of a session, and the evaluation of module expressions.

Module expressions that mean the same are one module: instances are keyed by what they map, not by how they are
written. The built-in modules are read from the prelude when first mentioned.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Protocol

from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError, SortProblem, TheoryProblem, did_you_mean
from otsrw.syntax.reader import read
from otsrw.syntax.source import NOWHERE, Source, Span
from otsrw.theory.modules import FormalParameter, Imported, Module, Origin
from otsrw.theory.morphisms import Derived, Morphism, OpImage
from otsrw.theory.parsing import Scope, parse_term
from otsrw.theory.portability import unportable
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import PLAIN, OpDecl, Symbol, Term, variable


class View(NamedTuple):
    """A named view, resolved anew for each parameter it instantiates."""

    name: str
    source: Module
    target: Module
    mappings: tuple[tree.Mapping, ...]


class Elaborator(Protocol):
    def __call__(self, declaration: tree.ModuleDeclaration, library: Library) -> Module: ...


_DECLARATION = re.compile(r"^mod[!*] (\S+)", re.MULTILINE)


@cache
def _prelude() -> dict[str, str]:
    """The texts of the built-in modules by name, each after as many empty lines as there are lines before it."""
    with open(os.path.join(os.path.dirname(__file__), "prelude.cafe"), encoding="utf-8") as file:
        text = file.read()
    found = list(_DECLARATION.finditer(text))
    ends = [*(after.start() for after in found[1:]), len(text)]
    return {
        begin.group(1): "\n" * text.count("\n", 0, begin.start()) + text[begin.start() : end]
        for begin, end in zip(found, ends, strict=True)
    }


def _declaration(name: str) -> tree.ModuleDeclaration:
    """A built-in module, read when it is first mentioned: a file needs few of them."""
    statements, errors = read(Source("<prelude>", _prelude()[name]))
    assert not errors, errors[0].render()
    (declaration,) = (s for s in statements if isinstance(s, tree.ModuleDeclaration))
    return declaration


_system_modules: dict[str, Module] = {}
"""Built-in modules are the same objects in every session: their sorts type the literals."""


class NoSuchModule(TheoryProblem):
    """A name stands for no module; `wanted` says what it might have stood for."""

    def __init__(self, name: tree.Named, hint: str | None, wanted: str = "module") -> None:
        super().__init__("E301", f"no such {wanted}: {name.text!r}", name.span, hint)
        self.name = name


class Library:
    """The modules and views that have been declared, and the instances that have been made."""

    def __init__(self, elaborate: Elaborator) -> None:
        self.elaborate = elaborate
        self.modules: dict[str, Module] = {}
        self.views: dict[str, View] = {}
        self.warnings: list[Diagnostic] = []
        self.in_progress: list[str] = []
        self.include_bool = True
        self._instances: dict[object, Module] = {}

    def naming(self, modules: Mapping[str, Module], views: Mapping[str, View]) -> Library:
        """A library with other names that shares the instances made so far, and those made later."""
        library = Library(self.elaborate)
        library.modules.update(modules)
        library.views.update(views)
        library._instances = self._instances
        return library

    def forget_instances(self, living: Iterable[Module]) -> None:
        """Drop instances that none of the modules living on is made of."""
        kept = {inner for module in living for inner in module.closure()}
        for key in [key for key, module in self._instances.items() if module not in kept]:
            del self._instances[key]

    def warn(self, code: str, message: str, span: Span = NOWHERE, hint: str | None = None) -> None:
        self.warnings.append(Diagnostic(code, message, span, hint))

    def warn_of_unportable(self, item: tree.Statement, in_passage: bool = False) -> None:
        """Tell what CafeOBJ refuses about the way in which something is written."""
        for message, span, hint in unportable(item, in_passage):
            self.warn("W118", message, span, hint)

    # --- names

    def find(self, name: str) -> Module | None:
        """A module by name: the user's, or a built-in one."""
        found = self.modules.get(name)
        if found is None and name not in self.in_progress:
            found = self.system(name)
        return found

    def system(self, name: str) -> Module | None:
        found = _system_modules.get(name)
        if found is None and name in _prelude():
            found = _system_modules[name] = self.elaborate(_declaration(name), self)
        return found

    @staticmethod
    def is_system_name(name: str) -> bool:
        return name in _prelude()

    def module_named(self, name: tree.Named, context: Module | None) -> Module:
        if context is not None:
            for parameter in context.all_parameters():
                if parameter.name == name.text:
                    return parameter.module
        if name.text in self.in_progress:
            raise TheoryProblem("E302", f"cyclic import: module {name.text!r} imports itself", name.span)
        found = self.find(name.text)
        if found is None:
            raise NoSuchModule(name, did_you_mean(name.text, [*self.modules, *_prelude()]))
        return found

    # --- module expressions

    def evaluate(self, expression: tree.ModuleExpression, context: Module | None = None) -> Module:
        match expression:
            case tree.ModuleName(name):
                return self.module_named(name, context)
            case tree.Sum(parts):
                return self._sum([self.evaluate(part, context) for part in parts])
            case tree.Renaming(inner, mappings):
                return self._rename(self.evaluate(inner, context), mappings)
            case tree.Instantiation(inner, arguments):
                return self._instantiate(self.evaluate(inner, context), arguments, context, expression.span)

    def _sum(self, parts: list[Module]) -> Module:
        parts = sorted(dict.fromkeys(parts), key=lambda m: m.name.lower(), reverse=True)
        if len(parts) == 1:
            return parts[0]
        key = ("sum", *parts)
        if key not in self._instances:
            total = Module(" + ".join(m.name for m in parts), "mod", imports=[Imported("pr", m) for m in parts])
            self._instances[key] = total
        return self._instances[key]

    # --- renaming

    def _rename(self, module: Module, mappings: tuple[tree.Mapping, ...]) -> Module:
        sort_names: dict[Sort, str] = {}
        op_names: dict[OpDecl, tuple[str, ...]] = {}
        for mapping in mappings:
            if mapping.kind == "sort":
                sort = _find_sort(module, mapping.source)
                sort_names[sort] = mapping.target.words[0]
            elif mapping.kind == "op":
                for decl in _find_decls(module, mapping.source):
                    op_names[decl] = operator_words(mapping.target.words)
        key = ("renaming", module, frozenset(sort_names.items()), frozenset(op_names.items()))
        if key not in self._instances:
            morphism = Morphism(lambda m: f"{m.name} * {{ ... }}", sort_names=sort_names, op_names=op_names)
            for parameter in module.all_parameters():
                if not morphism.touches(parameter.module):
                    morphism.modules[parameter.module] = parameter.module
            self._instances[key] = morphism.image(module)
        return self._instances[key]

    # --- instantiation

    def _instantiate(
        self, module: Module, arguments: tuple[tree.Argument, ...], context: Module | None, span: Span
    ) -> Module:
        parameters = module.all_parameters()
        if not parameters:
            raise TheoryProblem("E304", f"module {module.name!r} has no parameters", span)
        chosen = _pair_up(parameters, arguments, module, span)
        sorts: dict[Sort, Sort] = {}
        decls: dict[OpDecl, OpImage] = {}
        targets: dict[Module, Module] = {}
        labels = []
        for parameter, argument in chosen:
            target, mappings, label = self._target(argument, context)
            resolved = _resolve_view(self, parameter.module, target, mappings, span, sorts, targets)
            sorts |= resolved.sorts
            decls |= resolved.decls
            for inner in resolved.modules:
                targets[inner] = resolved.target
            labels.append(f"{parameter.name} <= {label}")
        return self.instance(module, f"{module.name}({', '.join(labels)})", sorts, decls, targets)

    def instance(
        self,
        module: Module,
        name: str,
        sorts: dict[Sort, Sort],
        decls: dict[OpDecl, OpImage],
        targets: dict[Module, Module],
    ) -> Module:
        """The copy of `module` along a map; one module for one map."""
        key = ("instance", module, frozenset(sorts.items()), frozenset(decls.items()), frozenset(targets.items()))
        if key not in self._instances:
            label = name[len(module.name) :]
            morphism = _Instantiation(self, lambda m: m.name + label, sorts, decls, targets)
            made = morphism.image(module)
            made.name = name
            self._instances[key] = made
            made.origin = Origin(module, sorts, decls, targets)
        return self._instances[key]

    def _target(self, argument: tree.Argument, context: Module | None) -> tuple[Module, tuple[tree.Mapping, ...], str]:
        """The module an argument stands for, the mappings of its view, and its printed form."""
        if isinstance(argument.target, tree.ModuleName) and argument.mappings is None:
            view = self.views.get(argument.target.name.text)
            if view is not None:
                return view.target, view.mappings, view.name
        try:
            target = self.evaluate(argument.target, context)
        except NoSuchModule as missing:
            if argument.mappings is None:
                raise NoSuchModule(missing.name, missing.problem.hint, "view or module") from None
            raise
        if argument.mappings is None:
            return target, (), target.name
        return target, argument.mappings, target.name + "{ ... }"

    def declare_view(self, declaration: tree.ViewDeclaration) -> None:
        source = self.evaluate(declaration.source)
        target = self.evaluate(declaration.target)
        if declaration.name.text in self.views:
            self.warn("W305", f"redefining view {declaration.name.text}", declaration.name.span)
        _resolve_view(self, source, target, declaration.mappings, declaration.span)
        self.views[declaration.name.text] = View(declaration.name.text, source, target, declaration.mappings)

    def parameter_copy(self, name: str, theory: Module, earlier: list[FormalParameter]) -> Module:
        """A private copy of a parameter's theory: loose modules are copied, earlier parameters and others shared."""
        kept = {inner for parameter in earlier for inner in parameter.module.closure()}
        return _Privacy(name, kept).image(theory)


class _Instantiation(Morphism):
    """Copies dependent modules; an imported instance is instantiated anew through the library, so it is shared."""

    def __init__(
        self,
        library: Library,
        label: object,
        sorts: dict[Sort, Sort],
        decls: dict[OpDecl, OpImage],
        targets: dict[Module, Module],
    ) -> None:
        super().__init__(label, sorts, decls, targets)  # type: ignore[arg-type]
        self.library = library
        self.given = (dict(sorts), dict(decls), dict(targets))

    def image(self, module: Module) -> Module:
        origin = module.origin
        if origin is None or module in self.modules or not self.touches(module):
            return super().image(module)
        base, sorts, decls, targets = origin
        if any(isinstance(image, Derived) for image in decls.values()):
            return super().image(module)
        for target in targets.values():
            self.image(target)
        inside = set(base.closure())
        own_sorts = {s for inner in inside for s in inner.sorts}
        own_decls = {d for inner in inside for d in inner.decls}
        composed = self.library.instance(
            base,
            self.label(module),
            {s: t for s, t in self.given[0].items() if s in own_sorts}
            | {s: self.sorts.get(t, t) for s, t in sorts.items()},
            {d: t for d, t in self.given[1].items() if d in own_decls}
            | {d: self.decls.get(t, t) for d, t in decls.items() if isinstance(t, OpDecl)},
            {m: t for m, t in self.given[2].items() if m in inside}
            | {m: self.modules.get(t, t) for m, t in targets.items()},
        )
        self.modules[module] = composed
        self._adopt(module, composed)
        return composed

    def _adopt(self, module: Module, composed: Module) -> None:
        """Both were copied from the same module: their contents correspond one to one."""
        for old, new in zip(module.sorts, composed.sorts, strict=True):
            self.sorts[old] = new
        for old_decl, new_decl in zip(module.decls, composed.decls, strict=True):
            self.decls[old_decl] = new_decl
        for inner, outer in zip(module.imports, composed.imports, strict=False):
            if inner.module is not outer.module and inner.module not in self.modules:
                self.modules[inner.module] = outer.module
                if len(inner.module.sorts) == len(outer.module.sorts) and len(inner.module.decls) == len(
                    outer.module.decls
                ):
                    self._adopt(inner.module, outer.module)


class _Privacy(Morphism):
    """The copy of a theory for one parameter."""

    def __init__(self, name: str, kept: set[Module]) -> None:
        super().__init__(lambda _: name, modules={module: module for module in kept})

    def touches(self, module: Module) -> bool:
        return not module.is_tight


def _is_loose(module: Module) -> bool:
    """May the module mean different things in different places? A tight one does if it is made of a loose one."""
    return any(not inner.is_tight for inner in module.closure() if inner is module or not inner.is_system)


def _pair_up(
    parameters: list[FormalParameter], arguments: tuple[tree.Argument, ...], module: Module, span: Span
) -> list[tuple[FormalParameter, tree.Argument]]:
    if len(arguments) > len(parameters):
        raise TheoryProblem(
            "E304", f"module {module.name!r} has {len(parameters)} parameters, not {len(arguments)}", span
        )
    paired = []
    for index, argument in enumerate(arguments):
        if argument.parameter is None:
            paired.append((parameters[index], argument))
            continue
        named = [p for p in parameters if argument.parameter.text in (p.name, f"{p.name}.{module.name}")]
        if not named:
            names = ", ".join(p.name for p in parameters)
            raise TheoryProblem(
                "E304",
                f"module {module.name!r} has no parameter {argument.parameter.text!r}",
                argument.parameter.span,
                f"it has {names}",
            )
        paired.append((named[0], argument))
    return paired


# --- views


class _ResolvedView(NamedTuple):
    """The map of a view; `target` has in addition the operators that the theory asks for and the target lacks."""

    sorts: dict[Sort, Sort]
    decls: dict[OpDecl, OpImage]
    modules: list[Module]
    target: Module


def _resolve_view(
    library: Library,
    theory: Module,
    target: Module,
    mappings: tuple[tree.Mapping, ...],
    span: Span,
    known: dict[Sort, Sort] | None = None,
    done: dict[Module, Module] | None = None,
) -> _ResolvedView:
    """Where each sort and operator of a theory goes: explicitly, by principal sort, or by name."""
    modules = [m for m in theory.closure() if m is theory or _is_loose(m)]
    shared = set(target.closure())
    modules = [m for m in modules if m is theory or (m not in shared and m not in (done or {}))]
    sorts = _sort_images(theory, target, modules, mappings, span, known or {})
    decls = _explicit_operators(theory, target, mappings, sorts, span)
    loose = _complete_operators(library, theory, target, modules, sorts, decls, span)
    if loose:
        target = Module(target.name, target.kind, imports=[Imported("pr", target)], decls=loose)
    return _ResolvedView(sorts, decls, modules, target)


def _sort_images(
    theory: Module,
    target: Module,
    modules: list[Module],
    mappings: tuple[tree.Mapping, ...],
    span: Span,
    known: dict[Sort, Sort],
) -> dict[Sort, Sort]:
    """Where each sort of some modules goes: explicitly, by principal sort, or by name; `known` is already decided."""
    sorts = dict(known)
    for mapping in mappings:
        if mapping.kind == "sort":
            sorts[_find_sort(theory, mapping.source)] = _find_sort(target, mapping.target)
    principal, target_principal = theory.principal_sort(), target.principal_sort()
    target_sorts = target.visible_sorts()
    for sort in (sort for module in modules for sort in module.sorts if sort not in sorts):
        if sort is principal and target_principal is not None:
            sorts[sort] = target_principal
        elif sort.name in target_sorts:
            sorts[sort] = target_sorts[sort.name][0]
        else:
            raise SortProblem(
                "E204",
                f"the view from {theory.name} to {target.name} says nothing of sort {sort.name!r}",
                span,
                hint=f"add 'sort {sort.name} -> ...', or give {target.name} a principal-sort",
            )
    return sorts


def _complete_operators(
    library: Library,
    theory: Module,
    target: Module,
    modules: list[Module],
    sorts: dict[Sort, Sort],
    decls: dict[OpDecl, OpDecl | Derived],
    span: Span,
) -> list[OpDecl]:
    """Add to `decls` where the other operators of some modules go.

    An operator that the target lacks is made, with a warning. Returns the operators that were made.
    """
    made: list[OpDecl] = []
    for decl in (decl for module in modules for decl in module.decls if decl not in decls):
        image = _operator_image(decl, decl.name, target, sorts)
        if image is not None:
            decls[decl] = image
        elif not decl.attributes.native:
            library.warn(
                "W306", f"the view from {theory.name} to {target.name} says nothing of operator {decl.text!r}", span
            )
            arity = tuple(sorts.get(s, s) for s in decl.arity)
            image = OpDecl(decl.name, arity, sorts.get(decl.coarity, decl.coarity), PLAIN, target.name, decl.span)
            decls[decl] = image
            made.append(image)
    return made


def _operator_image(decl: OpDecl, name: tuple[str, ...], target: Module, sorts: dict[Sort, Sort]) -> OpDecl | None:
    """The target's operator of this name with the mapped rank, exactly or at least in the same kinds."""
    arity = tuple(sorts.get(s, s) for s in decl.arity)
    coarity = sorts.get(decl.coarity, decl.coarity)
    candidates: list[Symbol] = target.signature.named(name, len(arity))
    for symbol in candidates:
        for found in symbol.decls:
            if found.arity == arity and found.coarity is coarity:
                return found
    kinds = target.signature.order.kind
    for symbol in candidates:
        if symbol.polymorphic or (
            all(kinds.get(s) is k for s, k in zip(arity, symbol.arg_kinds, strict=True))
            and kinds.get(coarity) is symbol.kind
        ):
            return symbol.decls[0]
    return None


def _explicit_operators(
    theory: Module, target: Module, mappings: tuple[tree.Mapping, ...], sorts: dict[Sort, Sort], span: Span
) -> dict[OpDecl, OpImage]:
    decls: dict[OpDecl, OpImage] = {}
    source_variables: dict[str, Term] = {}
    for mapping in mappings:
        if mapping.kind == "var":
            sort = _find_sort(theory, mapping.target)
            source_variables.update({name: variable(name, sort) for name in mapping.source.words if name != ","})
    for mapping in mappings:
        if mapping.kind != "op":
            continue
        words = operator_words(mapping.target.words)
        found = _named_decls(theory, mapping.source.words)
        images = {decl: _operator_image(decl, words, target, sorts) for decl in found}
        if found and any(images.values()):
            decls.update({decl: image for decl, image in images.items() if image is not None})
        else:
            decls.update(_derived_operator(theory, target, mapping, sorts, source_variables, found, span))
    return decls


def _derived_operator(
    theory: Module,
    target: Module,
    mapping: tree.Mapping,
    sorts: dict[Sort, Sort],
    source_variables: dict[str, Term],
    constants: list[OpDecl],
    span: Span,
) -> dict[OpDecl, OpImage]:
    """`op pattern -> term`: a constant or an application to variables, mapped to a term of the target."""
    source_scope = Scope(theory.signature, dict(source_variables), {}, theory)
    try:
        pattern = parse_term(mapping.source, source_scope)
    except OtsrwError:
        raise TheoryProblem(
            "E304", f"no such operator in {theory.name}: {mapping.source.text!r}", mapping.source.span
        ) from None
    images = {
        name: variable(name, sorts.get(v.sort, v.sort))
        for name, v in (source_scope.fresh | source_scope.variables).items()
    }
    target_scope = Scope(target.signature, images, {}, target)
    body = parse_term(mapping.target, target_scope)
    formal = tuple(variable(a.op.name, sorts.get(a.sort, a.sort)) for a in pattern.args)
    decls = constants or pattern.op.decls
    if not all(a.op.variable for a in pattern.args):
        raise TheoryProblem("E304", "an operator is mapped from a pattern of variables", span)
    return dict.fromkeys(decls, Derived(formal, body))


def _find_sort(module: Module, bubble: tree.Bubble) -> Sort:
    name = bubble.words[0] if bubble.words else ""
    scope = Scope(module.signature, {}, {}, module)
    try:
        found = scope.find_sort(name)
    except SortProblem as problem:
        raise problem.at(bubble.span) from None
    if found is None:
        raise SortProblem(
            "E201", f"no such sort in {module.name}: {name!r}", bubble.span, did_you_mean(name, module.visible_sorts())
        )
    return found


def _named_decls(module: Module, words: list[str]) -> list[OpDecl]:
    """Declarations an operator reference may mean: `_+_`, `f`, `f/2`, `a.M`."""
    name = operator_words(words)
    found = [d for inner in module.closure() for d in inner.decls if d.name == name]
    if not found and len(name) == 1 and "/" in name[0]:
        plain, _, nargs = name[0].rpartition("/")
        found = [
            d for inner in module.closure() for d in inner.decls if d.name == (plain,) and str(len(d.arity)) == nargs
        ]
    if not found and len(words) == 1 and "." in words[0]:
        plain, _, qualifier = words[0].rpartition(".")
        inner_name = operator_words([plain])
        found = [
            d for inner in module.closure() for d in inner.decls if d.name == inner_name and inner.name == qualifier
        ]
    return found


def _find_decls(module: Module, bubble: tree.Bubble) -> list[OpDecl]:
    found = _named_decls(module, bubble.words)
    if not found:
        known = {decl.text for inner in module.closure() for decl in inner.decls}
        hint = did_you_mean(bubble.text.replace(" ", ""), known)
        raise TheoryProblem("E304", f"no such operator in {module.name}: {bubble.text!r}", bubble.span, hint)
    return found


def operator_words(words: list[str]) -> tuple[str, ...]:
    """An operator's name as words: `_` stands alone, parentheses around the whole name are dropped."""
    if len(words) > 2 and words[0] == "(" and words[-1] == ")" and _encloses(words):
        words = words[1:-1]
    pieces: list[str] = []
    for word in words:
        start = 0
        for index, character in enumerate(word):
            if character == "_":
                if index > start:
                    pieces.append(word[start:index])
                pieces.append("_")
                start = index + 1
        if start < len(word):
            pieces.append(word[start:])
    return tuple(pieces)


def _encloses(words: list[str]) -> bool:
    depth = 0
    for index, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if depth == 0:
            return index == len(words) - 1
    return False
