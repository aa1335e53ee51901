"""Renamings of interchangeable entities, and what of an explanation is the same up to a renaming.

The names of entities are replaced in texts: in values, names of observers and arguments of events. Which entities are
interchangeable is not decided here; see `otsrw.ots.symmetry`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, permutations, product

from otsrw.records import dataclass, replace
from otsrw.traces.classification import Classification, CounterexampleClass
from otsrw.traces.constraints import Before, Contains, Equals, Fact, Placed, Satisfies, TraceConstraint
from otsrw.traces.trace import Value

MAX_RENAMINGS = 720
MAX_PERMUTED = 5

EntityRenaming = Mapping[str, str]
"""Names of entities, each with the name that takes its place; those that keep theirs are left out."""

_ConstraintKey = tuple[tuple[object, ...], ...]


@dataclass(frozen=True)
class EntityGroups:
    """Groups of names; all permutations inside the groups are renamings."""

    groups: tuple[tuple[str, ...], ...]

    def renamings(self) -> Iterator[EntityRenaming]:
        """The renamings, the one that changes nothing first; no more than `MAX_RENAMINGS`."""
        for chosen in islice(product(*(permutations(group) for group in self.groups)), MAX_RENAMINGS):
            names = [name for group in self.groups for name in group]
            images = [name for group in chosen for name in group]
            yield {name: image for name, image in zip(names, images, strict=True) if name != image}

    @cached_property
    def _names(self) -> re.Pattern[str]:
        names = sorted((name for group in self.groups for name in group), key=len, reverse=True)
        return re.compile(rf"(?<![\w'?*.-])(?:{'|'.join(map(re.escape, names))})(?![\w'?*.-])")

    def renamed(self, text: str, renaming: EntityRenaming) -> str:
        return self._names.sub(lambda found: renaming.get(found[0], found[0]), text) if renaming else text

    def value(self, value: Value, renaming: EntityRenaming) -> Value:
        return self.renamed(value, renaming) if isinstance(value, str) else value


def renaming_text(renaming: EntityRenaming) -> str:
    """`p1 and p2 exchanged`, or `p2 for p1, p3 for p2, p1 for p3`."""
    if len(renaming) == 2 and all(renaming[image] == name for name, image in renaming.items()):
        return f"{' and '.join(sorted(renaming))} exchanged"
    return ", ".join(f"{image} for {name}" for name, image in renaming.items())


def grouped(found: Classification, entities: EntityGroups) -> Classification:
    """The classification, with each class that is the image of an earlier one marked so.

    Classes with predicates of the user stay alone: such a predicate may tell the entities apart.
    """
    if not entities.groups:
        return found
    known: dict[_ConstraintKey, tuple[int, int | None]] = {}
    classes: list[CounterexampleClass] = []
    for number, found_class in enumerate(found.classes):
        first = None if _has_predicate(found_class.constraint) else _image_of(found_class, entities, known)
        if first is not None:
            classes.append(replace(found_class, image_of=first[0], renaming=tuple(first[1].items())))
            continue
        classes.append(found_class)
        if not _has_predicate(found_class.constraint):
            known[_key(found_class.constraint, entities, {})] = (number, found_class.covers)
    return replace(found, classes=tuple(classes))


def _image_of(
    found: CounterexampleClass, entities: EntityGroups, known: dict[_ConstraintKey, tuple[int, int | None]]
) -> tuple[int, EntityRenaming] | None:
    """An earlier class and the renaming that makes this one of it; None if there is none."""
    for renaming in entities.renamings() if known else ():
        first = known.get(_key(found.constraint, entities, renaming))
        if first is not None and first[1] == found.covers:
            return first[0], {image: name for name, image in renaming.items()}
    return None


def _has_predicate(constraint: TraceConstraint) -> bool:
    return any(isinstance(fact, Satisfies) and not fact.predicate.phrase for fact in constraint.facts)


def _key(constraint: TraceConstraint, entities: EntityGroups, renaming: EntityRenaming) -> _ConstraintKey:
    """The facts of a constraint, renamed, in a form that does not depend on the names of its positions."""
    positions = constraint.positions
    orders = permutations(range(len(positions))) if len(positions) <= MAX_PERMUTED else iter([range(len(positions))])
    found = (_facts_key(constraint.facts, dict(zip(positions, o, strict=True)), entities, renaming) for o in orders)
    return min(found, key=repr)


def _facts_key(
    facts: Sequence[Fact], numbers: Mapping[int, int], entities: EntityGroups, renaming: EntityRenaming
) -> _ConstraintKey:
    found: list[tuple[object, ...]] = []
    for fact in facts:
        places = tuple(numbers[position] for position in fact.positions)
        match fact:
            case Before():
                found.append(("before", places, "", ""))
            case Equals(_, variable, value):
                shown = f"{type(value).__name__} {entities.value(value, renaming)}"
                found.append(("equals", places, entities.renamed(variable, renaming), shown))
            case Contains(_, variable, element):
                named = entities.renamed(variable, renaming)
                found.append(("contains", places, named, entities.renamed(element, renaming)))
            case Placed(_, index):
                found.append(("placed", places, "", str(index)))
            case Satisfies(predicate, _):
                phrase = entities.renamed(predicate.phrase, renaming)
                if predicate.name == "same" and predicate.arity == 1:
                    phrase = " = ".join(sorted(phrase.split(" = ")))  # it does not matter which one comes first
                found.append(("satisfies", places, predicate.name, phrase))
    return tuple(sorted(found, key=repr))
