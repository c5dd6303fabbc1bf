"""Writes letters, numbers and signs by chance, in the fonts of the cards, on things that are no playing cards."""

from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw

from vision.training.cards.camera import Camera
from vision.training.cards.decks import font

Array = Any
Color = tuple[int, int, int]
BRIGHT: tuple[Color, ...] = ((40, 40, 200), (200, 90, 20), (40, 150, 40), (30, 200, 230), (30, 30, 30))


class Lettering:
    """Chooses fonts, colours and numbers, and writes with them."""

    def __init__(self, camera: Camera, fonts: list[str]) -> None:
        self.camera = camera
        self.fonts = fonts

    def font(self) -> str:
        """Choose a font."""
        return str(self.camera.rng.choice(self.fonts))

    def ink(self) -> Color:
        """Choose a colour, mostly one of those that cards have."""
        return BRIGHT[int(self.camera.rng.integers(len(BRIGHT)))]

    def number(self, above: int) -> str:
        """Choose a number."""
        return str(self.camera.rng.integers(0, above))

    def write(self, pen: Any, text: str, middle: Any, path: str, size: int, ink: Color) -> None:
        """Write a text around a place."""
        pen.text(middle, text, fill=ink, font=font(path, max(8, size)), anchor="mm")

    def lines(self, image: Array, size: int, margin: int) -> None:
        """Write lines of words and numbers over a picture."""
        rng = self.camera.rng
        drawn = Image.fromarray(image)
        pen = ImageDraw.Draw(drawn)
        path, ink = self.font(), self.ink()
        letters = list("abcdefghijklmnopqrstuvwyzADEJKQRTV 0123456789")
        for y in range(margin, image.shape[0], int(size * rng.uniform(1.05, 1.5))):
            text = "".join(rng.choice(letters, max(3, 2 * image.shape[1] // size)))
            pen.text((margin, y), text, fill=ink, font=font(path, size))
        image[:] = np.array(drawn)

    def picture(self, width: int, height: int) -> Array:
        """Blots of colour, as of a painting."""
        small = self.camera.rng.integers(0, 256, (7, 5, 3), dtype=np.uint8)
        return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


def symbol(pen: Any, shape: int, middle: tuple[float, float], size: float, ink: Color) -> None:
    """Draw a disc, ring, square, star or bar."""
    x, y = middle
    box = (x - size, y - size, x + size, y + size)
    if shape == 0:
        pen.ellipse(box, fill=ink)
    elif shape == 1:
        pen.ellipse(box, outline=ink, width=max(2, int(size / 4)))
    elif shape == 2:
        pen.rectangle(box, fill=ink)
    elif shape == 3:
        angles = np.arange(10) * np.pi / 5
        far = np.where(np.arange(10) % 2, 0.42, 1.0) * size
        pen.polygon(
            [(x + r * np.sin(a), y - r * np.cos(a)) for a, r in zip(angles, far, strict=True)], fill=ink
        )
    else:
        pen.rectangle((x - size, y - size / 4, x + size, y + size / 4), fill=ink)
