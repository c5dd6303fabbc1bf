"""Cards of other games, drawn plainly: estimates, the colour game, tarot; as large as the faces of drawn_cards.py."""

import cv2
import numpy as np

from tock_vision.arrays import Frame

SIDES_PX = 184, 256
FONT = cv2.FONT_HERSHEY_DUPLEX


def _blank(colour: tuple[int, int, int] = (248, 248, 248)) -> Frame:
    return np.full((SIDES_PX[1], SIDES_PX[0], 3), colour, np.uint8)


def _in_corners(card: Frame, text: str, ink: tuple[int, int, int]) -> Frame:
    """Write a text into two opposite corners."""
    for _ in range(2):
        cv2.putText(card, text, (10, 40), FONT, 1.1, ink, 2, cv2.LINE_AA)
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card


def estimate(value: str) -> Frame:
    """A card of planning poker: the number in the middle, and small in two corners above a dot."""
    card = _blank()
    cv2.putText(card, value, (40, 150), FONT, 2.6, (150, 80, 20), 5, cv2.LINE_AA)
    for x, y in ((22, 56), (SIDES_PX[0] - 22, SIDES_PX[1] - 56)):
        cv2.circle(card, (x, y), 9, (25, 25, 25), -1, cv2.LINE_AA)
    return _in_corners(card, value, (25, 25, 25))


def coloured(value: str) -> Frame:
    """A card of the colour game: a white rim, a slanted oval, the number three times."""
    card = _blank()
    cv2.rectangle(card, (9, 9), (SIDES_PX[0] - 10, SIDES_PX[1] - 10), (40, 40, 200), -1)
    cv2.ellipse(card, (92, 128), (58, 100), 25, 0, 360, (248, 248, 248), -1, cv2.LINE_AA)
    cv2.putText(card, value, (62, 158), FONT, 2.8, (40, 40, 200), 6, cv2.LINE_AA)
    return _in_corners(card, value, (248, 248, 248))


def tarot(number: str, name: str) -> Frame:
    """A card of tarot: a framed picture, a number above it and a name below."""
    card = _blank((225, 240, 245))
    cv2.rectangle(card, (16, 40), (168, 214), (60, 90, 60), 2)
    cv2.ellipse(card, (92, 150), (44, 60), 0, 180, 360, (60, 60, 170), -1, cv2.LINE_AA)
    cv2.circle(card, (92, 80), 24, (140, 180, 220), -1, cv2.LINE_AA)
    cv2.putText(card, number, (70, 32), FONT, 0.8, (25, 25, 25), 1, cv2.LINE_AA)
    cv2.putText(card, name, (30, 242), FONT, 0.7, (25, 25, 25), 1, cv2.LINE_AA)
    return card
