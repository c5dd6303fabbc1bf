"""The program's service for a table that may join a club."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Loaded only where the settings name a broker.
    from tock_companion.mqtt.member import Member


@dataclass(frozen=True, slots=True)
class ClubServices:
    """The table's membership."""

    member: "Member"
