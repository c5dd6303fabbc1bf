"""Answers about the machine: its Wi-Fi, its package and its voice."""

from collections.abc import Sequence
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from tock_companion.language import Text


class OwnWifi(TypedDict):
    """The table's own Wi-Fi."""

    name: str
    password: str
    image: str
    """The QR code with which phones join, as a `data:` address."""


class HouseWifi(TypedDict):
    """A Wi-Fi that the machine knows."""

    id: str
    name: str


class TriedWifi(TypedDict):
    """The last attempt, which failed."""

    mode: Literal["own", "house"]
    name: str


class WifiState(TypedDict):
    """The state of the Wi-Fi."""

    radio: bool
    """Whether there is a radio and NetworkManager to control it; without them all other fields are empty."""
    mode: NotRequired[Literal["own", "house", "none"]]
    name: NotRequired[str]
    own: NotRequired[OwnWifi | None]
    houses: NotRequired[Sequence[HouseWifi]]
    left_s: NotRequired[int | None]
    """Seconds left for a phone to arrive through the network on trial; null while none is."""
    failed: NotRequired[TriedWifi | None]


class Candidate(TypedDict):
    """A signed package, newer than the installed one, that was checked and waits for the host."""

    version: str
    installed: str
    size: int
    sha256: str
    signer: str
    """The name of the key that signed it, one of those that this machine trusts."""


class Progress(TypedDict):
    """Progress of an update, or the outcome of the last one."""

    phase: Literal["waiting", "trying", "recording", "done", "failed"]
    version: str
    before: str
    reason: str


class UpdateState(TypedDict):
    """Everything known about new packages."""

    here: bool
    """Whether this machine can install packages from the page."""
    pin: bool
    """Whether there is a PIN, without which nothing is installed."""
    candidate: Candidate | None
    progress: Progress | None


class StickPackages(TypedDict):
    """The names of our packages on USB sticks."""

    names: Sequence[str]


class Received(TypedDict):
    """The received part of a package."""

    ok: Literal[True]
    size: int


class VoiceState(TypedDict):
    """Whether the table speaks aloud."""

    speech: str | None
    """None where this companion has no voice at all."""
    trouble: Text | None
    """The reason why this machine cannot be heard, and the remedy; null where it can speak."""
