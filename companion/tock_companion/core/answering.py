"""Shared by all handlers of requests: who may ask, in which phase of the game, and the form of the answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from typing import Generic, TypeVar

from tock_companion.core.bodies import Body, PlayCard
from tock_companion.core.requests import Reply, Request, Role, refused
from tock_companion.core.state import Ballot, CoreState
from tock_companion.events.facts import Fact
from tock_companion.events.hand import Cards
from tock_companion.events.terms import Param, seat_term
from tock_rules import Move, Seat


class Who(Enum):
    """The people who may ask."""

    MOVER = "mover"
    """The seat to move, or the host for it."""
    SEAT = "seat"
    """A seat that plays, for itself alone."""
    ANYBODY_SEATED = "anybody_seated"
    """Any seat, or the host."""
    HOST = "host"


class Phase(Flag):
    PLAYING = auto()
    PAUSED = auto()
    OVER = auto()


UNDER_WAY = Phase.PLAYING | Phase.PAUSED
NOT_PAUSED = Phase.PLAYING | Phase.OVER
ALWAYS = Phase.PLAYING | Phase.PAUSED | Phase.OVER


MAX_EVENTS = 20_000
"""Events of one game after which requests add none: the longest games have some hundreds of moves."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply to a request, and the facts to record because of it; a refusal records nothing."""

    reply: Reply = field(default_factory=lambda: Reply(True))
    facts: Sequence[Fact] = ()
    hands: Mapping[Seat, Cards] = field(default_factory=dict, repr=False)
    """The cards that go with the first fact into the private part of the store."""
    ballot: Ballot | None = None
    """The proposal from now on; None when it stays as it is."""
    awaited: Seat | None = None
    """The seats whose players have left and are awaited, without another question."""
    announced: Move | None = None
    """The move that people at the table are asked to make from now on; None when nothing changes."""
    recorded_as: Request | None = None
    """The request to put into a recording instead: one that leads to the same facts without hands and names."""
    concerns_board: bool = True
    """Whether the referee has to look at the board in the light of these facts."""


B = TypeVar("B", bound=Body)
Handler = Callable[[CoreState, Request, B], Answer]


@dataclass(frozen=True, slots=True)
class Rule(Generic[B]):
    """One line of the table of requests."""

    body: type[B]
    who: Who
    phases: Phase
    handler: Handler[B] | None = None
    """None where the request reaches beyond the game: `step` or the running table sees to it."""
    is_timeless: bool = False
    """Its meaning does not depend on the view it was formed on; for the mover, within that turn."""
    ends: bool = False
    """Whether it may end something that people have: the page asks elsewhere first, and waits for five seconds."""


def refuse(code: str, **params: Param) -> Answer:
    return Answer(refused(code, **params))


def phase_of(state: CoreState) -> Phase:
    if state.game.ended is not None:
        return Phase.OVER
    return Phase.PAUSED if state.game.paused else Phase.PLAYING


def refusal(state: CoreState, request: Request, rule: Rule[B]) -> Reply | None:
    if not _may_ask(state, request, rule.who):
        return refused("not_allowed")
    if state.game.seq >= MAX_EVENTS and rule.phases is not ALWAYS:
        return refused("game_full")
    phase = phase_of(state)
    if not phase & rule.phases:
        return refused("over" if phase is Phase.OVER else "paused")
    if rule.who is not Who.MOVER:
        return None
    return turn_refusal(state, request) or (refused("give_first") if state.must_give else None)


def _may_ask(state: CoreState, request: Request, who: Who) -> bool:
    is_seat = request.role is Role.SEAT and request.seat is not None
    match who:
        case Who.HOST:
            return request.role is Role.HOST
        case Who.SEAT:
            return is_seat and request.seat in state.position.seats
        case Who.MOVER | Who.ANYBODY_SEATED:
            return is_seat or request.role is Role.HOST


def turn_refusal(state: CoreState, request: Request) -> Reply | None:
    """Why it is not this seat's turn; the host, who names no seat, asks for the seat to move."""
    turn = state.position.to_move
    if request.seat in (turn, None):
        return None
    if isinstance(request.body, PlayCard) and state.game.may_close_turn:
        # The next player's card closes a turn that a stored move had kept open.
        turn_after = state.position.end_turn().to_move
        if request.seat is turn_after:
            return None
    return refused("not_your_turn", seat=seat_term(turn))
