"""Tables without threads or disk, as recordings are replayed on them, in a game that has just begun."""

from tock_companion.boardfile import BoardFile
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.step import begin_game
from tock_companion.table.runtime.replaying import DryTable
from tock_companion.views.names import Names
from tock_rules import BoardShape


def dry_table(board: BoardFile, setup: GameSetup) -> DryTable:
    """A table where a game begins."""
    names = Names(BoardShape(board.zones), board.colors, {})
    return DryTable(begin_game(names, game_started(setup, board), 0))
