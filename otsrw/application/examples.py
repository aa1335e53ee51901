"""The specifications that come with otsrw: a list with a line each, and copies to work with."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from otsrw.proofs import Session
from otsrw.proofs.bundled import bundled_folder
from otsrw.records import dataclass
from otsrw.syntax.diagnostics import OtsrwError, TheoryProblem, did_you_mean

_COMMENT = re.compile(r"--[ \t]?(?P<text>.*)")


@dataclass(frozen=True, slots=True)
class Example:
    """A bundled specification: its name, its file, and the sentence it begins with."""

    name: str
    file: Path
    about: str

    @property
    def introduction(self) -> str:
        """The comment at the head of the file."""
        return "\n".join(_head(self.file))


def bundled_examples() -> list[Example]:
    """All examples, by name."""
    files = sorted(bundled_folder("specs").glob("*.cafe"), key=lambda file: file.stem)
    return [Example(file.stem, file, _first_sentence(file)) for file in files]


def example_named(name: str) -> Example:
    found = {example.name: example for example in bundled_examples()}
    wanted = name.removesuffix(".cafe")
    if wanted not in found:
        hint = did_you_mean(wanted, found) or "'otsrw examples' lists them"
        raise OtsrwError("E519", f"there is no example {name!r}", hint=hint)
    return found[wanted]


def copied(examples: Sequence[Example], folder: Path) -> list[Path]:
    """Copy examples and the files they load into a folder; a file that is there already and differs is an error."""
    root = bundled_folder("specs").resolve()
    wanted = dict.fromkeys(path for example in examples for path in _files_of(example, root))
    targets = {path: folder / path.relative_to(root) for path in wanted}
    for path, target in targets.items():
        if target.exists() and (not target.is_file() or target.read_bytes() != path.read_bytes()):
            raise OtsrwError("E519", f"{str(target)!r} exists already and is different", hint="copy to another folder")
    for path, target in targets.items():
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        except OSError as error:
            raise TheoryProblem("E307", f"cannot write {str(target)!r}: {error.strerror}") from None
    return list(targets.values())


def _files_of(example: Example, root: Path) -> list[Path]:
    """The file of an example and those it loads, as far as they are bundled with it."""
    session = Session()
    session.run_file(example.file)
    paths = [Path(loaded.path) for loaded in session.files]
    return [path for path in paths if path.is_relative_to(root)]


def _head(file: Path) -> list[str]:
    lines: list[str] = []
    for line in file.read_text("utf-8").splitlines():
        comment = _COMMENT.fullmatch(line)
        if comment is None or comment["text"].startswith("@"):
            break
        lines.append(comment["text"])
    return lines


def _first_sentence(file: Path) -> str:
    """The first sentence of the comment at the head; what stands before a colon is kept."""
    paragraph = " ".join(" ".join(_head(file)).split())
    return re.split(r"(?<=[a-z0-9)\]]\.)\s", paragraph, maxsplit=1)[0]
