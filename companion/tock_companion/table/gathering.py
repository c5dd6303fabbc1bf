"""The people round the table as the writer needs them: their names, their cards, the host, what they ask."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from tock_companion.boardfile import BoardFile
from tock_companion.errors import TockError
from tock_companion.events.game import Game
from tock_companion.events.hands import Hands, fold_hands
from tock_companion.rules import BoardShape, Card, Seat
from tock_companion.storage import Store
from tock_companion.table.bodies import SetIndices
from tock_companion.table.custody import COMPUTER, HandMark, forgetting, last_withheld, visible
from tock_companion.table.deck_letters import DeckLetters
from tock_companion.table.host_seat import HostSeat
from tock_companion.table.ledger import Ledger
from tock_companion.table.people import People
from tock_companion.table.recorder import Recording
from tock_companion.table.requests import Reply, Request
from tock_companion.table.scores import Results
from tock_companion.table.snapshot import Surroundings
from tock_companion.views.names import Names
from tock_companion.views.state import HealthNote, WithheldCards

LOG = logging.getLogger(__name__)
EXPECTED_KEPT = "expected"


class Gathering:
    """Who sits where, and what follows from it for names and hands; changed by the table's thread alone."""

    def __init__(
        self,
        store: Store,
        ledger: Ledger,
        board_file: BoardFile,
        seats: Callable[[], tuple[Seat, ...]],
        changed: Callable[[], None],
        *,
        in_turn: Callable[[Callable[[], Any]], Any],
        mark_of: Callable[[Seat], HandMark | None],
        keep: Callable[[Callable[[], None]], None],
    ) -> None:
        """Take up who sat where; the arguments are those of `People`."""
        self._ledger, self._board_file = ledger, board_file
        self.people = People(
            store, seats, changed, in_turn=in_turn, mark_of=mark_of, keep=keep, moved=self._moved
        )
        self.host_seat = HostSeat(store.choices, self.people.sitting(), ledger.spare)
        self._choices, self._changed, self._keep = store.choices, changed, keep
        self.deck = DeckLetters(store.choices, keep, ledger.spare)
        self._expected = _kept_names(store.choices.get(EXPECTED_KEPT))
        self.results = Results(store.choices, ledger.spare)
        self.custody = self.people.custody
        """As it was when hands were last looked through."""

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

    def hands_now(self, hands: Hands, number: int) -> Hands:
        """The hands of game `number` without cards that are withheld from now on, and with those that are no longer."""
        before, now = self.custody, self.people.custody
        newly = [kept for kept in now if kept.game == number and kept not in before]
        hands = forgetting(hands, newly)
        self.custody = now
        if last_withheld(before, number).items() - last_withheld(now, number).items():
            return self._hands_shown(hands, number)
        return hands

    def _hands_shown(self, hands: Hands, number: int) -> Hands:
        """The hands with the cards that are withheld no longer; as they are where the disk does not give them."""
        try:
            secrets = visible(self._ledger.hands(number), self.custody, number)
            return fold_hands(self._ledger.game(number).events, secrets)
        except TockError:
            LOG.exception("cards that may be shown cannot be read; they can be told again")
            return hands

    def surroundings(self, troubles: tuple[HealthNote, ...], recording: Recording) -> Surroundings:
        """What people are shown besides the game."""
        return Surroundings(
            troubles,
            tuple((asked.number, asked.seat, asked.name) for asked in self.people.requests()),
            recording.keeps_photos,
            {
                seat: WithheldCards(kept.name, kept.owner == COMPUTER, kept.refused)
                for seat, kept in self.people.withheld().items()
            },
            self.host_seat.seat,
            recording.is_running,
        )


def _kept_names(kept: object) -> dict[Seat, str]:
    """Who was expected before the start."""
    known = kept.items() if isinstance(kept, dict) else ()
    return {Seat[seat]: str(name) for seat, name in known if seat in Seat.__members__}
