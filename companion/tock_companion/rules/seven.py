"""A seven shared by several pawns: every distinct result once (R004-18, SPEC A-20, A-21)."""

from typing import TYPE_CHECKING

from tock_companion.rules.state import State
from tock_companion.rules.tables import PART

if TYPE_CHECKING:
    from tock_companion.rules.engine import Engine, FlatMove

TOTAL = 7


def seven_moves(engine: "Engine", state: State, seat: int, no_line: int) -> list["FlatMove"]:
    """Return one move per distinct result, the one with the fewest parts, pawns in board order where that
    is possible.
    """
    control = engine.control(state, seat)
    walkers = [
        (own, cell)
        for own in control
        for cell in state.pawns[4 * own : 4 * own + 4]
        if 0 <= cell != engine.shape.centre
    ]
    if _independent(engine, state, control, walkers):
        return _product(engine, state, walkers, no_line)
    return _search(engine, state, seat, no_line)


def part_moves(
    engine: "Engine", state: State, seat: int, cell: int, steps: int, no_line: int
) -> list["FlatMove"]:
    """Return the moves of one pawn with one part of a seven."""
    out: list[FlatMove] = []
    block, land, sweep = engine.barriers(state, False)
    land |= engine.partner_cells(state, seat)
    if engine.lines:
        engine.walk_lines(out, (cell,), seat, steps, PART, state.occ, (block, land, sweep), no_line)
    else:
        engine.walk(out, (cell,), seat, engine.tables.rows(seat, steps, PART), state.occ, block, land, sweep)
    return out


def _independent(
    engine: "Engine", state: State, control: tuple[int, ...], walkers: list[tuple[int, int]]
) -> bool:
    """Whether no pawn can get near another one, so that the order of the parts does not matter."""
    if engine.rules.seven_same_pawn_twice:
        return False
    near = 0
    for own, cell in walkers:
        reach = engine.tables.reach(own, cell)
        if reach & near:
            return False
        near |= reach
    # The last own pawns may come home with some parts, and the rest then moves a mate's.
    for own in control:
        home = engine.homes[own]
        if engine.mates[own] and all(
            c >= 0 and engine.tables.reach(own, c) & home for c in state.pawns[4 * own : 4 * own + 4]
        ):
            return False
    return True


def _product(
    engine: "Engine", state: State, walkers: list[tuple[int, int]], no_line: int
) -> list["FlatMove"]:
    """Combine the parts of pawns that do not meet, in board order."""
    shared: list[list[list[FlatMove]]] = [
        [part_moves(engine, state, own, cell, steps, no_line) for steps in range(1, TOTAL + 1)]
        for own, cell in walkers
    ]
    most = engine.rules.seven_pawns
    out: list[FlatMove] = []

    def share(index: int, rest: int, parts: int, move: "FlatMove") -> None:
        if rest == 0:
            out.append(move)
            return
        if index == len(shared) or parts == most:
            return
        for steps in range(rest, 0, -1):
            for part in shared[index][steps - 1]:
                share(index + 1, rest - steps, parts + 1, move + part)
        share(index + 1, rest, parts, move)

    share(0, TOTAL, 0, ())
    return out


def _search(engine: "Engine", state: State, seat: int, no_line: int) -> list["FlatMove"]:
    """Try the parts one after the other in every order, fewest parts first, and keep each new result."""
    twice = engine.rules.seven_same_pawn_twice
    results: dict[object, FlatMove] = {}
    layer: list[tuple[State, int, int, int, FlatMove]] = [(state, TOTAL, 0, 0, ())]
    while layer:
        following: list[tuple[State, int, int, int, FlatMove]] = []
        seen: set[object] = set()
        for here, rest, moved, count, move in layer:
            control = (
                engine.control(here, seat)
                if engine.rules.seven_partner_rest or not move
                else engine.control(state, seat)
            )
            for own in control:
                for cell in here.pawns[4 * own : 4 * own + 4]:
                    again = cell >= 0 and moved >> cell & 1
                    if cell < 0 or (again and not twice) or (count == engine.rules.seven_pawns and not again):
                        continue
                    for steps in range(rest, 0, -1):
                        for part in part_moves(engine, here, own, cell, steps, no_line | moved):
                            then = engine.apply(here, part)
                            key = then.key()
                            if steps == rest:
                                results.setdefault(key, move + part)
                                continue
                            now = (moved & ~(1 << cell) & then.occ) | 1 << part[3]
                            mark = (key, rest - steps, now, count if again else count + 1)
                            if mark not in seen:
                                seen.add(mark)
                                following.append((then, rest - steps, now, mark[3], move + part))
        layer = following
    return list(results.values())
