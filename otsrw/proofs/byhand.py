"""Rewriting by hand: the commands `start t .`, `apply RULE at PLACE .`, `choose PLACE .` and `match t to p .`"""

from __future__ import annotations

from otsrw.proofs.inhand import TermInHand
from otsrw.proofs.places import WHOLE
from otsrw.proofs.reducing import TERM_COMMANDS
from otsrw.proofs.steps import ConditionDecided, Matched, PartShown, RulesMatched
from otsrw.proofs.workspace import LAST_TERM, Workspace
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SyntaxProblem, TheoryProblem
from otsrw.theory.modules import Module

_REDUCTIONS = {"reduction": TERM_COMMANDS["red"]} | {
    word: TERM_COMMANDS[word] for word in ("red", "reduce", "bred", "breduce", "exec", "execute")
}


class HandCommands:
    """Runs the commands on the term that is being rewritten step by step."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._in_hand: TermInHand | None = None

    def run(self, command: tree.TermCommand) -> None:
        """Run one command; all but `match` make the term as it is then the last term."""
        module = self.workspace.context(command.module, command.span)
        self.workspace.prepare(module)
        bubble = command.term
        if command.keyword == "match":
            self._match(bubble, module)
            return
        if command.keyword == "start":
            self._in_hand = TermInHand(module, self.workspace.parse(bubble, module))
        elif command.keyword == "choose":
            self._present(module, bubble).choose(bubble.words, bubble)
        else:
            self._apply(self._present(module, bubble), bubble)
        self.workspace.remember(module, self._present(module, bubble).term)

    def _present(self, module: Module, bubble: tree.Bubble) -> TermInHand:
        in_hand = self._in_hand
        if in_hand is None or in_hand.module is not module:
            if LAST_TERM not in module.lets:
                raise TheoryProblem("E308", "there is no term to work on", bubble.span, "name it with 'start t .'")
            in_hand = TermInHand(module, module.signature.translate(module.lets[LAST_TERM], {}))
        elif in_hand.signature is not module.signature:
            in_hand = TermInHand(module, module.signature.translate(in_hand.term, {}))
        self._in_hand = in_hand
        return in_hand

    def _apply(self, in_hand: TermInHand, bubble: tree.Bubble) -> None:
        workspace, words = self.workspace, bubble.words
        where = next((i for i, word in enumerate(words) if word in ("at", "within")), 0)
        if where == 0 or where + 1 == len(words):
            hint = "as in 'apply .label at (1 2) .' or 'apply red within term .'"
            raise SyntaxProblem("E101", "write 'apply RULE at PLACE .'", bubble.span, hint)
        place = in_hand.place(words[where + 1 :], bubble)
        if words[0] == "print":
            workspace.emit(PartShown(place.part, in_hand.naming))
        elif words[0] in _REDUCTIONS:
            in_hand.replace(place, workspace.reduce(place.part, in_hand.module, _REDUCTIONS[words[0]]).term)
        else:
            axiom = in_hand.rule(words[0], bubble)
            if axiom is not None and words[1] == "with":
                axiom = in_hand.instantiated(axiom, bubble.part(2, where))
            if axiom is None or not in_hand.apply(axiom, place, words[where] == "within"):
                workspace.library.warn("W308", f"the rule {words[0]!r} does not apply here", bubble.span)
        condition = in_hand.stepped()
        holds = in_hand.settle()
        if holds is not None:
            workspace.emit(ConditionDecided(condition, holds))
        workspace.emit(in_hand.stepped())

    def _match(self, bubble: tree.Bubble, module: Module) -> None:
        """`match t to p`, where t may be `it`, the chosen part of the term, and p may be `rules`."""
        workspace, words = self.workspace, bubble.words
        if "to" not in words[1:-1]:
            raise SyntaxProblem("E101", "write 'match TERM to PATTERN .'", bubble.span)
        to = words.index("to", 1)
        if to == 1 and words[0] in (*WHOLE, "subterm", "it"):
            in_hand = self._present(module, bubble)
            subject = in_hand.term if words[0] in WHOLE else in_hand.chosen.part
        else:
            subject = workspace.parse(bubble.part(0, to), module)
            in_hand = TermInHand(module, subject)
        pattern = bubble.part(to + 1, len(words))
        directions = {"rule": "+-", "+rule": "+", "-rule": "-"}.get(pattern.text.removesuffix("s"))
        if directions is not None:
            workspace.emit(RulesMatched(module, subject, in_hand.matching_rules(subject, directions)))
        else:
            found = in_hand.matches(subject, workspace.parse(pattern, module))
            workspace.emit(Matched(found, in_hand.naming))
