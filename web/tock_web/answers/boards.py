"""Answers about the boards of a table."""

from collections.abc import Mapping, Sequence
from typing import Literal

from typing_extensions import TypedDict

from tock_companion.views.parts import SeatName


class BoardRow(TypedDict):
    """A board that can be chosen."""

    key: str
    name: str
    zones: int
    """4, 6 or 8."""
    holes: int
    own: bool
    """Whether its file lies with the companion, so that it can be renamed and removed."""
    in_use: bool
    colors: Mapping[SeatName, str]
    places: Mapping[SeatName, SeatName | None]
    """Where everybody would sit on it, by their present seats; null without a seat."""


class BoardRows(TypedDict):
    """All boards."""

    boards: Sequence[BoardRow]


class BoardKept(TypedDict):
    """The board is kept."""

    ok: Literal[True]
    key: str
