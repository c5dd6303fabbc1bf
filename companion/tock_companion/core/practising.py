"""A practice: three lessons out of the lobby, each a game of one turn that is on the table and in no store."""

from collections.abc import Mapping
from dataclasses import replace

from tock_companion.boardfile import BoardFile
from tock_companion.core.draft import Step
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.lessons import Lesson, lessons
from tock_companion.core.requests import Reply, refused
from tock_companion.core.ruling import set_up_warning
from tock_companion.core.state import CoreState, Practice
from tock_companion.core.step import go_on
from tock_companion.errors import BadInputError
from tock_companion.events.facts import CardsDealt, Event, Fact, GameStarted
from tock_companion.events.game import begin
from tock_companion.events.hand import Cards
from tock_companion.events.hands import Hands
from tock_companion.events.terms import seat_term
from tock_companion.referee.tracking.estimate import estimated_setup
from tock_rules import Move, Position, Seat, load_preset, shape_for


def next_lesson(state: CoreState, seat: Seat) -> int | Reply | None:
    """Index of the lesson that comes next for a seat, None after the last; a refusal where it may not practise now."""
    practice = state.practice
    if practice is None:
        return 0 if state.lobby is not None else refused("no_practice")
    if practice.learner is not seat:
        return refused("practice_runs", seat=seat_term(practice.learner))
    if state.game.ended is None:
        return practice.at
    return None if practice.is_last else practice.at + 1


def begin_lesson(
    state: CoreState, learner: Seat, at: int, board_file: BoardFile, t_ms: int, *, sets_up: bool
) -> Step:
    """Begin a lesson; `sets_up` where people have to put the pawns there. Raises BadInputError."""
    waiting, lesson = state.kept, lessons()[at]
    other = _opponent(waiting.position, learner)
    started, shown = _started(lesson, waiting.game.started, learner, other, board_file)
    event = Event(1, t_ms, started)
    practice = Practice(learner, other, at, shown, waiting)
    begun = state.with_game(begin(event), Hands.of_game(started))
    begun = replace(begun, practice=practice).with_candidates()
    facts: list[Fact] = [CardsDealt({learner.name: 1})]
    hands = {learner: (lesson.card,)}
    return _put_on_the_table(state, begun, [event], facts, t_ms, hands, "practice-place" if sets_up else "")


def end_practice(state: CoreState, t_ms: int, *, sets_up: bool) -> Step:
    """Go on with the game that has waited, in its lobby."""
    waiting = state.kept
    left = replace(state.with_game(waiting.game, waiting.hands), lobby=waiting.lobby)
    return _put_on_the_table(state, left, [], [], t_ms, {}, "practice-over" if sets_up else "")


def _put_on_the_table(
    before: CoreState,
    after: CoreState,
    events: list[Event],
    facts: list[Fact],
    t_ms: int,
    hands: Mapping[Seat, Cards],
    code: str,
) -> Step:
    """Go on with another game: people put the pawns where it has them, asked with `code`; without it they go there."""
    if not code:
        # Earlier observations say nothing of this game.
        return go_on(after.untracked(), events, facts, t_ms, hands)
    after = replace(after, fusion=before.fusion.take_back(after.options.before))
    seen = estimated_setup(after.watch, after.position)
    if after.sees and not seen.looks_like(after.position.board):
        facts = [*facts, set_up_warning(after.position, seen, code)]
    return go_on(after, events, facts, t_ms, hands)


def _opponent(position: Position, learner: Seat) -> Seat:
    """The next seat that is not the learner's partner."""
    team, seats = position.team_of(learner), position.seats
    after = seats[seats.index(learner) :] + seats
    return next(seat for seat in after if seat not in team and seat is not learner)


def _mate(prepared: GameStarted, learner: Seat) -> Seat:
    """The learner's first mate; raises BadInputError where everybody plays alone."""
    team = next((team for team in prepared.teams or () if learner.name in team), [])
    mates = [Seat[name] for name in team if name != learner.name]
    if not mates:
        raise BadInputError(f"{prepared.ruleset} is played without teams")
    return mates[0]


def _started(
    lesson: Lesson, prepared: GameStarted, learner: Seat, other: Seat, board_file: BoardFile
) -> tuple[GameStarted, Move]:
    """The game of a lesson and its move, by the rules that are prepared, without house rules that have no such move."""
    seats = tuple(Seat[name] for name in prepared.seats)
    mate = _mate(prepared, learner) if lesson.mates else None
    # Elsewhere alone, for a child who learns has no partner yet.
    teams = [[Seat[name] for name in team] for team in prepared.teams or ()] if mate is not None else ()
    for options in (prepared.options, {}):
        shape = shape_for(load_preset(prepared.ruleset).with_options(options), board_file.zones)
        pawns = lesson.pawns(shape, seats, learner, other, mate)
        setup = GameSetup(prepared.ruleset, options, seats, teams, learner, pawns)
        started = game_started(setup, board_file)
        shown = lesson.shown(begin(Event(1, 0, started)).position)
        if shown is not None:
            return started, shown
    raise BadInputError(f"{prepared.ruleset} has no such move of {lesson.card}")
