"""Where the indices of one card lie to each other, seen from above, flat or aslant."""

from math import hypot

from tock_vision.cards.corners import Corner

FLATNESS = (1.7, 2.4)
"""Factors by which a picture must be stretched for cards to look as from above."""
SLANTED_TURN, SLANTED_HEIGHTS = 0.35, (2.0, 6.5)
"""Turn of two upper indices seen aslant at most (radians), and their distance in heights."""
AGAINST_TURN, AGAINST_HEIGHTS = 2.8, (1.5, 10.0)
"""Turn of two indices that lie diagonally on a card seen far aslant at least, and their distance."""


def may_be_of_one_card(corner: Corner, other: Corner) -> bool:
    """Whether two corners can be of one card, seen flat or from above."""
    return (
        fits(corner, other)
        or any(opposite(corner.taller(times), other.taller(times)) for times in FLATNESS)
        or _aslant(corner, other)
    )


def fits(corner: Corner, other: Corner) -> bool:
    """Whether two corners can be of one card: diagonal or below and upside down, or beside and upright.

    A card is two and a half to fourteen indices high and two to ten wide, less the margins; slant shortens that. Cards
    with indices in all four corners have large ones.
    """
    right, down, turn = corner.seen_from(other)
    if abs(turn) < 0.6:
        return abs(down) < 1.2 and 1.2 < abs(right) < 6.5
    return opposite(corner, other)


def opposite(corner: Corner, other: Corner) -> bool:
    """Whether two corners can be those of one card that lie diagonally."""
    right, down, turn = corner.seen_from(other)
    return abs(turn) > 2.4 and 1.0 < down < 14.0 and abs(right) < 10.0


def _aslant(corner: Corner, other: Corner) -> bool:
    """Whether two corners can be of one card whose sides are far from a right angle: those still are parallel."""
    right, down, turn = corner.seen_from(other)
    distance = hypot(right, down)
    if abs(turn) < SLANTED_TURN:
        return abs(down) < abs(right) and SLANTED_HEIGHTS[0] < distance < SLANTED_HEIGHTS[1]
    return abs(turn) > AGAINST_TURN and down > 0.0 and AGAINST_HEIGHTS[0] < distance < AGAINST_HEIGHTS[1]
