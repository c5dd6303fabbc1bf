"""Answers to requests: by a step of the game, or by what reaches beyond it, which is people and other games."""

from collections.abc import Callable

from tock_companion.core import bodies
from tock_companion.core.handlers import means_the_same, refusal_of
from tock_companion.core.lobby import places_of_pair, plays_on
from tock_companion.core.requests import Reply, Request, Role, refused
from tock_companion.events.game import NEW_GAME
from tock_companion.events.terms import seat_term
from tock_companion.table.runtime.games import Games
from tock_companion.table.runtime.writer import Writer
from tock_rules import Seat

PRACTICE = bodies.Practise | bodies.EndPractice
OPENING = bodies.NewGame | bodies.Prepare | bodies.Begin | bodies.Rematch
BEYOND_THE_GAME = OPENING | PRACTICE | bodies.AboutTheTable


class Answers:
    """Judges what people ask of a table; called on the writing thread alone."""

    def __init__(self, writer: Writer, games: Games) -> None:
        self._writer, self._games = writer, games

    def answer(self, request: Request, may_ask: Callable[[], bool]) -> Reply:
        """Judge a request, if its sender may still make it in its turn."""
        writer = self._writer
        if not may_ask():
            return refused("seat_lost")
        if writer.publisher.outdated(request.revision) and not means_the_same(writer.state, request):
            return refused("stale")
        if isinstance(request.body, BEYOND_THE_GAME) or plays_on(request.body):
            return refusal_of(writer.state, request) or self._answer_beyond(request)
        if self._begins_by_a_card(request):
            begun = self._games.open(bodies.Begin())
            if not begun.ok:
                return begun
        taken = writer.take(request)
        return self._games.begin_again() if taken.reply.data.get(NEW_GAME) else taken.reply

    def _begins_by_a_card(self, request: Request) -> bool:
        """Whether the first card is laid in the lobby, for the game that it shows."""
        state, body = self._writer.state, request.body
        is_lobby = state.lobby is not None and state.practice is None
        return (
            isinstance(body, bodies.PlayCard)
            and body.begins
            and is_lobby
            and request.seat is state.position.to_move
        )

    def _answer_beyond(self, request: Request) -> Reply:
        """Answer requests about people, or about another game."""
        state = self._writer.state
        match request.body:
            case bodies.NewGame() | bodies.Prepare() | bodies.Begin() | bodies.Rematch() as body:
                return self._games.open(body)
            case bodies.Practise() if request.seat is not None:
                return self._games.practise(request.seat)
            case bodies.EndPractice():
                return self._writer.end_practice()
            case bodies.AnswerAbsent(seat=seat):
                # A computer plays on: the other answers are about the game alone.
                if state.absent is not seat:
                    return refused("no_question")
                return self._ask(Request(bodies.SetComputer(seat, "medium"), Role.HOST))
            case bodies.HandHost(seat=seat) if seat in state.roster.far:
                return refused("host_far", name=seat_term(seat))
            case bodies.HandHost(seat=seat):
                return self.hand_host(seat) if seat in state.roster.players else refused("seat_free")
            case bodies.Pair() as pair:
                places = places_of_pair(state, pair)
                if isinstance(places, Reply):
                    return places
                return self._writer.seat(lambda: self._writer.people.reseat(places))
            case bodies.SetComputer(seat=seat, strength=str()) if state.lobby_waits_for(seat):
                # A computer on the seat that begins is to play at once.
                reply = self._ask(request)
                return self._writer.set_lobby(None) if reply.ok else reply
        return self._ask(request)

    def _ask(self, request: Request) -> Reply:
        return self._writer.seat(lambda: self._writer.participants.answer(request))

    def hand_host(self, seat: Seat | None, *, only_first: bool = False) -> Reply:
        host_seat = self._writer.people.host_seat
        if not (only_first and host_seat.seat is not None):
            host_seat.hand_to(seat)
            self._writer.publish(certain=True)
        return Reply(True)
