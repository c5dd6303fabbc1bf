"""Steps of one card shared by several pawns, tried in every order.

The plain way, for cards that go both ways and for boards on which a pawn bumps others to their doors; a seven that only
takes is shared by `seven_search`.
"""

from collections.abc import Iterable

from tock_rules.actions import TO, FlatMove
from tock_rules.mechanics import Mechanics
from tock_rules.seven_search import TOTAL, Pawn
from tock_rules.state import State
from tock_rules.tables import OWN

Results = dict[object, FlatMove]
"""The first move found for each board."""


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


def both_ways(engine: Mechanics, state: State, control: tuple[int, ...], total: int) -> list[FlatMove]:
    """List the moves of two pawns that share `total` steps, one forward and one back: one for each result."""
    results: Results = {}
    for seat, cell in _pawns(engine, state, control):
        for steps in (*range(1, total), *range(-1, -total, -1)):
            for move in walks(engine, state, seat, cell, steps):
                after = engine.apply(state, move)
                rest = steps - total if steps > 0 else steps + total
                for other, there in _pawns(engine, after, control):
                    if there != move[TO]:
                        for following in walks(engine, after, other, there, rest):
                            key = engine.apply(after, following).key(engine.per_seat)
                            results.setdefault(key, move + following)
    return list(results.values())


def walks(engine: Mechanics, state: State, seat: int, cell: int, steps: int) -> list[FlatMove]:
    """List the moves of one pawn with a number of steps, negative backwards."""
    out: list[FlatMove] = []
    engine.add_ways(out, state, seat, engine.tables.rows(seat, steps, OWN, False)[cell])
    return out


def _pawns(engine: Mechanics, state: State, seats: Iterable[int]) -> list[Pawn]:
    return [(seat, cell) for seat in seats for cell in sorted(state.pawns[engine.of_seat[seat]]) if cell >= 0]
