"""Two-phase commit with more participants than specs/two-phase-commit-flawed.cafe has."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

SPECS = Path(__file__).parents[1] / "specs"


def two_phase_commit(count: int) -> str:
    """The flawed protocol with so many participants."""
    text = (SPECS / "two-phase-commit-flawed.cafe").read_text(encoding="utf-8")
    names = [f"p{number}" for number in range(1, count + 1)]
    listed = " ".join(names)
    different = "".join(f"  eq ({one} = {other}) = false .\n" for one, other in combinations(names, 2))
    everyone = " and ".join(f"({name} \\in PS)" for name in names)
    text = re.sub(r"ops p1 p2 p3 :", lambda _: f"ops {listed} :", text)
    text = re.sub(r"(  eq \(p\d = p\d\) = false \.\n)+", lambda _: different, text)
    text = re.sub(r"eq everyone\(PS\) = .*", lambda _: f"eq everyone(PS) = {everyone} .", text)
    text = re.sub(r"with Pid = p1 p2 p3", lambda _: f"with Pid = {listed}", text)
    return text.replace("specs:../specs", str(SPECS))
