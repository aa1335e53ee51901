"""Lemmas about data that a proof found or was given, and stuck terms that need one, for eyes and for programs."""

from __future__ import annotations

from typing import Any

from otsrw.induction.results import IgfResult, IgfVerdict
from otsrw.theory.printing import show_plainly

MAX_SHOWN = 3
"""Stuck terms that are shown."""


def data_lines(result: IgfResult) -> list[str]:
    """The lemmas that were proved; after an unknown verdict also stuck terms that nothing was proved about."""
    lines = []
    for proof in result.data:
        lines.append(f"data lemma: {proof.lemma.name}: {proof.lemma.text}, {proof.how}")
    return lines + (stuck_lines(result) if result.verdict is IgfVerdict.UNKNOWN else [])


def stuck_lines(result: IgfResult) -> list[str]:
    lines = []
    for missing in result.missing[:MAX_SHOWN]:
        left = show_plainly(missing.left)
        if missing.suggestion is None:
            lines.append(f"stuck: no equation is known for {left}; state one as a lemma")
        else:
            right = show_plainly(missing.suggestion)
            lines.append(f"stuck: no equation is proved for {left}; small values suggest {left} = {right}")
    return lines


def data_documents(result: IgfResult) -> dict[str, Any]:
    """The fields of a JSON document about lemmas about data."""
    return {
        "data_lemmas": [
            {
                "name": proof.lemma.name,
                "formula": proof.lemma.text,
                "variable": None if proof.variable is None else proof.variable.op.name,
                "stated": proof.lemma.stated,
                "cases": sum(len(case.leaves) for case in proof.cases),
                "axiom_of": proof.lemma.module or None,
            }
            for proof in result.data
        ],
        "stuck": [
            {
                "term": show_plainly(missing.left),
                "suggestion": None if missing.suggestion is None else show_plainly(missing.suggestion),
            }
            for missing in result.missing
        ],
    }
