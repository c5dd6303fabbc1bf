"""Measures enrolled jokers.

`python -m vision.training.cards.jokers PHOTOS ART`.

There are no two photographs of one joker, so each of the joker photographs is enrolled from one synthetic shot of it,
lying alone, and looked for in others: among other cards, turned, slanted, partly covered, in other light. Jokers of
other packs and the photographs without jokers are not to be taken for one's own.
"""

import argparse
import logging
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_companion.errors import BadInputError
from tock_vision.cards.jokers import FoundJoker, Jokers, enrol, find_jokers
from tock_vision.images import load_image
from vision.training.cards.canvas import Canvas, Laid
from vision.training.cards.decks import HEIGHT, WIDTH, Face
from vision.training.cards.labels import labels_of
from vision.training.cards.report import WEAK
from vision.training.cards.scenes import Maker

Array = Any
log = logging.getLogger(__name__)
SEED = 54
SIDE = 832
SHOWN = 0.6
"""From this visible share of the card a joker is to be recognised."""


class Shots:
    """Makes pictures of jokers among cards."""

    def __init__(self, art: Path) -> None:
        self.maker = Maker(art, SEED, SIDE, (280.0, 460.0))

    def alone(self, joker: Face) -> Array:
        """A photo for enrolment: the joker alone on a dark table, a little turned."""
        maker = self.maker
        matrix = maker.matrix(620.0, np.full(2, SIDE / 2), maker.uniform(-0.2, 0.2), np.eye(3))
        canvas = Canvas(np.full((SIDE, SIDE, 3), maker.rng.uniform(20, 90, 3), np.uint8), maker.camera)
        canvas.draw(Laid(joker, joker.image, matrix), 0)
        return canvas.picture

    def among(self, jokers: list[Face]) -> tuple[Array, list[float]]:
        """A photographed scene with jokers among other cards, and the visible share of each."""
        maker = self.maker
        kind = str(maker.rng.choice(["apart", "overlap", "row", "fan"]))
        laid = maker.layout(kind, int(maker.rng.integers(2, 6)))
        places = maker.rng.permutation(len(laid))[: len(jokers)]
        for place, joker in zip(places, jokers, strict=False):
            laid[place] = Laid(joker, joker.image, laid[place].matrix)
        canvas = Canvas(maker.tables.background(), maker.camera)
        canvas.lay(laid)
        return maker.camera.photographed(canvas.picture), [
            visible(canvas.owner, laid[place].matrix, place) for place in places
        ]


def visible(owner: Array, matrix: Array, number: int) -> float:
    """The visible share of a card."""
    outline = np.array([[[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]]], np.float32)
    area = cv2.contourArea(cv2.perspectiveTransform(outline, matrix)[0])
    return float((owner == number).sum() / max(area, 1.0))


def faces(folder: Path) -> list[Face]:
    """The joker photographs as cards."""
    entries = labels_of(folder)["images"]
    return [
        Face(entry["cards"][0], cv2.resize(load_image(folder / entry["file"]), (WIDTH, HEIGHT)), [])
        for entry in entries
        if entry["source"] == WEAK
    ]


def judged(shots: Shots, jokers: Jokers, own: tuple[Face, Face], of_other_decks: list[Face]) -> Counter[str]:
    """Look for jokers in some scenes and count what became of them."""
    counts: Counter[str] = Counter()
    for number in range(8):
        chosen = [own[number % 2]] if number < 6 else list(own)
        image, shares = shots.among(chosen)
        named = [str(found.card) if found.card else "open" for found in find_jokers(image, jokers)]
        for joker, share in zip(chosen, shares, strict=False):
            if share < SHOWN:
                continue
            other = next(face.card for face in own if face is not joker)
            right = joker.card in named
            confused = not right and other in named and other not in [face.card for face in chosen]
            counts["shown"] += 1
            counts[
                "right" if right else "confused" if confused else "open" if "open" in named else "missed"
            ] += 1
    for joker in of_other_decks[:4]:
        image, _ = shots.among([joker])
        counts["of other decks"] += 1
        counts["taken for own"] += any(sure(found) for found in find_jokers(image, jokers))
    return counts


def sure(found: FoundJoker) -> bool:
    """Whether a joker was named."""
    return found.card is not None


def main() -> None:
    """Measure and print."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path)
    parser.add_argument("art", type=Path)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    shots = Shots(options.art)
    every = faces(options.photos)
    counts: Counter[str] = Counter()
    for number, black in enumerate([face for face in every if face.card == "JOK_B"]):
        for colour in [face for face in every if face.card == "JOK_C"][number % 2 :: 2]:
            try:
                jokers = enrol(shots.alone(black), shots.alone(colour))
            except BadInputError as error:
                counts["pairs refused"] += 1
                log.info("%s", error)
                continue
            counts["pairs"] += 1
            of_other_decks = [face for face in every if face is not black and face is not colour]
            counts += judged(shots, jokers, (black, colour), of_other_decks)
    log.info("%s", dict(counts))


if __name__ == "__main__":
    main()
