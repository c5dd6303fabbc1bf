"""Decides which way round a board lies that was found by its pattern of holes, by the pawns in camps and homes."""

from dataclasses import dataclass, replace

import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind
from tock_vision.arrays import Frame, Gray, Singles
from tock_vision.board_points import hole_points_mm
from tock_vision.holes.hole_reader import HoleClassifier
from tock_vision.registration.results import Registration
from tock_vision.registration.symmetry import turned_by_zones, turned_registration

SURE_LOG_ODDS = 6.0
"""Log odds of the best way round over the next one from which it is called sure."""
SAME_PITCHES, MAPPED_SHARE = 0.3, 0.9
"""A hole lies on a hole after a turn where it is no further off, and so must this share of them."""
HUE_SIGMA, MAX_HOLE_COST, CLEAR_PAINT = 0.1, 9.0, 8.0
"""Spread of the hue of paint, most squared spreads a hole counts, and how many a zone the best turn must lead by."""
MIN_COLOR_CHANCE = 0.02
"""One pawn read in a wrong colour must not outweigh all the others."""


@dataclass(frozen=True)
class Way:
    """The way round that the pawns speak for."""

    turns: int
    """By how many zones it turns the names of the holes."""
    registration: Registration


def resolve_orientation(frame: Frame, gray: Gray, found: Registration, classifier: HoleClassifier) -> Way:
    """Find the way round that the pawns speak for by the colours of the board file.

    Every seat's pawns wait in the camp and end in the home of their own colour. Their colours are read without their
    places, since a network that knows whose camp it sees takes its pawns for the owner's.
    """
    board, ways = classifier.board, list[tuple[float, int, Registration | None]]()
    pawns, seats = classifier.colors_by_themselves(frame, found.pose)
    for turns in range(board.zones):
        if _maps_onto_itself(board, turns):
            ways.append((_support(board, pawns, seats, turns), turns, None))
        elif turned := turned_registration(gray, board, found, -turns):
            own_pawns, own_seats = classifier.colors_by_themselves(frame, turned.pose)
            ways.append((_support(board, own_pawns, own_seats, 0), turns, turned))
    ways.sort(key=lambda way: -way[0])
    best_score, best, turned = ways[0]
    turned = turned or turned_way(gray, board, found, best)
    is_sure = len(ways) == 1 or best_score - ways[1][0] > SURE_LOG_ODDS
    return Way(best, replace(turned, orientation="sure" if is_sure else "guessed"))


def turned_way(gray: Gray, board: BoardFile, found: Registration, turns: int) -> Registration:
    """A registration after the names of the holes are turned by some zones.

    Holes lie on holes as before: where no new fit is believed, the old one turned is as good as it was.
    """
    turned = turned_registration(gray, board, found, -turns)
    return turned or replace(found, pose=turned_by_zones(found.pose, board, -turns))


def turns_by_paint(board: BoardFile, colors: Singles, bare: Singles) -> int | None:
    """By how many zones the names are to be turned for the holes to have the paint that they had when learned.

    Compares hues (features of `color_features`, now and when empty), as lamps change brightness across a board; None
    where no turn is clearly best, as on boards without paint.
    """
    numbers = {hole.id: number for number, hole in enumerate(board.holes)}
    owned = [number for number, hole in enumerate(board.holes) if board.owner(hole) is not None]
    costs = []
    for turns in range(board.zones):
        there = [numbers[board.turned(board.holes[number].id, turns)] for number in owned]
        off = ((colors[owned, :3] - bare[there, :3]) / HUE_SIGMA) ** 2
        costs.append(float(np.minimum(off.sum(axis=1), MAX_HOLE_COST).sum()))
    order = np.argsort(costs)
    return int(order[0]) if costs[order[1]] - costs[order[0]] > CLEAR_PAINT * board.zones else None


def _maps_onto_itself(board: BoardFile, turns: int) -> bool:
    """Whether holes lie on holes after a turn by some zones."""
    points = hole_points_mm(board)
    angle, middle = 2 * np.pi * turns / board.zones, np.array(board.size_mm) / 2
    cos, sin = np.cos(angle), np.sin(angle)
    turned = (points - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle
    numbers = {hole.id: number for number, hole in enumerate(board.holes)}
    there = [numbers[board.turned(hole.id, turns)] for hole in board.holes]
    off = np.linalg.norm(turned - points[there], axis=1)
    return float(np.quantile(off, MAPPED_SHARE)) < SAME_PITCHES * board.pitch_mm


def _support(board: BoardFile, pawns: Singles, seats: Singles, turns: int) -> float:
    """Log odds that the pawns in camps and homes are their owners' rather than anyone's after a turn."""
    total = 0.0
    for number, hole in enumerate(board.holes):
        owner = board.turned(hole.id, turns).seat
        if hole.kind in (HoleKind.CAMP, HoleKind.HOME) and owner is not None:
            own = float(seats[number, board.seats.index(owner)])
            total += float(pawns[number]) * np.log(max(own, MIN_COLOR_CHANCE) * board.zones)
    return total
