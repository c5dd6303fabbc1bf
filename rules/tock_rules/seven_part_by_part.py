"""A seven played part by part: slow and plain, for what the tables of `seven` cannot know beforehand.

`search` plays every share in every order. House rules need it under which a pawn may get several parts, and so does a
part that brings the last own pawn home, after which a mate's pawns may move (open point A-21): which pawns may move
then depends on the parts before. `flat_in_order` follows one share in the order that a player played it.

Example: a seven with own pawns on T5 and T8 is shared in six ways, 1 + 6 to 6 + 1, and each in both orders. `search`
reaches a board twice wherever the order does not matter, and keeps the first move that led there.
"""

from collections.abc import Sequence
from typing import Final

from tock_rules.actions import PART, TO, FlatMove
from tock_rules.mechanics import Mechanics
from tock_rules.parts import Part, part_of
from tock_rules.state import State

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


def flat_in_order(
    engine: Mechanics, state: State, seat: int, parts: Sequence[Part], no_line: int = 0
) -> FlatMove | None:
    """The engine's move for these parts of a seven in this order, None where that order is not legal.

    A part may open or close the way for the next, so the parts are tried one after the other.
    """
    twice = engine.rules.seven_same_pawn_twice

    def play_rest(here: State, index: int, rest: int, moved: int, pawns: int) -> FlatMove | None:
        """Play the parts from `index` on with `rest` steps; `moved` are cells that moved pawns stand on, as a set."""
        if index == len(parts):
            return () if rest == 0 else None
        part = parts[index]
        # Whose pawns get the rest is asked again after each part only where the rules say so (open point A-21).
        control = engine.control(here if engine.rules.seven_partner_rest else state, seat)
        again = bool(moved >> part.from_cell & 1) if part.from_cell >= 0 else False
        if part.seat not in control or part.from_cell not in here.pawns[4 * part.seat : 4 * part.seat + 4]:
            return None
        if part.from_cell < 0 or (again and not twice) or pawns + (not again) > engine.rules.seven_pawns:
            return None
        # The text says where a part ends, not its steps: two ways of different length may end in one hole.
        for steps in range(1, rest + 1):
            for flat in engine.part_moves(here, part.seat, part.from_cell, steps, no_line | moved):
                if part_of(flat).key() != part.key():
                    continue
                now = (moved & ~(1 << part.from_cell)) | 1 << flat[TO]
                following = play_rest(
                    engine.apply(here, flat), index + 1, rest - steps, now, pawns + (not again)
                )
                if following is not None:
                    return flat + following
        return None

    found = play_rest(state, 0, TOTAL, 0, 0)
    return found if found and len(found) == PART * len(parts) else None
