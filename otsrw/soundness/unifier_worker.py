"""The process that asks Maude for unifiers: one document in, one answer a line.

It is started as a script, because importing otsrw would take longer than its work, and can be killed at any time:
a crash of Maude ends this process only. Maude says on standard error that its unifiers may be incomplete, and nowhere
else, so that is caught and sent along with each answer.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from typing import Any

import maude


class Complaints:
    """What Maude has said on standard error since it was last asked."""

    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the process lives)
        os.dup2(self.file.fileno(), 2)
        self.read = 0

    def new(self) -> str:
        # Maude writes at the offset that the two descriptors share, so it must be put back to the end.
        size = self.file.seek(0, os.SEEK_END)
        self.file.seek(self.read)
        text = self.file.read(size - self.read)
        self.read = size
        self.file.seek(0, os.SEEK_END)
        return text.decode("utf-8", "replace")


def dump(term: Any) -> Any:
    """A variable as its name, any other term as its operator and its arguments."""
    if term.isVariable():
        return str(term)
    return [str(term.symbol()), *(dump(argument) for argument in term.arguments())]


def unifiers(module: Any, problem: list[list[str]], limit: int) -> dict[str, Any]:
    """All unifiers as lists of variable and value; `more` says that there were too many."""
    parsed = [(module.parseTerm(left), module.parseTerm(right)) for left, right in problem]
    if any(side is None for pair in parsed for side in pair):
        return {"unparsed": True}
    found: list[Any] = []
    # Never `irredundant`: Maude then takes seconds where it took milliseconds.
    for unifier in module.unify(parsed, False):
        if len(found) == limit:
            return {"more": True}
        found.append([(str(variable), dump(value)) for variable, value in unifier])
    return {"found": found}


def main() -> None:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    complaints = Complaints()
    request = json.loads(sys.stdin.readline())
    maude.init(loadPrelude=False, advise=False)
    maude.input(request["text"])
    module = maude.getModule(request["name"])
    trouble = complaints.new()
    if module is None or trouble:
        out.write(json.dumps({"rejected": trouble or "Maude does not read the signature"}) + "\n")
        return
    for problem in request["problems"]:
        answer = unifiers(module, problem, request["limit"])
        out.write(json.dumps({**answer, "complaints": complaints.new()}) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
