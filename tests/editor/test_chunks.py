"""Looking at a text chunk by chunk says the same as looking at it as a whole, also after edits."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support import ROOT

from otsrw.editor.checking import NOTHING_DECLARED, Checker
from otsrw.editor.chunks import ChunkSource, ReadChunk, cut
from otsrw.editor.project import TextProject
from otsrw.proofs.files import decode
from otsrw.syntax.reader import read
from otsrw.syntax.source import Source

FILES = sorted([*(ROOT / "specs").rglob("*.cafe"), *(ROOT / "proofs").rglob("*.cafe")])
EDITED = [ROOT / "specs" / "tas.cafe", ROOT / "proofs" / "tas-mutex.cafe", ROOT / "specs" / "library" / "list.cafe"]

Told = list[tuple[int, str, str]]


def names(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=names)
def test_chunks_have_the_statements_of_the_whole(path: Path) -> None:
    text = decode(path.read_bytes())
    chunks = cut(text)
    assert "".join(chunk.text for chunk in chunks) == text
    found = []
    for chunk in chunks:
        reading = ReadChunk(ChunkSource("f", ".", chunk.text), len(chunk.text))
        assert not reading.problems
        found += [(type(s), s.span.start + chunk.start) for s in reading.statements]
    assert found == [(type(s), s.span.start) for s in read(Source("f", text))[0]]


def whole(path: str, folder: str, text: str) -> Told:
    """The problems of a text that is one chunk."""
    project = TextProject()
    chunk = ReadChunk(ChunkSource(path, folder, text), len(text))
    result = Checker(project.text_of).check(chunk, NOTHING_DECLARED, project.run_file)
    return [(p.span.start, p.code, p.message) for p in result.problems]


def in_parts(project: TextProject, path: str) -> Told:
    file = project.complete(project.file(path))
    return [
        (problem.span.start + file.placed[index].shift, problem.code, problem.message)
        for index, checked in sorted(file.checked.items())
        for problem in checked.problems
    ]


SLIPS = ("Sys", "op", ".", "(", "eq", " = ", "S", "{", "Nat", "red", "-- x\n", "pc")


def edited(text: str, choose: random.Random) -> str:
    """The text after one slip of the hand: a word goes, comes twice, or another one comes."""
    words = text.split(" ")
    at = choose.randrange(len(words))
    what = choose.randrange(4)
    if what == 0:
        words.pop(at)
    elif what == 1:
        words.insert(at, words[at])
    elif what == 2:
        words.insert(at, choose.choice(SLIPS))
    else:
        words[at] = choose.choice(SLIPS)
    return " ".join(words)


@pytest.mark.parametrize("path", EDITED, ids=names)
def test_after_edits_everything_is_as_if_read_anew(path: Path) -> None:
    choose = random.Random(7)
    name = str(path)
    original = text = decode(path.read_bytes())
    project = TextProject()
    file = project.open(name, text)
    assert in_parts(project, name) == []
    broken = 0
    for step in range(60):
        text = original if step % 5 == 4 else edited(text, choose)
        file.change(text)
        found = in_parts(project, name)
        fresh = TextProject()
        fresh.open(name, text)
        assert found == in_parts(fresh, name)
        broken += bool(found)
    assert broken > 20


@pytest.mark.parametrize("path", EDITED, ids=names)
def test_the_parts_have_the_problems_of_the_whole(path: Path) -> None:
    choose = random.Random(11)
    original = decode(path.read_bytes())
    same = differing = 0
    for _ in range(40):
        text = edited(original, choose)
        project = TextProject()
        project.open(str(path), text)
        found, expected = in_parts(project, str(path)), whole(str(path), str(path.parent), text)
        if any(code.startswith("E10") for _, code, _ in expected):
            assert found  # brackets that do not match are another mistake for a chunk than for the whole
            differing += found != expected
        else:
            assert found == expected
        same += found == expected
    assert same > 30
    assert differing < 5
