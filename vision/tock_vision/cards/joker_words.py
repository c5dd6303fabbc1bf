"""Finds jokers of any pack by the word on them: JOKER, letter below letter, at two corners of the card.

The word is sought as a whole, then read letter by letter.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import as_file, files

import cv2
import numpy as np

from tock_rules import JOKERS, Card
from tock_vision.arrays import Floats, Frame, Singles
from tock_vision.cards.joker_letters import FINER, is_spelt, letter_odds
from tock_vision.cards.jokers import FoundJoker
from tock_vision.cards.outlines import Outline

WEIGHTS = "card_joker_words.npz"
CARD_SIZE = 180, 252
"""Width and height in pixels of the straightened card in which the word is sought."""
WINDOW_SIZE, STRIDE_PX = (16, 80), 4
FILLED = 0.84
"""Share of the window that the word fills."""
HEIGHTS, SLIMNESS = (0.2, 0.25, 0.31, 0.38, 0.46), (0.12, 0.17, 0.24)
"""Height of the word as a share of the card, and width of its letters as a share of that height."""
MARGINS = 0.2, 0.16
"""Largest distance of the word from the edges of a card, as shares of its width and height."""
MIN_LOG_ODDS, MIN_LOG_ODDS_BOTH = 0.5, 2.0
"""Log odds that each of the two words must reach, and that both must reach together."""
CONFIDENCE = 0.8
"""Low, because the pack decides which of the two jokers it is: players are always asked."""
SAME_COLOUR, MAX_OTHER_SHARE, MARGIN = 60, 0.03, 0.05
"""Pixels that differ less from the ground are ground; so much of the edge of a picture may differ; and the blank edge
of a card around its print, as a share of its height."""
COLOURED = 90
"""Least saturation of the ink of a colour joker."""
GRADIENTS = cv2.HOGDescriptor(WINDOW_SIZE, (16, 16), (8, 8), (8, 8), 9)


def lettered_jokers(image: Frame, outlines: Sequence[Outline]) -> list[FoundJoker]:
    """The cards among some that are jokers, told apart by the colour of the word."""
    found = []
    for outline in outlines:
        card, _ = outline.straightened(image, CARD_SIZE)
        odds, place = clearest_word(card)
        if odds <= MIN_LOG_ODDS:
            # Most cards bear no such word, and the search takes time.
            continue
        other_odds, other_place = clearest_word(card[::-1, ::-1])
        like_it = other_odds > MIN_LOG_ODDS and odds + other_odds > MIN_LOG_ODDS_BOTH
        if like_it and _is_spelt(image, outline, [place, other_place]):
            found.append(FoundJoker(_kind(card, place), CONFIDENCE, outline.corners))
    return found


def _is_spelt(image: Frame, outline: Outline, places: Sequence[Floats]) -> bool:
    """Whether each letter is that of the word, at both corners taken together."""
    card, _ = outline.straightened(image, (FINER * CARD_SIZE[0], FINER * CARD_SIZE[1]))
    both = zip((card, card[::-1, ::-1]), places, strict=True)
    return is_spelt(np.sum([letter_odds(seen, FINER * place, FILLED) for seen, place in both], axis=0))


def whole_picture(image: Frame) -> Outline:
    """The edges of a picture, for one that shows a single card and nothing else."""
    height, width = image.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    return Outline(corners if width < height else np.roll(corners, -1, axis=0))


def printed_part(image: Frame) -> Outline | None:
    """The edges that a single card would have around all that is printed, on ground of the card's colour."""
    edge = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]]).astype(np.float32)
    ground = np.median(edge, axis=0)
    if (np.abs(edge - ground).max(axis=1) > SAME_COLOUR).mean() > MAX_OTHER_SHARE:
        return None
    lowest, highest = (
        np.clip(value, 0, 255) for value in (np.ceil(ground - SAME_COLOUR), ground + SAME_COLOUR)
    )
    print_px = cv2.findNonZero(cv2.bitwise_not(cv2.inRange(image, lowest, np.floor(highest))))
    if print_px is None:
        return None
    middle, size, degrees = cv2.minAreaRect(print_px)
    wider = (size[0] + MARGIN * max(size), size[1] + MARGIN * max(size))
    corners = cv2.boxPoints((middle, wider, degrees)).astype(np.float64)
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return Outline(corners if sides[0] < sides[1] else np.roll(corners, -1, axis=0))


def clearest_word(card: Frame) -> tuple[float, Floats]:
    """Log odds of the word in the upper left of a card, and its place: left, top, right, bottom."""
    weights, best = _weights(), (-np.inf, np.zeros(4))
    for seen, places in windows(card):
        odds = seen @ weights[:-1] + weights[-1]
        number = int(odds.argmax())
        if odds[number] > best[0]:
            best = float(odds[number]), places[number]
    return best


def windows(card: Frame) -> Iterator[tuple[Singles, Floats]]:
    """The directions of edges in all windows (shape: [n, features]) and their places (shape: [n, 4], in pixels)."""
    grey = cv2.cvtColor(card, cv2.COLOR_BGR2GRAY)
    height, width = grey.shape
    for share in HEIGHTS:
        for slim in SLIMNESS:
            window = np.array([slim, 1.0]) * share * height / FILLED
            factors = WINDOW_SIZE / window
            right, bottom = (window + np.array(MARGINS) * (width, height)).astype(int)
            size = np.maximum(np.round(factors * (right, bottom)).astype(int), WINDOW_SIZE)
            part = np.asarray(grey[:bottom, :right], np.uint8)
            seen = cv2.resize(part, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)
            rows = np.asarray(GRADIENTS.compute(seen, (STRIDE_PX, STRIDE_PX)), np.float32)
            columns, lines = (size - WINDOW_SIZE) // STRIDE_PX + 1
            x, y = np.meshgrid(np.arange(columns) * STRIDE_PX, np.arange(lines) * STRIDE_PX)
            starts = np.stack([x, y], axis=-1).reshape(-1, 2)
            places = np.hstack([starts, starts + WINDOW_SIZE]) / np.tile(factors, 2)
            yield rows.reshape(len(places), -1), places


def _kind(card: Frame, place: Floats) -> Card:
    """The colour joker where the word is printed in colour."""
    left, top, right, bottom = (int(value) for value in place)
    word = card[top : bottom + 1, left : right + 1]
    dark = word.min(axis=2)
    limit, _ = cv2.threshold(dark, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    saturation = cv2.cvtColor(word, cv2.COLOR_BGR2HSV)[..., 1][dark <= limit]
    black, colour = JOKERS
    return colour if np.median(saturation) > COLOURED else black


@cache
def _weights() -> Singles:
    """One for each feature, the last for the constant."""
    with as_file(files("tock_vision.data").joinpath(WEIGHTS)) as path, np.load(path) as kept:
        return np.asarray(kept["weights"], np.float32)
