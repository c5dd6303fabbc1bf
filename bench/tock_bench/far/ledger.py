"""What phones far away were shown and granted, held against the home's log: lost, doubled, or otherwise than there."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tock_companion.events.facts import CardPlayed, Event, MoveAccepted
from tock_companion.events.game import Game, apply, begin
from tock_companion.storage.event_lines import event_of
from tock_companion.storage.files import DATABASE_NAME
from tock_companion.views.replay import holes

Public = tuple[tuple[tuple[str, str], ...], str | None, str, bool]
"""Pawns, the card that is laid, whose turn it is, whether the game has ended."""
Deed = tuple[str, str, str]
"""Seat, kind, and the card or the move."""
LINES = (
    "SELECT line, fields FROM events LEFT JOIN later_fields USING (game, seq) "
    "WHERE game = (SELECT max(game) FROM events) ORDER BY seq"
)


@dataclass
class Differences:
    """Findings of one game or of many."""

    lost: int = 0
    """Events that a phone was shown, or requests that were granted, and that the log lacks."""
    doubled: int = 0
    """Requests that the log has more often than they were made."""
    unnoticed: int = 0
    """Views that differ from the log at their event, also the last one of each phone."""
    events: int = 0
    views: int = 0
    requests: int = 0
    notes: list[str] = field(default_factory=list)


@dataclass
class Ledger:
    """One game as its phones saw it."""

    seen: dict[str, dict[int, set[Public]]] = field(default_factory=dict)
    """By seat and number of the newest event."""
    asked: Counter[Deed] = field(default_factory=Counter)
    granted: Counter[Deed] = field(default_factory=Counter)

    def take(self, seat: str, view: Mapping[str, Any]) -> None:
        """Note a view."""
        self.seen.setdefault(seat, {}).setdefault(view["game"]["seq"], set()).add(public_of_view(view))

    def compare(self, events: Iterable[Event], last: Mapping[str, Mapping[str, Any]]) -> Differences:
        """Hold it against the log; `last` has the newest view of each seat, which must show its end."""
        log = list(events)
        states = dict(states_of(log))
        found = Differences(events=len(log), requests=sum(self.granted.values()))
        for seat, views in self.seen.items():
            found.views += len(views)
            for seq, shown in views.items():
                if seq not in states:
                    found.lost += 1
                    found.notes.append(f"{seat} was shown event {seq} of {len(log)}")
                elif shown != {states[seq]}:
                    found.unnoticed += 1
                    found.notes.append(f"{seat} at {seq}: {shown} is {states[seq]}")
        for seat, view in last.items():
            if public_of_view(view) != states[len(log)]:
                found.unnoticed += 1
                found.notes.append(f"{seat} at the end: {view['game']['seq']} of {len(log)}")
        logged = Counter(deeds_of(log))
        for deed in {*logged, *self.granted}:
            if logged[deed] < self.granted[deed]:
                found.lost += self.granted[deed] - logged[deed]
                found.notes.append(f"granted and not there: {deed}")
            # Of a request whose answer never came nobody knows whether it counts; more often than asked is twice.
            if logged[deed] > self.asked[deed] and deed[0] in self.seen:
                found.doubled += logged[deed] - self.asked[deed]
                found.notes.append(f"there twice: {deed}")
        return found


def public_of_view(view: Mapping[str, Any]) -> Public:
    """The public part of a view that follows from the log."""
    return tuple(sorted(view["holes"].items())), view["card"], view["to_move"], view["game"]["ended"]


def public_of_game(game: Game) -> Public:
    """The same of a game."""
    standing = tuple(sorted(holes(game.position).items()))
    card = None if game.card is None else str(game.card)
    return standing, card, game.position.to_move.name, game.ended is not None


def states_of(events: Iterable[Event]) -> Iterable[tuple[int, Public]]:
    """The public state after each event."""
    game: Game | None = None
    for event in events:
        game = begin(event) if game is None else apply(game, event)
        yield event.seq, public_of_game(game)


def deeds_of(events: Iterable[Event]) -> Iterable[Deed]:
    """The requests that an event comes from."""
    for event in events:
        match event.fact:
            case CardPlayed(seat=seat, card=card, use="move"):
                yield seat, "play_card", card
            case MoveAccepted(seat=seat, move=move):
                yield seat, "move", move


def deed_of(seat: str, kind: str, data: Mapping[str, object]) -> Deed:
    """A request that was made."""
    return seat, kind, str(data.get("card") or data.get("text") or "")


def newest_game(folder: Path) -> list[Event]:
    """The log of the game that was begun last, as it lies on the disk."""
    with closing(sqlite3.connect(folder / DATABASE_NAME)) as connection:
        rows = connection.execute(LINES).fetchall()
    return [event_of(line, later) for line, later in rows]
