"""Tells rank and suit of corners: one reading, and where that is not clear a second one, cut as the first advises."""

from dataclasses import dataclass

import cv2
import numpy as np

from tock_vision.arrays import Frame, Singles, softmax
from tock_vision.cards.corners import (
    INDEX_PX,
    LABELS,
    PATCH_HEIGHT,
    PATCH_WIDTH,
    PLACE_AT,
    SUIT_AT,
    VALID_AT,
    Corner,
    cut,
    normal,
)
from tock_vision.cards.finder import read_net

BATCH = 3
SECOND_READ_CHANCE, SECOND_READ_CHANCE_CLOSER, DOUBTFUL_CHANCE = 0.1, 0.02, 0.5
"""Chances of being an index: below the first (in a closer reading the second) a corner is not read again, below the
third it is cut in more ways in a closer reading."""
ASKEW = [(turn, growth) for turn in (-0.25, 0.0, 0.25) for growth in (-0.27, 0.0, 0.27) if turn or growth]
"""Errors of the finder, in radians and as the log of a factor; a closer reading cuts doubtful corners with them."""
CLEAR_CHANCE, CLEAR_MOVE_HEIGHTS = 0.98, 0.16
"""A first reading this certain, at most this far off, needs no second one."""

MAX_MOVE = 0.5
"""Most that an index is moved in heights, turned in radians, or grown as the log of a factor, when it is centred."""


@dataclass(frozen=True, slots=True)
class IndexReading:
    """The reading of a corner: the chance of each card, the chance of being an index at all, and the corrected
    corner."""

    corner: Corner
    chances: Singles
    """One for each of `LABELS`, given that it is an index (shape: [54], sum 1)."""
    valid: float
    agreed: float = 0.0
    """Further views of the picture that read the same card here, each counted by its sureness."""


class Classifier:
    """Runs the classifier, and on still pictures two others, one larger; one instance for each thread."""

    def __init__(self) -> None:
        """Load the network of live pictures; those of still ones when they are first asked."""
        self._live = read_net("card_classifier.onnx")
        self._still: tuple[cv2.dnn.Net, cv2.dnn.Net] | None = None

    def answers(self, patches: Frame, thorough: bool) -> Singles:
        """Outputs of the network for patches (shape: [n, height, width, 3] to [n, 25])."""
        return _outputs(self._still_nets()[0] if thorough else self._live, patches)

    def second_answers(self, patches: Frame, thorough: bool) -> Singles:
        """Outputs for patches cut better; in a `thorough` reading those of the larger network."""
        return _outputs(self._still_nets()[1] if thorough else self._live, patches)

    def _still_nets(self) -> tuple[cv2.dnn.Net, cv2.dnn.Net]:
        if self._still is None:
            self._still = read_net("card_classifier_still.onnx"), read_net("card_classifier_large.onnx")
        return self._still

    def centred(self, pyramid: "Pyramid", corners: list[Corner]) -> list[Corner]:
        """Corners moved to where the larger network sees the middle of the index."""
        answers = self.second_answers(pyramid.patches(corners), thorough=True)[:, PLACE_AT:]
        moves = answers[:, :4].clip(-MAX_MOVE, MAX_MOVE)
        return [
            corner.moved(*(float(value) for value in move))
            for corner, move in zip(corners, moves, strict=True)
        ]

    def large_readings(self, pyramid: "Pyramid", corners: list[Corner]) -> tuple[Singles, Singles]:
        """Chances of all cards by the larger network (shape: [n, 54]), and of being an index (shape: [n])."""
        answers = self.second_answers(pyramid.patches(corners), thorough=True)
        return _chances(answers), _sigmoid(answers[:, VALID_AT])

    def classify(
        self, pyramid: "Pyramid", corners: list[Corner], closer: bool = False, thorough: bool = False
    ) -> list[IndexReading]:
        """Read corners; those that are clearly no index are left out, fewer of them in a `closer` reading.

        Unclear patches are read again, in a `thorough` reading by the larger network.
        """
        if not corners:
            return []
        worth = SECOND_READ_CHANCE_CLOSER if closer else SECOND_READ_CHANCE
        first = self.answers(pyramid.patches(corners), thorough)
        indices = _readings(corners, first)
        unsure = [
            n
            for n, index in enumerate(indices)
            if index.valid >= worth and not _clear(index, first[n, PLACE_AT:])
        ]
        if unsure:
            better = [corners[n].moved(*(float(v) for v in first[n, PLACE_AT:])) for n in unsure]
            again = self.second_answers(pyramid.patches(better), thorough)
            for n, index in zip(unsure, _readings(better, (first[unsure] + 2 * again) / 3), strict=True):
                indices[n] = index
        if closer:
            doubtful = [index.corner for index in indices if index.valid < DOUBTFUL_CHANCE]
            askew = [corner.moved(0.0, 0.0, *way) for corner in doubtful for way in ASKEW]
            indices += self.classify(pyramid, askew, thorough=thorough)
        return [index for index in indices if index.valid >= worth]


