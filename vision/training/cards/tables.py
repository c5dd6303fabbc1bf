"""Tables without cards for the synthetic scenes: plain, felt, wood, pictures, with letters and clutter on them."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw

from vision.training.cards.camera import Camera
from vision.training.cards.decks import font

Array = Any


def papers(folder: Path) -> Array:
    """Desktop backgrounds (shape: [n, 600, 960, 3]), kept small in a file since reading them is slow."""
    file = folder / "papers.npy"
    if not file.exists():
        paths = sorted(
            path
            for name in ("gnome-backgrounds", "mate-backgrounds", "*-wallpapers*", "sway-backgrounds")
            for kind in ("backgrounds", "wallpapers")
            for path in (folder / "fetched").glob(f"{name}/usr/share/{kind}/**/*")
            if path.suffix in (".jpg", ".png", ".webp")
        )
        read = [cv2.imread(str(path)) for path in paths]
        np.save(file, np.stack([cv2.resize(image, (960, 600)) for image in read if image is not None]))
    return np.load(file)


class Tables:
    """Makes tables by chance."""

    def __init__(self, folder: Path, camera: Camera, fonts: list[str]) -> None:
        self.camera = camera
        self.fonts = fonts
        self.papers = papers(folder)

    def background(self) -> Array:
        """A table: plain, wood, noise, part of a picture, with text and clutter now and then."""
        side, rng = self.camera.side, self.camera.rng
        pick = rng.random()
        if pick < 0.3:
            image = np.ones((side, side, 3), np.float32) * rng.uniform(15, 250, 3)
        elif pick < 0.45:
            green = np.array([40, 110, 40]) * rng.uniform(0.5, 1.6) + rng.uniform(-20, 20, 3)
            image = np.ones((side, side, 3), np.float32) * green + self.camera.noise()[..., :1] * 8
        elif pick < 0.65:
            image = self.wood()
        else:
            paper = self.papers[int(rng.integers(len(self.papers)))]
            size = int(rng.uniform(120, 590))
            x, y = int(rng.integers(960 - size)), int(rng.integers(600 - size))
            image = cv2.resize(paper[y : y + size, x : x + size], (side, side)).astype(np.float32)
        if self.camera.chance(0.3):
            small = rng.normal(0, rng.uniform(4, 30), (int(rng.integers(4, 60)),) * 2 + (1,)).astype(
                np.float32
            )
            image = image + cv2.resize(small, (side, side))[..., None]
        image = image.clip(0, 255).astype(np.uint8)
        if self.camera.chance(0.22):
            self.clutter(image)
        return image

    def wood(self) -> Array:
        """Boards with grain."""
        side, rng = self.camera.side, self.camera.rng
        base = np.array([60, 100, 150]) * rng.uniform(0.4, 1.5) + rng.uniform(-25, 25, 3)
        grain = rng.normal(0, 1, (side // 2, max(2, int(rng.integers(2, 12))))).astype(np.float32)
        grain = cv2.GaussianBlur(cv2.resize(grain, (side, side)), (0, 0), 1.2)
        if self.camera.chance(0.5):
            grain = grain.T
        image: Array = base + grain[..., None] * rng.uniform(6, 40)
        return image.astype(np.float32)

    def clutter(self, image: Array) -> None:
        """Write letters and numbers and draw shapes that are no indices."""
        drawn = Image.fromarray(image)
        pen = ImageDraw.Draw(drawn)
        for _ in range(int(self.camera.rng.integers(2, 6 + self.camera.side // 20))):
            path = str(self.camera.rng.choice(self.fonts))
            text = "".join(
                self.camera.rng.choice(
                    list("0123456789AJQKRDVabcdeghkmost"), int(self.camera.rng.integers(1, 6))
                )
            )
            if self.camera.chance(0.3):
                text = "\n".join(text)
            color = tuple(int(v) for v in self.camera.rng.integers(0, 256, 3))
            if self.camera.chance(0.4):
                color = (0, 0, 0) if self.camera.chance(0.5) else (40, 30, 205)
            spot = (self.camera.uniform(-20, self.camera.side), self.camera.uniform(-20, self.camera.side))
            pen.text(spot, text, fill=color, font=font(path, int(self.camera.rng.integers(10, 70))))
        for _ in range(int(self.camera.rng.integers(0, 6))):
            x, y, r = (
                self.camera.uniform(0, self.camera.side),
                self.camera.uniform(0, self.camera.side),
                self.camera.uniform(4, 60),
            )
            color = tuple(int(v) for v in self.camera.rng.integers(0, 256, 3))
            if self.camera.chance(0.5):
                pen.ellipse((x - r, y - r, x + r, y + r), fill=color)
            else:
                pen.rectangle(
                    (x - r, y - r, x + r * 2, y + r), outline=color, width=int(self.camera.rng.integers(1, 6))
                )
        image[:] = np.array(drawn)
