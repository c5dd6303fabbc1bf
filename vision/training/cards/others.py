"""Things that are not playing cards but look like them to a network: cards of other games, printed pages, keys,
calendars."""

from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw

from vision.training.cards.camera import Camera
from vision.training.cards.decks import HEIGHT, WIDTH, font

Array = Any
Color = tuple[int, int, int]
BRIGHT: tuple[Color, ...] = ((40, 40, 200), (200, 90, 20), (40, 150, 40), (30, 200, 230), (30, 30, 30))
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XIV", "XVI", "XIX", "XXI")
WORDS = (
    "LE MONDE",
    "LA FORCE",
    "JUGEMENT",
    "REVERSE",
    "SKIP",
    "DRAW",
    "TEMPERANCE",
    "WISH",
    "TREND",
    "HOTEL",
)


class Others:
    """Draws things without a card by chance, all lettered with the same fonts as the cards."""

    def __init__(self, camera: Camera, fonts: list[str]) -> None:
        self.camera = camera
        self.fonts = fonts

    def card(self) -> Array:
        """A card of another game: a number game, a tarot, a game of symbols, or one with words."""
        kinds = (self.number_card, self.tarot_card, self.symbol_card, self.word_card)
        picture: Array = kinds[int(self.camera.rng.integers(len(kinds)))]()
        return picture

    def page(self, side: int) -> Array:
        """A square full of print: a page, keys, a calendar, tiles, a dial, a sign."""
        kinds = (self.text_page, self.text_page, self.keys, self.calendar, self.tiles, self.dial, self.sign)
        picture: Array = kinds[int(self.camera.rng.integers(len(kinds)))](side)
        return picture

    def photo(self, maker: Any, *, printed: bool) -> Array:
        """A photo of print, or of some cards of other games on a table of the maker of scenes."""
        if printed:
            return self.camera.photographed(self.page(self.camera.side))
        canvas = maker.tables.background()
        owner = np.full(canvas.shape[:2], -1, np.int16)
        for number in range(int(self.camera.rng.integers(1, 5))):
            matrix = maker.matrix(maker.height(), maker.spot(), self.camera.uniform(0, 6.3))
            maker.draw(canvas, owner, maker.laid_other(self.card(), matrix), number)
        return self.camera.photographed(canvas)

    def number_card(self) -> Array:
        """A coloured card with a large number in an oval and small ones in two corners."""
        rng = self.camera.rng
        color = self.ink()
        paper = (245, 245, 245)
        drawn = Image.new("RGB", (WIDTH, HEIGHT), paper)
        pen = ImageDraw.Draw(drawn)
        edge = int(rng.integers(6, 22))
        full = self.camera.chance(0.7)
        if full:
            pen.rounded_rectangle((edge, edge, WIDTH - edge, HEIGHT - edge), 20, fill=color)
        if self.camera.chance(0.7):
            pen.ellipse((30, 90, WIDTH - 30, HEIGHT - 90), fill=paper, outline=color, width=5)
        number = self.number(12)
        path = self.font()
        self.write(pen, number, (WIDTH // 2, HEIGHT // 2), path, int(rng.integers(90, 180)), color)
        small = int(rng.integers(28, 64))
        corner = paper if full else color
        image = np.array(drawn)
        for _ in range(2):
            drawn = Image.fromarray(image)
            pen = ImageDraw.Draw(drawn)
            self.write(pen, number, (edge + 10 + small // 2, edge + 8 + small // 2), path, small, corner)
            image = np.ascontiguousarray(np.array(drawn)[::-1, ::-1])
        return image

    def tarot_card(self) -> Array:
        """A framed picture with a number above and a word below."""
        rng = self.camera.rng
        paper = tuple(int(v) for v in rng.integers(190, 250, 3))
        drawn = Image.fromarray(self.picture(WIDTH, HEIGHT))
        pen = ImageDraw.Draw(drawn)
        edge = int(rng.integers(8, 24))
        pen.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), outline=paper, width=edge)
        band = int(rng.integers(30, 56))
        pen.rectangle((edge, edge, WIDTH - edge, edge + band), fill=paper)
        pen.rectangle((edge, HEIGHT - edge - band, WIDTH - edge, HEIGHT - edge), fill=paper)
        path, ink = self.font(), self.ink()
        number = self.number(22) if self.camera.chance(0.5) else str(rng.choice(ROMAN))
        across = (WIDTH // 2, edge + 20 + len(number) * 6)[int(self.camera.chance(0.5))]
        self.write(pen, number, (across, edge + band // 2), path, band - 6, ink)
        self.write(pen, str(rng.choice(WORDS)), (WIDTH // 2, HEIGHT - edge - band // 2), path, 24, ink)
        return np.array(drawn)

    def symbol_card(self) -> Array:
        """A card with a number or letter in its corners, above a symbol that is not a suit."""
        rng = self.camera.rng
        ink = self.ink()
        image = np.full((HEIGHT, WIDTH, 3), rng.integers(215, 256), np.uint8)
        number = self.number(16) if self.camera.chance(0.7) else str(rng.choice(list("BCEFGHMNPSTWXZ")))
        path, size = self.font(), int(rng.integers(30, 70))
        shape = int(rng.integers(5))
        with_symbol = self.camera.chance(0.7)
        for turned in range(2):
            drawn = Image.fromarray(image)
            pen = ImageDraw.Draw(drawn)
            x, y = 12 + size // 2, 12 + size // 2
            self.write(pen, number, (x, y), path, size, ink)
            if with_symbol:
                symbol(pen, shape, (x, y + size * 0.95), size * 0.35, ink)
            if not turned:
                for row in range(int(rng.integers(1, 4))):
                    symbol(pen, shape, (WIDTH / 2, 120 + 80 * row), 34.0, ink)
            image = np.ascontiguousarray(np.array(drawn)[::-1, ::-1])
        return image

    def word_card(self) -> Array:
        """A card with lines of words."""
        image = np.full((HEIGHT, WIDTH, 3), self.camera.rng.integers(205, 256), np.uint8)
        self.lines(image, int(self.camera.rng.integers(16, 44)), 14)
        return image

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

    def turned(self, image: Array) -> Array:
        """A square picture seen from a side or aslant."""
        side = image.shape[0]
        angle = self.camera.uniform(0, 360) if self.camera.chance(0.5) else self.camera.uniform(-12, 12)
        matrix = cv2.getRotationMatrix2D((side / 2, side / 2), angle, self.camera.uniform(0.9, 1.5))
        return cv2.warpAffine(image, matrix, (side, side), borderMode=cv2.BORDER_REFLECT)

    def write(self, pen: Any, text: str, middle: Any, path: str, size: int, ink: Color) -> None:
        """Write a text around a place."""
        pen.text(middle, text, fill=ink, font=font(path, max(8, size)), anchor="mm")

    def font(self) -> str:
        """Choose a font."""
        return str(self.camera.rng.choice(self.fonts))

    def ink(self) -> Color:
        """Choose a colour, mostly one of those that cards have."""
        return BRIGHT[int(self.camera.rng.integers(len(BRIGHT)))]

    def number(self, above: int) -> str:
        """Choose a number."""
        return str(self.camera.rng.integers(0, above))


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
