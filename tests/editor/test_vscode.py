"""The extension in a real Visual Studio Code, if `make vscode-test` has brought one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

HOST = ROOT / "editors" / "vscode" / "test"
PACKAGE = ROOT / "editors" / "vscode" / "otsrw.vsix"


@pytest.mark.slow
@pytest.mark.skipif(
    not (HOST / "node_modules" / ".ready").exists() or not PACKAGE.exists() or shutil.which("node") is None,
    reason="Visual Studio Code is brought by npm: make vscode-test",
)
def test_the_extension_works_in_the_editor() -> None:
    program = Path(sys.executable).parent / "otsrw"
    command = ["node", str(HOST / "host.js"), str(PACKAGE), str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
