"""The real CafeOBJ, installed if that is easy; otherwise its tests are skipped with the reason."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

INSTALL = (("apt-get", "update"), ("apt-get", "install", "-y", "cafeobj"))
INSTALL_SECONDS = 120


@pytest.fixture(scope="session")
def cafeobj() -> str:
    """Where the program is."""
    found = shutil.which("cafeobj")
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        _install()
        found = shutil.which("cafeobj")
    if found is None:
        pytest.skip("cafeobj is not installed (Debian: apt-get install cafeobj), so nothing is compared with it")
    return found


def _install() -> None:
    """Install the package once, even if several test processes ask for it."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with open(Path(tempfile.gettempdir()) / "otsrw-install-cafeobj.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if shutil.which("cafeobj") is not None:
            return
        for command in INSTALL:
            try:
                subprocess.run(command, env=quiet, capture_output=True, timeout=INSTALL_SECONDS, check=False)
            except (OSError, subprocess.TimeoutExpired):
                return
