"""Finds pawns that lie beside the holes: spots that stand out from the wood, which the network then judges."""

from collections.abc import Mapping

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.observation import HoleReading, HoleState, LoosePawn
from tock_rules import Hole
from tock_vision.arrays import Bools, Floats, Frame, Ints, Singles, sample
from tock_vision.board_points import hole_points_mm
from tock_vision.holes.context import Context, painted_owners
from tock_vision.holes.feature_cache import HoleFeatureCache
from tock_vision.holes.network import PatchNetwork
from tock_vision.holes.patches import (
    SMALL_SCALE,
    TALL_PITCHES,
    PatchGrid,
    closeness,
    cut,
    grid_at,
    light_levels,
    network_input,
    pawn_height_mm,
)
from tock_vision.holes.readings import chances

CELLS_PER_PITCH = 5
"""Grid points per pitch in the coarse pass."""
MIN_CONTRAST = 0.16
"""Difference from the surrounding wood, relative to its brightness, that makes a spot worth judging."""
SPOT_REACH_CELLS, GRAIN_LEVELS = 4, 6
"""Grid points around a spot, and grey levels by which none of them may differ, for it to look as it did."""
GRAIN_CONTRAST = 0.03
"""Difference in contrast up to which a spot looks as it did."""
MAX_SPOTS = 30
FAINT_CONTRAST, MAX_FAINT_SPOTS = 0.07, 120
"""The same where a pawn is missed and none of the plainer spots is it: a pawn may look much like the wood."""
MAX_APART_PITCHES = 1.1
"""Two holes further apart have room for a pawn that touches neither."""
FAINT_STEP_CELLS = 2
"""Grid points from one faint spot to the next: the network knows a pawn by a third of a pitch."""
AROUND_PITCHES, MAX_SPOTS_SEARCHED = 0.35, 10
"""Radius around a spot in which a pawn that stands nowhere is searched for, and the number of spots."""
CLEAR_OF_PAWNS_PITCHES = 0.62
"""Distance from a hole with a pawn within which everything belongs to that pawn."""
CLEAR_OF_HOLES_PITCHES = 0.38
"""The same for an empty hole: a marble can lie over its edge."""
CLEAR_OF_UNKNOWN_PITCHES = 0.45
"""The same for an unknown hole: a pawn over its edge may be what makes it unknown."""
EDGE_PITCHES = 0.2
"""Nearer to the edge of the board nothing is looked for: there it stands out from the table."""
RIM_REACH_CELLS = 4
"""Grid points around an empty hole within which its rim stands out from the wood."""
MIN_HOLES_OF_A_KIND = 4
"""At least this many empty holes define the rim of their kind."""
MIN_CONFIDENCE = 0.98
MIN_CONFIDENCE_MISSED, MIN_CONFIDENCE_FAINT = 0.85, 0.95
"""The same where the colour is that of a pawn that stands nowhere, at a spot that stands out and at a faint one."""
MAX_SEATS_LACKING = 2
"""Number of seats that lack a pawn above which a hand hides them."""
MIN_SEAT_CHANCE = 0.8
COMPLETE_SEAT_WEIGHT = 0.05
"""Weight of the colour of a seat whose four pawns all stand in holes, or that has none and does not play."""
MAX_FOREIGN_CHANCE = 0.5
"""A spot in a colour of no seat is a knot in the wood or an ornament."""
HAND_REACH_PITCHES, MAX_UNKNOWN_NEARBY = 1.7, 1
"""More unknown holes than this within this distance mean a hand or a card, in which no pawn is looked for."""
OWN_REACH_PITCHES = 0.8
"""Closer holes are covered by the pawn itself and do not count."""


