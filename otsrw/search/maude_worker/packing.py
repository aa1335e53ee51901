"""States on their way between processes, and their fingerprints."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable
from hashlib import blake2b

FINGERPRINT = 16
"""Bytes of a fingerprint."""

_BETWEEN = "\0"


def packed(states: Iterable[str]) -> str:
    """At least one state as text that fits into a line."""
    return base64.b64encode(zlib.compress(_BETWEEN.join(states).encode(), 1)).decode()


def unpacked(states: str) -> list[str]:
    return zlib.decompress(base64.b64decode(states)).decode().split(_BETWEEN)


def fingerprint(state: str) -> bytes:
    """A hash that nobody can tell from a random number."""
    return blake2b(state.encode(), digest_size=FINGERPRINT).digest()
