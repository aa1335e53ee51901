"""The lemmas about data that proofs over one module may use: stated ones, and ones found when a case is stuck."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from otsrw.reasoning.building import Builders
from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.data_lemmas import DataLemma, rule_of, stated_lemma
from otsrw.reasoning.integers import Integers
from otsrw.reasoning.laws import law_formula, laws_of
from otsrw.reasoning.workbench import Equation, Why, Workbench
from otsrw.records import dataclass
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, subterms, variables_of

if TYPE_CHECKING:
    from otsrw.reasoning.collection_laws import CollectionLaws
    from otsrw.reasoning.conjectures import Conjecturer, Guess
    from otsrw.reasoning.data_induction import DataInduction, DataProof
    from otsrw.reasoning.excluding import ExcludingLaws
    from otsrw.reasoning.relations import Relations
    from otsrw.reasoning.samples import Samples
    from otsrw.reasoning.sizes import SizeLaws

MAX_LEFT_SIDES = 40
"""Stuck terms that are looked at in one proof."""
MAX_COMPARED = 12
"""Ways to compute a value from another one that are looked at in one proof."""
MAX_DEPTH = 1
"""How often a lemma is looked for that the proof of another one needs."""


@dataclass(frozen=True, eq=False, slots=True)
class MissingEquation:
    """A stuck term for which no equation was proved, and what small values suggest for it."""

    left: Term
    suggestion: Term | None
    """A right side that no small value refutes; None if there is none."""


class LemmaBook:
    """Proves and keeps lemmas about the data of one module. Everything it does is bounded and deterministic."""

    def __init__(self, module: Module, rules: dict[Symbol, list[Axiom]], state_sort: Sort) -> None:
        self._module = module
        self._rules = rules
        self._state_sort = state_sort
        self._tried: dict[Term, MissingEquation | None] = {}
        self._stated: dict[Symbol, DataProof] = {}
        """The proofs of lemmas that operators state."""
        self._unproved: dict[Symbol, int] = {}
        """Operators whose lemma was not proved, and how many lemmas were known then."""
        self._related: list[Symbol] = []
        """Relations whose laws were looked for."""
        self._laws: set[Term] = set()
        """Laws about elements of collections that were tried."""
        self._compared: set[Term] = set()
        """What is computed from a value, and was compared with it by relations."""
        self._axioms = _taken(laws_of(module, state_sort))
        self.proofs: list[DataProof] = [*self._axioms]

    @cached_property
    def _bench(self) -> Workbench:
        return Workbench(self._module)

    @cached_property
    def _builders(self) -> Builders:
        return Builders(self._module, self._rules)

    @cached_property
    def _induction(self) -> DataInduction:
        from otsrw.reasoning.data_induction import DataInduction

        induction = DataInduction(self._bench, self._builders, self._rules, self._state_sort)
        induction.premises += [proof.lemma for proof in self._axioms]
        return induction

    @cached_property
    def _samples(self) -> Samples:
        from otsrw.reasoning.samples import Samples

        return Samples(self._bench, self._builders)

    @cached_property
    def _conjecturer(self) -> Conjecturer:
        from otsrw.reasoning.conjectures import Conjecturer

        successor = Integers(self._module).symbols.get(Builtin.SUCCESSOR)
        connectives = self._bench.connectives
        return Conjecturer(self._samples, self._builders, self._rules, connectives, self._state_sort, successor)

    @cached_property
    def _relations(self) -> Relations:
        from otsrw.reasoning.relations import Relations

        return Relations(self._samples, self._bench.connectives)

    @cached_property
    def _excluding(self) -> ExcludingLaws:
        from otsrw.reasoning.excluding import ExcludingLaws

        return ExcludingLaws(self._samples, self._conjecturer.is_function)

    @cached_property
    def _collections(self) -> CollectionLaws:
        from otsrw.reasoning.collection_laws import CollectionLaws

        return CollectionLaws(self._samples, self._builders, self._rules, Integers(self._module))

    @cached_property
    def _sizes(self) -> SizeLaws:
        from otsrw.reasoning.sizes import SizeLaws

        return SizeLaws(self._collections, self._bench.connectives, self._rules)

    @property
    def facts(self) -> tuple[Equation, ...]:
        """The proved lemmas that are rewrite rules."""
        rules = (proof.lemma.rule for proof in self.proofs)
        return tuple(rule for rule in rules if rule is not None)

    @property
    def missing(self) -> tuple[MissingEquation, ...]:
        """Stuck terms that nothing was proved about."""
        return tuple(each for each in self._tried.values() if each is not None)

    def prove_stated(self, symbol: Symbol) -> DataProof | None:
        """Prove what an operator states; None if it states nothing, or is not proved.

        What was not proved is tried again when more lemmas are known.
        """
        if symbol in self._stated or self._unproved.get(symbol) == len(self.proofs):
            return self._stated.get(symbol)
        lemma = stated_lemma(symbol, self._rules, self._bench.connectives)
        others = (other for other in (*self._stated, *self._unproved) if other is not symbol)
        if lemma is None or any(other.name == symbol.name for other in others):
            return None  # a lemma is known by its name
        proof = self._induction.prove(lemma, self.facts)
        if proof is None and self.for_stuck(self._induction.stuck):
            proof = self._induction.prove(lemma, self.facts)
        if proof is None:
            self._unproved[symbol] = len(self.proofs)
        else:
            self._stated[symbol] = proof
            self._keep(proof)
        return proof

    def prove_all_stated(self, symbols: Iterable[Symbol]) -> None:
        """Prove what operators state, whichever of them needs another one."""
        todo = list(dict.fromkeys(symbols))
        known = -1
        while todo and len(self.proofs) > known:
            known = len(self.proofs)
            todo = [symbol for symbol in todo if self.prove_stated(symbol) is None]

    def prove_equation(self, axiom: Axiom, searches: bool = False) -> DataProof | None:
        """Prove an equation that the module does not have, not by induction on states: not all states are reached."""
        lemma = _equation_lemma(axiom, self._free_name(), self._bench.connectives)
        proof = None if lemma is None else self._induction.prove(lemma, self.facts)
        if lemma is not None and proof is None and searches and self.for_stuck(self._induction.stuck):
            proof = self._induction.prove(lemma, self.facts)
        if proof is None or _takes_apart(proof, self._state_sort):
            return None
        return self._keep(proof)

    def may_learn(self, terms: Iterable[Term]) -> bool:
        """Is something stuck in the terms for which no equation was looked for yet?"""
        if len(self._tried) >= MAX_LEFT_SIDES:
            return False
        return any(left not in self._tried for left in self._conjecturer.compositions(terms))

    def for_stuck(self, terms: Iterable[Term], depth: int = MAX_DEPTH) -> list[DataProof]:
        """New lemmas that rewrite what is stuck in some terms, those that others need first.

        Each left side is tried once. `depth` says how often lemmas are looked for that a proof needs itself.
        """
        before = len(self.proofs)
        stuck = list(terms)
        for left in self._conjecturer.compositions(stuck):
            if left in self._tried or len(self._tried) >= MAX_LEFT_SIDES:
                continue
            self._tried[left] = None
            guesses = self._conjecturer.guesses(left)
            if not any(self._accept(guess, depth) for guess in guesses) and not self._learn_update(left):
                self._tried[left] = MissingEquation(left, guesses[0].right if guesses else None)
        if len(self.proofs) == before and depth == MAX_DEPTH:
            self._find_laws(stuck)
        return self.proofs[before:]

    def compare(self, patterns: Iterable[Term]) -> list[DataProof]:
        """New laws about how relations compare a value with what is computed from it: `X < s(X)`."""
        before = len(self.proofs)
        for pattern in patterns:
            if pattern not in self._compared and len(self._compared) < MAX_COMPARED:
                self._compared.add(pattern)
                for law in self._relations.comparisons(pattern, filter(self._conjecturer.is_function, self._rules)):
                    self._try_law(law)
        return self.proofs[before:]

    def for_facts(self, equations: Iterable[Equation]) -> list[DataProof]:
        """New laws that exclude what a case says about data, as far as they can be proved."""
        before = len(self.proofs)
        for law in self._excluding.laws(equations):
            self._try_law(law)
        return self.proofs[before:]

    def _find_laws(self, terms: list[Term]) -> None:
        """Prove laws of the relations in some terms; each relation is tried once."""
        known = self._relations.in_terms(terms, self._rules)
        for symbol in known:
            if symbol in self._related or not self._conjecturer.is_function(symbol):
                continue
            self._related.append(symbol)
            sort = self._relations.sort_of(symbol)
            operations = [] if sort is None else self._relations.operations(terms, self._rules, sort)
            for law in self._relations.laws(symbol, [s for s in self._related if s is not symbol], operations):
                self._try_law(law)
        memberships = self._relations.memberships(terms, filter(self._conjecturer.is_function, self._rules))
        elements = self._collections.of_elements(terms)
        self._try_new([*((each, ()) for each in memberships), *elements, *self._collections.bounds(terms)])
        self.for_sizes(terms)

    def for_sizes(self, terms: Iterable[Term]) -> list[DataProof]:
        """New laws about the sizes of collections with elements, for functions in some terms."""
        before = len(self.proofs)
        self._try_new(self._sizes.of_collections(terms))
        return self.proofs[before:]

    def _try_new(self, laws: Iterable[tuple[Term, tuple[Term, ...]]]) -> None:
        """Keep those laws that can be proved; each is tried once."""
        for law, about in laws:
            if law not in self._laws:
                self._laws.add(law)
                self._try_law(law, about)

    def _learn_update(self, left: Term) -> bool:
        """Prove what a function tells after an update of another value, and of the same value; True if there is one."""
        before = len(self.proofs)
        self._try_new(self._sizes.after_update(left))
        for law, about in self._collections.after_update(left):
            self._try_law(law, about)
            if len(self.proofs) > before:
                break
        special = self._collections.identified(left)
        if special is not None:
            any(self._accept(guess, 0) for guess in self._conjecturer.guesses(special))
        return len(self.proofs) > before

    def _try_law(self, law: Term, about: tuple[Term, ...] = ()) -> None:
        """Keep a law if it can be proved, and says more than rewriting knows."""
        rule = rule_of(law, self._bench.connectives, Why.DATA)
        lemma = DataLemma(self._free_name(), tuple(variables_of(law)), law, rule, False, about=about)
        proof = self._induction.prove(lemma, self.facts)
        if proof is not None and not _is_trivial(proof):
            self._keep(proof)

    def _accept(self, guess: Guess, depth: int) -> bool:
        """Prove a guess, if need be with new lemmas about what its proof is stuck at."""
        proof = self._proved(guess)
        if proof is None and depth > 0 and self.for_stuck(self._induction.stuck, depth - 1):
            proof = self._proved(guess)
        if proof is not None:
            self._keep(proof)
        return proof is not None

    def _keep(self, proof: DataProof) -> DataProof:
        self.proofs.append(proof)
        if proof.lemma.rule is None:
            self._induction.premises.append(proof.lemma)
        return proof

    def _proved(self, guess: Guess) -> DataProof | None:
        connectives = self._bench.connectives
        if guess.left.sort is connectives.true.sort:
            formula = connectives.symbol(Builtin.IFF).make(guess)
        else:
            formula = connectives.equal(*guess)
        rule = rule_of(connectives.equal(*guess), connectives, Why.DATA)
        if rule is None or rule.left is not guess.left:
            return None
        variables = tuple(dict.fromkeys(part for part in subterms(guess.left) if part.op.variable))
        return self._induction.prove(DataLemma(self._free_name(), variables, formula, rule, False), self.facts)

    def _free_name(self) -> str:
        names = {symbol.name for symbol in self._module.signature.symbols()}
        names.update(proof.lemma.name for proof in self.proofs)
        number = 1
        while f"data{number}" in names:
            number += 1
        return f"data{number}"


def _equation_lemma(axiom: Axiom, name: str, connectives: Connectives) -> DataLemma | None:
    formula = None if axiom.otherwise else law_formula(axiom, connectives)
    if formula is None:
        return None
    rule = rule_of(formula, connectives, Why.DATA)
    return DataLemma(name, tuple(variables_of(formula)), formula, rule, False, span=axiom.span)


def _takes_apart(proof: DataProof, sort: Sort) -> bool:
    """Is it a proof by induction on a value of this sort?"""
    return proof.variable is not None and proof.variable.sort is sort


def _taken(laws: list[DataLemma]) -> list[DataProof]:
    """Laws that the specification says itself: nothing is to be proved."""
    if not laws:
        return []
    from otsrw.reasoning.data_induction import DataProof

    return [DataProof(law, None, ()) for law in laws]


def _is_trivial(proof: DataProof) -> bool:
    """Does the law hold by rewriting alone? Then every case knows it already."""
    return proof.variable is None and sum(len(case.leaves) for case in proof.cases) == 1
