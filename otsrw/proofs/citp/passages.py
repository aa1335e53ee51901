"""Makes a proof score of a finished proof by tactics: a passage for each goal that was discharged by reduction.

A passage declares the constants of its goal under plain names, states its assumptions as equations, the latest one
first, and reduces what was discharged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.context import ProofContext
from otsrw.proofs.citp.goals import Goal, GoalNode
from otsrw.proofs.citp.script_connectives import premises_of
from otsrw.proofs.citp.sentences import NONEXEC, sides, variables_in, with_constants
from otsrw.proofs.events import ProofReached
from otsrw.rewriting.budget import Budget
from otsrw.syntax.diagnostics import TheoryProblem
from otsrw.theory.library import Library
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import sentence_line, show
from otsrw.theory.terms import PLAIN, Term, variable

_ENDS = ("#", "@")
_REWRITES = 2_000_000


def passages_of(proof: ProofReached, library: Library) -> list[list[str]]:
    """The passages of a proof, each as its lines."""
    assert isinstance(proof.tree, GoalNode)
    assert isinstance(proof.context, ProofContext)
    if proof.open_goals:
        raise TheoryProblem("E525", f"goal {proof.open_goals[0]} is open", proof.span)
    bench = GoalBench(proof.context, library, lambda: Budget.of(_REWRITES))
    head = list(_context_lines(proof.context, proof))
    found = []
    for node in proof.tree.walk():
        if node.goal.proved:
            title = f"-- goal {node.goal.name}"
            found.append([title, *head, *_GoalPassage(node.goal, proof, bench).lines(), "close"])
    return found


def _context_lines(context: ProofContext, proof: ProofReached) -> Iterator[str]:
    """`open`, and what the passage that the proof stands in has declared."""
    yield f"open {context.base.name} ."
    for decl in context.decls:
        if decl.attributes is not PLAIN:
            raise TheoryProblem("E525", f"{decl.text} has attributes: put it into a module", proof.span)
        yield f"  op {decl.text} : {' '.join(sort.name for sort in decl.arity)} -> {decl.coarity.name} ."
    for axiom in context.axioms:
        yield f"  {sentence_line(axiom)}"


class _GoalPassage:
    """What a passage says for one goal."""

    def __init__(self, goal: Goal, proof: ProofReached, bench: GoalBench) -> None:
        self.goal = goal
        self.bench = bench
        self.span = proof.span
        taken = {symbol.name for symbol in goal.signature.symbols()}
        taken |= {v.op.name for axiom in (*goal.assumptions, *goal.proved) for v in variables_in(axiom)}
        own = [*goal.induction_constants, *goal.constants]
        self.images = {term: variable(_plain_name(term, taken), term.sort) for term in own if not _is_given(term)}
        self.declared = {image.op.name: image for image in self.images.values()}

    def lines(self) -> Iterator[str]:
        names: dict[str, list[str]] = {}
        for image in self.images.values():
            names.setdefault(image.sort.name, []).append(image.op.name)
        for sort, group in names.items():
            yield f"  op{'s' * (len(group) > 1)} {' '.join(group)} : -> {sort} ."
        for axiom in reversed(self.goal.assumptions):
            if NONEXEC not in axiom.labels and axiom.lhs is not self.bench.connectives.false:
                yield f"  {self._equation(axiom)}"
        for target in self.goal.proved:
            yield f"  red {self._reduced(target)} ."

    def _equation(self, axiom: Axiom) -> str:
        texts = [self._text(side) for side in sides(with_constants(axiom, self.images))]
        arrow, keyword = ("=>", "trans") if axiom.is_transition else ("=", "eq")
        if len(texts) == 3:
            return f"c{keyword} {texts[0]} {arrow} {texts[1]} if {texts[2]} ."
        return f"{keyword} {texts[0]} {arrow} {texts[1]} ."

    def _reduced(self, target: Axiom) -> str:
        """What is true of a target that was discharged: the claim behind its premises, or that a contradiction is."""
        if target.is_transition or variables_in(target):
            raise TheoryProblem(
                "E525", f"goal {self.goal.name} was discharged with variables or transitions", self.span
            )
        if any(label.startswith("CT-") for label in target.labels) and not self.goal.premises:
            return "true = false"
        if self.goal.claim is not None:
            return self._implied(self.goal.premises, self.goal.claim)
        premises, claim = premises_of(target.lhs)
        needed = self.goal.premises or self._needed(premises, claim)
        return self._implied(needed, target._replace(lhs=claim))

    def _implied(self, premises: Iterable[Term], claim: Axiom) -> str:
        parts = [self._text(with_constants(Axiom(p, p, None), self.images).lhs) for p in premises]
        return " implies ".join([*parts, self._claim(claim)])

    def _needed(self, premises: tuple[Term, ...], claim: Term) -> tuple[Term, ...]:
        """The premise that closes the goal: one that is false, or else the last one; none if the claim is true."""
        true, false = self.bench.truths
        if self.bench.reduce(self.goal, claim) is true:
            return ()
        refuted = (premise for premise in premises if self.bench.reduce(self.goal, premise) is false)
        return next(((premise,) for premise in refuted), premises[-1:])

    def _claim(self, target: Axiom) -> str:
        left, right, *condition = (self._text(side) for side in sides(with_constants(target, self.images)))
        claim = left if right == "true" else f"({left} = {right})"
        return f"({condition[0]}) implies {claim}" if condition else claim

    def _text(self, term: Term) -> str:
        return show(term, self.declared)


def _is_given(term: Term) -> bool:
    """Is it a constant of the specification, which a base case has in place of a new one?"""
    return not any(end in term.op.name for end in _ENDS)


def _plain_name(term: Term, taken: set[str]) -> str:
    """A name that no operator and no variable has, from the letters before `#` or `@`."""
    stem = term.op.name
    for end in _ENDS:
        stem = stem.partition(end)[0]
    stem = stem.lower() or "x"
    name, number = stem, 0
    while name in taken:
        number += 1
        name = f"{stem}{number}"
    taken.add(name)
    return name
