"""Synthetic photographs of cards with the truth.

A scene has cards apart, overlapping, in a row, fanned in a hand or piled, among backs, other games' cards, text and
clutter; then light, shade, glare, blur and noise. It has one row for each printed corner: x, y (middle of the index in
pixels), up (radians, 0 = up, clockwise), height (pixels), visible share, card, number of the physical card.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from vision.training.cards.art import JOKERS
from vision.training.cards.camera import Camera
from vision.training.cards.canvas import Canvas, Laid
from vision.training.cards.decks import NAMES, Face
from vision.training.cards.layouts import Layouts
from vision.training.cards.printer import Printer
from vision.training.cards.tables import Tables

Array = Any
SIDE = 416
KINDS = ("single", "apart", "overlap", "row", "fan", "pile", "none")
KIND_SHARE = (0.07, 0.2, 0.24, 0.15, 0.2, 0.06, 0.08)


@dataclass
class Scene:
    """The picture and its rows of truth."""

    image: Array
    rows: list[tuple[float, ...]] = field(default_factory=list)


class Maker(Layouts):
    """Makes scenes, the same ones for the same seed."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        side: int = SIDE,
        heights: tuple[float, float] = (52, 300),
        hard: float = 0.0,
    ) -> None:
        """`hard` is the share of scenes seen very flat; half as many are dark or in glare."""
        super().__init__(np.random.default_rng(seed), side, heights, hard)
        self.printer = Printer(folder)
        self.renewal = 0.2
        """Rate at which a style of lettering gives way to a new one; printing is slow."""
        self.styles: list[tuple[dict[str, Any], dict[str, Face]]] = []
        self.camera = Camera(self.rng, side, hard / 2)
        self.tables = Tables(folder, self.camera, self.printer.fonts)

    def scene(self, kind: str | None = None, count: int | None = None) -> Scene:
        """Make one scene; without a kind one of all."""
        kind = kind or str(self.rng.choice(KINDS, p=KIND_SHARE))
        canvas = Canvas(self.tables.background(), self.camera)
        laid = self.layout(kind, count)
        canvas.lay(laid)
        if kind == "fan" or self.chance(0.12):
            canvas.fingers(laid)
        rows = canvas.truth(laid)
        return Scene(self.camera.photographed(canvas.picture), rows)

    def deck(self) -> Any:
        """A function from a card to its face: one deck, as drawn or re-lettered."""
        if self.chance(0.55):
            if len(self.styles) < 12:
                self.styles.append((self.printer.style(self.rng), {}))
            elif self.chance(self.renewal):
                self.styles[int(self.rng.integers(12))] = (self.printer.style(self.rng), {})
            style, printed = self.styles[int(self.rng.integers(len(self.styles)))]

            def lettered(card: str) -> Face:
                if card not in printed:
                    face = self.printer.lettered(style, card)
                    printed[card] = face or self.printer.face(self.rng, style["deck"], card)
                return printed[card]

            return lettered
        name = str(self.rng.choice(self.printer.names))
        return lambda card: self.printer.face(self.rng, name, card)

    def layout(self, kind: str, count: int | None) -> list[Laid]:
        """Choose cards and where they lie."""
        rng = self.rng
        if kind == "none":
            count = int(rng.integers(0, 4)) if count is None else count
            return [
                self.other(self.matrix(self.height(), self.spot(), self.uniform(0, 6.3)))
                for _ in range(count)
            ]
        face = self.deck()
        height = self.height()
        if count is None:
            count = 1 if kind == "single" else int(rng.integers(2, 14 if kind in ("fan", "row") else 8))
        names = [
            str(rng.choice(NAMES)) if self.chance(0.9) else str(rng.choice(JOKERS)) for _ in range(count)
        ]
        if self.chance(0.25):
            # Only a part shows the hard pairs more often: 6 and 9, clubs and spades, hearts and diamonds.
            names = [
                n if self.chance(0.5) else str(rng.choice(["6", "9", "K", "Q", "10"])) + n[-1] for n in names
            ]
            names = [n if n in NAMES else "9S" for n in names]
        laid = []
        for name, matrix in zip(names, self.places(kind, count, height), strict=True):
            if self.chance(0.04):
                laid.append(self.other(matrix))
            else:
                printed = face(name)
                laid.append(Laid(printed, printed.image, matrix))
        return laid

    def other(self, matrix: Array) -> Laid:
        """Lay a back or a card of another game, which has no index."""
        others = self.printer.without_index
        picture = others[int(self.rng.integers(len(others)))]
        if self.chance(0.3):
            picture = np.ascontiguousarray(picture[:, :, self.rng.permutation(3)])
        return Laid(None, picture, matrix)
