"""The people of the last game and their seats: at the next evening everybody finds theirs again with one tap."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tock_companion.events.game import Game
from tock_companion.storage import SeatHolder
from tock_companion.storage.choices import Choices
from tock_companion.table.seats.disk import Disk
from tock_rules import Seat

KEPT_AS = "last_people"


@dataclass(frozen=True, slots=True)
class LastPlayer:
    """A player, and the language of their phone."""

    seat: Seat
    name: str
    lang: str


class LastPeople:
    """The people of the game that was played last; kept in the store.

    Changed by the table's thread alone, read by any.
    """

    def __init__(self, choices: Choices, disk: Disk) -> None:
        self._choices, self._disk = choices, disk
        self.read_again()

    def read_again(self) -> None:
        """Take the kept people for the present ones: some have been deleted."""
        self._game, self._people = _read(self._choices.get(KEPT_AS))

    @property
    def all(self) -> tuple[LastPlayer, ...]:
        """Everybody, in the order of the seats."""
        return tuple(self._people.values())

    def follow(self, number: int, game: Game, holders: Mapping[Seat, SeatHolder]) -> None:
        """Note the players of a game with a move; a player who left since still played it."""
        if not game.moves or game.ended is not None:
            return
        before = self._people if number == self._game else {}
        sitting = {seat: LastPlayer(seat, holder.name, holder.lang) for seat, holder in holders.items()}
        now = dict(sorted({**before, **sitting}.items()))
        if now and now != before:
            self._game, self._people = number, now
            kept = [number, [[one.seat.name, one.name, one.lang] for one in now.values()]]
            self._disk.write_if_idle(lambda: self._choices.keep(KEPT_AS, kept))


def _read(kept: object) -> tuple[int, dict[Seat, LastPlayer]]:
    """Everything kept, without what cannot be read."""
    match kept:
        case [int(number), [*rows]]:
            return number, {player.seat: player for player in _players(rows)}
    return 0, {}


def _players(rows: Iterable[object]) -> Iterable[LastPlayer]:
    for row in rows:
        match row:
            case [str(seat), str(name), str(lang)] if seat in Seat.__members__:
                yield LastPlayer(Seat[seat], name, lang)
