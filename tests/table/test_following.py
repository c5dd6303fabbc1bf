"""One game on two boards: only the home table records; the other one copies, and proposes what its own people play."""

import random
from collections.abc import Mapping, Sequence

import pytest

from tests.support.boards import Pawns, pawns
from tests.support.observations import observed
from tests.support.tables import ANNA, BEFORE, RIGHT
from tock_companion.boardfile import generate
from tock_companion.core.following import (
    CopyReport,
    HomeFacts,
    followed_by,
    home_facts,
    numbers_of,
)
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.guiding import Guidance
from tock_companion.core.requests import Reply, Role, parse_request
from tock_companion.core.state import Copying, CoreState
from tock_companion.core.step import Message, begin_game, step
from tock_companion.errors import BadInputError
from tock_companion.events.facts import Event, MoveAccepted, MoveTakenBack
from tock_companion.views.board_warnings import guidance_words
from tock_companion.views.names import Names
from tock_rules import BoardShape, Seat

AWAY = frozenset({Seat.P1})
AFTER_BOB = pawns("P0 T29, P1 T32")


class Side:
    """A table without threads: its state and its log."""

    def __init__(self, board: Pawns, size_mm: float) -> None:
        board_file = generate(4, size_mm)
        names = Names(BoardShape(4), board_file.colors, ANNA)
        setup = GameSetup(position={seat: list(places) for seat, places in board.items()})
        begun = begin_game(names, game_started(setup, board_file), 0)
        self.state: CoreState = begun.state
        self.log: list[Event] = list(begun.events)
        self.t_ms = 0

    def take(self, message: Message) -> Reply:
        taken = step(self.state, message, self.t_ms)
        self.state = taken.state
        self.log += taken.events
        return taken.reply

    def see(self, board: Pawns, for_ms: int = 1500) -> None:
        for _ in range(0, for_ms, 100):
            self.t_ms += 100
            self.take(observed(board, self.t_ms))

    def ask(self, kind: str, seat: Seat, **data: object) -> Reply:
        return self.take(parse_request(kind, data, Role.SEAT, seat))

    @property
    def mover(self) -> Seat:
        return self.state.position.to_move

    @property
    def guidance(self) -> str:
        shown: Guidance | None = self.state.guidance
        return "" if shown is None else shown.code


class TwoBoards:
    """Anna at home and Bob far away, each with a board of another size."""

    def __init__(self, board: Pawns = BEFORE) -> None:
        self.home, self.far = Side(board, 440), Side(board, 520)
        self.far.state = followed_by(self.far.state, self.far.log, AWAY)
        self.report(Copying.BEHIND)
        self.home.see(board, 500)
        self.far.see(board, 500)
        self.tell()

    def report(self, copying: Copying, at: int = 0) -> None:
        self.home.take(CopyReport("bob", copying, at))

    def tell(self) -> None:
        """The line between them: facts one way, the far board's position the other way."""
        following = self.far.state.following
        assert following is not None
        first = len(following.numbers)
        shared = home_facts(self.home.log)
        self.far.take(HomeFacts(first, tuple(fact for _, fact in shared[first:])))
        following = self.far.state.following
        assert following is not None
        if following.shows:
            self.report(Copying.SHOWN, shared[-1][0] if shared else 0)


@pytest.fixture
def two() -> TwoBoards:
    return TwoBoards()


def anna_moves(two: TwoBoards) -> None:
    assert two.home.ask("play_card", Seat.P0, card="9H").ok
    two.home.see(RIGHT)
    two.tell()


def test_the_far_board_shows_what_to_copy_and_records_the_same_move(two: TwoBoards) -> None:
    anna_moves(two)
    assert two.far.state.position == two.home.state.position
    two.far.see(BEFORE)
    assert two.far.guidance == "elsewhere/copy"
    assert two.far.state.guidance is not None
    assert two.far.state.guidance.steps == ({"seat": "P0", "from": "T20", "to": "T29"},)
    assert guidance_words(two.far.state.guidance, Names.of(two.far.state.roster))["fr"].startswith(
        "Anna joue 9♥"
    )
    two.far.see(RIGHT)
    assert two.far.guidance == ""
    assert two.far.state.following is not None
    assert two.far.state.following.shows


def test_the_turn_waits_until_the_far_board_shows_the_position(two: TwoBoards) -> None:
    anna_moves(two)
    assert two.home.ask("play_card", Seat.P1, card="6C").ok
    two.home.see(AFTER_BOB)
    assert two.home.guidance == "elsewhere/wait"
    assert two.home.mover is Seat.P1
    two.far.see(RIGHT)
    two.tell()
    assert two.home.mover.name == "P2", "the move had stayed on the board"


def test_nobody_waits_for_a_board_that_does_it_later_or_is_cut_off(two: TwoBoards) -> None:
    anna_moves(two)
    two.report(Copying.LATER)
    two.home.ask("play_card", Seat.P1, card="6C")
    two.home.see(AFTER_BOB)
    assert two.home.mover is Seat.P2


