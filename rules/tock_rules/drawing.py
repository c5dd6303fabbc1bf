"""A board drawn in text: the track goes round clockwise from P0's start in the top left corner.

Every hole is two characters wide: `.` for an empty hole of the track, `+` for a summit (a 7), `o` for a start, `:` for
camp and home; a digit for a pawn of that seat, with `*` while it has not moved since it came out. The long sides of
boards with 6 and 8 zones hold two and three zones, so that all boards have the same height.
"""

from tock_rules.board import Board
from tock_rules.geometry import BoardShape
from tock_rules.seats import Seat

Place = tuple[int, int]
"""Row and column."""
_LEFT = (0, -1)
_TURNS = ((0, 1), (1, 0), _LEFT, (-1, 0))
"""Right, down, left, up: the sides of the rectangle in the order of the track."""


def draw_board(board: Board) -> str:
    """The lines of the drawing, without blanks at their ends."""
    shape = board.shape
    half = -(-shape.track_length // 2)
    height = min(shape.zone_length, half // 2)
    width = half - height
    rows = [["  "] * (width + 1) for _ in range(height + 1)]

    def put(place: Place, text: str) -> None:
        rows[place[0]][place[1]] = f"{text:2}"

    track = _track(width, height)[: shape.track_length]
    for t, (place, _, _) in enumerate(track):
        start = t % shape.zone_length == 0
        put(place, _pawn(board, t) or ("o" if start else "+" if shape.is_summit(t) else "."))
    if shape.has_centre:
        put((height // 2, width // 2), _pawn(board, shape.centre) or ":")
    for seat in board.seats:
        for index, place in enumerate(_home(shape, track, seat), 1):
            put(place, _pawn(board, shape.home(seat, index)) or ":")
        name, *camp = _camp(track, shape.start(seat))
        put(name, seat.name)
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


def _camp(track: list[tuple[Place, Place, Place]], start: int) -> list[Place]:
    """A place for the name of the seat, and a square of four, inside the board near the start."""
    place, step, inwards = track[start]
    corner = _go(_go(place, inwards, 4), step, 2)
    square = [_go(_go(corner, inwards, deep), step, far) for deep in (0, 1) for far in (0, 1)]
    # A name fills its place: left of the square it needs a gap.
    return [_go(corner, inwards, 3 if inwards == _LEFT else 2), *square]


def _go(place: Place, step: Place, count: int) -> Place:
    return place[0] + step[0] * count, place[1] + step[1] * count
