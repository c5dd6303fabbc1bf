"""Confidence of a reading: chances turned so that of answers with 0.8 eight in ten are right.

The network was trained on far more pawns and painted holes than a board has, and errs differently on plain and on
painted holes. Fitted on boards and on kinds of paint that no training saw (docs/measurements/board-reading.md).
"""

from typing import NamedTuple

import numpy as np

from tock_vision.arrays import Bools, Ints, Singles

LEAST = 1e-6


class Line(NamedTuple):
    """A straight line through the log odds of one answer against the other."""

    offset: float
    slope: float

    def of(self, odds: Singles) -> Singles:
        """The share of such answers that are right."""
        out: Singles = 1.0 / (1.0 + np.exp(-self.offset - self.slope * odds))
        return out


class Scale(NamedTuple):
    """Share of cases in which it is right that a hole is empty, and that a pawn stands there."""

    empty: Line
    pawn: Line

    def of(self, odds: Singles) -> Singles:
        """The share of holes with such log odds of empty against pawn that are empty."""
        out: Singles = np.where(odds > 0, self.empty.of(odds), 1.0 - self.pawn.of(-odds))
        return out


PLAIN_MORE_OFTEN_EMPTY = 2.5
"""Log odds by which a plain hole is empty more often on a board than in the pictures of training."""
OTHERS_IN_OWN_RARER = 1.5
"""Log odds by which another seat's pawn is rarer in a camp or home than in the pictures of training.

In the 181 given stills none of 1,752 pawns in camps and homes is another's; in pictures of training three in a hundred.
"""


class Lines(NamedTuple):
    """What turns odds into shares of right answers: for plain and for painted holes, and for the colour of a pawn."""

    plain: Scale
    painted: Scale
    seat: Line


_PLAIN = Scale(Line(0.57, 0.93), Line(-0.88, 1.15))
USUAL = Lines(_PLAIN, Scale(Line(1.07, 0.71), Line(-0.75, 0.79)), Line(0.23, 1.23))
IN_CAMPS = Lines(_PLAIN, Scale(Line(-0.03, 0.96), Line(0.52, 0.65)), USUAL.seat)
"""For a picture in which all pawns are known to stand in their camps."""
LEARNED = Lines(
    Scale(Line(0.76, 0.88), Line(-0.97, 0.98)), Scale(Line(0.0, 0.88), Line(0.4, 0.7)), Line(0.17, 0.5)
)
"""For a picture of a board whose pawns were learned in their camps: often under another lamp, which misleads."""


def of_a_board(
    empty: Singles, pawn: Singles, seats: Singles, painted: Bools, own: Ints | None = None
) -> tuple[Singles, Singles, Singles]:
    """The chances of empty, of a pawn and of its seats (shape: [n, seats]) as pawns are spread on a board.

    Most plain holes are empty. In a camp or home stands hardly ever another's pawn: `own` is the column of the hole's
    seat, and -1 where anyone's may stand; without it they may anywhere.
    """
    both, standing = empty + pawn, pawn
    if own is not None:
        weighed = np.where(own[:, None] < 0, seats, seats * np.exp(-OTHERS_IN_OWN_RARER))
        rows = np.nonzero(own >= 0)[0]
        weighed[rows, own[rows]] = seats[rows, own[rows]]
        total = weighed.sum(axis=1)
        standing, seats = pawn * total, weighed / np.maximum(total, LEAST)[:, None]
    bare = empty * np.where(painted, 1.0, np.exp(PLAIN_MORE_OFTEN_EMPTY))
    share = bare / np.maximum(bare + standing, LEAST)
    return both * share, both * (1.0 - share), seats


def in_shares(
    empty: Singles, pawn: Singles, seat: Singles, painted: Bools, lines: Lines
) -> tuple[Singles, Singles, Singles]:
    """Shares of such holes that are empty, hold a pawn, and hold one of the likeliest seat (shape: [n] each).

    `seat` is the chance of that seat's colour where there is a pawn.
    """
    odds = np.log(np.maximum(empty, LEAST) / np.maximum(pawn, LEAST))
    bare = np.where(painted, lines.painted.of(odds), lines.plain.of(odds))
    share = np.clip(seat, LEAST, 1.0 - LEAST)
    own = lines.seat.of(np.log(share / (1.0 - share)))
    return bare, 1.0 - bare, (1.0 - bare) * own