class Pyramid:
    """A picture in halving sizes, so that every patch is cut from one that fits it."""

    def __init__(self, image: Frame) -> None:
        """Start with the picture; smaller ones are made when asked for."""
        self._levels = [image]

    def patches(self, corners: list[Corner]) -> Frame:
        """Cut the upright patches around corners (shape: [n, height, width, 3])."""
        return np.stack([self._patch(corner) for corner in corners])

    def fine_patch(self, corner: Corner, finer: int) -> Frame:
        """Cut the patch of a corner finer by a whole factor."""
        return self._patch(corner, finer)

    def _patch(self, corner: Corner, finer: int = 1) -> Frame:
        level = 0
        while corner.height_px / 2**level > INDEX_PX * finer * 1.6 and level < 6:
            level += 1
        while len(self._levels) <= level:
            last = self._levels[-1]
            height, width = last.shape[0] // 2 * 2, last.shape[1] // 2 * 2
            half = cv2.resize(last[:height, :width], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, dtype=np.uint8))
        scale = 2.0**level
        shift = (scale - 1) / 2
        x, y = (corner.x - shift) / scale, (corner.y - shift) / scale
        moved = Corner(x, y, corner.up, corner.height_px / scale / finer)
        return cut(self._levels[level], moved, PATCH_WIDTH * finer, PATCH_HEIGHT * finer)


def _clear(index: IndexReading, move: Singles) -> bool:
    sure = index.valid > CLEAR_CHANCE and float(index.chances.max()) > CLEAR_CHANCE
    return sure and float(np.abs(move).max()) < CLEAR_MOVE_HEIGHTS


def _outputs(net: cv2.dnn.Net, patches: Frame) -> Singles:
    values = normal(patches)
    parts = []
    for start in range(0, len(values), BATCH):
        # Always the same number, since OpenCV plans again whenever it changes.
        part = np.zeros((BATCH, *values.shape[1:]), np.float32)
        count = len(values[start : start + BATCH])
        part[:count] = values[start : start + BATCH]
        net.setInput(part)
        parts.append(np.asarray(net.forward(), dtype=np.float32)[:count].copy())
    return np.concatenate(parts) if parts else np.zeros((0, PLACE_AT + 4), np.float32)


def _readings(corners: list[Corner], answers: Singles) -> list[IndexReading]:
    """The readings of corners from the outputs of a network."""
    valid = _sigmoid(answers[:, VALID_AT]).tolist()
    return [IndexReading(*row) for row in zip(corners, _chances(answers), valid, strict=True)]


def _chances(answers: Singles) -> Singles:
    """The chance of each card (shape: [n, 25] to [n, 54])."""
    rank, suit = softmax(answers[:, :SUIT_AT]), softmax(answers[:, SUIT_AT:VALID_AT])
    plain = (suit[:, :4, None] * rank[:, None, :13]).reshape(len(answers), -1)
    # A joker has no suit: the chance of the suits goes to both kinds equally.
    joker = suit[:, 4:] + suit[:, :4].sum(axis=1, keepdims=True) / 2
    joint = np.concatenate([plain, rank[:, 13:] * joker], axis=1)
    assert joint.shape[1] == len(LABELS)
    return np.asarray(joint / joint.sum(axis=1, keepdims=True), dtype=np.float32)


def _sigmoid(values: Singles) -> Singles:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -30, 30))), dtype=np.float32)
