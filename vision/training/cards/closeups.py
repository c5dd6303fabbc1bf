"""Patches for the classifier without drawing whole scenes.

A close-up is a small window around one index of a layout as scenes.py makes them, drawn as small as a photo
would show it, then photographed; or around something that is no index. A few milliseconds each.
"""

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.training.cards.canvas import Canvas, Laid
from vision.training.cards.decks import HEIGHT, WIDTH
from vision.training.cards.near import NearMaker
from vision.training.cards.printed_pages import PrintedPages
from vision.training.cards.scenes import Scene

Array = Any
SPREAD_PX = 416
"""Layouts are made in a square of this side before one index is looked at."""
INDEXES = (9.0, 46.0)
"""Heights of the index looked at, in pixels."""
NEAR_INDEXES = (26.0, 57.0)
"""Heights in close-ups of cards held close: blur is seen there, and the classifier shrinks no less."""
WINDOW = 3.0
"""Sides of the window in heights of the index: a patch fits in at any turn."""
FINE_PX = 28
"""Size below which an index is drawn twice or three times as large and shrunk."""
KINDS = ("single", "apart", "overlap", "row", "fan", "pile")
KIND_SHARE = (0.12, 0.2, 0.25, 0.15, 0.25, 0.03)


class Closeups:
    """Makes close-ups, the same ones for the same seed."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        other_games_share: float = 0.08,
        nothing: float = 0.3,
        hard: float = 0.0,
        near: float = 0.0,
    ) -> None:
        self.near = near
        """Share of close-ups of hands held close, each card over half of an index, and of games as people have them."""
        self.other_games_share = other_games_share
        """Share of close-ups that show cards of other games."""
        self.nothing = nothing
        """Share of the others in whose middle there is no index."""
        self.maker = NearMaker(folder, seed, hard)
        self.maker.heights = (170, 330)
        self.maker.renewal = 0.05
        self.rng = self.maker.rng
        self.pages = PrintedPages(self.maker.camera, self.maker.printer.fonts)

    def closeup(self) -> Scene:
        """Make one, with the rows of all indices in it."""
        maker, rng = self.maker, self.rng
        near = bool(rng.random() < self.near)
        height = float(np.exp(rng.uniform(*np.log(NEAR_INDEXES if near else INDEXES))))
        times = 1 if height > FINE_PX else 2 if height > FINE_PX / 2 else 3
        side = int(WINDOW * height) + 1
        laid = self.window(self.laid_near() if near else self.laid(), height * times, side * times)
        self.resize(side * times)
        printed = rng.random() < 0.06
        table = self.pages.page(side * times) if printed else maker.tables.background()
        canvas = Canvas(table, maker.camera)
        canvas.lay(laid)
        if maker.chance(0.06):
            canvas.fingers(laid)
        rows = [
            (*(v / times for v in row[:2]), row[2], row[3] / times, *row[4:]) for row in canvas.truth(laid)
        ]
        self.resize(side)
        picture = canvas.picture
        if times > 1:
            picture = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
        image = maker.camera.photographed(picture)
        if near:
            image = maker.out_of_focus(image, height)
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 97))]
        return Scene(cv2.imdecode(cv2.imencode(".jpg", image, quality)[1], cv2.IMREAD_COLOR), rows)

    def laid(self) -> list[Laid]:
        """Lay cards of some kind, or those of other games."""
        self.resize(SPREAD_PX)
        if self.rng.random() < self.other_games_share / 2:
            return self.maker.layout("none", int(self.rng.integers(1, 4)))
        if self.rng.random() < self.other_games_share:
            return [
                Laid(
                    None,
                    self.maker.other_games.card(),
                    self.maker.matrix(self.maker.height(), self.maker.spot(), angle),
                )
                for angle in self.rng.uniform(0, 6.3, 2)
            ]
        return self.maker.layout(str(self.rng.choice(KINDS, p=KIND_SHARE)), None)

    def laid_near(self) -> list[Laid]:
        """Lay a hand held close, or cards that are no playing cards."""
        self.resize(SPREAD_PX)
        maker = self.maker
        if self.rng.random() < self.other_games_share:
            kind = str(self.rng.choice(maker.other_games.KINDS))
            spots = [
                maker.matrix(maker.height(), maker.spot(), angle) for angle in self.rng.uniform(0, 6.3, 2)
            ]
            return [Laid(None, maker.other_games.card(kind), spot) for spot in spots]
        faces, height = maker.hand("fan")
        return [
            Laid(face, face.image, matrix)
            for face, matrix in zip(faces, maker.fan(faces, height), strict=True)
        ]

    def window(self, laid: list[Laid], height: float, side: int) -> list[Laid]:
        """Shift and scale a layout, so that one index, or any other place of a card, is in the middle."""
        card = laid[int(self.rng.integers(len(laid)))]
        spot = np.array([self.rng.uniform(0.05, 0.95) * WIDTH, self.rng.uniform(0.05, 0.95) * HEIGHT])
        large = HEIGHT * self.rng.uniform(0.08, 0.25)
        if card.face is None and self.rng.random() < 0.6:
            # Where other games have their numbers and signs.
            spot = self.rng.uniform(0.06, 0.16, 2) * (WIDTH, HEIGHT)
            large = HEIGHT * self.rng.uniform(0.1, 0.22)
        boxes = card.face.boxes if card.face is not None else []
        if boxes and self.rng.random() > self.nothing:
            x, y, wide, large = boxes[int(self.rng.integers(len(boxes)))]
            spot = np.array([x + wide / 2, y + large / 2])
            if self.rng.random() < 0.5:
                spot = (WIDTH, HEIGHT) - spot
        ends = np.array([[0, 0], [0, large / 2], [0, -large / 2]], np.float32) + spot.astype(np.float32)
        middle, below, above = cv2.perspectiveTransform(ends[None], card.matrix)[0]
        scale = height / max(float(np.hypot(*(below - above))), 4.0)
        place = np.eye(3)
        place[0, 0] = place[1, 1] = scale
        place[:2, 2] = side / 2 - scale * middle + self.rng.normal(0, 0.06, 2) * height
        return [Laid(one.face, one.picture, place @ one.matrix) for one in laid]

    def resize(self, side: int) -> None:
        """Let the maker draw pictures of this side."""
        self.maker.side = self.maker.camera.side = side
