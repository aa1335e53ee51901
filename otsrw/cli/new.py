"""`otsrw new NAME`: a commented specification to start from."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from otsrw.cli import exits
from otsrw.report.console import Console
from otsrw.report.documents import header

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*\Z")
_TAKEN = ("PROCESS", "LABEL")


def execute(options: argparse.Namespace) -> int:
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    path = Path(options.name if options.name.endswith(".cafe") else f"{options.name}.cafe")
    module = path.stem.upper().replace("_", "-")
    if not _NAME.match(module):
        console.complain(f"{path.stem!r} is no name of a module: use letters, digits and '-', a letter first")
        return exits.USAGE
    if module in _TAKEN:
        console.complain(f"the specification has a module {module} of its own: choose another name")
        return exits.USAGE
    text = Path(__file__).with_name("skeleton.cafe").read_text("utf-8")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text.replace("MODULE", module).replace("FILE", path.name))
    except FileExistsError:
        console.complain(f"{path} exists already")
        return exits.USAGE
    except OSError as error:
        console.complain(f"cannot write {path}: {error.strerror}")
        return exits.USAGE
    if options.json:
        console.document(header("new") | {"file": str(path), "module": module})
    else:
        console.line(f"next: otsrw igf {path}")
        console.verdict(f"written: {path}, an OTS in the module {module} with the invariant mutex", "green")
    return exits.HOLDS
