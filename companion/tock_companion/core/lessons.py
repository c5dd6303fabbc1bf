"""The lessons of a practice: the places of the pawns, the card, and the move to show."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

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
Offset = int | str
"""The number of holes after the learner's start hole; or `camp`, `home N`, `entrance -N`, `mate N`."""


@dataclass(frozen=True, slots=True)
class Lesson:
    card: Card
    mine: tuple[Offset, ...]
    """The learner's pawns outside the camp."""
    theirs: tuple[Offset, ...]
    """The opponent's."""
    move: tuple[tuple[Offset, Offset], ...]
    """The move to show: each part from where to where."""
    alone: bool = False
    """Whether it is for a phone alone, without a board."""
    mates: tuple[Offset, ...] = ()
    """The pawns of the learner's mate; a lesson with any is played in teams."""

    def pawns(
        self, shape: BoardShape, seats: tuple[Seat, ...], me: Seat, other: Seat, mate: Seat | None = None
    ) -> dict[str, list[str]]:
        """The places of all pawns when the lesson begins."""
        out = {me: (me, self.mine), other: (me, self.theirs)}
        if mate is not None:
            out[mate] = (mate, self.mates)
        return {seat.name: list(_places(shape, seat, *out.get(seat, (me, ())))) for seat in seats}

    def shown(self, position: Position) -> Move | None:
        """The move to show; None where the rules do not have it."""
        shape, me = position.shape, position.to_move
        mate = next((seat for seat in position.team_of(me) if seat is not me), me)
        wanted = [(_cell(shape, me, start, mate), _cell(shape, me, end, mate)) for start, end in self.move]
        for move in position.legal_moves(self.card):
            if sorted((part.from_cell, part.to_cell) for part in move.parts) == sorted(wanted):
                return move
        return None


def fits(made: Move, shown: Move) -> bool:
    """Whether a move fits the lesson: the same pawns move, as many come home, and the same seats lose one."""
    same_pawns = {part.from_cell for part in shown.parts} <= {part.from_cell for part in made.parts}
    same_homes = _come_home(made) == _come_home(shown)
    same_captures = [seat for seat, _ in shown.captures] == [seat for seat, _ in made.captures]
    return same_pawns and same_homes and same_captures


def _come_home(move: Move) -> list[int]:
    """The home holes in which pawns end."""
    return sorted(part.to_cell for part in move.parts if move.before.shape.home_of(part.to_cell) is not None)


@cache
def lessons_on_table() -> tuple[Lesson, ...]:
    """The lessons for which people move pawns: the first ones."""
    return tuple(lesson for lesson in lessons() if not lesson.alone)


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons, those for a phone alone last."""
    text = files("tock_companion.core").joinpath("lessons.toml").read_text(encoding="utf-8")
    return tuple(
        Lesson(
            Card.parse(entry["card"]),
            tuple(entry["mine"]),
            tuple(entry["theirs"]),
            tuple((start, end) for start, end in entry["move"]),
            entry.get("alone", False),
            tuple(entry.get("mates", ())),
        )
        for entry in tomllib.loads(text)["lesson"]
    )


def _cell(shape: BoardShape, me: Seat, offset: Offset, mate: Seat | None = None) -> int:
    if isinstance(offset, int):
        return (shape.start(me) + offset) % shape.track_length
    kind, _, number = offset.partition(" ")
    match kind:
        case "home":
            return shape.home(me, int(number))
        case "entrance":
            return (shape.entrance(me) + int(number)) % shape.track_length
        case "mate":
            return _cell(shape, me if mate is None else mate, int(number))
    return CAMP


def _places(shape: BoardShape, seat: Seat, start_of: Seat, out: tuple[Offset, ...]) -> Iterator[str]:
    for offset in out:
        cell = _cell(shape, start_of, offset)
        yield shape.place_text(cell, fresh=cell == shape.start(seat))
    yield from [CAMP_PLACE] * (shape.pawns_per_seat - len(out))
