"""Who calls whom: the calls in right sides and conditions of equations, and their cycles.

Calls are the dependency pairs of the equations. A chain of rewrite steps that does not end makes an endless chain of
calls among functions of one cycle, in which the arguments of each call can only be rewritten finitely often. Conditions
are evaluated before right sides, so their calls count as well.

Equations on top of an associative operator need no calls if they only take elements away (`(X , X) = X`): then a
collection whose elements can be rewritten finitely often can itself be rewritten finitely often.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.records import dataclass
from otsrw.soundness.descent import Bag, Parts, without_common
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.sorts import Kind, SortOrder
from otsrw.theory.terms import Symbol, Term, subterms

_LAZY = frozenset((Builtin.IF, Builtin.AND_ALSO, Builtin.OR_ELSE))


@dataclass(frozen=True, slots=True)
class Function:
    """A defined operator; a polymorphic one counts once for each kind of its arguments."""

    symbol: Symbol
    kind: Kind | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """An equation for `caller` whose right side or condition calls `callee`."""

    caller: Function
    callee: Function
    left: Term
    right: Term
    rule: Axiom
    certain: bool
    """Is the call made whenever the equation applies? Not under a condition or in a lazy argument."""


def function_of(term: Term, order: SortOrder) -> Function:
    if term.op.polymorphic and term.args:
        return Function(term.op, order.kind.get(term.args[0].sort))
    return Function(term.op)


def arguments(term: Term) -> tuple[Bag, ...]:
    """The arguments that are compared; both together if they may be swapped."""
    return (term.args,) if term.op.comm else tuple((arg,) for arg in term.args)


def only_takes_away(rule: Axiom, parts: Parts) -> bool:
    """Is the right side made of fewer, or smaller, elements of the left side's collection, without any call?"""
    op = rule.lhs.op
    right = rule.rhs.args if rule.rhs.op is op else () if rule.rhs is op.identity else (rule.rhs,)
    _, gone = without_common(right, rule.lhs.args)
    if rule.condition is not None or all(parts.may_be_identity(part, op) for part in gone):
        return False
    return parts.is_smaller(right, rule.lhs.args)


def calls_of(rules: Iterable[Axiom], defined: frozenset[Function], parts: Parts) -> list[Call]:
    """All calls of functions in `defined`, apart from those of proper parts of the left side."""
    found: list[Call] = []
    order = parts.order
    for rule in rules:
        caller = function_of(rule.lhs, order)
        always = {id(term) for term in _evaluated(rule.rhs)} if rule.condition is None and not rule.otherwise else set()
        for side in (rule.rhs, rule.condition):
            for part in dict.fromkeys(subterms(side)) if side is not None else ():
                callee = function_of(part, order)
                if callee in defined and not parts.is_proper_part(part, rule.lhs):
                    found.append(Call(caller, callee, rule.lhs, part, rule, id(part) in always))
    return found


def _evaluated(term: Term) -> Iterable[Term]:
    """The subterms that are evaluated whatever the others are."""
    todo = [term]
    while todo:
        current = todo.pop()
        yield current
        todo += current.args[:1] if current.op.native in _LAZY else current.args


def cycles(calls: Iterable[Call]) -> list[list[Function]]:
    """The strongly connected components of the call graph that have a call inside, in a stable order."""
    graph: dict[Function, dict[Function, None]] = {}
    for call in calls:
        graph.setdefault(call.caller, {})[call.callee] = None
        graph.setdefault(call.callee, {})
    return [c for c in _components(graph) if len(c) > 1 or c[0] in graph[c[0]]]


def _components(graph: dict[Function, dict[Function, None]]) -> list[list[Function]]:
    """Tarjan's algorithm, with a stack of its own."""
    index: dict[Function, int] = {}
    low: dict[Function, int] = {}
    stack: list[Function] = []
    waiting: set[Function] = set()
    found: list[list[Function]] = []
    for start in list(graph):
        if start in index:
            continue
        work = [(start, iter(graph[start]))]
        index[start] = low[start] = len(index)
        stack.append(start)
        waiting.add(start)
        while work:
            node, successors = work[-1]
            after = next(successors, None)
            if after is not None and after not in index:
                index[after] = low[after] = len(index)
                stack.append(after)
                waiting.add(after)
                work.append((after, iter(graph[after])))
            elif after is not None:
                if after in waiting:
                    low[node] = min(low[node], index[after])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    found.append(_popped(stack, waiting, node))
    return found


def _popped(stack: list[Function], waiting: set[Function], last: Function) -> list[Function]:
    component: list[Function] = []
    while True:
        node = stack.pop()
        waiting.discard(node)
        component.append(node)
        if node == last:
            return component[::-1]
