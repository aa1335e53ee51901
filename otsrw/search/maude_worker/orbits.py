"""One state for all states that differ by a renaming of interchangeable entities.

A state is a list of elements, each as text. Every entity gets a colour, a number that depends only on how the entity
occurs in the state; entities are then renamed in the order of their colours. Entities with the same colour are told
apart by the colours of those they occur with. If that does not help, either the swap of two leaves the state as it is,
and then their order means nothing, or both orders are tried and the least result is taken.

Whatever is chosen is the state under some renaming, so two states with the same result are in one orbit: a bad choice
of colours would cost time, and never loses a state.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from .terms import arguments, name_of

_MASK = (1 << 64) - 1
_PRIME = 0x9E3779B97F4A7C15
_SELF, _OTHER = 0x51ED270B0A1F4C53, 0x2545F4914F6CDD1D
_MOST_ORDERS = 120
"""Orders of entities that are compared for one state; with more, one orbit may have several states."""
_MOST_NODES = 40_000
"""Terms that are remembered."""

EntityColours = list[int]


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
        self._forget()

    def _forget(self) -> None:
        self._nodes: dict[Any, _Node] = {}
        self._elements: dict[str, _Node] = {}
        self._entities: list[_Node] = []
        for member, (name, _) in enumerate(self._constants):
            node = self._node(self._module.parseTerm(name))
            node.entity, node.members = member, (member,)
            self._entities.append(node)

    def canonical(self, elements: list[str]) -> list[str]:
        """The elements of the state that stands for the orbit, sorted."""
        if len(self._nodes) > _MOST_NODES:
            self._forget()
        nodes = [self._element(text) for text in elements]
        named = [node for node in nodes if node.members]
        colours = [0] * len(self._constants)
        for node in named:
            for member in node.members:
                colours[member] = (colours[member] + self._colour(node, member)) & _MASK
        self._left = _MOST_ORDERS
        chosen = self._least(named, colours)
        return sorted([*chosen, *(node.text for node in nodes if not node.members)])

    # --- orders of entities

    def _least(self, nodes: list[_Node], colours: EntityColours) -> list[str]:
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
            results: list[list[str]] = []
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

    def _different(self, nodes: list[_Node], tied: list[int]) -> list[int]:
        """Those of which none can be swapped with an earlier one without a change of the state."""
        found: list[int] = []
        for member in tied:
            if not any(self._is_fixed(nodes, other, member) for other in found):
                found.append(member)
        return found

    def _is_fixed(self, nodes: list[_Node], first: int, second: int) -> bool:
        """Is the state the same after a swap?"""
        swap = list(range(len(self._constants)))
        swap[first], swap[second] = second, first
        touched = [node for node in nodes if first in node.members or second in node.members]
        before = {node.text for node in touched}
        return all(self._image(node, swap).text in before for node in touched)

    def _renamed(self, nodes: list[_Node], colours: EntityColours) -> list[str]:
        renaming = [0] * len(self._constants)
        for group in self._groups:
            for place, member in enumerate(sorted(group, key=colours.__getitem__)):
                renaming[member] = group[place]
        return sorted([self._image(node, renaming).text for node in nodes])

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

    def _refined(self, nodes: list[_Node], colours: EntityColours) -> EntityColours:
        """Colours that also depend on the colours of the other entities in the same elements."""
        finer = [_mixed(colour, _OTHER) for colour in colours]
        for node in nodes:
            for member in node.members:
                finer[member] = (finer[member] + self._coloured(node, member, colours)) & _MASK
        return finer

    def _coloured(self, node: _Node, member: int, colours: EntityColours) -> int:
        if not node.members:
            return self._colour(node, -1)
        if node.entity is not None:
            return _SELF if node.entity == member else colours[node.entity]
        return _combined(node, [self._coloured(kid, member, colours) for kid in node.kids])

    # --- terms

    def _element(self, text: str) -> _Node:
        node = self._elements.get(text)
        if node is None:
            term = self._module.parseTerm(text)
            term.reduce()
            node = self._elements[text] = self._node(term)
            node.text = text
        return node

    def _node(self, term: Any) -> _Node:
        node = self._nodes.get(term)
        if node is None:
            symbol = term.symbol()
            name = name_of(symbol)
            kids = tuple([self._node(argument) for argument in arguments(term)])
            shown = name if kids else str(term)
            number = int.from_bytes(blake2b(shown.encode(), digest_size=8).digest(), "little")
            node = self._nodes[term] = _Node(term, symbol, number, kids, name in self._commutative)
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
            if node.text:
                found.text = found.text or str(term)
                self._elements[found.text] = found
        return found


def _combined(node: _Node, colours: list[int]) -> int:
    if node.is_commutative:
        return _mixed(node.name, sum(colours) & _MASK)
    value = node.name
    for colour in colours:
        value = _mixed(value, colour) + 1
    return value & _MASK
