"""Events in the soup: after a step an element says which transition was taken, with which arguments."""

from __future__ import annotations

from otsrw.records import dataclass
from otsrw.search.soup import SoupRule
from otsrw.search.writing import Writer
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Term, variables_of


@dataclass(frozen=True, eq=False, slots=True)
class RuleEvent:
    """The transition of a rule and its arguments, in terms of the variables that Maude tells the values of."""

    transition: str
    arguments: tuple[Term | None, ...]
    variables: tuple[Term, ...]

    def at(self, values: dict[Term, Term]) -> tuple[Term | None, ...]:
        return tuple(None if a is None else substitute(a, values) for a in self.arguments)


class EventWriter:
    """Writes the elements, one operator a rule.

    Each is wrapped in a unary operator that is declared before all others of a soup, because then Maude puts it first:
    what happened is found without a look at the rest of the soup.
    """

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.ready = writer.names.fresh("ready")
        self.did = writer.names.fresh("did")
        self.sort = writer.names.fresh_sort("Event")
        self.known: dict[str, RuleEvent] = {}

    def element(self, rule: SoupRule) -> str:
        """What a rule leaves in the soup."""
        found = dict.fromkeys(v for argument in rule.arguments if argument is not None for v in variables_of(argument))
        name = self.writer.names.fresh(f"event-{len(self.known) + 1}")
        self.known[name] = RuleEvent(rule.label, rule.arguments, tuple(found))
        arguments = f"({', '.join(map(self.writer.term, found))})" if found else ""
        return f"{self.did}({name}{arguments})"

    def declarations(self) -> list[str]:
        observed = self.writer.soup.observed
        lines = [
            f"  sort {self.sort} .",
            f"  op {self.did} : {self.sort} -> {observed} [ctor] .",
            f"  op {self.ready} : -> {observed} [ctor] .",
        ]
        for name, event in self.known.items():
            kinds = [self.writer.kind(self.writer.order.kind[v.sort]) for v in event.variables]
            lines.append(f"  op {name} : {' '.join(kinds)} -> {self.sort} [ctor] .")
        return lines

    def rules(self) -> list[str]:
        return [f"  rl {self.did}(Told:{self.sort}) => {self.ready} ."]
