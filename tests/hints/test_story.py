"""The story of a game: true, in both languages, in six lines at most."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.played import log_of
from tock_companion.events.facts import GameEnded
from tock_companion.events.game import Game, fold
from tock_companion.hints.marches import ways_of
from tock_companion.hints.story import MAX_LINES, story_of, what_happened
from tock_companion.views.kept_games import names_of
from tock_rules import Kind, Seat

STORIES = Path("tests/data/hints/stories.txt").read_text(encoding="utf-8").strip().split("\n\n")
NAMES = ("Léa", "Mamie", "Tom", "Guy")


def people(game: Game) -> dict[Seat, str]:
    return {seat: NAMES[seat] for seat in game.position.seats}


@pytest.mark.parametrize("case", STORIES, ids=lambda case: case.partition("\n")[0])
def test_a_game_has_the_story_that_was_read_and_found_true(case: str) -> None:
    head, *expected = case.splitlines()
    form, ruleset, seed = head.split()
    game = fold(log_of(int(seed), form, ruleset))
    lines = story_of(game).lines(names_of(game.started, people(game)))
    assert [text for line in lines for text in (line["fr"], line["en"])] == expected
    assert len(lines) <= MAX_LINES


def test_captures_are_those_of_the_log() -> None:
    game = fold(log_of(1))
    ways = ways_of(played.move for played in game.moves)
    taken = Counter((played.seat, seat) for played in game.moves for seat, _ in played.move.captures)
    assert Counter((capture.by, capture.seat) for capture in ways.captures) == taken
    rivals = next(moment for moment in story_of(game).moments if moment.topic == "rivals")
    hostile = {pair: count for pair, count in taken.items() if pair[1] not in game.position.team_of(pair[0])}
    assert rivals.numbers["n"] == max(hostile.values())


def test_a_pawn_that_walked_straight_home_walked_the_lap() -> None:
    game = fold(log_of(2, "duel"))
    walked = [
        march.holes for march in ways_of(played.move for played in game.moves).marches if not march.taken
    ]
    swapped = any(part.kind is Kind.SWAP for played in game.moves for part in played.move.parts)
    lap = 72 - game.position.shape.entrance_back
    assert swapped or max(walked) >= lap
    assert len(walked) == sum(
        place != "camp" for pawns in game.position.board.to_pawns().values() for place in pawns
    )


def test_the_turning_point_is_a_move_of_the_game() -> None:
    game = fold(log_of(1))
    story = story_of(game)
    moment = next(moment for moment in story.moments if moment.topic == "turning")
    assert story.turning == game.moves[moment.number - 1].seq
    assert moment.numbers["after"] > moment.numbers["before"]


def test_a_game_that_nobody_has_won_has_no_story() -> None:
    game = fold(log_of(1))
    assert story_of(replace(game, ended=None)).moments == ()
    assert story_of(replace(game, ended=GameEnded(None, "new game"))).moments == ()


def test_pawns_that_the_host_put_elsewhere_are_no_turning_point() -> None:
    """Between the move and the next one the host corrects the board: no player did that."""
    game = fold(log_of(1))
    turned = story_of(game).turning
    at = next(index for index, played in enumerate(game.moves) if played.seq == turned)
    after = game.moves[at + 1]
    before = next(turn.before for turn in game.turns if turn.seq == after.seq)
    assert before is not None
    moved = replace(before, board=game.moves[at].move.before)
    turns = tuple(replace(turn, before=moved) if turn.seq == after.seq else turn for turn in game.turns)
    assert story_of(replace(game, turns=turns)).turning != turned


def test_an_own_pawn_that_is_taken_is_taken_from_nobody_else() -> None:
    lost = {
        what_happened(played).code
        for seed in range(12)
        for played in fold(log_of(seed, "duel")).moves
        if [seat for seat, _ in played.move.captures] == [played.seat]
    }
    assert lost == {"_takes_own"}
