"""What a project expects: tables of a project file, and `-- @ expect NAME VERDICT` in specifications.

A `ProjectCase` is one specification with its entities and all that is expected of it. Nothing is run here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from pathlib import Path

from otsrw.application.project_file import PROJECT_FILE, ProjectRow, read_project
from otsrw.ots.hints import hints_of
from otsrw.proofs.files import load_source
from otsrw.records import dataclass, replace
from otsrw.syntax.diagnostics import OtsrwError, TheoryProblem
from otsrw.syntax.source import Source, Span

SUFFIXES = (".cafe", ".mod", ".cafeobj")
_EXPECTS = re.compile(r"^[ \t]*(?:--|\*\*)>?[ \t]*@[ \t]*expect\b", re.MULTILINE)
_VERDICT = re.compile(r"(?P<word>verified|falsified|holds)(?:\s+(?P<bound>\d+))?")


class ExpectedVerdict(Enum):
    VERIFIED = "verified"
    FALSIFIED = "falsified"
    HOLDS = "holds"


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is expected of an invariant (None: of every candidate).

    The bound of `falsified` is the length of a shortest run to a violation, that of `holds` the depth to which there is
    none; `verified` has no bound.
    """

    invariant: str | None
    verdict: ExpectedVerdict
    bound: int | None = None

    def __str__(self) -> str:
        return self.verdict.value if self.bound is None else f"{self.verdict.value} {self.bound}"


@dataclass(frozen=True, slots=True)
class CaseBudget:
    """What one question may take; None is no limit."""

    seconds: float | None = None
    memory: int | None = None
    """Bytes of Maude."""
    rewrites: int | None = None


@dataclass(frozen=True, slots=True)
class ProjectCase:
    """One specification with its entities, and what is expected of it."""

    file: str
    """As the user would write it from the working directory."""
    expectations: tuple[Expectation, ...]
    entities: tuple[str, ...] = ()
    """As on the command line, `Pid=p1,p2`; they override those of the file."""
    module: str | None = None
    depth: int | None = None
    """Of the searches of a proof."""
    lemmas: tuple[str, ...] = ()
    states: tuple[int, ...] = ()
    """Distinct states of R<=0, R<=1, ...; empty if nothing is expected of them."""
    exhausted: bool | None = None
    budget: CaseBudget = CaseBudget()
    slow: bool = False


def project_cases(arguments: Sequence[str]) -> list[ProjectCase]:
    """The cases of files and folders, in order; of the working directory if none is named."""
    found: list[ProjectCase] = []
    for argument in arguments or ["."]:
        path = Path(argument)
        if path.is_dir():
            found += _of_folder(path)
        elif path.name == PROJECT_FILE:
            found += _of_project(path)
        else:
            found += _of_file(path)
    return list(dict.fromkeys(found))


def parsed_expectation(invariant: str | None, text: str) -> Expectation | None:
    """`verified`, `falsified`, `falsified 6` or `holds 10`; None if it is none of them."""
    found = _VERDICT.fullmatch(text.strip())
    if found is None:
        return None
    verdict = ExpectedVerdict(found["word"])
    bound = None if found["bound"] is None else int(found["bound"])
    needs, has = verdict is ExpectedVerdict.HOLDS, bound is not None
    if needs != has and verdict is not ExpectedVerdict.FALSIFIED:
        return None
    return Expectation(invariant, verdict, bound)


def _of_folder(folder: Path) -> Iterator[ProjectCase]:
    """The rows of its project file, and what the files in it expect by themselves."""
    project = folder / PROJECT_FILE
    if project.is_file():
        yield from _of_project(project)
    for path in _specifications(folder):
        yield from _stated(path)


def _of_project(project: Path) -> Iterator[ProjectCase]:
    for row in read_project(load_source(str(project))):
        yield from _cases(row, project.parent)


def _of_file(path: Path) -> Iterator[ProjectCase]:
    """What a file expects, and what the nearest project file above it says of it."""
    if not path.is_file():
        raise TheoryProblem("E303", f"no such file or folder: {str(path)!r}", Span(Source(str(path), ""), 0, 0))
    yield from _stated(path)
    for folder in path.resolve().parents:
        project = folder / PROJECT_FILE
        if project.is_file():
            cases = _of_project(Path(os.path.relpath(project)))
            yield from (case for case in cases if Path(case.file).resolve() == path.resolve())
            return


def _specifications(folder: Path) -> Iterator[Path]:
    """Every specification below a folder, in order; folders whose name begins with a dot are left out."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.endswith(SUFFIXES):
                yield Path(os.path.normpath(os.path.join(root, name)))


def _stated(path: Path) -> Iterator[ProjectCase]:
    """What a specification expects of itself."""
    source = load_source(str(path))
    if not _EXPECTS.search(source.text):
        return
    found = []
    for hint in hints_of(source):
        if hint.kind == "expect":
            expectation = parsed_expectation(None if hint.name == "all" else hint.name, " ".join(hint.words.split()))
            assert expectation is not None, "the pattern of hints admits verdicts only"
            found.append(expectation)
    yield ProjectCase(str(path), tuple(dict.fromkeys(found)))


def _cases(row: ProjectRow, folder: Path) -> Iterator[ProjectCase]:
    """A case for each file that a row names."""
    for pattern in row.files:
        paths = sorted(folder.glob(pattern)) if any(c in pattern for c in "*?[") else [folder / pattern]
        if not paths or not all(path.is_file() for path in paths):
            raise OtsrwError("E540", f"there is no file {pattern!r}", row.place("file"))
        for path in paths:
            yield ProjectCase(
                str(path),
                tuple(_expected(row)),
                row.entities,
                row.module,
                row.depth,
                row.lemmas,
                row.states,
                row.exhausted,
                CaseBudget(row.seconds, None if row.memory is None else row.memory * 1_000_000, row.rewrites),
                row.slow,
            )


def _expected(row: ProjectRow) -> Iterator[Expectation]:
    deepest = len(row.states) - 1 if row.states else row.depth
    for name in row.holds:
        if deepest is None:
            raise OtsrwError("E540", "'holds' needs a depth", row.place("holds"), "add 'depth = 10'")
        yield Expectation(name, ExpectedVerdict.HOLDS, deepest)
    for name, steps in row.falsified.items():
        yield Expectation(name, ExpectedVerdict.FALSIFIED, steps)
    for name in row.verified:
        yield Expectation(name, ExpectedVerdict.VERIFIED)
    if row.expect is not None:
        for invariant in row.invariants or (None,):
            yield _one_expected(row, invariant)


def _one_expected(row: ProjectRow, invariant: str | None) -> Expectation:
    assert row.expect is not None
    text = f"holds {row.depth}" if row.expect == "holds" and row.depth is not None else row.expect
    found = parsed_expectation(invariant, text)
    if found is None:
        hint = "write 'verified', 'falsified', 'falsified 6' or 'holds 10'"
        raise OtsrwError("E540", f"{row.expect!r} is no verdict to expect", row.place("expect"), hint)
    return found


def with_slow(cases: Iterable[ProjectCase], slow: bool) -> list[ProjectCase]:
    """The cases that are run: slow ones only if they are asked for."""
    return [case for case in cases if slow or not case.slow]


def limited(case: ProjectCase, seconds: float | None, rewrites: int | None) -> ProjectCase:
    """The case with these limits where its own budget has none."""
    budget = case.budget
    seconds = seconds if budget.seconds is None else budget.seconds
    rewrites = rewrites if budget.rewrites is None else budget.rewrites
    return replace(case, budget=CaseBudget(seconds, budget.memory, rewrites))
