"""The page's interface to the storage of the host's choices; the store of the table implements it."""

from typing import Protocol


class Choices(Protocol):
    """The host's choices, kept through restarts."""

    def get(self, name: str) -> object:
        """The saved choice, or None."""

    def keep(self, name: str, value: object) -> None:
        """Replace the choice; raises TockError when it cannot be saved."""
