"""`otsrw format FILE... --frames`: write into a file what it leaves out, and tidy its lines."""

from __future__ import annotations

import argparse

from otsrw.application.formatting import formatted
from otsrw.application.frames import FramedModule, written_frames
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame, save
from otsrw.proofs.files import load_source
from otsrw.report.documents import header
from otsrw.report.words import counted
from otsrw.syntax.diagnostics import SeveralProblems
from otsrw.syntax.reader import read


def execute(options: argparse.Namespace) -> int:
    return in_frame("format", options, _format)


def _format(frame: CommandFrame) -> Ending:
    options = frame.options
    source = load_source(options.file)
    problems = read(source)[1]
    if problems:
        raise SeveralProblems(problems)
    text, added = written_frames(source) if options.frames else (source.text, [])
    text = formatted(text)
    target = options.output or options.file
    changed = text != source.text
    if (changed and not options.check) or options.output:
        save(target, text)
    code = exits.VIOLATED if options.check and changed else exits.HOLDS
    return Ending(
        code,
        lambda: _document(target, changed, added),
        lambda: frame.console.verdict(_verdict(target, changed, added, options.check), "green" if not code else "red"),
    )


def _document(target: str, changed: bool, added: list[FramedModule]) -> dict[str, object]:
    frames = [{"module": module.name, "equations": module.equations} for module in added]
    return header("format") | {"file": target, "changed": changed, "frames": frames}


def _verdict(target: str, changed: bool, added: list[FramedModule], checking: bool) -> str:
    if not changed:
        return f"{target}: nothing to do"
    count = sum(len(module.equations) for module in added)
    names = ", ".join(module.name for module in added)
    what = f"{counted(count, 'frame equation')} in {names}" if count else "the layout"
    return f"{target}: {what} {'would be ' if checking else ''}{'added' if count else 'changed'}"
