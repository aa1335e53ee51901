"""`Rewriter(module).reduce(term)`: the public face of the engine."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from types import TracebackType

from otsrw.records import NamedTuple
from otsrw.rewriting.budget import MAX_DEPTH, Budget
from otsrw.rewriting.layers import Layer
from otsrw.rewriting.machine import Machine, ensure_depth, machine_by_sorts
from otsrw.rewriting.overlays import Overlay
from otsrw.rewriting.rules import Rule, with_completions
from otsrw.rewriting.runtime import Tracer
from otsrw.rewriting.search import Searcher, SearchNote
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.opened import OpenModule
from otsrw.theory.printing import show_briefly
from otsrw.theory.terms import Term


class Reduction(NamedTuple):
    """A normal form and what it cost; `notes` is what search predicates had to say."""

    term: Term
    rewrites: int
    seconds: float
    notes: tuple[SearchNote, ...] = ()


class Rewriter:
    """Reduces terms of one module; `assume` tells it of equations that an open module has got since.

    >>> import otsrw
    >>> session = otsrw.Session()
    >>> session.run_text("mod! M { [S] ops a b c : -> S eq a = b . eq b = c . }")
    >>> module = session.library.modules["M"]
    >>> reduction = Rewriter(module).reduce(module.signature.constants_named("a")[0].make(()))
    >>> str(reduction.term), reduction.rewrites
    ('c', 2)
    """

    def __init__(
        self,
        module: Module,
        tracer: Tracer | None = None,
        transitions: bool = False,
        behavioural: bool = False,
        layer: Layer | None = None,
        by_sorts: bool = False,
    ) -> None:
        """With a layer over the machine of the module, its equations are used as well.

        By sorts: ill-sorted Booleans are treated as in CafeOBJ (rewriting/booleans.py).
        """
        self.module = module
        self.tracer = tracer
        self.transitions = transitions
        self._assumed: list[Axiom] = []
        """Axioms of an open module that the layer has not got yet."""
        self.machine, self.layer = (
            _machine(module, tracer, transitions, behavioural, by_sorts) if layer is None else layer.placed
        )
        if layer is None and self.layer is not None:
            self._assumed += module.axioms
        self.runtime = self.machine.runtime

    def assume(self, axioms: Iterable[Axiom]) -> None:
        """Use these axioms of an open module, too; they are tried before the earlier ones."""
        self._assumed += axioms

    def reduce(self, term: Term, budget: Budget | None = None) -> Reduction:
        """The normal form of `term`; raises `BudgetExceeded` if it takes too long or nests too deep."""
        budget = budget or Budget()
        machine = self.machine
        ensure_depth(MAX_DEPTH)
        start = time.perf_counter()
        before = self.runtime.rewrites
        notes: list[SearchNote] = []
        machine.specials.search = lambda question: self._searched(question, budget, notes)
        try:
            with self._overlay():
                result = machine.run(term, budget)
        except RecursionError as error:
            raise _too_deep(error.__traceback__, machine) from None
        except BudgetExceeded as error:
            raise _with_redex(error, machine) from None
        except MemoryError:
            raise BudgetExceeded("E401", "the machine's memory is spent") from None
        return Reduction(result, self.runtime.rewrites - before, time.perf_counter() - start, tuple(notes))

    def _searched(self, question: Term, budget: Budget, notes: list[SearchNote]) -> Term:
        """What a search predicate says: no transition is taken before the search, even if `exec` takes them."""
        if not self.transitions:
            return Searcher(self.machine, self._transitions(), notes).evaluate(question)
        found = Rewriter(self.module, self.tracer).reduce(question, budget)
        notes.extend(found.notes)
        self.runtime.count(found.rewrites)
        return found.term

    def _overlay(self) -> Overlay:
        """The equations of an open module, those assumed since the last reduction included."""
        if self.layer is None:
            return self.runtime.bare
        if self._assumed:
            new = [a for a in self._assumed if a.executable and (self.transitions or not a.is_transition)]
            batch = [Rule.of(a) for a in sorted(new, key=lambda a: not a.is_transition)]
            self._assumed = []
            self.layer.add([rule for rule in batch if rule.is_usable])
        return self.layer

    def _transitions(self) -> list[Rule]:
        own = (
            [Rule.of(a) for a in self.module.axioms if a.is_transition and a.executable]
            if self.layer is not None and isinstance(self.module, OpenModule)
            else []
        )
        return with_completions(own) + self.machine.rulebase.transitions


def _machine(
    module: Module, tracer: Tracer | None, transitions: bool, behavioural: bool, by_sorts: bool
) -> tuple[Machine, Layer | None]:
    """How a module is compiled; a thin open one is a layer over its base, which is compiled once for all of them."""
    if not isinstance(module, OpenModule) or not module.is_thin:
        return Machine(module, tracer, transitions, behavioural, by_sorts), None
    base = module.base
    special = tracer is not None or transitions
    if special:
        machine = Machine(base, tracer, transitions, behavioural, by_sorts)
    else:
        machine = base.derived(machine_by_sorts if by_sorts else Machine)
    return machine, Layer(machine)


_INNERMOST = 2000


def _innermost_terms(traceback: TracebackType | None) -> list[Term]:
    """The terms under evaluation where an error struck, innermost last."""
    terms: list[Term] = []
    while traceback is not None:
        frame = traceback.tb_frame
        if frame.f_code.co_name == "norm":
            term = frame.f_locals.get("t")
            if isinstance(term, Term):
                terms.append(term)
                if len(terms) > _INNERMOST:
                    del terms[: _INNERMOST // 2]
        traceback = traceback.tb_next
    return terms


_FUNCTION = re.compile(r"f([0-9]+)(_[0-9x]+)?\Z")


def _innermost_symbols(traceback: TracebackType | None) -> set[int]:
    """Numbers of the symbols whose functions were running innermost."""
    names: list[str] = []
    while traceback is not None:
        names.append(traceback.tb_frame.f_code.co_name)
        if len(names) > _INNERMOST:
            del names[: _INNERMOST // 2]
        traceback = traceback.tb_next
    return {int(found.group(1)) for found in map(_FUNCTION.match, names[-20:]) if found}


def _redex_notes(traceback: TracebackType | None, machine: Machine) -> list[str]:
    numbers = _innermost_symbols(traceback)
    suspects = [r for symbol, rules in machine.rules_in_force() if symbol.number in numbers for r in rules]
    equations = [f"one of the equations involved: {r.axiom.span}" for r in suspects[:3]]
    terms = _innermost_terms(traceback)
    if not terms:
        return equations
    smallest = min(terms[-50:], key=lambda t: len(show_briefly(t)))
    notes = [f"while evaluating {show_briefly(smallest)}"]
    if len(set(terms[-50:])) < len(terms[-50:]):
        notes.append("the same term is evaluated again inside its own evaluation: its equations loop")
    return notes + equations


def _too_deep(traceback: TracebackType | None, machine: Machine) -> BudgetExceeded:
    return BudgetExceeded(
        "E403",
        "the evaluation nests too deep; an equation probably loops",
        hint="look at the equations of the operator shown, or use --trace",
        notes=_redex_notes(traceback, machine),
    )


def _with_redex(error: BudgetExceeded, machine: Machine) -> BudgetExceeded:
    told = error.problem
    return BudgetExceeded(
        told.code, told.message, told.span, told.hint, [*told.notes, *_redex_notes(error.__traceback__, machine)]
    )
