"""Names of constants as older versions of CiMPA wrote them.

Today a split of goal 1-5 makes `B#CS1-5.Bit` and `P#EVS1-5.PBPSeq`. Older scripts call them `B#CSBit`, without the
goal, and `P#EVS15PBPSeq`, without the marks between the numbers.
"""

from __future__ import annotations

import re

from otsrw.proofs.citp.goals import Goal
from otsrw.syntax import tree

_TODAY = re.compile(r"(.*(?:CS|EVS|ESV))([\d-]+)\.(.+)")


def with_names_of_today(words: tree.Bubble, goal: Goal) -> tree.Bubble:
    """The words, with an old name of a constant of the goal replaced; the constant made last has an old name."""
    known = {decl.name[0] for decl in goal.decls}
    today: dict[str, str] = {}
    for decl in goal.decls:
        found = _TODAY.fullmatch(decl.name[0])
        if found is not None:
            stem, place, sort = found.groups()
            today[f"{stem}{sort}"] = today[f"{stem}{place.replace('-', '')}{sort}"] = decl.name[0]
    if not any(word in today and word not in known for word in words.words):
        return words
    new = [word if word in known else today.get(word, word) for word in words.words]
    return tree.Bubble(words.source, new, words.starts, words.ends, words.anchor)
