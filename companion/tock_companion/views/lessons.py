"""The lessons of a practice: where the pawns stand, the card, the move that is shown, and what a child reads."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from tock_companion.language import Text
from tock_companion.views.phrases import filled
from tock_rules import (
    CAMP,
    CAMP_PLACE,
    PAWNS_PER_SEAT,
    BoardShape,
    Card,
    Move,
    Position,
    Seat,
)

PRACTICE = "practice"
"""Why a lesson is over, and who takes back a move that does something else."""
Saying = Literal["place", "card_asked", "move_asked", "slip", "done"]
"""The sentences of a lesson: the board is prepared, the card and the move are asked for, a mistake, praise."""
Offset = int | Literal["camp"]
"""The number of holes after the learner's start hole."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson."""

    card: Card
    mine: tuple[int, ...]
    """The learner's pawns outside the camp."""
    theirs: tuple[int, ...]
    """The opponent's."""
    move: tuple[tuple[Offset, int], ...]
    """The move that is shown: each part from where to where."""
    words: Mapping[str, Mapping[str, str]]

    def say(self, saying: Saying, *, pawn: Text, other: Text) -> Text:
        """One of its sentences, with the names of the learner's pawn and of the other one."""
        return filled(self.words[saying], pawn=pawn, other=other)

    def pawns(
        self, shape: BoardShape, seats: tuple[Seat, ...], me: Seat, other: Seat
    ) -> dict[str, list[str]]:
        """The places of all pawns when the lesson begins."""
        out = {me: self.mine, other: self.theirs}
        return {seat.name: list(_places(shape, me, seat, out.get(seat, ()))) for seat in seats}

    def shown(self, position: Position) -> Move | None:
        """The move that is shown; None where the rules do not have it."""
        shape, me = position.shape, position.to_move
        wanted = [(_cell(shape, me, start), _cell(shape, me, end)) for start, end in self.move]
        for move in position.legal_moves(self.card):
            if sorted((part.from_cell, part.to_cell) for part in move.parts) == sorted(wanted):
                return move
        return None


def fits(made: Move, shown: Move) -> bool:
    """Whether a move does what the lesson is about: the same pawns move, and the same seats lose one."""
    same_pawns = {part.from_cell for part in shown.parts} <= {part.from_cell for part in made.parts}
    return same_pawns and [seat for seat, _ in shown.captures] == [seat for seat, _ in made.captures]


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in their order."""
    text = files("tock_companion.views").joinpath("lessons.toml").read_text(encoding="utf-8")
    return tuple(
        Lesson(
            Card.parse(entry.pop("card")),
            tuple(entry.pop("mine")),
            tuple(entry.pop("theirs")),
            tuple((start, end) for start, end in entry.pop("move")),
            entry,
        )
        for entry in tomllib.loads(text)["lesson"]
    )


def _cell(shape: BoardShape, me: Seat, offset: Offset) -> int:
    return CAMP if offset == "camp" else (shape.start(me) + offset) % shape.track_length


def _places(shape: BoardShape, me: Seat, seat: Seat, out: tuple[int, ...]) -> Iterator[str]:
    for offset in out:
        cell = _cell(shape, me, offset)
        yield shape.place_text(cell, fresh=cell == shape.start(seat))
    yield from [CAMP_PLACE] * (PAWNS_PER_SEAT - len(out))
