"""Everybody round the table as the writer needs them: names, the host, the letters of the cards, who has won."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from tock_companion.boardfile import BoardFile
from tock_companion.core.bodies import SetIndices
from tock_companion.core.indices import Indices
from tock_companion.core.requests import Reply, Request
from tock_companion.core.roster import Roster
from tock_companion.events.game import Game
from tock_companion.language import folded
from tock_companion.storage import Store
from tock_companion.storage.choices import Choices
from tock_companion.table.seats.disk import Disk
from tock_companion.table.seats.game_people import GamePeople
from tock_companion.table.seats.hand_owners import COMPUTER, PlayedGame
from tock_companion.table.seats.last_people import LastPeople
from tock_companion.table.seats.people import People
from tock_companion.table.seats.scores import Results
from tock_companion.views.indices import learned
from tock_companion.views.snapshot import Surroundings
from tock_companion.views.state import FarHome, FarPeople, HealthNote, SignGiven, WithheldCards
from tock_rules import Card, Seat

EXPECTED_KEPT = "expected"
NO_PACK_KEPT = "no_pack"
"""Whether people have no cards on this table either: the companion deals to all."""

INDICES_CHOSEN, INDICES_SEEN = "indices", "indices_seen"


def letters_of(choices: Choices) -> Indices:
    """The letters in the corners of the cards: the host's choice, else those seen on photos of hands."""
    kept = choices.get(INDICES_CHOSEN) or choices.get(INDICES_SEEN)
    return next((one for one in Indices if one.value == kept), Indices.BY_LANGUAGE)


class DeckLetters:
    """The letters in the corners of the cards: those the host chose, else those that photos of hands have shown."""

    def __init__(self, choices: Choices, disk: Disk) -> None:
        self._choices, self._disk = choices, disk
        self._is_chosen = choices.get(INDICES_CHOSEN) is not None
        self.indices = letters_of(choices)
        self._letters: dict[Card, str] = {}

    def choose(self, indices: Indices) -> None:
        """Take the host's word; photos change nothing from then on."""
        self._disk.keep(lambda: self._choices.keep(INDICES_CHOSEN, indices.value))
        self.indices, self._is_chosen = indices, True

    def see(self, letters: Mapping[Card, str]) -> bool:
        """Learn from the letters of some cards; return whether the deck turns out to be another one."""
        self._letters |= letters
        found = learned(self.indices, self._letters.values())
        if self._is_chosen or found is self.indices:
            return False
        self._disk.write_if_idle(lambda: self._choices.keep(INDICES_SEEN, found.value))
        self.indices = found
        return True


class Participants:
    """People at their seats, and the names that follow; only the table's thread changes them."""

    def __init__(
        self,
        store: Store,
        board_file: BoardFile,
        game: Callable[[], PlayedGame],
        disk: Disk,
        clock_s: Callable[[], float],
    ) -> None:
        """Take up who sat where; `game` gives the game that is running now."""
        self._board_file, self._choices, self._disk = board_file, store.choices, disk
        self.people = People(store, game, disk, clock_s)
        self.host_seat = self.people.host_seat
        self.deck = DeckLetters(store.choices, disk)
        self.results, self.games = Results(store.choices, disk), GamePeople(store.choices, disk)
        self.last = LastPeople(store.choices, disk)
        self._expected = _kept_names(store.choices.get(EXPECTED_KEPT))
        self.far = FarPeople()
        self._has_pack = store.choices.get(NO_PACK_KEPT) is not True
        self._version = 0

    @property
    def version(self) -> int:
        """Grows with every change that people are shown."""
        return self.people.version + self._version

    def rotate(self, game: Game) -> Reply:
        """Have people change places among the seats of a game: in teams everybody gets another partner in turn."""
        taken = {*self.people.names(), *self.people.computers()}
        seats = [seat for seat in game.position.seats if seat in taken]
        moving = seats[1:] if game.started.teams and len(seats) > 2 else seats
        return self.people.reseat(dict(zip(moving, (*moving[1:], *moving[:1]), strict=True)))

    def roster(self) -> Roster:
        """The people and computers at the seats now."""
        sitting = self.people.names()
        awaited = {**self._expected, **self.far.invited}
        players, expected = {**awaited, **sitting}, frozenset(awaited.keys() - sitting.keys())
        computers = self.people.computers()
        far = {seat: cards for seat, cards in self.far.playing.items() if seat in sitting}
        return Roster(
            self._board_file.shape,
            self._board_file.colors,
            players,
            computers,
            self.deck.indices,
            expected,
            far,
            self._has_pack,
        )

    def show_far(self, far: FarPeople) -> None:
        self._version += (far.playing, far.invited) != (self.far.playing, self.far.invited)
        self.far = replace(far, home=self.far.home, watching_here=self.far.watching_here)

    def show_home(self, home: FarHome | None, sign: SignGiven | None) -> None:
        self.far = replace(self.far, home=home, sign=sign)

    def show_watching(self, pages: int) -> None:
        self.far = replace(self.far, watching_here=pages)

    def expect(self, names: Mapping[Seat, str]) -> None:
        """Say who is to sit where, as a club has paired them; a player who sits down there goes by their own name."""
        kept = {seat.name: name for seat, name in names.items()}
        self._disk.keep(lambda: self._choices.keep(EXPECTED_KEPT, kept))
        self._expected = dict(names)
        self._version += 1

    def read_again(self) -> None:
        """Take up the kept games, results and people again, as some have been deleted."""
        for kept in (self.results, self.games, self.last):
            kept.read_again()
        self._version += 1

    def forget(self, name: str) -> None:
        """Drop a name that has been deleted from the disk."""
        self.people.forget(name)
        self.read_again()

    def kept_names(self) -> list[str]:
        """All names of kept games and of last time, each as written in one of them."""
        results = (name for result in self.results.all for name in result.players)
        names = (*self.games.names(), *results, *(one.name for one in self.last.all))
        return sorted({folded(name): name for name in sorted(names)}.values(), key=folded)

    def answer(self, request: Request) -> Reply:
        """Answer a holder's or the host's request about seats, or about the cards that lie on the table."""
        if not isinstance(request.body, SetIndices):
            return self.people.answer(request)
        self.deck.choose(request.body.indices)
        self._version += 1
        return Reply(True)

    def see_letters(self, letters: Mapping[Card, str]) -> None:
        if self.deck.see(letters):
            self._version += 1

    def follow(self, number: int, game: Game) -> None:
        self.games.follow(number, game, self.roster())
        self.last.follow(number, game, self.people.seating.holders)

    def surroundings(
        self, troubles: tuple[HealthNote, ...], *, photos_kept: bool, is_recording: bool
    ) -> Surroundings:
        """Everything around the game that views show."""
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
            self._not_here(),
            self.far,
        )

    def _not_here(self) -> tuple[tuple[Seat, str, str], ...]:
        """The players of the last game who sit nowhere now: free seat, name and language of each."""
        names = self.people.names()
        here = {folded(name) for name in names.values()}
        return tuple(
            (one.seat, one.name, one.lang)
            for one in self.last.all
            if one.seat not in names and folded(one.name) not in here
        )


def _kept_names(kept: object) -> dict[Seat, str]:
    """The people expected before the start."""
    known = kept.items() if isinstance(kept, dict) else ()
    return {Seat[seat]: str(name) for seat, name in known if seat in Seat.__members__}
