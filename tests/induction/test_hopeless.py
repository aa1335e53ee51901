"""Guesses that simple lemmas cannot prove are given up together, and what does not use them stays."""

from __future__ import annotations

from itertools import permutations

import pytest
from specifications import SPECS, instance_of, ots_of_file
from support import module_of

from otsrw.application import load_specification
from otsrw.application.deciding import DecisionQuestion, decide
from otsrw.induction import Induction, Options, choosing, promising
from otsrw.induction import evidence as evidence_module
from otsrw.induction.clauses import Clause
from otsrw.induction.completing import Completions
from otsrw.induction.conjunctions import Conjunctions
from otsrw.induction.evidence import Evidence
from otsrw.induction.proof import Proof
from otsrw.induction.prover import Prover
from otsrw.induction.results import IgfVerdict, NodeKind
from otsrw.induction.steps import GivenUp, ObligationStatus, OpenCase, Stopped
from otsrw.induction.variants import GivenUpClauses, variant_key
from otsrw.ots import Ots
from otsrw.ots.instance import RestartedInstance
from otsrw.ots.stepping import Stepper
from otsrw.reasoning.connectives import Literal
from otsrw.records import replace
from otsrw.rewriting.budget import Budget
from otsrw.search import MaudeSpace, RewritingSpace
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import variable

PIDS = {"Pid": ("p1", "p2", "p3")}


def clauses_of(ots: Ots, name: str) -> tuple[Clause, ...]:
    invariant = next(each for each in ots.invariants if each.name == name)
    return Induction(ots).predicate(invariant.name, invariant.parameters, invariant.formula).clauses


# --- clauses but for names


def test_names_of_variables_and_the_order_of_literals_do_not_matter() -> None:
    ots = ots_of_file("mcs.cafe")
    (clause,) = clauses_of(ots, "mutex")
    first, second = clause.parameters
    keys = set()
    for names in (("A", "B"), ("B", "A"), ("J", "I")):
        images = dict(zip((first, second), [variable(name, first.sort) for name in names], strict=True))
        literals = [Literal(substitute(each.atom, images), each.positive) for each in clause.literals]
        keys |= {variant_key(order) for order in permutations(literals)}
    assert len(keys) == 1
    given_up = GivenUpClauses()
    given_up.add(frozenset(literals))
    assert frozenset(clause.literals) in given_up
    assert frozenset(clause.literals[:-1]) not in given_up
    (other,) = clauses_of(ots, "link-lemma")
    assert variant_key(other.literals) not in keys


def test_clauses_that_say_something_else_are_no_variants() -> None:
    signature = module_of("mod! LINKS { [Elt] op p : Elt -> Bool op r : Elt Elt -> Bool }", "LINKS").signature
    p, r = (next(symbol for symbol in signature.symbols() if symbol.name == name) for name in "pr")
    first, second = (variable(name, p.decls[0].arity[0]) for name in ("A", "B"))
    forth, back = Literal(r.make((first, second)), True), Literal(r.make((second, first)), True)
    said, unsaid = Literal(p.make((first,)), True), Literal(p.make((first,)), False)
    assert variant_key([said, forth]) == variant_key([back, Literal(p.make((second,)), True)])
    assert len({variant_key(each) for each in ([said, forth], [said, back], [unsaid, forth], [unsaid, back])}) == 4


# --- states that lemmas do not exclude


@pytest.mark.parametrize("wanted", ["mutex", "glock-lemma", "link-lemma"])
def test_a_completed_state_has_the_literals_and_violates_no_clause(wanted: str) -> None:
    ots = ots_of_file("mcs.cafe")
    instance = instance_of(ots, PIDS)
    with MaudeSpace(instance) as space:
        sample = Conjunctions(instance, space.sample(400).states, Budget())
    names = ("mutex", "glock-lemma", "link-lemma")
    known = [clause for name in names if name != wanted for clause in clauses_of(ots, name)]
    literals = clauses_of(ots, wanted)[0].literals
    assert sample.together(literals) is None, "no reachable state violates the invariant"
    found = list(Completions(sample, known).of(literals))
    assert found
    for state in found:
        alone = sample.among([state])
        assert alone.together(literals) is not None
        assert all(alone.together(clause.literals) is None for clause in known)


def test_an_instance_can_be_started_anywhere() -> None:
    instance = instance_of(ots_of_file("tas.cafe"), PIDS)
    stepper = Stepper(instance)
    (start,) = stepper.initial_states()
    _, later = next(stepper.successors(start))
    restarted = RestartedInstance(instance, [later.values])
    with MaudeSpace(restarted) as space:
        by_maude = {tuple(map(str, state)) for state in space.sample(100).states}
    by_rewriting = {tuple(map(str, state)) for state in RewritingSpace(restarted).sample(100).states}
    expected, todo = {tuple(map(str, later.values))}, [later]
    while todo:
        for _, after in stepper.successors(todo.pop()):
            if tuple(map(str, after.values)) not in expected:
                expected.add(tuple(map(str, after.values)))
                todo.append(after)
    assert by_maude == by_rewriting == expected


