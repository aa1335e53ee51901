"""The commands of CITP that look at a proof, move in it, or set how it is done."""

from __future__ import annotations

from collections.abc import Callable

from otsrw.proofs.citp.events import ConstructorsShown
from otsrw.proofs.citp.goals import ROOT, GoalNode, replaced
from otsrw.proofs.citp.induct import ProofConstructor
from otsrw.proofs.citp.reading import Group
from otsrw.proofs.citp.run import CitpRun
from otsrw.proofs.citp.showing import show_flags, show_proof
from otsrw.proofs.citp.state import Flag
from otsrw.proofs.reducing import TERM_COMMANDS, reduce_in
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SyntaxProblem, TheoryProblem

_ON = {"on": True, "set": True, "off": False, "clear": False}


class NavigatingCommands:
    """Runs them on the proof of a session."""

    def __init__(self, run: CitpRun) -> None:
        self.run = run
        self.handlers: dict[str, Callable[[tree.LineCommand], None]] = {
            ":select": self._select,
            ":roll": self._roll_back,
            ":reset": self._reset,
            ":set": self._set_flag,
            ":order": self._order,
            **dict.fromkeys((":red", ":exec", ":bred"), self._reduce),
            **dict.fromkeys((":verbose", ":spoiler"), self._switch),
            **dict.fromkeys((":show", ":sh", ":describe", ":desc"), lambda command: show_proof(command, run)),
        }

    def _reset(self, _: tree.LineCommand) -> None:
        self.run.discard()

    def _select(self, command: tree.LineCommand) -> None:
        run, name = self.run, command.body.text
        proof = run.ongoing(command)
        if name == ".":
            left = proof.open_goals()
            proof.default = left[0].name if left else None
            run.say(":select resetting next default target ...")
            run.say(f'>> next default-goal is "{proof.default}"' if left else "All goals have been discharged.")
            return
        node = proof.node(name)
        if node.is_proved:
            run.warn("W703", f"goal {name} is discharged already: its proof is forgotten", command)
            again = node.goal.targets or node.goal.proved
            proof.root = replaced(proof.root, GoalNode(node.goal._replace(targets=again, proved=())))
        proof.default = name
        run.say(f'>> setting next default goal to "{name}"')
        run.tell_how_far()

    def _roll_back(self, command: tree.LineCommand) -> None:
        run = self.run
        proof, goal = run.current(command)
        if goal.name == ROOT:
            run.say("**> :roll back, already at root.")
            return
        proof.remove_below(goal.name.rpartition("-")[0] or ROOT)
        proof.default = proof.open_goals()[0].name
        run.say(f'**> :roll back\n    next default target is "{proof.default}"')
        run.tell_how_far()

    def _reduce(self, command: tree.LineCommand) -> None:
        proof = self.run.ongoing(command)
        body = command.body.part(0, len(command.body) - 1)
        if body.words[:1] == ["in"] and body.words[2:3] == [":"]:
            goal = proof.node(body.words[1]).goal
            body = body.part(3, len(body))
        else:
            goal = self.run.current(command)[1]
        kind = TERM_COMMANDS[command.keyword[1:]]
        proof.bench.parse_alone(body, goal)
        reduce_in(proof.bench.theory(goal), body, kind, command.span, self.run.workspace)

    def _set_flag(self, command: tree.LineCommand) -> None:
        words = [word for word in Group(command.body, "':set(flag, on)'").inner.words if word != ","]
        flags = {flag.value: flag for flag in Flag}
        if len(words) != 2 or words[0] not in (*flags, "all"):
            hint = f"flags are {', '.join(flags)}"
            raise SyntaxProblem("E101", f"no such flag: {' '.join(words[:1])}", command.span, hint)
        chosen = list(Flag) if words[0] == "all" else [flags[words[0]]]
        if words[1] == "show":
            show_flags(self.run, chosen)
        elif words[1] == "?":
            message = f"':set({words[0]}, ?)' shows nothing in CafeOBJ 1.6.0"
            self.run.warn("W703", message, command, f"write ':set({words[0]}, show)'")
        elif words[1] in _ON:
            if self.run.flags[Flag.PRINT_MESSAGE]:
                self.run.say(f"-- setting flag {words[0]} to {words[1]}")
            self.run.flags.update(dict.fromkeys(chosen, _ON[words[1]]))
        else:
            raise SyntaxProblem("E101", f"a flag is set on or off, not {words[1]!r}", command.span)

    def _switch(self, command: tree.LineCommand) -> None:
        """`:verbose on`, `:spoiler off`"""
        word, flag = command.body.text, Flag(command.keyword[1:])
        if word == ".":
            self.run.say(f'{command.keyword} flag is "{"on" if self.run.flags[flag] else "off"}"')
        elif word in _ON:
            self.run.flags[flag] = _ON[word]
        else:
            raise SyntaxProblem("E101", f"write '{command.keyword} on' or '{command.keyword} off'", command.span)

    def _order(self, command: tree.LineCommand) -> None:
        """`:order (op, .., *, op)`: which constructors come first and last; `:order ( )` shows the order."""
        run = self.run
        proof = run.ongoing(command)
        names = [word for word in Group(command.body, "':order (op, *, op)'").inner.words if word != ","]
        if names:
            proof.constructors = _reordered(proof.constructors, names, command)
            run.say("-- start setting constructor ordering...\ndone.")
        if not names or run.flags[Flag.VERBOSE]:
            run.workspace.emit(ConstructorsShown(tuple(c.decl for c in proof.constructors), run.naming()))


def _reordered(
    known: tuple[ProofConstructor, ...], names: list[str], command: tree.LineCommand
) -> tuple[ProofConstructor, ...]:
    for name in names:
        if name != "*" and not any(name == c.spelling for c in known):
            raise TheoryProblem("E309", f"there is no constructor {name}", command.span)
    rest = [c for c in known if c.spelling not in names]
    result: list[ProofConstructor] = []
    for name in names if "*" in names else [*names, "*"]:
        result += rest if name == "*" else [c for c in known if c.spelling == name]
    return tuple(result)
