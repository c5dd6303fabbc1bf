"""Figures of people: sums, pairs and firsts over the games of the book, by SQL."""

import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

_PEOPLE = """
    CREATE TEMP VIEW IF NOT EXISTS player AS
    SELECT seat.*, coalesce(alias.person, seat.key) AS person, game.ended_at, game.number
    FROM seat JOIN game ON game.number = seat.game LEFT JOIN alias ON alias.key = seat.key
    WHERE seat.key != ''
"""
_SUMS = """
    SELECT person, count(*), sum(won), sum(moves), sum(holes), sum(taken), sum(lost), sum(home), max(longest_march),
        sum(swept), sum(sevens_saved), sum(thinking_ms) / nullif(sum(thoughts), 0), avg(luck), avg(played_away),
        sum(quality) / nullif(sum(rated), 0), min(ended_at), max(ended_at)
    FROM player WHERE ended_at >= :since GROUP BY person ORDER BY sum(won) DESC, count(*), person
"""
_NAMES = "SELECT person, name FROM player ORDER BY ended_at, number"
_PAIRS = """
    SELECT one.person, other.person, one.side = other.side, count(*), sum(one.won)
    FROM player AS one JOIN player AS other ON one.game = other.game AND one.person != other.person
    WHERE one.ended_at >= :since GROUP BY 1, 2, 3 ORDER BY 4 DESC, 2
"""
_CAPTURES = """
    SELECT one.person, other.person, sum(pawns)
    FROM capture JOIN player AS one ON one.game = capture.game AND one.seat = taker
    JOIN player AS other ON other.game = capture.game AND other.seat = owner
    WHERE one.ended_at >= :since GROUP BY 1, 2
"""
_FIRSTS = """
    WITH run AS (
        SELECT person, number, won, lost, swept, longest_march,
            sum(won) OVER mine AS wins, sum(taken) OVER mine AS pawns, taken,
            max(longest_march) OVER (ORDER BY ended_at, number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                AS record
        FROM player WINDOW mine AS (PARTITION BY person ORDER BY ended_at, number)
    )
    SELECT person, number, 'first_win', 1 FROM run WHERE won AND wins = 1
    UNION ALL SELECT person, number, 'wins', wins FROM run WHERE won AND wins IN (10, 25, 50, 100, 250, 500, 1000)
    UNION ALL SELECT person, number, 'untouched', 0 FROM run WHERE won AND lost = 0
    UNION ALL SELECT person, number, 'sweep', swept FROM run WHERE swept >= 3
    UNION ALL SELECT person, number, 'taken', 100 * (pawns / 100) FROM run WHERE pawns / 100 > (pawns - taken) / 100
    UNION ALL SELECT person, number, 'longest_march', longest_march FROM run WHERE longest_march > record
    ORDER BY 2, 1, 3
"""


@dataclass(frozen=True, slots=True)
class Pair:
    """Games of a person with a partner or against somebody, and the person's wins in them."""

    name: str
    games: int
    won: int


@dataclass(frozen=True, slots=True)
class First:
    """A badge that a person earned in a game; `value` is the number in it: wins, pawns, holes."""

    person: str
    game: int
    code: str
    value: int


@dataclass(frozen=True, slots=True)
class PersonFigures:
    """A person over all games of a time; None where no game says anything."""

    name: str
    games: int
    won: int
    moves: int
    holes: int
    taken: int
    lost: int
    home: int
    longest_march: int
    swept: int
    sevens_saved: int
    thinking_ms: int | None
    """Average from the beginning of a turn to its card."""
    luck: float
    """Chance to win that the cards offered in a game, more than the average of the table's."""
    played_away: float
    """Chance to win that better moves of the same cards would have kept, in a game."""
    accuracy: float | None
    """1 where each move was the best of its card by the estimate of the board, 0 where each was the worst."""
    first_game: str
    last_game: str
    partners: tuple[Pair, ...]
    opponents: tuple[Pair, ...]
    took_from: Mapping[str, int]


def use_names(book: sqlite3.Connection, aliases: Mapping[str, str]) -> None:
    """Say which folded names are one person: alias to the person's folded name."""
    book.execute("CREATE TEMP TABLE IF NOT EXISTS alias (key TEXT PRIMARY KEY, person TEXT)")
    book.execute("DELETE FROM alias")
    book.executemany("INSERT INTO alias VALUES (?, ?)", aliases.items())
    book.execute(_PEOPLE)


def people(book: sqlite3.Connection, since: date | None = None) -> tuple[PersonFigures, ...]:
    """The players of all games that ended since the beginning of a day here, most wins first."""
    start = {"since": beginning_of(since)}
    names = dict(book.execute(_NAMES))
    partners: defaultdict[str, list[Pair]] = defaultdict(list)
    opponents: defaultdict[str, list[Pair]] = defaultdict(list)
    took: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for one, other, together, games, won in book.execute(_PAIRS, start):
        (partners if together else opponents)[one].append(Pair(names[other], games, won))
    for one, other, pawns in book.execute(_CAPTURES, start):
        took[one][names[other]] = pawns
    return tuple(
        PersonFigures(
            *(names[person], *sums, tuple(partners[person]), tuple(opponents[person]), took[person])
        )
        for person, *sums in book.execute(_SUMS, start)
    )


def firsts(book: sqlite3.Connection) -> tuple[First, ...]:
    """All badges in the order of the games, by the names of the people."""
    names = dict(book.execute(_NAMES))
    return tuple(First(names[person], *rest) for person, *rest in book.execute(_FIRSTS))


def beginning_of(day: date | None) -> str:
    """The first second of a day of this machine in the form of the book; empty for all days."""
    if day is None:
        return ""
    return datetime.combine(day, time()).astimezone(UTC).isoformat(timespec="seconds")
