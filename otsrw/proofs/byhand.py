"""Rewriting by hand: the commands `start t .`, `apply RULE at PLACE .`, `choose PLACE .` and `match t to p .`"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from otsrw.proofs.places import WHOLE
from otsrw.proofs.showing import show_tree
from otsrw.proofs.stepping import Stepper
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SyntaxProblem, TheoryProblem
from otsrw.theory.library import Library
from otsrw.theory.modules import Module
from otsrw.theory.terms import Term

KEYWORDS = ("start", "apply", "choose", "match")
_REDUCTIONS = {"reduction": "red"} | {word: word for word in ("red", "reduce", "bred", "breduce", "exec", "execute")}

LAST_TERM = "$$term"
"""In a term: the term parsed, reduced or rewritten by hand last in the module."""


class Tools(NamedTuple):
    """What a session lends: parsing, reducing, and saying something."""

    library: Library
    parse: Callable[[tree.Bubble, Module], Term]
    reduce: Callable[[Term, Module, str], Term]
    tell: Callable[[str], None]


class Workbench:
    """The term that is being rewritten step by step."""

    def __init__(self, tools: Tools) -> None:
        self.tools = tools
        self._stepper: Stepper | None = None

    def run(self, command: tree.TermCommand, module: Module) -> Term | None:
        """Run one command; gives the term as it is then, None if the command is not about it."""
        bubble = command.term
        if command.keyword == "match":
            self._match(bubble, module)
            return None
        if command.keyword == "start":
            self._stepper = Stepper(module, self.tools.parse(bubble, module))
        elif command.keyword == "choose":
            self._present(module, bubble).choose(bubble.words, bubble)
        else:
            self._apply(self._present(module, bubble), bubble)
        return self._present(module, bubble).term

    def _present(self, module: Module, bubble: tree.Bubble) -> Stepper:
        if self._stepper is None or self._stepper.module is not module:
            if LAST_TERM in module.lets:
                self._stepper = Stepper(module, module.signature.translate(module.lets[LAST_TERM], {}))
                return self._stepper
            raise TheoryProblem("E308", "there is no term to work on", bubble.span, "name it with 'start t .'")
        if self._stepper.signature is not module.signature:
            self._stepper = Stepper(module, module.signature.translate(self._stepper.term, {}))
        return self._stepper

    def _apply(self, stepper: Stepper, bubble: tree.Bubble) -> None:
        words = bubble.words
        where = next((i for i, word in enumerate(words) if word in ("at", "within")), 0)
        if where == 0 or where + 1 == len(words):
            hint = "as in 'apply .label at (1 2) .' or 'apply red within term .'"
            raise SyntaxProblem("E101", "write 'apply RULE at PLACE .'", bubble.span, hint)
        place = stepper.place(words[where + 1 :], bubble)
        if words[0] == "print":
            self.tools.tell(f"term {stepper.shown(place.part)}")
            self.tools.tell(show_tree(place.part))
        elif words[0] in _REDUCTIONS:
            stepper.replace(place, self.tools.reduce(place.part, stepper.module, _REDUCTIONS[words[0]]))
        else:
            axiom = stepper.rule(words[0], bubble)
            if axiom is not None and words[1] == "with":
                axiom = stepper.instantiated(axiom, bubble.part(2, where))
            if axiom is None or not stepper.apply(axiom, place, words[where] == "within"):
                self.tools.library.warn("W308", f"the rule {words[0]!r} does not apply here", bubble.span)
        condition = stepper.report()
        verdict = stepper.settle()
        if verdict is not None:
            self.tools.tell(condition)
            self.tools.tell(f"-- {verdict}")
        self.tools.tell(stepper.report())

    def _match(self, bubble: tree.Bubble, module: Module) -> None:
        """`match t to p`, where t may be `it`, the chosen part of the term, and p may be `rules`."""
        words = bubble.words
        if "to" not in words[1:-1]:
            raise SyntaxProblem("E101", "write 'match TERM to PATTERN .'", bubble.span)
        to = words.index("to", 1)
        if to == 1 and words[0] in (*WHOLE, "subterm", "it"):
            stepper = self._present(module, bubble)
            subject = stepper.term if words[0] in WHOLE else stepper.chosen.part
        else:
            subject = self.tools.parse(bubble.part(0, to), module)
            stepper = Stepper(module, subject)
        pattern = bubble.part(to + 1, len(words))
        directions = {"rule": "+-", "+rule": "+", "-rule": "-"}.get(pattern.text.removesuffix("s"))
        if directions is not None:
            lines = stepper.matching_rules(subject, directions)
        else:
            lines = stepper.matches(subject, self.tools.parse(pattern, module))
        for line in lines:
            self.tools.tell(line)
