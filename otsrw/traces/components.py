"""Strongly connected components by Tarjan's algorithm, with a stack of its own: linear, and no recursion."""

from __future__ import annotations

from array import array
from collections.abc import Sequence


def strong_components(offsets: Sequence[int], heads: Sequence[int]) -> tuple[array[int], int]:
    """The component of each node and how many there are; a component has a greater number than those it leads to.

    The successors of node v are `heads[offsets[v]:offsets[v + 1]]`.
    """
    count = len(offsets) - 1
    index = array("i", bytes(4 * count))
    low = array("i", bytes(4 * count))
    component = array("i", [-1]) * count
    position = array("i", offsets[:-1])
    stack: list[int] = []
    visited = found = 0
    for root in range(count):
        if index[root]:
            continue
        visited += 1
        index[root] = low[root] = visited
        stack.append(root)
        path = [root]
        while path:
            node = path[-1]
            at, end = position[node], offsets[node + 1]
            lowest = low[node]
            while at < end:
                head = heads[at]
                at += 1
                if not index[head]:
                    visited += 1
                    index[head] = low[head] = visited
                    stack.append(head)
                    path.append(head)
                    break
                if component[head] < 0 and index[head] < lowest:
                    lowest = index[head]
            else:
                path.pop()
                if lowest == index[node]:
                    while True:
                        member = stack.pop()
                        component[member] = found
                        if member == node:
                            break
                    found += 1
                if path and lowest < low[path[-1]]:
                    low[path[-1]] = lowest
            position[node] = at
            low[node] = lowest
    return component, found
