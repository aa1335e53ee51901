"""Finds the case splits under which a goal of CITP or CiMPA reduces to true.

Nothing but the rewriting that CafeOBJ does is used, so that CafeOBJ accepts what is found: no completion of
assumptions. Splits are on conditions that equations wait for, and on atoms of what is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from otsrw.induction.case_guide import GoalSplit
from otsrw.induction.effective import conjuncts_of
from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import Goal, TacticDefinition
from otsrw.proofs.citp.induct import ProofConstructor, of_sort, values_left_out
from otsrw.proofs.citp.tactics import is_value
from otsrw.reasoning.assumptions import atoms_of
from otsrw.rewriting.matching import Matcher
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom, equations_by_symbol
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show
from otsrw.theory.terms import Term, subterms


class SplitFinder:
    """Chooses what to split a goal by."""

    def __init__(self, bench: GoalBench, constructors: tuple[ProofConstructor, ...], state: str) -> None:
        self.bench = bench
        self.constructors = constructors
        self.state = state
        """The name of the sort of states, which are not split by their constructors."""
        self.true, self.false = bench.truths
        self._rules = equations_by_symbol(bench.context.base)
        self._matcher = Matcher(bench.signature.order)

    def split(self, goal: Goal, value: Term, by_shape: bool) -> GoalSplit | None:
        """What is not decided in the goal and the value depends on: an equation, or a term to split by constructors.

        With `by_shape` terms that functions wait for are split by constructors, too, and first. None: nothing is left.
        """
        atoms = list(dict.fromkeys(self._atoms(goal, value)))
        atoms = [atom for atom in atoms if atom not in self.bench.truths and atom.ground]
        if not atoms:
            return None
        listed = next((part for atom in atoms for part in subterms(atom) if self.is_listed(goal, part)), None)
        if listed is not None:
            return listed
        shapes = (self._shape(goal, atom) for atom in atoms) if by_shape else iter(())
        shape = next((shape for shape in shapes if shape is not None), None)
        if shape is not None:
            return shape
        atom = min(atoms, key=lambda a: (self._rank(a), atoms.index(a)))
        if atom.op.native is not Builtin.EQUALS:
            return Axiom(atom, self.true, None)
        choices = [(a, b) for a, b in (atom.args, atom.args[::-1]) if self._may_rewrite(a, b)]
        if not choices:
            return Axiom(atom, self.true, None)
        left, right = max(choices, key=lambda pair: self._weight(pair[0]))
        return Axiom(left, right, None)

    def is_listed(self, goal: Goal, term: Term) -> bool:
        """Is it a constant of the proof of a sort that has constants only?"""
        if term.args or not term.op.decls or term.op.is_constructor or term.sort is self.true.sort:
            return False
        found = of_sort(self.constructors, term.sort, goal)
        return bool(found) and all(c.is_constant for c in found) and self._is_complete(goal, term)

    def _is_complete(self, goal: Goal, term: Term) -> bool:
        return values_left_out(self.bench, self.constructors, term.sort, goal) is None

    def is_built(self, goal: Goal, term: Term) -> bool:
        """Are all values of the sort of a term built by constructors, and is it no state?"""
        return (
            term.sort.name != self.state
            and bool(of_sort(self.constructors, term.sort, goal))
            and self._is_complete(goal, term)
        )

    def _shape(self, goal: Goal, atom: Term) -> Term | None:
        """A term inside an atom that a function waits for to be built by a constructor; None if none does."""
        for part in reversed(list(subterms(atom))):
            patterns = [axiom.lhs for axiom in self._rules.get(part.op, ()) if part.op.native is None]
            for place, arg in enumerate(part.args):
                waits = any(len(p.args) == len(part.args) and p.args[place].op.is_constructor for p in patterns)
                if waits and not arg.op.is_constructor and arg.op.decls and self._may_split(goal, arg):
                    return arg
        return None

    def _may_split(self, goal: Goal, term: Term) -> bool:
        """CafeOBJ has one constant of a sort for all splits on a branch: a sort is split once."""
        if term.sort.name == self.state:
            return False
        found = of_sort(self.constructors, term.sort, goal)
        sorts = {sort for c in found for sort in c.decl.arity}
        taken = {constant.sort for constant in goal.induction_constants if constant.op.name.startswith("CTF")}
        return bool(found) and not sorts & taken and self._is_complete(goal, term)

    def _may_rewrite(self, left: Term, right: Term) -> bool:
        return self.bench.signature.order.leq(right.sort, left.sort) and left not in subterms(right)

    def _atoms(self, goal: Goal, value: Term) -> Iterator[Term]:
        """Atoms of a normal form; of one in which equations wait for conditions, the atoms of the conditions."""
        for atom in atoms_of(value):
            conditions: list[Term] = []
            for part in subterms(atom):
                if part.op.native is Builtin.IF:
                    conditions.append(part.args[0])
                conditions += self._awaited(goal, part)
            for condition in conditions:
                yield from self._atoms(goal, condition)
            if not conditions:
                yield atom

    def _awaited(self, goal: Goal, part: Term) -> Iterator[Term]:
        """Conditions of equations for a term that are neither true nor false."""
        for axiom in self._rules.get(part.op, ()):
            if axiom.condition is None:
                continue
            bindings = next(self._matcher.match(axiom.lhs, part, {}), None)
            if bindings is None:
                continue
            condition = self.bench.reduce(goal, substitute(axiom.condition, bindings))
            if condition not in self.bench.truths and condition.ground:
                yield condition

    def _rank(self, atom: Term) -> int:
        """Equations between constants come first: they change the terms that others are about."""
        if atom.op.native is not Builtin.EQUALS:
            return 1
        return 0 if all(not arg.args for arg in atom.args) and not any(is_value(arg) for arg in atom.args) else 1

    def _weight(self, term: Term) -> tuple[bool, bool, bool, str]:
        """What is rewritten: no value, not even in part; a constant of the proof rather than a term, by its name."""
        return (not is_value(term), not term.op.is_constructor, not term.args, term.op.name)


MAX_MONOMIALS = 8
"""Monomials of premises and claim that CafeOBJ may have to multiply out: matching them takes most of its time."""


def needless(bench: GoalBench, goal: Goal) -> Iterator[Term]:
    """Premises of a target that reduces to true without them, if the premises are many; the last one first.

    CafeOBJ multiplies all premises out, the last ones first, whatever the result. A premise that is assumed to be true
    as a whole, before its definition is used, costs nothing; nor does the other case, in which it is false. Only as
    many are given as are needed to multiply the rest out.
    """
    target = goal.targets[0].lhs
    if target.op.native is not Builtin.IMPLIES:
        return
    condition, claim = target.args[0], bench.reduce(goal, target.args[1])
    premises = {p: bench.reduce(goal, p) for p in conjuncts_of(condition)}
    needed = dict(premises)
    for premise in sorted(premises, key=lambda p: _monomials(premises[p]), reverse=True):
        if prod(map(_monomials, (*needed.values(), claim))) <= MAX_MONOMIALS:
            break
        rest = {p: value for p, value in needed.items() if p is not premise}
        if _implies(bench, goal, rest.values(), claim):
            needed = rest
    for premise, value in reversed(premises.items()):
        if premise not in needed and value not in bench.truths:
            yield premise.op.make(tuple([bench.reduce(goal, arg) for arg in premise.args]))


def is_light(bench: GoalBench, goal: Goal) -> bool:
    """Can CafeOBJ multiply out what the premises and the claim of a target reduce to?"""
    target = goal.targets[0].lhs
    if target.op.native is not Builtin.IMPLIES:
        return True
    parts = [bench.reduce(goal, part) for part in (*conjuncts_of(target.args[0]), target.args[1])]
    return any(part is bench.truths[1] for part in parts[:-1]) or prod(map(_monomials, parts)) <= MAX_MONOMIALS


def _monomials(value: Term) -> int:
    return len(value.args) if value.op.native is Builtin.XOR else 1


def _implies(bench: GoalBench, goal: Goal, premises: Iterable[Term], claim: Term) -> bool:
    connectives = bench.connectives
    for premise in premises:
        claim = connectives.symbol(Builtin.IMPLIES).make((premise, claim))
    return bench.reduce(goal, claim) is connectives.true


def definition_of(name: str, split: GoalSplit, true: Term) -> TacticDefinition:
    """The `:def` of a split for CiMPA."""
    if isinstance(split, Axiom) and split.rhs is not true:
        return TacticDefinition(name, ":ctf{", f":ctf {{eq {show(split.lhs)} = {show(split.rhs)} .}}", (split,))
    term = split.lhs if isinstance(split, Axiom) else split
    return TacticDefinition(name, ":ctf[", f":ctf [{show(term)} .]", term=term)
