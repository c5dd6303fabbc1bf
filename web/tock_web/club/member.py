"""The program's service for a table that may join a club."""

from dataclasses import dataclass
from typing import Protocol


class TableMember(Protocol):
    """The table as a member of the club on its broker."""

    @property
    def broker_up(self) -> bool:
        """Whether the broker can be reached."""

    @property
    def club_met(self) -> str | None:
        """The name of the club whose desk is on the broker."""

    @property
    def is_member(self) -> bool:
        """Whether the table has joined that club."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether the table belongs to another club."""

    def join(self) -> bool:
        """Join the club whose desk is on the broker; False where there is none. Raises TockError when it cannot be
        saved."""

    def leave(self) -> None:
        """Leave every club; raises TockError when it cannot be saved."""


@dataclass(frozen=True, slots=True)
class ClubServices:
    """The table's membership."""

    member: TableMember
