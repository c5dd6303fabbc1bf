"""The pile of played cards: once it is still, tells which card was laid last."""

from enum import Enum

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, Pile
from tock_rules import Card
from tock_vision.arrays import Bools, Floats, Frame, Singles
from tock_vision.camera_pose import CameraPose
from tock_vision.cards.reading import CardReader, CardReading

PX_PER_MM = 3.0
"""Resolution at which the pile is read; an index is 12 to 18 mm tall."""
MAX_PX = 1200
"""A side of the picture of the pile."""
STILL_MS = 350
"""The pile must look the same for this long: no hand is over it."""
STIRRED_LEVELS = 9.0
"""Difference in brightness (of 255) of a cell above which something moved or changed."""
CELL_PX = 12
CHANGED_CELLS = 3
PAPER_BRIGHTNESS_SHARE = 0.62
"""Brightness of paper relative to the brightest part of the pile."""
PAPER_SHARE = 0.3


class Unreadable(Enum):
    """A card was laid that cannot be read."""

    CARD = "card"


UNREADABLE = Unreadable.CARD


class PileWatcher:
    """Follows one pile from frame to frame; not for use from several threads at once."""

    def __init__(self, pile: Pile) -> None:
        """Start with an unknown pile: the first card seen counts as laid before."""
        self._pile = pile
        self._reader: CardReader | None = None
        self._last: Singles | None = None
        self._still_since_ms: int | None = None
        self._known: Singles | None = None
        self._top: Card | None = None

    @classmethod
    def of(cls, board: BoardFile) -> "PileWatcher | None":
        """Make a watcher if the board file names a pile."""
        return None if board.pile is None else cls(board.pile)

    def update(self, frame: Frame, pose: CameraPose, t_ms: int) -> Card | Unreadable | None:
        """Take in a frame; returns a newly laid card once, UNREADABLE for one that cannot be read, otherwise None."""
        region = from_above(self._pile, frame, pose)
        if region is None:
            self._last = self._still_since_ms = None
            return None
        cells = _cells(region)
        moved = self._last is None or _differ(cells, self._last).any()
        self._last = cells
        if moved or self._still_since_ms is None:
            self._still_since_ms = t_ms
            return None
        if t_ms - self._still_since_ms < STILL_MS:
            return None
        before, self._known = self._known, cells
        if before is None:
            self._top = self._newest(self._read(region), None)
            return None
        changed = _differ(cells, before)
        if changed.sum() < CHANGED_CELLS:
            # Slow changes of light become part of the reference.
            return None
        return self._laid(region, changed)

    def _laid(self, region: Frame, changed: Bools) -> Card | Unreadable | None:
        card = self._newest(self._read(region), changed)
        if card is not None:
            if card == self._top:
                # The top card was only pushed aside.
                return None
            self._top = card
            return card
        if _paper(region, changed) < PAPER_SHARE:
            self._top = None
            return None
        return UNREADABLE

    def _read(self, region: Frame) -> list[CardReading]:
        if self._reader is None:
            self._reader = CardReader()
        return self._reader.read(region)

    def _newest(self, readings: list[CardReading], changed: Bools | None) -> Card | None:
        """The card whose index appeared where the pile changed; None unless that is certainly one card."""
        sure = [reading for reading in readings if reading.card is not None and not reading.doubtful]
        if changed is not None:
            fresh = [reading for reading in sure if _inside(reading, changed)]
            sure = fresh if len(fresh) < 2 else [r for r in fresh if r.card != self._top]
        names = {reading.card for reading in sure}
        return names.pop() if len(names) == 1 else None


def from_above(pile: Pile, frame: Frame, pose: CameraPose) -> Frame | None:
    """Resample the pile as seen from above; None when it is not in the frame."""
    left, top = pile.x_mm - pile.width_mm / 2, pile.y_mm - pile.height_mm / 2
    scale = min(PX_PER_MM, MAX_PX / max(pile.width_mm, pile.height_mm))
    size = (max(CELL_PX, round(pile.width_mm * scale)), max(CELL_PX, round(pile.height_mm * scale)))
    corners_mm: Floats = np.array(
        [
            [left, top],
            [left + pile.width_mm, top],
            [left + pile.width_mm, top + pile.height_mm],
            [left, top + pile.height_mm],
        ]
    )
    seen = pose.project(corners_mm).astype(np.float32)
    height, width = frame.shape[:2]
    inside = (seen > -0.15 * max(width, height)).all() and (
        seen < [width + 0.15 * width, height + 0.15 * height]
    ).all()
    if not inside:
        return None
    target = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    matrix = cv2.getPerspectiveTransform(seen, target)
    return np.asarray(cv2.warpPerspective(frame, matrix, size, flags=cv2.INTER_LINEAR), dtype=np.uint8)


def _cells(region: Frame) -> Singles:
    """Mean colour of each cell (shape: [rows, columns, 3])."""
    size = (max(2, region.shape[1] // CELL_PX), max(2, region.shape[0] // CELL_PX))
    return np.asarray(cv2.resize(region, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


def _differ(cells: Singles, others: Singles) -> Bools:
    """Mask the cells that differ by more than a change of the overall light."""
    gain = (np.median(cells) + 8) / (np.median(others) + 8)
    gain = gain if 0.8 < gain < 1.25 else 1.0
    return np.asarray(np.abs(cells - others * gain).max(axis=2) > STIRRED_LEVELS)


def _inside(reading: CardReading, changed: Bools) -> bool:
    """Whether the index of a reading lies where the pile changed."""
    points = np.array(reading.box) / CELL_PX
    rows, columns = changed.shape
    row = int(np.clip(points[:, 1].mean(), 0, rows - 1))
    column = int(np.clip(points[:, 0].mean(), 0, columns - 1))
    near = changed[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
    return bool(near.mean() >= 0.3)


def _paper(region: Frame, changed: Bools) -> float:
    """Share of what changed that is as bright and colourless as paper."""
    hsv = cv2.cvtColor(region, cv2.COLOR_BGR2HSV)
    level = np.percentile(hsv[..., 2], 98)
    white = ((hsv[..., 2] > PAPER_BRIGHTNESS_SHARE * level) & (hsv[..., 1] < 70)).astype(np.uint8)
    mask = cv2.resize(changed.astype(np.uint8), white.shape[::-1], interpolation=cv2.INTER_NEAREST)
    return float(white[mask > 0].mean()) if mask.any() else 0.0
