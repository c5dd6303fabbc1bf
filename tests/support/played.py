"""Logs of whole games played by the computers, the same for the same seed."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from tock_companion.boardfile import BoardFile, generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.events.codec import event_to_json
from tock_companion.events.facts import CardPlayed, Event, Fact, GameEnded, MoveAccepted, TurnEnded
from tock_companion.hints.arena import FORMS
from tock_companion.hints.computer_players import STRENGTHS
from tock_rules import Position, Seat, load_preset, shape_for
from tock_rules.engine import CARDS, DISCARD, LAY_DOWN, PLAY, CardGame, engine_for, position_of

MAX_ACTIONS = 5_000
MOVE_MS = 20_000


@cache
def log_of(
    seed: int,
    form: str = "teams",
    ruleset: str = "mjc",
    strength: str = "easy",
    make_board: Callable[[], BoardFile] | None = None,
) -> tuple[Event, ...]:
    """A game from the first card to its winner, of a ruleset in which nobody throws a whole hand to come out."""
    where, rules = FORMS[form], load_preset(ruleset)
    seats = [Seat(seat) for seat in where.seats]
    teams = [[Seat(seat) for seat in team] for team in where.teams]
    engine = engine_for(shape_for(rules, where.zones), rules, where.seats, where.teams)
    game = CardGame(engine, where.seats[-1], random.Random(seed).shuffle)
    setup = GameSetup(ruleset, seats=seats, teams=teams, first=Seat(game.to_move))
    begun = game_started(
        setup, make_board() if make_board else generate(where.zones, 440), "2026-11-21T19:45:00+00:00"
    )
    facts: Sequence[Fact] = [begun, *_played(game, strength, random.Random(-seed))]
    return tuple(Event(seq, MOVE_MS * seq, fact) for seq, fact in enumerate(facts, 1))


def _played(game: CardGame, strength: str, rng: random.Random) -> Iterator[Fact]:
    for _ in range(MAX_ACTIONS):
        seat, (kind, number, flat) = Seat(game.to_move), (action := STRENGTHS[strength](game, rng))
        position: Position = position_of(game)
        if kind == PLAY:
            card, move = CARDS[number], position.move_of((CARDS[number],), flat)
            yield CardPlayed(seat.name, str(card), "touch")
            yield MoveAccepted(seat.name, str(card), move.text, move.result.to_pawns(), {})
        elif kind in (DISCARD, LAY_DOWN):
            cards = [CARDS[number]] if kind == DISCARD else [CARDS[one] for one in game.hands[game.to_move]]
            yield from (CardPlayed(seat.name, str(card), "touch", "discard") for card in cards)
        game.do(action)
        if game.winners():
            yield GameEnded([Seat(one).name for one in game.winners()])
            return
        if game.to_move != seat:
            yield TurnEnded(seat.name, Seat(game.to_move).name)
    raise AssertionError("the game does not end")


def captures_of_the_lines(events: tuple[Event, ...]) -> Counter[tuple[str, str]]:
    """Captures by taker and owner: a pawn of another side that a move puts back into its camp. Knows no rules."""
    documents: list[Any] = [event_to_json(event) for event in events]
    sides = documents[0]["teams"] or [[seat] for seat in documents[0]["seats"]]
    before = documents[0]["position"]
    taken: Counter[tuple[str, str]] = Counter()
    for document in documents:
        if document["event"] == "move_accepted":
            by = document["seat"]
            own = next(side for side in sides if by in side)
            for seat, places in document["result"].items():
                went = Counter(places)["camp"] - Counter(before[seat])["camp"]
                if seat not in own and went > 0:
                    taken[by, seat] += went
            before = document["result"]
    return taken
