"""The labelled graph R<=k of a Maude module, by applying its rules to one state after the other.

A script: a request as JSON on standard input, the edges on standard output. It shares nothing with the search of the
worker but the way terms are written down.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import maude

from otsrw.search.maude_worker.terms import TermTable


def edges(request: dict[str, Any]) -> list[Any]:
    """The terms by number, and the edges: source, rule, target."""
    maude.init(advise=False)
    maude.input(request["text"])
    module = maude.getModule(request["name"])
    table = TermTable()
    found: list[list[Any]] = []
    level = []
    seen: set[tuple[int, ...]] = set()
    for name in request["initials"]:
        term = module.parseTerm(name)
        term.reduce()
        target = table.soup(term)
        found.append([None, None, target])
        level.append(term)
        seen.add(tuple(target))
    for _ in range(request["depth"]):
        following = []
        for term in level:
            source = table.soup(term)
            for after, _substitution, _context, rule in term.apply(None):
                after.reduce()
                target = table.soup(after)
                found.append([source, rule.getLabel(), target])
                if tuple(target) not in seen:
                    seen.add(tuple(target))
                    following.append(after)
        level = following
    return [table.news(), found]


if __name__ == "__main__":
    json.dump(edges(json.load(sys.stdin)), sys.stdout)
