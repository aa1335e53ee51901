"""The data library that comes with otsrw: which files it has, and what a file of it loads."""

from __future__ import annotations

import os
from pathlib import Path

from otsrw.proofs import Session
from otsrw.proofs.bundled import library_folder


def needed_files(text: str) -> list[Path]:
    """The files of the library that a specification loads."""
    session = Session()
    session.run_text(text)
    folder = os.path.realpath(library_folder())
    found = dict.fromkeys(Path(file.path) for file in session.files)
    return [path for path in found if path.parent == Path(folder)]