class LooseFinder:
    """Finds the pawns beside the holes of a board seen from one pose."""

    def __init__(self, board: BoardFile, grid: PatchGrid, network: PatchNetwork, context: Context) -> None:
        self._board, self._grid, self._network, self._context = board, grid, network, context
        owners = painted_owners(board)
        self._alike = [
            np.array([n for n, other in enumerate(owners) if other == owner])
            for owner in dict.fromkeys(owners)
        ]
        step = board.pitch_mm / CELLS_PER_PITCH
        columns, rows = (int(side / step) for side in board.size_mm)
        xs, ys = np.meshgrid((np.arange(columns) + 0.5) * step, (np.arange(rows) + 0.5) * step)
        self._points = np.stack([xs, ys], axis=-1)
        shape = board.usual_pawn
        height = pawn_height_mm(board, shape) if shape.is_marble else 0.0
        px = (grid.pose.project(self._points.reshape(-1, 2), height) + 0.5) * SMALL_SCALE - 0.5
        self._pairs = _neighbours(board)
        self._places_px = px.astype(np.float32).reshape(rows, columns, 2)
        self._searched: tuple[Singles, Bools, Bools, Ints] | None = None
        self._found: tuple[LoosePawn, ...] = ()
        self._seen: Frame = np.zeros((1, 1, 3), np.uint8)
        self._small = self._seen
        self._known: dict[tuple[float, float], tuple[Ints, Singles]] = {}
        self._judged_now: dict[tuple[float, float], tuple[Ints, Singles]] = {}

    def find(
        self, frame: Frame, small: Frame, cache: HoleFeatureCache, hole_readings: Mapping[Hole, HoleReading]
    ) -> tuple[LoosePawn, ...]:
        """Find the pawns beside the holes; `said` are the readings of the holes."""
        states = [hole_readings[hole.id].state for hole in self._board.holes]
        standing = np.array([state is not HoleState.EMPTY for state in states])
        unknown = np.array([state is HoleState.UNKNOWN for state in states])
        board = self._board
        in_holes = np.array([sum(one.seat == seat for one in hole_readings.values()) for seat in board.seats])
        lacking = (in_holes > 0) & (in_holes < board.pawns_per_seat)
        missed = lacking if lacking.sum() <= MAX_SEATS_LACKING else np.zeros_like(lacking)
        unlike = self._unlike(small, standing, unknown)
        if self._is_as_searched(unlike, standing, unknown, in_holes):
            return self._found
        self._known, self._judged_now = self._judged_now, {}
        spots = self._clear_of_hands(_peaks(unlike), unlike, unknown)[:MAX_SPOTS]
        plainest, others = spots[:MAX_SPOTS_SEARCHED], spots[MAX_SPOTS_SEARCHED:]
        if missed.any():
            spots = np.concatenate([spots, self._around(plainest, standing)])
        found = self._judged(
            frame, cache, spots, in_holes, np.where(missed, MIN_CONFIDENCE_MISSED, MIN_CONFIDENCE)
        )
        wanted = {seat for seat, is_missed in zip(board.seats, missed, strict=True) if is_missed}
        if wanted.isdisjoint(one.seat for one in found) and wanted:
            faint = self._clear_of_hands(_faint(unlike), unlike, unknown)[:MAX_FAINT_SPOTS]
            spots = np.concatenate([self._around(others, standing), self._halfway(unlike, standing), faint])
            found += self._judged(
                frame, cache, spots, in_holes, np.where(missed, MIN_CONFIDENCE_FAINT, np.inf)
            )
        self._searched, self._found = (unlike, standing, unknown, in_holes), tuple(found)
        return self._found

    def _is_as_searched(self, unlike: Singles, standing: Bools, unknown: Bools, in_holes: Ints) -> bool:
        """Whether nothing but grain has changed since spots were last judged; slow changes add up."""
        if self._searched is None:
            return False
        before, *others = self._searched
        same = zip(others, (standing, unknown, in_holes), strict=True)
        return all(np.array_equal(one, other) for one, other in same) and bool(
            np.abs(unlike - before).max() < GRAIN_CONTRAST
        )

    def _judged(
        self, frame: Frame, cache: HoleFeatureCache, spots: Floats, in_holes: Ints, least: Floats
    ) -> list[LoosePawn]:
        """The pawns at these spots; `least` is the confidence that each seat's pawn needs (shape: [seats])."""
        if not len(spots):
            return []
        board, network = self._board, self._network
        close = grid_at(self._grid.pose, board, spots, np.full(len(spots), board.pitch_mm * closeness(board)))
        seen = self._features(frame, cache, close, spots)
        logits = self._context.logits_beside(network, cache.features_seen(self._grid), seen)
        chance = chances(logits, board, None, None)
        seats = _of_seats(chance.seats, in_holes % board.pawns_per_seat == 0)
        found: list[LoosePawn] = []
        for number in np.argsort(-chance.pawn):
            spot = spots[number]
            if any(np.hypot(one.x_mm - spot[0], one.y_mm - spot[1]) < board.pitch_mm for one in found):
                continue
            seat = int(seats[number].argmax())
            sure = float(chance.pawn[number] * seats[number, seat])
            own = chance.foreign[number] < MAX_FOREIGN_CHANCE
            clear = chance.pawn[number] >= least[seat] and seats[number, seat] >= MIN_SEAT_CHANCE
            if clear and own and close.in_frame[number]:
                x_mm, y_mm = round(float(spot[0]), 1), round(float(spot[1]), 1)
                nearest, other = board.nearest(x_mm, y_mm)[0].id, board.halfway(x_mm, y_mm)
                between = other.id if other is not None else None
                found.append(LoosePawn(x_mm, y_mm, board.seats[seat], round(sure, 4), nearest, between))
        return found

    def _features(self, frame: Frame, cache: HoleFeatureCache, close: PatchGrid, spots: Floats) -> Singles:
        """The network's features of spots (shape: [n, features]); those that look as they did are not read again."""
        columns, rows = (spots * (CELLS_PER_PITCH / self._board.pitch_mm)).astype(int).T
        reach = np.arange(-SPOT_REACH_CELLS, SPOT_REACH_CELLS + 1)
        ys = np.clip(rows[:, None, None] + reach[None, :, None], 0, self._seen.shape[0] - 1)
        xs = np.clip(columns[:, None, None] + reach[None, None, :], 0, self._seen.shape[1] - 1)
        around = self._seen[ys, xs].astype(np.int16)
        keys = [(float(x), float(y)) for x, y in spots.round(3)]
        known = [self._known.get(key) for key in keys]
        new = [
            number
            for number, (before, look) in enumerate(zip(known, around, strict=True))
            if before is None or np.abs(before[0] - look).max() > GRAIN_LEVELS
        ]
        if new:
            empty, light = cache.empty_and_light()
            levels = cache.referred(light_levels(self._small, close))
            patches = cut(frame, close, levels, np.array(new))
            read = self._network.features(network_input(patches, empty, light, close.silhouette[new]))
            for number, features in zip(new, read, strict=True):
                known[number] = (around[number], features)
        self._judged_now |= {key: one for key, one in zip(keys, known, strict=True) if one is not None}
        return np.stack([one[1] for one in known if one is not None])

    def _around(self, spots: Floats, standing: Bools) -> Floats:
        """Places around spots: the edge of a pawn may stand out more than its middle."""
        pitch = self._board.pitch_mm
        steps = AROUND_PITCHES * pitch * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
        around = (spots[:, None] + steps).reshape(-1, 2)
        gaps = np.linalg.norm(around[:, None] - hole_points_mm(self._board)[None], axis=2) / pitch
        clear = gaps > np.where(standing, CLEAR_OF_PAWNS_PITCHES, CLEAR_OF_HOLES_PITCHES)
        return np.asarray(around[clear.all(axis=1)])

    def _halfway(self, unlike: Singles, standing: Bools) -> Floats:
        """Places halfway between two empty holes where anything stands out: pawns come to lie there most easily."""
        pairs = self._pairs[~standing[self._pairs].any(axis=1)]
        middle = hole_points_mm(self._board)[pairs].mean(axis=1)
        most = cv2.dilate(unlike, np.ones((CELLS_PER_PITCH // 2 + 1,) * 2, np.uint8))
        columns, rows = (middle * (CELLS_PER_PITCH / self._board.pitch_mm)).astype(int).T
        return np.asarray(middle[most[rows, columns] > FAINT_CONTRAST])

    def _unlike(self, small: Frame, standing: Bools, unknown: Bools) -> Singles:
        """Contrast of each grid point with the wood; 0 where a hole or its pawn is."""
        self._small = small
        seen = self._seen = sample(small, self._places_px)
        around = cv2.medianBlur(seen, 4 * CELLS_PER_PITCH + 1).astype(np.float32)
        unlike = np.abs(seen.astype(np.float32) - around).sum(axis=2) / (around.sum(axis=2) + 30.0)
        unlike = cv2.GaussianBlur(unlike, (0, 0), 0.22 * CELLS_PER_PITCH)
        unlike -= self._rims(unlike, ~standing)
        unlike[_taken(unlike.shape, self._board, self._grid, standing, unknown)] = 0
        return np.asarray(unlike, dtype=np.float32)

    def _clear_of_hands(self, spots: Bools, unlike: Singles, unknown: Bools) -> Floats:
        """The spots of a mask that no hand covers, the plainest first (shape: [n, 2], mm)."""
        chosen: Floats = self._points[spots][np.argsort(-unlike[spots])]
        covered = hole_points_mm(self._board)[unknown]
        gaps = np.linalg.norm(chosen[:, None] - covered[None], axis=2) / self._board.pitch_mm
        near = (gaps > OWN_REACH_PITCHES) & (gaps < HAND_REACH_PITCHES)
        free: Floats = chosen[near.sum(axis=1) <= MAX_UNKNOWN_NEARBY]
        return free

    def _rims(self, unlike: Singles, empty: Bools) -> Singles:
        """Contrast of the rims of empty holes, to be subtracted."""
        out = np.zeros_like(unlike)
        steps = np.arange(-RIM_REACH_CELLS, RIM_REACH_CELLS + 1)
        middle = (
            (hole_points_mm(self._board) * (CELLS_PER_PITCH / self._board.pitch_mm) - 0.5).round().astype(int)
        )
        ys = np.clip(middle[:, 1, None, None] + steps[None, :, None], 0, unlike.shape[0] - 1)
        xs = np.clip(middle[:, 0, None, None] + steps[None, None, :], 0, unlike.shape[1] - 1)
        for of_kind in self._alike:
            own = of_kind[empty[of_kind]]
            if len(own) >= MIN_HOLES_OF_A_KIND:
                usual = _medians(unlike[ys[own], xs[own]])
                np.maximum.at(out, (ys[own], xs[own]), np.broadcast_to(usual, (len(own), *usual.shape)))
            elif len(own):
                out[ys[own], xs[own]] = np.inf
        return out


def _medians(stacked: Singles) -> Singles:
    """Medians along the first axis; a partition takes a third of the time that NumPy's own medians do."""
    count = len(stacked)
    middle = (count - 1) // 2, count // 2
    parted = np.partition(stacked, middle, axis=0)
    halfway: Singles = (parted[middle[0]] + parted[middle[1]]) / 2
    return halfway


def _neighbours(board: BoardFile) -> Ints:
    """The pairs of holes that a pawn can lie between (shape: [n, 2])."""
    points = hole_points_mm(board)
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    near: Ints = np.argwhere(np.triu((gaps > 0) & (gaps < MAX_APART_PITCHES * board.pitch_mm)))
    return near


def _peaks(unlike: Singles) -> Bools:
    """Mask the spots that stand out most among those around them."""
    most = cv2.dilate(unlike, np.ones((CELLS_PER_PITCH,) * 2, np.uint8))
    return np.asarray((unlike >= most) & (unlike > MIN_CONTRAST))


def _faint(unlike: Singles) -> Bools:
    """Mask spots at even distances wherever anything stands out."""
    faint = np.zeros(unlike.shape, dtype=bool)
    faint[::FAINT_STEP_CELLS, ::FAINT_STEP_CELLS] = True
    return faint & (unlike > FAINT_CONTRAST)


def _of_seats(seats: Singles, complete: Bools) -> Singles:
    """Chances of the seats' colours, lowered for those that can have no pawn beside the holes (shape: [n, seats])."""
    weighed = seats * np.where(complete, COMPLETE_SEAT_WEIGHT, 1.0)
    shares: Singles = (weighed / weighed.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares


def _taken(
    shape: tuple[int, ...], board: BoardFile, grid: PatchGrid, standing: Bools, unknown: Bools
) -> Bools:
    """Mask the grid points that belong to a hole, to a tall pawn in one, to a marker or to the edge of the board."""
    taken = np.zeros(shape, np.uint8)
    pitch, holes = board.pitch_mm, hole_points_mm(board)

    def blot(places_mm: Floats, pitches: float) -> None:
        for x, y in places_mm * (16 * CELLS_PER_PITCH / pitch) - 8:
            cv2.circle(taken, (round(x), round(y)), round(16 * CELLS_PER_PITCH * pitches), 1, -1, shift=4)

    tall = board.pawn is not None and not board.pawn.is_marble
    blot(holes[~standing], CLEAR_OF_PAWNS_PITCHES if tall else CLEAR_OF_HOLES_PITCHES)
    blot(holes[standing & ~unknown], CLEAR_OF_PAWNS_PITCHES)
    blot(holes[unknown], CLEAR_OF_PAWNS_PITCHES if tall else CLEAR_OF_UNKNOWN_PITCHES)
    for marker in board.markers:
        blot(np.array([[marker.x_mm, marker.y_mm]]), 1.1 * marker.size_mm / pitch)
    if tall and standing.any():
        feet = holes[standing]
        # The head of a tall pawn hides the board behind it: its shift in the frame, projected back onto the board.
        up = grid.pose.up(feet, TALL_PITCHES * pitch) * TALL_PITCHES * pitch
        lean = _to_plane(grid, feet, up)
        for part in np.linspace(0.2, 1.1, 6):
            blot(feet + part * lean, 0.55)
    rim = round(EDGE_PITCHES * CELLS_PER_PITCH)
    taken[:rim], taken[-rim:], taken[:, :rim], taken[:, -rim:] = 1, 1, 1, 1
    return taken > 0


def _to_plane(grid: PatchGrid, feet: Floats, shift_px: Floats) -> Floats:
    """Convert a shift in the frame to mm on the board, at each foot (shape: [n, 2])."""
    base = grid.pose.project(feet)
    right, down = (grid.pose.project(feet + step) - base for step in np.eye(2))
    slopes: Singles = np.stack([right, down], axis=-1)
    shifts: Floats = np.linalg.solve(slopes, shift_px[..., None])[..., 0]
    return shifts
