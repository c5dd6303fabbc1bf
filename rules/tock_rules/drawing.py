"""A board drawn in text: the track goes round clockwise from P0's start in the top left corner.

Every hole is two characters wide: `.` for an empty hole of the track, `+` for a summit (a 7), `o` for a start, `:` for
camp and home; a digit for a pawn of that seat, with `*` while it has not moved since it came out. The long sides of
boards with 6 and 8 zones hold two and three zones, so that all boards have the same height.
"""

from typing import NamedTuple

from tock_rules.board import Board
from tock_rules.geometry import BoardShape
from tock_rules.seats import Seat

Place = tuple[int, int]
"""Row and column."""
_LEFT = (0, -1)
_TURNS = ((0, 1), (1, 0), _LEFT, (-1, 0))
"""Right, down, left, up: the sides of the rectangle in the order of the track."""


class Layout(NamedTuple):
    """The place of every hole in a drawing."""

    height: int
    width: int
    cells: dict[int, Place]
    """Track, centre, and the homes of the seats that play."""
    names: dict[Seat, Place]
    camps: dict[Seat, list[Place]]


def layout_of(board: Board) -> Layout:
    """The drawing of a board, without its pawns."""
    shape = board.shape
    half = -(-shape.track_length // 2)
    height = min(shape.zone_length, half // 2)
    width = half - height
    track = _track(width, height)[: shape.track_length]
    cells = {t: place for t, (place, _, _) in enumerate(track)}
    if shape.has_centre:
        cells[shape.centre] = (height // 2, width // 2)
    for seat in board.seats:
        for index, place in enumerate(_home(shape, track, seat), 1):
            cells[shape.home(seat, index)] = place
    camps = {seat: _camp(shape, track, seat) for seat in board.seats}
    names = {seat: camp.pop(0) for seat, camp in camps.items()}
    return Layout(height, width, cells, names, camps)


def draw_board(board: Board) -> str:
    """The lines of the drawing, without blanks at their ends."""
    shape, layout = board.shape, layout_of(board)
    rows = [["  "] * (layout.width + 1) for _ in range(layout.height + 1)]

    def put(place: Place, text: str) -> None:
        rows[place[0]][place[1]] = f"{text:2}"

    for cell, place in layout.cells.items():
        start = cell < shape.track_length and cell % shape.zone_length == 0
        empty = ":" if cell >= shape.track_length else "o" if start else "+" if shape.is_summit(cell) else "."
        put(place, _pawn(board, cell) or empty)
    for seat, camp in layout.camps.items():
        put(layout.names[seat], seat.name)
        for index, place in enumerate(camp):
            put(place, str(int(seat)) if index < board.camp_count(seat) else ":")
    return "\n".join("".join(row).rstrip() for row in rows)


def _pawn(board: Board, cell: int) -> str:
    owner = board.owners.get(cell)
    return "" if owner is None else f"{int(owner)}*" if board.is_fresh(cell) else str(int(owner))


def _track(width: int, height: int) -> list[tuple[Place, Place, Place]]:
    """For every track hole its place, the step to the next hole, and the step into the board."""
    found: list[tuple[Place, Place, Place]] = []
    place = (0, 0)
    for side, step in enumerate(_TURNS):
        inwards = _TURNS[(side + 1) % 4]
        for _ in range(width if side % 2 == 0 else height):
            found.append((place, step, inwards))
            place = (place[0] + step[0], place[1] + step[1])
    return found


def _home(shape: BoardShape, track: list[tuple[Place, Place, Place]], seat: Seat) -> list[Place]:
    """The home column leads into the board from where it leaves the track; from a corner it runs aslant."""
    entrance = shape.entrance(seat)
    place, step, inwards = track[entrance]
    if track[entrance - 1][1] != step:
        inwards = (inwards[0] + step[0], inwards[1] + step[1])
    return [_go(place, inwards, number) for number in range(1, shape.pawns_per_seat + 1)]


def _camp(shape: BoardShape, track: list[tuple[Place, Place, Place]], seat: Seat) -> list[Place]:
    """A place for the name of the seat, and pairs of holes, inside the board near the start."""
    pawns, (place, step, inwards) = shape.pawns_per_seat, track[shape.start(seat)]
    home_is_near = shape.entrance_back < 4
    corner = _go(_go(place, inwards, 4 if home_is_near else 1), step, 2)
    pairs = [_go(_go(corner, inwards, number // 2), step, number % 2) for number in range(pawns)]
    if not home_is_near:
        return [_go(_go(corner, inwards, 1), step, 3), *pairs]
    # A name fills its place: left of the holes it needs a gap.
    return [_go(corner, inwards, (pawns + 1) // 2 + (inwards == _LEFT)), *pairs]


def _go(place: Place, step: Place, count: int) -> Place:
    return place[0] + step[0] * count, place[1] + step[1] * count
