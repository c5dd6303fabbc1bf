"""Wins by player's name, on one evening and on all of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from tock_companion.events.game import Game
from tock_companion.language import folded
from tock_companion.storage.choices import Choices
from tock_companion.table.seats.disk import Disk
from tock_rules import Seat

KEPT_AS = "results"
MAX_RESULTS_KEPT = 2_000
"""Results that are kept; the oldest give way."""
BREAK = timedelta(hours=6)
"""Games that lie further apart belong to different evenings."""


@dataclass(frozen=True, slots=True)
class Result:
    """The players and winners of a finished game, by name; computers have none."""

    game: int
    ended_at: datetime
    players: tuple[str, ...]
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """A player's number of wins."""

    name: str
    won: int
    played: int


def scores(results: Iterable[Result]) -> tuple[Score, ...]:
    """Add up the results by name, most wins first.

    Spellings that differ in case, accents or spaces are one name; it is shown as it was written last.
    """
    known: dict[str, Score] = {}
    for result in results:
        winners = {folded(name) for name in result.winners}
        for name in result.players:
            key = folded(name)
            before = known.get(key, Score(name, 0, 0))
            known[key] = Score(name, before.won + (key in winners), before.played + 1)
    return tuple(sorted(known.values(), key=lambda score: (-score.won, score.played, folded(score.name))))


def evenings(results: Iterable[Result]) -> tuple[tuple[Result, ...], ...]:
    """The results evening by evening, oldest first."""
    found: list[list[Result]] = []
    for result in results:
        if not found or result.ended_at - found[-1][-1].ended_at > BREAK:
            found.append([])
        found[-1].append(result)
    return tuple(tuple(evening) for evening in found)


class Results:
    """The results of all finished games, oldest first; changed by the table's thread alone, read by any."""

    def __init__(self, choices: Choices, disk: Disk) -> None:
        self._choices, self._disk = choices, disk
        self.read_again()

    def read_again(self) -> None:
        """Take the kept results for the present ones: some have been deleted."""
        self._results = tuple(_read(self._choices.get(KEPT_AS)))

    @property
    def all(self) -> tuple[Result, ...]:
        return self._results

    def follow(self, number: int, game: Game, players: Mapping[Seat, str]) -> None:
        """Note how a game has ended, or that its last move was taken back."""
        others = tuple(result for result in self._results if result.game != number)
        winners = game.ended.winner if game.ended is not None else None
        if winners:
            sat = [seat for seat in game.position.seats if seat in players]
            won = tuple(players[seat] for seat in sat if seat.name in winners)
            names = tuple(players[seat] for seat in sat)
            others = (*others, Result(number, datetime.now(UTC), names, won)) if names else others
        if others != self._results:
            self._results = others[-MAX_RESULTS_KEPT:]
            kept = [_to_keep(result) for result in self._results]
            self._disk.write_if_idle(lambda: self._choices.keep(KEPT_AS, kept))


def _to_keep(result: Result) -> list[object]:
    ended_at = result.ended_at.isoformat(timespec="seconds")
    return [result.game, ended_at, list(result.players), list(result.winners)]


def _read(kept: object) -> Iterable[Result]:
    """The results that were kept, without those that cannot be read."""
    for row in kept if isinstance(kept, list) else ():
        match row:
            case [int(game), str(ended_at), [*players], [*winners]]:
                names = (tuple(map(str, players)), tuple(map(str, winners)))
                try:
                    yield Result(game, datetime.fromisoformat(ended_at).astimezone(UTC), *names)
                except ValueError:
                    continue
