"""The lessons of a practice: the places of the pawns, the card, and the move to show."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from tock_rules import (
    CAMP,
    CAMP_PLACE,
    BoardShape,
    Card,
    Move,
    Position,
    Seat,
)

PRACTICE = "practice"
"""Why a lesson is over, and who takes back a move that does something else."""
Offset = int | Literal["camp"]
"""The number of holes after the learner's start hole."""


@dataclass(frozen=True, slots=True)
class Lesson:
    card: Card
    mine: tuple[int, ...]
    """The learner's pawns outside the camp."""
    theirs: tuple[int, ...]
    """The opponent's."""
    move: tuple[tuple[Offset, int], ...]
    """The move to show: each part from where to where."""

    def pawns(
        self, shape: BoardShape, seats: tuple[Seat, ...], me: Seat, other: Seat
    ) -> dict[str, list[str]]:
        """The places of all pawns when the lesson begins."""
        out = {me: self.mine, other: self.theirs}
        return {seat.name: list(_places(shape, me, seat, out.get(seat, ()))) for seat in seats}

    def shown(self, position: Position) -> Move | None:
        """The move to show; None where the rules do not have it."""
        shape, me = position.shape, position.to_move
        wanted = [(_cell(shape, me, start), _cell(shape, me, end)) for start, end in self.move]
        for move in position.legal_moves(self.card):
            if sorted((part.from_cell, part.to_cell) for part in move.parts) == sorted(wanted):
                return move
        return None


def fits(made: Move, shown: Move) -> bool:
    """Whether a move fits the lesson: the same pawns move, and the same seats lose one."""
    same_pawns = {part.from_cell for part in shown.parts} <= {part.from_cell for part in made.parts}
    return same_pawns and [seat for seat, _ in shown.captures] == [seat for seat, _ in made.captures]


@cache
def lessons() -> tuple[Lesson, ...]:
    text = files("tock_companion.core").joinpath("lessons.toml").read_text(encoding="utf-8")
    return tuple(
        Lesson(
            Card.parse(entry["card"]),
            tuple(entry["mine"]),
            tuple(entry["theirs"]),
            tuple((start, end) for start, end in entry["move"]),
        )
        for entry in tomllib.loads(text)["lesson"]
    )


def _cell(shape: BoardShape, me: Seat, offset: Offset) -> int:
    return CAMP if offset == "camp" else (shape.start(me) + offset) % shape.track_length


def _places(shape: BoardShape, me: Seat, seat: Seat, out: tuple[int, ...]) -> Iterator[str]:
    for offset in out:
        cell = _cell(shape, me, offset)
        yield shape.place_text(cell, fresh=cell == shape.start(seat))
    yield from [CAMP_PLACE] * (shape.pawns_per_seat - len(out))
