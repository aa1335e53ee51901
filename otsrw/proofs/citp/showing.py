"""`:show` and `:describe`."""

from __future__ import annotations

from typing import Protocol

from otsrw.proofs.citp.events import GoalNaming, GoalsShown, ProofDescribed, SentencesShown, TreeShown
from otsrw.proofs.citp.goals import ROOT
from otsrw.proofs.citp.state import Flag, Flags, ProofState
from otsrw.proofs.events import Echoed
from otsrw.proofs.workspace import Workspace
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, SyntaxProblem, TheoryProblem
from otsrw.theory.modules import Axiom


class FlagShower(Protocol):
    """What `:show` asks of the commands."""

    def show_flags(self, chosen: list[Flag]) -> None: ...

    def naming(self) -> GoalNaming: ...


def show_proof(
    command: tree.LineCommand,
    proof: ProofState | None,
    discharged: list[Axiom],
    flags: Flags,
    workspace: Workspace,
    shower: FlagShower,
) -> None:
    """Run a `:show` or `:describe`."""
    words = [word for word in command.body.words if word != "."]
    what = words[0] if words else "current"
    name = words[1] if len(words) > 1 else None
    if what in ("flag", "flags", "switch", "switches"):
        shower.show_flags(list(Flag))
    elif what in ("proved", "discharged"):
        _show_proved(discharged, workspace, proof, shower)
    elif proof is None and what == "proof":
        workspace.report(Diagnostic("W703", "there is no proof", command.span))
    elif proof is None:
        raise TheoryProblem("E309", "no proof is under way", command.span, "begin one with ':goal { eq .. . }'")
    else:
        _show_part(command, proof, what, name, workspace, shower)


def _show_proved(
    discharged: list[Axiom], workspace: Workspace, proof: ProofState | None, shower: FlagShower
) -> None:
    if not discharged or proof is None:
        workspace.emit(Echoed("None"))
        return
    many = "s" if len(discharged) > 1 else ""
    title = f"** Discharged sentence{many}\n-- context module: {proof.bench.context.name}"
    workspace.emit(SentencesShown(title, tuple(discharged), shower.naming()))


def _show_part(
    command: tree.LineCommand, proof: ProofState, what: str, name: str | None, workspace: Workspace, shower: FlagShower
) -> None:
    describes = command.keyword in (":describe", ":desc")
    if what == "proof":
        node = proof.node(name or ROOT)
        event = ProofDescribed(node, shower.naming()) if describes else TreeShown(node, proof.default)
        workspace.emit(event)
        return
    current = proof.current()
    if what in ("unproved", "unp"):
        workspace.emit(GoalsShown(tuple(proof.open_goals()), shower.naming()))
        return
    goal = proof.node(name).goal if name is not None else current
    if goal is None:
        workspace.report(Diagnostic("W703", "all goals have been discharged", command.span))
    elif what == "goal" or (what == "current" and describes):
        workspace.emit(GoalsShown((goal,), shower.naming()))
    elif what == "current":
        workspace.emit(Echoed(f"The current goal is {goal.name}"))
    elif what in ("def", "defs", "define"):
        lines = [f"{d.name} = {d.form}" for d in goal.definitions]
        workspace.emit(Echoed("\n".join(lines) or f"The goal {goal.name} has no defs."))
    else:
        hint = "as in ':show proof', ':show goal 1', ':show unproved', ':show proved', ':show def', ':show flags'"
        raise SyntaxProblem("E101", f"{command.keyword} does not know {what!r}", command.span, hint)
