"""Finds the case splits under which a goal of CITP or CiMPA reduces to true.

Nothing but the rewriting that CafeOBJ does is used, so that CafeOBJ accepts what is found: no completion of
assumptions. Splits are on conditions that equations wait for, and on atoms of what is left.
"""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.induction.case_guide import GoalSplit
from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import Goal, TacticDefinition
from otsrw.proofs.citp.induct import ProofConstructor, of_sort, values_left_out
from otsrw.proofs.citp.script_connectives import ScriptConnective
from otsrw.proofs.citp.tactics import is_value
from otsrw.reasoning.assumptions import atoms_of
from otsrw.rewriting.matching import Matcher
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom, equations_by_symbol
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show
from otsrw.theory.terms import Term, subterms

_PLAIN = {ScriptConnective.IMPLICATION.symbol: Builtin.IMPLIES, ScriptConnective.DISJUNCTION.symbol: Builtin.OR}


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

    def split(self, goal: Goal, value: Term) -> GoalSplit | None:
        """What is not decided in the goal and the value depends on: an equation, or a term to split by constructors.

        None: nothing is left.
        """
        atoms = [atom for atom in dict.fromkeys(self._atoms(goal, value)) if self.may_decide(atom)]
        if not atoms:
            return None
        listed = next((part for atom in atoms for part in subterms(atom) if self.is_listed(goal, part)), None)
        return listed or self.split_by(min(atoms, key=lambda a: (self._rank(a), atoms.index(a))))

    def as_sum(self, goal: Goal, value: Term) -> Term:
        """A value with plain connectives for those that are evaluated part by part."""
        if not any(atom.op.name in _PLAIN for atom in atoms_of(value)):
            return value
        found = self.bench.reduce(goal, self._plain(value))
        # what is only seen to be true or false as a sum is decided by splits: the connectives of scripts see less
        return found if self.may_decide(found) else next(self._inner_atoms(value))

    def _inner_atoms(self, value: Term) -> Iterator[Term]:
        """The atoms between connectives of scripts."""
        for atom in atoms_of(value):
            if atom.op.name in _PLAIN:
                for arg in atom.args:
                    yield from self._inner_atoms(arg)
            elif self.may_decide(atom):
                yield atom

    def _plain(self, value: Term) -> Term:
        if value.sort is not self.true.sort or not value.args:
            return value
        args = tuple([self._plain(arg) for arg in value.args])
        native = _PLAIN.get(value.op.name)
        return (value.op if native is None else self.bench.connectives.symbol(native)).make(args)

    def may_decide(self, atom: Term) -> bool:
        """Is it a condition about constants that is neither true nor false?"""
        return atom not in self.bench.truths and atom.ground

    def split_by(self, atom: Term) -> Axiom:
        """The split that decides an atom: an equation is written so that it can be used for rewriting."""
        if atom.op.native is not Builtin.EQUALS:
            return Axiom(atom, self.true, None)
        choices = [(a, b) for a, b in (atom.args, atom.args[::-1]) if self._may_rewrite(a, b)]
        if not choices:
            return Axiom(atom, self.true, None)
        left, right = max(choices, key=lambda pair: self._weight(pair[0]))
        return Axiom(left, right, None)

    def is_listed(self, goal: Goal, term: Term) -> bool:
        """Is it a constant of the proof of a sort that has constants only?"""
        return not term.args and self.is_of_list(goal, term)

    def is_of_list(self, goal: Goal, term: Term) -> bool:
        """Is it no value, and of a sort that has constants only?"""
        if not term.op.decls or term.op.is_constructor or term.sort is self.true.sort:
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

    def shape(self, goal: Goal, atom: Term) -> Term | None:
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
            conditions = list(self.conditions(goal, atom))
            for condition in conditions:
                yield from self._atoms(goal, condition)
            if not conditions:
                yield atom

    def conditions(self, goal: Goal, atom: Term) -> Iterator[Term]:
        """The conditions that equations and conditionals inside an atom wait for."""
        for part in subterms(atom):
            if part.op.native is Builtin.IF:
                yield part.args[0]
            for _, condition in self._awaited(goal, part):
                yield condition

    def stated_conditions(self, goal: Goal, atom: Term) -> Iterator[Term]:
        """The conditions of equations for terms inside an atom that are not decided, as they are written."""
        for part in subterms(atom):
            for condition, _ in self._awaited(goal, part):
                yield condition

    def _awaited(self, goal: Goal, part: Term) -> Iterator[tuple[Term, Term]]:
        """The conditions of equations for a term that are not decided, as they are written and reduced."""
        for axiom in self._rules.get(part.op, ()):
            if axiom.condition is None:
                continue
            bindings = next(self._matcher.match(axiom.lhs, part, {}), None)
            if bindings is None:
                continue
            stated = substitute(axiom.condition, bindings)
            condition = self.bench.reduce(goal, stated)
            if condition not in self.bench.truths and condition.ground:
                yield stated, condition

    def _rank(self, atom: Term) -> int:
        """Equations between constants come first: they change the terms that others are about."""
        if atom.op.native is not Builtin.EQUALS:
            return 1
        return 0 if all(not arg.args for arg in atom.args) and not any(is_value(arg) for arg in atom.args) else 1

    def _weight(self, term: Term) -> tuple[bool, bool, bool, str]:
        """What is rewritten: no value, not even in part; a constant of the proof rather than a term, by its name."""
        return (not is_value(term), not term.op.is_constructor, not term.args, term.op.name)


def definition_of(name: str, split: GoalSplit, true: Term) -> TacticDefinition:
    """The `:def` of a split for CiMPA."""
    if isinstance(split, Axiom) and split.rhs is not true:
        return TacticDefinition(name, ":ctf{", f":ctf {{eq {show(split.lhs)} = {show(split.rhs)} .}}", (split,))
    term = split.lhs if isinstance(split, Axiom) else split
    return TacticDefinition(name, ":ctf[", f":ctf [{show(term)} .]", term=term)
