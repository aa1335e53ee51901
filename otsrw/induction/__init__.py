"""OTS and rewriter: case splitting, necessary lemmas, induction-guided falsification, certificates."""

from otsrw.induction.lemmas import LemmaReport, necessary_lemmas
from otsrw.induction.procedure import igf
from otsrw.induction.results import IgfResult, Options
from otsrw.induction.score import ProofScore, ScoreWriter, check_score
from otsrw.induction.steps import Induction, Predicate

__all__ = [
    "IgfResult",
    "Induction",
    "LemmaReport",
    "Options",
    "Predicate",
    "ProofScore",
    "ScoreWriter",
    "check_score",
    "igf",
    "necessary_lemmas",
]
