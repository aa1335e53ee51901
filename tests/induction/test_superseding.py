"""Lemmas that others imply leave the queue, and lemmas do not repeat that their predicate held before."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from random_entities import random_system
from specifications import instance_of, ots_of, ots_of_file

from otsrw.induction import IgfVerdict, Options, igf
from otsrw.induction.cases import Predicate
from otsrw.induction.clauses import Clause
from otsrw.induction.kept import KeptStates
from otsrw.induction.proof import Proof
from otsrw.induction.prover import Prover
from otsrw.induction.results import NodeKind, used_by
from otsrw.induction.scheme import Induction
from otsrw.induction.steps import LemmaChosen, Stopped
from otsrw.induction.superseding import implying_instance, superseded_by
from otsrw.ots.model import Ots
from otsrw.ots.run import replay
from otsrw.ots.stepping import Stepper
from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.splitting import LeafOutcome
from otsrw.records import replace
from otsrw.search import MaudeSpace, RewritingSpace
from otsrw.theory.terms import variables_of

PIDS = ("boss", "p1", "p2", "p3")


def violating(kept: KeptStates, predicate: Predicate) -> int:
    """The states that violate a predicate, as bits."""
    plans = kept.lookup.ways_to_violate(predicate)
    assert plans is not None
    found = 0
    for plan in plans:
        for _, states in kept.conjunctions.solver.solutions(plan.steps, {}, kept.conjunctions.solver.columns.all):
            found |= states
    return found


def proof_after(prover: Prover, cases: int) -> tuple[Proof, list[LemmaChosen]]:
    """A proof after so many cases, and the lemmas that were chosen."""
    proof, chosen = prover.new_proof(), []
    while proof.ending is None and proof.cases < cases:
        result = prover.step(proof)
        if isinstance(result, Stopped):
            break
        if isinstance(result, LemmaChosen):
            chosen.append(result)
        proof.commit(result)
    return proof, chosen


def test_what_violates_an_implied_lemma_violates_the_one_that_implies_it() -> None:
    """Random systems: all pairs of lemmas that their cases ask for, with and without some of their literals."""
    told = Counter[str]()
    for seed in range(60):
        ots = ots_of(random_system(seed))
        induction = Induction(ots)
        kept = KeptStates.explore(RewritingSpace(instance_of(ots, {"Pid": PIDS})), 3)
        predicates = [induction.lemma(f"lemma{n}", each) for n, each in enumerate(variants(induction))]
        for one, other in permutations(predicates, 2):
            if implying_instance(one.clauses[0], other.clauses[0], ots.module.signature.order) is not None:
                assert violating(kept, other) & ~violating(kept, one) == 0, (seed, one.name, other.name)
                told["implied"] += 1
                told["violated"] += violating(kept, other) > 0
                told["by another instance"] += one.parameters != other.parameters
    assert all(told[what] > 20 for what in ("implied", "violated", "by another instance")), told


def variants(induction: Induction) -> list[Clause]:
    """The lemmas that the cases of the first invariant ask for, and the same without one of their literals."""
    stated = induction.ots.invariants[0]
    predicate = induction.predicate(stated.name, stated.parameters, stated.formula)
    found: list[Clause] = []
    for transition in induction.ots.transitions:
        case = induction.induction_case(predicate, transition)
        for leaf in induction.leaves(case):
            if leaf.outcome is LeafOutcome.FALSE:
                found.append(induction.necessary_lemma(case, leaf))
    fewer = [(each, each.literals[:n] + each.literals[n + 1 :]) for each in found for n in range(len(each.literals))]
    for clause, literals in fewer:
        used = dict.fromkeys(v for each in literals for v in variables_of(each.atom) if v is not clause.state)
        found.append(Clause(clause.state, literals, tuple(used)))
    return [each for each in found if each.literals][:40]


def test_an_implied_clause_has_all_literals_of_an_instance() -> None:
    ots = ots_of_file("nspk.cafe")
    induction = Induction(ots)
    secrecy, *_ = ots.invariants
    clause = induction.predicate(secrecy.name, secrecy.parameters, secrecy.formula).clauses[0]
    order = ots.module.signature.order
    fewer = Clause(clause.state, clause.literals[:-1], clause.parameters)
    assert implying_instance(clause, clause, order) is not None
    assert implying_instance(fewer, clause, order) is not None
    assert implying_instance(clause, fewer, order) is None
    turned = Literal(clause.literals[0].atom, not clause.literals[0].positive)
    assert implying_instance(Clause(clause.state, (turned,), clause.parameters), clause, order) is None


def test_an_implied_lemma_leaves_the_tree_and_its_cases_are_closed_by_the_other_one() -> None:
    ots = ots_of_file("ikp.cafe")
    invariant = next(each for each in ots.invariants if each.name == "receipt")
    with MaudeSpace(instance_of(ots)) as space:
        proof, chosen = proof_after(Prover(ots, space, invariant, Options(1, strengthen=False)), 250)
    gone = [(each.name, step.lemma) for step in chosen for each in step.superseded]
    assert gone
    for name, lemma in gone:
        assert lemma is not None
        assert name not in proof.nodes
        assert name not in proof.agenda.queue
        assert not any(name in node.uses for node in proof.nodes.values())
    for node in proof.nodes.values():
        for closed in node.cases:
            if closed.leaf.premise is not None:
                false = closed.leaf.assumptions.bench.connectives.false
                assert closed.leaf.assumptions.reduce(closed.leaf.premise.formula) is false
    assert used_by(proof.nodes, "receipt") <= set(proof.nodes)


def test_a_guess_does_not_stand_for_a_necessary_lemma() -> None:
    """A violation of a necessary lemma is one of the property; one of a guess need not be."""
    ots = ots_of_file("ikp.cafe")
    invariant = next(each for each in ots.invariants if each.name == "receipt")
    with MaudeSpace(instance_of(ots)) as space:
        prover = Prover(ots, space, invariant, Options(1, strengthen=False))
        proof = prover.new_proof()
        while True:
            result = prover.step(proof)
            assert not isinstance(result, Stopped)
            if isinstance(result, LemmaChosen) and result.superseded:
                break
            proof.commit(result)
    assert result.lemma is not None
    order = ots.module.signature.order
    guess = replace(result.lemma, kind=NodeKind.STRENGTHENED, is_exact=False)
    assert superseded_by(proof, result.lemma, order)
    assert not superseded_by(proof, guess, order)


@pytest.mark.parametrize("strengthen", [False, True])
def test_no_case_uses_a_lemma_that_has_left_the_tree(strengthen: bool) -> None:
    gone = 0
    for ots in [ots_of(random_system(seed)) for seed in range(12)] + [ots_of_file("otway-rees.cafe")]:
        pids = {"Pid": PIDS[:2]} if "Pid" in ots.module.visible_sorts() else None
        with MaudeSpace(instance_of(ots, pids)) as space:
            prover = Prover(ots, space, ots.invariants[0], Options(1, strengthen=strengthen))
            proof = prover.new_proof()
            while proof.ending is None and proof.cases < 150:
                result = prover.step(proof)
                if isinstance(result, Stopped):
                    break
                proof.commit(result)
                gone += len(result.superseded) if isinstance(result, LemmaChosen) else 0
                assert all(node.uses <= set(proof.nodes) for node in proof.nodes.values())
                assert all(node.parent is None or node.parent in proof.nodes for node in proof.nodes.values())
    assert gone or strengthen


def test_a_false_receipt_takes_few_lemmas() -> None:
    """With the implied ones it took 38."""
    ots = ots_of_file("ikp.cafe")
    invariant = next(each for each in ots.invariants if each.name == "receipt")
    with MaudeSpace(instance_of(ots)) as space:
        result = igf(ots, space, invariant, Options(2, strengthen=False, max_cases=2000))
    assert result.verdict is IgfVerdict.FALSIFIED
    assert result.run is not None
    assert len(result.run.actions) == 7
    assert len(result.nodes) <= 12


def test_a_step_leads_from_what_violates_a_lemma_to_what_violates_the_predicate() -> None:
    """Random systems: lemmas that do not say that the predicate held before are necessary all the same."""
    told = Counter[str]()
    for seed in range(40):
        ots = ots_of(random_system(seed))
        _compare(ots, told)
    assert told["shorter"] > 5, told
    assert told["violated"] > 8, told


def _compare(ots: Ots, told: Counter[str]) -> None:
    induction = Induction(ots)
    stated = ots.invariants[0]
    predicate = induction.predicate(stated.name, stated.parameters, stated.formula)
    instance = instance_of(ots, {"Pid": PIDS})
    kept = KeptStates.explore(RewritingSpace(instance), 3)
    stepper = Stepper(instance)
    goal = kept.lookup.as_invariant(predicate)
    for transition in ots.transitions:
        case = induction.induction_case(predicate, transition)
        for leaf in induction.leaves(case):
            if leaf.outcome is not LeafOutcome.FALSE:
                continue
            clause = induction.lemma_before(case, leaf)
            told["shorter"] += len(clause.literals) < len(induction.necessary_lemma(case, leaf).literals)
            witness = kept.violation(induction.lemma("lemma", clause))
            if witness is None:
                continue
            told["violated"] += 1
            before = replay(stepper, kept.path(witness.state)).states[-1]
            steps = [each for each in instance.ots.transitions if each.name == transition.name]
            after = [stepper.apply(action, before) for step in steps for action in stepper.actions(step, before)]
            assert any(next(stepper.violations(goal, each), None) is not None for each in after), transition.name
