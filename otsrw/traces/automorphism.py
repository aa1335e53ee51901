"""Which entities can be exchanged in the graph of a system: checked state by state and step by step.

`otsrw.ots.symmetry` looks at the equations, and refuses entities that an equation lists in some order, as the maximum
of the numbers of p1, p2 and p3. Here the exchange itself is tried: it has to take each state of the graph to a state,
initial and bad ones to such ones, and each step to a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations

from otsrw.ots import Action
from otsrw.ots.graph import StateGraph
from otsrw.ots.stepping import Values
from otsrw.ots.symmetry import Renamer, Swap, Symmetry
from otsrw.theory.printing import show
from otsrw.theory.terms import Term
from otsrw.traces.orbits import Exchange
from otsrw.traces.trace import Label

MAX_STATES_TRIED = 20_000


def entity_groups_of(symmetry: Symmetry, graph: StateGraph) -> tuple[tuple[Term, ...], ...]:
    """The groups of a symmetry, joined where the exchange of two entities is an automorphism of the graph.

    `symmetry` has to take what is called bad into account, as the graph does.
    """
    groups = [list(group) for group in symmetry.groups]
    groups += [[told.entity] for told in symmetry.apart]
    if len(graph.states) > MAX_STATES_TRIED:
        return _several(groups)
    for one, other in combinations(range(len(groups)), 2):
        first, second = groups[one][:1], groups[other][:1]
        if first and second and first[0].op.decls[0].coarity is second[0].op.decls[0].coarity:
            swap = {first[0]: second[0], second[0]: first[0]}
            if is_automorphism(symmetry, graph, swap):
                groups[one] += groups[other]
                groups[other] = []
    return _several(groups)


def _several(groups: Iterable[list[Term]]) -> tuple[tuple[Term, ...], ...]:
    return tuple(tuple(group) for group in groups if len(group) > 1)


def is_automorphism(symmetry: Symmetry, graph: StateGraph, swap: Swap) -> bool:
    """Whether exchanging entities takes the graph to itself."""
    renamer = Renamer(swap)
    image: list[int] = []
    for values in graph.states:
        found = _image(symmetry, graph, values, renamer)
        if found is None:
            return False
        image.append(found)
    for marked in (graph.bad, frozenset(graph.initial), frozenset(graph.frontier)):
        if {image[number] for number in marked} != set(marked):
            return False
    steps = {(source, action.transition.name, action.arguments, target) for source, action, target in graph.steps}
    return all(
        (image[source], action.transition.name, _renamed(action, renamer).arguments, image[target]) in steps
        for source, action, target in graph.steps
    )


def exchanges_of(
    symmetry: Symmetry, graph: StateGraph, actions: Mapping[Label, Action], kept: Callable[[str], bool]
) -> Iterator[Exchange]:
    """Exchanges of two entities that make up all permutations of interchangeable ones, but those that are `kept`."""
    for group in entity_groups_of(symmetry, graph):
        free = [entity for entity in group if not kept(show(entity))]
        for other in free[1:]:
            yield _exchange(symmetry, graph, actions, free[0], other)


def _exchange(
    symmetry: Symmetry, graph: StateGraph, actions: Mapping[Label, Action], one: Term, other: Term
) -> Exchange:
    renamer = Renamer({one: other, other: one})

    @cache
    def state(number: int) -> int | None:
        return _image(symmetry, graph, graph.states[number], renamer)

    @cache
    def label(found: Label) -> Label:
        return label_of(_renamed(actions[found], renamer))

    return Exchange((show(one), show(other)), state, label)


def label_of(action: Action) -> Label:
    """An event as text."""
    return Label(action.transition.name, tuple("_" if a is None else show(a) for a in action.arguments))


def _image(symmetry: Symmetry, graph: StateGraph, values: Values, renamer: Renamer) -> int | None:
    """The number of the state that a state is taken to; None if that is no state of the graph."""
    try:
        return graph.numbers.get(symmetry.image(values, renamer))
    except KeyError:  # an observer is asked for at one of the entities only
        return None


def _renamed(action: Action, renamer: Renamer) -> Action:
    arguments = tuple(None if argument is None else renamer(argument) for argument in action.arguments)
    return Action(action.transition, arguments)
