"""The players of each game, by name: kept games go by their people, whom the log does not name."""

from collections.abc import Mapping
from types import MappingProxyType

from tock_companion.core.roster import Roster
from tock_companion.events.game import Game
from tock_companion.storage.choices import Choices
from tock_companion.table.seats.disk import Disk
from tock_rules import Seat

KEPT_AS = "game_people"
MAX_GAMES_KEPT = 1_000
"""Games whose people are kept; the oldest give way."""
COMPUTER = ""
"""The name of a computer."""
People = Mapping[Seat, str]
NOBODY: People = MappingProxyType({})


class GamePeople:
    """Kept in the store; changed by the table's thread alone, read by any."""

    def __init__(self, choices: Choices, disk: Disk) -> None:
        self._choices, self._disk = choices, disk
        self.read_again()

    def read_again(self) -> None:
        """Take the kept people for the present ones: some have been deleted."""
        self._games = _read(self._choices.get(KEPT_AS))

    def names(self) -> set[str]:
        return {name for people in self._games.values() for name in people.values() if name}

    def of(self, number: int) -> People:
        """The players of a game by seat, as far as they are known."""
        return self._games.get(number, NOBODY)

    def follow(self, number: int, game: Game, roster: Roster) -> None:
        """Note who plays a game that is not over; a player who left after the first move still played it."""
        if game.ended is not None:
            return
        sitting = {**dict.fromkeys(roster.computers, COMPUTER), **roster.players}
        now = {**(self.of(number) if game.moves else {}), **sitting}
        if now != self.of(number):
            newest = sorted({**self._games, number: now}.items())[-MAX_GAMES_KEPT:]
            self._games = dict(newest)
            kept = {str(one): {seat.name: name for seat, name in people.items()} for one, people in newest}
            self._disk.write_if_idle(lambda: self._choices.keep(KEPT_AS, kept))


def all_people(choices: Choices) -> Mapping[int, People]:
    """The players of the games of a store, as far as they are known."""
    return _read(choices.get(KEPT_AS))


def _read(kept: object) -> dict[int, People]:
    """Everything kept, without what cannot be read."""
    games: dict[int, People] = {}
    for number, people in kept.items() if isinstance(kept, dict) else ():
        if str(number).isdecimal() and isinstance(people, dict):
            games[int(number)] = {
                Seat[seat]: str(name) for seat, name in people.items() if seat in Seat.__members__
            }
    return games
