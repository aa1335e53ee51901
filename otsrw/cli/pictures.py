"""The state picture of a specification: the one that `--picture` names, or the one next to the file, FILE.svg."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from otsrw.application.systems import is_specification
from otsrw.cli.frame import CommandFrame
from otsrw.ots.run import Run
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError
from otsrw.traces.formats import load_text

if TYPE_CHECKING:
    from otsrw.report.pictures import StatePicture


def picture_of(frame: CommandFrame, observers: tuple[str, ...]) -> StatePicture | None:
    """The picture for a system with these observers; None if there is none.

    What is wrong with a picture that was asked for is a problem. One that only lies next to the file may be something
    else: it is used if elements of it are bound to observers, and what is wrong with it is a warning.
    """
    options = frame.options
    beside = Path(options.file).with_suffix(".svg")
    if getattr(options, "picture", None) is not None:
        return _read(frame, Path(options.picture), options.picture, observers)
    if not is_specification(options.file) or not beside.is_file():
        return None
    try:
        found = _read(frame, beside, str(beside), observers)
    except OtsrwError as error:
        problem = error.problem
        frame.console.problem(
            Diagnostic("W546", f"the picture is not used: {problem.message}", problem.span, problem.hint)
        )
        return None
    return found if found.bound else None


def picture_for_run(frame: CommandFrame, run: Run | None) -> StatePicture | None:
    """The picture for a run; None if there is no run."""
    return None if run is None else picture_of(frame, tuple(slot.name for slot in run.instance.slots))


def _read(frame: CommandFrame, path: Path, name: str, observers: tuple[str, ...]) -> StatePicture:
    from otsrw.report.pictures import StatePicture
    from otsrw.report.svg import read_svg

    drawing = read_svg(load_text(path, name))
    picture = StatePicture.of(drawing)
    picture.check(observers)
    if picture.bound:
        for problem in drawing.left_out:
            frame.console.problem(problem)
    return picture
