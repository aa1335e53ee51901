"""Which file `in`, `input` and `require` mean.

Relative to the file that names it first, then to the working directory as CafeOBJ does, then to the folders given by
`set libpath`, and at last to the folders above that of the file, since input for IPSG is written for the root of its
repository. What is found nowhere else may be a file of the data library. Nothing else is ever opened.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from otsrw.syntax.diagnostics import TheoryProblem
from otsrw.syntax.source import NOWHERE, Source, Span

EXTENSIONS = ("", ".cafe", ".mod", ".cafeobj")
MAX_BYTES = 100_000_000


def find_file(name: str, folder: str, library: list[str], span: Span = NOWHERE) -> str:
    """The file a name stands for, seen from `folder`."""
    relative = [os.path.join(folder, entry) for entry in library]
    folders = [folder, os.getcwd(), *relative, *library, *_folders_above(folder)]
    found = _first_in(dict.fromkeys(folders), name) or _first_in([_library()], name)
    if found is not None:
        return found
    import difflib

    parent, wanted = os.path.split(name)
    known = [*_names_in(os.path.join(folder, parent)), *(os.path.splitext(name)[0] for name in _names_in(_library()))]
    near = difflib.get_close_matches(wanted, dict.fromkeys(known), n=2)
    hint = (
        f"did you mean {' or '.join(repr(n) for n in near)}?"
        if near
        else f"looked in {folder}, the folders above it, the working directory and the data library"
    )
    raise TheoryProblem("E303", f"no such file: {name!r}", span, hint)


def _first_in(folders: Iterable[str], name: str) -> str | None:
    for base in folders:
        for extension in EXTENSIONS:
            candidate = os.path.join(base, name.removeprefix("./") + extension)
            if os.path.isfile(candidate):
                return candidate
    return None


def _library() -> str:
    from otsrw.proofs.bundled import library_folder  # rarely needed, and it would slow the start

    return library_folder()


def _folders_above(folder: str) -> list[str]:
    """The parent of a folder, its parent, and so on up to the root."""
    found = []
    folder = os.path.abspath(folder)
    while (parent := os.path.dirname(folder)) != folder:
        found.append(parent)
        folder = parent
    return found


def _names_in(folder: str) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if os.path.splitext(name)[1] in EXTENSIONS]
    except (OSError, ValueError):
        return []


def load_source(path: str, shown: str | None = None, span: Span = NOWHERE) -> Source:
    """Read a file as a source; undecodable bytes become replacement characters and are reported as such."""
    try:
        if os.path.isdir(path):
            raise TheoryProblem("E303", f"{path!r} is a folder, not a file", span)
        if os.stat(path).st_size > MAX_BYTES:
            raise TheoryProblem("E303", f"{path!r} is larger than {MAX_BYTES} bytes", span)
        with open(path, "rb") as file:
            text = decode(file.read())
    except OSError as error:
        raise TheoryProblem("E303", f"cannot read {path!r}: {error.strerror}", span) from None
    return Source(shown or path, text, os.path.dirname(os.path.realpath(path)))


def decode(data: bytes) -> str:
    """UTF-8, or Latin-1 for old files that are otherwise text."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        if b"\0" in data:
            return data.decode("utf-8", "replace")
        return data.decode("latin-1").replace("\r\n", "\n")
