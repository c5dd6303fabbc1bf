"""The sentences of the lessons of a practice."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

from tock_companion.language import Text
from tock_companion.views.phrases import filled

Saying = Literal["place", "card_asked", "move_asked", "slip", "done"]
"""The sentences of a lesson: prepare the board, ask for the card and the move, correct a mistake, praise."""


def lesson_sentence(lesson: int, saying: Saying, *, pawn: Text, other: Text) -> Text:
    """One sentence of a lesson, by its index, with the names of the learner's pawn and of the other one."""
    return filled(_words()[lesson][saying], pawn=pawn, other=other)


@cache
def _words() -> tuple[Mapping[str, Mapping[str, str]], ...]:
    text = files("tock_companion.views").joinpath("lessons.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["lesson"])
