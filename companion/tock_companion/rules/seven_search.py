"""A seven played part by part in every order: slow and plain, for the house rules and moments that need it.

These are: a pawn may get several parts, and a part that brings the last own pawn home, after which a mate's pawns may
move (open point A-21). What may move then depends on the parts before, so no table made beforehand can help.
"""

from typing import Final

from tock_companion.rules.actions import TO, FlatMove
from tock_companion.rules.mechanics import Mechanics
from tock_companion.rules.state import State

TOTAL: Final = 7


def search(engine: Mechanics, state: State, seat: int, no_line: int) -> list[FlatMove]:
    """One move per distinct result, fewest parts first.

    A breadth-first search: each layer adds one part to every state reached so far. States reached twice with the same
    steps left and the same pawns moved are followed once.
    """
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
                    # `moved` holds where the pawns stand that had a part: with this one they get another.
                    again = cell >= 0 and moved >> cell & 1
                    if cell < 0 or (again and not twice) or (count == engine.rules.seven_pawns and not again):
                        continue
                    for steps in range(rest, 0, -1):
                        for part in engine.part_moves(here, own, cell, steps, no_line | moved):
                            then = engine.apply(here, part)
                            key = then.key()
                            if steps == rest:
                                results.setdefault(key, move + part)
                                continue
                            now = (moved & ~(1 << cell) & then.occupied()) | 1 << part[TO]
                            mark = (key, rest - steps, now, count if again else count + 1)
                            if mark not in seen:
                                seen.add(mark)
                                following.append((then, rest - steps, now, mark[3], move + part))
        layer = following
    return list(results.values())
