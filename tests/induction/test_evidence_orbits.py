"""Evidence with one state an orbit says of clauses what evidence with all states says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice
from pathlib import Path

import pytest
from random_entities import random_system
from specifications import SPECS, instance_of, ots_of, ots_of_file

from otsrw.induction import evidence as evidence_module
from otsrw.induction.clauses import Clause
from otsrw.induction.conjunctions import CannotTell
from otsrw.induction.evidence import Evidence, added_symmetry
from otsrw.induction.scheme import Induction
from otsrw.ots.instance import Instance, enlarged
from otsrw.ots.model import Ots
from otsrw.ots.stepping import Values
from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.splitting import LeafOutcome
from otsrw.search import MaudeSpace, RewritingSpace
from otsrw.search.space import StateSpace
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import variables_of

MOST = 4000
FILES = [path for folder in (SPECS, SPECS / "literature") for path in sorted(folder.glob("*.cafe"))]
QUICK = ("qlock.cafe", "tas.cafe", "anderson.cafe", "flag-turn.cafe", "literature/lockserv.cafe")


def clauses_of(ots: Ots, most: int) -> list[Clause]:
    """Lemmas that the cases of the invariants ask for, and parts of them."""
    induction = Induction(ots)
    found: dict[Clause, None] = {}
    for stated in ots.invariants:
        predicate = induction.predicate(stated.name, stated.parameters, stated.formula)
        for transition in ots.transitions:
            case = induction.induction_case(predicate, transition)
            for leaf in induction.leaves(case):
                if leaf.outcome is LeafOutcome.FALSE:
                    clause = induction.necessary_lemma(case, leaf)
                    parts = (part for n in (1, 2, 3, 4) for part in combinations(clause.literals, n))
                    for literals in islice(parts, 12):
                        used = dict.fromkeys(v for e in literals for v in variables_of(e.atom) if v is not clause.state)
                        found[Clause(clause.state, literals, tuple(used))] = None
                    found[clause] = None
    chosen = list(found)[:most]
    return [*chosen, *(named for clause in chosen for named in about_constants(ots, clause))]


def about_constants(ots: Ots, clause: Clause) -> Iterator[Clause]:
    """The same of constants that the specification names."""
    constants = [s for s in ots.module.signature.symbols() if s.decls and not s.nargs and s not in ots.initials]
    for parameter in clause.parameters:
        for symbol in constants:
            if symbol.decls[0].coarity is parameter.sort:
                images = {parameter: symbol.make(())}
                literals = tuple(Literal(substitute(e.atom, images), e.positive) for e in clause.literals)
                yield Clause(clause.state, literals, tuple(p for p in clause.parameters if p is not parameter))


def verdict(evidence: Evidence, clause: Clause) -> bool | None:
    try:
        return evidence.violation(clause) is not None
    except CannotTell:
        return None


def compare(ots: Ots, space: StateSpace, most: int, told: Counter[str], monkeypatch: pytest.MonkeyPatch) -> None:
    reduced, plain = Evidence(ots, space), Evidence(ots, space)
    sizes = [len(each.states) for each in reduced.instances]
    with monkeypatch.context() as patch:
        patch.setattr(evidence_module, "added_symmetry", lambda _: None)
        all_states = [len(each.states) for each in plain.instances]
    told["fewer"] += sum(sizes) < sum(all_states)
    for clause in clauses_of(ots, most):
        one, other = verdict(reduced, clause), verdict(plain, clause)
        if one is not None and other is not None:
            assert one == other, clause.literals
            told["violated" if one else "fine"] += 1


def test_clauses_of_random_systems_hold_in_orbits_as_in_all_states(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Counter[str]()
    for seed in range(25):
        ots = ots_of(random_system(seed))
        instance = instance_of(ots, {"Pid": ("boss", "p1", "p2")})
        compare(ots, RewritingSpace(instance), 10, told, monkeypatch)
    assert all(told[what] > 5 for what in ("fewer", "violated", "fine")), told


def compare_file(file: str, most: int, told: Counter[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Only instances of which all states are seen in both ways are compared."""
    ots = ots_of_file(file)
    with MaudeSpace(instance_of(ots)) as space:
        sizes = []
        for size in evidence_module.SIZES:
            larger = Instance(ots, enlarged(ots, space.instance.given, size))
            if space.of(larger).sample(MOST).exhausted:
                sizes.append(size)
        monkeypatch.setattr(evidence_module, "SIZES", tuple(sizes))
        compare(ots, space, most, told, monkeypatch)


@pytest.mark.parametrize("file", QUICK)
def test_clauses_hold_in_orbits_as_in_all_states(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compare_file(file, 60, Counter(), monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SPECS)))
def test_clauses_of_all_specifications_hold_in_orbits(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if path.stem == "counter":
        pytest.skip("it is no OTS")
    try:
        compare_file(str(path.relative_to(SPECS)), 200, Counter(), monkeypatch)
    except OtsrwError as error:
        pytest.skip(error.problem.message)


# --- the states themselves


def orbit_counts(space: StateSpace, most: int) -> tuple[int, int]:
    """How many states a sample has without symmetry and with it; all are reachable, one of each orbit."""
    symmetry = added_symmetry(space.instance)
    assert symmetry is not None
    plain, reduced = space.sample(most), space.sample(most, symmetry=symmetry)
    assert plain.exhausted
    assert reduced.exhausted
    reachable = set(plain.states)
    assert set(reduced.states) <= reachable
    orbits: list[set[Values]] = [
        {symmetry.image(values, renamer) for renamer in symmetry.renamers()} for values in reduced.states
    ]
    assert set().union(*orbits) == reachable
    assert sum(map(len, orbits)) == len(reachable), "two states of one orbit"
    return len(plain.states), len(reduced.states)


@pytest.mark.parametrize(("file", "pids"), [("qlock.cafe", 4), ("anderson.cafe", 3), ("tas.cafe", 4)])
def test_a_sample_has_one_state_an_orbit(file: str, pids: int) -> None:
    ots = ots_of_file(file)
    instance = instance_of(ots, {"Pid": [f"q{n}" for n in range(pids)]})
    maude = orbit_counts(MaudeSpace(instance), 2000)
    assert maude == orbit_counts(RewritingSpace(instance), 2000)
    assert maude[1] < maude[0]


def test_the_same_number_of_states_goes_deeper() -> None:
    """MCS with three processes: 4 000 states are not all there are; 1 285 are one of each orbit."""
    ots = ots_of_file("mcs.cafe")
    with MaudeSpace(instance_of(ots, {"Pid": ("p1", "p2", "p3")})) as space:
        plain = space.sample(MOST)
        reduced = space.sample(MOST, symmetry=added_symmetry(space.instance))
    assert not plain.exhausted
    assert reduced.exhausted
    assert len(reduced.states) == 1285


def test_entities_that_the_specification_names_are_not_renamed() -> None:
    """A clause may name them."""
    ots = ots_of_file("two-phase-commit.cafe")
    assert added_symmetry(instance_of(ots)) is None
    nspk = ots_of_file("nspk.cafe")
    symmetry = added_symmetry(instance_of(nspk, {"Prin": ("p1", "p2", "intr")}))
    assert symmetry is not None
    assert [[entity.op.name for entity in group] for group in symmetry.groups] == [["p1", "p2"]]
