"""Makes a phone the table's camera or removes it: in the settings and at the running table."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from tock_app.config.load import SIMULATED, Config, with_board


class _Settings(Protocol):
    """A keeper of the choice."""

    def place_phone(self) -> Config: ...

    def remove_phones(self) -> Config: ...


class PhonePlaces:
    """Places for phones that are cameras, for the page of the host; any thread may ask."""

    def __init__(self, config: Config, settings: _Settings, reopen: Callable[[Config], None]) -> None:
        """`reopen` continues the running game at a table of another configuration."""
        self._config, self._settings, self._reopen = config, settings, reopen

    def begin(self) -> None:
        """Make a place for a phone; raises TockError where the settings cannot be kept."""
        self._reopen(with_phones_of(self._config, self._settings.place_phone()))

    def end(self) -> None:
        """Remove all phones; raises TockError like `begin`."""
        self._reopen(with_phones_of(self._config, self._settings.remove_phones()))


def with_phones_of(config: Config, written: Config) -> Config:
    """The running configuration, perhaps on another board, with the phones of the written one."""
    phones = {
        name: own for name, own in with_board(written, config.board_file).sources.items() if _is_phone(own)
    }
    others = {
        name: own
        for name, own in config.sources.items()
        if not _is_phone(own) and not (phones and name == SIMULATED)
    }
    return replace(config, sources={**others, **phones} or {SIMULATED: {}})


def _is_phone(settings: Mapping[str, object]) -> bool:
    return bool(settings.get("phone"))
