"""3KP and its repaired version in plain Python, written from the description of the protocol, without code of otsrw.

A message is a tuple: its kind, who really sent it, and what it says. Hashes, signatures and slips are tuples as
well. The network is a sorted tuple, since the same message may be sent twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

Message = tuple[Any, ...]

EVIL = "intruder"


@dataclass(frozen=True)
class World:
    """What has happened so far."""

    drawn: int = 0
    network: tuple[Message, ...] = ()
    receipts: frozenset[Message] = frozenset()

    def sent(self, kind: str) -> Iterator[Message]:
        return (message for message in dict.fromkeys(self.network) if message[0] == kind)

    def has(self, message: Message) -> bool:
        return message in self.network

    def sending(self, message: Message, draws: int = 0) -> World:
        network = tuple(sorted((*self.network, message), key=repr))
        return World(self.drawn + draws, network, self.receipts)


@dataclass(frozen=True)
class Payments:
    """The protocol for some buyers and sellers, the intruder among both."""

    buyers: tuple[str, ...]
    sellers: tuple[str, ...]
    is_repaired: bool

    def _signature(self, seller: str, deal: Message, slip: Message) -> Message:
        """What the acquirer wants the seller to have signed."""
        return ("signed again", seller, deal, slip) if self.is_repaired else ("signed", seller, deal)

    def start(self) -> World:
        return World()

    def after(self, world: World) -> Iterator[World]:
        """The worlds one step later."""
        for buyer, seller in product(self.buyers, self.sellers):
            yield world.sending(("initiate", buyer, buyer, seller, (world.drawn, buyer)), 1)
            yield world.sending(("initiate", EVIL, buyer, seller, (world.drawn, EVIL)), 1)
        yield from self._invoices(world)
        yield from self._payments(world)
        yield from self._requests(world)
        yield from self._responses(world)
        yield from self._confirmations(world)
        yield from self._receipts(world)
        yield from self._pseudonyms_and_invoices_of_the_intruder(world)
        yield from self._payments_of_the_intruder(world)
        yield from self._requests_of_the_intruder(world)

    def _invoices(self, world: World) -> Iterator[World]:
        for _, _, buyer, seller, pseudonym in world.sent("initiate"):
            deal = (seller, world.drawn, pseudonym)
            yield world.sending(("invoice", seller, seller, buyer, deal, ("signed", seller, deal)), 1)

    def _payments(self, world: World) -> Iterator[World]:
        for _, _, seller, buyer, deal, signature in world.sent("invoice"):
            partner, _, (number, owner) = deal
            asked = world.has(("initiate", buyer, buyer, seller, (number, buyer)))
            if asked and owner == buyer and partner == seller and signature == ("signed", seller, deal):
                slip = ("slip", deal, number, buyer)
                yield world.sending(("pay", buyer, buyer, seller, slip, ("signed", buyer, slip, deal)))

    def _requests(self, world: World) -> Iterator[World]:
        for _, maker, seller, buyer, deal, signature in world.sent("invoice"):
            if maker != seller or deal[0] != seller or signature != ("signed", seller, deal):
                continue
            for _, _, payer, payee, slip, agreed in world.sent("pay"):
                if (payer, payee) == (buyer, seller) and agreed == ("signed", buyer, slip, deal):
                    own = self._signature(seller, deal, slip)
                    yield world.sending(("request", seller, seller, deal, slip, own, agreed))

    def _responses(self, world: World) -> Iterator[World]:
        for _, _, seller, deal, slip, own, agreed in world.sent("request"):
            _, of_slip, number, owner = slip
            fits = of_slip == deal and deal[0] == seller and deal[2] == (number, owner)
            if fits and own == self._signature(seller, deal, slip) and agreed == ("signed", owner, slip, deal):
                yield world.sending(("respond", seller, deal))

    def _confirmations(self, world: World) -> Iterator[World]:
        for _, maker, seller, deal, slip, own, (_, signer, *signed) in world.sent("request"):
            is_own = maker == seller == deal[0] and own == self._signature(seller, deal, slip)
            if is_own and signed == [slip, deal] and world.has(("respond", seller, deal)):
                yield world.sending(("confirm", seller, seller, signer, deal))

    def _receipts(self, world: World) -> Iterator[World]:
        for _, _, seller, buyer, deal in world.sent("confirm"):
            partner, _, (number, owner) = deal
            slip = ("slip", deal, number, buyer)
            paid = world.has(("pay", buyer, buyer, seller, slip, ("signed", buyer, slip, deal)))
            if paid and owner == buyer and partner == seller:
                yield World(world.drawn, world.network, world.receipts | {deal})

    def _pseudonyms_and_invoices_of_the_intruder(self, world: World) -> Iterator[World]:
        for *_, pseudonym in world.sent("initiate"):
            for buyer, seller in product(self.buyers, self.sellers):
                yield world.sending(("initiate", EVIL, buyer, seller, pseudonym))
            deal = (EVIL, world.drawn, pseudonym)
            for buyer in self.buyers:
                yield world.sending(("invoice", EVIL, EVIL, buyer, deal, ("signed", EVIL, deal)), 1)
        for _, _, _, _, deal, signature in world.sent("invoice"):
            for buyer, seller in product(self.buyers, self.sellers):
                yield world.sending(("invoice", EVIL, seller, buyer, deal, signature))

    def _payments_of_the_intruder(self, world: World) -> Iterator[World]:
        deals = {deal for _, _, _, _, deal, _ in world.sent("invoice")}
        own = {name[0] for *_, name in world.sent("initiate") if name[1] == EVIL}
        seen = {(slip, signature) for *_, slip, signature in world.sent("pay")}
        made = {(("slip", deal, number, EVIL), deal) for deal in deals for number in own}
        made |= {(slip, deal) for deal in deals for slip, _ in seen}
        for slip, signature in seen | {(slip, ("signed", EVIL, slip, deal)) for slip, deal in made}:
            for buyer, seller in product(self.buyers, self.sellers):
                yield world.sending(("pay", EVIL, buyer, seller, slip, signature))

    def _requests_of_the_intruder(self, world: World) -> Iterator[World]:
        invoices = {(deal, signature) for _, _, _, _, deal, signature in world.sent("invoice")}
        payments = {(slip, signature) for *_, slip, signature in world.sent("pay")}
        for seller in self.sellers:
            for (deal, signature), (slip, agreed) in product(invoices, payments):
                own = ("signed again", EVIL, deal, slip) if self.is_repaired else signature
                yield world.sending(("request", EVIL, seller, deal, slip, own, agreed))
            if self.is_repaired:
                for _, _, _, *content in world.sent("request"):
                    yield world.sending(("request", EVIL, seller, *content))
            for _, _, deal in world.sent("respond"):
                for buyer in self.buyers:
                    yield world.sending(("confirm", EVIL, seller, buyer, deal))

    # --- the properties

    def agreement(self, world: World) -> bool:
        return all(self._agreed(world, deal) for _, _, deal in world.sent("respond") if self._is_honest(deal))

    def receipt(self, world: World) -> bool:
        return all(world.has(self._messages(deal)[-1]) for deal in world.receipts if self._is_honest(deal))

    def _is_honest(self, deal: Message) -> bool:
        seller, _, (_, buyer) = deal
        return EVIL not in (seller, buyer)

    def _agreed(self, world: World, deal: Message) -> bool:
        return all(world.has(message) for message in self._messages(deal))

    def _messages(self, deal: Message) -> list[Message]:
        """The first four messages of an honest payment."""
        seller, _, (number, buyer) = deal
        slip = ("slip", deal, number, buyer)
        signed = ("signed", buyer, slip, deal)
        return [
            ("initiate", buyer, buyer, seller, (number, buyer)),
            ("invoice", seller, seller, buyer, deal, ("signed", seller, deal)),
            ("pay", buyer, buyer, seller, slip, signed),
            ("request", seller, seller, deal, slip, self._signature(seller, deal, slip), signed),
        ]


def levels(payments: Payments, depth: int, holds: Callable[[World], bool]) -> tuple[list[int], int | None]:
    """How many worlds are at most 0, 1, ... steps away, and after how many steps the property fails first."""
    level = [payments.start()]
    seen = set(level)
    counts = [1]
    failed = None
    for steps in range(1, depth + 1):
        level = [
            after for after in dict.fromkeys(a for world in level for a in payments.after(world)) if after not in seen
        ]
        seen.update(level)
        counts.append(len(seen))
        if failed is None and not all(holds(world) for world in level):
            failed = steps
    return counts, failed
