"""Induction cases split by several processes.

Terms are objects of one process, so a child sends its leaves as numbers: symbols that existed before the fork have the
same number on both sides, constants made by the child are declared again by name. What the parent gets is what it
would have computed itself: choices depend on what terms look like, never on when they were made.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from typing import Any

from otsrw.induction.steps import Induction, Step
from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.splitting import Leaf
from otsrw.reasoning.workbench import Equation
from otsrw.theory.terms import LiteralTerm, Symbol, Term, literal_of


def leaves_of_all(induction: Induction, steps: list[Step], jobs: int) -> Iterator[tuple[Step, list[Leaf]]]:
    """The leaves of every step, in the order of the steps; each process takes every `jobs`-th of them."""
    if jobs < 2 or len(steps) < 2 or not hasattr(os, "fork"):
        for step in steps:
            yield step, list(induction.leaves(step))
        return
    shares = [steps[first::jobs] for first in range(min(jobs, len(steps)))]
    children = [_start(induction, share) for share in shares]
    results: dict[Step, list[Leaf]] = {}
    for share, (child, pipe) in zip(shares, children, strict=True):
        results.update(zip(share, _received(share, child, pipe), strict=True))
    for step in steps:
        yield step, results[step]


def _start(induction: Induction, steps: list[Step]) -> tuple[int, int]:
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    status = 1
    try:
        os.close(reading)
        content = pickle.dumps([_Writer(step).all(list(induction.leaves(step))) for step in steps])
        with os.fdopen(writing, "wb") as stream:
            stream.write(content)
        status = 0
    finally:
        os._exit(status)


def _received(steps: list[Step], child: int, pipe: int) -> list[list[Leaf]]:
    with os.fdopen(pipe, "rb") as stream:
        content = stream.read()
    _, status = os.waitpid(child, 0)
    if status != 0:
        raise RuntimeError(f"a process that split cases ended with status {status}")
    parts = pickle.loads(content)  # what our own child wrote
    return [_Reader(step).all(part) for step, part in zip(steps, parts, strict=True)]


class _Writer:
    def __init__(self, step: Step) -> None:
        self.bench = step.bench

    def all(self, leaves: list[Leaf]) -> Any:
        sorts = {sort: number for number, sort in enumerate(self.bench.module.signature.order.sorts)}
        constants = [(symbol.name, sorts[symbol.decls[0].coarity]) for symbol in self.bench.constants]
        return constants, [self._leaf(leaf) for leaf in leaves]

    def _leaf(self, leaf: Leaf) -> Any:
        assumptions = leaf.assumptions
        contradiction = assumptions.contradiction
        return (
            [(self._term(e.left), self._term(e.right), e.why) for e in assumptions.equations],
            None if contradiction is None else (self._term(contradiction.atom), contradiction.positive),
            [(self._term(a.formula), a.holds, a.is_condition) for a in assumptions.open],
            self._term(leaf.value),
            leaf.outcome,
            leaf.note,
        )

    def _term(self, term: Term) -> Any:
        if isinstance(term, LiteralTerm):
            return ("value", term.value)
        if term.op in self.bench.constants:
            return ("constant", self.bench.constants[term.op])
        return (term.op.number, *[self._term(arg) for arg in term.args])


class _Reader:
    def __init__(self, step: Step) -> None:
        self.bench = step.bench
        self.symbols: dict[int, Symbol] = {s.number: s for s in step.bench.module.signature.symbols()}
        self.constants: list[Term] = []

    def all(self, content: Any) -> list[Leaf]:
        constants, leaves = content
        sorts = self.bench.module.signature.order.sorts
        self.constants = [self.bench.constant(name, sorts[number]) for name, number in constants]
        return [self._leaf(*leaf) for leaf in leaves]

    def _leaf(
        self, equations: Any, contradiction: Any, open_formulas: Any, value: Any, outcome: Any, note: str
    ) -> Leaf:
        assumptions = Assumptions(
            self.bench, tuple(Equation(self._term(left), self._term(right), why) for left, right, why in equations)
        )
        if contradiction is not None:
            assumptions.contradiction = Literal(self._term(contradiction[0]), contradiction[1])
        assumptions.open = tuple(Assumed(self._term(t), holds, condition) for t, holds, condition in open_formulas)
        return Leaf(assumptions, self._term(value), outcome, note)

    def _term(self, content: Any) -> Term:
        head, *arguments = content
        if head == "value":
            return literal_of(arguments[0])
        if head == "constant":
            number: int = arguments[0]
            return self.constants[number]
        return self.symbols[head].make(tuple([self._term(argument) for argument in arguments]))
