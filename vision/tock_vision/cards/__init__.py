"""Reads playing cards in pictures by their corner indices, English and French; `read_cards` is all most need."""

from tock_vision.cards.reading import CardReader, CardReading, read_cards

__all__ = ["CardReader", "CardReading", "read_cards"]
