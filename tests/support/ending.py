"""A game for two that is one move from its end."""

from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import STANDARD_PACK, Move, Seat

NEARLY_WON = {"P0": ["T63", "H2", "H3", "H4"], "P2": ["camp", "camp", "T40", "H4"]}


def nearly_won() -> GameSetup:
    """The first of two is one move from the end."""
    return GameSetup("joker-individuel", seats=(Seat.P0, Seat.P2), position=NEARLY_WON)


def winning_move(table: Table) -> Move:
    """The move that ends the game now."""
    position = table.position
    moves = (move for card in STANDARD_PACK for move in position.legal_moves(card))
    return next(move for move in moves if position.play(move).outcome() is not None)


def win(table: Table) -> None:
    """Play it by touch."""
    move, seat = winning_move(table), table.position.to_move
    for kind, data in (("play_card", {"card": str(move.card)}), ("move", {"text": move.text})):
        assert table.request(parse_request(kind, data, Role.SEAT, seat)).ok
