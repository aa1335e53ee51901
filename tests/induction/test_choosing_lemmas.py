"""Lemmas speak of any index and of many labels; a guess that is given up takes nothing with it that can stand alone."""

from __future__ import annotations

from specifications import SPECS, instance_of, ots_of, ots_of_file

from otsrw.application import load_specification
from otsrw.application.deciding import DecisionQuestion, decide
from otsrw.induction import Induction, Options, igf
from otsrw.induction.clauses import Clause
from otsrw.induction.proof import Proof
from otsrw.induction.results import Node, NodeKind, NodeStatus
from otsrw.induction.steps import Examined, ProofObligation, Refuted
from otsrw.induction.vocabulary import CaseVocabulary
from otsrw.induction.widening import widened
from otsrw.ots.model import Ots
from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.workbench import Workbench
from otsrw.search import MaudeSpace
from otsrw.theory.printing import show_plainly
from otsrw.theory.sorts import Sort

EVERYDAY = SPECS.parent / "bench" / "everyday"

VOTES = """
mod* NODE { [Node] }
mod* VOTES { pr(NODE + NAT) *[Sys]* op init : -> Sys
  bop term : Sys Node -> Nat  bop vote : Sys Node Nat -> Node  bop go : Sys Node -> Sys
  op inv : Sys Node Node -> Bool  var S : Sys vars I J : Node var N : Nat
  eq term(init, I) = 0 . eq vote(init, I, N) = I .
  eq term(go(S, J), I) = term(S, I) . eq vote(go(S, J), I, N) = vote(S, I, N) .
  eq inv(S, I, J) = not (vote(S, I, term(S, J)) = J and term(S, J) = 0) . }
"""


def clause_of_invariant(ots: Ots) -> Clause:
    invariant = ots.invariants[0]
    return Induction(ots).predicate(invariant.name, invariant.parameters, invariant.formula).clauses[0]


def test_an_observation_that_is_an_index_gets_a_name() -> None:
    ots = ots_of(VOTES)
    named = CaseVocabulary(ots, Induction(ots).connectives).with_named_indexes(clause_of_invariant(ots))
    texts = {show_plainly(literal.atom) for literal in named.clause.literals}
    assert texts == {"(vote(S,I,TERM) = J)", "(0 = TERM)", "(term(S,J) = TERM)"}
    ((name, term),) = named.names.values()
    assert (show_plainly(name), show_plainly(term)) == ("TERM", "term(S,J)")
    assert all("term(S,J)" not in show_plainly(each.atom) for each in named.clause.literals if each not in named.names)


def test_a_lemma_is_about_all_labels_that_it_holds_for() -> None:
    ots = ots_of_file("mcs.cafe")
    induction = Induction(ots)
    clause = max(clause_of_invariant(ots).literals, key=lambda literal: literal.positive)
    single = Clause(ots.state, (clause,), tuple(v for v in clause_of_invariant(ots).parameters))
    labels = Workbench(ots.module).constants_of(_label_sort(clause))
    allowed = set(labels[:2])

    def holds(candidate: Clause) -> bool:
        return not any(label in literal.atom.args for literal in candidate.literals for label in allowed)

    wide = widened(single, induction.connectives, Workbench(ots.module).constants_of, holds)
    assert {literal.positive for literal in wide.literals} == {False}
    assert {label for literal in wide.literals for label in literal.atom.args if label in labels} == allowed
    narrow = widened(single, induction.connectives, Workbench(ots.module).constants_of, lambda each: each is single)
    assert narrow is single


def _label_sort(literal: Literal) -> Sort:
    return next(side.sort for side in literal.atom.args if side.ground)


# --- guesses that are given up


def node(name: str, parent: str | None, kind: NodeKind, ots: Ots) -> Node:
    clause = clause_of_invariant(ots)
    predicate = Induction(ots).lemma(name, clause)
    return Node(predicate, kind, parent, None if parent is None else ots.transitions[0].name, is_exact=parent is None)


def test_what_does_not_depend_on_a_guess_stays() -> None:
    ots = ots_of_file("tas.cafe")
    root = ots.invariants[0]
    proof = Proof(ots, Induction(ots).predicate(root.name, root.parameters, root.formula))
    proof.is_searched = True
    guess = node("guess", root.name, NodeKind.STRENGTHENED, ots)
    for each in (
        guess,
        node("needed-by-it", "guess", NodeKind.NECESSARY, ots),
        node("own-guess", "needed-by-it", NodeKind.STRENGTHENED, ots),
        node("other", root.name, NodeKind.STRENGTHENED, ots),
    ):
        proof.nodes[each.name] = each
    examined = Examined(ProofObligation("guess", None, 0), 1, (), (), ())
    proof.commit(Refuted(examined, guess, None, is_base=True))
    assert set(proof.nodes) == {root.name, "own-guess", "other"}
    assert proof.nodes["own-guess"].parent == root.name
    assert [dropped.reason for dropped in proof.dropped] == ["its base case is not closed"]
    assert proof.retractions == 1


def test_a_lemma_that_nothing_uses_is_not_in_the_proof() -> None:
    ots = ots_of_file("tas.cafe")
    with MaudeSpace(instance_of(ots)) as space:
        result = igf(ots, space, ots.invariants[0], Options(depth=1))
    used = {name for each in result.nodes.values() for name in each.uses}
    assert set(result.nodes) == used | {result.invariant.name}
    assert all(each.status is NodeStatus.PROVED for each in result.nodes.values())


def test_a_lock_with_epochs_is_proved_for_all_epochs() -> None:
    """Its lemmas are about any epoch, and guesses that are false in the initial state are never taken."""
    recognised = load_specification(str(EVERYDAY / "epochs.cafe")).recognised(invariant="inv1")
    result = decide(recognised, DecisionQuestion("inv1", Options(max_cases=6000))).result
    assert result.verdict == "verified"
    assert not any(dropped.reason == "its base case is not closed" for dropped in result.dropped)
