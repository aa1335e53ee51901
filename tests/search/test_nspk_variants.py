"""Modelling choices change the numbers of states of NSPK; a translation that loses instances gives other numbers.

The numbers come from hand-written Maude modules and from an independent program.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from specifications import SPECS, instance_of, invariant_named, ots_of

from otsrw.search import MaudeSpace

_SET_OF_NONCES = "pr(SET(NONCE) * { sort Set -> SetNonce })"
_BAG_OF_MESSAGES = "pr(BAG(CIPHER) * { sort Bag -> Network })"
_SEND1 = "c-send1(S, P, Q) = not (P = Q) and"
_FAKE1 = "(nonces(S) = (N , NS)) and not (P = Q) and"
_FAKE2 = "(nonces(S) = (N1 , N2 , NS)) and not (N1 = N2)"
_TO_ONESELF = {_SEND1: "c-send1(S, P, Q) =", _FAKE1: "(nonces(S) = (N , NS)) and"}
_SAME_NONCE = {_FAKE2: "(nonces(S) = (N1 , N2 , NS))"}


@dataclass(frozen=True)
class Variant:
    states: tuple[int, ...]
    changes: dict[str, str]


_VARIANTS = {
    "as the paper searches it": Variant((1, 7, 67, 807, 11_323), {}),
    "fake2 may use one nonce twice": Variant((1, 7, 73, 969, 14_625), _SAME_NONCE),
    "send1 and fake1 also to oneself": Variant((1, 10, 136, 2_196, 39_601), _TO_ONESELF),
    "both, the OTS to the letter": Variant((1, 10, 145, 2_517, 48_091), {**_TO_ONESELF, **_SAME_NONCE}),
    "nonces in a multiset, where fake2 may take two copies": Variant(
        (1, 7, 67, 807, 11_359), {_SET_OF_NONCES: "pr(BAG(NONCE) * { sort Bag -> SetNonce })", **_SAME_NONCE}
    ),
    "messages in a set": Variant(
        (1, 7, 65, 741, 9_919), {_BAG_OF_MESSAGES: "pr(SET(CIPHER) * { sort Set -> Network })"}
    ),
    "the intruder opens no run by itself": Variant(
        (1, 5, 43, 449, 5_271), {_SEND1: "c-send1(S, P, Q) = not (P = Q) and not (P = intr) and"}
    ),
}


@pytest.mark.parametrize("name", _VARIANTS)
def test_a_variant_of_nspk_has_its_states_and_the_attack_at_depth_4(name: str) -> None:
    variant = _VARIANTS[name]
    body = SPECS.joinpath("data", "nspk.cafe").read_text(encoding="utf-8")
    text = SPECS.joinpath("nspk.cafe").read_text(encoding="utf-8").replace("in data/nspk\n", body)
    for old, new in variant.changes.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    instance = instance_of(ots_of(text))
    counted = MaudeSpace(instance).search(invariant_named(instance, "send2-lemma"), 4)
    assert (counted.verdict, counted.levels) == ("holds", variant.states)
    assert MaudeSpace(instance).search(invariant_named(instance, "secrecy"), 5).depth == 4
    assert MaudeSpace(instance).search(invariant_named(instance, "send3-lemma"), 5).depth == 3
