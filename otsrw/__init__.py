"""otsrw: CafeOBJ specifications of observational transition systems, run fast and with evidence.

    >>> import otsrw
    >>> session = otsrw.Session()
    >>> session.run_text("mod! M { [S] ops a b : -> S eq a = b . } red in M : a .")
    >>> session.outcome.commands[-1].result
    'b'

The rooms can be used on their own: `otsrw.syntax` (text to tree), `otsrw.theory` (tree to modules and terms),
`otsrw.rewriting` (modules to normal forms), `otsrw.proofs` (commands of a file in order).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Rewriter", "Session", "load"]

if TYPE_CHECKING:
    from otsrw.proofs import Session, load
    from otsrw.rewriting import Rewriter

_HOMES = {"Rewriter": "otsrw.rewriting", "Session": "otsrw.proofs", "load": "otsrw.proofs"}


def __getattr__(name: str) -> Any:
    """Import a room only when something in it is asked for, so that `otsrw --help` stays fast."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'otsrw' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)
