"""Is a formula true of one run? Evaluated straight from the meaning of the operators, without an automaton.

Every counterexample of a temporal property is checked with it before it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from otsrw.traces.ltl import FALSE, TRUE, Atom, Formula, normal


def holds_on_lasso(formula: Formula, letters: Sequence[int], loop: int, atoms: Sequence[Atom]) -> bool:
    """On the run whose positions have these letters and go on at `loop` after the last one."""
    bits = {atom: 1 << number for number, atom in enumerate(atoms)}
    last = len(letters) - 1

    def truth(part: Formula) -> list[bool]:
        match part.op:
            case "true" | "false":
                return [part.op == "true"] * len(letters)
            case "atom":
                assert part.atom is not None
                return [bool(letter & bits[part.atom]) for letter in letters]
        inner = [truth(inside) for inside in part.parts]
        match part.op:
            case "not":
                return [not value for value in inner[0]]
            case "and":
                return [a and b for a, b in zip(*inner, strict=True)]
            case "or":
                return [a or b for a, b in zip(*inner, strict=True)]
            case "next":
                return [inner[0][at + 1 if at < last else loop] for at in range(len(letters))]
        least = part.op == "until"
        found = [not least] * len(letters)
        for _ in range(2):
            for at in range(last, -1, -1):
                after = found[at + 1 if at < last else loop]
                left, right = inner[0][at], inner[1][at]
                found[at] = right or (left and after) if least else right and (left or after)
        return found

    return truth(formula)[0]


def is_decided_by(formula: Formula, letters: Sequence[int], atoms: Sequence[Atom]) -> bool:
    """Whether the formula is true of every run that begins with these positions, as far as rewriting it shows."""
    bits = {atom: 1 << number for number, atom in enumerate(atoms)}
    left = normal(formula)
    for letter in letters:
        left = _after(left, letter, bits)
    return left == TRUE


def _after(formula: Formula, letter: int, bits: dict[Atom, int]) -> Formula:
    """What is left of a formula in normal form after one position."""
    parts = formula.parts
    match formula.op:
        case "true" | "false":
            return formula
        case "atom":
            assert formula.atom is not None
            return TRUE if letter & bits[formula.atom] else FALSE
        case "not":
            return FALSE if _after(parts[0], letter, bits) == TRUE else TRUE
        case "and":
            return _both(*(_after(part, letter, bits) for part in parts))
        case "or":
            return _either(*(_after(part, letter, bits) for part in parts))
        case "next":
            return parts[0]
    left, right = (_after(part, letter, bits) for part in parts)
    if formula.op == "until":
        return _either(right, _both(left, formula))
    return _both(right, _either(left, formula))


def _both(left: Formula, right: Formula) -> Formula:
    return _joined("and", left, right, TRUE, FALSE)


def _either(left: Formula, right: Formula) -> Formula:
    return _joined("or", left, right, FALSE, TRUE)


def _joined(op: str, left: Formula, right: Formula, neutral: Formula, dominant: Formula) -> Formula:
    """Two formulas joined, without what says nothing new."""
    if dominant in (left, right):
        return dominant
    if left in (neutral, right) or (right.op == op and left in right.parts):
        return right
    return left if right == neutral else Formula(op, (left, right))
