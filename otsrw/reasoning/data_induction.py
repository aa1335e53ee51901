"""Structural induction: proves lemmas about data by cases on what one of their variables is built of.

For each shape of the induction variable there is a case. It may use the lemma for every smaller value in the shape and
all values of the other variables: as a rewrite rule if the lemma is an equation, else as premises. A case is split as
usual; if every leaf of every case is closed, the lemma holds for all values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.building import Builders
from otsrw.reasoning.data_lemmas import DataLemma
from otsrw.reasoning.instances import LemmaInstances, UsableLemma
from otsrw.reasoning.splitting import CaseSplitter, Leaf
from otsrw.reasoning.workbench import Equation, Why, Workbench
from otsrw.records import dataclass, replace
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, subterms, variables_of

MAX_LEAVES = 150
"""Leaves of one case."""
MAX_REDUCTIONS = 2500
"""Reductions for one case."""
MAX_REWRITES = 20_000
"""Rewrites of one reduction."""


@dataclass(frozen=True, eq=False, slots=True)
class DataCase:
    """A case of a structural induction: what the variables stand for, and the leaves of the goal."""

    bench: Workbench
    values: tuple[Term, ...]
    """One for each variable of the lemma; the shape for the induction variable."""
    premises: LemmaInstances
    """Hypotheses and lemmas that are no rewrite rules."""
    goal: Term
    leaves: tuple[Leaf, ...]


@dataclass(frozen=True, eq=False, slots=True)
class DataProof:
    """A lemma about data with its proof; `variable` is None if no induction was needed. An axiom has no cases."""

    lemma: DataLemma
    variable: Term | None
    cases: tuple[DataCase, ...]

    @property
    def how(self) -> str:
        """How it was proved, in words."""
        if self.lemma.module:
            return f"an axiom of {self.lemma.module} ({self.lemma.span.source.name}:{self.lemma.span.line})"
        return "by cases" if self.variable is None else f"by induction on {self.variable.op.name}"


class DataInduction:
    """Proves lemmas about the data of one module; what is proved may be used as a rule in the next proof."""

    def __init__(
        self, bench: Workbench, builders: Builders, rules: dict[Symbol, list[Axiom]], state_sort: Sort
    ) -> None:
        self._bench = bench.anew()
        self._bench.max_rewrites = MAX_REWRITES
        self._builders = builders
        self._rules = rules
        self._names = {symbol.name for symbol in bench.module.signature.symbols()}
        functions = [s for s in rules if s.decls and s.native is None and state_sort not in s.decls[0].arity]
        self.premises: list[DataLemma] = []
        """Proved lemmas that are no rewrite rules."""
        self.stuck: list[Term] = []
        """What the leaves that were not closed in the last attempt are about."""
        by_atoms = CaseSplitter(state_sort, rules, nested=True)
        by_values = CaseSplitter(state_sort, rules, frozenset(functions), nested=True)
        plainly = CaseSplitter(state_sort, rules, shapes=False)
        self._attempts = ((plainly, False), (by_atoms, False), (by_atoms, True), (by_values, False))
        """Ways to close a case, and whether elements that are records are given by their parts."""

    def prove(self, lemma: DataLemma, facts: Iterable[Equation] = ()) -> DataProof | None:
        """A proof by cases or by induction on one variable; None if there is none within the budget."""
        known = tuple(facts)
        self.stuck = []
        for variable in self._candidates(lemma):
            cases = self._cases(lemma, variable, known)
            if cases is not None:
                return DataProof(lemma, variable, cases)
        return None

    def _candidates(self, lemma: DataLemma) -> Iterator[Term | None]:
        """First no induction; then the variables, those first that functions take apart in most places."""
        yield None
        wanted = dict.fromkeys(lemma.variables, 0)
        for part in subterms(lemma.formula):
            for position, argument in enumerate(part.args):
                if argument in wanted and self._takes_apart(part.op, position):
                    wanted[argument] += 1
        inductive = [v for v in lemma.variables if not self._builders.is_opaque(v.sort)]
        yield from sorted(inductive, key=lambda v: -wanted[v])

    def _takes_apart(self, symbol: Symbol, position: int) -> bool:
        rules = self._rules.get(symbol, ())
        return any(len(r.lhs.args) > position and not r.lhs.args[position].op.variable for r in rules)

    # --- cases

    def _cases(
        self, lemma: DataLemma, variable: Term | None, facts: tuple[Equation, ...]
    ) -> tuple[DataCase, ...] | None:
        count = 1
        if variable is not None:
            count = len(self._shapes(self._bench.anew(), variable))
        found: list[DataCase] = []
        for number in range(count):
            case = self._closed_case(lemma, variable, number, facts)
            if case is None:
                return None
            found.append(case)
        return tuple(found) or None

    def _closed_case(
        self, lemma: DataLemma, variable: Term | None, number: int, facts: tuple[Equation, ...]
    ) -> DataCase | None:
        for splitter, opens_records in self._attempts:
            bench = self._bench.anew()
            images = {v: self._constant(bench, v.op.name, v.sort) for v in lemma.variables if v is not variable}
            smaller: list[Term] = []
            if variable is not None:
                shape = self._shapes(bench, variable)[number]
                images[variable] = shape = self._opened(bench, shape) if opens_records else shape
                smaller = self._smaller(bench, shape, variable.sort)
            case = self._prepared(lemma, variable, bench, images, smaller, facts)
            leaves = self._leaves(splitter, case)
            if leaves is not None:
                return replace(case, leaves=leaves)
        return None

    def _smaller(self, bench: Workbench, shape: Term, sort: Sort) -> list[Term]:
        """The constants of a shape that stand for smaller values of the sort.

        In a collection with an identity the element is not smaller: the rest may be nothing.
        """
        parts = dict.fromkeys(part for part in subterms(shape) if part is not shape)
        if shape.op.identity is not None:
            parts = dict.fromkeys(part for part in parts if part not in shape.args or part.sort is sort)
        leq = self._builders.order.leq
        return [part for part in parts if bench.is_constant(part) and leq(part.sort, sort)]

    def _prepared(
        self,
        lemma: DataLemma,
        variable: Term | None,
        bench: Workbench,
        images: dict[Term, Term],
        smaller: list[Term],
        facts: tuple[Equation, ...],
    ) -> DataCase:
        """The case before it is split; hypotheses are rules or premises."""
        values = tuple(images[v] for v in lemma.variables)
        usable = [UsableLemma(each) for each in self.premises if each is not lemma]
        bench.facts = facts
        if variable is not None and lemma.rule is not None and variable in variables_of(lemma.rule.left):
            bench.facts += tuple(_specialised(lemma.rule, {variable: part}) for part in smaller)
        elif variable is not None:
            usable = [*(UsableLemma(lemma, ((variable, part),)) for part in smaller), *usable]
        goal = substitute(lemma.formula, images)
        return DataCase(bench, values, LemmaInstances(usable, values), goal, ())

    def _leaves(self, splitter: CaseSplitter, case: DataCase) -> tuple[Leaf, ...] | None:
        """The leaves if all are closed."""
        found: list[Leaf] = []
        try:
            for leaf in splitter.leaves(case.bench, case.goal, Assumptions(case.bench), case.premises):
                found.append(leaf)
                if not leaf.is_closed:
                    self.stuck += [leaf.value, *(e.left for e in leaf.assumptions.equations)]
                    return None
                if len(found) > MAX_LEAVES or case.bench.reductions > MAX_REDUCTIONS:
                    return None
        except BudgetExceeded:
            return None
        return tuple(found)

    def _shapes(self, bench: Workbench, variable: Term) -> list[Term]:
        return self._builders.shapes(variable.sort, lambda sort: self._constant(bench, sort.name[0], sort))

    def _opened(self, bench: Workbench, shape: Term) -> Term:
        """The shape with the parts of those arguments that are records: values of a sort with one constructor."""
        parts = []
        for argument in shape.args:
            shapes = self._shapes(bench, argument) if argument.sort is not shape.sort else []
            parts.append(shapes[0] if len(shapes) == 1 and shapes[0].args else argument)
        return shape.op.make(tuple(parts)) if parts else shape

    def _constant(self, bench: Workbench, name: str, sort: Sort) -> Term:
        stem = name.rstrip("'").lower()
        chosen, number = stem, 0
        while chosen in self._names or not bench.is_free_name(chosen):
            number += 1
            chosen = f"{stem}{number}"
        return bench.constant(chosen, sort)


def _specialised(rule: Equation, images: dict[Term, Term]) -> Equation:
    return Equation(substitute(rule.left, images), substitute(rule.right, images), Why.HYPOTHESIS)
