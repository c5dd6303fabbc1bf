"""Cards that are no playing cards, drawn by chance: numbers, tarot, symbols, words, letters, quartets, families."""

from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw

from vision.training.cards.canvas import Canvas, Laid
from vision.training.cards.decks import HEIGHT, WIDTH
from vision.training.cards.lettering import BRIGHT, Lettering, symbol
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
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NAMES = ("Martin", "Petit", "Moreau", "Keller", "Rossi", "Boulanger", "Docteur", "Queen", "Roi", "Valet")
DOWN = (
    "POKER",
    "ROUGE",
    "HOTEL",
    "METRO",
    "JETON",
    "OCEAN",
    "TOKEN",
    "JOUER",
    "NIKON",
    "COKE",
    "JUDO",
    "LOSER",
)
"""Words from top to bottom, some of them nearly that of a joker."""
INKS = ((25, 25, 25), (25, 25, 25), (40, 30, 205), *BRIGHT)
"""Colours of letters; black and red, the colours of indices, more often than others."""


class OtherGames(Lettering):
    """Draws cards of other games by chance, lettered with the same fonts as the cards."""

    KINDS = ("number", "tarot", "symbol", "word", "letter", "quartet", "family", "word_down")

    def card(self, kind: str | None = None) -> Array:
        """A card of a kind, or of any (BGR, HEIGHT x WIDTH)."""
        kind = kind or self.KINDS[int(self.camera.rng.integers(len(self.KINDS)))]
        picture: Array = getattr(self, f"{kind}_card")()
        return picture

    def paper(self) -> Array:
        """A blank card, mostly white."""
        level = int(self.camera.rng.integers(215, 256))
        tint = self.camera.rng.integers(170, 256, 3) if self.camera.chance(0.2) else (level,) * 3
        return np.full((HEIGHT, WIDTH, 3), tint, np.uint8)

    def one(self, texts: Any) -> str:
        """One of some texts."""
        return str(self.camera.rng.choice(list(texts)))

    def any_ink(self) -> tuple[int, int, int]:
        """A colour of letters."""
        return INKS[int(self.camera.rng.integers(len(INKS)))]

    def both_ends(self, image: Array, text: str, size: int, ink: Any, mark: int | None) -> Array:
        """Write a text into two opposite corners, above a mark that is no suit."""
        path, edge = self.font(), int(self.camera.rng.integers(8, 18))
        for _ in range(2):
            drawn = Image.fromarray(image)
            pen = ImageDraw.Draw(drawn)
            x, y = edge + size * 0.45, edge + size * 0.5
            self.write(pen, text, (x, y), path, size, ink)
            if mark is not None:
                symbol(pen, mark, (x, y + size * 0.9), size * 0.32, ink)
            image = np.ascontiguousarray(np.array(drawn)[::-1, ::-1])
        return image

    def number_card(self) -> Array:
        """A coloured card with a large number in an oval and small ones in two corners."""
        rng, color, paper = self.camera.rng, self.ink(), (245, 245, 245)
        drawn = Image.new("RGB", (WIDTH, HEIGHT), paper)
        pen = ImageDraw.Draw(drawn)
        edge, full = int(rng.integers(6, 22)), self.camera.chance(0.7)
        if full:
            pen.rounded_rectangle((edge, edge, WIDTH - edge, HEIGHT - edge), 20, fill=color)
        if self.camera.chance(0.7):
            pen.ellipse((30, 90, WIDTH - 30, HEIGHT - 90), fill=paper, outline=color, width=5)
        number = self.one((*"0123456789", "11", "13", "20", "40", "+2", "+4", "½"))
        self.write(pen, number, (WIDTH // 2, HEIGHT // 2), self.font(), int(rng.integers(90, 180)), color)
        return self.both_ends(
            np.array(drawn), number, int(rng.integers(28, 64)), paper if full else color, None
        )

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
        number = self.number(22) if self.camera.chance(0.5) else self.one(ROMAN)
        across = (WIDTH // 2, edge + 20 + len(number) * 6)[int(self.camera.chance(0.5))]
        self.write(pen, number, (across, edge + band // 2), path, band - 6, ink)
        self.write(pen, self.one(WORDS), (WIDTH // 2, HEIGHT - edge - band // 2), path, 24, ink)
        return np.array(drawn)

    def symbol_card(self) -> Array:
        """A card with a number or letter in its corners, above a symbol that is not a suit."""
        rng, ink = self.camera.rng, self.ink()
        drawn = Image.fromarray(self.paper())
        pen, shape = ImageDraw.Draw(drawn), int(rng.integers(5))
        for row in range(int(rng.integers(1, 4))):
            symbol(pen, shape, (WIDTH / 2, 120 + 80 * row), 34.0, ink)
        number = self.number(16) if self.camera.chance(0.7) else self.one("BCEFGHMNPSTWXZ")
        mark = shape if self.camera.chance(0.7) else None
        return self.both_ends(np.array(drawn), number, int(rng.integers(30, 70)), ink, mark)

    def word_card(self) -> Array:
        """A card with lines of words."""
        image = self.paper()
        self.lines(image, int(self.camera.rng.integers(16, 44)), 14)
        return image

    def letter_card(self) -> Array:
        """A large letter on white, in some corners too."""
        drawn, ink, letter = Image.fromarray(self.paper()), self.any_ink(), self.one(LETTERS)
        spot = (WIDTH * self.camera.uniform(0.3, 0.7), HEIGHT * self.camera.uniform(0.25, 0.6))
        size = int(self.camera.uniform(120, 300))
        self.write(ImageDraw.Draw(drawn), letter, spot, self.font(), size, ink)
        if self.camera.chance(0.3):
            return self.both_ends(np.array(drawn), letter, int(self.camera.rng.integers(30, 70)), ink, None)
        return np.array(drawn)

    def quartet_card(self) -> Array:
        """A picture above a table of figures, with a code such as A1 or 3D in the corner."""
        image = self.paper()
        image[50:220, 16 : WIDTH - 16] = self.picture(WIDTH - 32, 170)
        drawn, path, ink = Image.fromarray(image), self.font(), self.any_ink()
        pen = ImageDraw.Draw(drawn)
        group = self.one("ABCDH")
        code = self.one("12345678") + group if self.camera.chance(0.5) else group + "1"
        self.write(pen, code, (30, 28), path, 34, ink)
        for y in range(245, 395, 30):
            self.write(pen, self.one(NAMES), (WIDTH * 0.3, y), path, 18, ink)
            self.write(pen, f"{self.number(900)} km", (WIDTH * 0.8, y), path, 18, ink)
        return np.array(drawn)

    def family_card(self) -> Array:
        """A card of happy families: a portrait with a name, the family's letter or number in corners."""
        image = self.paper()
        skin = tuple(int(v) for v in self.camera.rng.integers(90, 230, 3))
        cv2.ellipse(image, (WIDTH // 2, 170), (52, 68), 0, 0, 360, skin, -1, cv2.LINE_AA)
        cv2.ellipse(image, (WIDTH // 2, 320), (95, 90), 0, 180, 360, self.any_ink(), -1, cv2.LINE_AA)
        drawn, ink = Image.fromarray(image), self.any_ink()
        name = (WIDTH / 2, HEIGHT - 34)
        self.write(ImageDraw.Draw(drawn), self.one(NAMES), name, self.font(), 24, ink)
        corner, size = self.one("123456ABJKRQ"), int(self.camera.rng.integers(26, 56))
        return self.both_ends(np.array(drawn), corner, size, ink, int(self.camera.rng.integers(5)))

    def word_down_card(self) -> Array:
        """A word from top to bottom in two corners, as jokers have theirs, around a drawing."""
        image = self.paper()
        image[90:310, 70:200] = self.picture(130, 220)
        path, ink, word = self.font(), self.any_ink(), self.one(DOWN)
        size = int(self.camera.uniform(20, 32))
        for _ in range(2):
            drawn = Image.fromarray(image)
            pen = ImageDraw.Draw(drawn)
            for number, letter in enumerate(word):
                self.write(pen, letter, (26, 26 + size * 1.02 * number), path, size, ink)
            image = np.ascontiguousarray(np.array(drawn)[::-1, ::-1])
        return image


def empty_scene(maker: Any, kind: str | None, most: int) -> Array:
    """A page of print, or up to that many cards of other games on a table of the maker of scenes."""
    camera, fonts = maker.camera, maker.printer.fonts
    if kind == "page":
        return PrintedPages(camera, fonts).page(camera.side)
    games, canvas = OtherGames(camera, fonts), Canvas(maker.tables.background(), camera)
    for number in range(int(camera.rng.integers(1, most + 1))):
        matrix = maker.matrix(maker.height(), maker.spot(), camera.uniform(0, 6.3))
        canvas.draw(Laid(None, games.card(kind), matrix), number)
    return canvas.picture
