"""A sort of a tight module has the values that its module builds, whoever imports it.

Another module may define functions into the sort. It adds a value if it declares a constructor of the sort, an operator
without equations in a tight module, or one that its equations tell from all values. A loose module that imports by
`ex`, `inc` or `us` does not even promise that an operator without equations has one of the values.

A new value that is told apart decides nothing: case splits count every operator declared `constr`, wherever it stands,
and take no value apart if a tight module has an operator without equations into its sort.
"""

from __future__ import annotations

from otsrw.reasoning import Assumed, Assumptions
from otsrw.records import NamedTuple
from otsrw.soundness.cone import Cone
from otsrw.soundness.coverage import Coverage
from otsrw.soundness.obligations import Obligation, ObligationKind, Status
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Span
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show_plainly
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import OpDecl, Symbol, Term, variables_of

_MODES = {"protecting": "pr", "extending": "ex", "including": "inc", "using": "us"}


class ProtectionDoubt(NamedTuple):
    """A value that the sort's module may not build."""

    status: Status
    span: Span
    why: str
    hint: str
    is_counted: bool = False
    """Do case splits know of the value?"""


def protection_obligations(cone: Cone, coverage: Coverage) -> list[Obligation]:
    """One obligation for each tight sort of the cone and each tight module that builds values of a loose sort."""
    checker = _Checker(cone, coverage)
    sorts = sorted((s for s in cone.sorts if checker.is_owned(s)), key=lambda s: s.number)
    return [*(checker.obligation(sort) for sort in sorts), *checker.foreign_constructors()]


