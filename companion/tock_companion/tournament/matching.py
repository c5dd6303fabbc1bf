"""Minimum-cost matching by rustworkx's maximum weight matching, with costs turned into weights."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from rustworkx import PyGraph, max_weight_matching

Node = TypeVar("Node")
Left = TypeVar("Left")
Right = TypeVar("Right")


def pairs_of_least_cost(
    nodes: Sequence[Node], cost: Callable[[Node, Node], int | None]
) -> list[tuple[Node, Node]] | None:
    """Pair all nodes at the least total cost; None if that is impossible (`cost` None: never these two)."""
    edges = [
        (one, other, price)
        for one in range(len(nodes))
        for other in range(one + 1, len(nodes))
        if (price := cost(nodes[one], nodes[other])) is not None
    ]
    matched = _matched(len(nodes), edges)
    if 2 * len(matched) != len(nodes):
        return None
    return [(nodes[one], nodes[other]) for one, other in sorted(matched)]


def assigned_at_least_cost(
    lefts: Sequence[Left], rights: Sequence[Right], cost: Callable[[Left, Right], int | None]
) -> list[Right] | None:
    """The right partner of each left one, all different, at the least total cost; None if that is impossible."""
    edges = [
        (one, len(lefts) + other, price)
        for one, left in enumerate(lefts)
        for other, right in enumerate(rights)
        if (price := cost(left, right)) is not None
    ]
    matched = _matched(len(lefts) + len(rights), edges)
    if len(matched) != len(lefts):
        return None
    return [rights[other - len(lefts)] for _, other in sorted(matched)]


def _matched(nodes: int, edges: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    graph: PyGraph[int, int] = PyGraph()
    graph.add_nodes_from(range(nodes))
    dearest = max((price for _, _, price in edges), default=0)
    graph.add_edges_from([(one, other, dearest + 1 - price) for one, other, price in edges])
    found = max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(min(pair), max(pair)) for pair in found]
