"""The answer to a term command, as data. Its texts are made when they are first asked for."""

from __future__ import annotations

from enum import Enum

from otsrw.records import NamedTuple
from otsrw.rewriting.search import SearchNote
from otsrw.syntax.source import Span
from otsrw.theory.modules import Module
from otsrw.theory.printing import show, show_sort, with_sort
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term


class TermCommandKind(Enum):
    """What a term command does with its term; the value is the name in JSON documents."""

    REDUCE = "red"
    EXECUTE = "exec"
    BEHAVIOURAL_REDUCE = "bred"
    PARSE = "parse"


class Naming(NamedTuple):
    """The names under which a module prints terms: its declared variables, and its sorts by name."""

    variables: dict[str, Term]
    sorts: dict[str, tuple[Sort, ...]]

    @classmethod
    def of(cls, module: Module) -> Naming:
        return cls(module.variables, module.signature.sort_names)

    def text(self, term: Term) -> str:
        return show(term, self.variables)

    def sort(self, term: Term) -> str:
        """The name of the term's sort."""
        return show_sort(term.sort, self.sorts)

    def with_sort(self, term: Term) -> str:
        """`(term):Sort`"""
        return with_sort(self.text(term), term, self.sorts)


class CommandResult:
    """One term command: what was asked, in which module, and the answer. `normal_form` is None if it failed."""

    __slots__ = (
        "_result",
        "asked",
        "command",
        "module",
        "naming",
        "normal_form",
        "notes",
        "rewrites",
        "seconds",
        "span",
    )

    def __init__(
        self,
        command: TermCommandKind,
        module: Module,
        asked: Term,
        span: Span,
        normal_form: Term | None = None,
        rewrites: int = 0,
        seconds: float = 0.0,
        notes: tuple[SearchNote, ...] = (),
    ) -> None:
        self.command = command
        self.module = module.name
        self.asked = asked
        self.span = span
        self.normal_form = normal_form
        self.rewrites = rewrites
        self.seconds = seconds
        self.notes = notes
        self.naming = Naming(module.variables, module.signature.sort_names)
        self._result: str | None = None

    @property
    def kind(self) -> str:
        """`red`, `exec`, `bred` or `parse`."""
        return self.command.value

    @property
    def term(self) -> str:
        """The text of the term that was given."""
        return self.naming.text(self.asked)

    @property
    def result(self) -> str | None:
        """The text of the answer; None if the command failed."""
        if self._result is None and self.normal_form is not None:
            self._result = show(self.normal_form, self.naming.variables)
        return self._result

    @property
    def sort(self) -> str | None:
        """The sort of the answer; None if the command failed."""
        return None if self.normal_form is None else self.naming.sort(self.normal_form)

    @property
    def shown_result(self) -> str:
        """The answer as CafeOBJ shows it, `(term):Sort`; empty if the command failed."""
        if self.normal_form is None or self.result is None:
            return ""
        return with_sort(self.result, self.normal_form, self.naming.sorts)
