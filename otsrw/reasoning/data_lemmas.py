"""Lemmas about data: formulas without a state that hold for all values of their variables.

A lemma that is an equation with a suitable left side is a rewrite rule; others are used as premises.
"""

from __future__ import annotations

from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.integers import COMPARISONS
from otsrw.reasoning.workbench import Equation, Why
from otsrw.records import dataclass
from otsrw.syntax.source import NOWHERE, Span
from otsrw.theory.builtins import CONNECTIVES, EQUALITIES, Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show_plainly
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, subterms, variables_of

_IFF, _NOT = Builtin.IFF, Builtin.NOT


@dataclass(frozen=True, eq=False, slots=True)
class DataLemma:
    """A formula that is claimed for all values of its variables."""

    name: str
    variables: tuple[Term, ...]
    formula: Term
    rule: Equation | None
    """The lemma as a rewrite rule with variables; None if it cannot be one."""
    stated: bool = True
    """Does the specification define an operator of this name? Otherwise it was found by otsrw, or is an axiom."""
    module: str = ""
    """The loose module that has it as an axiom; empty if it has to be proved."""
    span: Span = NOWHERE
    """Where the axiom is."""
    about: tuple[Term, ...] = ()
    """Terms that a case must speak of before the lemma is used as a premise; if there are none, it is always tried."""

    @property
    def text(self) -> str:
        """The lemma as users write it: a rewrite rule with its left side first."""
        if self.rule is None or self.stated:
            return show_plainly(self.formula)
        return f"{show_plainly(self.rule.left)} = {show_plainly(self.rule.right)}"

    def at(self, values: tuple[Term, ...]) -> Term:
        """The formula for some values of the variables."""
        return substitute(self.formula, dict(zip(self.variables, values, strict=True)))


def stated_lemma(symbol: Symbol, rules: dict[Symbol, list[Axiom]], connectives: Connectives) -> DataLemma | None:
    """The lemma that an operator of the specification states by one equation for all arguments; None if it does not."""
    axioms = rules.get(symbol, [])
    if len(axioms) != 1 or axioms[0].condition is not None or axioms[0].otherwise:
        return None
    arguments = axioms[0].lhs.args
    if not all(arg.op.variable for arg in arguments) or len(set(arguments)) < len(arguments):
        return None
    if not all(
        symbol.order.leq(s, a.sort) for decl in symbol.decls for s, a in zip(decl.arity, arguments, strict=True)
    ):
        return None
    formula = axioms[0].rhs
    if formula.sort is not connectives.true.sort or any(v not in arguments for v in variables_of(formula)):
        return None
    return DataLemma(symbol.name, arguments, formula, rule_of(formula, connectives, Why.DATA))


def is_about_data(symbol: Symbol, state_sort: Sort, connectives: Connectives) -> bool:
    """Is this an operator with a truth value and without a state among its arguments?"""
    return symbol.native is None and any(
        decl.coarity is connectives.true.sort and decl.arity and state_sort not in decl.arity for decl in symbol.decls
    )


def rule_of(formula: Term, connectives: Connectives, why: Why) -> Equation | None:
    """The formula as a rewrite rule that makes terms smaller; None if it is no such rule."""
    native = formula.op.native
    if native in EQUALITIES or native is _IFF:
        if len(formula.args) != 2:
            return None
        for left, right in (formula.args, formula.args[::-1]):
            if _may_be_rule(left, right):
                return Equation(left, right, why)
        return None
    atom, value = (formula.args[0], connectives.false) if native is _NOT else (formula, connectives.true)
    if atom.op.native in COMPARISONS:
        return None  # arithmetic concludes more from an instance than a rule does
    return Equation(atom, value, why) if _may_be_rule(atom, value) else None


def _may_be_rule(left: Term, right: Term) -> bool:
    if not left.args or left.op.native in CONNECTIVES or left.op.native in EQUALITIES:
        return False
    known = set(variables_of(left))
    if not known or not known.issuperset(variables_of(right)):
        return False
    size = _size(left)
    calls = [part for part in subterms(right) if _is_call(part)]
    return all(_size(part) < size for part in calls) or _descends(left, calls)


def _descends(left: Term, calls: list[Term]) -> bool:
    """Does the function on top of the left side take a smaller value at one place, wherever it is called again?"""
    if left.op.assoc or left.op.comm:
        return False
    again = [call for call in calls if call.op is left.op]
    inner = [set(subterms(argument)) - {argument} for argument in left.args]
    return any(all(call.args[place] in smaller for call in again) for place, smaller in enumerate(inner) if smaller)


def _is_call(term: Term) -> bool:
    native = term.op.native
    return bool(term.args) and native not in CONNECTIVES and native not in EQUALITIES and native is not Builtin.IF


def _size(term: Term) -> int:
    return sum(1 for _ in subterms(term))
