"""What can be wrong with an input, as data; rendered to text in one place.

Every error of otsrw is an `OtsrwError` that carries one `Diagnostic`: a code, a kind, a sentence, a span, a hint. Codes
are stable and for people; whoever reacts to a problem asks for its kind. `codes.py` has them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from otsrw.records import NamedTuple
from otsrw.syntax.codes import CODES, ProblemKind
from otsrw.syntax.source import NOWHERE, Span

__all__ = [
    "BudgetExceeded",
    "Diagnostic",
    "OtsrwError",
    "ProblemKind",
    "SeveralProblems",
    "SortProblem",
    "SyntaxProblem",
    "TheoryProblem",
    "UnknownSort",
    "UnknownWord",
    "did_you_mean",
]


class _Problem(NamedTuple):
    code: str
    message: str
    span: Span
    hint: str | None
    notes: tuple[str, ...]
    kind: ProblemKind


class Diagnostic(_Problem):
    """Something wrong or odd with an input. Without a `kind` it has the kind of its code."""

    __slots__ = ()

    def __new__(
        cls,
        code: str,
        message: str,
        span: Span = NOWHERE,
        hint: str | None = None,
        notes: tuple[str, ...] = (),
        kind: ProblemKind | None = None,
    ) -> Diagnostic:
        return super().__new__(cls, code, message, span, hint, notes, kind or CODES[code].kind)

    @property
    def is_error(self) -> bool:
        return self.kind.is_error

    def under(self, code: str) -> Diagnostic:
        """The same problem with another code, and with the kind of that code."""
        return Diagnostic(code, self.message, self.span, self.hint, self.notes)

    def header(self) -> str:
        """One line: the place, the code, and what is wrong."""
        severity = "error" if self.is_error else "warning"
        where = "" if self.span is NOWHERE else f"{self.span}: "
        message = self.message if len(self.message) <= _LONGEST else self.message[:_LONGEST] + " ..."
        return f"{where}{severity} {self.code}: {message}"

    def render(self) -> str:
        """The header, the source line with a caret under the place, notes and hint."""
        lines = [self.header()]
        if self.span is not NOWHERE and self.span.source.text:
            lines += _excerpt(self.span)
        lines += [f"   = {note}" for note in self.notes]
        if self.hint:
            lines.append(f"   = hint: {self.hint}")
        return "\n".join(lines)


Tell = Callable[[Diagnostic], None]
"""Is told every problem, warnings too, when it is found."""


_EXCERPT_WIDTH = 160
_LONGEST = 400


def _excerpt(span: Span) -> list[str]:
    number = span.line
    text = span.source.line_text(number).rstrip()
    start = span.column - 1
    width = max(1, min(span.end - span.start, len(text) - start))
    if len(text) > _EXCERPT_WIDTH:
        cut = max(0, start - _EXCERPT_WIDTH // 2)
        text = text[cut : cut + _EXCERPT_WIDTH]
        start -= cut
        width = max(1, min(width, len(text) - start))
    text = "".join(c if c.isprintable() or c == "\t" else "�" for c in text)
    padding = "".join("\t" if c == "\t" else " " for c in text[:start])
    gutter = str(number)
    return [f" {gutter} | {text}", f" {' ' * len(gutter)} | {padding}{'^' * width}"]


class OtsrwError(Exception):
    """Root of the family; `problem` says what and where.

    >>> import otsrw
    >>> try:
    ...     otsrw.Specification("specs/tas.cafe").search("mutx")
    ... except otsrw.OtsrwError as error:
    ...     error.problem.code, error.problem.message, error.problem.hint
    ('E519', "there is no invariant 'mutx'", "did you mean 'mutex'?")
    """

    def __init__(
        self,
        code: str,
        message: str,
        span: Span = NOWHERE,
        hint: str | None = None,
        notes: Iterable[str] = (),
        kind: ProblemKind | None = None,
    ) -> None:
        super().__init__(message)
        self.problem = Diagnostic(code, message, span, hint, tuple(notes), kind)

    @classmethod
    def of(cls, problem: Diagnostic) -> OtsrwError:
        """An error that carries a problem found before."""
        return OtsrwError(problem.code, problem.message, problem.span, problem.hint, problem.notes, problem.kind)

    def __str__(self) -> str:
        return self.problem.header()

    def at(self, span: Span) -> OtsrwError:
        """The same error with a place, if it has none yet."""
        if self.problem.span is NOWHERE:
            p = self.problem
            self.problem = Diagnostic(p.code, p.message, span, p.hint, p.notes, p.kind)
        return self

    def all_problems(self) -> tuple[Diagnostic, ...]:
        """What is wrong, the first one first; most errors have one problem."""
        return (self.problem,)


class SeveralProblems(OtsrwError):
    """Many things are wrong at once; `problem` is the first of them."""

    def __init__(self, problems: Iterable[Diagnostic]) -> None:
        self.problems = tuple(problems)
        super().__init__(*self.problems[0])

    def all_problems(self) -> tuple[Diagnostic, ...]:
        return self.problems


class SyntaxProblem(OtsrwError):
    """The text is not of the language (E1)."""


class SortProblem(OtsrwError):
    """A sort is unknown, ambiguous or does not fit (E2)."""


class UnknownWord(SyntaxProblem):
    """A word of a term that nothing declares."""


class UnknownSort(SortProblem):
    """A sort that nothing declares."""


class TheoryProblem(OtsrwError):
    """A module, view or file is missing, cyclic or unusable (E3)."""


class BudgetExceeded(OtsrwError):
    """A budget of rewrites, time or depth is spent (E4)."""


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint with the nearest known names, or nothing."""
    import difflib

    close = difflib.get_close_matches(word, sorted(set(known)), n=3, cutoff=0.7)
    return f"did you mean {', '.join(repr(c) for c in close)}?" if close else None
