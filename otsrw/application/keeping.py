"""A file that keeps a proof between runs: what `--state F` means."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from otsrw.induction.proof import Proof
from otsrw.induction.saved import NOT_SAVED, SCHEMA, proof_data, restored
from otsrw.induction.scheme import Induction
from otsrw.syntax.diagnostics import TheoryProblem


class StateFile:
    """Reads what a former run has kept, and keeps what this one finds out; the file is always whole."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.resumed = 0
        """Lemmas of the former run that this one begins with."""
        self.unread: tuple[str, ...] = ()
        """Lemmas that the specification does not understand any more."""
        self._induction: Induction | None = None

    def begin(self, proof: Proof, induction: Induction) -> None:
        self._induction = induction
        if not self.path.exists():
            return
        data = self._read()
        try:
            if (data["schema"], data["module"], data["invariant"]) != (SCHEMA, induction.ots.name, proof.root.name):
                raise ValueError(data["schema"])
            found = restored(data, induction)
        except NOT_SAVED:
            message = f"{str(self.path)!r} is no saved proof of {proof.root.name} of {induction.ots.name}"
            raise TheoryProblem("E310", message, hint="remove the file, or name another one") from None
        proof.kept = found.lemmas
        for clause in found.refuted:
            proof.refuted.add(clause)
        self.resumed, self.unread = len(found.lemmas), found.unread

    def keep(self, proof: Proof) -> None:
        assert self._induction is not None
        text = json.dumps(proof_data(proof, self._induction.ots), indent=1, ensure_ascii=False)
        beside = self.path.with_name(self.path.name + ".new")
        try:
            beside.write_text(text + "\n", encoding="utf-8")
            os.replace(beside, self.path)
        except OSError as error:
            raise TheoryProblem("E307", f"cannot write {str(self.path)!r}: {error.strerror}") from None

    def _read(self) -> Any:
        try:
            return json.loads(self.path.read_text(encoding="utf-8"))
        except OSError as error:
            raise TheoryProblem("E303", f"cannot read {str(self.path)!r}: {error.strerror}") from None
        except ValueError:
            raise TheoryProblem("E310", f"{str(self.path)!r} is no JSON document") from None

    @property
    def told(self) -> str:
        """What was taken from the file, in words; empty if nothing was."""
        if not self.resumed and not self.unread:
            return ""
        lost = f"; not understood: {', '.join(self.unread)}" if self.unread else ""
        return f"resumed with {self.resumed} lemmas of {self.path}{lost}"
