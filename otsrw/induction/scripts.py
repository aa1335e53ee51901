"""Does a proof script close all its goals?"""

from __future__ import annotations

from otsrw.induction.script_module import ProofScript
from otsrw.proofs import Session
from otsrw.proofs.results import Outcome


def check_script(script: ProofScript) -> list[str]:
    """What our own engine says against a script; nothing if it closes all goals."""
    session = Session()
    session.run_text(script.text, "<script>")
    outcome: Outcome = session.outcome
    problems = [problem.header() for problem in outcome.errors]
    problems += [f"goal {proof.open_goals[0]} is open" for proof in outcome.open_proofs]
    problems += [f"a reduction gives {answer.result}" for answer in outcome.unexpected("true")]
    if len(outcome.proofs) != script.goals:
        problems.append(f"{len(outcome.proofs)} goals instead of {script.goals}")
    return problems
