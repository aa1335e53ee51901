"""What a name of a text is, for outlines and for completion."""

from __future__ import annotations

from enum import Enum

from otsrw.editor.roles import OperatorRole


class NameKind(Enum):
    """What a name stands for."""

    MODULE = "module"
    VIEW = "view"
    PASSAGE = "passage"
    SORT = "sort"
    VARIABLE = "variable"
    OPERATOR = "operator"
    OBSERVER = "observer"
    TRANSITION = "transition"
    INVARIANT = "invariant"
    CONSTRUCTOR = "constructor"
    KEYWORD = "keyword"


_OF_ROLE = {
    OperatorRole.OBSERVER: NameKind.OBSERVER,
    OperatorRole.TRANSITION: NameKind.TRANSITION,
    OperatorRole.INVARIANT: NameKind.INVARIANT,
    OperatorRole.CONSTRUCTOR: NameKind.CONSTRUCTOR,
    OperatorRole.INITIAL: NameKind.CONSTRUCTOR,
}


def kind_of(role: OperatorRole | None) -> NameKind:
    """The kind of an operator with a role; without one it is a plain function."""
    return NameKind.OPERATOR if role is None else _OF_ROLE[role]
