"""Reads playing cards by their corner indices, English and French; most callers need only `read_cards`."""

from tock_vision.cards.reading import CardReader, CardReading, read_cards

__all__ = ["CardReader", "CardReading", "read_cards"]
