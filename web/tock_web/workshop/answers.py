"""Answers about a board that is being made from photographs."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from typing_extensions import TypeAliasType, TypedDict

from tock_companion.language import Text
from tock_companion.views.parts import Form, HoleId, SeatName
from tock_rules import HOLE_PATTERN

MADE_HOLE_PATTERN = f"^({HOLE_PATTERN}|[+][0-9]{{1,2}})$"
MadeHoleId = TypeAliasType("MadeHoleId", Annotated[str, Form(MADE_HOLE_PATTERN)])


class MadePhoto(TypedDict):
    """A photograph of the board that is being made, in pixels."""

    width: int
    height: int


class MadeHole(TypedDict):
    """A hole of the board."""

    id: MadeHoleId
    """As in board files; `+0`, `+1`, … for holes that have no name yet."""
    doubtful: bool
    """Whether it was hardly visible and nobody has touched it since."""
    places: Sequence[Sequence[float] | None]
    """Its place in each photo, in shares of width and height; null for photos that do not show the board."""


class MadeBoard(TypedDict):
    """The board as far as it is known so far."""

    zones: int
    zone_length: int
    holes: Sequence[MadeHole]
    missing: Sequence[HoleId]
    """Requirements that every board must meet, and holes that have no place yet."""
    colors: Mapping[SeatName, str]
    whole: bool
    """Whether it can be played on."""
    undo: int
    """Number of edits that can be taken back."""


class MadeAsk(TypedDict):
    """Questions that only a person can answer."""

    code: str
    message: Text


class CampHole(TypedDict):
    """A hole of a camp in the photo that was checked."""

    id: HoleId
    place: Sequence[float]
    """In shares of the photo's width and height."""
    seen: bool
    """A pawn of the right colour stands in it."""


class PawnsChecked(TypedDict):
    """The pawns that a photo shows while all should be in their camps."""

    found: bool
    """Whether the board was found in the photo."""
    seen: Mapping[SeatName, int]
    """Pawns of the right colour in each camp."""
    count: int
    of: int
    photo: MadePhoto
    camps: Sequence[CampHole]
    """None where the board is not found."""


class BoardMade(TypedDict):
    """Progress of a board that is being made from photographs."""

    phase: Literal["empty", "finding", "refused", "found"]
    progress: float
    """Progress of the search, from 0 to 1."""
    photos: Sequence[MadePhoto]
    reason: str
    """Why no board was found, as a stable code."""
    message: Text | None
    """The same as a sentence; null where a board was found, or the search has not ended."""
    asks: Sequence[MadeAsk]
    board: MadeBoard | None
    checked: PawnsChecked | None
