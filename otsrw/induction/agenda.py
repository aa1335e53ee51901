"""What is left to do of a proof: predicates that wait, obligations of those that were begun, cases that need lemmas."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable

from otsrw.induction.steps import ObligationStatus, OpenCase, ProofObligation
from otsrw.ots.model import Ots


class Agenda:
    """The tasks of a proof, in the order in which they are looked at."""

    def __init__(self, ots: Ots) -> None:
        self.initials = len(ots.initials)
        self.transitions = tuple(transition.name for transition in ots.transitions)
        self.queue: deque[str] = deque()
        """Predicates of which no case was looked at yet."""
        self.current: str | None = None
        """The predicate whose cases are being looked at."""
        self.obligations: dict[str, dict[ProofObligation, ObligationStatus]] = {}
        """Those of every predicate that was begun."""
        self.waiting: deque[OpenCase] = deque()
        """Cases of the current predicate that need lemmas."""
        self.rounds = 0
        """Predicates that were begun, those that were begun again included."""

    def begin(self, names: Iterable[str]) -> None:
        """Start anew, with these predicates waiting."""
        self.queue = deque(names)
        self.obligations = {}
        self.waiting = deque()
        self.current = None

    def task(self) -> ProofObligation | OpenCase | None:
        """What to look at next: the obligations of a predicate, then its open cases; None if nothing is left."""
        open_ones = self.open_obligations()
        if open_ones:
            return open_ones[0]
        return self.waiting[0] if self.waiting else None

    def open_obligations(self) -> list[ProofObligation]:
        """Those of the current predicate."""
        own = self.obligations.get(self.current or "", {})
        return [obligation for obligation, status in own.items() if status is ObligationStatus.OPEN]

    def take(self, name: str | None) -> None:
        """Go on with a waiting predicate, or with none."""
        self.current = name
        if name is None:
            return
        self.queue.remove(name)
        self.rounds += 1
        base = [ProofObligation(name, None, number) for number in range(self.initials)]
        steps = [ProofObligation(name, transition, number) for number, transition in enumerate(self.transitions)]
        self.obligations.setdefault(name, dict.fromkeys((*base, *steps), ObligationStatus.OPEN))

    def note(self, obligation: ProofObligation, status: ObligationStatus) -> None:
        """Write down what became of an obligation."""
        self.obligations[obligation.predicate][obligation] = status

    def lemmas_found(self, obligation: ProofObligation) -> None:
        """A case of the obligation is closed: so is the obligation if no other case waits, and none was left open."""
        others = any(other.obligation == obligation for other in self.waiting)
        if not others and self.obligations[obligation.predicate][obligation] is ObligationStatus.NEEDS_LEMMAS:
            self.note(obligation, ObligationStatus.CLOSED)

    def open_again(self, name: str, transitions: Collection[str | None]) -> None:
        """Open the obligations of a predicate about these transitions; None is the base case."""
        own = self.obligations.get(name, {})
        own.update((each, ObligationStatus.OPEN) for each in own if each.transition in transitions)

    def remove(self, removed: Collection[str], again: Collection[str]) -> None:
        """Forget predicates, and take those that have to be looked at again first."""
        for name in removed:
            self.obligations.pop(name, None)
        others = [name for name in self.queue if name not in removed and name not in again]
        self.queue = deque([*again, *others])
        self.waiting = deque()
        self.current = None
