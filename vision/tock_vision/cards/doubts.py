"""Weighs what readings leave open: a number beside a drawing may be a court card, a blurred spade a club."""

from collections.abc import Sequence
from dataclasses import replace
from math import log

import numpy as np

from tock_rules import Rank, Suit
from tock_vision.arrays import Bools, Frame, Singles
from tock_vision.cards.classifier import IndexReading, Pyramid
from tock_vision.cards.corners import LABELS
from tock_vision.cards.physical import likeliest, sureness

ASKED_SURENESS, COURT_SHARE = 0.5, 0.02
"""Sureness of a number from which it is asked about, and the chance that it must leave to a court card."""
BESIDE = (1.05, 0.9, 0.0, log(1.8))
"""The place beside an index, right and down in its heights, and by how much it is larger."""
PAPER_SHARE, UNLIKE_PAPER, MIN_WHITE = 0.4, 0.25, 20.0
"""Share of the brightest pixels around an index that are paper; how far from paper ink is, as a share of its
brightness; and the least brightness that paper is taken to have."""
DRAWN_SHARE = 0.45
"""Share of ink from which there is a drawing: pips cover a quarter."""
NUMBER_LEFT, CLUBS_MISSED = 0.05, 2.0
"""Factor by which a number is less likely beside a drawing, and a club more likely where a spade is read: of the suits
read wrongly out of focus nine in ten are clubs."""
COURTS = (Rank.JACK, Rank.QUEEN, Rank.KING)
COURT = np.array([card.rank in COURTS for card in LABELS])
NUMBER = np.array([card.rank not in (*COURTS, Rank.ACE, Rank.JOKER) for card in LABELS])
CLUB, SPADE = (
    np.array([card.suit is suit and card.rank is not Rank.JOKER for card in LABELS])
    for suit in (Suit.CLUBS, Suit.SPADES)
)


def weighed(pyramid: Pyramid, indices: Sequence[IndexReading]) -> list[IndexReading]:
    """The indices of a picture, less sure where another card is likelier than the networks say.

    The letter B, for Bube, is read as an 8 where a font draws them alike; beside an 8 there is paper.
    """
    return [_weighed(pyramid, index) for index in indices]


def _weighed(pyramid: Pyramid, index: IndexReading) -> IndexReading:
    if SPADE[likeliest(index)]:
        index = _times(index, CLUB, CLUBS_MISSED)
    if _may_be_court(index) and _is_drawn_beside(pyramid, index):
        index = _times(index, NUMBER, NUMBER_LEFT)
    return index


def _times(index: IndexReading, cards: Bools, factor: float) -> IndexReading:
    """A reading with other chances of some cards."""
    chances = index.chances * np.where(cards, factor, 1.0).astype(np.float32)
    return replace(index, chances=np.asarray(chances / chances.sum(), np.float32))


def _may_be_court(index: IndexReading) -> bool:
    asked = NUMBER[likeliest(index)] and sureness(index) >= ASKED_SURENESS
    return bool(asked and float(index.chances[COURT].max()) >= COURT_SHARE)


def _is_drawn_beside(pyramid: Pyramid, index: IndexReading) -> bool:
    around, beside = pyramid.patches([index.corner, index.corner.moved(*BESIDE)])
    paper = _paper(around)
    away = np.abs(beside.astype(np.float32) - paper).max(axis=2)
    return bool((away > UNLIKE_PAPER * max(float(paper.max()), MIN_WHITE)).mean() >= DRAWN_SHARE)


def _paper(patch: Frame) -> Singles:
    """The colour of the paper around an index (shape: [3])."""
    pixels = patch.reshape(-1, 3).astype(np.float32)
    darkest = pixels.min(axis=1)
    bright = pixels[darkest >= np.quantile(darkest, 1 - PAPER_SHARE)]
    return np.asarray(np.median(bright, axis=0), np.float32)