class _Checker:
    def __init__(self, cone: Cone, coverage: Coverage) -> None:
        self.cone = cone
        self.coverage = coverage
        self.values = coverage.values
        self.order = cone.module.signature.order
        self.modules = [m for m in cone.module.closure() if not m.is_system]
        self._modes: dict[tuple[Module, Module], str | None] = {}

    def is_owned(self, sort: Sort) -> bool:
        home = self.cone.homes.get(sort)
        is_state = self.cone.ots is not None and sort is self.cone.ots.sort
        return home is not None and home.is_tight and not is_state and not sort.hidden

    def obligation(self, sort: Sort) -> Obligation:
        home = self.cone.homes[sort]
        doubts = [doubt for module in self.modules for doubt in self._doubts(sort, home, module)]
        decisive = [doubt for doubt in doubts if not doubt.is_counted]
        refuted = [doubt for doubt in decisive or doubts if doubt.status is Status.REFUTED]
        if not doubts:
            place = home.span if not home.is_system else self.cone.module.span
            return Obligation(ObligationKind.PROTECTED, sort.name, Status.PROVED, place, evidence="nothing is added")
        worst = (refuted or decisive or doubts)[0]
        status, span, why, hint, _ = worst
        return Obligation(
            ObligationKind.PROTECTED,
            sort.name,
            status,
            span,
            witness=why if status is Status.REFUTED else "",
            missing=why if status is Status.OPEN else "",
            hint=hint,
            notes=tuple(f"{doubt.span}: {doubt.why}" for doubt in doubts if doubt is not worst),
            decisive=bool(decisive),
        )

    def _doubts(self, sort: Sort, home: Module, module: Module) -> list[ProtectionDoubt]:
        if module is home or module in home.closure():
            return []
        mode = self.mode(module, home)
        if mode is None:
            return []
        found = [
            doubt
            for decl in module.decls
            if self.order.leq(decl.coarity, sort) and self._is_new(decl.coarity, home)
            if (doubt := self._of_operator(decl, sort, home, module, mode)) is not None
        ]
        found += self._of_subsorts(sort, home, module, mode)
        return found + self._of_equations(sort, home, module)

    def _is_new(self, sort: Sort, home: Module) -> bool:
        """Is this a sort that `home` sees? A subsort that a later module adds is doubted as a whole."""
        return sort in {s for inner in home.closure() for s in inner.sorts}

    # --- operators

    def _of_operator(self, decl: OpDecl, sort: Sort, home: Module, module: Module, mode: str) -> ProtectionDoubt | None:
        symbol = self.cone.module.signature.symbol_of(decl)
        if symbol is None or symbol.native is not None or (self.cone.ots and self.cone.ots.sort in decl.arity):
            return None
        if self.values.is_loose(decl.coarity):
            return None
        if home.is_system and symbol not in self.cone.functions:
            return None
        shown = show_plainly(self._applied(symbol, decl))
        hint = f"declare {decl.text} {{constr}} in {home.name}, or make {home.name} loose (mod*)"
        if decl.attributes.constructor:
            if mode != "pr" and module.is_tight:
                return None
            why = f"{shown} is a new value: {module.name} imports {home.name} by {mode}"
            status = Status.REFUTED if mode == "pr" else Status.OPEN
            return ProtectionDoubt(status, decl.span, why, hint, is_counted=True)
        if symbol in self.cone.rules:
            return self._of_function(symbol, decl, module, mode)
        if module.is_tight and not home.is_system:
            why = f"{shown} has no equation, so that it is a new value"
            return ProtectionDoubt(Status.REFUTED, decl.span, why, hint, is_counted=True)
        if self._differs_from_all(symbol, decl, sort):
            why = f"{shown} is none of {self._shown_shapes(sort)}"
            return ProtectionDoubt(Status.REFUTED, decl.span, why, hint)
        if mode != "pr" or module.is_tight:
            why = f"that {shown} is one of the values of {home.name}, which {module.name} imports by {mode}"
            return ProtectionDoubt(Status.OPEN, decl.span, why, hint)
        return None

    def _of_function(self, symbol: Symbol, decl: OpDecl, module: Module, mode: str) -> ProtectionDoubt | None:
        """A loose function with a gap has any value of the sort only if the import promises that."""
        if mode == "pr" or module.is_tight or (gap := self.coverage.gap(symbol)) is None:
            return None
        why = f"that {show_plainly(gap.term)} is one of the values that {module.name} imports by {mode}"
        return ProtectionDoubt(Status.OPEN, decl.span, why, f"import by pr, or define {decl.text} for all arguments")

    def _applied(self, symbol: Symbol, decl: OpDecl) -> Term:
        args: list[Term] = []
        for argument in decl.arity:
            args.append(self.coverage.fresh(argument, args))
        return symbol.make(tuple(args))

    def _differs_from_all(self, symbol: Symbol, decl: OpDecl, sort: Sort) -> bool:
        shapes = self.values.shapes(sort)
        term = self._applied(symbol, decl)
        if self.cone.module.signature.native(Builtin.EQUALS) in self.coverage.syntactic:
            return False
        return bool(shapes) and all(self._differs(term, shape) for shape in shapes or ())

    def _differs(self, term: Term, shape: Term) -> bool:
        bindings: dict[Term, Term] = {}
        for place in variables_of(shape):
            bindings[place] = self.coverage.fresh(place.sort, [term, *bindings.values()])
        same = self.cone.connectives.equal(term, substitute(shape, bindings))
        try:
            return Assumptions(self.coverage.bench).assuming([Assumed(same, True)]).contradiction is not None
        except OtsrwError:
            return False

    def _shown_shapes(self, sort: Sort) -> str:
        return ", ".join(
            shape.op.name if shape.args else show_plainly(shape) for shape in self.values.shapes(sort) or ()
        )

    # --- subsorts and equations

    def _of_subsorts(self, sort: Sort, home: Module, module: Module, mode: str) -> list[ProtectionDoubt]:
        """A sort put below the tight one has elements that become values of it.

        A tight module that does not promise to protect the sort may do so with a tight one, as with a constructor.
        """
        own = {s for inner in home.closure() for s in inner.sorts}
        found: list[ProtectionDoubt] = []
        for lower, upper in module.subsorts:
            if mode != "pr" and module.is_tight and not self.values.is_loose(lower):
                continue
            if upper in own and lower not in own and self.order.leq(upper, sort):
                why = f"the elements of {lower.name} become values of {sort.name}, which {home.name} builds"
                hint = f"declare a sort above {sort.name} for both"
                found.append(ProtectionDoubt(Status.REFUTED, module.span, why, hint))
        return found

    def _of_equations(self, sort: Sort, home: Module, module: Module) -> list[ProtectionDoubt]:
        """An equation of another module that rewrites a constructor makes two values one."""
        found: list[ProtectionDoubt] = []
        for symbol, axioms in self.cone.rules.items() if not home.is_system else ():
            if not symbol.is_constructor or not any(self.order.leq(d.coarity, sort) for d in symbol.decls):
                continue
            found += [self._rewritten(a, home) for a in axioms if a.module == module.name]
        return found

    def _rewritten(self, axiom: Axiom, home: Module) -> ProtectionDoubt:
        left, right = show_plainly(axiom.lhs), show_plainly(axiom.rhs)
        builders = self.values.builders
        certain = axiom.condition is None and axiom.lhs.ground and axiom.rhs.ground
        certain = certain and {axiom.lhs.op, axiom.rhs.op} <= builders and axiom.lhs is not axiom.rhs
        status = Status.REFUTED if certain else Status.OPEN
        why = f"{left} and {right} are made equal, which {home.name} keeps apart"
        if status is Status.OPEN:
            why = f"that {left} and {right} are the same value in {home.name} already"
        return ProtectionDoubt(status, axiom.span, why, f"write the equation in {home.name}")

    # --- imports

    def mode(self, module: Module, home: Module) -> str | None:
        """The weakest mode on the ways from a module to one that it imports; None if it does not."""
        key = (module, home)
        if key not in self._modes:
            self._modes[key] = self._find_mode(module, home)
        return self._modes[key]

    def _find_mode(self, module: Module, home: Module) -> str | None:
        weakest: str | None = None
        for imported in module.imports:
            below = "pr" if imported.module is home else self.mode(imported.module, home)
            if below is None:
                continue
            own = _MODES.get(imported.mode, imported.mode)
            way = own if own != "pr" else below
            if weakest is None or weakest == "pr":
                weakest = way
        return weakest

    # --- constructors of sorts that their module does not own

    def foreign_constructors(self) -> list[Obligation]:
        """Constructors in a tight module of a sort that a loose module declares: they need not differ."""
        found: list[Obligation] = []
        for symbol in self.cone.functions:
            for decl in symbol.decls:
                owner = self.cone.owners.get(decl)
                if owner is None or owner.is_system or not owner.is_tight or not decl.attributes.constructor:
                    continue
                home = self.cone.homes.get(decl.coarity)
                if home is None or home.is_tight or (self.cone.ots and decl.coarity is self.cone.ots.sort):
                    continue
                shown, sort = show_plainly(self._applied(symbol, decl)), decl.coarity.name
                found.append(
                    Obligation(
                        ObligationKind.PROTECTED,
                        shown,
                        Status.OPEN,
                        decl.span,
                        missing=f"that {shown} differs from other elements of {sort}: {home.name} is loose",
                        hint=f"leave out {{constr}}, or declare {sort} in a tight module (mod!)",
                    )
                )
        return found
