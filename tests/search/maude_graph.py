"""The labelled graph R<=k of a Maude module, by applying its rules to one state after the other.

A script: a request as JSON on standard input, the edges on standard output. It shares nothing with the search of the
worker but the way terms are written down.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import maude

from otsrw.search.worker import dump


def edges(request: dict[str, Any]) -> list[list[Any]]:
    maude.init(advise=False)
    maude.input(request["text"])
    module = maude.getModule(request["name"])
    found = []
    level = []
    seen: set[str] = set()
    for name in request["initials"]:
        term = module.parseTerm(name)
        term.reduce()
        found.append([None, None, dump(term)])
        level.append(term)
        seen.add(json.dumps(found[-1][2]))
    for _ in range(request["depth"]):
        following = []
        for term in level:
            source = dump(term)
            for after, _substitution, _context, rule in term.apply(None):
                after.reduce()
                target = dump(after)
                found.append([source, rule.getLabel(), target])
                if json.dumps(target) not in seen:
                    seen.add(json.dumps(target))
                    following.append(after)
        level = following
    return found


if __name__ == "__main__":
    json.dump(edges(json.load(sys.stdin)), sys.stdout)
