"""Parameters of a sentence, named and not yet put into the words of any language."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tock_rules import BoardShape, Card, Seat

TermKind = Literal["seat", "pawn", "card", "hole", "place", "beside", "phrase", "ruleset", "board"]


@dataclass(frozen=True, slots=True)
class Term:
    """Something at the table, or another phrase, that a sentence names."""

    kind: TermKind
    value: str


Param = str | Term | tuple[Term, ...]
"""Literal text, a name, or an enumeration of names."""
Params = Mapping[str, Param]


def seat_term(seat: Seat) -> Term:
    """The player at a seat."""
    return Term("seat", seat.name)


def pawn_term(seat: Seat) -> Term:
    """A pawn of a seat."""
    return Term("pawn", seat.name)


def board_term(shape: BoardShape) -> Term:
    """The size of a board: zones, holes of a zone, pawns of a seat."""
    return Term("board", " ".join(map(str, shape.size)))


def card_term(card: Card) -> Term:
    """A card."""
    return Term("card", str(card))
