"""OTS and rewriter: case splitting, necessary lemmas, induction-guided falsification, certificates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otsrw.on_demand import entries

if TYPE_CHECKING:
    from otsrw.induction.cases import Predicate
    from otsrw.induction.lemmas import LemmaReport, necessary_lemmas
    from otsrw.induction.procedure import advance, igf
    from otsrw.induction.proof import Proof
    from otsrw.induction.prover import Prover
    from otsrw.induction.results import IgfResult, IgfVerdict, Options
    from otsrw.induction.scheme import Induction
    from otsrw.induction.score import ProofScore, ScoreWriter, check_score
    from otsrw.induction.stuck_passages import checked_score
else:
    __getattr__ = entries(
        __name__,
        cases="Predicate",
        lemmas="LemmaReport necessary_lemmas",
        procedure="advance igf",
        proof="Proof",
        prover="Prover",
        results="IgfResult IgfVerdict Options",
        scheme="Induction",
        score="ProofScore ScoreWriter check_score",
        stuck_passages="checked_score",
    )

__all__ = [
    "IgfResult",
    "IgfVerdict",
    "Induction",
    "LemmaReport",
    "Options",
    "Predicate",
    "Proof",
    "ProofScore",
    "Prover",
    "ScoreWriter",
    "advance",
    "check_score",
    "checked_score",
    "igf",
    "necessary_lemmas",
]
