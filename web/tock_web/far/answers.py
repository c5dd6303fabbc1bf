"""Answers about people and boards far away."""

from collections.abc import Sequence
from typing import Literal

from typing_extensions import TypedDict

from tock_companion.language import Text
from tock_companion.views.parts import SeatName


class FarRow(TypedDict):
    """An invitation as the host sees it."""

    room: str
    seat: SeatName | None
    """Null for a board, and for somebody who looks on."""
    name: str
    """The name that the host gave."""
    state: Literal["waiting", "here", "away", "gone"]
    seconds: int
    """Time in that state, in steps that people care about."""
    round_trip_ms: int | None
    """Of the line, as the phone has measured it; null before."""
    cards: Literal["drawn", "real"]
    link: str
    """Its part after `#` is for the guest alone."""
    qr: str
    """The link as a picture, a `data:` address."""
    until_s: int
    """Unix time of its end."""
    watches: bool
    """Whether it is for somebody who only looks on."""
    trouble: Text | None
    """The reason why the guest cannot come in."""


class FollowedHome(TypedDict):
    """The home that this table follows."""

    state: Literal["off", "connecting", "here", "ended", "refused"]
    sentence: Text | None
    round_trip_ms: int | None


class FarPlaces(TypedDict):
    """The seats and boards away."""

    on: bool
    """Whether the settings name a relay."""
    relay: str | None
    reached: bool
    seats: Sequence[FarRow]
    boards: Sequence[FarRow]
    watching: Sequence[FarRow]
    followed: FollowedHome


class FarHand(TypedDict):
    """A photographed hand was passed on; nobody here hears which cards it holds."""

    ok: Literal[True]
    read: int
    """Cards that were read for certain."""
    unread: int
    """Cards that were not: another photo may show them."""
