"""The sentences of the lessons of a practice."""

from typing import Literal

from tock_companion.language import Text, catalog
from tock_companion.views.phrases import filled

Saying = Literal["place", "card_asked", "move_asked", "slip", "done"]
"""The sentences of a lesson: prepare the board, ask for the card and the move, correct a mistake, praise."""


def lesson_sentence(lesson: int, saying: Saying, *, pawn: Text, other: Text) -> Text:
    """One sentence of a lesson, by its index, with the names of the learner's pawn and of the other one."""
    return filled(catalog("lessons")[f"lesson.{lesson}.{saying}"], pawn=pawn, other=other)
