"""An order of terms that does not depend on when they were made, so that every run makes the same choices."""

from __future__ import annotations

from otsrw.theory.terms import LiteralTerm, Term

_texts: dict[Term, str] = {}


def size_and_text(term: Term) -> tuple[int, str]:
    """Smaller terms first, then by what they look like."""
    text = _text(term)
    return len(text), text


def _text(term: Term) -> str:
    found = _texts.get(term)
    if found is None:
        if isinstance(term, LiteralTerm):
            found = repr(term.value)
        else:
            parts = [_text(arg) for arg in term.args]
            if term.op.comm:
                parts.sort()
            found = f"{term.op.name}({','.join(parts)})" if parts else term.op.name
        _texts[term] = found
    return found
