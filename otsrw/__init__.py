"""otsrw: CafeOBJ specifications of observational transition systems, decided with evidence.

    >>> import otsrw
    >>> tas = otsrw.Specification("specs/tas.cafe")
    >>> tas.igf("mutex", depth=3).verdict
    'verified'

`Specification` has a method for what each command does; in a notebook every result shows itself. The rooms below it
can be used on their own: `otsrw.syntax` (text to tree), `otsrw.theory` (tree to modules and terms),
`otsrw.rewriting` (modules to normal forms), `otsrw.proofs` (commands of a file in order), `otsrw.ots` (modules to
transition systems), `otsrw.search` (bounded search), `otsrw.induction` (lemmas, IGF), `otsrw.traces` (counterexamples).
docs/python-api.md has examples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from otsrw.display import Displayed

__version__ = "0.1.0"
__all__ = [
    "Explorer",
    "Instance",
    "Lts",
    "OtsrwError",
    "Rewriter",
    "Session",
    "Specification",
    "Trace",
    "find_ots",
    "igf",
    "load",
    "trace_of",
]

if TYPE_CHECKING:
    from otsrw.application.specification import Specification
    from otsrw.induction import igf
    from otsrw.ots import Instance, find_ots
    from otsrw.proofs import Session, load
    from otsrw.rewriting import Rewriter
    from otsrw.syntax import OtsrwError
    from otsrw.traces import Explorer, Lts, Trace
    from otsrw.traces.observed import trace_of

_HOMES = {
    "Explorer": "otsrw.traces",
    "Instance": "otsrw.ots",
    "Lts": "otsrw.traces",
    "OtsrwError": "otsrw.syntax",
    "Rewriter": "otsrw.rewriting",
    "Session": "otsrw.proofs",
    "Specification": "otsrw.application.specification",
    "Trace": "otsrw.traces",
    "find_ots": "otsrw.ots",
    "igf": "otsrw.induction",
    "load": "otsrw.proofs",
    "trace_of": "otsrw.traces.observed",
}
_ROOMS = frozenset(
    ("induction", "ots", "proofs", "reasoning", "rewriting", "search", "soundness", "syntax", "theory", "traces")
)


def __getattr__(name: str) -> Any:
    """Import a room only when it, or something in it, is asked for, so that `otsrw --help` stays fast."""
    from importlib import import_module

    if name in _ROOMS:
        return import_module(f"otsrw.{name}")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'otsrw' has no attribute {name!r}")
    return getattr(import_module(home), name)


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext otsrw` in a notebook: the magics `%%cafeobj` and `%otsrw`."""
    from otsrw.report.magics import load_ipython_extension

    load_ipython_extension(shell)


def __dir__() -> list[str]:
    return [*__all__, *_ROOMS, "__version__"]


def _html(result: Displayed) -> str:
    from otsrw.report.notebook import as_html

    return as_html(result)


Displayed.html = _html
