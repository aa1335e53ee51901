"""Copies of CafeOBJ files in which `_=_` is only the built-in equality, which is how otsrw reads a declaration of it.

In CafeOBJ 1.6.0 a declared `_=_` is a second operator beside the built-in one, and equations on one say nothing of the
other. Without the declarations CafeOBJ answers by the rule otsrw follows, so that the answers can be compared.
"""

from __future__ import annotations

import re
from pathlib import Path

from cafeobj_output import loaded_files

_DECLARATION = re.compile(r"\b(?:op|pred|bop|bpred)\s+\(?_ ?= ?_\)?\s*:[^{}\n.]*(?:\{[^{}]*\})?[ \t]*\.?")


def with_one_equality(path: Path, folder: Path) -> Path:
    """The file itself if nothing it loads declares an equality, else a copy of it and them, without, in a folder."""
    texts = dict(loaded_files(path))
    if not any(_DECLARATION.search(text) for text in texts.values()):
        return path
    for file, text in texts.items():
        copy = _inside(file, folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(_DECLARATION.sub("", text), encoding="utf-8")
    return _inside(path.resolve(), folder)


def _inside(file: Path, folder: Path) -> Path:
    return folder / file.relative_to(file.anchor)