# --- the proof without them


def begun(file: str, name: str) -> tuple[Proof, OpenCase]:
    """A proof in which the first predicate has a lemma that is a guess, and the case it is for."""
    ots = ots_of_file(file)
    invariant = next(each for each in ots.invariants if each.name == name)
    prover = Prover(ots, RewritingSpace(instance_of(ots)), invariant, Options(depth=1))
    proof = prover.new_proof()
    seen: OpenCase | None = None
    while not any(node.kind is NodeKind.STRENGTHENED and node.cases for node in proof.nodes.values()):
        seen = proof.agenda.waiting[0] if proof.agenda.waiting else seen
        result = prover.step(proof)
        assert not isinstance(result, Stopped)
        proof.commit(result)
        assert proof.ending is None
    assert seen is not None
    return proof, seen


def test_only_what_used_a_guess_is_open_again() -> None:
    proof, open_case = begun("qlock.cafe", "mutex")
    guess = next(node for node in proof.nodes.values() if node.kind is NodeKind.STRENGTHENED)
    root = proof.nodes["mutex"]
    using = {c.case.transition.name for c in root.cases if c.lemmas and c.case.transition is not None}
    assert using
    before = dict(proof.agenda.obligations["mutex"])
    proof.commit(GivenUp(open_case, guess))
    after = proof.agenda.obligations["mutex"]
    assert {o.transition for o, status in after.items() if status is ObligationStatus.OPEN} == using
    assert all(after[o] is before[o] for o in after if o.transition not in using)
    assert all(c.case.transition is None or c.case.transition.name not in using for c in proof.nodes["mutex"].cases)
    assert guess.name not in proof.nodes
    assert guess.name not in proof.agenda.obligations, "a new lemma of this name would be taken for looked at"
    assert frozenset(guess.predicate.clauses[0].literals) in proof.refuted
    assert not proof.dropped[0].is_false


def test_what_is_necessary_for_a_guess_alone_goes_with_it() -> None:
    """Otherwise it would seem to be necessary for the property."""
    proof, open_case = begun("qlock.cafe", "mutex")
    guess = next(node for node in proof.nodes.values() if node.kind is NodeKind.STRENGTHENED)
    below = replace(guess, kind=NodeKind.NECESSARY, parent=guess.name, is_exact=False)
    named = replace(below.predicate, name="below")
    other = replace(guess, predicate=replace(guess.predicate, name="other"), parent="below")
    proof.nodes |= {"below": replace(below, predicate=named), "other": other}
    proof.commit(GivenUp(open_case, guess))
    assert "below" not in proof.nodes
    assert proof.nodes["other"].parent == "mutex", "another guess stands for itself"


def test_supposed_states_speak_against_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence_module, "SAMPLE", 400)
    ots = ots_of_file("mcs.cafe")
    (clause,) = clauses_of(ots, "mutex")
    with MaudeSpace(instance_of(ots, PIDS)) as space:
        evidence = Evidence(ots, space)
        assert evidence.holds(clause)
        sample = evidence.sampled[0]
        crowded = next(Completions(sample, ()).of(clause.literals))
        evidence.suppose([evidence.from_states(sample.instance, [crowded], 50)])
        assert not evidence.holds(clause)
        evidence.suppose([])
        assert evidence.holds(clause)


VERDICTS = {"qlock": "verified", "tas": "verified", "tas-flawed": "falsified", "peterson": "verified"}


@pytest.mark.parametrize("name", VERDICTS)
def test_frugal_choices_do_not_change_what_is_decided(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "FRUGAL_AFTER", -1)
    recognised = load_specification(str(SPECS / f"{name}.cafe")).recognised()
    found = decide(recognised, DecisionQuestion("mutex", Options(max_cases=1000), may_exhaust=False))
    assert found.result.verdict == VERDICTS[name]


def test_hopeless_guesses_leave_a_sound_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """With lemmas about one node or quorum only, guesses are hopeless; that is told as what it is, not as false."""
    monkeypatch.setattr(choosing, "FRUGAL_AFTER", -1)
    monkeypatch.setattr(promising, "MAX_VARIABLES", 1)
    recognised = load_specification(str(SPECS / "literature" / "quorum-leader-election.cafe")).recognised()
    found = decide(recognised, DecisionQuestion("safe", Options(max_cases=100), may_exhaust=False))
    dropped = found.result.dropped
    assert any("simple lemma" in each.reason for each in dropped)
    assert not any(each.is_false for each in dropped if "simple lemma" in each.reason)
    assert found.result.verdict is IgfVerdict.UNKNOWN


@pytest.mark.slow
def test_mcs_is_verified_with_nothing_given() -> None:
    recognised = load_specification(str(SPECS / "mcs.cafe")).recognised()
    found = decide(recognised, DecisionQuestion("mutex", Options(max_cases=6000)))
    assert found.result.verdict is IgfVerdict.VERIFIED
    assert found.score is not None
