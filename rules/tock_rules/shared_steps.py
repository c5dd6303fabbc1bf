"""Steps of one card shared by pawns that go both ways, and any shared card tried in every order.

The second is the plain way, for boards on which a part may bump a mate's pawn to its door, where it may change any
other part.
"""

from collections.abc import Iterable

from tock_rules.actions import TO, FlatMove
from tock_rules.mechanics import Mechanics
from tock_rules.seven_search import TOTAL, Sharer, Sharing
from tock_rules.state import State
from tock_rules.tables import OWN
from tock_rules.walking import Shares

Pawn = tuple[int, int]
"""Seat and cell."""
Results = dict[object, FlatMove]
"""The first move found for each board."""


def both_ways(engine: Mechanics, state: State, control: tuple[int, ...], total: int) -> list[FlatMove]:
    """List the moves of two pawns that share `total` steps, one forward and one back: one for each result.

    Parts that do not meet come to no board that other parts come to.
    """
    pawns: list[Sharer] = []
    for seat in control:
        rows = engine.tables.both_ways(seat, total)
        for cell in state.pawns[engine.of_seat[seat]]:
            shares = rows[cell]
            if shares is not None:
                pawns.append((seat, cell, shares))
    if len(pawns) < 2:
        return []
    if engine.may_bump_to_door(state, pawns):
        return _both_ways_in_every_order(engine, state, control, total)
    out: list[FlatMove] = []
    meet = False
    decides = {seat: engine.deciding(state, seat) for seat in control}
    before: list[tuple[Shares, list[list[FlatMove]]]] = []
    orders_of = engine.tables.orders
    for seat, _, other in pawns:
        theirs = other.options(*decides[seat])
        for one, mine in before:
            _, apart, meets = orders_of(one, other)
            meet = meet or meets
            for steps, rest in apart:
                ends = theirs[rest]
                if ends:
                    for part in mine[steps]:
                        out += [part + end for end in ends]
        before.append((other, theirs))
    return out + Sharing(engine, state, control, pawns).in_turn() if meet else out


def every_order(engine: Mechanics, state: State, seat: int, control: tuple[int, ...]) -> list[FlatMove]:
    """List one move of a seven per result, fewest parts first."""
    results: Results = {}
    layer: dict[object, tuple[State, int, frozenset[Pawn], FlatMove]]
    layer = {None: (state, TOTAL, frozenset(), ())}
    for parts_after in range(engine.seven_pawns - 1, -1, -1):
        following: dict[object, tuple[State, int, frozenset[Pawn], FlatMove]] = {}
        for here, left, moved, move in layer.values():
            playing = engine.control(here, seat) if engine.split.mate_rest else control
            for own, cell in _pawns(engine, here, playing):
                if (own, cell) in moved:
                    continue
                for steps in range(1 if parts_after else left, left + 1):
                    for part in engine.part_moves(here, own, cell, steps, 0):
                        after = engine.apply(here, part)
                        key = after.key(engine.per_seat)
                        if steps == left:
                            results.setdefault(key, move + part)
                        else:
                            now = moved | {(own, part[TO])}
                            following.setdefault(
                                (key, left - steps, now), (after, left - steps, now, move + part)
                            )
        layer = following
    return list(results.values())


def _both_ways_in_every_order(
    engine: Mechanics, state: State, control: tuple[int, ...], total: int
) -> list[FlatMove]:
    results: Results = {}
    for own, cell in _pawns(engine, state, control):
        for steps in (*range(1, total), *range(-1, -total, -1)):
            for part in walks(engine, state, own, cell, steps):
                after = engine.apply(state, part)
                for seat, other in _pawns(engine, after, control):
                    if (seat, other) != (own, part[TO]):
                        for end in walks(
                            engine, after, seat, other, steps - total if steps > 0 else steps + total
                        ):
                            results.setdefault(engine.apply(after, end).key(engine.per_seat), part + end)
    return list(results.values())


def walks(engine: Mechanics, state: State, seat: int, cell: int, steps: int) -> list[FlatMove]:
    """List the moves of one pawn with a number of steps, negative backwards."""
    out: list[FlatMove] = []
    engine.add_ways(out, state, seat, engine.tables.rows(seat, steps, OWN, False)[cell])
    return out


def _pawns(engine: Mechanics, state: State, seats: Iterable[int]) -> list[Pawn]:
    return [(seat, cell) for seat in seats for cell in sorted(state.pawns[engine.of_seat[seat]]) if cell >= 0]
