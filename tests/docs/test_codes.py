"""Every code of a message is explained in docs/language.md, and no other."""

from __future__ import annotations

import re

from support import ROOT


def test_codes_of_messages_are_documented() -> None:
    used = {code for file in (ROOT / "otsrw").rglob("*.py") for code in re.findall(r'"([EW]\d{3})"', file.read_text())}
    documented = set(re.findall(r"\b([EW]\d{3})\b", (ROOT / "docs" / "language.md").read_text("utf-8")))
    assert used == documented
