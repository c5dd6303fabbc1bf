"""One step of the table: from a state and a message to the next state and the events that led there.

Pure: no clock, no disk, no threads. Whoever calls `step` stores the events, then takes the new state for the present
one; when the disk refuses, nothing has happened, because nothing was done.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tock_companion.core.bodies import DecideNow
from tock_companion.core.draft import Draft, Step
from tock_companion.core.following import CopyReport, HomeFacts
from tock_companion.core.requests import Request
from tock_companion.core.roster import Roster
from tock_companion.core.ruling import set_up_warning
from tock_companion.core.state import CoreState
from tock_companion.events.facts import Event, Fact, GameEnded, GameStarted, ModeSet
from tock_companion.events.game import begin
from tock_companion.events.hands import Cards, Hands
from tock_companion.observation import CardSighting, Observation, SourceMessage, SourceReport
from tock_companion.referee.matching.settle import Timing
from tock_companion.referee.tracking.estimate import estimated_setup
from tock_rules import Seat


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: the referee looks again although nothing new was seen."""


Input = SourceMessage | Tick | CopyReport | HomeFacts
"""Input for whose answer nobody waits."""
Message = Input | Request


def step(state: CoreState, message: Message, t_ms: int) -> Step:
    """Take in one message at a time of the table's clock; an observation counts at the time it names."""
    draft = Draft(state)
    match message:
        case Observation():
            draft.observe(message)
        case CardSighting():
            draft.sight_card(message)
        case SourceReport():
            draft.report(message)
        case CopyReport():
            draft.hear_copy(message, t_ms)
        case HomeFacts():
            draft.copy(message, t_ms)
        case Tick():
            draft.rule(t_ms)
        case Request(body=DecideNow()):
            return draft.decide_now(message, t_ms)
        case Request():
            return draft.answer(message, t_ms)
    return draft.done()


def begin_game(
    roster: Roster,
    fact: GameStarted,
    t_ms: int,
    *,
    timing: Timing | None = None,
    before: CoreState | None = None,
) -> Step:
    """Begin a game, on the table and in the mode of the one before if there was one; its log starts at 1."""
    event = Event(1, t_ms, fact)
    game, hands = begin(event), Hands.of_game(fact)
    state = before.with_game(game, hands) if before else CoreState.of(roster, game, hands, timing)
    draft = Draft(state, [event])
    if before is not None and before.game.mode is not game.mode:
        draft.record([ModeSet(before.game.mode.value, "host")], t_ms)
    return draft.done()


def resume_game(before: CoreState, found: CoreState, events: Sequence[Event], t_ms: int) -> Step:
    """Go on with the game of a log, on the table of another; pawns that stand otherwise are put right first."""
    draft = Draft(before.with_game(found.game, found.hands), events)
    state = draft.state
    if state.sources:
        # Otherwise a board from before the last move would take that move back.
        draft.record([set_up_warning(state.position, estimated_setup(state.watch, state.position))], t_ms)
    return draft.done()


def go_on(
    state: CoreState,
    events: Sequence[Event],
    facts: Sequence[Fact],
    t_ms: int,
    hands: Mapping[Seat, Cards] | None = None,
) -> Step:
    """Go on with a game of which `events` are not stored yet: note how the sources are doing now, then the facts."""
    draft = Draft(state, events)
    for source, status in state.sources.items():
        draft.hear(source, status, t_ms)
    draft.record(facts, t_ms, hands)
    return draft.done()


def end_game(state: CoreState, why: str, t_ms: int) -> Step:
    """End the game because the table gives it up; nothing when it has ended already."""
    draft = Draft(state)
    if state.game.ended is None:
        draft.record([GameEnded(None, why)], t_ms)
    return draft.done()
