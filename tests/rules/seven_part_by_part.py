"""A seven played part by part, every share in every order: slow and plain, to check `tock_rules.seven` against."""

from tock_rules.actions import TO, FlatMove
from tock_rules.mechanics import Mechanics
from tock_rules.seven_search import TOTAL
from tock_rules.state import State


def every_seven(engine: Mechanics, state: State, seat: int, no_line: int) -> list[FlatMove]:
    """List one move per distinct result, fewest parts first.

    Breadth first: each layer adds one part to every state reached so far. States reached twice with the same steps left
    and the same pawns moved are followed once.
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
