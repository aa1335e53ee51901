"""`:show` and `:describe`."""

from __future__ import annotations

from otsrw.proofs.citp.events import GoalsShown, ProofDescribed, SentencesShown, TreeShown
from otsrw.proofs.citp.goals import ROOT
from otsrw.proofs.citp.run import CitpRun
from otsrw.proofs.citp.state import Flag, ProofState
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SyntaxProblem


def show_proof(command: tree.LineCommand, run: CitpRun) -> None:
    """Run a `:show` or `:describe`."""
    words = [word for word in command.body.words if word != "."]
    what = words[0] if words else "current"
    name = words[1] if len(words) > 1 else None
    if what in ("flag", "flags", "switch", "switches"):
        show_flags(run, list(Flag))
    elif what in ("proved", "discharged"):
        _show_proved(run)
    elif run.proof is None and what == "proof":
        run.warn("W703", "there is no proof", command)
    else:
        _show_part(command, run.ongoing(command), what, name, run)


def show_flags(run: CitpRun, chosen: list[Flag]) -> None:
    """Tell how flags are set."""
    for flag in chosen:
        run.say(f"- Flag {flag.value} is {'on' if run.flags[flag] else 'off'}")


def _show_proved(run: CitpRun) -> None:
    if not run.discharged or run.proof is None:
        run.say("None")
        return
    several = "s" if len(run.discharged) > 1 else ""
    title = f"** Discharged sentence{several}\n-- context module: {run.proof.bench.context.name}"
    naming = run.naming()._replace(declared=run.proof.bench.context.module.variables)
    run.workspace.emit(SentencesShown(title, tuple(run.discharged), naming))


def _show_part(command: tree.LineCommand, proof: ProofState, what: str, name: str | None, run: CitpRun) -> None:
    describes = command.keyword in (":describe", ":desc")
    if what == "proof":
        node = proof.node(name or ROOT)
        event = ProofDescribed(node, run.naming()) if describes else TreeShown(node, proof.default)
        run.workspace.emit(event)
        return
    if what in ("unproved", "unp"):
        run.workspace.emit(GoalsShown(tuple(proof.open_goals()), run.naming()))
        return
    goal = proof.current() if name is None else proof.node(name).goal
    if goal is None:
        run.warn("W703", "all goals have been discharged", command)
    elif what == "goal" or (what == "current" and describes):
        run.workspace.emit(GoalsShown((goal,), run.naming()))
    elif what == "current":
        run.say(f"The current goal is {goal.name}")
    elif what in ("def", "defs", "define"):
        lines = [f"{d.name} = {d.form}" for d in goal.definitions]
        run.say("\n".join(lines) or f"The goal {goal.name} has no defs.")
    else:
        hint = "as in ':show proof', ':show goal 1', ':show unproved', ':show proved', ':show def', ':show flags'"
        raise SyntaxProblem("E101", f"{command.keyword} does not know {what!r}", command.span, hint)
