"""Labelled transition systems in files; the ending of the name chooses the format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from otsrw.syntax.diagnostics import Tell, TheoryProblem, did_you_mean
from otsrw.syntax.source import Source
from otsrw.traces.colours import Tags
from otsrw.traces.formats.aut import LtsProblem, read_aut, write_aut
from otsrw.traces.formats.autx import write_autx
from otsrw.traces.formats.dot import write_dot
from otsrw.traces.formats.graphml import write_graphml
from otsrw.traces.formats.itf import from_itf, read_itf, to_itf, write_itf
from otsrw.traces.formats.mermaid import write_mermaid
from otsrw.traces.lts import Lts

__all__ = [
    "WRITERS",
    "LtsProblem",
    "decoded",
    "from_itf",
    "load_text",
    "read_aut",
    "read_itf",
    "read_lts",
    "render_lts",
    "to_itf",
    "write_aut",
    "write_autx",
    "write_dot",
    "write_graphml",
    "write_itf",
    "write_mermaid",
]


def _plain(lts: Lts, tags: Tags) -> str:
    del tags
    return write_aut(lts)


WRITERS: dict[str, Callable[[Lts, Tags], str]] = {
    ".aut": _plain,
    ".autx": write_autx,
    ".dot": write_dot,
    ".gv": write_dot,
    ".graphml": write_graphml,
    ".mmd": write_mermaid,
}


def render_lts(lts: Lts, name: str, tags: Tags | None = None) -> str:
    """The text of a file called `name`."""
    ending = Path(name).suffix.lower()
    if ending not in WRITERS:
        hint = did_you_mean(ending, WRITERS) or f"known endings are {', '.join(WRITERS)}"
        raise TheoryProblem("E124", f"no format for systems ends in {ending!r}: {name!r}", hint=hint)
    return WRITERS[ending](lts, tags or Tags())


_READABLE = (".aut", ".autx")
_GZIP = b"\x1f\x8b"
MAX_BYTES = 1 << 30


def read_lts(path: Path, shown: str | None = None, tell: Tell | None = None) -> Lts:
    """The system in an `.aut` or `.autx` file, which may be compressed by gzip; `tell` is given warnings."""
    kind = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    if kind.suffix.lower() not in _READABLE:
        message = f"cannot read a labelled transition system from {shown or str(path)!r}"
        raise TheoryProblem("E124", message, hint="the name has to end in .aut or .autx, with .gz if it is compressed")
    return read_aut(load_text(path, shown), tell, kind.suffix.lower() == ".autx")


def load_text(path: Path, shown: str | None = None) -> Source:
    """A file as text: UTF-8, or Latin-1 where it is not."""
    name = shown or str(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TheoryProblem("E303", f"cannot read {name!r}: {error.strerror}") from None
    return Source(name, decoded(data, name), path.resolve().parent)


def decoded(data: bytes, name: str = "<stdin>") -> str:
    """Bytes as text: decompressed if they are compressed by gzip; UTF-8, or Latin-1 where that is wrong."""
    if data.startswith(_GZIP):
        data = _decompressed(data, name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _decompressed(data: bytes, name: str) -> bytes:
    import gzip
    import io
    import zlib

    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            found = stream.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise TheoryProblem("E303", f"cannot decompress {name!r}: {error}") from None
    if len(found) > MAX_BYTES:
        raise TheoryProblem("E303", f"{name!r} has more than {MAX_BYTES >> 20} MB when it is decompressed")
    return found
