"""The mode for Emacs, loaded by a real Emacs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from support import ROOT

pytestmark = pytest.mark.skipif(shutil.which("emacs") is None, reason="needs emacs")

MODE = ROOT / "editors" / "emacs" / "cafeobj-mode.el"
FACES = """
(let ((place (point-min)) (print-escape-newlines t))
  (font-lock-ensure)
  (while (< place (point-max))
    (let ((next (next-single-property-change place 'face nil (point-max))) (face (get-text-property place 'face)))
      (when face (princ (format "%s %S\\n" face (buffer-substring-no-properties place next))))
      (setq place next))))
"""
INDENT = "(let ((inhibit-message t)) (indent-region (point-min) (point-max)) (princ (buffer-string)))"
TEXT = """\
-- a comment with a " in it
mod! A { [S] ops (_+_) a b : -> S op f-- : S -> S
  eq f--(a) = b . -- trailing "
  #| a block -- with
   dashes |#
  ceq f--(b) = (if a = b then a else b fi) if true and not false . }
open A .
  :goal { eq a = b . }
  red "x -- y" .
close
"""


def emacs(program: str, path: Path) -> str:
    """What a program prints that is run on a file."""
    command = ["emacs", "--batch", "-Q", "-l", str(MODE), str(path), "--eval", program]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout


def test_words_and_comments_are_coloured(tmp_path: Path) -> None:
    path = tmp_path / "a.cafe"
    path.write_text(TEXT, encoding="utf-8")
    faces: dict[str, list[str]] = {}
    for line in emacs(FACES, path).splitlines():
        face, text = line.split(" ", 1)
        faces.setdefault(face.removeprefix("font-lock-").removesuffix("-face"), []).append(text[1:-1])
    assert faces["function-name"] == ["(_+_)", "a", "b", "f--"]
    assert faces["type"] == ["A", "A"]
    assert " ".join(faces["keyword"]) == "mod! ops op eq ceq if then else fi if open :goal eq red close"
    assert (faces["builtin"], faces["constant"]) == (["and", "not"], ["true", "false"])
    assert faces["comment"] == [
        'a comment with a \\" in it\\n',
        'trailing \\"\\n',
        "#| a block -- with\\n   dashes |#",
    ]
    assert faces["string"] == ['\\"x -- y\\"']


@pytest.mark.parametrize("name", ["tas", "qlock", "ticket", "nspk", "abp"])
def test_our_specifications_keep_their_indentation(name: str) -> None:
    path = ROOT / "specs" / f"{name}.cafe"
    assert emacs(INDENT, path) == path.read_text("utf-8")


def test_a_text_without_indentation_gets_one(tmp_path: Path) -> None:
    """Lines that go on with an equation are not compared: their column is the writer's choice."""
    text = (ROOT / "specs" / "tas.cafe").read_text("utf-8")
    path = tmp_path / "tas.cafe"
    path.write_text("\n".join(line.lstrip() for line in text.split("\n")), encoding="utf-8")
    assert emacs(INDENT, path).splitlines()[20:] == text.splitlines()[20:]


def test_emacs_compiles_the_mode_without_a_warning(tmp_path: Path) -> None:
    copy = tmp_path / MODE.name
    shutil.copy(MODE, copy)
    command = ["emacs", "--batch", "-Q", "--eval", "(setq byte-compile-error-on-warn t)"]
    subprocess.run([*command, "-f", "batch-byte-compile", str(copy)], capture_output=True, timeout=30, check=True)
