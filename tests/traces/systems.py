"""Systems for tests of the explorer, and a walk through one by a row of the paper's table."""

from __future__ import annotations

from collections.abc import Mapping

from otsrw.traces import Explorer, Lts, Possibility, Safety

CHOICES = Lts.of(
    7,
    [0],
    [
        (0, "send(a)", 1),
        (0, "send(b)", 2),
        (0, "tick", 3),
        (1, "lose", 4),
        (1, "lose", 5),
        (2, "lose", 5),
        (3, "tick", 6),
        (0, "stop", 4),
    ],
    ["x", "[bold]"],
    [(number, "same") for number in range(7)],
    frontier=[6],
)
"""Something of everything: other parameters, other outcomes, a type that is impossible, one that is unknown."""
BAD = Safety(frozenset([5]))


def offered(explorer: Explorer) -> set[str]:
    return {kind for kind, how in explorer.possible_types().items() if how is Possibility.POSSIBLE}


def walk(explorer: Explorer, row: str, names: Mapping[str, str] | None = None) -> None:
    """Some initial state allows what a row of the table says; `names` are those of the event types, if others."""
    while not _follow(explorer, row.split("; "), names or {}):
        while explorer.view().focus:
            explorer.back()
        assert explorer.other_outcome(), "no initial state fits the table"


def _follow(explorer: Explorer, row: list[str], names: Mapping[str, str]) -> bool:
    """Whether the exploration can go on as a row says, trying all parameters."""
    if not row:
        return True
    event, _, others = row[0].partition(" +")
    kind, *alternatives = (names.get(name, name) for name in (event[:-1], *filter(None, others.split(","))))
    if offered(explorer) != {kind, *alternatives} or not explorer.pick(kind):
        return False
    while True:
        view = explorer.view()
        assert view.event is not None
        if view.event.arguments[0] == f"g{event[-1]}":
            explorer.bookmark(str(len(row)))
            explorer.forward()
            if _follow(explorer, row[1:], names):
                return True
            explorer.return_to(str(len(row)))
        if not explorer.other_parameters():
            return False
