"""`:theory`: in a goal, and in all below it, an operator is associative or commutative."""

from __future__ import annotations

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import Goal, TacticOutcome
from otsrw.proofs.citp.reading import Group
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SyntaxProblem, TheoryProblem
from otsrw.theory.terms import OpDecl

_USAGE = "write ':theory f : S S -> S {comm}'"
_LAWS = {"assoc": "assoc", "associative": "assoc", "comm": "comm", "commutative": "comm"}


def with_theory(command: tree.LineCommand, bench: GoalBench, goal: Goal) -> TacticOutcome:
    """The goal in which reductions know the laws of the operator. That it has them is taken for granted."""
    words = command.body.words
    if ":" not in words or "->" not in words or "{" not in words:
        raise SyntaxProblem("E101", _USAGE, command.span)
    colon, arrow, brace = words.index(":"), words.index("->"), words.index("{")
    laws = Group(command.body.part(brace, len(words)), _USAGE).inner
    for index, word in enumerate(laws.words):
        if word not in _LAWS:
            message = f"{word!r} is not supported in ':theory'"
            raise SyntaxProblem("E106", message, laws.span_of(index), "it takes assoc and comm")
    decl = _declaration("".join(words[:colon]), tuple(words[colon + 1 : arrow]), words[arrow + 1], goal, command)
    known = {_LAWS[word] for word in laws.words}
    if "assoc" in known and decl.arity != (decl.coarity, decl.coarity):
        raise TheoryProblem("E309", f"{decl.text} cannot be associative: it does not take what it gives", command.span)
    attributes = decl.attributes._replace(
        assoc=decl.attributes.assoc or "assoc" in known, comm=decl.attributes.comm or "comm" in known
    )
    again = OpDecl(decl.name, decl.arity, decl.coarity, attributes, bench.context.base.name, command.span)
    granted = f"in goal {goal.name} the operator {decl.text} is {' '.join(sorted(known))}"
    return TacticOutcome(goal._replace(theories=(*goal.theories, again)), assumed=(granted,))


def _declaration(name: str, arity: tuple[str, ...], coarity: str, goal: Goal, command: tree.LineCommand) -> OpDecl:
    for symbol in goal.signature.symbols():
        for decl in symbol.decls:
            sorts = tuple(sort.name for sort in decl.arity)
            if "".join(decl.name) == name and sorts == arity and decl.coarity.name == coarity and len(arity) == 2:
                return decl
    raise TheoryProblem("E309", f"there is no binary operator {name} with this rank", command.span)
