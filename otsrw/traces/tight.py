"""An automaton that knows the future: its state says which formulas will be true at the next position.

What is true from the next position on depends only on the rest of the run. So on a run that goes round a loop for ever
the automaton goes round the same loop: a shortest lasso of the system is a shortest lasso of the product. The automaton
of `tableau` needs fewer states, but may need several rounds before it is in the same state again.

(V. Schuppan and A. Biere, *Shortest counterexamples for symbolic model checking of LTL with past*, call this tight.)
"""

from __future__ import annotations

from otsrw.traces.ltl import Atom, Formula

MAX_TEMPORAL = 10

Way = tuple[int, int]
"""What is true at the next position, and the marks of this one."""


class TightAutomaton:
    """A promise has a bit for each temporal subformula: whether it is true at the next position.

    For `X f` the bit says whether `f` is. Marks say at which positions no `until` waits in vain: a run is accepted if
    it has each mark infinitely often.
    """

    def __init__(self, formula: Formula, atoms: tuple[Atom, ...]) -> None:
        self._atoms = {atom: 1 << number for number, atom in enumerate(atoms)}
        self._root = formula
        self._parts = list(dict.fromkeys(parts_of(formula)))
        self._temporal = [part for part in self._parts if part.op in ("until", "release", "next")]
        fixpoints = [part for part in self._temporal if part.op != "next"]
        self._marks = {part: 1 << number for number, part in enumerate(fixpoints)}
        self.all_marks = (1 << len(fixpoints)) - 1
        self._ways: dict[int, dict[int, list[Way]]] = {}
        self._starts: dict[int, list[int]] = {}

    @property
    def is_small(self) -> bool:
        """Whether its tables can be computed: they are exponential in the number of temporal operators."""
        return len(self._temporal) <= MAX_TEMPORAL

    def ways(self, letter: int, promise: int) -> list[Way]:
        """How a position with this letter can keep what the position before it has promised."""
        if letter not in self._ways:
            self._compute(letter)
        return self._ways[letter].get(promise, [])

    def starts(self, letter: int) -> list[int]:
        """What a first position with this letter may promise if the formula is true there."""
        if letter not in self._starts:
            self._compute(letter)
        return self._starts[letter]

    def is_constant(self, letter: int, promise: int) -> bool:
        """Whether the promise is kept by positions that all have this letter."""
        return any(way == (promise, self.all_marks) for way in self.ways(letter, promise))

    def _compute(self, letter: int) -> None:
        ways: dict[int, list[Way]] = {}
        starts: list[int] = []
        for following in range(1 << len(self._temporal)):
            truth = self._truth(letter, following)
            promised = 0
            for number, part in enumerate(self._temporal):
                promised |= truth[part.parts[0] if part.op == "next" else part] << number
            marks = 0
            for part, mark in self._marks.items():
                right = truth[part.parts[1]]
                fulfilled = right or not truth[part] if part.op == "until" else truth[part] or not right
                marks |= mark if fulfilled else 0
            ways.setdefault(promised, []).append((following, marks))
            if truth[self._root]:
                starts.append(following)
        self._ways[letter], self._starts[letter] = ways, starts

    def _truth(self, letter: int, following: int) -> dict[Formula, bool]:
        """The truth of all subformulas at a position with this letter, if `following` is true at the next one."""
        truth: dict[Formula, bool] = {}
        later = {part: bool(following >> number & 1) for number, part in enumerate(self._temporal)}
        for part in self._parts:
            inner = [truth[inside] for inside in part.parts]
            match part.op:
                case "true" | "false":
                    truth[part] = part.op == "true"
                case "atom":
                    assert part.atom is not None
                    truth[part] = bool(letter & self._atoms[part.atom])
                case "not":
                    truth[part] = not inner[0]
                case "and":
                    truth[part] = all(inner)
                case "or":
                    truth[part] = any(inner)
                case "next":
                    truth[part] = later[part]
                case "until":
                    truth[part] = inner[1] or (inner[0] and later[part])
                case _:
                    truth[part] = inner[1] and (inner[0] or later[part])
        return truth


def parts_of(formula: Formula) -> list[Formula]:
    """All subformulas, each after its own parts."""
    found: list[Formula] = []
    for part in formula.parts:
        found += parts_of(part)
    return [*found, formula]
