"""Specifications in which `==` and `=/=` compare values: for the commands that prove something.

`N == M` asks whether two terms have the same normal form. Of values it says what `N = M` says, but of two constants of
a proof it says false, although they may stand for the same value. So a proof reads `=` instead, in the right sides and
conditions of equations: in the text, so that the proof score has what was read. The text is taken only if all equations
that it gives are those of the file with `=` for `==`. An equation that defines `=` by `==`, `(C = D) = (C == D)`, then
says nothing, and rewriting with it would not end: it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from otsrw.application.frames import declared_modules, framed
from otsrw.proofs import Session
from otsrw.proofs.workspace import ExpandedSource
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError
from otsrw.syntax.source import Source, Span
from otsrw.theory.axioms import is_transition
from otsrw.theory.builtins import SYNTACTIC_TESTS, Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import show_plainly
from otsrw.theory.terms import Term, subterms

_SAME, _DIFFERENT = "==", "=/="
_ENDS_OPERAND = frozenset(
    ("and", "or", "xor", "implies", "iff", "not", "and-also", "or-else", "if", "then", "else", "fi", ",", "=", "/\\")
)
"""Words that bind less than `=/=` does."""
Meaning = tuple[object, ...]
"""A term or an equation of any session."""


class _Edit(NamedTuple):
    """The text between two offsets is replaced."""

    start: int
    end: int
    text: str


def with_values_compared(source: Source) -> ExpandedSource:
    """The source with its frame equations and with `=` for `==`; a warning names the lines where `==` was."""
    expanded = framed(source)
    given = expanded.source
    if _SAME not in given.text and _DIFFERENT not in given.text:
        return expanded
    try:
        session, modules = declared_modules(given)
        changed = [item for module in modules for item in _comparing(module, session)]
        edits = [edit for item, is_empty in changed for edit in _edits(item, is_empty)]
        made = Source(given.name, _edited(given.text, edits), given.folder)
        if not edits or not _same_equations(session, modules, made):
            return expanded
    except OtsrwError:
        return expanded  # whoever runs the text tells what is wrong with it
    return ExpandedSource(made, (*expanded.problems, _warning([item.body.span for item, _ in changed])))


def _warning(places: list[Span]) -> Diagnostic:
    lines = [str(place.line) for place in places[1:]]
    notes = (f"so it is in line{'s' * (len(lines) > 1)} {', '.join(lines)}",) if lines else ()
    message = "'==' is read as '=', and '=/=' as 'not (.. = ..)': a proof is about values"
    return Diagnostic("W613", message, places[0], "write '=': then CafeOBJ proves the same", notes)


def _comparing(declared: tree.ModuleDeclaration, session: Session) -> Iterator[tuple[tree.AxiomDeclaration, bool]]:
    """Equations that compare data by their form, on the right side or in the condition; do they say nothing then?"""
    module = session.library.find(declared.name.text)
    if module is None:
        return
    axioms = {axiom.span: axiom for axiom in module.axioms}
    order = module.signature.order
    for item in declared.items:
        if not isinstance(item, tree.AxiomDeclaration) or item.span not in axioms:
            continue
        axiom = axioms[item.span]
        sides = [side for side in (axiom.rhs, axiom.condition) if side is not None]
        tests = [part for side in sides for part in subterms(side) if part.op.native in SYNTACTIC_TESTS]
        if tests and not any(order.is_hidden(argument.sort) for test in tests for argument in test.args):
            yield item, _says_nothing(axiom)


def _says_nothing(axiom: Axiom) -> bool:
    """Are both sides of an equation the same once `==` is `=`?"""
    return not axiom.is_transition and _meaning(axiom.lhs) == _meaning(axiom.rhs)


def _edits(item: tree.AxiomDeclaration, is_empty: bool) -> Iterator[_Edit]:
    """What changes in an equation behind the sign between its sides; one that says nothing becomes blank."""
    if is_empty:
        text, start = item.span.source.text, item.span.start
        end = text.index(".", item.body.ends[-1]) + 1
        yield _Edit(start, end, re.sub(r"[^\n]", " ", text[start:end]))
        return
    body, is_rule = item.body, is_transition(item.keyword)
    words = body.words
    depth, begun = 0, False
    for place, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if not begun:
            begun = depth == 0 and word == ("=>" if is_rule else "=")
        elif word == _SAME:
            yield _Edit(body.starts[place], body.ends[place], "= ")
        elif word == _DIFFERENT:
            first, last = _operand(words, place, -1), _operand(words, place, 1)
            yield _Edit(body.starts[first], body.starts[first], "not(")
            yield _Edit(body.starts[place], body.ends[place], "= ")
            yield _Edit(body.ends[last], body.ends[last], ")")


def _operand(words: list[str], place: int, step: int) -> int:
    """The word where the operand on one side of an operator ends."""
    opening, closing = ("(", ")") if step > 0 else (")", "(")
    depth = 0
    place += step
    while 0 <= place < len(words):
        depth += (words[place] == opening) - (words[place] == closing)
        if depth < 0 or (depth == 0 and words[place] in _ENDS_OPERAND):
            break
        place += step
    return place - step


def _edited(text: str, edits: list[_Edit]) -> str:
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


# --- is it what the file says?


def _same_equations(session: Session, modules: list[tree.ModuleDeclaration], made: Source) -> bool:
    """Do modules made of a text have the equations that the file gives, but for how they compare?"""
    names = [module.name.text for module in modules]
    return _equations(session, names) == _equations(declared_modules(made)[0], names)


def _equations(session: Session, names: list[str]) -> list[list[Meaning]]:
    found = [session.library.find(name) for name in names]
    known = [module.axioms for module in found if module is not None]
    return [[_key(axiom) for axiom in axioms if not _says_nothing(axiom)] for axioms in known]


def _key(axiom: Axiom) -> Meaning:
    condition = () if axiom.condition is None else _meaning(axiom.condition)
    marks = (axiom.is_transition, axiom.labels, axiom.executable, axiom.otherwise, axiom.behavioural)
    return (_meaning(axiom.lhs), _meaning(axiom.rhs), condition, *marks)


def _meaning(term: Term) -> Meaning:
    """A term without its symbols, which are those of one session; `==` is written as `=`."""
    native = term.op.native
    parts = tuple(map(_meaning, term.args))
    if native is Builtin.DIFFERENT:
        return ("", Builtin.NOT, "Bool", _equation(parts))
    if native in (Builtin.SAME, Builtin.EQUALS):
        return _equation(parts)
    head = (show_plainly(term) if not parts else term.op.name if native is None else "", native, term.sort.name)
    return (*head, *(sorted(parts, key=repr) if term.op.comm else parts))


def _equation(parts: tuple[Meaning, ...]) -> Meaning:
    return ("", Builtin.EQUALS, "Bool", *sorted(parts, key=repr))
