"""What the evidence says of a clause is what trying all values in all its states says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from specifications import instance_of, loaded, ots_of_file

from induction.generated import System, systems
from otsrw.induction import conjunctions as conjunctions_module
from otsrw.induction import evidence as evidence_module
from otsrw.induction import strengthening as strengthening_module
from otsrw.induction.clauses import Clause
from otsrw.induction.conjunctions import CannotTell
from otsrw.induction.evidence import Evidence
from otsrw.induction.kept import Lookup
from otsrw.induction.strengthening import stronger_clauses
from otsrw.induction.vocabulary import NamedIndexes
from otsrw.ots import Ots
from otsrw.ots.binding import Plan, Test
from otsrw.ots.formulas import unfold
from otsrw.reasoning.connectives import Connectives, Literal
from otsrw.search import MaudeSpace, RewritingSpace
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show

SIZES = evidence_module.SIZES
FAMILIES = (None, "Bag", "Set", "Queue", "Nat")


@pytest.fixture(autouse=True, scope="module")
def _small_sample() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evidence_module, "SAMPLE", 20)
        patch.setattr(evidence_module, "SIZES", (2, 3))
        yield


def clauses_of(ots: Ots) -> list[Clause]:
    """The clauses whose literals are those of an invariant's cases."""
    connectives = Connectives(ots.module.signature)
    return [
        Clause(ots.state, literals, invariant.parameters)
        for invariant in ots.invariants
        for literals in connectives.clauses(unfold(invariant.formula, ots), positive=False)
        if literals
    ]


def is_violated(evidence: Evidence, literals: tuple[Literal, ...], clause: Clause) -> bool:
    """By trying all values in all states, with the plain evaluation of terms."""
    for conjunctions in evidence.instances:
        lookup = Lookup(conjunctions.instance)
        atoms = [(lookup.translated(literal.atom), literal.positive) for literal in literals]
        for state in conjunctions.states:
            for values in product(*[conjunctions.instance.domain(p.sort) or () for p in clause.parameters]):
                bound = dict(zip(clause.parameters, values, strict=True))
                tests = tuple(Test(Literal(substitute(atom, bound), positive)) for atom, positive in atoms)
                if next(lookup.solutions_in(Plan(tests, ()), state), None) is not None:
                    return True
    return False


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family or "labels")
def test_clauses_hold_where_no_state_violates_them(family: str | None) -> None:
    told: Counter[bool] = Counter()

    @settings(max_examples=settings.default.max_examples // 8, suppress_health_check=list(HealthCheck))  # type: ignore[union-attr]
    @given(systems(family), st.integers(0, 9))
    def agree(system: System, chosen: int) -> None:
        ots, _ = loaded(system.text)
        try:
            evidence = Evidence(ots, RewritingSpace(instance_of(ots, system.entities(2))))
            clauses = clauses_of(ots)
            clause = clauses[chosen % len(clauses)] if clauses else reject()
            expected = is_violated(evidence, clause.literals, clause)
        except OtsrwError:
            reject()
        try:
            assert (evidence.violation(clause) is not None) == expected
        except CannotTell:
            assert not evidence.holds(clause)
            return
        told[expected] += 1
        candidates = stronger_clauses(NamedIndexes(clause, {}), evidence)
        stronger = {frozenset(found.literals) for found in candidates}
        for found in candidates:
            assert evidence.holds(found)
            assert not stronger & {
                frozenset(part) for n in range(len(found.literals)) for part in combinations(found.literals, n)
            }

    agree()
    assert told[True] > 2
    assert told[False] > 2


def test_a_banned_clause_does_not_hide_larger_ones() -> None:
    ots = ots_of_file("tas.cafe")
    clause = max(clauses_of(ots), key=lambda each: len(each.literals))
    with MaudeSpace(instance_of(ots)) as space:
        evidence = Evidence(ots, space)
        described = NamedIndexes(clause, {})
        best = stronger_clauses(described, evidence)
        without = stronger_clauses(described, evidence, [frozenset(found.literals) for found in best])
    assert len(best[0].literals) < len(clause.literals) or without == []
    assert not {found.literals for found in best} & {found.literals for found in without}


def test_the_evidence_has_four_entities_where_the_file_has_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence_module, "SIZES", SIZES)
    ots = ots_of_file("mcs.cafe")
    with MaudeSpace(instance_of(ots, {"Pid": ["p1", "p2"]})) as space:
        instances = Evidence(ots, space).instances
    assert [len(each.instance.given["Pid"]) for each in instances] == [3, 4]
    assert all(10 <= len(each.states) <= 50 for each in instances)


def test_a_violation_is_shown() -> None:
    ots = ots_of_file("ticket.cafe")
    with MaudeSpace(instance_of(ots)) as space:
        evidence = Evidence(ots, space)
        clause = clauses_of(ots)[0]
        one = Clause(clause.state, clause.literals[:1], clause.parameters)
        found = evidence.violation(one)
    assert found is not None
    assert not evidence.holds(one)
    assert set(found.bindings.values()) <= set(found.instance.domain(clause.parameters[0].sort) or ())


def test_lemmas_keep_that_a_variable_is_not_a_certain_constant() -> None:
    """The first two literals of a receipt without a request never hold together, for the intruder neither."""
    ots = ots_of_file("ikp-repaired.cafe")
    receipt = clauses_of(ots)[-1]
    (stronger,) = stronger_clauses(NamedIndexes(receipt, {}), Evidence(ots, MaudeSpace(instance_of(ots))))
    kept = {show(literal.atom) for literal in stronger.literals if not literal.positive}
    assert {"(B:Buyer = ib)", "(P:Seller = is)"} <= kept


def test_walks_that_prefer_rare_transitions_see_the_end_of_a_protocol() -> None:
    ots = ots_of_file("ikp-repaired.cafe")
    instance = instance_of(ots, {"Buyer": ("b1", "b2", "ib"), "Seller": ("s1", "s2", "is")})
    receipts = next(n for n, slot in enumerate(instance.slots) if slot.observer.name == "receipts")
    found = MaudeSpace(instance).sample(1000).states
    assert len({show(state[receipts]) for state in found}) > 3


def test_a_question_that_needs_too_many_values_is_not_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    ots = ots_of_file("abp.cafe")
    with MaudeSpace(instance_of(ots)) as space:
        evidence = Evidence(ots, space)
        clause = clauses_of(ots)[0]
        monkeypatch.setattr(conjunctions_module, "MAX_COMPUTED", 1)
        assert not evidence.holds(clause)
        monkeypatch.undo()
        assert evidence.holds(clause), "the limit is that of one question"


def test_few_sets_are_tried_where_each_needs_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    ots = ots_of_file("abp.cafe")
    with MaudeSpace(instance_of(ots)) as space:
        evidence = Evidence(ots, space)
        clause = clauses_of(ots)[0]
        monkeypatch.setattr(strengthening_module, "MAX_VALUES", -1)
        assert not stronger_clauses(NamedIndexes(clause, {}), evidence)
        monkeypatch.undo()
        assert stronger_clauses(NamedIndexes(clause, {}), evidence)
