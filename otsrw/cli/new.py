"""`otsrw new NAME`: a commented specification to start from."""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path

from otsrw.cli import exits
from otsrw.report.console import Console
from otsrw.report.documents import header

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*\Z")
_TAKEN = ("PROCESS", "LABEL")
_TAKEN_WITH_LIBRARY = (*_TAKEN, "WAITING", "QUEUE", "PNAT")


def execute(options: argparse.Namespace) -> int:
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    path = Path(options.name if options.name.endswith(".cafe") else f"{options.name}.cafe")
    module = path.stem.upper().replace("_", "-")
    complaint = _unusable(path, module, options.with_library)
    if complaint is not None:
        console.complain(complaint)
        return exits.USAGE
    try:
        copies = _written(path, module, options.with_library)
    except FileExistsError:
        console.complain(f"{path} exists already")
        return exits.USAGE
    except OSError as error:
        console.complain(f"cannot write {path}: {error.strerror}")
        return exits.USAGE
    if options.json:
        console.document(header("new") | {"file": str(path), "module": module, "library": [*map(str, copies)]})
    else:
        console.line(f"next: otsrw igf {path}")
        console.verdict(f"written: {path}, an OTS in the module {module} with the invariant mutex", "green")
    return exits.HOLDS


def _unusable(path: Path, module: str, with_library: bool) -> str | None:
    """Why the module cannot have this name; None if it can."""
    if not _NAME.match(module):
        return f"{path.stem!r} is no name of a module: use letters, digits and '-', a letter first"
    if module in (_TAKEN_WITH_LIBRARY if with_library else _TAKEN):
        return f"the specification has a module {module} of its own: choose another name"
    return None


def _written(path: Path, module: str, with_library: bool) -> list[Path]:
    """Write the file, and beside it the files of the library that it loads; one that is there already is kept."""
    skeleton = "skeleton-library.cafe" if with_library else "skeleton.cafe"
    text = Path(__file__).with_name(skeleton).read_text("utf-8")
    with path.open("x", encoding="utf-8") as file:
        file.write(text.replace("MODULE", module).replace("FILE", path.name))
    if not with_library:
        return []
    from otsrw.application.library import needed_files

    copies = []
    for source in needed_files(text):
        copies.append(path.parent / source.name)
        if not copies[-1].exists():
            shutil.copyfile(source, copies[-1])
    return copies
