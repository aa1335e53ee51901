"""The explorer as an object, for Python: tables and the situation that the verbs so far have led to."""

from __future__ import annotations

from otsrw.traces.exploration import Answer, FocusView, Possibility, apply, view_of
from otsrw.traces.lts import Lts, Path
from otsrw.traces.product import Monitor
from otsrw.traces.situations import ExplorationTables
from otsrw.traces.temporal import TemporalProperty
from otsrw.traces.trace import Trace
from otsrw.traces.verbs import Verb, VerbName, read_verb


class Explorer:
    """Remembers where the verbs so far have led; `apply` does the work.

    >>> from otsrw.traces import Lts
    >>> explorer = Explorer(Lts.of(3, [0], [(0, "COIN", 1), (1, "TEA", 2), (1, "COFFEE", 2)]))
    >>> explorer.forward().possibility.name, explorer.pick("COFFEE").possibility.name
    ('POSSIBLE', 'POSSIBLE')
    """

    def __init__(self, system: Lts | ExplorationTables, claim: Monitor | TemporalProperty | None = None) -> None:
        """Of a whole system and what is claimed of it, or of tables that know the claim."""
        self.tables = system if isinstance(system, ExplorationTables) else ExplorationTables.of(system, claim)
        self.situation = self.tables.start
        """Where the exploration is; a situation of these tables may be assigned to go on from there."""

    @property
    def path(self) -> Path:
        """The run on display."""
        return self.tables.path(self.situation.scene)

    def export(self) -> Trace:
        """The run on display with its labels and observers."""
        return self.path.trace(self.tables.lts)

    def view(self) -> FocusView:
        return view_of(self.tables, self.situation.scene)

    def possible_types(self) -> dict[str, Possibility]:
        """For each event type, whether it can follow the focus on a violating run."""
        return dict(self.view().types)

    def perform(self, command: str) -> Answer:
        """Do what a command says, a verb with its argument, as in `pick TEA`."""
        return self._apply(read_verb(command))

    def look(self) -> Answer:
        """What is on display, unchanged."""
        return self._apply(Verb(VerbName.LOOK))

    def forward(self) -> Answer:
        """Focus on the next state; at the end of a run, make it longer."""
        return self._apply(Verb(VerbName.FORWARD))

    def back(self) -> Answer:
        """Focus on the previous state."""
        return self._apply(Verb(VerbName.BACK))

    def go(self, index: int) -> Answer:
        """Focus on a state of the run by its number."""
        return self._apply(Verb(VerbName.GO, str(index)))

    def other_outcome(self) -> Answer:
        """Another state after the previous event, or another initial state."""
        return self._apply(Verb(VerbName.OUTCOME))

    def other_parameters(self) -> Answer:
        """Another event of the same type from the state in focus."""
        return self._apply(Verb(VerbName.PARAMETERS))

    def pick(self, kind: str) -> Answer:
        """An event of some type as the next one."""
        return self._apply(Verb(VerbName.PICK, kind))

    def jump(self, forwards: bool = True) -> Answer:
        """Focus on the next, or the previous, neighbourhood of the run."""
        return self._apply(Verb(VerbName.NEXT if forwards else VerbName.PREVIOUS))

    def decided(self, most: bool = True) -> Answer:
        """Of the shortest runs from here, one with the most, or the fewest, neighbourhoods."""
        return self._apply(Verb(VerbName.MOST if most else VerbName.LEAST))

    def undo(self) -> Answer:
        """Take the last change back."""
        return self._apply(Verb(VerbName.UNDO))

    def bookmark(self, name: str) -> Answer:
        """Remember the run and the focus under a name."""
        return self._apply(Verb(VerbName.MARK, name))

    def return_to(self, name: str) -> Answer:
        """Go back to what a name remembers."""
        return self._apply(Verb(VerbName.RETURN, name))

    def grow(self) -> Answer:
        """Know more: look at four times as many states."""
        return self._apply(Verb(VerbName.GROW))

    def fill(self) -> Answer:
        """Know everything within the bounds; impossible if that is so already."""
        return self._apply(Verb(VerbName.FILL))

    def _apply(self, verb: Verb) -> Answer:
        answer = apply(self.tables, self.situation, verb)
        self.tables = answer.tables
        self.situation = answer.situation
        return answer
