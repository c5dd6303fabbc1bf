"""Counts how boards without markers are read that were turned after they were learned.

`python -m vision.training.reader.turned_boards --count N --seed S` traces a recording for each seed: the
empty board, all pawns in their camps, then four frames of play, before which the board was turned by some zones or not.
Needs numba.
"""

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.observation import HoleState
from tock_rules import Hole, Seat, camp_holes_of
from tock_vision.arrays import Frame
from tock_vision.board_points import hole_points_mm
from tock_vision.camera_pose import CameraPose
from tock_vision.learning import learn
from tock_vision.reader import WHICH_WAY, BoardReader, Reading
from tock_vision.registration.results import Refusal
from tock_vision.registration.symmetry import turned_by_zones
from tock_vision.rendering.appearance import pose_of
from vision.training.pictures.pawns import pawn_of, pawn_paint, stand, usual_make
from vision.training.pictures.random_boards import random_appearance, random_board, random_color
from vision.training.pictures.ray_tracer import trace
from vision.training.pictures.things import Things
from vision.training.pictures.traced_pictures import developed, light_of, lists_of, rays_of
from vision.training.pictures.wooden_boards import TEXTURE_PX_PER_MM, Board, linear, wood

SIZE_PX = (800, 600)
FRAME_MS = 400
MIDDLES = ("word", "drawing", "nothing")
MANY_WRONG = 3
"""With as many holes named wrong a frame is wrong; one or two are a matter of reading, not of the way round."""
Placed = dict[Hole, Seat]


@dataclass(frozen=True)
class Filmed:
    """A recording: two pictures to learn from, and the frames of play, each with its truth."""

    board: BoardFile
    kind: str
    empty: Frame
    camps: Frame
    frames: list[tuple[Frame, Placed, CameraPose]]


