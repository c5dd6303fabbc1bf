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
from tock_rules.walking import Closed, add_open_ways
from tock_rules.ways import Way

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
    """List the moves of two pawns that share `total` steps, one forward and one back: one for each result.

    Of two parts that neither meet nor bump a pawn one order is enough, and no other parts give the same board.
    """
    forward = [(steps, steps - total) for steps in range(1, total)]
    splits = [*forward, *((rest, steps) for steps, rest in forward)]
    pawns, occupied = _pawns(engine, state, control), state.occupied()
    rows = {
        (seat, steps): engine.tables.rows(seat, steps, OWN, False) for seat in control for steps, _ in splits
    }
    closed = {seat: engine.closed(state, seat) for seat in control}
    first = {
        (pawn, steps): _open(engine, state, pawn, rows[pawn[0], steps], closed[pawn[0]])
        for pawn in pawns
        for steps, _ in splits
    }
    apart: list[FlatMove] = []
    results: Results = {}
    for place, pawn in enumerate(pawns):
        for steps, rest in splits:
            for move in first[pawn, steps]:
                after: State | None = None
                bumps = occupied >> move[TO] & 1
                if bumps:
                    after = engine.apply(state, move)
                left = pawns if after is None else _pawns(engine, after, control)
                for number, other in enumerate(left):
                    way = rows[other[0], rest][other[1]]
                    if way is None or other == pawn or other[1] == move[TO]:
                        continue
                    if bumps or _meet(rows[pawn[0], steps][pawn[1]], pawn, way, other):
                        after = after or engine.apply(state, move)
                        ends = _open(engine, after, other, rows[other[0], rest])
                    else:
                        quiet = [end for end in first[other, rest] if not occupied >> end[TO] & 1]
                        apart += [move + end for end in quiet if place < number]
                        ends = [end for end in first[other, rest] if occupied >> end[TO] & 1]
                    for end in ends:
                        after = after or engine.apply(state, move)
                        results.setdefault(engine.apply(after, end).key(engine.per_seat), move + end)
    return apart + list(results.values())


def _open(
    engine: Mechanics, state: State, pawn: Pawn, rows: list[Way | None], closed: Closed | None = None
) -> list[FlatMove]:
    """List the open moves of a pawn; `closed` saves working it out for every one of them."""
    seat, cell = pawn
    if closed is None:
        closed = engine.closed(state, seat)
    out: list[FlatMove] = []
    protected, home = engine.protected_seats(state.own, state.fresh), state.occ[engine.first_home + seat]
    spared = protected if engine.king_spares else 0
    add_open_ways(out, rows[cell], state.occ, protected, home, closed, spared)
    return out


def _meet(way: Way | None, pawn: Pawn, second: Way, other: Pawn) -> bool:
    """Whether either part touches a hole that decides about the other."""
    cells = 1 << pawn[1] | (0 if way is None else way.depends_on)
    return bool(cells & (second.depends_on | 1 << other[1]))


def walks(engine: Mechanics, state: State, seat: int, cell: int, steps: int) -> list[FlatMove]:
    """List the moves of one pawn with a number of steps, negative backwards."""
    out: list[FlatMove] = []
    engine.add_ways(out, state, seat, engine.tables.rows(seat, steps, OWN, False)[cell])
    return out


def _pawns(engine: Mechanics, state: State, seats: Iterable[int]) -> list[Pawn]:
    return [(seat, cell) for seat in seats for cell in sorted(state.pawns[engine.of_seat[seat]]) if cell >= 0]
