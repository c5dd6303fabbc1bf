"""Buckets of the track: where a pawn stands, in terms that hold for every board; each bucket has a weight."""

from tock_rules import BoardShape

BUCKETS = (
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
"""`behind`: 0 to 3 holes past the start, so that a four back leads to the entrance; `past`: between entrance and start;
`way`: support points along the lap, interpolated in between; `near`: holes left to the entrance.
"""
_AT = {name: index for index, name in enumerate(BUCKETS)}
Share = tuple[int, float]
"""Index of a bucket, and the share of the pawn that falls into it."""


def bucket_shares(shape: BoardShape, seat: int, cell: int) -> list[Share]:
    """Spread a pawn over the buckets; a cell below 0 is the camp."""
    if cell < 0:
        return [(_AT["camp"], 1.0)]
    if cell == shape.centre:
        return [(_AT["centre"], 1.0)]
    home = shape.home_of(cell)
    if home is not None:
        return [(_AT[f"home{min(home[1], 4)}"], 1.0)]
    gone = shape.progress(seat, cell)
    left = shape.to_door(seat, cell)
    if left + gone >= shape.track_length:
        return [(_AT["past"], 1.0), (_AT["way0"], 1.0)]
    last = shape.track_length - shape.zone_length
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
