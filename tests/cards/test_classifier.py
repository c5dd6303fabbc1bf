"""A closer look reads an index that was found askew."""

from tests.support.drawn_cards import hand
from tock_vision.cards.classifier import Classifier, Pyramid
from tock_vision.cards.corners import LABELS, Corner
from tock_vision.cards.finder import Finder
from tock_vision.cards.physical import likeliest, sureness

NAMES = ["AS", "2H", "5D", "6C", "7S"]


def read(corners: list[Corner], closer: bool, thorough: bool = False) -> set[str]:
    readings = Classifier().classify(Pyramid(hand(NAMES)), corners, closer, thorough)
    return {str(LABELS[likeliest(reading)]) for reading in readings if sureness(reading) > 0.9}


def test_an_index_found_much_too_large_and_turned_is_read_in_a_closer_look() -> None:
    corners = Finder().find(hand(NAMES))
    assert read(corners, closer=False) == set(NAMES)
    askew = [corner.moved(0.0, 0.0, 0.35, 0.4) for corner in corners]
    assert len(read(askew, closer=False)) < len(NAMES)
    assert read(askew, closer=True) == set(NAMES)


def test_the_larger_network_reads_the_same_indices() -> None:
    corners = [corner.moved(0.1, 0.1, 0.2, 0.2) for corner in Finder().find(hand(NAMES))]
    assert read(corners, closer=False, thorough=True) == set(NAMES)
