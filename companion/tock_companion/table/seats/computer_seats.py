"""Which seats a computer plays for, in the form in which that is kept through a restart."""

from collections.abc import Mapping

from tock_companion.hints.players import COMPUTERS
from tock_companion.rules import Seat

COMPUTERS_KEPT = "computers"


def from_kept(kept: object) -> dict[Seat, str]:
    """The computers that were kept; what this version does not know is left out."""
    if not isinstance(kept, dict):
        return {}
    return {
        Seat[name]: strength
        for name, strength in kept.items()
        if name in Seat.__members__ and strength in COMPUTERS
    }


def to_keep(computers: Mapping[Seat, str]) -> dict[str, str]:
    """Give the form in which computers are kept."""
    return {seat.name: strength for seat, strength in computers.items()}
