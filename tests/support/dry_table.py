"""Tables without threads or disk, as recordings are replayed on them, in a game that has just begun."""

from tock_companion.boardfile import BoardFile
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.step import begin_game
from tock_companion.table.runtime.replaying import DryTable
from tock_companion.views.names import Names
from tock_rules import BoardShape, Position


def dry_table(board: BoardFile, setup: GameSetup) -> DryTable:
    """A table where a game begins."""
    names = Names(BoardShape(board.zones), board.colors, {})
    return DryTable(begin_game(names, game_started(setup, board), 0))


def dry_table_at(board: BoardFile, position: Position) -> DryTable:
    """A table where a game begins from a position."""
    return dry_table(
        board,
        GameSetup(
            ruleset=position.ruleset.name,
            seats=position.seats,
            teams=[list(team) for team in position.teams],
            first=position.to_move,
            position=position.board.to_pawns(),
        ),
    )