def test_a_board_that_shows_an_older_position_is_still_behind(two: TwoBoards) -> None:
    at_before = home_facts(two.home.log)
    anna_moves(two)
    two.report(Copying.SHOWN, at_before[-1][0] if at_before else 0)
    assert two.home.state.copies.waits


def test_a_move_made_on_the_far_board_is_proposed_and_counts_once_home_shows_it(two: TwoBoards) -> None:
    anna_moves(two)
    two.far.see(RIGHT)
    two.tell()
    two.home.ask("play_card", Seat.P1, card="6C")
    two.tell()
    two.far.see(AFTER_BOB)
    following = two.far.state.following
    assert following is not None
    assert following.made is not None
    assert str(following.made.card) == "6C"
    assert two.far.guidance == "elsewhere/made"
    assert two.far.mover is Seat.P1, "home alone records"
    assert two.home.ask("play_card", Seat.P1, card="6C", move=following.made.move.text).ok
    assert two.home.state.planned is not None
    two.home.see(AFTER_BOB)
    two.tell()
    two.far.see(AFTER_BOB, 500)
    two.tell()
    assert two.far.state.position == two.home.state.position
    assert not two.home.state.copies.waits


def test_a_move_that_stood_on_the_far_board_before_a_restart_is_proposed_after_it(two: TwoBoards) -> None:
    anna_moves(two)
    two.far.see(RIGHT)
    two.tell()
    two.home.ask("play_card", Seat.P1, card="6C")
    two.tell()
    two.far.state = followed_by(two.far.state.untracked(), two.far.log, AWAY)
    two.far.see(AFTER_BOB)
    following = two.far.state.following
    assert following is not None
    assert following.made is not None
    assert following.made.move.text == "P1:T26>T32"


def test_nothing_is_played_on_the_far_board_for_people_at_home(two: TwoBoards) -> None:
    two.home.ask("play_card", Seat.P0, card="9H")
    two.tell()
    two.far.see(RIGHT)
    following = two.far.state.following
    assert following is not None
    assert following.made is None
    assert two.far.guidance == "elsewhere/copy", "back to where home has the pawn"


def test_hands_and_cameras_stay_in_their_log_and_turns_are_taken_back_by_place(two: TwoBoards) -> None:
    two.far.ask("hand_set", Seat.P1, cards=["6C", "KD"])
    two.home.ask("hand_set", Seat.P0, cards=["9H"])
    anna_moves(two)
    two.report(Copying.LATER)
    two.home.ask("undo", Seat.P0)
    two.home.take(parse_request("undo", {}, Role.HOST))
    assert any(isinstance(event.fact, MoveTakenBack) for event in two.home.log)
    two.tell()
    assert two.far.state.position == two.home.state.position
    assert len(two.far.state.hands.held[Seat.P1].cards) == 2
    assert Seat.P1 not in two.home.state.hands.held


def test_facts_sent_twice_count_once_and_a_gap_is_refused(two: TwoBoards) -> None:
    anna_moves(two)
    facts = tuple(fact for _, fact in home_facts(two.home.log))
    before = list(two.far.log)
    two.far.take(HomeFacts(0, facts))
    assert two.far.log == before
    with pytest.raises(BadInputError, match="follows fact"):
        two.far.take(HomeFacts(len(facts) + 1, facts))


def test_a_far_table_that_was_killed_goes_on_from_its_own_log(two: TwoBoards) -> None:
    two.far.ask("hand_set", Seat.P1, cards=["6C"])
    anna_moves(two)
    assert two.far.state.following is not None
    assert numbers_of(two.far.log) == two.far.state.following.numbers


def test_both_logs_hold_the_same_play_whatever_the_line_does(two: TwoBoards) -> None:
    """Facts arrive late, in bundles and repeatedly."""
    rng = random.Random(5)
    places: Sequence[tuple[str, Mapping[str, list[str]]]] = (
        ("9H", RIGHT), ("6C", AFTER_BOB), ("KH", pawns("P0 T29, P1 T32, P2 T36")),
    )  # fmt: skip
    two.report(Copying.LATER)
    for card, board in places:
        two.home.ask("play_card", two.home.state.position.to_move, card=card)
        two.home.see(board)
        shared = tuple(fact for _, fact in home_facts(two.home.log))
        assert two.far.state.following is not None
        first = rng.randrange(len(two.far.state.following.numbers) + 1)
        two.far.take(HomeFacts(first, shared[first : first + rng.randrange(1, 9)]))
        two.report(Copying.LATER)
    two.tell()
    moves = [
        [event.fact for event in side.log if isinstance(event.fact, MoveAccepted)]
        for side in (two.home, two.far)
    ]
    assert moves[0] == moves[1]
    assert moves[0]
    assert two.far.state.position == two.home.state.position
