"""A player whose games end soon: takes the card and the move after which its side stands best."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tock_companion.rules import (
    ZONE_LENGTH,
    Board,
    Card,
    Hole,
    HoleKind,
    Position,
    Seat,
    load_preset,
    place_of,
    shape_for,
)

CARDS_TRIED = 7
OUT, HOME, AHEAD = 10.0, 45.0, 0.3
"""Worth of a pawn that is out, that is home, and of each hole on its way."""
NONE = float("-inf")
HARM = 0.3
"""Share that an opponent's worth counts."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A request of a seat."""

    kind: str
    data: Mapping[str, object]


def wish_of(view: Mapping[str, Any], rng: random.Random) -> Wish:
    """What a seat whose turn it is does next."""
    position = position_of(view)
    if view["card"] is not None:
        return _move(view, position, rng)
    cards = rng.sample(view["cards"], min(CARDS_TRIED, len(view["cards"])))
    worth = {card: _best(position, card) for card in cards}
    best = max(worth, key=worth.__getitem__, default=None)
    if best is None or worth[best] == NONE:
        if view["can_end_turn"]:
            return Wish("end_turn", {})
        if view["can_discard"] and cards:
            return Wish("discard", {"card": cards[0]})
    return Wish("play_card", {"card": best or view["cards"][0]})


def position_of(view: Mapping[str, Any]) -> Position:
    """The position that a view shows, as far as holes and turn go."""
    rules = load_preset(view["game"]["ruleset"]).with_options(view["game"]["options"])
    shape = shape_for(rules, view["board"]["zones"])
    pawns: dict[str, list[str]] = {seat: [] for seat in sorted(set(view["holes"].values()))}
    for hole, seat in view["holes"].items():
        pawns[seat].append(place_of(Seat[seat], hole))
    teams: dict[int, list[Seat]] = {}
    for seat in view["seats"]:
        if seat["team"] is not None and seat["seat"] in pawns:
            teams.setdefault(seat["team"], []).append(Seat[seat["seat"]])
    board = Board.from_pawns(shape, pawns)
    return Position.of(rules, board, Seat[view["to_move"]], list(teams.values()))


def _move(view: Mapping[str, Any], position: Position, rng: random.Random) -> Wish:
    legal: Sequence[str] = [move["text"] for move in view["legal_moves"]]
    if not legal:
        return Wish("discard", {}) if view["can_discard"] else Wish("withdraw_card", {})
    worth = {move.text: worth_of(move.result, position) for move in position.legal_moves(view["card"])}
    text = max(legal, key=lambda one: (worth.get(one, NONE), rng.random()))
    return Wish("move", {"text": text})


def _best(position: Position, card: str) -> float:
    """The worth of the best move with a card; minus infinity where it has none."""
    moves = position.legal_moves(Card.parse(card))
    return max((worth_of(move.result, position) for move in moves), default=NONE)


def worth_of(board: Board, position: Position) -> float:
    """How well the side that moves stands on a board."""
    own = position.team_of(position.to_move)
    worth = 0.0
    for name, places in board.to_pawns().items():
        seat = Seat[name]
        mine = sum(_of_pawn(place, seat, position.shape.zones) for place in places)
        worth += mine if seat in own else -HARM * mine
    return worth


@lru_cache(maxsize=4096)
def _of_pawn(place: str, seat: Seat, zones: int) -> float:
    hole = Hole.at_place(seat, place)
    if hole is None:
        return 0.0
    if hole.kind is HoleKind.HOME:
        return HOME + hole.number
    return OUT + AHEAD * ((hole.number - ZONE_LENGTH * int(seat)) % (ZONE_LENGTH * zones))
