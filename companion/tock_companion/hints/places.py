"""Where a pawn stands, in words that hold for every board: the places that a weight is learned for."""

from tock_companion.rules import BoardShape

PLACES = (
    "camp",
    "start",
    "behind",
    "past",
    "centre",
    "way0",
    "way1",
    "way2",
    "way3",
    "near0",
    "near1",
    "near2",
    "near3",
    "near4-8",
    "near9-12",
    "home1",
    "home2",
    "home3",
    "home4",
)
"""`behind`: 0 to 3 holes after the entrance, whence a four leads before it; `past`: between entrance and start;
`way`: a quarter of the lap each, in between by shares; `near`: so many holes to the entrance.
"""
_AT = {name: index for index, name in enumerate(PLACES)}
Share = tuple[int, float]
"""Index of a place and how much the pawn counts as standing there."""


def shares_of(shape: BoardShape, seat: int, cell: int) -> list[Share]:
    """Return the places of a pawn; a cell below 0 is the camp."""
    if cell < 0:
        return [(_AT["camp"], 1.0)]
    if cell == shape.centre:
        return [(_AT["centre"], 1.0)]
    home = shape.home_of(cell)
    if home is not None:
        return [(_AT[f"home{home[1]}"], 1.0)]
    gone = shape.progress(seat, cell)
    left = shape.track_length - shape.entrance_back - gone
    if left < 0:
        return [(_AT["past"], 1.0), (_AT["way0"], 1.0)]
    last = shape.track_length - 18
    part = min(gone, last) * 3 / last
    low = min(int(part), 2)
    shares = [(_AT[f"way{low}"], 1 - (part - low)), (_AT[f"way{low + 1}"], part - low)]
    if gone == 0:
        shares.append((_AT["start"], 1.0))
    if gone <= 3:
        shares.append((_AT["behind"], 1.0))
    if left <= 3:
        shares.append((_AT[f"near{left}"], 1.0))
    elif left <= 12:
        shares.append((_AT["near4-8" if left <= 8 else "near9-12"], 1.0))
    return shares
