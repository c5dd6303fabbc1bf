"""Single pictures of cards: `tock cards read`, `overlay` and `enrol`, and photos from the page."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from tock_companion.errors import BadInputError
from tock_vision.arrays import Frame
from tock_vision.cards.jokers import Jokers, enrol, load_jokers, save_jokers
from tock_vision.cards.letters import letter_of
from tock_vision.cards.reading import CardReading, read_cards
from tock_vision.images import decode_image, load_image
from tock_vision.overlay import write_picture

SURE_COLOR, DOUBT_COLOR, UNKNOWN_COLOR = (60, 170, 40), (0, 150, 255), (200, 0, 200)


def answer(image: Path, count: int | None, packs: int, jokers: Path | None) -> dict[str, object]:
    """Read one picture; with `error` where it cannot be used."""
    try:
        frame = load_image(image, upright=True)
    except BadInputError as error:
        return {"image": str(image), "cards": [], "error": str(error)}
    return _answer(image, *_read(frame, count, packs, enrolled(jokers)))


def overlay(image: Path, out: Path, count: int | None, packs: int, jokers: Path | None) -> dict[str, object]:
    """Read a picture, draw the reading onto it, and return the answer of `tock cards read`."""
    frame = load_image(image, upright=True)
    readings, ms = _read(frame, count, packs, enrolled(jokers))
    write_picture(out, draw(frame, readings))
    return _answer(image, readings, ms)


def enrol_jokers(black: Path, colour: Path, out: Path) -> dict[str, object]:
    """Learn the two jokers of a pack from a photo of each, and write them to a file."""
    jokers = enrol(load_image(black, upright=True), load_image(colour, upright=True))
    save_jokers(out, jokers)
    return {"enrolled": True, "jokers": str(out), "points": [len(one.points) for one in jokers.both]}


def enrolled(file: Path | None) -> Jokers | None:
    """Load a file made by `tock cards enrol`, when one is named."""
    return load_jokers(file) if file is not None else None


def draw(frame: Frame, readings: Sequence[CardReading]) -> Frame:
    """Draw a box and a name at every card: green certain, orange doubtful, purple unknown."""
    picture = frame.copy()
    scale = max(frame.shape[:2]) / 1000
    width = max(1, round(2 * scale))
    for reading in readings:
        color = UNKNOWN_COLOR if reading.card is None else DOUBT_COLOR if reading.doubtful else SURE_COLOR
        points = np.round(np.array(reading.box)).astype(np.int32)
        cv2.polylines(picture, [points], True, color, width, cv2.LINE_AA)
        name = str(reading.card) if reading.card is not None else "?"
        text = (
            name if not reading.doubtful or not reading.likely else f"{name} {100 * reading.confidence:.0f}%"
        )
        at = (int(points[:, 0].min()), max(12, int(points[:, 1].min()) - round(4 * scale)))
        for ink, extra in (((255, 255, 255), 3), (color, 0)):
            cv2.putText(
                picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.8 * scale, ink, width + extra, cv2.LINE_AA
            )
    return picture


def to_json(reading: CardReading) -> dict[str, object]:
    """Put a reading in the form that `tock cards read` prints."""
    entry: dict[str, object] = {
        "card": str(reading.card) if reading.card is not None else None,
        "confidence": reading.confidence,
        "box": reading.box,
    }
    if reading.doubtful:
        entry |= {"doubtful": True, "likely": [str(card) for card in reading.likely]}
    return entry


def _read(
    frame: Frame, count: int | None, packs: int, jokers: Jokers | None
) -> tuple[list[CardReading], float]:
    began_s = time.perf_counter()
    readings = read_cards(frame, count, packs, jokers)
    return readings, 1000 * (time.perf_counter() - began_s)


def _answer(image: Path, readings: list[CardReading], ms: float) -> dict[str, object]:
    return {"image": str(image), "ms": round(ms, 1), "cards": [to_json(reading) for reading in readings]}


def photo_reader(jokers_file: Path) -> Callable[[bytes], Sequence[dict[str, object]]]:
    """Make a function that reads photos; enrolled jokers are used as soon as their file exists."""

    def read(data: bytes) -> list[dict[str, object]]:
        """Read one photo, turned as its EXIF data say; BadInputError when it cannot be used.

        `likely` is empty for a card that is seen but cannot be read.
        """
        jokers = load_jokers(jokers_file) if jokers_file.exists() else None
        frame = decode_image(data, "photo", upright=True)
        readings = read_cards(frame, jokers=jokers)
        return [_likely(frame, reading) for reading in readings]

    return read


def _likely(frame: Frame, reading: CardReading) -> dict[str, object]:
    """The cards that the table asks about, and the letter in the corner where it is clear."""
    entry: dict[str, object] = {
        "likely": [str(card) for card in reading.likely],
        "confidence": reading.confidence,
    }
    if reading.doubtful or not reading.likely:
        return entry
    letter = letter_of(frame, reading.likely[0].rank, reading.box)
    return entry if letter is None else {**entry, "letter": letter}
