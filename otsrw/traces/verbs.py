"""The verbs of the explorer as data, and how users write them: `pick In`, `forward`, `outcome`."""

from __future__ import annotations

from enum import StrEnum

from otsrw.records import dataclass
from otsrw.syntax.diagnostics import SyntaxProblem, did_you_mean


class VerbName(StrEnum):
    LOOK = "look"
    FORWARD = "forward"
    BACK = "back"
    GO = "go"
    OUTCOME = "outcome"
    PARAMETERS = "parameters"
    PICK = "pick"
    NEXT = "next"
    PREVIOUS = "previous"
    MOST = "most"
    LEAST = "least"
    UNDO = "undo"
    MARK = "mark"
    RETURN = "return"
    GROW = "grow"
    FILL = "fill"


@dataclass(frozen=True, slots=True)
class Verb:
    """What a user wants to be done; the argument is empty if the verb needs none, and a number for `go`."""

    name: VerbName
    argument: str = ""


@dataclass(frozen=True, slots=True)
class VerbUsage:
    """What a verb needs after its name (None: nothing), and what it does."""

    name: VerbName
    argument: str | None
    meaning: str


VERBS: dict[str, VerbUsage] = {
    usage.name: usage
    for usage in (
        VerbUsage(VerbName.LOOK, None, "show the state in focus again"),
        VerbUsage(VerbName.FORWARD, None, "focus on the next state"),
        VerbUsage(VerbName.BACK, None, "focus on the previous state"),
        VerbUsage(VerbName.GO, "N", "focus on state N of the run"),
        VerbUsage(VerbName.OUTCOME, None, "another state after the previous event"),
        VerbUsage(VerbName.PARAMETERS, None, "another event of the same type"),
        VerbUsage(VerbName.PICK, "EVENT", "an event of this type, or this one, next"),
        VerbUsage(VerbName.NEXT, None, "focus on the next neighbourhood"),
        VerbUsage(VerbName.PREVIOUS, None, "focus on the previous neighbourhood"),
        VerbUsage(VerbName.MOST, None, "of the shortest runs from here, one with the most neighbourhoods"),
        VerbUsage(VerbName.LEAST, None, "of the shortest runs from here, one with the fewest"),
        VerbUsage(VerbName.UNDO, None, "take the last change back"),
        VerbUsage(VerbName.MARK, "NAME", "remember this run and focus under a name"),
        VerbUsage(VerbName.RETURN, "NAME", "go back to what a name remembers"),
        VerbUsage(VerbName.GROW, None, "know more: look at four times as many states"),
        VerbUsage(VerbName.FILL, None, "know everything within the bounds"),
    )
}
"""Every verb by its name, in the order in which messages list them."""


def read_verb(command: str) -> Verb:
    """The verb that a command asks for, a name with its argument.

    >>> read_verb("pick send")
    Verb(name=<VerbName.PICK: 'pick'>, argument='send')
    """
    name, _, argument = command.strip().partition(" ")
    argument = argument.strip()
    usage = VERBS.get(name)
    if usage is None:
        hint = did_you_mean(name, VERBS) or f"verbs are {', '.join(VERBS)}"
        raise SyntaxProblem("E127", f"no such verb: {name!r}", hint=hint)
    if bool(argument) != (usage.argument is not None):
        wanted = name if usage.argument is None else f"{name} {usage.argument}"
        raise SyntaxProblem("E127", f"wrong use of a verb: {command.strip()!r}", hint=f"write {wanted}")
    if usage.name is VerbName.GO and not (argument.isascii() and argument.isdigit() and len(argument) < 10):
        raise SyntaxProblem("E127", f"not the number of a state: {argument!r}", hint="write go N")
    return Verb(usage.name, argument)


def script_commands(text: str) -> list[str]:
    """The commands of a script, one a line or with semicolons between them."""
    return [part.strip() for part in text.replace("\n", ";").split(";") if part.strip()]
