"""A pawn that lies halfway between two holes, drawn and read as a camera does: it is named within three seconds."""

from collections.abc import Callable
from math import hypot
from typing import Any

import pytest

from tests.support.drawn import START, moved
from tests.support.dry_table import dry_table
from tock_companion.boardfile import BoardFile
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.replaying import DryTable
from tock_rules import Card, Seat
from tock_vision.reader import BoardReader
from tock_vision.rendering.appearance import DrawnPawn, named_color

pytestmark = pytest.mark.whole

NAMED_MS = 3000
PLACES = (3, 40, *(pytest.param(cell, marks=pytest.mark.slow) for cell in (9, 24, 30, 58, 66)))
"""Track holes; the pawn lies between each and the next."""
BEFORE = moved(dict(START), "P0-C1", "T20")


def table_with_pawn_at(board: BoardFile, draw: Callable[..., Any], x_mm: float, y_mm: float) -> DryTable:
    """A table that has seen a pawn leave its hole and lie elsewhere for three seconds."""
    here = {"P0": ["camp"] * 3 + ["T20"], **{f"P{seat}": ["camp"] * 4 for seat in (1, 2, 3)}}
    table = dry_table(board, GameSetup(position=here))
    reader = BoardReader(board)
    frame = draw(BEFORE)
    for t_ms in (0, 100, 200):
        table.take(reader.read_frame(frame, t_ms).observation("camera"))
    table.ask(parse_request("play_card", {"card": str(Card.parse("8H"))}, Role.SEAT, Seat.P0), 200)
    lying = DrawnPawn(x_mm, y_mm, named_color(board.colors[Seat.P0]))
    without = {hole: seat for hole, seat in BEFORE.items() if hole != "T20"}
    frame = draw(without, beside=[lying])
    for t_ms in range(300, 300 + NAMED_MS, 300):
        table.take(reader.read_frame(frame, t_ms).observation("camera"))
    return table


RIMS = ((30, 0.33, 0.0), (0, 0.1, 0.75))
"""A track hole, and how far from its middle the pawn lies, in pitches: over its rim, and at the edge of the board."""


@pytest.mark.parametrize(("cell", "across", "down"), RIMS)
def test_a_pawn_over_a_rim_or_at_the_edge_is_never_met_with_silence(
    board: BoardFile, draw: Callable[..., Any], cell: int, across: float, down: float
) -> None:
    near = board.hole(f"T{cell}")
    table = table_with_pawn_at(
        board, draw, near.x_mm + across * board.pitch_mm, near.y_mm + down * board.pitch_mm
    )
    assert table.game.warning is not None or table.state.guidance is not None


@pytest.mark.parametrize("cell", PLACES)
def test_a_pawn_between_two_holes_is_named_within_three_seconds(
    board: BoardFile, draw: Callable[..., Any], cell: int
) -> None:
    one, other = board.hole(f"T{cell}"), board.hole(f"T{cell + 1}")
    x_mm, y_mm = (one.x_mm + other.x_mm) / 2, (one.y_mm + other.y_mm) / 2
    table = table_with_pawn_at(board, draw, x_mm, y_mm)
    warning, guidance = table.game.warning, table.state.guidance
    assert warning is None
    assert guidance is not None
    if guidance.code == "unfinished/put":
        # Laid aside far from where the move takes it: the sentence says where it goes, the spot where it lies.
        assert any(hypot(spot.x_mm - x_mm, spot.y_mm - y_mm) < board.pitch_mm / 2 for spot in guidance.spots)
        return
    assert guidance.code.startswith(("loose/", "hidden/")), guidance.code
    assert guidance.spots or guidance.places
