"""A shared card as a player played it: the parts in their order, legal or not."""

from collections.abc import Sequence

from tock_rules.actions import PART, TO, FlatMove
from tock_rules.mechanics import Mechanics
from tock_rules.parts import Part, part_of
from tock_rules.seven_search import TOTAL
from tock_rules.shared_steps import walks
from tock_rules.state import State


def flat_in_order(
    engine: Mechanics, state: State, seat: int, code: int, parts: Sequence[Part], no_line: int = 0
) -> FlatMove | None:
    """The engine's move for these parts of a card in this order, None where that order is not legal."""
    for played in engine.plays_as[code]:
        action = engine.actions[played]
        found = _seven(engine, state, seat, parts, no_line) if action.seven else None
        if action.both_ways and len(parts) == 2:
            found = _both_ways(engine, state, seat, parts, action.both_ways)
        if found:
            return found
    return None


def _both_ways(
    engine: Mechanics, state: State, seat: int, parts: Sequence[Part], total: int
) -> FlatMove | None:
    first, second = parts
    control = engine.control(state, seat)
    if first.seat not in control or second.seat not in control or first.to_cell == second.from_cell:
        return None
    for steps in (*range(1, total), *range(-1, -total, -1)):
        for move in _fitting(walks(engine, state, first.seat, first.from_cell, steps), first):
            after = engine.apply(state, move)
            rest = steps - total if steps > 0 else steps + total
            if second.from_cell in after.pawns[engine.of_seat[second.seat]]:
                for following in _fitting(walks(engine, after, second.seat, second.from_cell, rest), second):
                    return move + following
    return None


def _fitting(moves: list[FlatMove], part: Part) -> list[FlatMove]:
    return [move for move in moves if part_of(move).key() == part.key()]


def _seven(
    engine: Mechanics, state: State, seat: int, parts: Sequence[Part], no_line: int
) -> FlatMove | None:
    """A part may open or close the way for the next, so the parts are tried one after the other."""
    twice = engine.split.repeat

    def play_rest(here: State, index: int, rest: int, moved: int, pawns: int) -> FlatMove | None:
        """Play the parts from `index` on with `rest` steps; `moved` are cells that moved pawns stand on, as a set."""
        if index == len(parts):
            return () if rest == 0 else None
        part = parts[index]
        # Whose pawns get the rest is asked again after each part only where the rules say so (open point A-21).
        control = engine.sharers(here if engine.split.mate_rest else state, seat)
        again = bool(moved >> part.from_cell & 1) if part.from_cell >= 0 else False
        if part.seat not in control or part.from_cell not in here.pawns[engine.of_seat[part.seat]]:
            return None
        if part.from_cell < 0 or (again and not twice) or pawns + (not again) > engine.split.pawns:
            return None
        # The text says where a part ends, not its steps: two ways of different length may end in one hole.
        for steps in range(1, rest + 1):
            for flat in _fitting(
                engine.part_moves(here, part.seat, part.from_cell, steps, no_line | moved), part
            ):
                now = (moved & ~(1 << part.from_cell)) | 1 << flat[TO]
                following = play_rest(
                    engine.apply(here, flat), index + 1, rest - steps, now, pawns + (not again)
                )
                if following is not None:
                    return flat + following
        return None

    found = play_rest(state, 0, TOTAL, 0, 0)
    return found if found and len(found) == PART * len(parts) else None
