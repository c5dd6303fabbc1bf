"""Checks the cards read from a photo of a hand against the pack, the cards already played and the hand's size."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tock_companion.card_confidence import (
    CERTAIN_CARD_CONFIDENCE,
    SURE_CARD_CONFIDENCE,
    WEAK_CARD_CONFIDENCE,
)
from tock_companion.core.bodies import CardReading
from tock_rules import Card


@dataclass(frozen=True, slots=True)
class Judged:
    """One card of the hand: the best guess, and the two likely ones where the player must choose."""

    card: Card
    choices: tuple[Card, ...] = ()
    reason: str = ""
    """Why it is asked: `unsure`, `not_in_pack` (so often), `played` or `too_many`; empty when it is not."""

    def to_json(self) -> dict[str, object]:
        return {
            "card": str(self.card),
            "choices": [str(card) for card in self.choices],
            "reason": self.reason,
        }


def judge(
    readings: Sequence[CardReading], deck: Counter[Card], played: Counter[Card], size: int | None
) -> list[Judged]:
    """Decide on the cards of a hand, in the order of the readings.

    The surest readings take their cards first. `deck` is the whole pack, `played` the cards that have left it since
    the last shuffle, `size` the number of cards in the hand, where that is known.
    """
    kept = _fitting(readings, size)
    left = deck - played
    judged: dict[int, Judged] = {}
    for number in sorted(kept, key=lambda n: -readings[n].confidence):
        one = _one(readings[number], left, deck)
        if size is not None and len(judged) >= size and not one.reason:
            one = Judged(one.card, (one.card,), "too_many")
        judged[number] = one
        left[one.card] -= 1
    return [judged[number] for number in kept]


def _fitting(readings: Sequence[CardReading], size: int | None) -> list[int]:
    """Drop the weakest readings while there are more than the hand has cards."""
    kept = list(range(len(readings)))
    while size is not None and len(kept) > size:
        weakest = min(kept, key=lambda n: readings[n].confidence)
        if readings[weakest].confidence >= WEAK_CARD_CONFIDENCE:
            break
        kept.remove(weakest)
    return kept


def _one(reading: CardReading, left: Counter[Card], deck: Counter[Card]) -> Judged:
    first = reading.likely[0]
    possible = [card for card in reading.likely if left[card] > 0]
    if left[first] > 0:
        if reading.confidence >= SURE_CARD_CONFIDENCE:
            return Judged(first)
        return Judged(
            first, (*possible, *(card for card in reading.likely if card not in possible)), "unsure"
        )
    reason = "played" if deck[first] > 0 else "not_in_pack"
    if possible and reading.confidence < CERTAIN_CARD_CONFIDENCE:
        return Judged(possible[0], (possible[0], first), reason)
    return Judged(first, (first, *possible), reason)
