"""Printed things that look like indices to a network: pages of text, keys, calendars, tiles, dials, signs."""

from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw

from vision.training.cards.lettering import Lettering, symbol

Array = Any


class PrintedPages(Lettering):
    """Draws squares full of print by chance, lettered with the same fonts as the cards."""

    def page(self, side: int) -> Array:
        """A square full of print: a page, keys, a calendar, tiles, a dial, a sign."""
        kinds = (self.text_page, self.text_page, self.keys, self.calendar, self.tiles, self.dial, self.sign)
        picture: Array = kinds[int(self.camera.rng.integers(len(kinds)))](side)
        return picture

    def text_page(self, side: int) -> Array:
        """A printed page with lines of words and numbers, in columns now and then."""
        rng = self.camera.rng
        image = np.full((side, side, 3), rng.integers(165, 256), np.uint8)
        columns = int(rng.integers(1, 4))
        for column in range(columns):
            part = image[:, column * side // columns : (column + 1) * side // columns]
            picture = np.ascontiguousarray(part)
            self.lines(picture, int(np.exp(rng.uniform(np.log(9), np.log(60)))), 6)
            part[:] = picture
        return self.turned(image)

    def keys(self, side: int) -> Array:
        """A field of keys, each with a letter or number, and a smaller sign below now and then."""
        rng = self.camera.rng
        dark = self.camera.chance(0.5)
        image = np.full((side, side, 3), 40 if dark else 190, np.uint8)
        drawn = Image.fromarray(image)
        pen = ImageDraw.Draw(drawn)
        step, path = int(rng.integers(26, 80)), self.font()
        for x in range(-10, side, step):
            for y in range(-10, side, step):
                face = int(rng.integers(20, 70)) if dark else int(rng.integers(220, 256))
                pen.rounded_rectangle((x, y, x + step * 0.9, y + step * 0.9), step // 8, fill=(face,) * 3)
                ink = (235, 235, 235) if dark else (30, 30, 30)
                sign = str(rng.choice(list("0123456789ABDEFGHJKLQRSTUVXZ?!+&")))
                self.write(pen, sign, (x + step * 0.3, y + step * 0.3), path, int(step * 0.42), ink)
                if self.camera.chance(0.4):
                    below = str(rng.choice(list("!@#€$%*/;:()=°")))
                    self.write(pen, below, (x + step * 0.3, y + step * 0.68), path, int(step * 0.32), ink)
        return self.turned(np.array(drawn))

    def calendar(self, side: int) -> Array:
        """Rows of numbers, some red."""
        rng = self.camera.rng
        drawn = Image.fromarray(np.full((side, side, 3), rng.integers(200, 256), np.uint8))
        pen = ImageDraw.Draw(drawn)
        size, path = int(rng.integers(14, 56)), self.font()
        across, down = size * rng.uniform(1.4, 2.6), size * rng.uniform(1.1, 2.2)
        number = int(rng.integers(0, 20))
        for y in np.arange(size, side, down):
            for column, x in enumerate(np.arange(size, side, across)):
                ink = (40, 30, 205) if column % 7 == 6 else (35, 30, 30)
                self.write(pen, str(number % 32), (x, y), path, size, ink)
                number += 1
        return self.turned(np.array(drawn))

    def tiles(self, side: int) -> Array:
        """Pieces of a game: a letter with a small number, or a number above a coloured spot."""
        rng = self.camera.rng
        drawn = Image.fromarray(np.full((side, side, 3), rng.integers(20, 200, 3), np.uint8))
        pen = ImageDraw.Draw(drawn)
        step, path, spots = int(rng.integers(24, 90)), self.font(), self.camera.chance(0.5)
        face = tuple(int(v) for v in rng.integers(170, 256, 3))
        for x in range(-5, side, step):
            for y in range(-5, side, int(step * (1.35 if spots else 1.1))):
                if self.camera.chance(0.3):
                    continue
                ink, high = self.ink(), step * (1.25 if spots else 1.0)
                pen.rounded_rectangle((x, y, x + step * 0.92, y + high), step // 10, fill=face)
                if spots:
                    self.write(pen, self.number(14), (x + step * 0.46, y + high * 0.3), path, step // 2, ink)
                    shape, at = int(rng.integers(5)), (x + step * 0.46, y + high * 0.72)
                    symbol(pen, shape, at, step * 0.15, ink)
                else:
                    letter = str(rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")))
                    self.write(pen, letter, (x + step * 0.4, y + high * 0.42), path, int(step * 0.6), ink)
                    at = (x + step * 0.76, y + high * 0.8)
                    self.write(pen, self.number(11), at, path, int(step * 0.24), ink)
        return self.turned(np.array(drawn))

    def dial(self, side: int) -> Array:
        """Numbers around a circle, with strokes, as on a clock or a gauge."""
        rng = self.camera.rng
        drawn = Image.fromarray(np.full((side, side, 3), rng.integers(30, 256, 3), np.uint8))
        pen = ImageDraw.Draw(drawn)
        path, ink, count = self.font(), self.ink(), int(rng.integers(6, 20))
        middle, arm = rng.uniform(0.2, 0.8, 2) * side, rng.uniform(0.2, 0.6) * side
        size = int(arm * rng.uniform(0.15, 0.3))
        box = (*(middle - 1.3 * arm), *(middle + 1.3 * arm))
        pen.ellipse(box, fill=tuple(int(v) for v in rng.integers(200, 256, 3)), outline=ink, width=4)
        for number in range(count):
            angle = 2 * np.pi * number / count
            ahead = np.array([np.sin(angle), -np.cos(angle)])
            self.write(pen, str(number + 1), tuple(middle + arm * ahead), path, size, ink)
            ends = (*(middle + 1.15 * arm * ahead), *(middle + 1.27 * arm * ahead))
            pen.line(ends, fill=ink, width=3)
        return self.turned(np.array(drawn))

    def sign(self, side: int) -> Array:
        """A few large letters or numbers with smaller ones below, as on a door, a shirt or a label."""
        rng = self.camera.rng
        drawn = Image.fromarray(np.full((side, side, 3), rng.integers(30, 256, 3), np.uint8))
        pen = ImageDraw.Draw(drawn)
        path = self.font()
        for _ in range(int(rng.integers(1, 7))):
            size, ink = int(np.exp(rng.uniform(np.log(14), np.log(90)))), self.ink()
            x, y = (float(v) for v in rng.uniform(0.05, 0.95, 2) * side)
            paper = tuple(int(v) for v in rng.integers(170, 256, 3))
            pen.rectangle((x - size, y - size * 0.8, x + size, y + size * 1.6), fill=paper)
            letters = "".join(rng.choice(list("AEJKQRTVD0123456789"), int(rng.integers(1, 3))))
            self.write(pen, letters, (x, y), path, size, ink)
            below = str(rng.choice(["m", "%", "kg", "cm", "st", "°", "+", "&", "*", "No", "8", "a"]))
            self.write(pen, below, (x, y + size * 0.95), path, int(size * rng.uniform(0.4, 0.8)), ink)
        return self.turned(np.array(drawn))

    def turned(self, image: Array) -> Array:
        """A square picture seen from a side or aslant."""
        side = image.shape[0]
        angle = self.camera.uniform(0, 360) if self.camera.chance(0.5) else self.camera.uniform(-12, 12)
        matrix = cv2.getRotationMatrix2D((side / 2, side / 2), angle, self.camera.uniform(0.9, 1.5))
        return cv2.warpAffine(image, matrix, (side, side), borderMode=cv2.BORDER_REFLECT)
