"""The commands of CITP, as CafeOBJ 1.6.0 runs them; docs/citp.md says where otsrw differs."""

from __future__ import annotations

from otsrw.proofs.citp.cimpa import CimpaCommands, is_cimpa
from otsrw.proofs.citp.inspecting import InspectingCommands
from otsrw.proofs.citp.navigating import NavigatingCommands
from otsrw.proofs.citp.proving import ProvingCommands
from otsrw.proofs.citp.run import CitpRun
from otsrw.proofs.workspace import Dialect, Workspace
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SyntaxProblem

_BROKEN = {
    ":imp": "in CafeOBJ 1.6.0 it never works; ':init' adds an instance of a lemma. CiMPA has it: --dialect cimpa",
    ":cp": "in CafeOBJ 1.6.0 it never works",
    ":equation": "it uses what ':cp' has found, and ':cp' does not work in CafeOBJ 1.6.0",
    ":lred": "write ':red t .'",
    ":normalize": "write ':set(normalize-init, on)'",
}
_FIRST = (":goal", ":proven", ":is-proven")
_ALIASES = {":imply": ":imp", ":rule": ":equation", ":backward": ":equation"}


class CitpCommands:
    """Runs the commands of CITP and of CiMPA in one session: a goal is of the dialect of the text it stands in."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._run = CitpRun(workspace)
        inspecting = InspectingCommands(self._run).handlers
        self._citp = ProvingCommands(self._run).handlers | NavigatingCommands(self._run).handlers | inspecting
        self._cimpa = CimpaCommands(workspace)
        self._in_cimpa = False

    def run(self, command: tree.LineCommand) -> None:
        """Run one command."""
        if command.keyword in _FIRST:
            self._in_cimpa = self._is_cimpa(command)
        handler = (self._cimpa.handlers if self._in_cimpa else self._citp).get(command.keyword)
        if handler is None:
            hint = None if self._in_cimpa else _BROKEN.get(_ALIASES.get(command.keyword, command.keyword))
            raise SyntaxProblem("E106", f"the command {command.keyword!r} is not supported", command.span, hint)
        if self._run.is_stale():
            self._run.discard()
        try:
            handler(command)
        finally:
            proof = self._cimpa.proof if self._in_cimpa else self._run.proof
            goal = None if proof is None else proof.current()
            self._workspace.current_goal = None if goal is None else goal.name

    def _is_cimpa(self, command: tree.LineCommand) -> bool:
        dialect = self._workspace.settings.dialect
        return is_cimpa(command.span.source) if dialect is None else dialect is Dialect.CIMPA
