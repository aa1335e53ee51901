"""A proof that goes on later: its lemmas as JSON data, with their formulas as text.

What is restored are guesses, no more: every case of every lemma is split anew, so that whoever changes the data cannot
make anything proved. What is saved is the time to find the lemmas, and those that were found to be false.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from otsrw.induction.cases import Predicate
from otsrw.induction.proof import Proof
from otsrw.induction.results import Node, NodeKind
from otsrw.induction.scheme import Induction
from otsrw.ots.model import Ots
from otsrw.reasoning.connectives import Literal
from otsrw.records import dataclass
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.lexer import Words
from otsrw.syntax.source import Source
from otsrw.theory.parsing import Scope, parse_term
from otsrw.theory.printing import show_plainly
from otsrw.theory.terms import Term, variable, variables_of

SCHEMA = "otsrw/state/1"
NOT_SAVED = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""Errors of data that no run has saved."""
_LEMMA = re.compile(r"lemma\d{1,6}\Z")
Data = dict[str, Any]


class ProofKeeper(Protocol):
    """Keeps a proof between runs."""

    def begin(self, proof: Proof, induction: Induction) -> None:
        """Give a new proof what was kept, if anything was."""
        ...

    def keep(self, proof: Proof) -> None:
        """Keep what is known now; called after every step that may have changed the lemmas."""
        ...


def proof_data(proof: Proof, ots: Ots) -> Data:
    """What is kept of a proof."""
    lemmas = [node for node in proof.nodes.values() if node.kind in (NodeKind.NECESSARY, NodeKind.STRENGTHENED)]
    return {
        "schema": SCHEMA,
        "module": ots.name,
        "invariant": proof.root.name,
        "cases": proof.cases,
        "lemmas": [_node_data(node) for node in lemmas],
        "refuted": [[_literal_data(literal) for literal in literals] for literals in proof.refuted],
    }


def _node_data(node: Node) -> Data:
    return {
        "name": node.name,
        "kind": node.kind.value,
        "parent": node.parent,
        "transition": node.transition,
        "status": node.status.value,
        "formula": show_plainly(node.predicate.formula),
        "variables": _sorts(node.predicate.parameters),
    }


def _literal_data(literal: Literal) -> Data:
    return {
        "atom": show_plainly(literal.atom),
        "positive": literal.positive,
        "variables": _sorts(variables_of(literal.atom)),
    }


def _sorts(variables: Iterable[Term]) -> dict[str, str]:
    return {each.op.name: each.sort.name for each in variables}


@dataclass(frozen=True, eq=False, slots=True)
class Restored:
    """Lemmas and refuted clauses that could be read; `unread` are those that the module does not understand."""

    lemmas: tuple[Node, ...]
    refuted: tuple[frozenset[Literal], ...]
    unread: tuple[str, ...]


def restored(data: Data, induction: Induction) -> Restored:
    """What was kept, in the terms of the module. Raises `NOT_SAVED` errors if the data are not such."""
    lemmas: dict[str, Node] = {}
    unread: list[str] = []
    for each in data["lemmas"]:
        try:
            lemmas[str(each["name"])] = _node(each, lemmas, data["invariant"], induction)
        except OtsrwError:
            unread.append(str(each["name"]))
    refuted = []
    for clause in data["refuted"]:
        try:
            refuted.append(frozenset(_literal(each, induction) for each in clause))
        except OtsrwError:
            unread.append("a refuted clause")
    return Restored(tuple(lemmas.values()), tuple(refuted), tuple(unread))


def _node(data: Data, known: Mapping[str, Node], root: str, induction: Induction) -> Node:
    """A lemma below its parent; if that is not known, or no transition is named, a guess for the property."""
    name = str(data["name"])
    formula, variables = _term(str(data["formula"]), data["variables"], induction)
    if not _LEMMA.match(name) or any(symbol.name == name for symbol in induction.ots.module.signature.symbols()):
        raise OtsrwError("E310", f"{name!r} is no name for a lemma here")
    predicate: Predicate = induction.predicate(name, variables, formula)
    transitions = {transition.name for transition in induction.ots.transitions}
    parent = known.get(str(data["parent"]))
    if data["transition"] not in transitions or (parent is None and data["parent"] != root):
        return Node(predicate, NodeKind.STRENGTHENED, root, induction.ots.transitions[0].name, depth=1, is_exact=False)
    kind = NodeKind(data["kind"])
    if kind not in (NodeKind.NECESSARY, NodeKind.STRENGTHENED):
        raise ValueError(kind)
    depth, is_exact = (1, True) if parent is None else (parent.depth + 1, parent.is_exact)
    is_exact = is_exact and kind is NodeKind.NECESSARY
    return Node(predicate, kind, str(data["parent"]), data["transition"], depth=depth, is_exact=is_exact)


def _literal(data: Data, induction: Induction) -> Literal:
    return Literal(_term(str(data["atom"]), data["variables"], induction)[0], bool(data["positive"]))


def _term(text: str, sorts: Mapping[str, str], induction: Induction) -> tuple[Term, tuple[Term, ...]]:
    """A formula over the state variable and the variables whose sorts are given."""
    ots = induction.ots
    scope = Scope(ots.module.signature, {}, {}, ots.module)
    variables = {}
    for name, sort in sorts.items():
        found = scope.find_sort(str(sort))
        if found is None:
            raise OtsrwError("E502", f"there is no sort {sort!r}")
        variables[str(name)] = variable(str(name), found)
    scope.variables = {ots.state.op.name: ots.state, **variables}
    words = Words(Source("<saved proof>", text))
    kind = ots.module.signature.order.kind[induction.connectives.true.sort]
    term = parse_term(words.bubble(0, len(words.texts)), scope, kind)
    parameters = tuple(each for each in variables.values() if each is not ots.state)
    if not set(variables_of(term)) <= {ots.state, *parameters}:
        raise OtsrwError("E310", f"a variable of {text!r} has no sort")
    return term, parameters
