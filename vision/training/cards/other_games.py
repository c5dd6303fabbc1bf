"""Cards of other games as most trainings see them: of a number game, a tarot, a game of symbols, one with words.

`more_other_games.py` has more kinds, as people have them at home.
"""

from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from vision.training.cards.canvas import Canvas, Laid
from vision.training.cards.decks import HEIGHT, WIDTH
from vision.training.cards.lettering import Lettering, symbol
from vision.training.cards.printed_pages import PrintedPages

Array = Any
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


class OtherGames(Lettering):
    """Draws cards of other games by chance, lettered with the same fonts as the cards."""

    def card(self) -> Array:
        """A card of any kind."""
        kinds = (self.number_card, self.tarot_card, self.symbol_card, self.word_card)
        picture: Array = kinds[int(self.camera.rng.integers(len(kinds)))]()
        return picture

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


def photo_without_playing_cards(maker: Any, *, printed: bool) -> Array:
    """A photo of print, or of some cards of other games on a table of the maker of scenes."""
    camera, fonts = maker.camera, maker.printer.fonts
    if printed:
        return camera.photographed(PrintedPages(camera, fonts).page(camera.side))
    games = OtherGames(camera, fonts)
    canvas = Canvas(maker.tables.background(), camera)
    for number in range(int(camera.rng.integers(1, 5))):
        matrix = maker.matrix(maker.height(), maker.spot(), camera.uniform(0, 6.3))
        canvas.draw(Laid(None, games.card(), matrix), number)
    return camera.photographed(canvas.picture)
