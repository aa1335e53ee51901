"""A browser for tests that need one.

Without a Chromium it is installed with apt, if that is possible; if not, these tests are skipped, and say so.
`OTSRW_INSTALL=no` forbids it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from support import ROOT

sys.path.insert(0, str(ROOT / "docs"))

from browser import Browser, Page, find_browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = find_browser() or _installed()
    if program is None:
        pytest.skip("no Chromium is installed, and apt cannot install it: pages were not looked at")
    with Browser(program) as started:
        yield started


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.page()
    yield opened
    opened.close()


def _installed() -> str | None:
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0 or os.environ.get("OTSRW_INSTALL") == "no":
        return None
    patient = [apt, "-qq", "-y", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::http::Timeout=20"]
    try:
        for words in (["update"], ["install", "--no-install-recommends", "chromium"]):
            subprocess.run([*patient, *words], capture_output=True, timeout=600, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return find_browser()
