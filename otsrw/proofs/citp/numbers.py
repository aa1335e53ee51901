"""Terms that CafeOBJ cannot read in a goal, because it imports INT into every goal.

There `s(0)`, or a sort `Nat`, of the user's own has two readings (experiments e05 and e07). Such words are refused here
as well: a script that runs here should run there.
"""

from __future__ import annotations

from functools import cached_property

from otsrw.proofs.citp.context import ProofContext
from otsrw.proofs.citp.goals import Goal
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SortProblem, SyntaxProblem
from otsrw.theory.library import Library
from otsrw.theory.modules import Imported, Module
from otsrw.theory.parsing import Scope, readings_of

_INT = "INT"
_HINT = "CafeOBJ imports INT into every goal, so that the words mean a number, too; take other names"


class NumberReading:
    """Reads words as if INT was imported, where they may mean something in INT. Costs nothing elsewhere."""

    def __init__(self, context: ProofContext, library: Library) -> None:
        self._context = context
        self._library = library

    @cached_property
    def _numbers(self) -> Module | None:
        """INT; None if the context imports it, too."""
        found = self._library.find(_INT)
        return None if found in self._context.base.closure() else found

    @cached_property
    def _words(self) -> frozenset[str]:
        """Names of operators and sorts that INT has and the context has not."""
        known = set(self._context.base.closure())
        inner = [] if self._numbers is None else [m for m in self._numbers.closure() if m not in known]
        names = {word for module in inner for decl in module.decls for word in decl.name if word != "_"}
        return frozenset(names | {sort.name for module in inner for sort in module.sorts})

    def check_term(self, words: tree.Bubble, goal: Goal) -> None:
        """Refuse a term that has a second reading with numbers."""
        module = self._with_numbers(words, goal)
        if module is None:
            return
        self._check_sorts(words, module)
        known = self._context.module
        scope = Scope(module.signature, known.variables, known.lets, module)
        scope.declare_on_the_fly(words.words)
        readings, _ = readings_of(words, scope)
        if len(readings) > 1:
            raise SyntaxProblem("E112", f"ambiguous term: {len(readings)} readings", words.span, _HINT)

    def check_sentence(self, item: tree.AxiomDeclaration, goal: Goal) -> None:
        """Refuse a variable whose sort is ambiguous; of the readings of a sentence CafeOBJ takes one that fits."""
        self.check_variables(item.body, goal)

    def check_variables(self, words: tree.Bubble, goal: Goal) -> None:
        """Refuse a variable whose sort is ambiguous."""
        module = self._with_numbers(words, goal)
        if module is not None:
            self._check_sorts(words, module)

    def in_init(self, variable: str) -> str:
        """A variable with its sort, `N:Nat`, as `:init` has to name it: the sort is qualified if INT has one, too."""
        (sort, *_) = self._context.base.signature.sort_names[variable.rpartition(":")[2]]
        return f"{variable}.{sort.module}" if sort.name in self._words else variable

    def _with_numbers(self, words: tree.Bubble, goal: Goal) -> Module | None:
        """The module of a goal with INT; None if no word means something in INT."""
        known, context = self._words, self._context
        if not any(w in known or w.rpartition(":")[2] in known or w.isdecimal() for w in words.words):
            return None
        if self._numbers is None:
            return None
        imports = [Imported("pr", context.base), Imported("pr", self._numbers)]
        return Module(f"#Goal-{goal.name}", context.base.kind, imports, [*context.decls, *goal.decls])

    def _check_sorts(self, words: tree.Bubble, module: Module) -> None:
        for index, word in enumerate(words.words):
            name = word.rpartition(":")[2]
            found = module.signature.sort_names.get(name, ()) if name != word else ()
            if len(found) > 1:
                choices = ", ".join(f"{sort.name}.{sort.module}" for sort in found)
                message = f"sort name {name!r} is ambiguous: {choices}"
                raise SortProblem("E202", message, words.span_of(index), f"{_HINT}, or qualify the sort")
