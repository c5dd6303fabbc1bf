"""Public events for other programs: typed, numbered, made from the log of a game alone. No hand is in them.

`/api/v1/asyncapi.json` describes them for machines.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from tock_companion.errors import BadInputError
from tock_companion.events.facts import (
    CardPlayed,
    Correction,
    Event,
    GameEnded,
    GameStarted,
    MoveAccepted,
    MoveTakenBack,
    Paused,
    PawnMissing,
    Repaired,
    Resumed,
    SourceBack,
    SourceLost,
    TurnEnded,
    ViolationFound,
)
from tock_companion.events.game import Game, apply, begin
from tock_rules import Rank, Seat

VERSION = 1
"""Rises when a field changes its meaning or goes; new kinds and fields may come at any time."""
Kind = Literal[
    "game_started", "turn", "card_played", "move", "captured", "swept", "home", "illegal", "pawn_missing",
    "put_right", "corrected", "taken_back", "paused", "resumed", "camera_blind", "camera_back", "won", "game_over",
]  # fmt: skip

FIELDS: Mapping[Kind, tuple[str, ...]] = {
    "game_started": ("seats", "ruleset"),
    "turn": ("seat", "name"),
    "card_played": ("seat", "name", "card", "use"),
    "move": ("seat", "name", "card", "move"),
    "captured": ("seat", "name", "owner", "hole"),
    "swept": ("seat", "name", "pawns"),
    "home": ("seat", "name", "pawns"),
    "illegal": ("seat", "name", "code", "breaks"),
    "pawn_missing": ("seat", "name"),
    "put_right": ("seat", "name"),
    "corrected": ("by",),
    "taken_back": ("by",),
    "paused": ("by",),
    "resumed": ("by",),
    "camera_blind": ("source", "code"),
    "camera_back": ("source",),
    "won": ("seats",),
    "game_over": ("code",),
}
"""What each kind says beside the fields of all."""


class PublicEvent(TypedDict):
    """One event; `id` grows within a table, `t_ms` counts from the beginning of the game `game`."""

    v: int
    id: str
    t_ms: int
    kind: Kind
    game: int
    seat: NotRequired[str]
    name: NotRequired[str | None]
    """The player of `seat`; null while nobody sits there."""
    seats: NotRequired[list[str]]
    ruleset: NotRequired[str]
    card: NotRequired[str]
    use: NotRequired[str]
    """`move` or `discard`."""
    move: NotRequired[str]
    """In the notation of the rules."""
    owner: NotRequired[str]
    """The seat whose pawn was captured."""
    hole: NotRequired[str]
    pawns: NotRequired[int]
    """Pawns that a king swept, or that a seat has at home."""
    code: NotRequired[str]
    breaks: NotRequired[list[str]]
    by: NotRequired[str]
    source: NotRequired[str]


Mark = tuple[int, int, int]
"""The parts of an id: game, event of its log, number among the public events of that one."""


def mark_of(event_id: str) -> Mark:
    """Read an id; raises BadInputError."""
    parts = event_id.split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise BadInputError(f"'{event_id[:40]}' is no id of an event; an id looks like 12.345.0")
    game, seq, number = map(int, parts)
    return game, seq, number


@dataclass(slots=True)
class Translator:
    """Follows the log of one game and makes its public events."""

    number: int
    """Of the game."""
    game: Game | None = None

    def events_of(self, events: Iterable[Event], names: Mapping[Seat, str]) -> Iterator[PublicEvent]:
        """Translate the next events of the log; raises BadInputError for a log that contradicts itself."""
        for event in events:
            before = self.game
            self.game = begin(event) if before is None else apply(before, event)
            for number, (kind, more) in enumerate(_kinds(event, before, self.game)):
                event_id = f"{self.number}.{event.seq}.{number}"
                found = {
                    "v": VERSION,
                    "id": event_id,
                    "t_ms": event.t_ms,
                    "kind": kind,
                    "game": self.number,
                    **more,
                }
                if "seat" in found:
                    found["name"] = names.get(Seat.parse(str(found["seat"]))) or None
                yield found  # type: ignore[misc]


_Kinds = Iterator[tuple[Kind, dict[str, object]]]


def _kinds(event: Event, before: Game | None, after: Game) -> _Kinds:
    match event.fact:
        case GameStarted() as fact:
            yield "game_started", {"seats": list(fact.seats), "ruleset": fact.ruleset}
            yield "turn", {"seat": fact.to_move}
        case CardPlayed() as fact:
            yield "card_played", {"seat": fact.seat, "card": fact.card, "use": fact.use}
        case MoveAccepted() as fact:
            yield "move", {"seat": fact.seat, "card": fact.card, "move": fact.move}
            yield from _effects(fact.seat, before, after)
        case TurnEnded() as fact:
            yield "turn", {"seat": fact.next}
        case ViolationFound() as fact:
            yield "illegal", {"seat": fact.seat, "code": fact.code, "breaks": list(fact.breaks)}
        case PawnMissing() as fact:
            yield "pawn_missing", {"seat": fact.seat}
        case Repaired() as fact:
            yield "put_right", {"seat": fact.seat}
        case Correction() as fact:
            yield "corrected", {"by": fact.by}
        case MoveTakenBack() as fact:
            yield "taken_back", {"by": fact.by}
            yield "turn", {"seat": after.position.to_move.name}
        case Paused() as fact:
            yield "paused", {"by": fact.by}
        case Resumed() as fact:
            yield "resumed", {"by": fact.by}
        case SourceLost() as fact:
            yield "camera_blind", {"source": fact.source, "code": fact.code}
        case SourceBack() as fact:
            yield "camera_back", {"source": fact.source}
        case GameEnded() as fact if fact.winner:
            yield "won", {"seats": list(fact.winner)}
        case GameEnded() as fact:
            yield "game_over", {"code": fact.why}


def _effects(seat: str, before: Game | None, after: Game) -> _Kinds:
    """Captures, sweeps and pawns at home that the last move brought."""
    played = after.moves[-1]
    for owner, hole in played.move.captures:
        yield "captured", {"seat": seat, "owner": owner.name, "hole": str(hole)}
    if played.card.rank is Rank.KING and len(played.move.captures) > 1:
        yield "swept", {"seat": seat, "pawns": len(played.move.captures)}
    for one in after.position.seats:
        at_home = after.position.board.home_count(one)
        if before is not None and at_home > before.position.board.home_count(one):
            yield "home", {"seat": one.name, "pawns": at_home}
