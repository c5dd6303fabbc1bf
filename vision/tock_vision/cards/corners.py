"""Corner indices: their places in a picture, and upright patches cut there."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from tock_rules import JOKERS, RANKS, SUITS, Card, Rank
from tock_vision.arrays import Frame, Singles

PATCH_WIDTH, PATCH_HEIGHT = 32, 48
INDEX_PX = 36
"""Height of an index within its patch."""
BOX_HEIGHTS = 0.72, 1.08
"""Width and height of the box reported for an index, in heights of the index."""
RANK_COUNT = len(RANKS) + 1
"""Outputs of the classifier: 13 ranks and joker, four suits, black and colour, valid, and the better place."""
SUIT_AT, VALID_AT, PLACE_AT = RANK_COUNT, RANK_COUNT + 6, RANK_COUNT + 7
GRID = 1 / 8, 1 / 8, 1 / 128, 1 / 128
"""Steps of a rounded corner: pixels, radians, and the log of the height."""
LABELS: tuple[Card, ...] = (*(Card(rank, suit) for suit in SUITS for rank in RANKS), *JOKERS)


@dataclass(frozen=True, slots=True)
class Corner:
    """An index: its middle in pixels, where its upper side points (radians, 0 = up, clockwise), its height."""

    x: float
    y: float
    up: float
    height_px: float
    score: float = 1.0
    """Sureness of the finder, 0 to 1."""

    def box(self) -> list[list[float]]:
        """The four corners of the index, clockwise from its upper left."""
        right = np.array([np.cos(self.up), np.sin(self.up)]) * self.height_px * BOX_HEIGHTS[0] / 2
        down = np.array([-np.sin(self.up), np.cos(self.up)]) * self.height_px * BOX_HEIGHTS[1] / 2
        middle = np.array([self.x, self.y])
        points = (middle - right - down, middle + right - down, middle + right + down, middle - right + down)
        return [[round(float(x), 1), round(float(y), 1)] for x, y in points]

    @classmethod
    def of_box(cls, box: list[list[float]]) -> "Corner":
        """The index that has this box, as exactly as its corners are rounded."""
        points = np.array(box)
        middle, down = points.mean(axis=0), points[3] - points[0]
        height_px = float(np.hypot(*down)) / BOX_HEIGHTS[1]
        return cls(float(middle[0]), float(middle[1]), float(np.arctan2(-down[0], down[1])), height_px)

    def on_grid(self) -> "Corner":
        """The corner a little rounded, much more coarsely than processors differ: all of them cut the same patch."""
        x, y, up, log_height = (
            round(value / step) * step
            for value, step in zip((self.x, self.y, self.up, math.log(self.height_px)), GRID, strict=True)
        )
        return Corner(x, y, up, math.exp(log_height), self.score)

    def distance_px(self, other: "Corner") -> float:
        """How far apart the middles of two indices are."""
        return math.hypot(self.x - other.x, self.y - other.y)

    def seen_from(self, other: "Corner") -> tuple[float, float, float]:
        """Place of this index in the other's upright frame: right and down in its heights, turn in radians."""
        dx, dy = (self.x - other.x) / other.height_px, (self.y - other.y) / other.height_px
        cos, sin = math.cos(other.up), math.sin(other.up)
        turn = (self.up - other.up + math.pi) % (2 * math.pi) - math.pi
        return dx * cos + dy * sin, dy * cos - dx * sin, turn

    def taller(self, times: float) -> "Corner":
        """The corner in the picture made taller."""
        right, down = np.sin(self.up) * self.height_px, -np.cos(self.up) * self.height_px * times
        return Corner(
            self.x, self.y * times, float(np.arctan2(right, -down)), float(np.hypot(right, down)), self.score
        )

    def moved(self, right: float, down: float, turn: float, growth: float) -> "Corner":
        """The corner moved, in heights and radians, and grown by the log of a factor."""
        cos, sin = np.cos(self.up), np.sin(self.up)
        return Corner(
            self.x + float(right * cos - down * sin) * self.height_px,
            self.y + float(right * sin + down * cos) * self.height_px,
            self.up + turn,
            self.height_px * float(np.exp(growth)),
            self.score,
        )


def cut(image: Frame, corner: Corner, width: int = PATCH_WIDTH, height: int = PATCH_HEIGHT) -> Frame:
    """Cut the upright patch around a corner; the picture should be at most twice too large for it."""
    scale = corner.height_px / INDEX_PX
    cos, sin = np.cos(corner.up) * scale, np.sin(corner.up) * scale
    matrix = np.array(
        [
            [cos, -sin, corner.x - cos * (width - 1) / 2 + sin * (height - 1) / 2],
            [sin, cos, corner.y - sin * (width - 1) / 2 - cos * (height - 1) / 2],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(image, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, dtype=np.uint8)


def normal(patches: Frame) -> Singles:
    """Bring patches to one brightness and contrast (shape: [n, height, width, 3] to [n, 3, height, width])."""
    values = patches.astype(np.float32)
    mean = values.mean(axis=(1, 2, 3), keepdims=True)
    spread = values.std(axis=(1, 2, 3), keepdims=True)
    return np.ascontiguousarray(((values - mean) / (spread + 8.0)).transpose(0, 3, 1, 2))


def is_joker(card: Card) -> bool:
    """Whether a card is one of the two jokers."""
    return card.rank is Rank.JOKER
