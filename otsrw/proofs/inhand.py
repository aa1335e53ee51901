"""Single steps: a term, the rules that may be applied to it, and where.

A conditional rule puts its condition in place of the term; when that has become `true`, the rule is applied, and when
it has become `false`, it is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from otsrw.proofs.answers import Naming
from otsrw.proofs.places import WHOLE, Place, select
from otsrw.proofs.steps import MatchingRule, Stepped
from otsrw.records import NamedTuple
from otsrw.rewriting.matching import Matcher
from otsrw.syntax.diagnostics import TheoryProblem
from otsrw.syntax.tree import Bubble
from otsrw.theory.modules import Axiom, Module, translated
from otsrw.theory.morphisms import Substitution, substitute
from otsrw.theory.parsing import parse_term, scope_of
from otsrw.theory.printing import show
from otsrw.theory.terms import Term, variables_of

MAX_MATCHES = 100


class _Awaited(NamedTuple):
    """A rule waits for its condition: what the term will be if it holds, and what it is if not."""

    applied: Term
    otherwise: Term


class TermInHand:
    """The term that is rewritten by hand in one module."""

    def __init__(self, module: Module, term: Term) -> None:
        self.module = module
        self.signature = module.signature
        self.term = term
        self.chosen = Place((), term)
        self._awaited: list[_Awaited] = []
        self._matcher = Matcher(self.signature.order)

    def choose(self, words: list[str], bubble: Bubble) -> None:
        """Narrow the chosen part."""
        self.chosen = self._seen_from(self.chosen, words, bubble)

    def place(self, words: list[str], bubble: Bubble) -> Place:
        """The place that `top`, `subterm` or selectors name."""
        return self.chosen if words == ["subterm"] else self._seen_from(Place((), self.term), words, bubble)

    def _seen_from(self, place: Place, words: list[str], bubble: Bubble) -> Place:
        if len(words) == 1 and words[0] in WHOLE:
            return Place((), self.term)
        found = select(place, words)
        if found is None:
            raise TheoryProblem("E308", f"no such place: {' '.join(words)} in {show(place.part)}", bubble.span)
        return found

    # --- rules

    def rules(self, name: str = "") -> list[Axiom]:
        """The axioms of a module in view as they are numbered: its own, then imported ones that are not built in."""
        module = self.module
        if name and name != module.name.removeprefix("%"):
            inside = [m for m in module.closure() if m.name == name]
            inside += [p.module for p in module.all_parameters() if p.name == name]
            if not inside:
                return []
            module = inside[0]
        memo: dict[Term, Term] = {}
        return [
            translated(axiom, owner, self.signature, memo)
            for owner, axiom in module.flat_axioms()
            if not owner.is_system
        ]

    def rule(self, specification: str, bubble: Bubble) -> Axiom | None:
        """`[+|-][MODULE.]LABEL` or with a number; `-` turns the rule around. No rule has a number that is too great."""
        plain = specification.removeprefix("+") if specification[0] == "+" else specification.removeprefix("-")
        name, _, label = plain.rpartition(".")
        axioms = self.rules(name)
        if label.isdecimal():
            found = axioms[int(label) - 1 : int(label)]
        else:
            found = [axiom for axiom in axioms if label in axiom.labels]
        if label.isdecimal() and axioms and not found:
            return None
        if len(found) != 1:
            what = "no rule" if not found else "several rules"
            raise TheoryProblem("E308", f"{what} {label!r} in {name or self.module.name}", bubble.span)
        axiom = found[0]
        return axiom._replace(lhs=axiom.rhs, rhs=axiom.lhs) if specification[0] == "-" else axiom

    def instantiated(self, axiom: Axiom, given: Bubble) -> Axiom:
        """The axiom under `X = t, Y = u`."""
        known = {v.op.name: v for side in (axiom.lhs, axiom.rhs) for v in variables_of(side)}
        bindings: Substitution = {}
        for part in _split(given, ","):
            variable = known.get(part.words[0].partition(":")[0]) if len(part) > 2 and part.words[1] == "=" else None
            if variable is None:
                raise TheoryProblem("E308", f"write 'with X = t' with a variable of the rule: {part.text!r}", part.span)
            kind = self.signature.order.kind.get(variable.sort)
            bindings[variable] = parse_term(part.part(2, len(part)), scope_of(self.module), kind)
        condition = None if axiom.condition is None else substitute(axiom.condition, bindings)
        return axiom._replace(
            lhs=substitute(axiom.lhs, bindings), rhs=substitute(axiom.rhs, bindings), condition=condition
        )

    # --- steps

    def replace(self, place: Place, part: Term) -> None:
        """Put another part at a place of the term."""
        self.term = place.filled(part)
        self.chosen = Place((), self.term)

    def apply(self, axiom: Axiom, place: Place, everywhere: bool) -> bool:
        """Apply a rule at a place, or at all outermost places within; False if it applies nowhere."""
        redexes = self._redexes(axiom.lhs, place) if everywhere else iter([place])
        first = next((p for p in redexes if self._instance(axiom.lhs, p.part) is not None), None)
        if first is None:
            return False
        if axiom.condition is None:
            self.replace(place, self._everywhere(axiom, place.part) if everywhere else self._once(axiom, place.part))
            return True
        found = self._instance(axiom.lhs, first.part)
        assert found is not None
        self._awaited.append(_Awaited(first.filled(self._once(axiom, first.part)), self.term))
        self.replace(Place((), self.term), substitute(axiom.condition, found[0]))
        return True

    def settle(self) -> bool | None:
        """Where a condition has been decided, go back to the term it belongs to; None if nothing was decided."""
        if not self._awaited or self.term.op.name not in ("true", "false") or self.term.args:
            return None
        holds = self.term.op.name == "true"
        awaited = self._awaited.pop()
        self.replace(Place((), self.term), awaited.applied if holds else awaited.otherwise)
        return holds

    def stepped(self) -> Stepped:
        """The term as it is now, or the condition that has taken its place."""
        return Stepped(self.term, len(self._awaited), self.naming)

    @property
    def naming(self) -> Naming:
        """How terms of the module are printed now."""
        return Naming(self.module.variables, self.signature.sort_names)

    def _redexes(self, lhs: Term, place: Place) -> Iterator[Place]:
        """Places from the outside in."""
        yield place
        if self._instance(lhs, place.part) is None:
            args = place.part.args
            for index, arg in enumerate(args):
                yield from self._redexes(lhs, place.inner(args[:index], arg, args[index + 1 :]))

    def _everywhere(self, axiom: Axiom, part: Term) -> Term:
        if self._instance(axiom.lhs, part) is not None:
            return self._once(axiom, part)
        return part.op.make(tuple([self._everywhere(axiom, arg) for arg in part.args])) if part.args else part

    def _once(self, axiom: Axiom, part: Term) -> Term:
        found = self._instance(axiom.lhs, part)
        assert found is not None
        bindings, before, after = found
        result = substitute(axiom.rhs, bindings)
        return part.op.make((*before, result, *after)) if before or after else result

    def _instance(self, lhs: Term, part: Term) -> tuple[Substitution, tuple[Term, ...], tuple[Term, ...]] | None:
        """The first match of a left side, with what is left over of a list or collection around it."""
        op = lhs.op
        if op.assoc and part.op is op:
            if op.comm:
                inside = self._matcher.match_multiset(op, lhs.args, part.args, {}, True)
                return next(((bindings, (), rest) for bindings, rest in inside), None)
            return next(self._matcher.match_list(op, lhs.args, part.args, {}, True), None)
        return next(((bindings, (), ()) for bindings in self._matcher.match(lhs, part, {})), None)

    # --- matching

    def matches(self, subject: Term, pattern: Term) -> tuple[Substitution, ...]:
        """The first substitutions under which the pattern is the subject."""
        return tuple(islice(self._matcher.match(pattern, subject, {}), MAX_MATCHES))

    def matching_rules(self, subject: Term, directions: str) -> tuple[MatchingRule, ...]:
        """The rules whose left side (`+` in `directions`) or right side (`-`) matches the subject."""
        found = []
        for number, axiom in enumerate(self.rules(), 1):
            for sign, side in (("+", axiom.lhs), ("-", axiom.rhs)):
                instance = self._instance(side, subject) if sign in directions else None
                if instance is not None:
                    found.append(MatchingRule(sign, number, axiom, instance[0]))
        return tuple(found)


def _split(bubble: Bubble, separator: str) -> list[Bubble]:
    """The parts of a bubble between separators outside parentheses."""
    parts, depth, start = [], 0, 0
    for index, word in enumerate(bubble.words):
        depth += (word == "(") - (word == ")")
        if word == separator and depth == 0:
            parts.append(bubble.part(start, index))
            start = index + 1
    return [*parts, bubble.part(start, len(bubble))]
