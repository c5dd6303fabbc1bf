"""Draws plain decks for measuring: pips of a font in the usual places, court cards with pictures, letters of a font."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.training.cards.art import DECK
from vision.training.cards.decks import SYMBOLS, glyph
from vision.training.cards.printer import BLACK, RED, lay

Array = Any
SIZE = 286, 400
EDGE, LETTER_PX, SUIT_PX, PIP_PX = 14, 40, 26, 52
"""Distance of the index from the edges, and heights of its letter, of the suit below it, and of the pips."""
ROWS = {
    "A": [(0.5, 0.5)],
    "2": [(0.5, 0.2)],
    "3": [(0.5, 0.2), (0.5, 0.5)],
    "4": [(0.3, 0.2), (0.7, 0.2)],
    "5": [(0.3, 0.2), (0.7, 0.2), (0.5, 0.5)],
    "6": [(0.3, 0.2), (0.7, 0.2), (0.3, 0.5), (0.7, 0.5)],
    "7": [(0.3, 0.2), (0.7, 0.2), (0.3, 0.5), (0.7, 0.5), (0.5, 0.35)],
    "8": [(0.3, 0.2), (0.7, 0.2), (0.3, 0.5), (0.7, 0.5), (0.5, 0.35)],
    "9": [(0.3, 0.17), (0.7, 0.17), (0.3, 0.39), (0.7, 0.39), (0.5, 0.5)],
    "10": [(0.3, 0.17), (0.7, 0.17), (0.3, 0.39), (0.7, 0.39), (0.5, 0.28)],
}
"""Places of the pips of the upper half and of the middle, as shares of the card; the lower half is turned."""
UPPER_ONLY = {"7": (0.5, 0.35)}
MIDDLE = 0.5
"""Pips above this height have one below, turned."""


def plain_deck(letters: Path, suits: Path, pictures: list[Array]) -> dict[str, Array]:
    """The 52 cards."""
    return {
        card: _card(card, str(letters), str(suits), pictures[number % len(pictures)])
        for number, card in enumerate(DECK)
    }


def _card(card: str, letters: str, suits: str, picture: Array) -> Array:
    rank, suit = card[:-1], card[-1]
    colour = np.array(RED if suit in "HD" else BLACK)
    image = np.full((SIZE[1], SIZE[0], 3), 252, np.uint8)
    if rank in ROWS:
        pip = _high(glyph(suits, SYMBOLS[suit]), PIP_PX * (2 if rank == "A" else 1))
        for x, y in ROWS[rank]:
            _put(image, pip, colour, x, y)
            if y < MIDDLE and (x, y) != UPPER_ONLY.get(rank):
                image = np.ascontiguousarray(image[::-1, ::-1])
                _put(image, pip, colour, x, y)
                image = np.ascontiguousarray(image[::-1, ::-1])
    else:
        left, top = int(SIZE[0] * 0.22), int(SIZE[1] * 0.12)
        wide, high = SIZE[0] - 2 * left, SIZE[1] - 2 * top
        image[top : top + high, left : left + wide] = cv2.resize(
            picture, (wide, high), interpolation=cv2.INTER_AREA
        )
        cv2.rectangle(image, (left, top), (left + wide, top + high), colour.tolist(), 2)
    letter, small = _high(glyph(letters, rank), LETTER_PX), _high(glyph(suits, SYMBOLS[suit]), SUIT_PX)
    if letter.shape[1] > LETTER_PX:
        letter = cv2.resize(letter, (LETTER_PX, LETTER_PX), interpolation=cv2.INTER_AREA)
    across = EDGE + max(letter.shape[1], small.shape[1]) / 2
    for _ in range(2):
        lay(image, letter, colour, round(across - letter.shape[1] / 2), EDGE)
        lay(image, small, colour, round(across - small.shape[1] / 2), EDGE + LETTER_PX + 5)
        image = np.ascontiguousarray(image[::-1, ::-1])
    return image


def _high(drawn: Array | None, height: int) -> Array:
    assert drawn is not None
    width = max(2, round(drawn.shape[1] * height / drawn.shape[0]))
    return cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA)


def _put(image: Array, drawn: Array, colour: Array, x: float, y: float) -> None:
    lay(
        image, drawn, colour, round(x * SIZE[0] - drawn.shape[1] / 2), round(y * SIZE[1] - drawn.shape[0] / 2)
    )
