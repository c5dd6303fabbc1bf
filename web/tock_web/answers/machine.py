"""Answers about the machine's Wi-Fi and its package."""

from collections.abc import Sequence
from typing import Literal, NotRequired

from typing_extensions import TypedDict


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
    """What was tried last and was given up."""

    mode: Literal["own", "house"]
    name: str


class WifiState(TypedDict):
    """What the Wi-Fi does."""

    radio: bool
    """There is a radio, and NetworkManager to steer it; without one there is nothing else here."""
    mode: NotRequired[Literal["own", "house", "none"]]
    name: NotRequired[str]
    own: NotRequired[OwnWifi | None]
    houses: NotRequired[Sequence[HouseWifi]]
    left_s: NotRequired[int | None]
    """So long a phone has to come by the network that is being tried; null while none is."""
    failed: NotRequired[TriedWifi | None]


class Candidate(TypedDict):
    """A signed package, newer than the installed one, that was looked at and waits for the host."""

    version: str
    installed: str
    size: int
    sha256: str
    signer: str
    """The name of the key that signed it, one of those that this machine trusts."""


class Progress(TypedDict):
    """How far an update is, or how the last one went."""

    phase: Literal["waiting", "trying", "recording", "done", "failed"]
    version: str
    before: str
    reason: str


class UpdateState(TypedDict):
    """What is known about new packages."""

    here: bool
    """This machine can install packages from the page."""
    pin: bool
    """There is a PIN, without which nothing is installed."""
    candidate: Candidate | None
    progress: Progress | None


class StickPackages(TypedDict):
    """The names of our packages on USB sticks."""

    names: Sequence[str]


class Received(TypedDict):
    """How much of a package has been received."""

    ok: Literal[True]
    size: int
