"""What the page needs of whoever keeps the host's choices; the store of the table is one."""

from typing import Protocol


class Choices(Protocol):
    """What the host has chosen, kept through restarts."""

    def get(self, name: str) -> object:
        """What was chosen; None when nothing was."""

    def keep(self, name: str, value: object) -> None:
        """Replace what was chosen; raises TockError when it cannot be kept."""
