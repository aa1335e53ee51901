"""What the meaning of an OTS depends on: its cone.

The cone of an OTS with some predicates holds the observers, transitions, initial states and predicates, and every
operator that occurs in an equation of an operator of the cone: in the right side and the condition, because it is
computed with, and in the left side, because the equation says something about its values. An equation belongs to the
operator on top of its left side. An equation on `=` belongs to the cone if the cone has values of the sort compared.
Constructors of the sorts of the cone are in it as well: a variable of a proof may stand for what they build. So are
equations on `and` and the other connectives, since formulas of proofs are made of them.

Equations outside the cone cannot change a value inside it. For a module without an OTS the cone is all that the module
sees, apart from the built-in modules.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from otsrw.ots.model import Ots
from otsrw.reasoning.connectives import Connectives
from otsrw.records import dataclass
from otsrw.soundness.sorttests import by_sorts
from otsrw.syntax.source import NOWHERE
from otsrw.theory.builtins import CONNECTIVES, Builtin
from otsrw.theory.modules import Axiom, Module, translated
from otsrw.theory.sorts import COSMOS, Kind, Sort
from otsrw.theory.terms import OpDecl, Symbol, Term, subterms


@dataclass(frozen=True, eq=False)
class Cone:
    """Operators with their equations, as terms of `module.signature`."""

    module: Module
    ots: Ots | None
    """The system the cone is of; None for a module of data."""
    functions: dict[Symbol, tuple[Axiom, ...]]
    """All user operators of the cone with the equations on them, in the order in which they are tried.

    A constructor, or an operator that is left loose, has none. The symbol of `=` is here if users gave it equations.
    """
    outside: dict[Symbol, tuple[Axiom, ...]]
    """Operators with equations that are not in the cone, and equations on `=` of sorts that are not."""
    builtin: dict[Symbol, tuple[Axiom, ...]]
    """Equations of the built-in modules."""
    ignored: tuple[Axiom, ...]
    """Equations that are not rewritten with, in the cone and outside."""
    sorts: frozenset[Sort]
    """The sorts of all terms that occur in the cone."""

    @property
    def extent(self) -> tuple[object, ...]:
        """The same for cones of a module that have the same operators, equations and sorts."""
        equalities = self.functions.get(self.module.signature.native(Builtin.EQUALS), ())
        return self.ots, tuple(self.functions), equalities, self.sorts

    @property
    def equations(self) -> list[Axiom]:
        """All equations of the cone that are rewritten with."""
        return [axiom for axioms in self.functions.values() for axiom in axioms]

    @cached_property
    def rules(self) -> dict[Symbol, list[Axiom]]:
        """All equations that the module is rewritten with, inside and outside the cone and built in."""
        found: dict[Symbol, list[Axiom]] = {}
        for table in (self.functions, self.outside, self.builtin):
            for symbol, axioms in table.items():
                if axioms:
                    found.setdefault(symbol, []).extend(axioms)
        return found

    @cached_property
    def connectives(self) -> Connectives:
        return Connectives(self.module.signature)

    @cached_property
    def homes(self) -> dict[Sort, Module]:
        """The module that declares a sort."""
        return {sort: module for module in self.module.closure() for sort in module.sorts}

    @cached_property
    def owners(self) -> dict[OpDecl, Module]:
        """The module that makes a declaration."""
        return {decl: module for module in self.module.closure() for decl in module.decls}

    def is_loose(self, symbol: Symbol) -> bool:
        """Is the operator declared in a module that may have many models (`mod*`)?"""
        return any(not self.owners[decl].is_tight for decl in symbol.decls if decl in self.owners)

    def is_state_operator(self, symbol: Symbol) -> bool:
        """Does the operator look at a state of the OTS, or give one?"""
        if self.ots is None or not symbol.decls:
            return False
        decl = symbol.decls[0]
        return self.ots.sort in decl.arity or decl.coarity is self.ots.sort


def cone_of(subject: Ots | Module, predicates: Iterable[str] | None = None, others: Iterable[Symbol] = ()) -> Cone:
    """The cone of an OTS with the predicates named (None: all of its invariants), or of a module of data.

    `others` are operators of the module that somebody reasons with besides.

    >>> from otsrw.ots import find_ots
    >>> from otsrw.proofs import load
    >>> cone = cone_of(find_ots(load("specs/tas.cafe")), ["mutex"])
    >>> sorted(symbol.name for symbol, equations in cone.functions.items() if equations)
    ['_=_', 'c-enter', 'c-leave', 'enter', 'leave', 'locked', 'mutex', 'pc']
    """
    module, ots = (subject.module, subject) if isinstance(subject, Ots) else (subject, None)
    assert not module.decided_equality, "in an instance different constants differ, so it says nothing of all values"
    search = _Search(module)
    if ots is None:
        search.take_all()
    else:
        connectives = [symbol for symbol in search.rules if symbol.native in CONNECTIVES]  # every proof uses them
        search.take([*_seeds(ots, None if predicates is None else frozenset(predicates)), *others, *connectives])
    return search.result(ots)


def _is_theorem(axiom: Axiom) -> bool:
    """Did otsrw add this equation on `=*=` itself, after it had proved it by coinduction?"""
    return axiom.labels == ("coinduction",) and axiom.span is NOWHERE


def _seeds(ots: Ots, predicates: frozenset[str] | None) -> list[Symbol]:
    chosen = [i.operator.symbol for i in ots.invariants if predicates is None or i.name in predicates]
    operators = [o.symbol for o in ots.observers] + [t.operator.symbol for t in ots.transitions]
    return [*ots.initials, *operators, *chosen]


class _EquationsRead:
    """The equations of a module; all its cones share them."""

    def __init__(self, module: Module) -> None:
        self.rules: dict[Symbol, list[Axiom]] = {}
        self.builtin: dict[Symbol, list[Axiom]] = {}
        self.ignored: list[Axiom] = []
        self.equalities: list[Axiom] = []
        """Equations on `=`, kept apart: they are taken by the sort they compare."""
        memo: dict[Term, Term] = {}
        connectives = Connectives(module.signature)
        for owner, axiom in module.flat_axioms():
            if axiom.is_transition or _is_theorem(axiom):
                continue
            moved = translated(axiom, owner, module.signature, memo)
            if owner.is_system:
                self.builtin.setdefault(moved.lhs.op, []).append(moved)
            elif not moved.executable:
                self.ignored.append(moved)
            elif moved.lhs.op.native is Builtin.EQUALS:
                self.equalities += by_sorts(moved, connectives)
            else:
                self.rules.setdefault(moved.lhs.op, []).extend(by_sorts(moved, connectives))


class _Search:
    """Collects the operators and sorts that are reached from some operators."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.signature = module.signature
        read = module.derived(_EquationsRead)
        self.rules = read.rules
        self.builtin = read.builtin
        self.ignored = read.ignored
        self.equalities = read.equalities
        self.constructors: dict[Kind, list[Symbol]] = {}
        for symbol in self._user_symbols():
            if symbol.is_constructor and symbol.kind is not None:
                self.constructors.setdefault(symbol.kind, []).append(symbol)
        self.found: dict[Symbol, None] = {}
        self.sorts: dict[Sort, None] = {}
        self.kinds: dict[Kind, None] = {}
        self.chosen_equalities: dict[Axiom, None] = {}

    def _user_symbols(self) -> list[Symbol]:
        own = {decl for inner in self.module.closure() if not inner.is_system for decl in inner.decls}
        return [s for s in self.signature.symbols() if any(decl in own for decl in s.decls)]

    # --- reaching

    def take(self, seeds: Iterable[Symbol]) -> None:
        todo = list(seeds)
        while todo:
            symbol = todo.pop()
            if symbol in self.found or symbol.variable:
                continue
            self.found[symbol] = None
            for decl in symbol.decls:
                todo += self._take_sorts((*decl.arity, decl.coarity))
            for axiom in self.rules.get(symbol, ()):
                todo += self._take_terms(axiom)

    def take_all(self) -> None:
        self.take([*self._user_symbols(), *self.rules])
        for module in self.module.closure():
            if not module.is_system:
                self.take(self._take_sorts(module.sorts))
        for axiom in self.equalities:
            self.take(self._take_equality(axiom))

    def _take_terms(self, axiom: Axiom) -> list[Symbol]:
        """The operators of an equation."""
        reached: list[Symbol] = []
        for side in (axiom.lhs, axiom.rhs, axiom.condition):
            for part in subterms(side) if side is not None else ():
                reached += self._take_sorts((part.sort,))
                reached.append(part.op)
        return reached

    def _take_sorts(self, sorts: Iterable[Sort]) -> list[Symbol]:
        """Enter the sorts; gives what a sort brings with it: its constructors, and equations on its `=`."""
        reached: list[Symbol] = []
        order = self.signature.order
        for sort in sorts:
            if sort is COSMOS or sort in self.sorts or sort not in order.kind:
                continue
            self.sorts[sort] = None
            kind = order.kind[sort]
            if kind in self.kinds:
                continue
            self.kinds[kind] = None
            reached += self.constructors.get(kind, ())
            for axiom in self.equalities:
                if order.kind.get(axiom.lhs.args[0].sort) is kind:
                    reached += self._take_equality(axiom)
        return reached

    def _take_equality(self, axiom: Axiom) -> list[Symbol]:
        if axiom in self.chosen_equalities:
            return []
        self.chosen_equalities[axiom] = None
        return self._take_terms(axiom)

    # --- the result

    def result(self, ots: Ots | None) -> Cone:
        user = set(self._user_symbols()) | set(self.rules)
        functions = {s: tuple(self.rules.get(s, ())) for s in self.signature.symbols() if s in self.found and s in user}
        functions |= {s: tuple(axioms) for s, axioms in self.rules.items() if not s.decls}  # a numeral on the left
        outside = {s: tuple(axioms) for s, axioms in self.rules.items() if s not in functions}
        if self.chosen_equalities:
            functions[self.signature.native(Builtin.EQUALS)] = tuple(
                axiom for axiom in self.equalities if axiom in self.chosen_equalities
            )
        others = tuple(axiom for axiom in self.equalities if axiom not in self.chosen_equalities)
        if others:
            outside[self.signature.native(Builtin.EQUALS)] = others
        builtin = {symbol: tuple(axioms) for symbol, axioms in self.builtin.items()}
        return Cone(self.module, ots, functions, outside, builtin, tuple(self.ignored), frozenset(self.sorts))
