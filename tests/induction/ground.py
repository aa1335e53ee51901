"""Ground states of an instance, reachable or not, in which the assumptions of a case can be evaluated."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice, product

from otsrw.induction.cases import InductionCase
from otsrw.induction.clauses import replace
from otsrw.ots import Instance, Stepper
from otsrw.ots.stepping import Values
from otsrw.reasoning.splitting import Leaf
from otsrw.reasoning.workbench import Equation, Workbench
from otsrw.rewriting.matching import Matcher
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term, variable, variables_of

Bindings = dict[Term, Term]


class Ground:
    """Makes ground states of an instance: values for all observers."""

    def __init__(self, instance: Instance, chance: random.Random) -> None:
        self.instance = instance
        self.chance = chance
        self._pools: dict[Sort, list[Term]] = {}

    def reachable(self, most: int) -> list[Values]:
        stepper = Stepper(self.instance)
        state = self.chance.choice(stepper.initial_states())
        found = [state.values]
        for _ in range(most):
            following = list(islice(stepper.successors(state), 12))
            if not following:
                break
            state = self.chance.choice(following)[1]
            found.append(state.values)
        return found

    def arbitrary(self) -> Values:
        return tuple(self.chance.choice(self.pool(slot.observer.value)) for slot in self.instance.slots)

    def pool(self, sort: Sort) -> list[Term]:
        """Some values of a sort: all if there are few, else what constructors build in three rounds."""
        if sort not in self._pools:
            domain = self.instance.domain(sort)
            self._pools[sort] = list(domain) if domain is not None else self._built(sort)
        return self._pools[sort]

    def _built(self, sort: Sort) -> list[Term]:
        order = self.instance.module.signature.order
        if sort is self.instance.connectives.true.sort:
            return [self.instance.connectives.true, self.instance.connectives.false]
        found: dict[Sort, dict[Term, None]] = {
            each: dict.fromkeys(self.instance.domain(each) or ()) for each in order.sorts if not each.hidden
        }
        for part in (part for values in self.reachable(8) for value in values for part in _parts(value)):
            if part.sort in found:
                found[part.sort][part] = None
        for _ in range(3):
            made = [
                symbol.make(args)
                for symbol in self.instance.module.signature.symbols()
                if symbol not in self.instance.rules or symbol.assoc
                for decl in symbol.decls
                if symbol.native is None and self.instance.ots.sort not in (*decl.arity, decl.coarity)
                if order.kind.get(decl.coarity) is not None and all(each in found for each in decl.arity)
                for args in self._some(product(*[self._below(found, each) for each in decl.arity]))
            ]
            for term in made:
                value = self.instance.normal_form(term)
                if value.sort in found:
                    found[value.sort][value] = None
        return self._below(found, sort)

    def _some(self, choices: Iterator[tuple[Term, ...]]) -> list[tuple[Term, ...]]:
        few = list(islice(choices, 400))
        return self.chance.sample(few, min(len(few), 25))

    def _below(self, found: dict[Sort, dict[Term, None]], sort: Sort) -> list[Term]:
        order = self.instance.module.signature.order
        return [term for each in order.below[sort] if each in found for term in found[each]]


def _parts(term: Term) -> Iterator[Term]:
    yield term
    for arg in term.args:
        yield from _parts(arg)


class Valuation:
    """A ground state, with values for the arguments and parameters of a step."""

    def __init__(self, instance: Instance, step: InductionCase, values: Values) -> None:
        self.instance = instance
        self.step = step
        self.bench = Workbench(instance.module)
        self.state = self.bench.constant("a-state", instance.ots.sort)
        slots = zip(instance.slots, values, strict=True)
        rules = [Equation(slot.observer.apply(self.state, slot.indexes), value) for slot, value in slots]
        self.rewriter = self.bench.rewriter(rules)
        self.variables = {c.make(()): variable(f"{c.name}#", c.decls[0].coarity) for c in step.bench.constants}
        self.matcher = Matcher(instance.module.signature.order)
        self._memo: dict[Term, Term] = {}

    def translated(self, term: Term) -> Term:
        """A term of the case as one of the instance, its constants replaced by variables."""
        return self.instance.module.signature.translate(replace(term, self.variables), self._memo)

    def bindings(self, choice: tuple[Term, ...]) -> Bindings:
        """What is given: the state, arguments and parameters."""
        constants = (*self.step.arguments, *self.step.values)
        pairs = zip((self.variables[constant] for constant in constants), choice, strict=True)
        return {self.variables[self.step.state]: self.state, **dict(pairs)}

    def value(self, term: Term, bindings: Bindings) -> Term:
        return self.bench.reduce(self.rewriter, substitute(self.translated(term), bindings))

    def satisfies(self, leaf: Leaf, bindings: Bindings) -> bool:
        """Do the assumptions hold for some values of the constants that were introduced on the way?"""
        return self._solve(list(leaf.assumptions.equations), bindings)

    def _solve(self, equations: list[Equation], bindings: Bindings) -> bool:
        for position, equation in enumerate(equations):
            left, right = self.translated(equation.left), self.translated(equation.right)
            known_left = all(v in bindings for v in variables_of(left))
            known_right = all(v in bindings for v in variables_of(right))
            rest = equations[:position] + equations[position + 1 :]
            if known_left and known_right:
                same = self.instance.connectives.equal(left, right)
                holds = self.bench.reduce(self.rewriter, substitute(same, bindings))
                return holds is self.instance.connectives.true and self._solve(rest, bindings)
            if known_left:
                subject = self.bench.reduce(self.rewriter, substitute(left, bindings))
                pattern = self.bench.reduce(self.rewriter, substitute(right, bindings))
                return any(self._solve(rest, found) for found in self.matcher.match(pattern, subject, bindings))
            if known_right and left.op.variable:
                image = self.bench.reduce(self.rewriter, substitute(right, bindings))
                return self._solve(rest, {**bindings, left: image})
        if not equations:
            return True
        return self._guess(equations, bindings)

    def _guess(self, equations: list[Equation], bindings: Bindings) -> bool:
        missing = [
            v
            for equation in equations
            for side in (equation.left, equation.right)
            for v in variables_of(self.translated(side))
            if v not in bindings
        ]
        domain = self.instance.domain(missing[0].sort)
        assert domain is not None, f"no way to find a value of {missing[0]}"
        return any(self._solve(equations, {**bindings, missing[0]: element}) for element in domain)
