"""Runs a recording through the whole pipeline, as fast as it can, always with the same result."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.events.facts import Event
from tock_companion.events.game import fold
from tock_companion.events.hands import fold_hands
from tock_companion.observation import Observation, SourceMessage, SourceReport
from tock_companion.rules import BoardShape, Seat, camp_holes_of
from tock_companion.sources.logs import felt, seen
from tock_companion.sources.recording import Recording
from tock_companion.table.core import FELT_LAG_MS, TableCore
from tock_companion.table.requests import Request, Role, parse_request
from tock_companion.table.setup import GameSetup, game_started
from tock_companion.views.names import Names

ReadFrames = Callable[[Path, BoardFile, Any], Iterable[SourceMessage]]
"""Reads the frames of a recording folder into messages, in order; pixels are none of the companion's business."""


@dataclass(frozen=True, slots=True)
class _Input:
    """One input (None: the table looked again by itself) and its place in the order."""

    row: dict[str, Any]
    rank: int
    item: SourceMessage | Request | None

    @property
    def t_ms(self) -> int:
        return int(self.row["t_ms"])

    @property
    def numbered(self) -> bool:
        """Whether the recording tells the exact order; else time does, and within a moment the kind of input."""
        return "n" in self.row

    @property
    def order(self) -> tuple[int, int]:
        return (int(self.row["n"]), 0) if self.numbered else (self.t_ms, self.rank)


def replay(recording: Recording, read_frames: ReadFrames) -> Iterator[Event]:
    """Yield all events of the log: those it started from, then those that the inputs lead to."""
    shape = BoardShape(recording.board_file.zones)
    core = TableCore(Names(shape, recording.board_file.colors, {}))
    if recording.events:
        core.take_up(fold(recording.events), fold_hands(recording.events, {}))
        yield from recording.events
    else:
        yield from core.start(game_started(_setup(recording), recording.board_file), 0)
    numbered = False
    lag_ms = FELT_LAG_MS if not recording.has("frames") and not recording.has("seen") else None
    for entry in sorted(_inputs(recording, read_frames), key=lambda entry: entry.order):
        numbered = entry.numbered
        if lag_ms is not None and not numbered:
            yield from _ticks(core, entry.t_ms - lag_ms)
        if entry.item is None:
            yield from core.tick(entry.t_ms)
        elif isinstance(entry.item, Request):
            yield from core.ask(entry.item, entry.t_ms)[1]
        else:
            yield from core.take(entry.item)
    if core.deadline_ms is not None and not numbered:
        # The recording ends while the referee is still waiting: nothing more changes, so its time comes.
        yield from core.tick(core.deadline_ms)


def _ticks(core: TableCore, until_ms: int) -> Iterator[Event]:
    """Let the table look again at the deadlines that pass before a moment: reeds send nothing while nothing changes."""
    while core.deadline_ms is not None and core.deadline_ms <= until_ms:
        deadline_ms = core.deadline_ms
        yield from core.tick(deadline_ms)
        if core.deadline_ms == deadline_ms:
            return


def _setup(recording: Recording) -> GameSetup:
    document = recording.document
    try:
        return GameSetup(
            ruleset=str(document["ruleset"]),
            options=document.get("options") or {},
            seats=[Seat.parse(name) for name in document["seats"]],
            teams=[[Seat.parse(name) for name in team] for team in document.get("teams") or []],
            first=Seat.parse(document["to_move"]),
            position=document["position"],
        )
    except (KeyError, TypeError) as error:
        raise BadInputError(f"{recording.folder}/recording.json lacks {error}") from None


def _inputs(recording: Recording, read_frames: ReadFrames) -> Iterator[_Input]:
    frames = {row["t_ms"]: row for row in recording.rows("frames")}
    reported = False
    for row, report in recording.reports():
        reported = True
        yield _Input(row, 0, report)
    if frames:
        for message in read_frames(recording.folder, recording.board_file, recording.document):
            row = frames.get(message.t_ms, {"t_ms": message.t_ms})
            if isinstance(message, SourceReport) and reported:
                continue
            yield _Input(row, 1, _renamed(message, row))
    holes = [hole.id for hole in recording.board_file.holes]
    for row, felt_of in felt(recording.rows("reed"), holes, _occupied(recording)):
        yield _Input(row, 1, felt_of)
    for row, observation in seen(recording.rows("seen")):
        yield _Input(row, 1, observation)
    for row, card in recording.cards():
        yield _Input(row, 2, card)
    for row in recording.rows("requests"):
        yield _Input(row, 3, _request(row))


def _occupied(recording: Recording) -> Iterator[str]:
    """Yield the holes with pawns in them when the recording begins, camps filled from their first hole."""
    for name, places in (recording.document.get("position") or {}).items():
        outside = [str(place).rstrip("*") for place in places if place != "camp"]
        yield from (f"{name}-{place}" if place.startswith("H") else place for place in outside)
        yield from camp_holes_of(Seat.parse(name))[: len(places) - len(outside)]


def _renamed(message: SourceMessage, row: Mapping[str, Any]) -> SourceMessage:
    """Give an observation the name of the source that the recording had it from."""
    if isinstance(message, Observation) and "source" in row:
        return replace(message, source=str(row["source"]))
    return message


def _request(row: dict[str, Any]) -> Request | None:
    if row["kind"] == "tick":
        return None
    seat = Seat.parse(row["seat"]) if row.get("seat") is not None else None
    return parse_request(row["kind"], row.get("data") or {}, Role(row.get("role", "seat")), seat)
