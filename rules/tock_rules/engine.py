"""The second way in: the engine on small integers, for programs that play or search thousands of games.

`tock_rules` is the way in for everything else. Nothing here checks its arguments: a move must come from
`Engine.moves` of the same state, an action from `CardGame.actions`.
"""

from tock_rules.action_texts import actions_of, read_action
from tock_rules.actions import (
    CODES,
    FROM,
    JOKER_CODES,
    KIND,
    LINE,
    MOVER,
    PART,
    SWAP,
    TAKEN,
    THROW,
    TO,
    VIA,
    CardAction,
    FlatMove,
    code_of,
    split_parts,
)
from tock_rules.board import Board
from tock_rules.cardgame import (
    DISCARD,
    GIVE,
    LAY_DOWN,
    PLAY,
    STOP,
    THROW_HAND,
    Action,
    CardGame,
)
from tock_rules.movegen import Engine, engine_for
from tock_rules.numbered_cards import CARD_CODES, CARD_NUMBERS, CARDS, IS_JOKER, shuffle_by
from tock_rules.position import Position
from tock_rules.seats import Seat
from tock_rules.state import State

__all__ = [
    "CARDS",
    "CARD_CODES",
    "CARD_NUMBERS",
    "CODES",
    "DISCARD",
    "FROM",
    "GIVE",
    "IS_JOKER",
    "JOKER_CODES",
    "KIND",
    "LAY_DOWN",
    "LINE",
    "MOVER",
    "PART",
    "PLAY",
    "STOP",
    "SWAP",
    "TAKEN",
    "THROW",
    "THROW_HAND",
    "TO",
    "VIA",
    "Action",
    "CardAction",
    "CardGame",
    "Engine",
    "FlatMove",
    "State",
    "actions_of",
    "code_of",
    "engine_for",
    "position_of",
    "read_action",
    "shuffle_by",
    "split_parts",
]


def position_of(game: CardGame) -> Position:
    """The position of a game in progress; of dealt starters, only those that the seat to move knows."""
    engine, seat = game.engine, Seat(game.to_move)
    in_teams = any(len(side) > 1 for side in engine.sides)
    return Position(
        engine.rules,
        Board.of_state(engine.shape, tuple(map(Seat, game.seats)), game.state),
        tuple(tuple(map(Seat, side)) for side in engine.sides) if in_teams else (),
        seat,
        tuple(game.stored),
        game.played,
        game.arrived,
        frozenset({seat}) if game.had_starter[seat] else frozenset(),
        game.plan.rounds[game.hand_number],
        frozenset(Seat(owing) for owing in game.seats if game.owes_discard[owing]),
        frozenset(Seat(one) for one in game.seats if game.has_burns and not game.hands[one]),
    )
