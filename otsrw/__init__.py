"""otsrw: CafeOBJ specifications of observational transition systems, run fast and with evidence.

    >>> import otsrw
    >>> session = otsrw.Session()
    >>> session.run_text("mod! M { [S] ops a b : -> S eq a = b . } red in M : a .")
    >>> session.outcome.commands[-1].result
    'b'

The rooms can be used on their own: `otsrw.syntax` (text to tree), `otsrw.theory` (tree to modules and terms),
`otsrw.rewriting` (modules to normal forms), `otsrw.proofs` (commands of a file in order), `otsrw.ots` (modules to
transition systems), `otsrw.search` (bounded search), `otsrw.induction` (lemmas, IGF), `otsrw.traces` (counterexamples).
docs/python-api.md has examples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Instance", "Lts", "Rewriter", "Session", "Trace", "find_ots", "igf", "load", "search", "trace_of"]

if TYPE_CHECKING:
    from otsrw import search
    from otsrw.induction import igf
    from otsrw.ots import Instance, find_ots
    from otsrw.proofs import Session, load
    from otsrw.rewriting import Rewriter
    from otsrw.traces import Lts, Trace
    from otsrw.traces.observed import trace_of

_HOMES = {
    "Instance": "otsrw.ots",
    "Lts": "otsrw.traces",
    "Rewriter": "otsrw.rewriting",
    "Session": "otsrw.proofs",
    "Trace": "otsrw.traces",
    "find_ots": "otsrw.ots",
    "igf": "otsrw.induction",
    "load": "otsrw.proofs",
    "load_ipython_extension": "otsrw.report.jupyter",
    "trace_of": "otsrw.traces.observed",
}


def __getattr__(name: str) -> Any:
    """Import a room only when something in it is asked for, so that `otsrw --help` stays fast."""
    from importlib import import_module

    if name == "search":
        return import_module("otsrw.search")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'otsrw' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
