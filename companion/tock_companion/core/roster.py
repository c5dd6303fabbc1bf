"""The roster of a table: the people and computers at its seats."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tock_companion.core.indices import Indices
from tock_rules import BoardShape, Seat

FarCards = Literal["drawn", "real"]
"""The companion draws them, or a player at home photographs them."""


@dataclass(frozen=True, slots=True)
class Roster:
    """Everything that names the seats of one table: its shape, the colour of each seat, the players."""

    shape: BoardShape
    colors: Mapping[Seat, str]
    players: Mapping[Seat, str]
    computers: Mapping[Seat, str] = field(default_factory=dict)
    """The seats that a computer plays for, with its strength."""
    indices: Indices = Indices.BY_LANGUAGE
    """The letters on this table's cards."""
    expected: frozenset[Seat] = frozenset()
    """Seats with a name from a club, and no phone."""
    far: Mapping[Seat, FarCards] = field(default_factory=dict)
    """Seats whose players are far away, with the origin of their cards."""
    has_pack: bool = True
    """Whether people hold real cards; else the companion deals to them."""
