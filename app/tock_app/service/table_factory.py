"""Builds a table: store, board, sources, and the game that continues or waits."""

import logging
from contextlib import suppress
from dataclasses import dataclass, replace

from tock_app.config.load import Config, with_board
from tock_app.service.sources import make_sources
from tock_companion.boardfile import BoardFile, fingerprint
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.state import Lobby
from tock_companion.errors import BadInputError, one_line, printable
from tock_companion.storage import FolderLock, Store
from tock_companion.storage.migrations.cameras import take_over
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.resuming import board_to_resume
from tock_companion.table.runtime.troubles import Troubles
from tock_companion.table.seats.chairs import Places
from tock_rules import Seat

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BuiltTable:
    """A table with a board on it, and the configuration for that board."""

    table: Table
    config: Config


def build_table(
    config: Config, lock: FolderLock, opening: tuple[GameSetup, Lobby] | None = None
) -> BuiltTable:
    """Build a table for the running game's board, or else for the configured one.

    `opening` is the host's preparation on another board, kept if it fits.
    """
    store = Store(config.data, backups=config.backup.folder if config.backup is not None else None)
    store.hold(lock)
    try:
        remembered = board_to_resume(store)
        if remembered is not None and fingerprint(remembered) != fingerprint(config.board_file):
            LOG.info("the running game is played on %s", printable(remembered.name))
            config = replace(with_board(config, remembered), set_back=config.set_back)
        take_over(config.data, config.board_file)
        scene, sources = make_sources(config)
        setup, lobby = _opening(config, opening)
        troubles = Troubles(has_lost=store.has_lost)
        if config.set_back is not None:
            why = config.set_back
            LOG.warning("%s: %s", why.code, printable(why.reason))
            troubles.set_back(why.code, config.board_file.name, one_line(why.reason))
        table = Table(
            config.board_file, store, sources, scene=scene, setup=setup, lobby=lobby, troubles=troubles
        )
        return BuiltTable(table, config)
    except BaseException:
        store.close()
        raise


def places_on(built: BuiltTable, board: BoardFile, game: str) -> Places:
    """Where everybody would sit on another board; nowhere where no game is played on it."""
    try:
        setup, _ = _opening(with_board(built.config, board, game=game), built.table.opening)
        seats = game_started(setup, board).seats
    except BadInputError:
        return {}
    return built.table.people.places_on([Seat.parse(seat) for seat in seats])


def _opening(config: Config, before: tuple[GameSetup, Lobby] | None) -> tuple[GameSetup, Lobby]:
    """The first game, which waits for people; the configured number of players is the host's wish."""
    if before is not None:
        with suppress(BadInputError):
            game_started(before[0], config.board_file)
            return before
    seats = config.setup.seats
    return config.setup, Lobby(len(seats) if seats is not None else None)
