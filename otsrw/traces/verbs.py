"""The verbs of the explorer by name, as a script, a terminal or a page uses them: `pick In`, `forward`, `outcome`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from otsrw.syntax.diagnostics import SyntaxProblem, did_you_mean
from otsrw.traces.exploration import Answer, Explorer, View
from otsrw.traces.trace import label_document


@dataclass(frozen=True, slots=True)
class Verb:
    """What a verb is called, what it needs after its name, what it means, and what it does."""

    name: str
    argument: str | None
    meaning: str
    perform: Callable[[Explorer, str], Answer]


def _bookmarked(explorer: Explorer, name: str) -> Answer:
    explorer.bookmark(name)
    return explorer.look()


def _gone(explorer: Explorer, number: str) -> Answer:
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise SyntaxProblem("E127", f"not the number of a state: {number!r}", hint="write go N")
    return explorer.go(int(number))


VERBS = {
    verb.name: verb
    for verb in (
        Verb("look", None, "show the state in focus again", lambda explorer, _: explorer.look()),
        Verb("forward", None, "focus on the next state", lambda explorer, _: explorer.forward()),
        Verb("back", None, "focus on the previous state", lambda explorer, _: explorer.back()),
        Verb("go", "N", "focus on state N of the run", _gone),
        Verb("outcome", None, "another state after the previous event", lambda explorer, _: explorer.other_outcome()),
        Verb("parameters", None, "another event of the same type", lambda explorer, _: explorer.other_parameters()),
        Verb("pick", "TYPE", "an event of this type as the next one", lambda explorer, kind: explorer.pick(kind)),
        Verb("next", None, "focus on the next neighbourhood", lambda explorer, _: explorer.jump()),
        Verb("previous", None, "focus on the previous neighbourhood", lambda explorer, _: explorer.jump(False)),
        Verb("undo", None, "take the last change back", lambda explorer, _: explorer.undo()),
        Verb("mark", "NAME", "remember this run and focus under a name", _bookmarked),
        Verb("return", "NAME", "go back to what a name remembers", lambda explorer, name: explorer.return_to(name)),
    )
}


def perform(explorer: Explorer, command: str) -> Answer:
    """Do what a command says, a verb with its argument."""
    name, _, argument = command.strip().partition(" ")
    argument = argument.strip()
    verb = VERBS.get(name)
    if verb is None:
        hint = did_you_mean(name, VERBS) or f"verbs are {', '.join(VERBS)}"
        raise SyntaxProblem("E127", f"no such verb: {name!r}", hint=hint)
    if bool(argument) != (verb.argument is not None):
        usage = name if verb.argument is None else f"{name} {verb.argument}"
        raise SyntaxProblem("E127", f"wrong use of a verb: {command.strip()!r}", hint=f"write {usage}")
    return verb.perform(explorer, argument)


def script_commands(text: str) -> list[str]:
    """The commands of a script, one a line or with semicolons between them."""
    return [part.strip() for part in text.replace("\n", ";").split(";") if part.strip()]


def answer_document(command: str, answer: Answer) -> dict[str, Any]:
    return {
        "verb": command.strip(),
        "answer": str(answer.possibility),
        "reason": answer.reason,
        "view": view_document(answer.view),
    }


def view_document(view: View) -> dict[str, Any]:
    return {
        "focus": view.focus,
        "length": view.length,
        "loop": view.loop,
        "observers": dict(view.observers),
        "event": label_document(view.event),
        "outcome": None if view.outcome is None else dict(view.outcome),
        "changed": list(view.changed),
        "types": {kind: str(how) for kind, how in view.types.items()},
        "violated": view.violated,
        "neighbourhood": view.neighbourhood,
    }
