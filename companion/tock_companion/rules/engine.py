"""The second way in: the engine on small integers, for programs that play or search many games a second.

`Position` is the way in for everybody else. Nothing here checks what it is given: a move must come from `Engine.moves`
of the same state, an action from `CardGame.actions`.
"""

from tock_companion.rules.actions import (
    CODES,
    JOKER_CODES,
    LINE,
    PART,
    SWAP,
    THROW,
    CardAction,
    FlatMove,
    code_of,
    split_parts,
)
from tock_companion.rules.movegen import Engine, engine_for
from tock_companion.rules.state import FULL, State, starts_of

__all__ = [
    "CODES",
    "FULL",
    "JOKER_CODES",
    "LINE",
    "PART",
    "SWAP",
    "THROW",
    "CardAction",
    "Engine",
    "FlatMove",
    "State",
    "code_of",
    "engine_for",
    "split_parts",
    "starts_of",
]
