"""What the phone page needs: photos as bytes in, likely cards out; nothing is kept."""

from collections.abc import Callable, Sequence
from pathlib import Path

from tock_vision.cards.jokers import load_jokers
from tock_vision.cards.reading import read_cards
from tock_vision.images import decode_image


def photo_reader(jokers_file: Path) -> Callable[[bytes], Sequence[dict[str, object]]]:
    """Return what reads photos; the file of one's own jokers is used once it is there."""

    def read(data: bytes) -> list[dict[str, object]]:
        """Read one photo, turned as its EXIF data say; BadInputError when it cannot be used."""
        jokers = load_jokers(jokers_file) if jokers_file.exists() else None
        readings = read_cards(decode_image(data, "photo", upright=True), jokers=jokers)
        return [
            {"likely": [str(card) for card in reading.likely], "confidence": reading.confidence}
            for reading in readings
        ]

    return read
