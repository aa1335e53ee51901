"""One state for all states that differ by a renaming of interchangeable entities.

A state is a soup of elements. An element that holds a collection, such as a network of messages, is taken apart: its
parts come again in many states, so each is read, renamed and printed once. Every entity gets a colour, a number that
depends only on how the entity occurs in the state; entities are then renamed in the order of their colours. Entities
with the same colour are told apart by the colours of those they occur with. If that does not help, either the swap of
two leaves the state as it is, and then their order means nothing, or both orders are tried and the least result is
taken.

Whatever is chosen is the state under some renaming, so two states with the same result are in one orbit: a bad choice
of colours would cost time, and never loses a state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import Any, NamedTuple

import maude

from .terms import arguments, name_of

_MASK = (1 << 64) - 1
_PRIME = 0x9E3779B97F4A7C15
_SELF, _OTHER = 0x51ED270B0A1F4C53, 0x2545F4914F6CDD1D
_MOST_ORDERS = 120
"""Orders of entities that are compared for one state; with more, one orbit may have several states."""
_MOST_NODES = 40_000
"""Terms that are remembered."""

EntityColours = list[int]
Chosen = list[tuple[str, str, int]]
"""Where a part is, its text, and how often it is there."""


def _mixed(first: int, second: int) -> int:
    value = ((first ^ second) * _PRIME) & _MASK
    return value ^ (value >> 29)


class _Node:
    """A term that occurs in states."""

    __slots__ = ("entity", "images", "is_commutative", "kids", "members", "name", "seen_by", "symbol", "term", "text")

    def __init__(self, term: Any, symbol: Any, name: int, kids: tuple[_Node, ...], is_commutative: bool) -> None:
        self.term = term
        self.symbol = symbol
        self.name = name
        self.kids = kids
        self.is_commutative = is_commutative
        self.entity: int | None = None
        self.members: tuple[int, ...] = tuple(sorted({member for kid in kids for member in kid.members}))
        self.seen_by: dict[int, int] = {}
        self.images: dict[tuple[int, ...], _Node] = {}
        self.text = ""


class _Holder(NamedTuple):
    """How an element is written that holds a collection: what is before, between and after the parts."""

    before: str
    between: str
    after: str

    def written(self, parts: Iterable[str]) -> str:
        return f"{self.before}{self.between.join(f'({part})' for part in parts)}{self.after}"


_WHOLE = ""
"""Where a part is that is an element by itself."""
_PartNumbers = dict[tuple[str, _Node], int]
"""Parts of a state, each with the element where it is, and how often it is there."""


class Orbits:
    """Finds the state that stands for an orbit; `groups` has the names of interchangeable constants."""

    def __init__(self, module: Any, groups: Iterable[Iterable[str]], commutative: Iterable[str]) -> None:
        self._module = module
        self._commutative = frozenset(commutative)
        self._constants = [(name, number) for number, group in enumerate(groups) for name in group]
        self._groups: list[list[int]] = []
        for member, (_, number) in enumerate(self._constants):
            if number == len(self._groups):
                self._groups.append([])
            self._groups[number].append(member)
        self._group_of = [number for _, number in self._constants]
        self._left = 0
        self._holders: dict[tuple[str, str, str], _Holder | None] = {}
        self._written: dict[str, _Holder] = {}
        self._numbers = {_WHOLE: 1}
        """An odd number for each place of parts."""
        self._forget()

    def _forget(self) -> None:
        self._nodes: dict[Any, _Node] = {}
        self._known: dict[str, list[tuple[str, _Node]]] = {}
        self._entities: list[_Node] = []
        for member, (name, _) in enumerate(self._constants):
            node = self._node(self._module.parseTerm(name))
            node.entity, node.members = member, (member,)
            self._entities.append(node)

    def canonical(self, elements: Sequence[str], terms: Iterable[Any]) -> list[str]:
        """The elements of the state that stands for the orbit, in an order that depends on nothing else.

        A state is given as text and as terms; the terms are looked at if there is a text that is new.
        """
        if len(self._nodes) + len(self._known) > _MOST_NODES:
            self._forget()
        known = self._known
        if not known.keys() >= set(elements):
            self._learn_all(elements, terms)
        parts: _PartNumbers = {}
        for element in elements:
            for part in known[element]:
                parts[part] = parts.get(part, 0) + 1
        named = {part: count for part, count in parts.items() if part[1].members}
        colours = [0] * len(self._constants)
        numbers = self._numbers
        for (place, node), count in named.items():
            weight = numbers[place] + 2 * count
            for member in node.members:
                colours[member] = (colours[member] + weight * self._colour(node, member)) & _MASK
        self._left = _MOST_ORDERS
        chosen = self._least(named, colours)
        chosen += [(place, _text(node), count) for (place, node), count in parts.items() if not node.members]
        return self._told(sorted(chosen))

    def _told(self, chosen: Chosen) -> list[str]:
        found = []
        for place, parts in groupby(chosen, lambda part: part[0]):
            texts = [text for _, text, count in parts for _ in range(count)]
            found += texts if place == _WHOLE else [self._written[place].written(texts)]
        return found

    # --- orders of entities

    def _least(self, nodes: _PartNumbers, colours: EntityColours) -> Chosen:
        refined = False
        while True:
            tied = self._tied(colours)
            if not tied:
                self._left -= 1
                return self._renamed(nodes, colours)
            others = [member for member in tied[1:] if not self._is_fixed(nodes, tied[0], member)]
            if not others:
                colours = colours.copy()
                for place, member in enumerate(tied):
                    colours[member] = _mixed(colours[member], place + 1)
                continue
            if not refined:
                finer = self._refined(nodes, colours)
                refined = len(set(finer)) == len(set(colours))
                colours = finer
                continue
            results: list[Chosen] = []
            for member in self._different(nodes, tied):
                if results and self._left <= 0:
                    break
                first = colours.copy()
                first[member] = _mixed(first[member], 1)
                results.append(self._least(nodes, first))
            return min(results)

    def _tied(self, colours: EntityColours) -> list[int]:
        """The first entities, in the order of groups and colours, that have the same colour; or nothing."""
        for group in self._groups:
            cells: dict[int, list[int]] = {}
            for member in group:
                cells.setdefault(colours[member], []).append(member)
            if len(cells) < len(group):
                return next(cells[colour] for colour in sorted(cells) if len(cells[colour]) > 1)
        return []

    def _different(self, nodes: _PartNumbers, tied: list[int]) -> list[int]:
        """Those of which none can be swapped with an earlier one without a change of the state."""
        found: list[int] = []
        for member in tied:
            if not any(self._is_fixed(nodes, other, member) for other in found):
                found.append(member)
        return found

    def _is_fixed(self, nodes: _PartNumbers, first: int, second: int) -> bool:
        """Is the state the same after a swap?"""
        swap = list(range(len(self._constants)))
        swap[first], swap[second] = second, first
        return all(
            nodes.get((place, self._image(node, swap))) == count
            for (place, node), count in nodes.items()
            if first in node.members or second in node.members
        )

    def _renamed(self, nodes: _PartNumbers, colours: EntityColours) -> Chosen:
        renaming = [0] * len(self._constants)
        for group in self._groups:
            for place, member in enumerate(sorted(group, key=colours.__getitem__)):
                renaming[member] = group[place]
        return sorted([(place, _text(self._image(node, renaming)), count) for (place, node), count in nodes.items()])

    # --- colours

    def _colour(self, node: _Node, member: int) -> int:
        """How an entity occurs in a term, whatever it and the other ones are called; -1 is nobody."""
        if member not in node.members:
            member = -1
        found = node.seen_by.get(member)
        if found is None:
            if node.entity is not None:
                found = _SELF if node.entity == member else _mixed(_OTHER, self._group_of[node.entity])
            else:
                found = _combined(node, [self._colour(kid, member) for kid in node.kids])
            node.seen_by[member] = found
        return found

    def _refined(self, nodes: _PartNumbers, colours: EntityColours) -> EntityColours:
        """Colours that also depend on the colours of the other entities in the same elements."""
        finer = [_mixed(colour, _OTHER) for colour in colours]
        for (place, node), count in nodes.items():
            weight = self._numbers[place] + 2 * count
            for member in node.members:
                finer[member] = (finer[member] + weight * self._coloured(node, member, colours)) & _MASK
        return finer

    def _coloured(self, node: _Node, member: int, colours: EntityColours) -> int:
        if not node.members:
            return self._colour(node, -1)
        if node.entity is not None:
            return _SELF if node.entity == member else colours[node.entity]
        return _combined(node, [self._coloured(kid, member, colours) for kid in node.kids])

    # --- terms

    def _learn_all(self, elements: Sequence[str], terms: Iterable[Any]) -> None:
        for term in terms:
            self._learn(str(term), term)
        for text in elements:
            if text not in self._known:  # it is printed in another way inside a state
                term = self._module.parseTerm(text)
                term.reduce()
                self._learn(text, term)

    def _learn(self, text: str, element: Any) -> None:
        """The parts of the collection that an element holds, if it holds that and nothing else; or the element."""
        if text not in self._known:
            inside = list(arguments(element))
            holder = self._holder(element, inside[0]) if len(inside) == 1 else None
            if holder is None:
                self._known[text] = [(_WHOLE, self._node(element))]
            else:
                self._known[text] = [(holder.before, self._node(part)) for part in arguments(inside[0])]

    def _holder(self, element: Any, value: Any) -> _Holder | None:
        """How the element is written, if its value is a collection whose order means nothing."""
        key = name_of(element.symbol()), name_of(value.symbol()), str(value.getSort())
        if key not in self._holders:
            holder = self._holders[key] = self._learned(element.symbol(), value.symbol(), key[2])
            if holder is not None:
                self._written[holder.before] = holder
                self._numbers[holder.before] = _number(holder.before) | 1
        return self._holders[key]

    def _learned(self, outer: Any, inner: Any, sort: str) -> _Holder | None:
        """What is around two variables is around all parts."""
        if not inner.hasAttr(maude.OP_COMM):
            return None
        first, second = (self._module.parseTerm(f"{name}:{sort}") for name in ("X", "Y"))
        before, _, rest = str(outer.makeTerm([inner.makeTerm([first, second])])).partition(str(first))
        between, found, after = rest.partition(str(second))
        return _Holder(before, between, after) if found else None

    def _node(self, term: Any) -> _Node:
        node = self._nodes.get(term)
        if node is None:
            symbol = term.symbol()
            name = name_of(symbol)
            kids = tuple([self._node(argument) for argument in arguments(term)])
            shown = name if kids else str(term)
            node = self._nodes[term] = _Node(term, symbol, _number(shown), kids, name in self._commutative)
        return node

    def _image(self, node: _Node, renaming: list[int]) -> _Node:
        """A term with its entities renamed."""
        if not node.members:
            return node
        if node.entity is not None:
            return self._entities[renaming[node.entity]]
        key = tuple([renaming[member] for member in node.members])
        if key == node.members:
            return node
        found = node.images.get(key)
        if found is None:
            term = node.symbol.makeTerm([self._image(kid, renaming).term for kid in node.kids])
            term.reduce()
            found = node.images[key] = self._node(term)
        return found


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def _combined(node: _Node, colours: list[int]) -> int:
    if node.is_commutative:
        return _mixed(node.name, sum(colours) & _MASK)
    value = node.name
    for colour in colours:
        value = _mixed(value, colour) + 1
    return value & _MASK


def _text(node: _Node) -> str:
    if not node.text:
        node.text = str(node.term)
    return node.text
