"""One game after another on the same table: how the next begins, out of the lobby or a log, and the present ends."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tock_companion.boardfile import BoardFile
from tock_companion.core.bodies import Begin, FreeSeat, NewGame, Prepare, Rematch, SetComputer
from tock_companion.core.following import alone, copied, followed_by, kept_following
from tock_companion.core.game_setup import GameSetup, again, game_started
from tock_companion.core.lobby import opening_of, why_over
from tock_companion.core.practising import begin_lesson, next_lesson
from tock_companion.core.requests import Reply, Request, Role, bad_request, refused
from tock_companion.core.state import Lobby
from tock_companion.core.step import begin_game, end_game, resume_game
from tock_companion.errors import BadInputError, escaped
from tock_companion.events.facts import GameStarted
from tock_companion.table.runtime.resuming import started_now, state_of_lines
from tock_companion.table.runtime.writer import Writer
from tock_companion.table.seats.game_people import COMPUTER, People
from tock_rules import Seat

LOG = logging.getLogger(__name__)


class Games:
    """Changes the game of a table; called on the writing thread alone."""

    def __init__(self, writer: Writer, board_file: BoardFile) -> None:
        self._writer, self._board_file = writer, board_file

    def open(self, body: NewGame | Prepare | Begin | Rematch) -> Reply:
        """Prepare a game, or begin one, as the host asks for it."""
        writer = self._writer
        writer.end_practice()
        opening = opening_of(body, writer.state, self._board_file)
        if isinstance(opening, Reply):
            return opening
        for seat, strength in opening.computers.items():
            self._ask_people(Request(SetComputer(seat, strength), Role.HOST))
        if opening.setup is None:
            return writer.set_lobby(opening.lobby)
        begun = self.begin(opening.setup, opening.lobby)
        if not (opening.rotates and begun.ok):
            return begun
        return writer.seat(lambda: writer.participants.rotate(writer.state.game))

    def begin(self, setup: GameSetup, lobby: Lobby | None = None) -> Reply:
        """End the running game and begin another, both or neither."""
        writer = self._writer
        started = started_now(setup, self._board_file)
        begun = begin_game(writer.state.roster, started, writer.clock_ms(), before=writer.state)
        begun = replace(begun, state=replace(begun.state, lobby=lobby))
        return writer.change_game(begun, why_over(writer.state.lobby, "new game"))

    def begin_again(self) -> Reply:
        """End the running game and begin the same once more, with the next seat; a practice only ends."""
        writer = self._writer
        if writer.state.practice is not None:
            return writer.end_practice()
        return self.begin(again(writer.state.game.started))

    def begin_for(self, setup: GameSetup, names: Mapping[Seat, str]) -> Reply:
        """Begin the game that a club has paired; only if it can begin does everybody stand up."""
        writer = self._writer
        writer.end_practice()
        try:
            game_started(setup, self._board_file)
        except BadInputError as error:
            return bad_request(error)
        for seat in writer.people.sitting():
            freed = self._ask_people(Request(FreeSeat(seat), Role.HOST))
            if not freed.ok:
                return freed
        begun = self.begin(setup)
        if begun.ok:
            writer.seat(lambda: writer.participants.expect(names))
        return begun

    def take_up(
        self, lines: Sequence[str], known: People, chosen: Mapping[Seat, Seat] | None = None
    ) -> Reply:
        """End the present game and go on with the one of a log, which these people have played.

        `chosen` are the present seats of those who play on, by their seats in that game; without it names decide.
        """
        writer = self._writer
        try:
            found, events = state_of_lines(lines, self._board_file, writer.state.roster)
        except BadInputError as error:
            return bad_request(error)
        if found.game.ended is not None:
            return refused("finished")
        writer.end_practice()
        seats = found.position.seats
        places = writer.people.places_on(seats, known)
        if chosen is not None:
            places = {
                **dict.fromkeys(places),
                **{seat: chair for chair, seat in chosen.items() if chair in seats},
            }
        resumed = resume_game(writer.state, found, events, writer.clock_ms())
        reply = writer.change_game(resumed, "another game", places)
        writer.catch_up()
        free = [seat for seat in seats if seat not in writer.state.roster.players]
        for seat in free:
            if known.get(seat) == COMPUTER and seat not in writer.state.roster.computers:
                self._ask_people(Request(SetComputer(seat, "medium"), Role.HOST))
        missing = {seat: name for seat, name in known.items() if name and seat in free}
        writer.state = replace(writer.state, left=missing)
        writer.publish(certain=True)
        return reply

    def follow(self, home: GameStarted, seats: frozenset[Seat]) -> Reply:
        """Follow the game of another table, whose moves are made here too; `seats` are those of people here."""
        writer = self._writer
        try:
            started = copied(home, self._board_file)
            if isinstance(started, Reply):
                return started
            begin_game(writer.state.roster, started, writer.clock_ms(), before=writer.state)
        except Exception as error:
            # Another program has written it.
            LOG.warning("the game of the other home cannot be played here (%.200s)", escaped(repr(error)))
            return refused("home_game")
        writer.end_practice()
        is_new = writer.state.game.started != started or writer.state.game.ended is not None
        # Kept first: after a restart in between, a game of that number is not yet there, and nothing is followed.
        writer.keep_following(kept_following(writer.number + is_new, seats))
        if is_new:
            begun = begin_game(writer.state.roster, started, writer.clock_ms(), before=writer.state)
            begun = replace(begun, state=followed_by(begun.state, begun.events, seats))
            return writer.change_game(begun, "another game")
        events = writer.ledger.game(writer.number).events
        writer.state = followed_by(writer.state, events, seats)
        writer.publish(certain=True)
        return Reply(True)

    def unfollow(self) -> Reply:
        writer = self._writer
        writer.keep_following(None)
        if writer.state.following is not None:
            writer.state = alone(writer.state)
            writer.publish(certain=True)
        return Reply(True)

    def end(self, why: str) -> Reply:
        """End the present game, and begin no other: the table is about to have another board."""
        writer = self._writer
        writer.end_practice()
        writer.commit(end_game(writer.state, why_over(writer.state.lobby, why), writer.clock_ms()))
        return Reply(True)

    def practise(self, seat: Seat) -> Reply:
        """Begin the next lesson for a seat; after the last one, the game that has waited goes on."""
        writer = self._writer
        at = next_lesson(writer.state, seat)
        if isinstance(at, Reply):
            return at
        if at is None:
            return writer.end_practice()
        try:
            begun = begin_lesson(
                writer.state, seat, at, self._board_file, writer.clock_ms(), sets_up=writer.sets_up
            )
        except BadInputError as error:
            return bad_request(error)
        return writer.change_practice(begun)

    def _ask_people(self, request: Request) -> Reply:
        return self._writer.seat(lambda: self._writer.people.answer(request))
