"""Real photographs of cards, where the folder with them is at hand: a sample of every source."""

import json
from collections import Counter

import pytest

from tests.support.pictures import CARDS, needs_pictures
from tock_vision.cards import read_cards
from tock_vision.images import load_image

EVERY = 14
"""The whole set is measured by `make cards-report`."""
MIN_FOUND_SHARE, MAX_SURE_WRONG_SHARE = 0.95, 0.03

pytestmark = needs_pictures


def sample() -> list[dict[str, object]]:
    images = json.loads((CARDS / "labels.json").read_text(encoding="utf-8"))["images"]
    return [entry for entry in images if entry["source"] != "kagglejoker"][::EVERY]


@pytest.mark.whole
def test_most_cards_of_real_photographs_are_named_and_few_wrongly() -> None:
    found, wanted, sure_wrong, sure = 0, 0, 0, 0
    for entry in sample():
        truth = Counter(str(card) for card in entry["cards"])  # type: ignore[attr-defined]
        readings = read_cards(load_image(CARDS / str(entry["file"]), upright=True))
        named = Counter(str(reading.card) for reading in readings if reading.card is not None)
        clear = Counter(str(reading.card) for reading in readings if not reading.doubtful)
        found += (truth & named).total()
        wanted += truth.total()
        sure += clear.total()
        sure_wrong += (clear - truth).total()
    assert wanted > 40
    assert found / wanted > MIN_FOUND_SHARE
    assert sure_wrong / sure < MAX_SURE_WRONG_SHARE