class Table:
    """One board under one lamp before one camera, which sees the board turned by any zones."""

    def __init__(self, seed: int) -> None:
        """Draw the board; zones differ by colours, grain, and a word or drawing in the middle alone."""
        self.rng = rng = np.random.default_rng(seed)
        self.seed = seed
        self.board = replace(random_board(rng), markers=())
        look = replace(random_appearance(rng), size_px=SIZE_PX, fill=float(rng.uniform(0.8, 0.95)))
        look = replace(look, tilt_deg=min(look.tilt_deg, 25.0))
        self.pose = pose_of(self.board, look)
        self.drawn = Board(self.board, look, rng)
        self.middle = MIDDLES[seed % 3]
        self._decorate()
        self.paints = {seat: linear(random_color(self.board.colors[seat], rng)) for seat in self.board.seats}
        self.lamp, self.ambient = light_of(rng)
        self.ground = wood(tuple(np.array(self.board.size_mm) * 3), np.array(look.table), 0.1, 0.8, rng)
        self.gloss = rng.uniform(0, 1.2)

    def _decorate(self) -> None:
        drawing, (height, width) = self.drawn.drawing, self.drawn.drawing.shape[:2]
        ink = tuple(float(value) for value in self.rng.uniform(20, 230, 3))
        at, size = (width // 2, height // 2), 1.3 * self.board.pitch_mm * TEXTURE_PX_PER_MM
        if self.middle == "word":
            place = (round(at[0] - 1.4 * size), round(at[1] - 0.7 * size))
            cv2.putText(drawing, "TOCK", place, 0, size / 28, ink, 4, cv2.LINE_AA)
        elif self.middle == "drawing":
            cv2.ellipse(drawing, at, (round(1.6 * size), round(0.9 * size)), 20, 30, 330, ink, 6, cv2.LINE_AA)
            cv2.circle(drawing, (round(at[0] + size), at[1]), round(0.3 * size), ink, -1, cv2.LINE_AA)
        self.drawn.texture = linear(drawing).astype(np.float32)

    def photo(self, placed: Placed, zones: int, dimmed: float = 1.0) -> tuple[Frame, CameraPose]:
        """The picture of the camera, and its pose; the lamp stays where it is when the board is turned."""
        board, size = self.board, np.array(self.board.size_mm)
        pose, angle = turned_by_zones(self.pose, board, zones), -2 * np.pi * zones / board.zones
        # In the tracer's coordinates y points the same way as in the board's, so the lamp turns against the board.
        lamp, (x, y) = self.lamp.copy(), self.lamp[:2]
        lamp[:2] = np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y
        lamp[3:6] *= dimmed
        things, rng = Things([]), np.random.default_rng(self.seed + 1)
        make = usual_make(board, rng)
        for number, (hole_id, seat) in enumerate(sorted(placed.items())):
            hole = board.hole(hole_id)
            paint = pawn_paint(board, self.paints[seat], np.random.default_rng([self.seed, number]))
            stand(things, board, np.array([hole.x_mm, hole.y_mm]), paint, number, make, off=False)
        # The tracer wants at least one thing: a crumb under the table's edge.
        things.ball(
            (-0.9 * size[0], -0.9 * size[1], 0.1), 0.1, pawn_paint(board, np.ones(3), rng), len(placed)
        )
        rows, bounds = things.arrays()
        origin, rays = rays_of(pose)
        near = np.zeros(SIZE_PX[::-1], np.uint8)
        points = hole_points_mm(board)
        for place, scale in zip(pose.project(points), pose.scale(points), strict=True):
            cv2.circle(near, tuple(int(value) for value in place), round(1.5 * board.pitch_mm * scale), 1, -1)
        seen_from = lists_of(rows, bounds, origin, size, far_away=False)
        lit_from = lists_of(rows, bounds, lamp[:3], size, far_away=True)
        light = trace(
            origin, rays, near > 0, self.drawn.texture, self.ground, size, self.drawn.holes, self.drawn.cells,
            self.gloss, lamp, self.ambient, rows, bounds, seen_from, lit_from, self.seed,
        )  # fmt: skip
        return developed(light, np.random.default_rng(self.seed + 2), "fair"), pose


def filmed(seed: int) -> Filmed:
    """The recording of a seed."""
    table = Table(seed)
    rng, board = np.random.default_rng(seed + 3), table.board
    zones = int(rng.integers(min(4, board.zones))) if rng.random() < 0.7 else 0
    start = {hole: seat for seat in board.seats for hole in camp_holes_of(seat)}
    placed = dict(start)
    for _ in range(0 if rng.random() < 0.4 else int(rng.integers(1, 2 * board.zones))):
        placed = _moved(placed, board, rng)
    after = _moved(placed, board, rng)
    dimmed = float(np.exp(rng.normal(0, 0.2)))
    frames = []
    for shown in (placed, after):
        frame, pose = table.photo(shown, zones, dimmed)
        frames += [(frame, shown, pose)] * 2
    pawns = "marbles" if pawn_of(board).is_marble else "pegs"
    kind = f"{board.zones} zones, {table.middle}, {'turned' if zones else 'not turned'}, {pawns}"
    return Filmed(board, kind, table.photo({}, 0)[0], table.photo(start, 0)[0], frames)


def _moved(placed: Placed, board: BoardFile, rng: np.random.Generator) -> Placed:
    after = dict(placed)
    hole = sorted(after)[int(rng.integers(len(after)))]
    seat = after.pop(hole)
    free = [
        one.id
        for one in board.holes
        if one.id not in placed and one.seat in (None, seat) and one.seat != hole.seat
    ]
    after[free[int(rng.integers(len(free)))]] = seat
    return after


def outcome(film: Filmed) -> str:
    """`right`, `wrong`, `asked`, `not found`, or `not learned`."""
    learned = learn(film.board, [(film.empty, "empty"), (film.camps, "camps")])
    if isinstance(learned, Refusal):
        return "not learned"
    reader, seen = BoardReader(film.board, learned), Counter[str]()
    for number, (frame, placed, pose) in enumerate(film.frames):
        seen[_judged(reader.read_frame(frame, number * FRAME_MS), placed, pose, film.board)] += 1
    return next((name for name in ("wrong", "asked", "not found") if seen[name]), "right")


def _judged(reading: Reading, placed: Placed, pose: CameraPose, board: BoardFile) -> str:
    if not reading.registered or reading.pose is None:
        return "asked" if reading.reason == WHICH_WAY.code else "not found"
    points = hole_points_mm(board)
    off = np.linalg.norm(reading.pose.project(points) - pose.project(points), axis=1).max()
    wrong = sum(
        seen.state is not HoleState.UNKNOWN
        and ((seen.state is HoleState.PAWN) != (hole in placed) or seen.seat not in (None, placed.get(hole)))
        for hole, seen in reading.holes.items()
    )
    pitch_px = board.pitch_mm * float(np.median(pose.scale(points)))
    return "wrong" if off > pitch_px or wrong >= MANY_WRONG else "right"


def main() -> None:
    """Trace, read, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=5400)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    counts: dict[str, Counter[str]] = {}
    for seed in range(args.seed, args.seed + args.count):
        film: Any = filmed(seed)
        found = outcome(film)
        sys.stderr.write(f"{seed}: {film.kind}: {found}\n")
        for part in ("all", *film.kind.split(", ")):
            counts.setdefault(part, Counter())[found] += 1
    for part, count in sorted(counts.items()):
        sys.stdout.write(f"{part}: {dict(count)}\n")


if __name__ == "__main__":
    main()
