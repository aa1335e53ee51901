"""Which cases of a project need not be run again: they passed, and nothing they are made of has changed.

What a case is made of: the row of the project file, every file that it has loaded (by content), which file each name
stands for, and the version of otsrw. It is kept in a folder of the working directory that git does not see.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from otsrw.application.expectations import ProjectCase
from otsrw.application.testing import CaseOutcome, CaseResult, UsedFile, digest_of
from otsrw.proofs.files import decode, find_file
from otsrw.records import replace
from otsrw.syntax.diagnostics import OtsrwError

CACHE = Path(".otsrw_cache")
_FILE = "tests.json"


class PassedCases:
    """The cases that passed with this version of otsrw, as a file remembers them."""

    def __init__(self, version: str, folder: Path = CACHE) -> None:
        self._version = version
        self._folder = folder
        self._known: dict[str, Any] = _read(folder / _FILE)

    def recall(self, case: ProjectCase) -> CaseOutcome | None:
        """The outcome of a case that passed and has not changed since; None if it has to be run."""
        known = self._known.get(self._key(case))
        try:
            files = () if known is None else tuple(UsedFile(*entry) for entry in known["files"])
            if known is None or not all(map(_is_same, files)):
                return None
            results = tuple(_result(entry) for entry in known["results"])
        except (KeyError, TypeError, ValueError):
            return None  # written by something else
        return CaseOutcome(case, results, files)

    def remember(self, outcomes: Iterable[CaseOutcome]) -> None:
        """Keep what passed, and forget what did not."""
        for outcome in outcomes:
            if not outcome.passed or not outcome.results:
                self._known.pop(self._key(outcome.case), None)
            else:
                self._known[self._key(outcome.case)] = {
                    "files": [[file.path, file.name, file.folder, file.digest] for file in outcome.files],
                    "results": [asdict(result) for result in outcome.results],
                }
        self._write()

    def _key(self, case: ProjectCase) -> str:
        return digest_of(json.dumps([self._version, str(Path.cwd()), asdict(case)], default=str, sort_keys=True))

    def _write(self) -> None:
        try:
            self._folder.mkdir(exist_ok=True)
            (self._folder / ".gitignore").write_text("*\n", encoding="utf-8")
            (self._folder / _FILE).write_text(json.dumps(self._known), encoding="utf-8")
        except OSError:
            return  # a folder that cannot be written only costs time


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_same(file: UsedFile) -> bool:
    """Does the name still stand for this file, and is its text the same?"""
    try:
        if file.name is not None and Path(find_file(file.name, file.folder, [])).resolve() != Path(file.path):
            return False
        return digest_of(decode(Path(file.path).read_bytes())) == file.digest
    except (OSError, OtsrwError):
        return False


def _result(entry: dict[str, Any]) -> CaseResult:
    found = CaseResult(**entry)
    doubts = tuple((kind, subject) for kind, subject in found.doubts)
    return replace(found, entities=tuple(found.entities), unchanged=True, doubts=doubts)
