"""A compact set of states: sixteen bytes of each, and from which other state it was found."""

from __future__ import annotations

from array import array

from otsrw.search.maude_worker.packing import FINGERPRINT as SIZE

_FIRST_SLOTS = 1 << 10


class FingerprintStore:
    """Fingerprints by number, in the order in which they came, with the number of a parent.

    Memory: 16 bytes for the fingerprint, 4 for the parent, 5 to 11 for the hash table. The table has open addresses: a
    slot holds a number plus one.
    """

    def __init__(self) -> None:
        self._prints = bytearray()
        self._parents = array("I")
        self._slots = array("I", bytes(4 * _FIRST_SLOTS))
        self._mask = _FIRST_SLOTS - 1

    def __len__(self) -> int:
        return len(self._parents)

    def add(self, fingerprint: bytes, parent: int) -> bool:
        """Is it new? Then it gets the next number."""
        slots, prints, mask = self._slots, self._prints, self._mask
        place = int.from_bytes(fingerprint[:8], "little") & mask
        while number := slots[place]:
            if prints[(number - 1) * SIZE : number * SIZE] == fingerprint:
                return False
            place = (place + 1) & mask
        prints += fingerprint
        self._parents.append(parent)
        slots[place] = len(self._parents)
        if len(self._parents) * 4 > 3 * len(slots):
            self._grow()
        return True

    def knows(self, fingerprint: bytes) -> bool:
        place = int.from_bytes(fingerprint[:8], "little") & self._mask
        while number := self._slots[place]:
            if self._prints[(number - 1) * SIZE : number * SIZE] == fingerprint:
                return True
            place = (place + 1) & self._mask
        return False

    def _grow(self) -> None:
        size = 2 * len(self._slots)
        slots, mask = array("I", bytes(4 * size)), size - 1
        prints = self._prints
        for number in range(1, len(self._parents) + 1):
            place = int.from_bytes(prints[(number - 1) * SIZE : (number - 1) * SIZE + 8], "little") & mask
            while slots[place]:
                place = (place + 1) & mask
            slots[place] = number
        self._slots, self._mask = slots, mask

    def fingerprint(self, number: int) -> bytes:
        return bytes(self._prints[number * SIZE : (number + 1) * SIZE])

    def path(self, number: int, level: int) -> list[bytes]:
        """The fingerprints on the way to a state that is so many steps away from an initial one."""
        found = [self.fingerprint(number)]
        for _ in range(level):
            number = self._parents[number]
            found.append(self.fingerprint(number))
        return found[::-1]

    @property
    def memory(self) -> int:
        """Bytes."""
        return len(self._prints) + self._parents.itemsize * (len(self._parents) + len(self._slots))


def collision_risk(states: int) -> float:
    """The probability that two of so many different states have one fingerprint: then one is not expanded."""
    return states * (states - 1) / 2 / 2.0 ** (8 * SIZE)
