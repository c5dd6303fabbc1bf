"""The people round the table as the writer needs them: their names, their cards, the host, what they ask."""

from collections.abc import Callable, Mapping
from typing import Any

from tock_companion.boardfile import BoardFile
from tock_companion.events.game import Game
from tock_companion.rules import BoardShape, Card, Seat
from tock_companion.storage import Store
from tock_companion.table.core.bodies import SetIndices
from tock_companion.table.core.requests import Reply, Request
from tock_companion.table.core.snapshot import Surroundings
from tock_companion.table.seats.custody import COMPUTER, HandMark
from tock_companion.table.seats.deck_letters import DeckLetters
from tock_companion.table.seats.host_seat import HostSeat
from tock_companion.table.seats.people import People
from tock_companion.table.seats.scores import Results
from tock_companion.views.names import Names
from tock_companion.views.state import HealthNote, WithheldCards

EXPECTED_KEPT = "expected"


class Participants:
    """Who sits where, and what follows from it for names and hands; changed by the table's thread alone."""

    def __init__(
        self,
        store: Store,
        board_file: BoardFile,
        seats: Callable[[], tuple[Seat, ...]],
        changed: Callable[[], None],
        *,
        in_turn: Callable[[Callable[[], Any]], Any],
        mark_of: Callable[[Seat], HandMark | None],
        keep: Callable[[Callable[[], None]], None],
        write_if_idle: Callable[[Callable[[], None]], None],
    ) -> None:
        """Take up who sat where; `write_if_idle` writes what may be lost, the others are those of `People`."""
        self._board_file = board_file
        self.people = People(
            store, seats, changed, in_turn=in_turn, mark_of=mark_of, keep=keep, moved=self._moved
        )
        self.host_seat = HostSeat(store.choices, self.people.sitting(), write_if_idle)
        self._choices, self._changed, self._keep = store.choices, changed, keep
        self.deck = DeckLetters(store.choices, keep, write_if_idle)
        self._expected = _kept_names(store.choices.get(EXPECTED_KEPT))
        self.results = Results(store.choices, write_if_idle)

    def rotate(self, game: Game) -> Reply:
        """Have people change places among the seats of a game: in teams everybody gets another partner in turn."""
        taken = {*self.people.names(), *self.people.computers()}
        seats = [seat for seat in game.position.seats if seat in taken]
        moving = seats[1:] if game.started.teams and len(seats) > 2 else seats
        places = dict(zip(moving, (*moving[1:], *moving[:1]), strict=True))
        host = self.host_seat.seat
        reply = self.people.reseat(places)
        if reply.ok and host is not None:
            self.host_seat.hand_to(places.get(host, host))
        return reply

    def _moved(self, before: Seat, now: Seat) -> None:
        """Let the host's rights of a seat go with somebody who sits down elsewhere."""
        if self.host_seat.seat is before:
            self.host_seat.hand_to(now)

    def names(self) -> Names:
        """The words of the table as people sit now."""
        shape = BoardShape(self._board_file.zones)
        people = self.people
        sitting = people.names()
        players, expected = {**self._expected, **sitting}, frozenset(self._expected.keys() - sitting.keys())
        computers = people.computers()
        return Names(shape, self._board_file.colors, players, computers, self.deck.indices, expected)

    def expect(self, names: Mapping[Seat, str]) -> None:
        """Say who is to sit where, as a club has paired them; whoever sits down there goes by their own name."""
        kept = {seat.name: name for seat, name in names.items()}
        self._keep(lambda: self._choices.keep(EXPECTED_KEPT, kept))
        self._expected = dict(names)
        self._changed()

    def answer(self, request: Request) -> Reply:
        """Answer what a holder or the host asks about seats, or about the cards that lie on the table."""
        if not isinstance(request.body, SetIndices):
            return self.people.answer(request)
        self.deck.choose(request.body.indices)
        self._changed()
        return Reply(True)

    def see_letters(self, letters: Mapping[Card, str]) -> None:
        """Learn from the letters in the corners of some cards what the deck's are."""
        if self.deck.see(letters):
            self._changed()

    def surroundings(
        self, troubles: tuple[HealthNote, ...], *, photos_kept: bool, is_recording: bool
    ) -> Surroundings:
        """What people are shown besides the game."""
        return Surroundings(
            troubles,
            tuple((asked.number, asked.seat, asked.name) for asked in self.people.requests()),
            photos_kept,
            {
                seat: WithheldCards(kept.name, kept.owner == COMPUTER, kept.refused)
                for seat, kept in self.people.withheld().items()
            },
            self.host_seat.seat,
            is_recording,
        )


def _kept_names(kept: object) -> dict[Seat, str]:
    """Who was expected before the start."""
    known = kept.items() if isinstance(kept, dict) else ()
    return {Seat[seat]: str(name) for seat, name in known if seat in Seat.__members__}
