"""iKP has the states of a model in plain Python that was written from the protocol, and the attack has its depth."""

from __future__ import annotations

import pytest
from specifications import instance_of, invariant_named, ots_of_file

from otsrw.search import MaudeSpace
from search.payments import EVIL, Payments, levels

FILES = {"ikp.cafe": False, "ikp-repaired.cafe": True}


def states_of(file: str, honest: int, depth: int) -> tuple[int, ...]:
    buyers = [f"b{number}" for number in range(1, honest + 1)]
    sellers = [f"s{number}" for number in range(1, honest + 1)]
    entities = {"Buyer": (*buyers, "ib"), "Seller": (*sellers, "is")}
    return MaudeSpace(instance_of(ots_of_file(file), entities)).search(None, depth).levels


def model(file: str, honest: int) -> Payments:
    buyers = [f"b{number}" for number in range(1, honest + 1)]
    sellers = [f"s{number}" for number in range(1, honest + 1)]
    return Payments((*buyers, EVIL), (*sellers, EVIL), FILES[file])


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize(("honest", "depth"), [(1, 4), (2, 3), (3, 2)])
def test_the_states_are_those_of_the_model(file: str, honest: int, depth: int) -> None:
    payments = model(file, honest)
    counts, failed = levels(payments, depth, payments.agreement)
    assert (tuple(counts), failed) == (states_of(file, honest, depth), None)


@pytest.mark.slow
@pytest.mark.parametrize(("file", "least"), [("ikp.cafe", 5), ("ikp-repaired.cafe", None)])
def test_the_attack_is_as_deep_as_in_the_model(file: str, least: int | None) -> None:
    payments = model(file, 1)
    counts, failed = levels(payments, 5, payments.agreement)
    instance = instance_of(ots_of_file(file))
    found = MaudeSpace(instance).search(invariant_named(instance, "agreement"), 5)
    assert failed == least
    assert found.depth == 5
    assert (found.verdict == "violated") is (least is not None)
    if least is None:
        assert found.levels == tuple(counts)


def test_the_seven_steps_to_a_false_receipt_are_steps_of_the_model() -> None:
    """The messages of the attack, sent one after the other; each world follows from the one before."""
    payments = model("ikp.cafe", 1)
    deal = ("s1", 1, (0, "b1"))
    slip = ("slip", deal, 0, "b1")
    signed, agreed = ("signed", "s1", deal), ("signed", "b1", slip, deal)
    messages = [
        ("initiate", "b1", "b1", "s1", (0, "b1")),
        ("invoice", "s1", "s1", "b1", deal, signed),
        ("pay", "b1", "b1", "s1", slip, agreed),
        ("request", EVIL, "s1", deal, slip, signed, agreed),
        ("respond", "s1", deal),
        ("confirm", EVIL, "s1", "b1", deal),
    ]
    world = payments.start()
    for message in messages:
        world = next(after for after in payments.after(world) if after.has(message))
        assert payments.receipt(world)
    world = next(after for after in payments.after(world) if deal in after.receipts)
    assert not payments.receipt(world)
