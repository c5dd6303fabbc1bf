"""Draws photographs of cards held close, and of cards of other games, with their truth.

Indices are 40 to 250 pixels high in pictures of 1,600: cards that fill the picture, hands in which each card leaves
half of the next index visible, cards seen flat, out of focus; and cards of other games and pages.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.training.cards.camera import softened
from vision.training.cards.canvas import OUTSIDE, Canvas, Laid
from vision.training.cards.decks import HEIGHT, NAMES, WIDTH, Face
from vision.training.cards.other_games import OtherGames, empty_scene
from vision.training.cards.scenes import Maker

Array = Any
LONGER_PX, SHORTER_PX = 1600, 1200
INDEX_PX = (40.0, 250.0)
"""Heights of indices."""
LARGE_PX = {"filling": 110.0, "fan": 70.0}
"""The least of cards that fill the picture, or are held."""
READABLE, HINTED = 0.6, 0.25
"""Visible shares of an index: from the first a card is asked for, below the second it is not seen."""
KINDS = ("fan", "fan", "filling", "overlap", "flat")
OTHER_GAME_PX = (300.0, 1300.0)
"""Heights of cards of other games."""
QUALITY = (60, 95)


@dataclass(frozen=True, slots=True)
class Near:
    """A photograph, the names of its readable cards, and its indices."""

    image: Array
    cards: tuple[str, ...] = ()
    rows: tuple[tuple[float, ...], ...] = ()
    """Of every printed index, as scenes.py has them."""


class NearMaker(Maker):
    """Makes scenes of 1,600 pixels, in which a card is as large as its index asks for."""

    def __init__(self, folder: Path, seed: int, hard: float = 0.0) -> None:
        super().__init__(folder, seed, LONGER_PX, hard=hard)
        self.other_games = OtherGames(self.camera, self.printer.fonts)

    def photos(self, count: int) -> Iterator[Near]:
        """Yield photographs of cards, one kind after another."""
        number = 0
        while number < count:
            near = self.near(KINDS[number % len(KINDS)])
            if near is not None:
                yield near
                number += 1

    def empties(self, count: int) -> Iterator[Near]:
        """Yield photographs without playing cards, one kind after another."""
        kinds = [*self.other_games.KINDS, "page"]
        for number in range(count):
            yield Near(self.photo_without_playing_cards(kinds[number % len(kinds)]))

    def near(self, kind: str) -> Near | None:
        """A photograph of cards held close; None where a card is half readable, or none is readable."""
        faces, height = self.hand(kind)
        matrices = self.fan(faces, height) if kind == "fan" else self.spread(kind, faces, height)
        laid = [Laid(face, face.image, matrix) for face, matrix in zip(faces, matrices, strict=True)]
        canvas = Canvas(self.tables.background(), self.camera)
        canvas.lay(laid)
        if kind == "fan" and self.chance(0.7):
            canvas.fingers(laid)
        crop = self.crop()
        outside = np.ones(canvas.owner.shape, bool)
        outside[crop] = False
        canvas.owner[outside] = OUTSIDE
        best: dict[int, tuple[float, ...]] = {}
        rows = canvas.truth(laid)
        for row in rows:
            number = int(row[6])
            if number not in best or row[4] > best[number][4]:
                best[number] = row
        shown = [row for row in best.values() if row[4] >= READABLE]
        if not shown or any(HINTED < row[4] < READABLE for row in best.values()):
            return None
        left, top = crop[1].start, crop[0].start
        placed = tuple((row[0] - left, row[1] - top, *row[2:]) for row in rows)
        cards = tuple(NAMES[int(row[5])] for row in shown)
        return Near(self.taken(canvas.picture, height * 0.2)[crop], cards, placed)

    def hand(self, kind: str) -> tuple[list[Face], float]:
        """Cards of one deck, rarely a joker, and how high a card is for the index to be as high as chosen."""
        deck = self.deck()
        count = 1 if kind == "filling" else int(self.rng.integers(2, 7))
        names = self.rng.choice(NAMES[:52], count, replace=False)
        faces = [deck(str(name)) for name in names]
        faces = [face for face in faces if face.boxes and face.card in NAMES[:52]]
        if not faces:
            return self.hand(kind)
        low, high = LARGE_PX.get(kind, INDEX_PX[0]), INDEX_PX[1]
        index_px = float(np.exp(self.uniform(np.log(low), np.log(high))))
        return faces, index_px * HEIGHT / faces[0].boxes[0][3]

    def fan(self, faces: list[Face], height: float) -> list[Array]:
        """A hand: each card leaves half of the index below to be seen, or more, up to the whole of it twice."""
        scale = height / HEIGHT
        x, y, width, high = faces[0].boxes[0]
        step = (x + width * self.uniform(0.62, 2.2)) * scale
        bend = self.uniform(0.05, 0.2)
        arm = step / bend
        turn, tilt = self.uniform(-0.5, 0.5), self.tilt()
        top = np.array(self.spot() * 0.5 + self.side * 0.25)
        pivot = top + arm * np.array([-np.sin(turn), np.cos(turn)])
        out = []
        for number in range(len(faces)):
            angle = turn + bend * (number - (len(faces) - 1) / 2) + self.uniform(-0.02, 0.02)
            index = pivot + arm * np.array([np.sin(angle), -np.cos(angle)])
            inner = np.array([WIDTH / 2 - x - width / 2, HEIGHT / 2 - y - high / 2]) * scale
            cos, sin = np.cos(angle), np.sin(angle)
            middle = index + np.array([cos * inner[0] - sin * inner[1], sin * inner[0] + cos * inner[1]])
            out.append(self.matrix(height, middle, angle, tilt))
        return out

    def spread(self, kind: str, faces: list[Face], height: float) -> list[Array]:
        """Cards on the table: one that fills the picture, some that overlap, or some apart seen flat."""
        usual, self.hard = self.hard, 1.0 if kind == "flat" else 0.0
        matrices = self.places("single" if kind == "filling" else "overlap", len(faces), height)
        self.hard = usual
        return matrices

    def crop(self) -> tuple[slice, slice]:
        """An upright or lying part of the square, as phones have it."""
        start = int(self.rng.integers(0, LONGER_PX - SHORTER_PX))
        part, whole = slice(start, start + SHORTER_PX), slice(0, LONGER_PX)
        return (whole, part) if self.chance(0.6) else (part, whole)

    def taken(self, canvas: Array, index_px: float) -> Array:
        """The photograph of a scene: out of focus now and then, since phones do not see sharp that near."""
        image = self.out_of_focus(self.camera.photographed(canvas), index_px)
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(self.rng.integers(*QUALITY))]
        return cv2.imdecode(cv2.imencode(".jpg", image, quality)[1], cv2.IMREAD_COLOR)

    def out_of_focus(self, image: Array, index_px: float) -> Array:
        """A picture unchanged, or blurred by some of the height of an index."""
        return softened_colours(image, index_px * self.uniform(0.01, 0.06)) if self.chance(0.35) else image

    def photo_without_playing_cards(self, kind: str) -> Array:
        """A photograph of some cards of other games, or of a page."""
        self.heights = OTHER_GAME_PX
        canvas = empty_scene(self, kind, 7)
        return self.taken(canvas, self.height() * 0.2)[self.crop()]


def softened_colours(image: Array, sigma: float) -> Array:
    """A picture out of focus."""
    planes = [softened(plane, sigma) for plane in cv2.split(image)]
    return np.stack(planes, axis=-1).clip(0, 255).astype(np.uint8)
