"""The holders of seats in the store, and the cards withheld from later holders."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from sqlite3 import Connection

from tock_companion.storage.sqlite_file import Database
from tock_rules import Seat

LOG = logging.getLogger(__name__)
_EVERY = 2**31
"""The number before the first event."""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """The holder of a seat, kept through restarts so that a phone finds its seat again. Only hashes are stored."""

    seat: Seat
    name: str
    lang: str
    token_hash: str
    device_hash: str = ""
    """Of the token's device; empty for a token from before devices had names."""


@dataclass(frozen=True, slots=True)
class Withheld:
    """Cards that a former holder of the seat entered: hidden from later holders."""

    game: int
    seat: Seat
    seq: int
    """Number of the newest event with any of them."""
    owner: str
    """Hash of the device that entered them, or `COMPUTER`; empty where it is unknown."""
    name: str
    cards: int
    """Number of known cards when their owner left."""
    refused: bool = False
    """Whether their owner refuses to show them."""


def holders_in(database: Database) -> tuple[SeatHolder, ...]:
    rows = database.rows(
        "SELECT CAST(seat AS BLOB), CAST(name AS BLOB), CAST(lang AS BLOB), CAST(seats.token_hash AS BLOB), "
        "CAST(COALESCE(device_hash, '') AS BLOB) FROM seats LEFT JOIN devices USING (seat, token_hash)"
    )
    holders = []
    for seat, *texts in rows:
        try:
            holders.append(SeatHolder(seat_of(seat), *(bytes(text).decode() for text in texts)))
        except ValueError as error:
            LOG.error("the holder of a seat in %s cannot be read (%s); left out", database.path, error)
    return tuple(holders)


def withheld_in(database: Database, newest_number: Callable[[], int | None]) -> tuple[Withheld, ...]:
    """Read the cards that are withheld from the present holders of seats.

    If they cannot be read, all cards of the newest game are hidden; only then is its number asked for.
    """
    rows = database.rows(
        "SELECT game, CAST(seat AS BLOB), seq, CAST(owner AS BLOB), CAST(name AS BLOB), cards, refused "
        "FROM withheld ORDER BY game, seat, seq"
    )
    found = []
    for game, seat, seq, owner, name, cards, refused in rows:
        try:
            texts = (bytes(owner).decode(), bytes(name).decode())
            found.append(Withheld(int(game), seat_of(seat), int(seq), *texts, int(cards), bool(refused)))
        except (TypeError, ValueError) as error:
            LOG.error("whose cards are withheld in %s cannot be read (%s)", database.path, error)
            newest = newest_number() or 0
            found += [Withheld(newest, other, _EVERY, "", "", 1) for other in Seat]
    return tuple(dict.fromkeys(found))


def put_holder(connection: Connection, holder: SeatHolder) -> None:
    """Give a seat to a holder, as a part of a larger transaction."""
    connection.execute(
        "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?)",
        (holder.seat.name, holder.name, holder.lang, holder.token_hash),
    )
    connection.execute(
        "INSERT OR REPLACE INTO devices VALUES (?, ?, ?)",
        (holder.seat.name, holder.token_hash, holder.device_hash),
    )


def free(connection: Connection, seat: Seat) -> None:
    """Take a seat from its holder, as a part of a larger transaction."""
    connection.execute("DELETE FROM seats WHERE seat = ?", (seat.name,))
    connection.execute("DELETE FROM devices WHERE seat = ?", (seat.name,))


def put_withheld(connection: Connection, withheld: Iterable[Withheld] | None) -> None:
    """Replace the withheld cards if some are given, as a part of a larger transaction."""
    if withheld is None:
        return
    connection.execute("DELETE FROM withheld")
    connection.executemany(
        "INSERT INTO withheld VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (kept.game, kept.seat.name, kept.seq, kept.owner, kept.name, kept.cards, kept.refused)
            for kept in withheld
        ],
    )


def seat_of(name: bytes) -> Seat:
    return Seat.parse(bytes(name).decode())
