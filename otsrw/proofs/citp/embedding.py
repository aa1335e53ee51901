"""`:embed`: discharged sentences, or what they say of an operator, become part of a module."""

from __future__ import annotations

from collections.abc import Callable

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.events import GoalNaming, SentencesShown, TheoryEmbedded
from otsrw.proofs.citp.reading import Group
from otsrw.proofs.citp.sentences import NONEXEC, as_rule
from otsrw.proofs.events import Echoed
from otsrw.proofs.workspace import Workspace
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SyntaxProblem, TheoryProblem
from otsrw.theory.modules import Axiom, Imported, Module, as_terms_of
from otsrw.theory.terms import PLAIN, OpDecl, Term

_WAYS = ("as", "into")


def embed(
    command: tree.LineCommand,
    bench: GoalBench,
    proved: Callable[[str, tree.LineCommand], Axiom],
    workspace: Workspace,
    naming: GoalNaming,
) -> None:
    """`:embed (label ..) as M`, `:embed [label] {assoc} into M`"""
    group = Group(command.body, "':embed (label ..) as M'")
    axioms = tuple(proved(label, command) for label in group.inner.words)
    rest = group.rest
    theory: tuple[str, ...] = ()
    if group.opening == "[":
        attributes = Group(rest, "':embed [label] {assoc} as M'")
        theory, rest = tuple(attributes.inner.words), attributes.rest
    if len(rest) != 2 or rest.words[0] not in _WAYS or len(axioms) == 0:
        raise SyntaxProblem("E101", "write 'as M' or 'into M'", command.span)
    module = _target(rest.words[1], rest.words[0] == "as", bench, workspace, command)
    if theory:
        decl = _with_theory(axioms[0], theory, module, command)
        module.add_operator(decl)
        workspace.emit(TheoryEmbedded(module.name, theory, decl, naming))
        return
    memo: dict[Term, Term] = {}
    plain = (a._replace(labels=tuple(label for label in a.labels if label != NONEXEC)) for a in axioms)
    module.add_axioms([as_rule(as_terms_of(module.signature, axiom, memo), bench.truths) for axiom in plain])
    workspace.emit(SentencesShown(f"[:embed] adding axioms into module {module.name}", axioms, naming))


def _target(name: str, is_new: bool, bench: GoalBench, workspace: Workspace, command: tree.LineCommand) -> Module:
    library = workspace.library
    if is_new:
        if library.is_system_name(name):
            raise TheoryProblem("E305", f"module {name} is built in and cannot be redefined", command.span)
        if name in library.modules:
            library.warn("W301", f"redefining module {name}", command.span)
        context = bench.context.base
        library.modules[name] = Module(name, context.kind, [Imported("inc", context)], span=command.span)
        workspace.emit(Echoed(f"-- defining module {name}"))
        return library.modules[name]
    module = library.modules.get(name)
    if module is None:
        raise TheoryProblem("E301", f"there is no module {name}", command.span)
    if bench.context.base not in module.closure():
        raise TheoryProblem("E309", f"module {name} does not import {bench.context.name}", command.span)
    return module


def _with_theory(axiom: Axiom, theory: tuple[str, ...], module: Module, command: tree.LineCommand) -> OpDecl:
    """The operator of a sentence, declared again with a theory that the sentence says it has."""
    op = axiom.lhs.op
    decl = op.decl_of(axiom.lhs.args) if op.decls and op.nargs == 2 else None
    if decl is None:
        raise TheoryProblem("E309", "the sentence is not about a binary operator", command.span)
    if not _is_stated(axiom, theory):
        message = f"the sentence does not say that {decl.text} is {' '.join(theory)}"
        raise TheoryProblem("E309", message, command.span)
    attributes = decl.attributes._replace(
        assoc=decl.attributes.assoc or "assoc" in theory, comm=decl.attributes.comm or "comm" in theory
    )
    again = next((own for own in module.decls if own.name == decl.name and own.arity == decl.arity), None)
    if again is not None:
        attributes = attributes._replace(
            assoc=attributes.assoc or again.attributes.assoc, comm=attributes.comm or again.attributes.comm
        )
    return OpDecl(decl.name, decl.arity, decl.coarity, attributes or PLAIN, module.name, command.span)


def _is_stated(axiom: Axiom, theory: tuple[str, ...]) -> bool:
    """Is the sentence the law of associativity or of commutativity?"""
    left, right, op = axiom.lhs, axiom.rhs, axiom.lhs.op
    if axiom.condition is not None or right.op is not op or len(left.args) != 2 or len(right.args) != 2:
        return False
    if theory == ("comm",):
        first, second = left.args
        return first.op.variable and second.op.variable and first is not second and right.args == (second, first)
    if theory != ("assoc",):
        return False
    for one, other in ((left, right), (right, left)):
        inner, last = one.args
        if inner.op is op and len(inner.args) == 2:
            first, second = inner.args
            variables = {first, second, last}
            if all(v.op.variable for v in variables) and len(variables) == 3:
                return other.args == (first, op.make((second, last)))
    return False
