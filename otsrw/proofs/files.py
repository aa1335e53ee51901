"""Which file `in`, `input` and `require` mean.

Relative to the file that names it first, then to the working directory as CafeOBJ does, then to the folders given by
`set libpath`, and at last to the folders above that of the file, since input for IPSG is written for the root of its
repository. Nothing else is ever opened.
"""

from __future__ import annotations

from pathlib import Path

from otsrw.syntax.diagnostics import TheoryProblem
from otsrw.syntax.source import NOWHERE, Source, Span

EXTENSIONS = ("", ".cafe", ".mod", ".cafeobj")
MAX_BYTES = 100_000_000


def find_file(name: str, folder: Path, library: list[Path], span: Span = NOWHERE) -> Path:
    """The file a name stands for, seen from `folder`."""
    wanted = Path(name)
    above = folder.absolute().parents
    folders = [folder, Path.cwd(), *(folder / entry for entry in library), *library, *above]
    for base in dict.fromkeys(folders):
        for extension in EXTENSIONS:
            candidate = base / (name + extension)
            if candidate.is_file():
                return candidate
    import difflib

    near = difflib.get_close_matches(wanted.name, _names_in(folder / wanted.parent), n=2)
    hint = (
        f"did you mean {' or '.join(repr(n) for n in near)}?"
        if near
        else f"looked in {folder}, the folders above it and the working directory"
    )
    raise TheoryProblem("E303", f"no such file: {name!r}", span, hint)


def _names_in(folder: Path) -> list[str]:
    try:
        return [p.name for p in folder.iterdir() if p.suffix in EXTENSIONS]
    except OSError:
        return []


def load_source(path: Path, shown: str | None = None, span: Span = NOWHERE) -> Source:
    """Read a file as a source; undecodable bytes become replacement characters and are reported as such."""
    try:
        if path.is_dir():
            raise TheoryProblem("E303", f"{str(path)!r} is a folder, not a file", span)
        if path.stat().st_size > MAX_BYTES:
            raise TheoryProblem("E303", f"{str(path)!r} is larger than {MAX_BYTES} bytes", span)
        text = decode(path.read_bytes())
    except OSError as error:
        raise TheoryProblem("E303", f"cannot read {str(path)!r}: {error.strerror}", span) from None
    return Source(shown or str(path), text, path.resolve().parent)


def decode(data: bytes) -> str:
    """UTF-8, or Latin-1 for old files that are otherwise text."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        if b"\0" in data:
            return data.decode("utf-8", "replace")
        return data.decode("latin-1").replace("\r\n", "\n")
