"""How sure a reading of a card must be: to be taken unasked, replaced by a likelier card, or kept at all."""

SURE_CARD_CONFIDENCE = 0.9
"""Confidence below which a reading of a card is doubtful and the player is asked."""
CERTAIN_CARD_CONFIDENCE = 0.985
"""Confidence from which even a card that cannot be there is not replaced by the second likeliest, only questioned."""
WEAK_CARD_CONFIDENCE = 0.5
"""A reading less sure than this is dropped when there are more readings than cards in a hand."""
