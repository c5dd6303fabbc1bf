"""Cards and papers that are no playing cards, drawn as people have them at home; lettered with given fonts.

More kinds than `other_games.py` has: cards with one large letter, drawn shirts, estimates (planning poker), quartets,
happy families, tarot without numbers, business cards, words from top to bottom.
"""

from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw

from vision.training.cards.camera import Camera
from vision.training.cards.decks import HEIGHT, WIDTH, font
from vision.training.cards.lettering import BRIGHT, symbol
from vision.training.cards.other_games import OtherGames

Array = Any
INKS = ((25, 25, 25), (25, 25, 25), (40, 30, 205), *BRIGHT)
"""Colours of letters, black and red more often than others: those are the colours of indices."""
ESTIMATES = ("0", "½", "1", "2", "3", "5", "8", "13", "20", "40", "100", "?", "A", "XS", "S", "M", "L", "XL")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NAMES = ("Martin", "Petit", "Moreau", "Keller", "Rossi", "Laurent", "Jourdan", "Dubois")
TRADES = ("Boulanger", "Docteur", "Facteur", "Kapitän", "Queen", "Roi", "Jardinier", "Valet")
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


class MoreOtherGames:
    """Draws cards that are not playing cards."""

    def __init__(self, camera: Camera, fonts: list[str]) -> None:
        self.camera = camera
        self.few = OtherGames(camera, fonts)
        self.kinds = {
            "letters": self.letter_card,
            "shirt": self.shirt_card,
            "estimate": self.estimate_card,
            "numbers": self.few.number_card,
            "colours": self.colour_card,
            "quartet": self.quartet_card,
            "family": self.family_card,
            "tarot": self.tarot_card,
            "business": self.business_card,
            "word down": self.word_down_card,
            "symbols": self.few.symbol_card,
            "words": self.few.word_card,
        }

    def card(self, kind: str) -> Array:
        """A card of a kind (BGR, HEIGHT x WIDTH)."""
        picture: Array = self.kinds[kind]()
        return picture

    def paper(self) -> Image.Image:
        """A blank card, mostly white."""
        level = int(self.camera.rng.integers(225, 256))
        tint: tuple[int, ...] = (level,) * 3
        if self.camera.chance(0.2):
            tint = tuple(int(v) for v in self.camera.rng.integers(170, 256, 3))
        return Image.new("RGB", (WIDTH, HEIGHT), tint)

    def ink(self) -> tuple[int, int, int]:
        """A colour of letters."""
        return INKS[int(self.camera.rng.integers(len(INKS)))]

    def one(self, texts: Any) -> str:
        """One of some texts."""
        return str(self.camera.rng.choice(list(texts)))

    def text(
        self, pen: Any, text: str, at: Any, size: float, ink: Any, path: str, anchor: str = "mm"
    ) -> None:
        """Write a text."""
        pen.text(at, text, fill=ink, font=font(path, max(8, int(size))), anchor=anchor)

    def both_ends(
        self, drawn: Image.Image, text: str, size: int, ink: Any, path: str, mark: int | None
    ) -> Array:
        """Write a text into two opposite corners, above a mark that is no suit."""
        image = np.array(drawn)
        edge = int(self.camera.rng.integers(8, 18))
        for _ in range(2):
            drawn = Image.fromarray(image)
            pen = ImageDraw.Draw(drawn)
            x, y = edge + size * 0.45, edge + size * 0.5
            self.text(pen, text, (x, y), size, ink, path)
            if mark is not None:
                symbol(pen, mark, (x, y + size * 0.85), size * 0.28, ink)
            image = np.ascontiguousarray(np.array(drawn)[::-1, ::-1])
        return image

    def letter_card(self) -> Array:
        """A large letter on white, alone, or with the thing that begins with it."""
        drawn, path, ink = self.paper(), self.few.font(), self.ink()
        pen = ImageDraw.Draw(drawn)
        letter = self.one(LETTERS)
        size = self.camera.uniform(120, 300)
        spot = (WIDTH * self.camera.uniform(0.3, 0.7), HEIGHT * self.camera.uniform(0.25, 0.6))
        self.text(pen, letter, spot, size, ink, path)
        if self.camera.chance(0.5):
            self.text(pen, letter.lower(), (WIDTH * 0.75, HEIGHT * 0.75), size * 0.5, ink, path)
        if self.camera.chance(0.4):
            shape, place = int(self.camera.rng.integers(5)), (WIDTH * 0.3, HEIGHT * 0.8)
            symbol(pen, shape, place, self.camera.uniform(20, 50), self.ink())
        if self.camera.chance(0.3):
            return self.both_ends(drawn, letter, int(self.camera.rng.integers(30, 70)), ink, path, None)
        return np.array(drawn)

    def shirt_card(self) -> Array:
        """A drawn shirt with print on it, now and then with a letter in the corners."""
        drawn, path, ink = self.paper(), self.few.font(), self.ink()
        pen = ImageDraw.Draw(drawn)
        scale = self.camera.uniform(0.7, 1.0)
        shape = np.array([(-95, -90), (-40, -120), (-18, -105), (18, -105), (40, -120), (95, -90), (80, -35)])
        shape = np.vstack([shape, [(52, -50), (52, 110), (-52, 110), (-52, -50), (-80, -35)]]) * scale
        points = [(float(x) + WIDTH / 2, float(y) + HEIGHT / 2) for x, y in shape]
        filled = self.camera.chance(0.6)
        pen.polygon(points, fill=self.ink() if filled else None, outline=ink, width=4)
        printed = self.one(("A", "J", "K", "Q", "10", "7", "R", "V", "D", "JOKER", "8", "23", "X"))
        size = 60 * scale / max(1, len(printed) - 1)
        self.text(pen, printed, (WIDTH / 2, HEIGHT / 2), size, (240, 240, 240) if filled else ink, path)
        if self.camera.chance(0.5):
            corner = self.one(LETTERS)
            return self.both_ends(drawn, corner, int(self.camera.rng.integers(30, 70)), ink, path, None)
        return np.array(drawn)

    def estimate_card(self) -> Array:
        """A card for estimates: the number large in the middle and small in the corners, above a sign."""
        drawn, path, ink = self.paper(), self.few.font(), self.ink()
        value = self.one(ESTIMATES)
        pen = ImageDraw.Draw(drawn)
        if self.camera.chance(0.5):
            edge = 40
            pen.rounded_rectangle((edge, edge, WIDTH - edge, HEIGHT - edge), 16, fill=self.ink())
            self.text(pen, value, (WIDTH / 2, HEIGHT / 2), 110, (245, 245, 245), path)
        else:
            self.text(pen, value, (WIDTH / 2, HEIGHT / 2), self.camera.uniform(90, 170), ink, path)
        mark = int(self.camera.rng.integers(5)) if self.camera.chance(0.5) else None
        return self.both_ends(drawn, value, int(self.camera.rng.integers(26, 60)), ink, path, mark)

    def colour_card(self) -> Array:
        """A card of the colour game: a slanted white oval, a number or sign with an outline."""
        color = BRIGHT[int(self.camera.rng.integers(len(BRIGHT)))]
        drawn = Image.new("RGB", (WIDTH, HEIGHT), (245, 245, 245))
        pen = ImageDraw.Draw(drawn)
        pen.rounded_rectangle((12, 12, WIDTH - 12, HEIGHT - 12), 22, fill=color)
        image = np.array(drawn)
        cv2.ellipse(image, (WIDTH // 2, HEIGHT // 2), (90, 165), 25, 0, 360, (245, 245, 245), -1, cv2.LINE_AA)
        value, path = self.one((*"0123456789", "+2", "+4", "Ø", "<>")), self.few.font()
        for turned in range(2):
            drawn = Image.fromarray(image)
            pen = ImageDraw.Draw(drawn)
            for at, size in (((44, 50), 54), *((((WIDTH / 2, HEIGHT / 2), 150),) if not turned else ())):
                face = font(path, size)
                fill = (245, 245, 245) if size < 100 else color
                pen.text(
                    at, value, fill=fill, font=face, anchor="mm", stroke_width=3, stroke_fill=(15, 15, 15)
                )
            image = np.ascontiguousarray(np.array(drawn)[::-1, ::-1])
        return image

    def quartet_card(self) -> Array:
        """A picture above a table of figures, with a code such as A1 or 3D in the corner."""
        image = np.array(self.paper())
        image[50:220, 16 : WIDTH - 16] = self.few.picture(WIDTH - 32, 170)
        drawn, path, ink = Image.fromarray(image), self.few.font(), self.ink()
        pen = ImageDraw.Draw(drawn)
        code = (
            self.one("12345678") + self.one("ABCDH") if self.camera.chance(0.5) else self.one("ABCDH") + "1"
        )
        self.text(pen, code, (30, 28), 34, ink, path)
        for line in range(5):
            y = 245 + 30 * line
            self.text(pen, self.one(NAMES), (20, y), 18, ink, path, "lm")
            self.text(pen, f"{self.camera.rng.integers(1, 900)} km", (WIDTH - 20, y), 18, ink, path, "rm")
        return np.array(drawn)

    def family_card(self) -> Array:
        """A card of happy families: a portrait, a trade and a name, the family's letter or number in corners."""
        image = np.array(self.paper())
        skin = tuple(int(v) for v in self.camera.rng.integers(90, 230, 3))
        cv2.ellipse(image, (WIDTH // 2, 170), (52, 68), 0, 0, 360, skin, -1, cv2.LINE_AA)
        cv2.ellipse(image, (WIDTH // 2, 320), (95, 90), 0, 180, 360, self.ink(), -1, cv2.LINE_AA)
        cv2.circle(image, (WIDTH // 2 - 20, 160), 6, (20, 20, 20), -1)
        cv2.circle(image, (WIDTH // 2 + 20, 160), 6, (20, 20, 20), -1)
        drawn, path, ink = Image.fromarray(image), self.few.font(), self.ink()
        pen = ImageDraw.Draw(drawn)
        self.text(pen, f"{self.one(TRADES)} {self.one(NAMES)}", (WIDTH / 2, HEIGHT - 34), 24, ink, path)
        corner = self.one((*"123456", "A", "B", "J", "K", "R", "Q"))
        mark = int(self.camera.rng.integers(5)) if self.camera.chance(0.5) else None
        return self.both_ends(drawn, corner, int(self.camera.rng.integers(26, 56)), ink, path, mark)

    def tarot_card(self) -> Array:
        """A framed picture with a name below, with or without a number above."""
        if self.camera.chance(0.4):
            return self.few.tarot_card()
        drawn = Image.fromarray(self.few.picture(WIDTH, HEIGHT))
        pen = ImageDraw.Draw(drawn)
        pen.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), outline=(235, 235, 235), width=18)
        pen.rectangle((18, HEIGHT - 62, WIDTH - 18, HEIGHT - 18), fill=(235, 235, 235))
        name = self.one(("LE FOU", "LA LUNE", "LE ROI", "THE KING", "JUSTICE", "L'AMOUREUX"))
        self.text(pen, name, (WIDTH / 2, HEIGHT - 40), 30, self.ink(), self.few.font())
        return np.array(drawn)

    def business_card(self) -> Array:
        """A card with a sign, a name, a trade and a number, printed across."""
        drawn, path, ink = Image.new("RGB", (HEIGHT, WIDTH), (248, 248, 248)), self.few.font(), self.ink()
        pen = ImageDraw.Draw(drawn)
        symbol(pen, int(self.camera.rng.integers(5)), (60, 60), 30, self.ink())
        initial = self.one(NAMES)[0]
        self.text(pen, initial, (60, 60), 44, (245, 245, 245) if self.camera.chance(0.5) else ink, path)
        for line, size in ((self.one(NAMES), 40), (self.one(TRADES), 24), ("06 12 34 78 90", 24)):
            self.text(pen, line, (110, 70 + 55 * (40 - size) / 8), size, ink, path, "lm")
        return np.ascontiguousarray(np.rot90(np.array(drawn)))

    def word_down_card(self) -> Array:
        """A word from top to bottom in two corners, as jokers have theirs, around a drawing."""
        image = np.array(self.paper())
        image[90:310, 70:200] = self.few.picture(130, 220)
        path, ink, word = self.few.font(), self.ink(), self.one(DOWN)
        size = self.camera.uniform(20, 32)
        for _ in range(2):
            drawn = Image.fromarray(image)
            pen = ImageDraw.Draw(drawn)
            for number, letter in enumerate(word):
                self.text(pen, letter, (26, 26 + size * 1.02 * number), size, ink, path)
            image = np.ascontiguousarray(np.array(drawn)[::-1, ::-1])
        return image
