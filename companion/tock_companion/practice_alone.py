"""A practice on one phone alone: its view follows from the lesson and the taps so far, and nothing is kept.

So it disturbs no game, and whoever practises needs no seat.
"""

from collections.abc import Sequence
from dataclasses import replace

from tock_companion.boardfile import BoardFile
from tock_companion.core.bodies import MovePawns, PlayCard
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.indices import Indices
from tock_companion.core.lessons import lessons
from tock_companion.core.practising import begin_lesson
from tock_companion.core.requests import Request, Role
from tock_companion.core.roster import Roster
from tock_companion.core.state import CoreState, Lobby
from tock_companion.core.step import step
from tock_companion.errors import BadInputError
from tock_companion.events.facts import Event, GameStarted
from tock_companion.events.game import begin
from tock_companion.events.hands import Hands
from tock_companion.views.lessons import lesson_sentence
from tock_companion.views.moves import Chronicle
from tock_companion.views.names import Names
from tock_companion.views.roles import seat_view
from tock_companion.views.schema import SeatView
from tock_companion.views.snapshot import Surroundings, board_info, snapshot
from tock_companion.views.table import public_view
from tock_rules import Card, Seat


def practice_view(
    prepared: GameStarted,
    board: BoardFile,
    indices: Indices,
    seat: Seat | None,
    number: int,
    taps: Sequence[str],
) -> SeatView:
    """The view of a learner in a lesson, counted from 1, after some taps on a card or a move.

    The rules are those of a game; lessons that they do not have are left out. Raises BadInputError for an unknown
    lesson or tap.
    """
    waiting = _waiting(prepared, board, indices)
    learner = seat if seat in waiting.position.seats else waiting.position.seats[0]
    assert learner is not None
    begun = _lessons(waiting, learner, board)
    if not 1 <= number <= len(begun):
        raise BadInputError(f"there are {len(begun)} lessons")
    state, has_slipped = begun[number - 1], False
    for tap in taps:
        after = _tapped(state, learner, tap)
        has_slipped = after.game.taken_back is not None
        # The card stays laid, and the pawns are where they were.
        state = state if has_slipped else after
    return _view(state, board, learner, (number, len(begun)), has_slipped=has_slipped)


def _waiting(prepared: GameStarted, board: BoardFile, indices: Indices) -> CoreState:
    """A lobby with the rules of a game and nobody in it."""
    started = game_started(GameSetup(prepared.ruleset, prepared.options), board)
    game = begin(Event(1, 0, started))
    nobody = Roster(game.position.shape, board.colors, {}, indices=indices)
    state = CoreState.of(nobody, game, Hands.of_game(started))
    return replace(state, lobby=Lobby())


def _lessons(waiting: CoreState, learner: Seat, board: BoardFile) -> list[CoreState]:
    begun = []
    for at in range(len(lessons())):
        try:
            begun.append(begin_lesson(waiting, learner, at, board, 0, sets_up=False).state)
        except BadInputError:
            continue
    return begun


def _tapped(state: CoreState, learner: Seat, tap: str) -> CoreState:
    body = PlayCard(Card.parse(tap)) if state.game.card is None else MovePawns(tap)
    taken = step(state, Request(body, Role.SEAT, learner), 0)
    if not taken.reply.ok:
        raise BadInputError(f"the tap is refused: {taken.reply.code}")
    return taken.state


def _view(
    state: CoreState, board: BoardFile, learner: Seat, shown_as: tuple[int, int], *, has_slipped: bool
) -> SeatView:
    shown = snapshot(state, Surroundings(), board_info(board), state.game.seq)
    assert shown.practice is not None
    practice = replace(shown.practice, shown_as=shown_as)
    shown = replace(shown, practice=practice)
    view = seat_view(public_view(shown, Chronicle()), shown, learner)
    if has_slipped:
        names = Names.of(state.roster)
        pawn, other = names.pawn(learner), names.pawn(practice.other)
        view["sentence"] = lesson_sentence(practice.number - 1, "slip", pawn=pawn, other=other)
    return view
