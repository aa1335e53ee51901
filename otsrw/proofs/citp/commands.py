"""The commands of CITP, as CafeOBJ 1.6.0 runs them; docs/citp.md says where otsrw differs."""

from __future__ import annotations

from otsrw.proofs.citp.navigating import NavigatingCommands
from otsrw.proofs.citp.proving import ProvingCommands
from otsrw.proofs.citp.run import CitpRun
from otsrw.proofs.workspace import Workspace
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SyntaxProblem

_BROKEN = {
    ":imp": "in CafeOBJ 1.6.0 it never works; ':init' adds an instance of a lemma",
    ":cp": "in CafeOBJ 1.6.0 it never works",
    ":equation": "it uses what ':cp' has found, and ':cp' does not work in CafeOBJ 1.6.0",
    ":lred": "write ':red t .'",
    ":normalize": "write ':set(normalize-init, on)'",
}
_ALIASES = {":imply": ":imp", ":rule": ":equation", ":backward": ":equation"}


class CitpCommands:
    """Runs the commands of CITP in one session."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._run = CitpRun(workspace)
        self._handlers = ProvingCommands(self._run).handlers | NavigatingCommands(self._run).handlers

    def run(self, command: tree.LineCommand) -> None:
        """Run one command."""
        handler = self._handlers.get(command.keyword)
        if handler is None:
            hint = _BROKEN.get(_ALIASES.get(command.keyword, command.keyword))
            raise SyntaxProblem("E106", f"the command {command.keyword!r} is not supported", command.span, hint)
        if self._run.is_stale():
            self._run.discard()
        try:
            handler(command)
        finally:
            goal = None if self._run.proof is None else self._run.proof.current()
            self._workspace.current_goal = None if goal is None else goal.name
