"""Decides which way round a board lies that was found by its pattern of holes, by the pawns in camps and homes."""

from dataclasses import replace

import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind
from tock_vision.arrays import Frame, Gray, Singles
from tock_vision.holes.hole_reader import HoleClassifier
from tock_vision.registration.results import Registration
from tock_vision.registration.symmetry import symmetric_registrations

SURE_LOG_ODDS = 3.0
"""Log odds of the best way round over the next one from which it is called sure."""
MIN_COLOR_CHANCE = 0.02
"""One pawn read in a wrong colour must not outweigh all the others."""


def resolve_orientation(
    frame: Frame, gray: Gray, found: Registration, classifier: HoleClassifier
) -> Registration | None:
    """Turn a registration to the way round that the pawns speak for; None where no turn of it fits the holes.

    Every seat's pawns wait in the camp and end in the home of their own colour. Read from each possible pose, the
    colours agree with the owners of camps and homes from the right one alone.
    """
    board = classifier.board
    ways = symmetric_registrations(gray, board, found)
    if not ways:
        return None
    scores = []
    for way in ways:
        chance, grid = classifier.glance(frame, way.pose)
        scores.append(_support(board, chance.pawn * grid.in_frame, chance.seats))
    order = np.argsort(scores)[::-1]
    best, best_score = ways[int(order[0])], float(scores[order[0]])
    alone = len(ways) == 1 or best_score - float(scores[order[1]]) > SURE_LOG_ODDS
    return replace(best, orientation="sure" if alone and best_score > 0 else "guessed")


def _support(board: BoardFile, pawn: Singles, seats: Singles) -> float:
    """Log odds that the pawns in camps and homes are their owners' rather than anyone's."""
    total = 0.0
    for number, hole in enumerate(board.holes):
        if hole.kind in (HoleKind.CAMP, HoleKind.HOME) and hole.seat is not None:
            own = float(seats[number, board.seats.index(hole.seat)])
            total += float(pawn[number]) * np.log(max(own, MIN_COLOR_CHANCE) * board.zones)
    return total
