"""Answers about phones that are cameras."""

from collections.abc import Sequence
from typing import Literal

from typing_extensions import TypedDict

from tock_companion.language import Text
from tock_companion.views.parts import SeatName
from tock_web.answers.people import Nothing
from tock_web.camera_phones import PhoneKind


class PhoneRow(TypedDict):
    """A phone that asks to be a camera, or is one."""

    number: int
    kind: PhoneKind
    source: str | None
    """The name of its camera; null while it only asks."""
    here: bool
    """Whether it was active in the last seconds."""


class Phones(TypedDict):
    """The phones, and the address of their page."""

    url: str | None
    """The address of the camera's page; null where there is no HTTPS."""
    code: str | None
    """The same as a QR code, an image in a `data:` address."""
    places: int
    """Number of phones that can be cameras at the same time: sections of the settings with `phone = true`."""
    may_change: bool
    """Whether this companion can add such slots by itself, and remove them."""
    phones: Sequence[PhoneRow]


class PhoneAsked(TypedDict):
    """The answer to a phone that asks to be a camera."""

    ok: Literal[True]
    state: Literal["asking", "let_in", "refused"]
    now_ms: int
    """The table's clock, by which pictures are to be dated."""
    hold_still: bool
    """Whether the phone's exposure, white balance and focus are to be held once they have settled."""


class PawnInPicture(TypedDict):
    """A pawn where the picture shows it: shares of width and height."""

    x: float
    y: float
    seat: SeatName | None


class PictureSeen(TypedDict):
    """The reading of the newest picture."""

    ok: Literal[True]
    now_ms: int
    code: str
    """The fault, such as `camera/no_board`, `camera/dark` or `camera/slanted`; empty when there is none."""
    message: Text | Nothing
    outline: Sequence[Sequence[float]]
    """The corners of the board, as shares of width and height; empty while it is not found."""
    pawns: Sequence[PawnInPicture]
    recording: bool
    """Whether the host is recording, pictures included."""
