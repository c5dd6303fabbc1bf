"""The engine against the slow reading of the six games, and a reason for every move that it refuses."""

import random

import pytest

from tests.rules.families_reference import GAMES, Key, Reference, key
from tests.support.rule_checks import FORMS
from tock_rules import RANKS, Board, Card, Position, Seat, Violation, judge_move, load_preset, shape_for

CARDS = [*(f"{rank.text}H" for rank in RANKS), "7C", "7S", "JOK_B"]


def _random_pawns(rng: random.Random, game: str, zones: int, seats: list[int]) -> dict[int, list[str]]:
    """Pawns anywhere, often close together and close to starts and doors."""
    rules = GAMES[game]
    length, ring = rules["length"], rules["length"] * zones
    free = [f"T{hole}" for hole in range(ring)]
    position: dict[int, list[str]] = {}
    for seat in seats:
        places: list[str] = []
        homes = [f"H{level + 1}" for level in range(rules["pawns"])]
        finished = rng.random() < 0.12
        for _ in range(rules["pawns"]):
            near = (
                f"T{(length * rng.choice(seats) + rng.choice([0, 0, 0, -1, -2, -3, -5, -7, 1, 2, 4])) % ring}"
            )
            chance = rng.random()
            if (finished and chance < 0.9) or chance < 0.15:
                place = homes.pop(rng.randrange(len(homes)))
            elif chance < 0.3:
                place = "camp"
            else:
                place = near if near in free and chance < 0.7 else rng.choice(free)
                free.remove(place)
                if place == f"T{length * seat}" and rng.random() < 0.6:
                    place += "*"
            places.append(place)
        position[seat] = places
    return position


def study(game: str, seed: int, positions: int) -> int:
    """Compare random positions; return how many results both gave alike."""
    rng, rules, compared = random.Random(f"{game} {seed}"), load_preset(game), 0
    for _ in range(positions):
        zones, seats, teams = rng.choice(FORMS[game])
        pawns = _random_pawns(rng, game, zones, list(seats))
        mover, card = rng.choice(seats), Card.parse(rng.choice(CARDS))
        board = Board.from_pawns(
            shape_for(rules, zones), {f"P{seat}": places for seat, places in pawns.items()}
        )
        sides = [[Seat(seat) for seat in team] for team in teams]
        here = Position.of(rules, board, Seat(mover), sides)
        if here.outcome() is not None:
            continue
        slow = Reference(game, zones, list(seats), [list(team) for team in teams])
        expected = {key(result) for result in slow.results(pawns, mover, str(card))}
        moves = here.legal_moves(card)
        found = {_key(move.result) for move in moves}
        assert expected == found, (here, str(card), sorted(expected ^ found)[:2])
        assert len(moves) == len({move.text for move in moves}), (here, str(card))
        if card.rank.text in ("7", "9"):
            assert len(moves) == len(found), (here, str(card))
        compared += len(found)
        _check_refusals(here, card, rng)
    return compared


def _key(board: Board) -> Key:
    return key({int(seat[1:]): places for seat, places in board.to_pawns().items()})


def _check_refusals(here: Position, card: Card, rng: random.Random) -> None:
    """Moves of other cards are legal or refused with a statement of this game."""
    other = Card.parse(rng.choice(CARDS))
    for move in here.legal_moves(other)[:4]:
        found = judge_move(here, card, move.text)
        if isinstance(found, Violation):
            assert found.breaks, (here, str(card), move.text, found.code)


def test_a_peg_sent_to_its_door_may_have_the_other_part_of_a_nine() -> None:
    here = Position.parse("pegs-jokers 4 P2 P0+P2/P1+P3 P0:T33 P1: P2:T31,T67 P3:")
    # P2 bumps P0 to T67, which sends P2 to its own door T31, the hole that the first part began on.
    assert any(move.text == "P2:T31>T33 + P2:T31>T24" for move in here.legal_moves("9H"))


@pytest.mark.parametrize("game", GAMES)
def test_engine_and_slow_reading_agree(game: str) -> None:
    assert study(game, seed=1, positions=60) > 150


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("game", GAMES)
def test_engine_and_slow_reading_agree_on_twenty_thousand_positions(game: str) -> None:
    assert study(game, seed=2, positions=20_000) > 50_000
