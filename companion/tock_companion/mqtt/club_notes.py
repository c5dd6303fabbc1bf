"""Messages between a club's desk and its tables, and their topics; all of them retained.

A table writes below `tock/<its name>/` alone, and the desk below `tock-club/`: the broker's list of rights
(`club.access`) holds both to it.
"""

from dataclasses import dataclass, field
from typing import Annotated, TypeVar

from pydantic import Field

from tock_companion import strict_json
from tock_companion.mqtt.topics import ROOT
from tock_companion.schema import shape_of

CLUB_ROOT = "tock-club"
DESK = f"{CLUB_ROOT}/desk"
PUBLIC = f"{CLUB_ROOT}/public"
"""The public messages: the round and the standings."""
MAX_NOTE_BYTES = 300_000
MAX_NAME_CHARS = 60

Name = Annotated[str, Field(max_length=2 * MAX_NAME_CHARS + 3)]
Id = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9._-]+$")]
Note = TypeVar("Note")


@dataclass(frozen=True, slots=True)
class DeskNote:
    """The club whose desk is on this broker; `run` tells two desks apart."""

    club: Id
    name: Name
    run: Id
    online: bool = True


@dataclass(frozen=True, slots=True)
class JoinNote:
    """The host of a table has let it join this club."""

    club: Id
    zones: int


@dataclass(frozen=True, slots=True)
class GameNote:
    """The game that a table should play now."""

    club: Id
    game: Id
    tournament: Name
    round: int
    table: int
    sides: Annotated[tuple[tuple[Name, ...], ...], Field(min_length=2, max_length=8)]
    ruleset: Annotated[str, Field(max_length=40)] = "mjc"
    options: Annotated[dict[str, bool | int | str], Field(max_length=100)] = field(default_factory=dict)
    minutes: int | None = None
    time_is_up: bool = False
    """All who have not won yet stop: pawns at home count."""
    result: Id | None = None
    """The counted result; the table need not send it any longer."""


@dataclass(frozen=True, slots=True)
class ScoreNote:
    """The progress of one side."""

    home: Annotated[int, Field(ge=0, le=32)]
    distance: Annotated[int, Field(ge=0, le=10_000)] | None = None


@dataclass(frozen=True, slots=True)
class ResultNote:
    """The end of a game; `winner` is the index of a side. The log contains no hands."""

    club: Id
    game: Id
    id: Id
    scores: Annotated[tuple[ScoreNote, ...], Field(min_length=2, max_length=8)]
    winner: Annotated[int, Field(ge=0, le=7)] | None = None
    record: Annotated[tuple[str, ...], Field(max_length=5_000)] = ()


@dataclass(frozen=True, slots=True)
class ProgressNote:
    """Pawns at home of each side of a running game."""

    club: Id
    game: Id
    home: Annotated[tuple[Annotated[int, Field(ge=0, le=32)], ...], Field(max_length=8)]


def game_topic(table: str) -> str:
    return f"{CLUB_ROOT}/table/{table}/game"


def join_topic(table: str) -> str:
    """The topic with the club that a table has joined; empty when it has left."""
    return f"{ROOT}/{table}/club/join"


def progress_topic(table: str) -> str:
    return f"{ROOT}/{table}/club/progress"


def result_topic(table: str, game: str) -> str:
    """The topic of a result; each game has its own, so that a later one replaces none."""
    return f"{ROOT}/{table}/club/result/{game}"


def written(note: object) -> str:
    return shape_of(type(note)).dump_json(note).decode()


def read(kind: type[Note], payload: bytes) -> Note:
    """Read a note; raises ValueError, because clients may publish anything on a broker."""
    if len(payload) > MAX_NOTE_BYTES:
        raise ValueError(f"it has more than {MAX_NOTE_BYTES} bytes")
    strict_json.decode(payload)
    found = shape_of(kind).validate_json(payload)
    assert isinstance(found, kind)
    return found
