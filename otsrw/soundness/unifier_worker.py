"""The process that asks Maude for unifiers: one document in, one answer after the other out, in Python's own format.

It is started as a script, because importing otsrw would take longer than its work, and imports next to nothing itself;
it is run by the Python that asks, so that both know the format. It can be killed at any time:
a crash of Maude ends this process only. Maude says on standard error that its unifiers may be incomplete, and nowhere
else, so that is caught and sent along with each answer.
"""

from __future__ import annotations

import marshal
import os
import sys

import maude

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def nameless_file() -> int:
    """The descriptor of a file that is gone when it is closed."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("complaints")
    import tempfile

    return os.dup(tempfile.TemporaryFile().fileno())


class Complaints:
    """What Maude has said on standard error since it was last asked."""

    def __init__(self) -> None:
        self.file = nameless_file()
        os.dup2(self.file, 2)
        self.read = 0

    def new(self) -> str:
        # Maude writes at the offset that the two descriptors share, so it must be put back to the end.
        size = os.lseek(self.file, 0, os.SEEK_END)
        os.lseek(self.file, self.read, os.SEEK_SET)
        text = os.read(self.file, size - self.read)
        self.read = size
        os.lseek(self.file, 0, os.SEEK_END)
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
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    complaints = Complaints()
    request = marshal.load(sys.stdin.buffer)
    maude.init(loadPrelude=False, advise=False)
    maude.input(request["text"])
    module = maude.getModule(request["name"])
    trouble = complaints.new()
    if module is None or trouble:
        marshal.dump({"rejected": trouble or "Maude does not read the signature"}, out)
        out.flush()
        return
    for problem in request["problems"]:
        answer = unifiers(module, problem, request["limit"])
        marshal.dump({**answer, "complaints": complaints.new()}, out)
        out.flush()


if __name__ == "__main__":
    main()
