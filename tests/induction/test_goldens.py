"""Lemmas, verdicts and depths that the papers give, and what is proved from the specification alone."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from itertools import permutations, product

import pytest
from specifications import SPECS, instance_of, loaded, ots_of_file

from induction.oracle import is_real
from otsrw.induction.cases import Predicate
from otsrw.induction.clauses import Clause
from otsrw.induction.lemmas import necessary_lemmas
from otsrw.induction.procedure import igf
from otsrw.induction.results import IgfResult, Options
from otsrw.induction.scheme import Induction
from otsrw.induction.score import ScoreWriter, check_score
from otsrw.ots import Ots
from otsrw.reasoning.splitting import POLICIES
from otsrw.search import MaudeSpace
from otsrw.theory.morphisms import substitute


def stated(induction: Induction, name: str) -> Predicate:
    invariant = next(i for i in induction.ots.invariants if i.name == name)
    return induction.predicate(name, invariant.parameters, invariant.formula)


def is_renaming(one: Clause, other: Clause) -> bool:
    """Do the clauses have the same literals after renaming variables of the same sort?"""
    if len(one.parameters) != len(other.parameters):
        return False
    wanted = {(literal.atom, literal.positive) for literal in one.literals}
    for order in permutations(one.parameters):
        pairs = list(zip(other.parameters, order, strict=True))
        if all(theirs.sort is ours.sort for theirs, ours in pairs):
            given = {other.state: one.state, **dict(pairs)}
            if {(substitute(literal.atom, given), literal.positive) for literal in other.literals} == wanted:
                return True
    return False


# --- necessary lemmas

LEMMAS = {
    "NSPK: send2 and send3, as in section 5 of the paper": (
        "nspk.cafe", "secrecy", {"send2": "send2-lemma", "send3": "send3-lemma"},
    ),
    "NSPK to the letter: the same": (
        "nspk-literal.cafe", "secrecy", {"send2": "send2-lemma", "send3": "send3-lemma"},
    ),
    "NSPK: the send2 lemma needs none": ("nspk.cafe", "send2-lemma", {}),
    "Ticket: enter, as on the slide": ("ticket.cafe", "mutex", {"enter": "enter-lemma"}),
}  # fmt: skip


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", LEMMAS)
def test_the_necessary_lemmas_are_those_of_the_papers(name: str, policy: str) -> None:
    spec, invariant, wanted = LEMMAS[name]
    induction = Induction(ots_of_file(spec), POLICIES[policy])
    report = necessary_lemmas(induction, stated(induction, invariant))
    assert (report.base, report.undecided) == ("true", ())
    assert {lemma.transition for lemma in report.lemmas} == wanted.keys()
    assert len(report.lemmas) == len(wanted), [lemma.formula for lemma in report.lemmas]
    for lemma in report.lemmas:
        (theirs,) = stated(induction, wanted[lemma.transition]).clauses
        assert is_renaming(lemma.clause, theirs), lemma.formula


def test_clauses_that_differ_in_a_literal_are_no_renamings() -> None:
    induction = Induction(ots_of_file("ticket.cafe"))
    clauses = [stated(induction, name).clauses[0] for name in ("enter-lemma", "inc-lemma", "wait-lemma")]
    assert [is_renaming(one, other) for one, other in product(clauses, clauses)] == [
        one is other for one, other in product(clauses, clauses)
    ]


# --- falsified


@dataclass(frozen=True)
class Attack:
    spec: str
    invariant: str
    depth: int
    steps: int
    transitions: tuple[str, ...]
    strengthen: bool = False


_LOWE = ("send1", "fake1", "send2", "send3")
_FORWARDED = ("initiate", "invoice", "pay", "fake-qm1", "authorize")

ATTACKS = {
    "NSPK at depth 3": Attack("nspk.cafe", "secrecy", 3, 4, _LOWE),
    "NSPK at depth 3, strengthened": Attack("nspk.cafe", "secrecy", 3, 4, _LOWE, True),
    "NSPK at depth 2": Attack("nspk.cafe", "secrecy", 2, 4, _LOWE),
    "iKP, payment agreement at depth 2": Attack("ikp.cafe", "agreement", 2, 5, _FORWARDED),
    "iKP, receipts at depth 3": Attack("ikp.cafe", "receipt", 3, 7, (*_FORWARDED, "fake-cm", "receive")),
    "Ticket at depth 6": Attack("ticket.cafe", "mutex", 6, 6, ()),
    "Ticket at depth 5": Attack("ticket.cafe", "mutex", 5, 6, ()),
    "Ticket at depth 4": Attack("ticket.cafe", "mutex", 4, 6, ()),
    "Ticket at depth 4, strengthened": Attack("ticket.cafe", "mutex", 4, 6, (), True),
    "Ticket at depth 3": Attack("ticket.cafe", "mutex", 3, 6, ()),
    "Ticket at depth 2": Attack("ticket.cafe", "mutex", 2, 6, ()),
    "TAS without atomicity at depth 2": Attack("tas-flawed.cafe", "mutex", 2, 4, ()),
    "Peterson with a wrong turn at depth 4": Attack("peterson-flawed.cafe", "mutex", 4, 6, ()),
}


def decide(spec: str, invariant: str, options: Options) -> IgfResult:
    ots = ots_of_file(spec)
    return igf(ots, MaudeSpace(instance_of(ots)), next(i for i in ots.invariants if i.name == invariant), options)


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_found_below_its_depth(name: str) -> None:
    attack = ATTACKS[name]
    result = decide(attack.spec, attack.invariant, Options(depth=attack.depth, strengthen=attack.strengthen))
    assert result.verdict == "falsified", result.reason
    assert result.run is not None and result.instance is not None
    assert is_real(result.run, next(i for i in result.instance.ots.invariants if i.name == attack.invariant))
    taken = tuple(action.transition.name for action in result.run.actions)
    assert len(taken) == attack.steps
    assert not attack.transitions or taken == attack.transitions
    assert result.chain[0] == attack.invariant
    assert len(result.chain) > attack.steps - attack.depth


# --- never wrong


def _invariants() -> list[tuple[str, str, bool]]:
    """Specification, invariant, and whether models written independently of it have a violation."""
    table = tomllib.loads((SPECS / "otsrw.toml").read_text(encoding="utf-8"))
    violated = {(row["file"], name) for row in table["test"] for name in row.get("falsified", ())}
    holds = {(row["file"], name) for row in table["test"] for name in row.get("holds", ())}
    return [(spec, name, (spec, name) in violated) for spec, name in sorted(violated | holds)]


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "invariant", "is_violated"), _invariants())
def test_a_case_study_has_the_right_verdict_or_none(spec: str, invariant: str, is_violated: bool) -> None:
    verdict = decide(spec, invariant, Options(depth=1, timeout=6)).verdict
    assert verdict in ("unknown", "falsified" if is_violated else "verified")


# --- verified


@dataclass(frozen=True)
class Proof:
    spec: str
    invariant: str
    options: Options = field(default_factory=Options)
    slow: bool = False


PROOFS = {
    "TAS": Proof("tas.cafe", "mutex"),
    "Qlock": Proof("qlock.cafe", "mutex"),
    "Peterson": Proof("peterson.cafe", "mutex"),
    "Flag and turn": Proof("flag-turn.cafe", "mutex"),
    "the repaired Ticket": Proof("ticket-atomic.cafe", "mutex"),
    "the send2 lemma of NSPK, no lemmas": Proof("nspk.cafe", "send2-lemma", Options(depth=2, strengthen=False)),
    "two-phase commit": Proof("two-phase-commit.cafe", "agreement", slow=True),
    "NSLPK": Proof("nslpk.cafe", "secrecy", slow=True),
    "identify friend or foe": Proof("iff.cafe", "friendly", slow=True),
    "iKP repaired, receipts": Proof("ikp-repaired.cafe", "receipt", Options(depth=2)),
    "iKP repaired, payment agreement": Proof("ikp-repaired.cafe", "agreement", Options(depth=2), slow=True),
    "Otway-Rees with tags": Proof("otway-rees-tagged.cafe", "secrecy", slow=True),
}


def proof_rows() -> list[object]:
    return [pytest.param(p, id=name, marks=[pytest.mark.slow] if p.slow else []) for name, p in PROOFS.items()]


def proved(proof: Proof) -> tuple[Ots, IgfResult, tuple[str, ...]]:
    ots, declarations = loaded((SPECS / proof.spec).read_text(encoding="utf-8"))
    invariant = next(i for i in ots.invariants if i.name == proof.invariant)
    return ots, igf(ots, MaudeSpace(instance_of(ots)), invariant, proof.options), declarations


@pytest.mark.parametrize("proof", proof_rows())
def test_an_invariant_is_proved_from_the_specification_alone(proof: Proof) -> None:
    ots, result, declarations = proved(proof)
    assert (result.verdict, result.run) == ("verified", None), result.reason
    assert {node.status for node in result.nodes.values()} == {"proved"}
    assert all(node.kind != "given" for node in result.nodes.values())
    score = ScoreWriter(ots, result, declarations).write()
    assert check_score(score) == []
    assert score.passages >= sum(len(node.cases) for node in result.nodes.values())


def test_the_send2_lemma_of_nspk_needs_no_lemmas() -> None:
    _, result, _ = proved(PROOFS["the send2 lemma of NSPK, no lemmas"])
    assert list(result.nodes) == ["send2-lemma"]


def test_a_score_with_a_wrong_passage_is_not_accepted() -> None:
    ots, result, declarations = proved(PROOFS["TAS"])
    score = ScoreWriter(ots, result, declarations).write()
    wrong = score.text.replace("eq pc(s,", "eq (a-word = a-word) = pc(s,", 1)
    assert wrong != score.text
    assert check_score(type(score)(wrong, score.passages)) != []
    assert check_score(type(score)(score.text, score.passages + 1)) != []
